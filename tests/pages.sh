#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Pages (--html), pictures (--graph, --plot) and what they are made of, as far as no browser is needed: what events tell of objects, one file without
# references, text of the program that means nothing to a browser, lesser views.  tests/browser/ looks at pages in a browser.
#
#     usage: tests/pages.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
examples=$root/examples

cat >nasty.c <<'C'
/* </script><script>hurt = 1</script> <!-- <img src=x onerror="hurt = 2"> */
#include <assert.h>
#include <stdio.h>
int main(void)
{
	puts("</script><img src=x onerror='hurt = 3'>");
	assert(!"</script><script>hurt = 4</script>");
}
C
printf '/* caf\351 \377 \360\237\230\200 */\n' >>nasty.c
cat >sync.c <<'C'
#include <pthread.h>
#include <semaphore.h>
#include <assert.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static pthread_barrier_t b;
static sem_t s;
static int ready, *heap;
static void *work(void *p)
{
	pthread_mutex_lock(&m);
	while (!ready)
		pthread_cond_wait(&c, &m);
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	sem_post(&s);
	return p;
}
int main(void)
{
	pthread_t t[2];
	heap = malloc(sizeof *heap);
	pthread_barrier_init(&b, 0, 3);
	sem_init(&s, 0, 0);
	for (int i = 0; i < 2; i++)
		pthread_create(&t[i], 0, work, 0);
	pthread_mutex_lock(&m);
	ready = 1;
	pthread_cond_broadcast(&c);
	pthread_mutex_unlock(&m);
	pthread_barrier_wait(&b);
	sem_wait(&s);
	sem_wait(&s);
	for (int i = 0; i < 2; i++)
		pthread_join(t[i], 0);
	*heap = 7;
	free(heap);
	assert(0);
}
C

# The data in a page, as JSON.
data() { sed -n '/^<script type="application\/json" id="report">$/,/^<\/script>$/p' "$1" | sed '1d;$d'; }
# asks FILTER EXPECTED: what jq finds in the data of page.html
asks() { equal "$1" "$(data page.html | jq -r "$1")" "$2"; }
# One file: no reference to another, and two scripts and the data, whatever the program says.
whole()
{
	equal scripts "$(grep -c '<script' page.html)" 2 && equal ends "$(grep -o '</script>' page.html | wc -l)" 2 &&
		equal places "$(grep -cE '@[A-Z]+@' page.html)" 0 && ! grep -Eq '<(img|link|iframe|object)|url\(|@import|(src|href)=["'\'']?(http|file|//)' <(
			sed '/^<script type="application/,/^<\/script>/d' page.html) && data page.html | jq -e . >/dev/null
}

events()
{
	run 1 check --json report.json sync.c || return 1
	jq -c '.violations[0].trace[]' report.json >events
	event() { jq -r "select($1) | $2" events | sort -u | tr '\n' ' '; }
	equal 'who is created' "$(event '.action == "create"' .to)" '1 2 ' &&
		equal 'who is joined' "$(event '.action == "join"' '"\(.to) \(.write)"')" '1 true 2 true ' &&
		equal 'places of the mutex' "$(event '.object == "m"' '.address' | wc -w)" 1 &&
		equal 'locks are taken' "$(event '.action == "lock" or .action == "unlock"' .write)" 'true ' &&
		equal 'a write' "$(event '.action == "write" and .object == "ready"' '"\(.bytes) \(.value) \(.write)"')" '4 1 true ' &&
		equal 'the barrier wakes' "$(event '.action == "signal" and .object == "b"' '.woken | length')" '2 ' &&
		equal 'the semaphore' "$(event '.action == "wait" and .object == "s"' .write)" 'true ' &&
		equal 'memory' "$(jq -c 'select(.action == "allocate" or .action == "free") | .address' events | sort -u | wc -l)" 1 &&
		equal 'bytes' "$(event '.action == "allocate"' .bytes)" '4 '
}
waits()
{
	run 1 check --json report.json "$examples/lost_wakeup.c" || return 1
	equal 'the mutex' "$(jq -c '[.violations[0].trace[] | select(.releases).releases] == [.violations[0].trace[] |
		select(.action == "lock" and .thread == 1).address]' report.json)" true &&
		equal 'the condition' "$(jq -r '.violations[0].trace[] | select(.action == "blocked" and .address).object' report.json)" changed &&
		equal 'the thread' "$(jq -r '.violations[0].trace[] | select(.action == "blocked" and .to).to' report.json)" 1
}

