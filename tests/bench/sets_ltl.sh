#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Formulas with inputs as sets (--inputs sets), against all values one by one: random programs of two or three threads with inputs of
# few values, which loop for ever or end, and random formulas about variables that are computed from inputs.  Verdicts must be the
# same, under each fairness.  On some programs reductions are off.
#
#     usage: tests/bench/sets_ltl.sh BITSPIN [COUNT [FIRST [INPUTS]]]        (60, 1 and sets)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"

# Set REPLY to a number below $1, by a generator that the seed has set up.
pick()
{
	state=$(((state * 1103515245 + 12345) & 0x7fffffff))
	REPLY=$((state / 65536 % $1))
}

# Set REPLY to one of the arguments.
one_of()
{
	pick $#
	shift "$REPLY"
	REPLY=$1
}

condition()
{
	local left
	one_of x y flag v
	left=$REPLY
	one_of "$left == 1" "$left != 2" "$left > 0" "$left == 3"
}

statement() # depth
{
	local test to
	one_of x y x y flag
	to=$REPLY
	pick $((${1-0} > 1 ? 6 : 9))
	case $REPLY in
	0) REPLY="v = bitspin_choose(0, 2);" ;;
	1) one_of 1 2 3; REPLY="v = bitspin_choose(0, $REPLY);" ;;
	2) REPLY="$to = v;" ;;
	3) REPLY="$to = (v + 1) & 3;" ;;
	4) REPLY="$to = ($to + 1) & 3;" ;;
	5) one_of 0 1 2; REPLY="$to = $REPLY;" ;;
	6) condition; test=$REPLY; statement 2; REPLY="if ($test) { $REPLY }" ;;
	7) condition; REPLY="while ($REPLY) ;" ;;
	8) statement 2; REPLY="pthread_mutex_lock(&m); $REPLY pthread_mutex_unlock(&m);" ;;
	esac
}

statements()
{
	local i n all=
	pick 2
	n=$((REPLY + 2))
	for ((i = 0; i < n; i++)); do
		statement
		all+="	$REPLY"$'\n'
	done
	pick 3
	if [ "$REPLY" != 0 ]; then
		REPLY="	for (;;) {"$'\n'"$all	}"
	else
		REPLY=$all
	fi
}

proposition()
{
	one_of '{x == 1}' '{y == 2}' '{x == y}' '{x > 1}' '{flag}' '{x + y == 3}' 'enabled(1)' 'done(1)' '{y != 0}'
}

formula()
{
	local p q
	proposition; p=$REPLY
	proposition; q=$REPLY
	one_of "[] <> $p" "<> [] $p" "<> $p" "[] ($p -> <> $q)" "[] ($p -> ($p W $q))" "$p U $q" "[] <> $p -> [] <> $q" "<> ($p && <> $q)" \
		"<> [] $p || <> [] !$p" "[] <> $p && [] <> !$p" "[] !($p && $q)"
}

program()
{
	local first second
	statements; first=$REPLY
	statements; second=$REPLY
	cat <<END
#include <pthread.h>
#include "bitspin.h"
int x, y, flag;
pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *other(void *argument)
{
	int v = bitspin_choose(0, 1);
$second
	return argument;
}
int main(void)
{
	pthread_t id;
	int v = bitspin_choose(0, 2);
	pthread_create(&id, 0, other, 0);
$first
	pthread_join(id, 0);
	return 0;
}
END
}

verdict()
{
	timeout 60 "$BITSPIN" check --quiet --no-deadlock --races ignore -O0 --max-time 10 "$@" "$dir/p.c" 2>&1 | tail -n 1
}

one()
{
	local seed=$1 state=$(($1 * 7919 + 17)) few sets asked fairness reductions=()
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	program >"$dir/p.c"
	pick 2
	[ "$REPLY" = 0 ] || reductions=(--reduction none)
	for fairness in weak none strong; do
		formula
		asked=(--ltl "$REPLY" --fairness "$fairness")
		few=$(verdict --inputs enumerate "${asked[@]}")
		sets=$(verdict --inputs "$INPUTS" "${reductions[@]}" "${asked[@]}")
		case ${few%%:*}/${sets%%:*} in
		verified*/verified* | violated/violated) echo "ok $seed ${few:0:8}" ;;
		inconclusive/* | */inconclusive) echo "given-up $seed: ${few:0:60} / ${sets:0:60}" ;;
		*)
			echo "FAIL $seed: ${asked[*]} ${reductions[*]}: $few, with $INPUTS: $sets"
			keep_program sets_ltl "$seed" "${asked[*]}" "$dir/p.c"
			;;
		esac
	done
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/sets_ltl.sh BITSPIN [COUNT [FIRST [INPUTS]]]'
make_scratch
quick_pans
export BITSPIN=$bitspin INPUTS=${4:-sets}
count=${2:-60}
each_seed "$count" "${3:-1}"
if [ "$(number "ok ")" -lt "$count" ] || [ "$(number 'ok .*violated')" -lt $((count / 4)) ] ||
	[ "$(number 'ok .*verified')" -lt $((count / 4)) ]; then
	echo "FAIL too few verdicts are compared, or all are alike"
	failed=$((failed + 1))
fi
finish "$(number 'ok .*verified') verified and $(number 'ok .*violated') violated, the same; $(number given-up) given up"
