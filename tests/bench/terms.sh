#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Terms over inputs (runtime/terms/) against brute force: what terms.c says, which is built here.
#
#     usage: tests/bench/terms.sh BITSPIN [COUNT [FIRST]]        (200 and 1)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/terms.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN_SOLVER=$(dirname "$(realpath "$bitspin")")/libbitspin-sat.so
gcc -O2 -g -o "$scratch/terms" "$root/tests/bench/terms.c" "$(dirname "$(realpath "$bitspin")")/libbitspin-vm.a" -lffi -ljansson -lm || exit 2
"$scratch/terms" "${2:-200}" "${3:-1}" || echo "FAIL terms ended with status $?"
