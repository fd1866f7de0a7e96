#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# How far the VM's states are from canonical: for each program, states, classes of states that behave alike (canonical.c says
# what that means), and by which parts the states of a class differ.  A yardstick for developers, not a test: much of what
# differs is data that the program never reads again, for reasons of its own.
#
#     usage: tests/bench/canonical.sh BITSPIN [-r] [-v] [FILE...]        (examples/*.c and tests/threads/*.c)
set -u
root=$(cd "$(dirname "$0")/../.." && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/bench/canonical.sh BITSPIN [-r] [-v] [FILE...]" >&2
	exit 2
fi
bitspin=$(realpath "$1")
shift
flags=()
while [[ ${1-} == -[rv] ]]; do
	flags+=("$1")
	shift
done
[ $# -gt 0 ] || set -- "$root"/examples/*.c "$root"/tests/threads/*.c
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
${CC:-cc} -O2 -o "$scratch/canonical" "$root/tests/bench/canonical.c" "$(dirname "$bitspin")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
states=0 classes=0
for file; do
	# As its first RUN line has it, without what concerns the search only.
	options=$(sed -n '/\*\//q; s/^ \* RUN: check *//p' "$file" | head -n 1 |
		sed -E 's/--(search|preemptions|max-[a-z]*|json|reduction)[ =][^ ]+//g; s/--(quiet|all)//g; s/ -- .*//')
	eval "timeout 60 \"\$bitspin\" generate --quiet $options \"\$file\" -o \"\$scratch/d\"" >"$scratch/err" 2>&1 || continue
	BITSPIN_IMAGE=$scratch/d/program.image timeout 60 "$scratch/canonical" "${flags[@]}" >"$scratch/out" 2>&1 || continue
	read -r a b rest <"$scratch/out"
	printf '%8d states %8d classes  %s %s\n' "$a" "$b" "${file#"$root"/}" "$rest"
	tail -n +2 "$scratch/out"
	states=$((states + a)) classes=$((classes + b))
done
printf '%8d states %8d classes  in all\n' "$states" "$classes"
