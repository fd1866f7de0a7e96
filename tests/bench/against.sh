#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What a change costs: states and CPU of checks before it and after, in turns in the same run.  BEFORE is a commit, which is built
# in a copy of the tree, or a bitspin that has been built.  A row has the states and the least CPU of ROUNDS runs (3) of both, in
# seconds, and after / before.  A run is a whole check, whose pan is made beforehand, in the options that its program has below.
# The last row has the geometric means.  A row fails if the verdicts differ; it has `+` where a search was not finished.
#
#     usage: tests/bench/against.sh BEFORE BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
usage='tests/bench/against.sh BEFORE BITSPIN [FILTER]'
need_command "${2-}" "$usage"
make_scratch
own_cache
after=$bitspin filter=${3-} pairs=tests/bench/pairs rounds=${ROUNDS:-3}
cd "$root" || exit 2

# Build the commit $1; in `before`, its bitspin.
build_commit()
{
	git rev-parse -q --verify "$1^{commit}" >/dev/null || { echo "usage: $usage: '$1' is no commit and no command" >&2; exit 2; }
	mkdir "$scratch/tree"
	git archive "$1" | tar -x -C "$scratch/tree"
	make -C "$scratch/tree" -j"$(nproc)" >"$scratch/make.log" 2>&1 || { tail -n 5 "$scratch/make.log"; exit 2; }
	before=$scratch/tree/bitspin
}

# One check by the bitspin in $1; in `seconds`, its CPU.  Of what it says, "verdict states" go to $scratch/said.
search() # bitspin, options and file
{
	seconds=$(cpu "$1" check --quiet --cores 1 --max-time 120 --json "$scratch/result" "${@:2}")
	jq -r '"\(.verdict) \(.statistics.states)"' "$scratch/result" >"$scratch/said"
}

row() # options and file
{
	local i side verdict=() states=() least=(1e9 1e9) plus=
	for ((i = 0; i <= rounds; i++)); do # the first one makes the pan
		for side in 0 1; do
			search "$([ $side = 0 ] && echo "$before" || echo "$after")" "$@"
			read -r "verdict[$side]" "states[$side]" <"$scratch/said"
			[ "$i" = 0 ] || least[side]=$(awk -v a="${least[side]}" -v b="$seconds" 'BEGIN { print b < a ? b : a }')
		done
	done
	result "$*" "$([ "${verdict[0]}" = "${verdict[1]}" ] || echo "${verdict[0]} before, ${verdict[1]} after")"
	[ "${verdict[1]}" != inconclusive ] || plus=+
	awk -v what="$*" -v s="${states[0]}" -v t="${states[1]}" -v a="${least[0]}" -v b="${least[1]}" -v plus="$plus" -v sums="$scratch/sums" 'BEGIN {
		printf "%-70s %10s %10s %6.2f %7.2f %7.2f %6.2f\n", what, s plus, t plus, t / s, a, b, b / a
		print log(t / s), log(b / a) >>sums
	}'
}

before=$1
[ -x "$before" ] && [ ! -d "$before" ] || build_commit "$1"
before=$(realpath "$before")
printf '%-70s %10s %10s %6s %7s %7s %6s\n' '' 'states' 'after' 'ratio' 'CPU' 'after' 'ratio'
while IFS= read -r check; do
	[ -n "$check" ] && [[ $check =~ $filter ]] || continue
	row $check # in words
done <<EOL
-DTHREADS=7 --reduction none examples/barrier.c
-DTHREADS=30 examples/barrier.c
-DWORKERS=6 --reduction none examples/pool.c
-DWORKERS=8 examples/pool.c
-DTHREADS=4 --reduction none examples/indexer.c
-DTHREADS=14 examples/indexer.c
-DTHREADS=4 -DPRODUCERS=2 -DCELLS=2 $pairs/queue.c
-DN=7 --reduction none $pairs/philosophers.c
-DN=11 $pairs/philosophers.c
-DN=3 -DROUNDS=6 $pairs/peterson.c
-DN=7 -DWRITERS=2 $pairs/readers.c
-DN=7 --reduction none $pairs/ticket.c
-DN=4 $pairs/treiber.c
-DN=4 $pairs/ms_queue.c
-DN=8 tests/bench/weak/clh.c
-DN=3 tests/bench/weak/ms_queue.c
EOL
[ "$passed" = 0 ] || awk '{ s += $1; t += $2 } END { printf "%-70s %10s %10s %6.2f %7s %7s %6.2f\n", "geometric means", "", "", exp(s / NR), "", "", exp(t / NR) }' "$scratch/sums"
finish
