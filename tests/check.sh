#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# All tests, as `make check` runs them; ends with the line 'N passed, N failed'.
#
#     usage: tests/check.sh BITSPIN
set -u
bitspin=$(realpath "${1:?usage: tests/check.sh BITSPIN}")
tests=$(cd "$(dirname "$0")" && pwd)
passed=0 failed=0

suite()
{
	local name=$1 output line
	shift
	output=$("$@" 2>&1)
	line=$(tail -n 1 <<<"$output")
	if [[ $line =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed ]]; then
		passed=$((passed + BASH_REMATCH[1]))
		failed=$((failed + BASH_REMATCH[2]))
		[ "${BASH_REMATCH[2]}" = 0 ] || echo "$output"
	else
		failed=$((failed + 1))
		echo "$output"
	fi
	echo "$name: $line"
}

suite verification "$tests/run.sh" "$bitspin" -j2
suite native "$tests/native.sh"
suite "C library" "$tests/libc.sh" "$bitspin"
suite golden "$tests/golden/run.sh" "$(dirname "$bitspin")/bitspin-image"
suite ltl "$tests/ltl.sh" "$(dirname "$bitspin")/bitspin-ltl"
suite models "$tests/models.sh" "$bitspin"
suite command "$tests/cli.sh" "$bitspin"
suite limits "$tests/limits.sh" "$bitspin"
suite compare "$tests/compare.sh" "$bitspin"
suite "bad input" "$tests/bad_input.sh" "$bitspin"
suite "modes of pan" "$tests/modes.sh" "$bitspin"
suite reductions "$tests/bench/soundness.sh" "$bitspin" 240
suite "weak races" "$tests/bench/weak.sh" "$bitspin" 60
suite "unset values" "$tests/bench/unset.sh" "$bitspin" 100
suite "random formulas" "$tests/bench/ltl_random.sh" "$bitspin" 12 1 1
suite house "$tests/house.sh"
suite rooms "$tests/rooms.sh" "$(dirname "$bitspin")"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
