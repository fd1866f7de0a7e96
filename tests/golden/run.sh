#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Golden tests of the translator: X.ll is assembled and disassembled as a program image; the text must be X.txt.  The inputs
# are written in the part of LLVM's assembly that means the same from version 14 to 19 (no pointer types).
#
#     usage: tests/golden/run.sh BITSPIN_IMAGE [--bless]        BITSPIN_IMAGE: the bitspin-image tool
set -u
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/golden/run.sh BITSPIN_IMAGE [--bless]" >&2
	exit 2
fi
tool=$(realpath "$1")
assembler=$(command -v "llvm-as-${LLVM_VERSION:-14}" || command -v llvm-as-14 || command -v llvm-as)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0
for source in "$here"/*.ll; do
	name=$(basename "$source" .ll)
	if ! { "$assembler" -o "$scratch/$name.bc" "$source" && cd "$scratch" && "$tool" -d "$name.bc"; } >"$scratch/$name.txt" 2>"$scratch/err"; then
		echo "FAIL $name: $(head -1 "$scratch/err")"
		failed=$((failed + 1))
	elif [ "${2-}" = --bless ]; then
		cp "$scratch/$name.txt" "$here/$name.txt"
		passed=$((passed + 1))
	elif diff -u "$here/$name.txt" "$scratch/$name.txt" >"$scratch/diff"; then
		passed=$((passed + 1))
	else
		echo "FAIL $name:"
		head -n 20 "$scratch/diff"
		failed=$((failed + 1))
	fi
done
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
