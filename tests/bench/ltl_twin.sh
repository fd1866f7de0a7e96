#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Random programs and formulas (twin_program.c), each written twice: in C for bitspin and in Promela for SPIN alone.  Verdicts
# must be the same, without fairness and with weak fairness (SPIN's own, pan -f), with reductions and without.  With strong
# fairness, which SPIN does not have, reductions must change no verdict.  An invariant must say what SPIN says of [] before it;
# and a random never claim must give the same verdict with reductions and without.  Where pan alone or bitspin cannot tell in
# time, the answer is skipped.
#
#     usage: tests/bench/ltl_twin.sh BITSPIN [PROGRAMS [FIRST [FORMULAS]]]
#
# (30, 1, 6.)  PROGRAMS from seed FIRST on, FORMULAS of each.  A program on which they differ is left in tests/bugs/, with
# its twin.
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/ltl_twin.sh BITSPIN [PROGRAMS [FIRST [FORMULAS]]]'
make_scratch
dir=$scratch here=$root/tests/bench count=${2:-30} first=${3:-1} formulas=${4:-6}
${CC:-cc} -o "$dir/twin" "$here/twin_program.c" || exit 2
quick_pans
skipped=0 asked=0

fail()
{
	local twin
	result "$seed" "$*"
	{
		cat "$dir/p.c"
		for twin in p.pml claim.pml; do
			[ ! -f "$dir/$twin" ] || printf '\n#if 0 /* %s */\n%s\n#endif\n' "$twin" "$(cat "$dir/$twin")"
		done
	} >"$dir/kept.c"
	keep_program ltl_twin "$seed" "$*" "$dir/kept.c"
}

# bitspin's answer: 1, 0, or what it says instead.
ask()
{
	local line
	line=$(timeout 100 "$bitspin" check --quiet --no-deadlock --max-time 20 "$@" "$dir/p.c" 2>&1 | tail -n 1)
	case $line in
	verified*) echo 1 ;;
	violated:*) echo 0 ;;
	*) echo "? $line" ;;
	esac
}

# SPIN's answer to formula number $1, by the verifier $2 with the options after it.
spin_says()
{
	local out number=$1
	shift
	out=$(cd "$dir" && timeout 20 "$@" -a -E -m100000 -N "f$number" 2>&1)
	case $out in
	*'max search depth too small'* | *'Search not completed'*'resize'*) echo '? depth' ;;
	*'errors: 0'*) echo 1 ;;
	*'errors: '*) echo 0 ;;
	*) echo '? no answer' ;;
	esac
}

compare() # what, answer, expected
{
	if [[ $2$3 == *\?* ]]; then
		skipped=$((skipped + 1))
		[[ $2$3 != *internal* ]] || fail "$1: $2 against $3"
	elif [ "$2" = "$3" ]; then
		passed=$((passed + 1))
	else
		fail "$1: $2 against $3"
	fi
}

# A Buechi automaton of three states over two propositions, in the form that spin -f prints.
random_claim()
{
	local atoms=("$@") s i guard target labels=(T0_init accept_S1 T0_S2)
	echo 'never {'
	for s in 0 1 2; do
		printf '%s:\n\tdo\n' "${labels[s]}"
		for ((i = 0; i < 1 + RANDOM % 3; i++)); do
			guard="${atoms[RANDOM % 2]}"
			[ $((RANDOM % 2)) = 0 ] || guard="!$guard"
			[ $((RANDOM % 3)) != 0 ] || guard=1
			target=${labels[RANDOM % 3]}
			printf '\t:: (%s) -> goto %s\n' "$guard" "$target"
		done
		printf '\tod;\n'
	done
	echo '}'
}

check_formula() # number, formula, options of bitspin
{
	local expected answer
	asked=$((asked + 1))
	expected=$(spin_says "$1" ./pan)
	compare "$2" "$(ask --fairness none --ltl "$2")" "$expected"
	[ $((asked % 3)) != 0 ] || compare "$2, --reduction none" "$(ask --fairness none --reduction none --ltl "$2")" "$expected"
	[ "$expected" = 1 ] && answer=1 || answer=$(spin_says "$1" ./fair -f) # what holds along all runs does along fair ones
	compare "$2, weak fairness" "$(ask --ltl "$2")" "$answer"
	[ $((asked % 3)) != 1 ] || compare "$2, weak fairness, --reduction none" "$(ask --reduction none --ltl "$2")" "$answer"
	[ $((asked % 3)) != 2 ] || compare "$2, strong fairness" "$(ask --fairness strong --ltl "$2")" \
		"$(ask --fairness strong --reduction none --ltl "$2")"
}

program()
{
	local n=0 line numbered=()
	rm -f "$dir"/pan* "$dir/claim.pml"
	"$dir/twin" "$seed" c >"$dir/p.c"
	"$dir/twin" "$seed" promela >"$dir/p.pml"
	mapfile -t numbered < <("$dir/twin" "$seed" formulas "$formulas"; "$dir/twin" "$seed" invariants 1)
	for line in "${numbered[@]}"; do
		printf 'ltl f%d { %s }\n' "$((n++))" "${line#*$'\t'}" >>"$dir/p.pml"
	done
	(cd "$dir" && spin -a -DFAIR p.pml >spin.out 2>&1 && ${CC:-cc} -w -O0 -DNOREDUCE -DNFAIR=3 -o fair pan.c &&
		spin -a p.pml >spin.out 2>&1 && ${CC:-cc} -w -O0 -DNOREDUCE -o pan pan.c) || {
		fail "SPIN refuses the twin: $(grep -m1 -i error "$dir/spin.out")"
		return
	}
	for ((n = 0; n < formulas; n++)); do
		check_formula "$n" "${numbered[n]%%$'\t'*}"
	done
	line=${numbered[formulas]%%$'\t'*}
	compare "--invariant $line" "$(ask --invariant "$line")" "$(spin_says "$formulas" ./pan)"
	RANDOM=$seed
	random_claim "{*aim == $((RANDOM % 4))}" "{v$((RANDOM % 3)) == $((RANDOM % 3))}" >"$dir/claim.pml"
	compare "a never claim" "$(ask --fairness none --never "$dir/claim.pml")" \
		"$(ask --fairness none --never "$dir/claim.pml" --reduction none)"
}

for ((seed = first; seed < first + count; seed++)); do
	program
done
finish "$count programs, $asked formulas, $skipped answers not to be had"
