#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Verdicts over Promela models (agreement.cases, which tells the form): by our formulas and claims, and by SPIN's own.  All
# claims of a model, ours (never ourN) and SPIN's (ltl spinN), are in one pan, which takes a second to build.
#
#     usage: tests/ltl/agreement.sh BITSPIN_LTL [MODEL]
set -u
here=$(cd "$(dirname "$0")" && pwd)
tool=$(realpath "${1:?usage: tests/ltl/agreement.sh BITSPIN_LTL}")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
filter=${2-}
passed=0 failed=0
model='' defines='' cases=()

fail() { failed=$((failed + 1)); echo "FAIL $model $defines: $*"; }

# our_claim NUMBER FAIRNESS FORMULA [--owed]: its macros ask the model instead of the VM, and its names are its own.
our_claim()
{
	local fair=''
	[[ $2 == weak* ]] && fair="-w ${2#weak }"
	[[ $2 == strong* ]] && fair="-s ${2#strong }"
	"$tool" -a ${4-} "$3" | "$tool" -c - $fair "$3" >"$scratch/claim" || return 1
	"$tool" "$3" | sed -n 's/^p\([0-9]*\): .*: expression \(.*\) at [0-9]*$/#define p\1 (\2)/p' >"$scratch/macros"
	grep -v '^#define p[0-9]' "$scratch/claim" | sed -E 's/c_expr \{ vm_enabled \(now\.vm, ([0-9]+), 0\) \}/enabled(\1)/' |
		cat "$scratch/macros" - |
		sed -E "s/\\bp([0-9]+)\\b/our$1_p\\1/g; s/\\bfair_/our$1_fair_/g; s/\\benabled_/our$1_enabled_/g; s/\\bowed/our$1_owed/g; s/^never /never our$1 /"
}

# Are there parts that may stand apart?
owes() { [[ $("$tool" -a --owed "$1") == owe* ]]; }

# pan_says CLAIM [-f]
pan_says()
{
	timeout 20 ./pan -a ${2-} -m20000 -w16 -c1 -N "$1" >"$scratch/out" 2>&1
	if ! grep -q "never claim.*($1)" "$scratch/out"; then
		echo '?'
	elif grep -q 'errors: 0$' "$scratch/out"; then
		grep -q 'search depth too small' "$scratch/out" && echo '?' || echo yes
	elif grep -qE 'acceptance cycle|assertion violated|claim violated' "$scratch/out"; then
		echo no
	else
		echo '?'
	fi
}

# The premise of strong fairness between $1 processes, for one way to be fair: those in the set $2 are disabled from some time
# on, the others move again and again.  (As one formula, all ways together, SPIN takes minutes for three processes.)
premise()
{
	local i all=
	for ((i = 0; i < $1; i++)); do
		if (($2 >> i & 1)); then
			all+="${all:+ && }(<>[] !enabled($i))"
		else
			all+="${all:+ && }([]<> (_last == $i))"
		fi
	done
	echo "($all)"
}

# spins_claims NUMBER FAIRNESS FORMULA
spins_claims()
{
	local set n
	if [[ $2 != strong* ]]; then
		echo "ltl spin$1_0 { $3 }"
		return
	fi
	n=${2#strong }
	for ((set = 0; set < 1 << n; set++)); do
		echo "ltl spin$1_$set { $(premise "$n" "$set") -> ($3) }"
	done
}

# spin_says NUMBER FAIRNESS: it holds if it does for each way to be fair.
spin_says()
{
	local set n=0 all=yes said fair=''
	[[ $2 != strong* ]] || n=${2#strong }
	[[ $2 != weak* ]] || fair=-f
	for ((set = 0; set < 1 << n; set++)); do
		said=$(pan_says "spin$1_$set" $fair)
		[ "$said" != no ] || all=no
		[ "$said" != '?' ] || { echo '?'; return; }
	done
	echo "$all"
}

make_model()
{
	local i fairness expected ours spins
	cat "$here/models/$model.pml"
	for i in "${!cases[@]}"; do
		IFS=';' read -r fairness expected ours spins <<<"${cases[i]}"
		read -r fairness <<<"$fairness"
		our_claim "$i" "$fairness" "$ours" || echo "#error formula $i"
		! owes "$ours" || our_claim "${i}owed" "$fairness" "$ours" --owed || echo "#error formula $i, owed"
		[ "$spins" = - ] || spins_claims "$i" "$fairness" "$spins"
	done
}

run_model()
{
	[ ${#cases[@]} -gt 0 ] && [[ "$model $defines" == *"$filter"* ]] || return
	local i fairness expected ours spins said
	make_model >model.pml 2>errors
	if ! { timeout 180 spin $defines -a model.pml && gcc -O0 -w -DNOREDUCE -DNFAIR=3 -o pan pan.c; } >log 2>&1 </dev/null; then
		fail "cannot build pan: $(cat errors) $(grep -i error log | head -n 3)"
		return
	fi
	for i in "${!cases[@]}"; do
		IFS=';' read -r fairness expected ours spins <<<"${cases[i]}"
		read -r fairness <<<"$fairness"
		read -r expected <<<"$expected"
		said=$(pan_says "our$i")
		if owes "$ours" && [ "$(pan_says "our${i}owed")" != "$said" ]; then
			fail "$fairness $ours: $said, with what is owed apart $(pan_says "our${i}owed")"
			continue
		fi
		[ "$spins" = - ] || said+=" $(spin_says "$i" "$fairness")"
		if [ "$said" = "$expected $expected" ] || [ "$said$spins" = "$expected-" ]; then
			passed=$((passed + 1))
		else
			fail "$fairness $ours: expected $expected, ours and SPIN's are $said"
		fi
	done
}

cd "$scratch" || exit 2
while IFS= read -r line; do
	case $line in
	'#'* | '') continue ;;
	'model '*)
		run_model
		read -r _ model defines <<<"$line"
		cases=()
		;;
	*) cases+=("$line") ;;
	esac
done <"$here/agreement.cases"
run_model
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
