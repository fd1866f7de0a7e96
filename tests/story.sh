#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How counterexamples look as text: columns, what is folded, marks, stacks, colours, narrow terminals, bytes that are no text.
#
#     usage: tests/story.sh BITSPIN [FILTER]
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_cache
quick_pans
examples=$root/examples
unset COLUMNS NO_COLOR

# Columns of the widest line of a file, as a terminal has them; lines.
widest() { wc -L <"$1"; }
lines() { wc -l <"$1"; }

cat >rounds.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int counter, table[64], done;
static void prepare(void)
{
	for (int i = 0; i < 64; i++)
		table[i] = i;
}
static void *work(void *p)
{
	for (int i = 0; i < 40; i++) {
		pthread_mutex_lock(&m);
		counter += table[i];
		pthread_mutex_unlock(&m);
	}
	done++;
	return p;
}
int main(void)
{
	pthread_t t[2];
	prepare();
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], NULL, work, NULL);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], NULL);
	return 0;
}
C
# Many lines before the first thread, and then threads that change places all the time.
{
	echo '#include <assert.h>'
	echo '#include <pthread.h>'
	echo '#include <stdatomic.h>'
	echo 'static int options[300]; static _Atomic int turn, x[100];'
	echo 'static void read_options(void) {'
	for i in $(seq 300); do echo "	options[$((i - 1))] = $i;"; done
	echo '}'
	echo 'static void *work(void *p) { int me = p != 0;'
	for i in $(seq 0 99); do echo "	while (turn != me); x[$i]++; turn = 1 - me;"; done
	echo 'return p; }'
	echo 'int main(void) { pthread_t a, b; read_options(); pthread_create(&a, 0, work, 0); pthread_create(&b, 0, work, &b);'
	echo 'pthread_join(a, 0); pthread_join(b, 0); assert(x[99] == 3); }'
} >long.c
printf '#include <assert.h>\n#include <stdio.h>\nint x;\nint main(void)\n{\n\tprintf("caf\\xe9 \\x1b[31mred \\xe2\\x82\\xac bell\\a\\n");\n' >bytes.c
printf '\tx = 2 /* \xe9\x1b[2J \xe6\xbc\xa2\xe5\xad\x97 */;\n\tassert(x == 1);\n}\n' >>bytes.c
cat >freed.c <<'C'
#include <pthread.h>
#include <stdlib.h>
struct node { int value; };
static struct node *shared;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *p)
{
	pthread_mutex_lock(&m);
	free(shared);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t;
	shared = malloc(sizeof *shared);
	shared->value = 1;
	pthread_create(&t, NULL, work, NULL);
	pthread_mutex_lock(&m);
	int value = shared->value;
	pthread_mutex_unlock(&m);
	return value;
}
C

cat >wakeup.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;
static void *producer(void *p)
{
	for (int i = 0; i < 2; i++) {
		pthread_mutex_lock(&m);
		while (n == 1)
			pthread_cond_wait(&c, &m);
		n++;
		pthread_cond_signal(&c);
		pthread_mutex_unlock(&m);
	}
	return p;
}
static void *consumer(void *p)
{
	pthread_mutex_lock(&m);
	while (n == 0)
		pthread_cond_wait(&c, &m);
	n--;
	pthread_cond_signal(&c);
	pthread_mutex_unlock(&m);
	return p;
}
int main(void)
{
	pthread_t t[3];
	for (int i = 0; i < 3; i++) pthread_create(&t[i], NULL, i ? consumer : producer, NULL);
	for (int i = 0; i < 3; i++) pthread_join(t[i], NULL);
	return n;
}
C
cat >spin.c <<'C'
#include <pthread.h>
static int ready, first, second;
static int look(void) { return ready; }
static void *wait_for_it(void *p)
{
	while (!first &&
	       !second)
		;
	while (!look())
		;
	return p;
}
int main(void)
{
	pthread_t t;
#ifdef EARLY
	first = 1;
#endif
	pthread_create(&t, NULL, wait_for_it, NULL);
#ifndef EARLY
	second = 1;
#endif
	ready = 1;
	pthread_join(t, NULL);
}
C
cat >poll.c <<'C'
#include <assert.h>
#include <pthread.h>
static int one, two;
static void *set(void *p) { one = two = 1; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, set, NULL);
	pthread_join(t, NULL);
	int sum = 0;
	for (int i = 0; i < 1300; i++) {
		sum ^= one;
		sum ^= two;
	}
	assert(sum);
}
C

