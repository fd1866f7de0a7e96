#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Pan's own fairness (-f) against ours: formulas about random programs, which a generated pan checks with `-a -f`, and `-a`, and
# the command with --fairness weak, and none.  Another pan, made with -DNP, looks for cycles without progress, of which every cycle
# is one (`-l -f`, `-l`): a program has one where not every run gets to where nobody can go on.  The two pans are made once: they
# hold nothing of a program.  Each error that a pan finds is replayed.
#
#     usage: tests/bench/fair.sh BITSPIN [COUNT [FIRST]]
#
# (30, 1.)  COUNT programs from seed FIRST on, of random_program.c and random_workers.c in turn.
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/fair.sh BITSPIN [COUNT [FIRST]]'
make_scratch
dir=$scratch here=$root/tests/bench count=${2:-30} first=${3:-1} skipped=0 violated=0 threads=6
for generator in random_program random_workers; do
	${CC:-cc} -o "$dir/$generator" "$here/$generator.c" || exit 2
done
quick_pans
common=(--races ignore --no-deadlock -DNDEBUG)
formulas=('<> p' '[] <> p' '<> [] q' '[] (q -> <> p)' 'p U r' '<> [] (p -> r)' '<> (n || p)')
at_rest=
for ((i = 0; i < threads; i++)); do
	at_rest+="${at_rest:+ && }!enabled($i)"
done

# A directory with a pan, and the program's image in it; the model there, which has got formulas, stays.
generate() # directory, more
{
	local to=$1
	shift
	rm -rf "$dir/fresh"
	"$bitspin" generate -q -o "$dir/fresh" --threads $threads "${common[@]}" "$@" "$dir/p.c" >"$dir/out" 2>&1 || return
	[ -d "$to" ] || cp -r "$dir/fresh" "$to"
	cp "$dir/fresh/program.image" "$to"
}

# Different ones: the pan knows them by number, and equal ones have one.
propositions()
{
	p="a0_$seed == 1" q="x0_$seed == 2" r="x1_$seed == 1" n="x0_$seed == 3"
	if [ "$generator" = random_workers ]; then
		q="n_$seed == 2" r="b_$seed == 1" n="n_$seed >= $(grep -c 'pthread_create' "$dir/p.c")"
	fi
}

# The command's answer.
ask() # formula, fairness
{
	local line
	line=$(timeout 100 "$bitspin" check --quiet --max-time 60 "${common[@]}" --fairness "$2" --ltl "$1" "$dir/p.c" 2>&1 | tail -n 1)
	case $line in
	verified*) echo 0 ;;
	violated:*) echo 1 ;;
	*) echo "? $line" ;;
	esac
}

# A pan's; what it finds must be a violation when it is replayed, too.
ask_pan() # directory, options
{
	local to=$1 errors
	shift
	rm -f "$to"/*.trail
	errors=$(cd "$to" && timeout 100 ./pan -m100000 "$@" 2>"$dir/err" >"$dir/pan.out"; sed -n 's/.*errors: //p' "$dir/pan.out")
	if grep -q 'not exhaustive\|depth too small' "$dir/pan.out" || [ -z "$errors" ]; then
		echo "? $(tail -n 1 "$dir/pan.out")"
		return
	fi
	[ "$errors" = 0 ] || "$bitspin" replay "$to" >"$dir/replayed" 2>&1
	if [ "$errors" != 0 ] && ! grep -q '^violated' "$dir/replayed"; then
		errors="a trail that cannot be replayed: $(tail -n 1 "$dir/replayed")"
	fi
	echo "$errors"
}

compare() # what, pan's answer, the command's
{
	if [[ $2$3 == *\?* ]]; then
		skipped=$((skipped + 1))
	elif [ "$2" = "$3" ]; then
		passed=$((passed + 1)) violated=$((violated + $2))
	else
		result "$generator $seed" "$1: pan says $2, the command $3"
		keep_program fair "$seed" "$1: pan says $2, the command $3" "$dir/p.c"
	fi
}

program()
{
	local name formula i=0 options fairness p q r n
	"$dir/$generator" "$seed" >"$dir/p.c"
	propositions
	generate "$dir/model" --prop "p={$p}" --prop "q={$q}" --prop "r={$r}" --prop "n={$n}" && generate "$dir/np" || {
		result "$generator $seed" "generate: $(tail -n 1 "$dir/out")"
		return
	}
	if [ ! -x "$dir/model/pan" ]; then
		for formula in "${formulas[@]}"; do
			echo "ltl f$((i++)) { ([] goes_on) -> ($formula) }" >>"$dir/model/model.pml"
		done
		make -s -C "$dir/model" PANFLAGS=-O0 >"$dir/out" 2>&1 && make -s -C "$dir/np" PANFLAGS='-O0 -DNP' >"$dir/out" 2>&1 || exit 2
	fi
	for ((i = 0; i < ${#formulas[@]}; i++)); do
		formula=$(sed "s/\<p\>/{$p}/g; s/\<q\>/{$q}/g; s/\<r\>/{$r}/g; s/\<n\>/{$n}/g" <<<"${formulas[i]}")
		compare "$formula, fair" "$(ask_pan "$dir/model" -a -f -N f$i)" "$(ask "$formula" weak)"
		((i % 3)) || compare "$formula" "$(ask_pan "$dir/model" -a -N f$i)" "$(ask "$formula" none)"
	done
	compare 'non-progress, fair' "$(ask_pan "$dir/np" -l -f)" "$(ask "<> ($at_rest)" weak)"
	compare 'non-progress' "$(ask_pan "$dir/np" -l)" "$(ask "<> ($at_rest)" none)"
}

for ((seed = first; seed < first + count; seed++)); do
	generator=random_program
	((seed % 2)) || generator=random_workers
	program
done
[ $violated -gt 0 ] || [ "$count" -lt 10 ] || result violations 'no pan has found any'
finish "$count programs, $violated violations, $skipped answers not to be had"
