#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The command on broken bitcode: bytes of the bitcode of small programs are overwritten, doubled, swapped or cut off, as a seed
# says, and `bitspin check` must say something of it: a verdict, or lines of its own, in time, and never that it is
# an internal error.  LLVM's reader may crash on such input; the command may not.  A file that it fails on is left in tests/bugs/.
#
#     usage: tests/fuzz/broken.sh BITSPIN SECONDS [FIRST_SEED]
set -u
bitspin=$(realpath "$1")
seconds=$2 seed=${3-1}
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(dirname "$tests")
version=$("$bitspin" --version | sed -n 's/.*LLVM \([0-9]*\).*/\1/p')
clang=${BITSPIN_CLANG:-$(command -v "clang-$version" || echo clang)}
limit=60
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -O2 -o "$scratch/corrupt" "$tests/fuzz/corrupt.c" || exit 2
for file in "$root"/examples/{deadlock,queue,barrier}.c "$tests"/c/{pointers,strings,unions,vectors,varargs,atomics}.c; do
	"$clang" -c -emit-llvm -g -D__BITSPIN__ -idirafter "$root/runtime" -w -o "$scratch/$(basename "$file" .c).bc" "$file" 2>/dev/null
done
files=("$scratch"/*.bc)
cp "$tests"/bugs/broken-*.bc "$scratch" 2>/dev/null # those that it failed on once come first, as they are
passed=0 failed=0

check()
{
	local file=$1 output status reason='' start=$SECONDS
	output=$(cd "$(dirname "$file")" && timeout $((limit * 2)) "$bitspin" check --max-time 5 "$(basename "$file")" 2>&1 </dev/null)
	status=$?
	case $status in
	0 | 1 | 3) ;;
	2)
		[ -n "$output" ] && ! grep -qv '^bitspin: ' <<<"$output" || reason="not lines of the command's: $(head -c 300 <<<"$output")" ;;
	*) reason="exit status $status" ;;
	esac
	grep -q '^bitspin: internal error\|^[^ ]*: Assertion\|Stack dump' <<<"$output" && reason="$output"
	[ $((SECONDS - start)) -le $limit ] || reason="$((SECONDS - start)) seconds"
	if [ -z "$reason" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $(basename "$file"): $reason"
		cp "$file" "$tests/bugs/broken-$(basename "$file")"
	fi
}

for file in "$scratch"/broken-*.bc; do
	[ ! -e "$file" ] || check "$file"
done
end=$((SECONDS + seconds))
while [ $SECONDS -lt $end ]; do
	broken="$scratch/seed$seed.bc"
	"$scratch/corrupt" "$seed" <"${files[seed % ${#files[@]}]}" >"$broken"
	check "$broken"
	rm -f "$broken"
	seed=$((seed + 1))
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
