#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# A search from bound to bound that goes on from the snapshot of another process does what it would have done by itself: for random
# programs, and from the snapshot after each bound, its records are the same: figures of bounds, violations, statistics, limits.
# bounded.c says what a snapshot holds.
#
#     usage: tests/bench/snapshots.sh BITSPIN [COUNT [FIRST]]        (30 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
quick_pans
generators=(random_program random_blocking random_sync random_ends random_creators random_sections)
variants=('' '--races ignore' '--search bfs' '--reduction none --races ignore')

# records NAME IMAGE...: what a pan reports in its search; its snapshots are taken from `states` and left there, if KEEP is set.
records()
{
	rm -f "$1"
	(cd "$dir" && BITSPIN_IMAGE=$2 BITSPIN_RESULT=$1 BITSPIN_CHECKPOINT=${KEEP:+$dir/states} BITSPIN_CHECKPOINT_OF=same \
		BITSPIN_CHECKPOINT_AFTER=0 timeout 60 ./pan -m100000 -w21 >pan.out 2>&1)
}
# Without what is the machine's.
plain() { jq -cS 'select(.type != "restored") | del(.seconds, .resident, .bytes)' "$1"; }

one()
{
	local seed=$1 bounds bound generator=${generators[$(($1 % ${#generators[@]}))]}
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	"$GENERATORS/$generator" "$seed" >"$dir/p.c"
	for variant in "${variants[@]}"; do
		# shellcheck disable=SC2086
		timeout 60 "$BITSPIN" check -q --max-time 20 --keep "$dir/whole" --preemptions iterate $variant "$dir/p.c" >"$dir/out" 2>&1
		cp "$dir/whole/pan" "$dir/pan" 2>/dev/null || { echo "skip $seed: $(tail -n 1 "$dir/out")"; continue; }
		KEEP='' records "$dir/alone" "$dir/whole/program.image"
		plain "$dir/alone" >"$dir/expected"
		bounds=$(grep -c '"type":"bound"' "$dir/alone")
		[ "$bounds" -ge 2 ] || { echo "skip $seed: it has one bound"; continue; }
		for ((bound = 1; bound < bounds; bound++)); do
			# shellcheck disable=SC2086
			timeout 60 "$BITSPIN" check -q --keep "$dir/part" --preemptions "iterate:$bound" $variant "$dir/p.c" >"$dir/out" 2>&1
			rm -f "$dir/states"
			KEEP=yes records "$dir/first" "$dir/part/program.image"
			KEEP=yes records "$dir/then" "$dir/whole/program.image"
			plain "$dir/then" >"$dir/got"
			if jq -se 'any(.limit and .limit != "preemptions")' "$dir/alone" >/dev/null; then
				[ -e "$dir/states" ] && echo "FAIL $seed ($generator, $variant): saved, though paths were cut" || echo "skip $seed: paths were cut"
			elif [ "$(jq -c 'select(.type == "restored").preemptions' "$dir/then")" != $((bound - 1)) ]; then
				echo "FAIL $seed ($generator, $variant): nothing was restored after bound $((bound - 1)): $(tail -n 1 "$dir/pan.out")"
			elif cmp -s "$dir/expected" "$dir/got"; then
				echo "ok $seed"
			else
				echo "FAIL $seed ($generator, $variant), from bound $bound: $(diff "$dir/expected" "$dir/got" | head -n 2 | tr '\n' ' ')"
			fi
		done
	done
}

if [ "${1-}" = --one ]; then
	one "$2"
	exit 0
fi
need_command "${1-}" 'tests/bench/snapshots.sh BITSPIN [COUNT [FIRST]]'
export BITSPIN=$bitspin
make_scratch
export GENERATORS=$scratch
for generator in "${generators[@]}"; do
	${CC:-cc} -o "$scratch/$generator" "$root/tests/bench/$generator.c" || exit 2
done
each_seed "${2:-30}" "${3:-1}"
finish "$(number skip) skipped"