violation()
{
	run 1 check --html page.html --json report.json "$examples/deadlock.c" && last 'violated: deadlock*' && whole &&
		asks .report.verdict violated && asks '.sources | keys | map(split("/")[-1])[]' deadlock.c &&
		equal 'the report' "$(data page.html | jq -S '.report | del(.violations[] | .frames, .story)')" "$(jq -S . report.json)" &&
		equal 'the source' "$(data page.html | jq -j '.sources[].pieces[0].text' | md5sum)" "$(md5sum <"$examples/deadlock.c")"
}
nasty() { run 1 check --html page.html nasty.c && whole && asks '.sources[].pieces[0].text' "$(iconv -f latin1 -t utf8 nasty.c |
	sed '$d'; printf '/* caf\357\277\275 \357\277\275 \360\237\230\200 */')"; }
names()
{
	local directory='<img src=x onerror=hurt=5>' name=$'<b>"'\''&\351.c'
	mkdir -p "$directory" && cp nasty.c "$directory/$name" || return 1
	run 1 check --html page.html "$directory/$name" && whole && asks '.report.violations[0].line' 7
}
several()
{
	run 1 check --all --html page.html "$root/tests/faults/deadlock_all.c" && whole &&
		equal 'violations' "$(data page.html | jq '.report.violations | length > 1')" true
}
verified() { run 0 check --html page.html "$examples/lost_update_fixed.c" && whole && asks .report.verdict verified && asks '.sources | length' 0; }
inconclusive() { run 3 check --max-depth 3 --html page.html "$examples/lost_update_fixed.c" && whole && asks .report.verdict inconclusive; }
broken() { echo 'int main(' >broken.c; run 2 check --html page.html broken.c && whole && asks .report.verdict error; }
unwritable() { run 2 check --html /nowhere/page.html "$examples/deadlock.c" && grep -q "cannot write '/nowhere/page.html'" err &&
	equal 'lines on stderr' "$(wc -l <err)" 1; }
replayed()
{
	cp "$examples/deadlock.c" moved.c && run 1 check -q --keep kept moved.c && run 1 replay --html page.html kept && whole &&
		asks '.sources | length' 1 && asks '.sources[].note' null || return 1
	touch -d '+1 hour' moved.c && run 1 replay --html page.html kept && whole &&
		asks '.sources[].note' 'this file has changed since the program was checked' || return 1
	rm moved.c && run 1 replay --html page.html kept && whole && asks '.sources | length' 0 && asks .report.verdict violated
}
long_source()
{
	{ yes '/* a line that makes this file long, as those are that others have made of many */' | head -n 8000; cat "$examples/deadlock.c"; } >long.c
	run 1 check --html page.html long.c && whole || return 1
	asks '.sources[].pieces[0].line > 7800' true && asks '.sources[].pieces[0].text | contains("pthread_mutex_lock")' true
}