columns()
{
	run 1 check "$examples/deadlock.c" && says '^ step thread place +function +source +what happens$' &&
		says '^ +2 0 +deadlock.c:50 +main +\.\.\.create\(&thread.* create thread 1, to run work$' &&
		says '^>? +[0-9]*   1 +deadlock.c:33 +transfer +\.\.\.lock\(&first->mutex\)' || return 1
	head -n 12 out >story
	[ "$(widest story)" -le 100 ] || { echo "$(widest story) columns"; return 1; }
}
marked()
{
	run 1 check "$examples/deadlock.c" && says '^>.* lock a\.mutex  <-- here' && says '^>.* lock b\.mutex  <-- here' || return 1
	COLUMNS=250 run 1 check rounds.c && says '^>.* done = 1  <-- the first access' || return 1
	COLUMNS=250 run 1 check freed.c && says '^>.* allocate shared#1, 4 bytes' && says '<-- here it is allocated' &&
		says '^>.* free shared#1  <-- here it is freed'
}
# A lost wake-up: the waits that do not end, the signal that woke another thread, what was read and written for it.
wakeups()
{
	COLUMNS=200 run 1 check wakeup.c || return 1
	says '^> .*wait on c, releasing m$' && says '^> .*signal c: wakes thread [23]  <-- thread 1 waits too$' &&
		says '^the signal at step [0-9]+ \(wakeup.c:23\) woke thread ([23]); thread 1 waited too$' &&
		says '^> .* n is 1; n = 0$' && says '^the signal at .* woke thread [23], which waits again at step .*: n is 0$' || return 1
	[ "$(grep -c '^>.*wakes' out)" = 1 ] || { echo "a signal is marked that has nothing to do with it"; return 1; }
	run 1 check --json report.json wakeup.c && jq -e '.violations[0].causes | length == 2 and all(.line == 23)' report.json \
		>jq.out || return 1
	COLUMNS=200 run 1 check "$examples/lost_wakeup.c" &&
		says '^> .*signal changed: nobody waits  <-- before thread 1 waits$' &&
		says 'woke nobody: thread 1 began to wait after it'
}
# The same for a futex, and who took what was posted to a semaphore.
other_wakeups()
{
	cat >sem.c <<'C'
#include <pthread.h>
#include <semaphore.h>
static sem_t items;
static void *consumer(void *p) { sem_wait(&items); return p; }
int main(void)
{
	pthread_t a, b;
	sem_init(&items, 0, 0);
	pthread_create(&a, 0, consumer, 0);
	pthread_create(&b, 0, consumer, 0);
	if (POSTS)
		sem_post(&items);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
C
	cat >futex.c <<'C'
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int ready;
static void *waiter(void *p)
{
	while (ready == 0)
		syscall(SYS_futex, &ready, FUTEX_WAIT, 0, 0, 0, 0);
	return p;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, waiter, 0);
	pthread_create(&b, 0, waiter, 0);
	ready = 1;
	if (WAKES)
		syscall(SYS_futex, &ready, FUTEX_WAKE, 1, 0, 0, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
C
	COLUMNS=200 run 1 check -DPOSTS=1 sem.c && says '^>.* wait for items is over: it becomes 0  <-- thread [12] finds items 0$' &&
		says '^1 post of items: thread [12] took the last one, at step [0-9]+ \(sem.c:4\), and left none for thread [12]$' &&
		run 1 check -DPOSTS=0 sem.c && says '^no thread posts items$' || return 1
	COLUMNS=200 run 1 check -DWAKES=1 futex.c && says '^>.* signal futex ready: wakes thread [12]  <-- thread [12] waits too$' &&
		says '^the wake-up at step [0-9]+ \(futex.c:2[01]\) woke thread [12]; thread [12] waited too$' && says '^>.* ready is 0$' &&
		says '^>.* ready = 1$' && run 1 check -DWAKES=0 futex.c && says '^no thread wakes futex ready after thread [12] began'
}
# Few of many lines are marked.
few_marks()
{
	COLUMNS=200 run 1 check --races ignore "$examples/queue.c" || return 1
	local all marked
	all=$(grep -c '^>\? *[0-9]* *[01] *queue.c:' out) marked=$(grep -c '^>' out)
	[ "$all" -gt 15 ] && [ "$marked" -le $((all / 3)) ] && [ "$marked" -gt 2 ] || { echo "$marked of $all"; return 1; }
}
# Waiting in a loop is one line; where a round has several lines, it is told how often they come.  A full story has each.
busy()
{
	COLUMNS=200 run 1 check -DEARLY spin.c && says 'look +return ready; +ready is 0, again and again  <-- the first' || return 1
	COLUMNS=200 run 1 check spin.c && says ' +!second\) +second is 0, again and again  <-- the first access$' || return 1
	COLUMNS=200 run 1 check poll.c && says '^ +\.\.\. the same again, 1,298 times$' && [ "$(lines out)" -lt 40 ] ||
		return 1
	run 1 check --json report.json poll.c &&
		jq -e '[.violations[0].trace[] | select(.action == "again")] | length == 1 and .[0].round == 2' report.json >jq.out ||
		return 1
	run 1 check --story full spin.c && [ "$(lines out)" -gt 2000 ] && ! grep -q 'again\|times' out
}
# The loop of a lasso: its reads are told, who goes round where is in the last line, and the way there is short.
lasso()
{
	cat >hang.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x, y;
static void *run(void *p) { if (y) x = 1; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, run, NULL);
	y = 1;
	while (!x)
		;
	pthread_join(t, NULL);
}
C
	COLUMNS=200 run 1 check --property termination --keep kept hang.c && COLUMNS=200 run 1 replay kept &&
		says '^> .* 0 .*hang.c:10 .*while \(!x\) .*x is 0$' || return 1
	COLUMNS=200 run 1 check --property termination hang.c &&
		says '^violated: ltl: termination does not hold: thread 0 goes round hang.c:10 \(x is 0\)$' &&
		sed -n '/^---- and then/,$p' out >loop && grep -q '^> .* 0 .*hang.c:10 .*while (!x) .*x is 0$' loop || return 1
	local formula='[] (in(wait_for_readers, 3) -> <> in(update, 3))'
	COLUMNS=200 run 1 check --ltl "$formula" "$root/docs/tutorial/library.c" && says 'thread 2 goes round library.c:14 to :22$' ||
		return 1
	[ "$(grep -c '^>\? *[0-9]*.* library.c:[0-9]* ' out)" -le 20 ] && [ "$(grep -c '^>' out)" -lt 8 ]
}
# What a verdict assumes, and figures, stand under a violation only with -v; for `verified` what narrows the answer has a line.
violation_first()
{
	run 1 check "$examples/deadlock.c" && ! grep -q '^assuming\|states,\|super-steps' out || return 1
	run 1 -v check "$examples/deadlock.c" && says '^assuming:$' && says 'states, ' && says '^  memory is sequentially' || return 1
	run 0 check "$root/docs/tutorial/photos_fixed.c" && says '^  pthread_create never fails$' &&
		says '^  and 3 that always hold here \(-v lists them\)$' && ! grep -q sequentially out
}
# Words for what does not change, and for numbers that C shows with a sign.
words()
{
	cat >words.c <<'C'
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static atomic_int f = -1;
static atomic_flag flag;
static void *work(void *p)
{
	atomic_flag_test_and_set(&flag);
	atomic_flag_test_and_set(&flag);
	syscall(SYS_futex, &f, FUTEX_WAIT, -1, NULL, NULL, 0);
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, work, NULL);
	pthread_join(t, NULL);
}
C
	COLUMNS=200 run 1 check words.c && says ' flag: 0 becomes 1$' && says ' flag stays 1$' && says ' wait on futex f, which is -1$' || return 1
	cat >fence.c <<'C'
#include <stdatomic.h>
#include <pthread.h>
static atomic_int ready;
static int data;
static void *write_it(void *p)
{
	data = 1;
	if (WRITER)
		atomic_thread_fence(memory_order_release);
	atomic_store_explicit(&ready, 1, memory_order_relaxed);
	return p;
}
static void *read_it(void *p)
{
	if (!atomic_load_explicit(&ready, memory_order_relaxed))
		return p;
	if (!WRITER)
		atomic_thread_fence(memory_order_acquire);
	return data ? p : 0;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, 0, write_it, 0);
	pthread_create(&b, 0, read_it, 0);
	pthread_join(a, 0);
	pthread_join(b, 0);
}
C
	run 1 check -DWRITER=1 fence.c && last 'violated: *: the load at fence.c:15 is relaxed, and no acquire fence follows it, so *' &&
		run 1 check -DWRITER=0 fence.c && last 'violated: *: the store at fence.c:10 is relaxed, and no release fence precedes it, so *' || return 1
	printf 'int main(int argc, char **argv) { return argv[1][0]; }\n' >argv.c
	run 1 check argv.c && says 'argv\[1\] is NULL' || return 1
	printf '#include <assert.h>\n#include <time.h>\nlong then;\nchar block[5000];\nint main(void) { then = time(0); assert(!then); return block[0]; }\n' >then.c
	run 1 check then.c && says 'then = 946684800;'
}
# What calls do with descriptors, and what these name; a race with free().
descriptors()
{
	cat >pipe.c <<'C'
#include <assert.h>
#include <poll.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <unistd.h>
static int fd[2], event;
static void *post(void *p) { write(fd[1], "x", 1); close(fd[1]); eventfd_write(event, 2); return p; }
int main(void)
{
	char bytes[4];
	pthread_t t;
	event = eventfd(0, 0);
	if (event < 0 || pipe(fd)) return 1;
	pthread_create(&t, NULL, post, NULL);
	int first = (int)read(fd[0], bytes, 4), second = (int)read(fd[0], bytes, 4);
	assert(first == 1 && second == 0);
	eventfd_t value;
	eventfd_read(event, &value);
	pthread_join(t, NULL);
	poll(&(struct pollfd){ .fd = event, .events = POLLIN }, 1, -1);
}
C
	COLUMNS=250 run 1 check pipe.c || return 1
	says ' make descriptor 4 \(the reading end of a pipe\); its other end is descriptor 5' &&
		says 'post .* write 1 byte to descriptor 5 \(the writing end of a pipe\)$' &&
		says 'close descriptor 5 \(the writing end of a pipe\)' &&
		says 'main .* read 1 byte from descriptor 4 \(the reading end of a pipe\)' &&
		says 'main .* end of file at descriptor 4 \(the reading end of a pipe\)' &&
		says 'post .* write 8 bytes to descriptor 3 \(an event counter\)$' &&
		says '^violated: deadlock at .*: thread 0 waits for descriptor 3 \(an event counter\) to be ready$'
}
freeing()
{
	cat >race.c <<'C'
#include <pthread.h>
#include <stdlib.h>
static int *h;
static void *work(void *p) { h[1] = 1; return p; }
int main(void)
{
	pthread_t t;
	h = malloc(4 * sizeof *h);
	pthread_create(&t, NULL, work, NULL);
	free(h);
	pthread_join(t, NULL);
}
C
	run 1 check race.c && says '^violated: data-race at race.c:10: free of h#1 by thread 0 and write of h#1\[1\] by thread 1 at race.c:4 are'
}
# The source is that of the statement, and of a long call the arguments.
statement()
{
	COLUMNS=200 run 1 check wakeup.c && says 'main +pthread_create\(&t\[i\], NULL, i \? consumer : producer, NULL\); +create' &&
		says 'main +pthread_join\(t\[i\], NULL\); +waits for' || return 1
	run 1 check "$examples/deadlock.c" && says 'transfer +\.\.\.lock\(&second->mutex\); +waits for'
}
stacks()
{
	run 1 check "$examples/deadlock.c" && says '^stacks:$' &&
		says '^  thread 0: transfer \(deadlock.c:34\), called by main \(deadlock.c:51\); waits' || return 1
	run 1 check rounds.c && says '^  the first access, by thread [12]: work \(rounds.c:16\)$'
}
rounds()
{
	run 1 check rounds.c && says '^ +\.\.\. the 3 lines above, 39 times more, with other values$' &&
		says '\.\.\. 58 more;' && says 'table\[63\]' && says 'story full shows all' || return 1
	run 1 check --story full rounds.c || return 1
	[ "$(lines out)" -gt 250 ] && ! grep -q 'times more\|shows all' out && says 'table\[40\] = 40'
}
# Never more than 200 lines, nor wider than the terminal, whatever it is.
long()
{
	local width
	for width in 20 33 60 80 100 250; do
		COLUMNS=$width timeout 60 "$bitspin" check long.c >out 2>err </dev/null
		[ "$(lines out)" -le 200 ] || { echo "$(lines out) lines at $width columns"; return 1; }
		[ "$(widest out)" -le "$width" ] || { echo "$(widest out) columns at $width"; return 1; }
	done
	says '\.\.\. [0-9]+ lines of thread 0, before there are other threads, in (main\(\), )?read_options\(\)' && says '^violated: assertion at long.c' &&
		says '^> .*assertion'
}
narrow()
{
	local example
	for example in deadlock test_and_set; do
		COLUMNS=20 timeout 60 "$bitspin" check --property termination "$examples/$example.c" >out 2>err </dev/null
		[ "$(widest out)" -le 20 ] || { echo "$(widest out) columns"; return 1; }
		grep -q 'thread 1' out || return 1
	done
}
bytes()
{
	run 1 check bytes.c && says 'caf\?  \[31mred € bell' && says 'x = 2' || return 1
	! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]')" out && iconv -f UTF-8 -t UTF-8 out >/dev/null && says '漢字'
}
colours()
{
	local escape
	escape=$(printf '\033')
	run 1 check --color always freed.c && says "$escape\[31;1mviolated" || return 1
	run 1 check freed.c && ! grep -q "$escape" out || return 1
	script -qec "stty columns 90; TERM=xterm '$bitspin' check freed.c" /dev/null >out 2>&1 </dev/null
	says "$escape\[31;1mviolated" || return 1
	script -qec "stty columns 90; TERM=xterm NO_COLOR=1 '$bitspin' check freed.c" /dev/null >out 2>&1 </dev/null
	! grep -q "$escape" out && tr -d '\r' <out >plain && [ "$(widest plain)" -le 90 ] || { echo 'NO_COLOR, or too wide'; return 1; }
	script -qec "TERM=xterm '$bitspin' check --color never freed.c" /dev/null >out 2>&1 </dev/null
	! grep -q "$escape" out
}
# Who reads only the first line gets it, and no complaint.
closed()
{
	"$bitspin" check "$examples/deadlock.c" 2>err | head -n 1 >out
	says 'what happens' && equal 'standard error' "$(cat err)" ''
}
no_source()
{
	cp "$examples/deadlock.c" gone.c
	run 1 check --keep kept gone.c && rm gone.c && run 1 replay kept && says 'gone.c:33 +transfer' && says 'gone.c cannot be read' && says '^violated: deadlock'
}
# Each of many steps is written, without all of them in memory.
cat >many.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int x;
static int data[16];
static void *work(void *p) { x = 5; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
	for (int i = 0; i < 45000; i++) {
		data[i % 16] = i;
		x++;
	}
	assert(x == 1);
}
C
many()
{
	run 1 check --story full many.c && says 'x: 30001 becomes 30002' && says 'data\[7\] = 30007' &&
		says 'x: 45004 becomes 45005' && last 'violated: assertion at many.c:16: *' || return 1
	[ "$(lines out)" -gt 60000 ] || { echo "$(lines out) lines"; return 1; }
	run 1 check many.c && says 'events are left out' && says ', with other values' || return 1
	[ "$(lines out)" -le 200 ]
}
cat >lost.c <<'C'
#include <stdlib.h>
struct node { struct node *next; };
static struct node *head;
static void fill(void)
{
	head = malloc(sizeof *head);
	head->next = malloc(sizeof *head);
	head->next->next = NULL;
}
int main(void)
{
	fill();
	free(head);
	head = NULL;
	return 0;
}
C
# A leak is where the memory comes from; the report says where the last pointer went.
leak()
{
	run 1 check --json report.json --leaks lost.c &&
		last 'violated: memory-leak at lost.c:7: head.next#1 of 8 bytes is never freed, *; the last that did in memory was head#1.next, freed by thread 0 at lost.c:13' &&
		equal stack "$(jq -rc '.violations[0] | [.function, .line, .end.line, .stack[].function]' report.json)" '["fill",7,10,"fill","main"]'
}
# An allocation is told before what the thread reads later, also where the next step begins with that.
allocated()
{
	cat >allocated.c <<'C'
#include <assert.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static _Atomic(struct node *) top;
int main(void)
{
	struct node *new = malloc(sizeof *new);
	new->next = atomic_load(&top);
	atomic_store(&top, new);
	assert(!atomic_load(&top));
}
C
	run 1 check --reduction none allocated.c && says 'allocate new#1' || return 1
	equal order "$(sed -n 's/.* allocated\.c:\(8\|9\) .* main .*/\1/p' out | tr '\n' ' ')" '8 9 '
}
if [ ${#filter} = 0 ] && ! command -v script >/dev/null; then
	echo "no script(1) here" >&2
fi
# What streams have is called as the program calls the stream.
of_streams()
{
	cat >streams.c <<'C'
#include <pthread.h>
#include <stdio.h>
static void *writes(void *a)
{
	if (BY_LOCK)
		flockfile(stderr);
	else
		putc_unlocked('a', stderr);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, writes, NULL);
	if (BY_LOCK)
		pthread_join(t, NULL);
	perror("a");
	if (!BY_LOCK)
		pthread_join(t, NULL);
}
C
	run 1 check -DBY_LOCK=1 streams.c && says '^violated: .* waits for the lock of stderr, held by thread 1 ' &&
		run 1 check -DBY_LOCK=0 streams.c && says '^violated: .* of the contents of stderr by thread '
}
# Who is about to lock a mutex that is free waits for nobody.
free_lock()
{
	cat >free.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static char *list;
static void *add(void *text)
{
	char *copy = malloc(8);
	strcpy(copy, text);
	pthread_mutex_lock(&m);
	list = copy;
	pthread_mutex_unlock(&m);
	return NULL;
}
int main(void)
{
	pthread_t a, b;
	pthread_create(&a, NULL, add, "first");
	pthread_create(&b, NULL, add, "second!!");
	pthread_join(a, NULL);
	pthread_join(b, NULL);
}
C
	run 1 check free.c && says '^  thread 1: add \(free.c:1[0-9]\)$' && ! grep 'held by' out
}

inputs() # named, and the smallest that fail
{
	cat >inputs.c <<'C'
#include "bitspin.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv)
{
	int n;
	n = bitspin_any_int();
	unsigned char c = bitspin_any_uchar();
	long far = (long)bitspin_any_long();
	if (strcmp(argv[1], "go") == 0 && 2 * rand() == 14 && far < -5000000000)
		assert(n <= 12344 || c != 7);
	return 0;
}
C
	run 1 check --arg 1=any:2 --extern rand=any inputs.c && says '^  argument 1 is "go"$' &&
		says '^  n = 12345 \(input at inputs.c:8\)$' && says '^  c = 7 \(input at inputs.c:9\)$' &&
		says '^  far = -5000000001 \(input at inputs.c:10\)$' && says '^  rand\(\) = 7 \(input at inputs.c:11\)$' &&
		run 1 check -q --arg 1=any:2 --extern rand=any --json i.json --sarif i.sarif inputs.c &&
		grep -q '"name": "far"' i.json && grep -q '"inputs"' i.sarif && ! grep -q smaller i.json || return 1
	cat >square.c <<'C'
#include "bitspin.h"
int main(void)
{
	unsigned x = (unsigned)bitspin_any_int();
	bitspin_assert((int)(x * x) >= 0 || x == 3000000000);
}
C
	run 1 check --inputs symbolic --solver-budget 500 --json i.json square.c &&
		says '^inputs \(smaller ones may do, too: .* see --solver-budget\):$' && grep -q '"inputs_may_be_smaller": true' i.json
}

ok inputs inputs
ok allocated allocated
ok columns columns
ok marked marked
ok wakeups wakeups
ok other-wakeups other_wakeups
ok few-marks few_marks
ok busy busy
ok statement statement
ok lasso lasso
ok violation-first violation_first
ok words words
ok descriptors descriptors
ok freeing freeing
ok stacks stacks
ok rounds rounds
ok long long
ok narrow narrow
ok bytes bytes
ok colours colours
ok closed closed
ok no-source no_source
# What is told of atomics, futexes, locks that are tried, and variables that are gone.
cat >words.c <<'C'
#include <linux/futex.h>
#include <pthread.h>
#include <stdatomic.h>
#include <sys/syscall.h>
#include <unistd.h>
static struct node { int v; } nodes[2];
static struct node *_Atomic top;
static _Atomic _Bool lock;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int word = -1;
static void *work(void *a)
{
	struct node *none = 0;
	pthread_mutex_lock(&m);
	if (pthread_mutex_trylock(&m))
		atomic_compare_exchange_strong(&top, &none, &nodes[0]);
	while (atomic_exchange(&lock, 1))
		;
	syscall(SYS_futex, &word, FUTEX_WAIT, -1, 0, 0, 0);
	return a;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, work, 0);
	pthread_join(t, 0);
}
C
words()
{
	COLUMNS=200 run 1 check words.c && says ' top: exchanged, NULL becomes &nodes\[0\]$' && says ' lock: 0 becomes 1$' &&
		says ' wait on futex word, which is -1$' && says ' lock m fails: thread 1 holds it$' && says '^no thread wakes futex word after' &&
		! grep -Eq '_start|4294967295|_Value|1 bytes' out
}

