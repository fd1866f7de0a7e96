#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A new user's walk: the program of README.md, to its first bug and its repair; ten wrong command lines, each mended by what the
# message says alone; three inconclusive verdicts, each led to a verdict by the commands that are printed alone.  Says how long it
# takes, beside building, which must be less than five minutes.
#
#     usage: tests/walk.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
start=$SECONDS

# The program of README.md, as a reader would copy it.
sed -n "/cat >mine.c <<'END'/,/^    END\$/p" "$root/README.md" | sed -e '1d;$d' -e 's/^    //' >mine.c
first_bug()
{
	[ -s mine.c ] && run 1 check mine.c && last 'violated: data-race at mine.c:*' && says '<-- the first' || return 1
	local kind
	kind=$(sed -n 's/^bitspin explain \([a-z-]*\):.*/\1/p' out)
	run 0 explain "$kind" && says "^Repair: " && sed 's/^static int/static _Atomic int/' mine.c >mended.c && run 0 check mended.c && last verified
}

# wrong STATUS WORDS...: the command line is refused; with the name that the message proposes in the place of the wrong one, it ends
# with that status.
wrong()
{
	local status=$1 bad good word words=()
	shift
	run 2 "$@" || return 1
	good=$(sed -n "s/.*did you mean '\([^']*\)'.*/\1/p" err)
	bad=$(sed -n "s/.*\(no command\|no option\|violation\|no reduction\) '\([^']*\)'.*/\2/p" err)
	[ -n "$good" ] && [ -n "$bad" ] || { cat err; return 1; }
	for word; do words+=("${word/$bad/$good}"); done
	run "$status" "${words[@]}" || { echo "${words[*]}: $(cat err)"; return 1; }
}
ten_wrong()
{
	wrong 1 chekc mine.c && wrong 1 check --max-tiem 20 mine.c && wrong 1 check --invariants 1 mine.c &&
		wrong 1 check --checks=-all,+data-rcae mine.c && wrong 0 explian deadlock && wrong 0 explain deadlok &&
		wrong 1 check --timeuot 20 mine.c && wrong 0 aduit mine.c && wrong 1 check --storry full mine.c &&
		wrong 1 check --prememptions 1 mine.c
}

# rescue STATUS ARGUMENT...: the check is inconclusive, and the first command that it prints, or the first that this one prints, ends
# with that status.
rescue()
{
	local status=$1 command found i
	shift
	run 3 check "$@" || return 1
	for ((i = 0; i < 3; i++)); do
		command=$(sed -n '/^what may lead to a verdict:$/,$s/^  bitspin \([^#]*\)  #.*/\1/p' out | head -n 1)
		[ -n "$command" ] || { echo "no command is printed"; return 1; }
		eval "'$bitspin' $command" >out 2>err
		found=$?
		[ "$found" = 3 ] || break
	done
	[ "$found" = "$status" ] || { echo "$command: status $found, expected $status"; return 1; }
}
cat >deep.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *twice(void *p) { n = n * 2 + 1; n = n * 2; return p; }
int main(void)
{
	pthread_t t;
	pthread_create(&t, 0, twice, 0);
	n = n + 3;
	n = n + 5;
	pthread_join(t, 0);
	assert(n != NEVER);
}
C
three_inconclusive()
{
	rescue 0 --max-depth 3 -DNEVER=1000 deep.c && rescue 1 --preemptions 0 -DNEVER=19 deep.c && rescue 0 --search random --walks 20 -DNEVER=1000 deep.c
}
quick()
{
	[ $((SECONDS - start)) -lt 300 ] || echo "it has taken $((SECONDS - start)) seconds"
}

ok first-bug first_bug
ok ten-wrong ten_wrong
ok three-inconclusive three_inconclusive
ok time quick
finish "$((SECONDS - start)) s"
