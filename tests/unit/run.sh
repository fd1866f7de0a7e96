#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Unit tests of the VM in C, with cmocka.
#
#     usage: tests/unit/run.sh BITSPIN
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/unit/run.sh BITSPIN'
make_scratch
here=$root/tests/unit build=$(dirname "$bitspin")
image() # program, name: NAME.image of it
{
	"$(clang_of_bitspin)" -c -emit-llvm -g -O0 -Xclang -disable-O0-optnone -D__BITSPIN__ -o "$scratch/$2.bc" "$1" &&
		"$build/bitspin-image" -o "$scratch/$2.image" "$scratch/$2.bc"
}
image "$here/program.c" program && image "$root/examples/barrier.c" other &&
	${CC:-cc} -std=gnu17 -D_GNU_SOURCE -Wall -Wextra ${UNIT_CFLAGS--O1 -g} -o "$scratch/unit" "$here/unit.c" "$build/libbitspin-vm.a" \
		-lcmocka -lffi -ljansson -lm || { echo '0 passed, 1 failed'; exit 1; }
"$scratch/unit" "$scratch/program.image" "$scratch/other.image" >"$scratch/out" 2>&1
status=$?
grep -q '^\[  PASSED  \]' "$scratch/out" || [ $status != 0 ] || status=1
passed=$(grep -c '^\[       OK \]' "$scratch/out")
failed=$(grep '^\[  FAILED  \] [a-z_]*$' "$scratch/out" | sort -u | wc -l)
[ $status = 0 ] || { [ "$failed" != 0 ] || failed=1; cat "$scratch/out"; }
finish