ok words words
ok leak leak
ok many many
ok of-streams of_streams
ok free-lock free_lock
# A call that the column of the source would cut off takes the place of what is before it.
cat >two_calls.c <<'C'
#include <pthread.h>
static pthread_mutex_t fork[2] = { PTHREAD_MUTEX_INITIALIZER, PTHREAD_MUTEX_INITIALIZER };
static void *eat(void *p)
{
	int left = (int)(long)p, right = 1 - left;
	if (pthread_mutex_lock(&fork[left]) == 0 && pthread_mutex_lock(&fork[right]) == 0) {
		pthread_mutex_unlock(&fork[right]);
		pthread_mutex_unlock(&fork[left]);
	}
	return p;
}
int main(void)
{
	pthread_t t;
	pthread_create(&t, NULL, eat, (void *)1L);
	eat(NULL);
	pthread_join(t, NULL);
	return 0;
}
C
hidden_call()
{
	COLUMNS=140 run 1 check two_calls.c && says '^>.* if \(pthread_mutex_lock\(&fork\[left\]\) == 0.*lock fork' &&
		says '^> .* \.\.\.(pthread_mutex_)?lock\(&fork\[right\]\) == 0\) .*waits for fork' &&
		run 1 check --invariant 0 two_calls.c && says '^  thread 0: outside of main$'
}
ok hidden-call hidden_call
# A deadlock to which threads come in another order is the same one: its story is the shorter one.
other_order()
{
	run 1 check "$root/tests/stories/early_return.c" && says '^for this, no thread has to be interrupted' && says '^> +9 +2 '
}
ok other-order other_order
# A shorter schedule is looked for in a second or so, though each of these 3,000 steps may be one of a loop without end.
cat >long.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int look, x;
static void *one(void *a)
{
	long sum = 0;
	for (int i = 0; i < 2000; i++)
		sum += look;
	int r = x;
	for (int i = 0; i < 1000; i++)
		sum += look;
	assert(r == x || sum);
	return a;
}
static void *two(void *a)
{
	x = 1;
	return a;
}
int main(void)
{
	pthread_t t, u;
	pthread_create(&t, NULL, one, NULL);
	pthread_create(&u, NULL, two, NULL);
	pthread_join(t, NULL);
	pthread_join(u, NULL);
	return 0;
}
C
long() { RUN_TIMEOUT=20 run 1 check --reduction none long.c && says 'failed$'; }
ok long long
finish