# What a search that looks at all states has seen is what is drawn.
graph()
{
	local program states
	for program in barrier ticket_lock lost_update_fixed readers_writer; do
		run 0 check --reduction none --graph g.dot --graph-states 10000 --json report.json "$examples/$program.c" || return 1
		states=$(jq .statistics.states report.json)
		equal "$program: states" "$(grep -c '^  n[0-9]* \[' g.dot)" "$states" && grep -q ": $states states, " g.dot || return 1
		equal "$program: steps" "$(grep -c -- ' -> ' g.dot)" "$(sed -n 's/.* states, \([0-9]*\) steps.*/\1/p' g.dot)" || return 1
	done
}
graph_path()
{
	run 1 check --graph g.dot "$examples/deadlock.c" || return 1
	equal 'violations' "$(grep -c 'fillcolor=' g.dot)" 1 && equal 'ends' "$(grep -c 'peripheries=2' g.dot)" 1 &&
		equal 'bold steps' "$(grep -c 'class=path' g.dot)" 3 && equal 'bold states' "$(grep '^  n[0-9]* \[' g.dot | grep -c penwidth=3)" 4 &&
		grep -q 'class=path.*thread 1 at deadlock.c:33.llock b.mutex' g.dot && grep -q 'thread 0 at deadlock.c:34 waits for b.mutex' g.dot
	# Each bold step begins where the one before ends.
	equal 'the path' "$(sed -n 's/^  n\([0-9]*\) -> n\([0-9]*\) .*class=path.*/\1 \2/p' g.dot | awk 'NR > 1 && $1 != at { bad = 1 } { at = $2 }
		END { print bad + 0 }')" 0
}
graph_cut() { run 0 check --graph g.dot --graph-states 5 "$examples/barrier.c" && grep -q '5 states, .*CUT: [0-9]* more step' g.dot &&
	equal states "$(grep -c '^  n[0-9]* \[' g.dot)" 5; }
graph_names() { cp "$examples/deadlock.c" 'a"b\c.c' && run 1 check --graph g.dot 'a"b\c.c' && grep -Fq 'label="a\"b\\c.c: ' g.dot; }
graph_bad()
{
	run 2 check --graph g.png "$examples/deadlock.c" && grep -q "g.png.*should end in .dot or .svg" err || return 1
	PATH=/nowhere "$bitspin" check --graph g.svg "$examples/deadlock.c" 2>err
	equal status $? 2 && grep -q 'dot is not installed (package graphviz)' err
}
plot()
{
	run 0 check --preemptions iterate --plot p.gp --json report.json "$examples/pool.c" &&
		equal points "$(sed -n '/<< END/,/^END/p' p.gp | sed '1d;$d' | awk '{ print $1, $2 }')" \
			"$(jq -r '.bounds[] | "\(.preemptions) \(.states)"' report.json)"
}
plot_bad()
{
	run 2 check --plot p.gp "$examples/pool.c" && grep -q 'needs --preemptions' err &&
		run 2 check --plot p.png --preemptions iterate "$examples/pool.c" && grep -q 'should end in .gp or .svg' err
}

long_trace()
{
	cat >rounds.c <<'C'
#include <assert.h>
#include <stdatomic.h>
static atomic_int n;
int main(void) { for (int i = 0; i < 60000; i++) n = i; assert(n == 0); }
C
	run 1 check --story full --html page.html rounds.c && whole || return 1
	asks '.report.violations[0].trace | length' 20001 && asks '.report.violations[0].trace[-2].value' 59999 &&
		asks '[.report.violations[0].trace[] | select(.action == "omitted")] | length' 1
}

ok 'events tell what they are about' events
ok 'waits tell what they are about' waits
ok 'a page has the report and the source' violation
ok 'text of the program is no markup' nasty
ok 'names of files are no markup' names
ok 'several violations' several
ok 'of a long trace, the beginning and the end' long_trace
ok 'a page of a verified program' verified
ok 'a page of an inconclusive check' inconclusive
ok 'a page of a program that does not compile' broken
ok 'a page that cannot be written' unwritable
ok 'a page of a trail; a source that has changed, that is gone' replayed
ok 'of a long source, what is needed' long_source
ok 'the graph has all states' graph
ok 'the path to a violation in the graph' graph_path
ok 'a graph that is cut' graph_cut
ok 'names of files in a graph' graph_names
ok 'a graph that cannot be drawn' graph_bad
ok 'a plot of the bounds' plot
ok 'a plot that cannot be drawn' plot_bad
finish
