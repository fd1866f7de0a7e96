#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Would the campaigns notice?  Each condition of the reductions and each rule of happens-before is taken out in turn, as
# mutants.txt says, in a copy of the tree; the campaign named there must then fail.  It gets more programs, a batch at a time,
# until it does.  What is known to make no difference stands in mutants.txt too, with the reason.
#
#     usage: tests/bench/mutants.sh BITSPIN [FILTER [MOST]]        MOST: programs for each mutant (200)
set -u
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/mutants.sh BITSPIN [FILTER [MOST]]" >&2
	exit 2
fi
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
build=$(realpath --relative-to="$root" "$(dirname "$(realpath "$1")")")
filter=${2-} most=${3:-200} batch=40
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export BUGS=$scratch/bugs XDG_CACHE_HOME=$scratch/cache
mkdir "$XDG_CACHE_HOME"
passed=0 failed=0

# mutate FILE OLD NEW: OLD must be there once.
mutate()
{
	local text rest
	text=$(cat "$root/$1"; echo x)
	text=${text%x}
	rest=${text#*"$2"}
	[ "$rest" != "$text" ] || { echo "'$2' is not in $1"; return 1; }
	[ "${rest#*"$2"}" = "$rest" ] || { echo "'$2' is in $1 more than once"; return 1; }
	printf '%s' "${text%%"$2"*}$3$rest" >"$scratch/tree/$1"
}

campaign() # name, first, count: its output
{
	local bitspin=$scratch/tree/$build/bitspin
	case $1 in
	soundness) "$here/soundness.sh" "$bitspin" "$3" "$2" ;;
	blocking | ends | sections | spins) PROGRAMS=random_$1 "$here/soundness.sh" "$bitspin" "$3" "$2" ;;
	creators) "$here/../run.sh" "$bitspin" reductions/creators ;;
	weak) "$here/weak.sh" "$bitspin" "$3" "$2" ;;
	formulas) "$here/ltl_random.sh" "$bitspin" $(($3 / 4)) "$2" 1 ;;
	scale) FIRST=$2 COUNT=$3 "$here/../compare.sh" "$bitspin" '^SCALE, ' ;;
	modes) "$here/../modes.sh" "$bitspin" '^(plain|BFS|NCORE):' ;;
	esac 2>&1
}

try() # name, file, campaign, old, new
{
	local name=$1 file=$2 first reason
	reason=$(mutate "$file" "$4" "$5") || { echo "FAIL $name: $reason"; failed=$((failed + 1)); return; }
	reason=$(make -s -C "$scratch/tree" B="$build" "$build/bitspin" 2>&1) || reason="does not compile: $(grep -m1 error <<<"$reason")"
	if [[ $reason == 'does not compile'* ]]; then
		echo "FAIL $name: $reason"
		failed=$((failed + 1))
		return
	fi
	for ((first = 1; first <= most; first += batch)); do
		reason=$(campaign "$3" "$first" "$batch" | grep -m1 '^FAIL') && break
	done
	if [ -n "$reason" ]; then
		echo "noticed $name within $((first + batch - 1)) programs: ${reason:0:100}"
		passed=$((passed + 1))
	else
		echo "FAIL $name survives $most programs of $3"
		failed=$((failed + 1))
	fi
	cp -p "$root/$file" "$scratch/tree/$file"
	touch "$scratch/tree/$file"
}

mkdir "$scratch/tree"
cp -a "$root"/{Makefile,runtime,translator,ltl,spin-glue,libc} "$scratch/tree"
mkdir -p "$scratch/tree/$build"
cp -a "$root/$build/." "$scratch/tree/$build"
excused=0
while IFS= read -r line; do
	case $line in
	'= '*) read -r _ name file campaign <<<"$line" ;;
	-*) old=${line#-} ;;
	+*) [[ ! $name =~ $filter ]] || try "$name" "$file" "$campaign" "$old" "${line#+}" ;;
	'~ '*) excused=$((excused + 1)) ;;
	esac
done <"$here/mutants.txt"
echo "$passed passed, $failed failed ($excused conditions are known to make no difference)"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
