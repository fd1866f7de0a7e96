#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random small threaded programs, each written twice: in C for bitspin and in Promela for SPIN alone.  Both must find the
# same kinds of violation among {assertion, deadlock}, with atomic variables and with plain ones, by depth-first and by
# breadth-first search.  Races of plain ones are ignored, suppressed, or gone past under --all.
#
#     usage: tests/bench/random.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
. "$(dirname "$0")/twins.sh"
campaign=random
searches=('--search dfs' '--search bfs -O1' '-DPLAIN --races ignore' '-DPLAIN --races ignore --search bfs'
	'-DPLAIN --suppressions races.supp' '-DPLAIN' '-DPLAIN --reduction none')

# Appends one line to the C text and one to the Promela text of the current thread.
emit()
{
	c+="$indent$1"$'\n'
	pml+="$indent$2"$'\n'
}

# One random statement; $1 is how deep conditions may still nest.
statement()
{
	local variable=v$((RANDOM % 3)) k=$((RANDOM % 4)) saved=$indent kind=$((RANDOM % 11)) i
	case $kind in
	0 | 1) emit "$variable = $k;" "$variable = $k;" ;;
	2 | 3) emit "r = $variable;" "r = $variable;" ;;
	4) emit "$variable = (r + $k) & 3;" "$variable = (r + $k) & 3;" ;;
	5) emit "r = ADD($variable, $k);" "atomic { r = $variable; $variable = r + $k };" ;;
	6)
		[ "$1" -gt 0 ] || return
		emit "if (r == $k) {" "if :: r == $k ->"
		indent+=$'\t'
		statement $(($1 - 1))
		emit ";" "skip"
		indent=$saved
		emit "}" ":: else -> skip fi;" ;;
	*)
		[ "$1" -gt 0 ] || return
		i=$((RANDOM % 2))
		[[ $held == *$i* ]] && return
		local before=$held
		held+=$i
		emit "pthread_mutex_lock(&m[$i]);" "atomic { !m[$i] -> m[$i] = true };"
		statement $(($1 - 1))
		statement $(($1 - 1))
		emit "pthread_mutex_unlock(&m[$i]);" "m[$i] = false;"
		held=$before ;;
	esac
}

generate()
{
	RANDOM=$1
	local threads=$((2 + RANDOM % 2)) t n
	local x=$((RANDOM % 4)) y=$((RANDOM % 4)) z=$((RANDOM % 4))
	c='#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#ifdef PLAIN
static int v0, v1, v2;
static int add(int *p, int k)
{
	__VERIFIER_atomic_begin();
	int old = *p;
	*p = old + k;
	__VERIFIER_atomic_end();
	return old;
}
#define ADD(p, k) add(&p, k)
#else
static atomic_int v0, v1, v2;
#define ADD(p, k) atomic_fetch_add(&p, k)
#endif
static pthread_mutex_t m[2];
'
	c=${c/static int add/extern void __VERIFIER_atomic_begin(void), __VERIFIER_atomic_end(void);$'\n'static int add}
	pml=$'int v0, v1, v2;\nbool m[2];\nbyte ended;\n'
	for ((t = 0; t < threads; t++)); do
		indent='' held=''
		emit "static void *t$t(void *p) { int r = 0;" "active proctype t$t() { int r;"
		indent=$'\t'
		for ((n = threads == 2 ? 5 : 3; n > 0; n--)); do
			statement 2
		done
		emit "(void)r; return p; }" "ended++ }"
	done
	c+="int main(void) { pthread_t t[$threads];"$'\n'
	for ((t = 0; t < threads; t++)); do
		c+="pthread_create(&t[$t], 0, t$t, 0);"$'\n'
	done
	for ((t = 0; t < threads; t++)); do
		c+="pthread_join(t[$t], 0);"$'\n'
	done
	c+="assert(!(v0 == $x && v1 == $y) && v2 != $z);"$'\nreturn 0; }\n'
	pml+="active proctype check() { ended == $threads; assert(!(v0 == $x && v1 == $y) && v2 != $z) }"$'\n'
}

by_bitspin()
{
	echo 'data-race:*' >races.supp
	"$BITSPIN" check --quiet --all --json r.json "$@" p.c >out 2>&1
	[ $? -le 1 ] || { echo "failed: $(tail -n 1 out)"; return; }
	jq -r '[.violations[].kind] - ["data-race"] | unique | map(. + " ") | join("")' r.json
}

compare_twins "$@"
