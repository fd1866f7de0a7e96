#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Fuzz the image loader with libFuzzer, from images of small programs.  An input that crashes it is left in tests/bugs/.
#
#     usage: tests/fuzz/image.sh BITSPIN_IMAGE SECONDS
set -eu
image=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(dirname "$tests")
version=$("$image" --version 2>/dev/null | sed -n 's/.*LLVM \([0-9]*\).*/\1/p') || true
clang=${BITSPIN_CLANG:-$(command -v "clang-${version:-14}" || echo clang)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/seeds"
for file in "$root"/examples/{deadlock,queue,lost_update,barrier}.c "$tests"/c/*.c; do
	name=$(basename "$file" .c)
	"$clang" -c -emit-llvm -g -O0 -Xclang -disable-O0-optnone -D__BITSPIN__ -idirafter "$root/runtime" -w \
		-o "$scratch/$name.bc" "$file" 2>/dev/null && "$image" -o "$scratch/seeds/$name" "$scratch/$name.bc" 2>/dev/null || true
done
cp "$tests"/bugs/image-* "$scratch/seeds" 2>/dev/null || true
[ -n "$(ls "$scratch/seeds")" ] || { echo "no image could be made" >&2; exit 1; }
# vm_start() loads an image: give it one.
export BITSPIN_IMAGE="$scratch/first"
cp "$scratch/seeds/deadlock" "$BITSPIN_IMAGE"
"$clang" -g -O1 -w -Werror=implicit-function-declaration -D_GNU_SOURCE -fsanitize=fuzzer,address,undefined -o "$scratch/fuzz" \
	"$tests"/fuzz/{image,run}.c $(find "$root"/runtime -name "*.c" ! -name "*_main.c" ! -path "*/native/*" ! -path "*/search/pan/*") \
	-lffi -ljansson -lm
cd "$tests/bugs"
ASAN_OPTIONS=detect_leaks=0 "$scratch/fuzz" -max_total_time="$2" -max_len=65536 -rss_limit_mb=4096 -report_slow_units=1000 \
	-artifact_prefix=image- "$scratch/seeds" >"$scratch/log" 2>&1 || {
	tail -n 40 "$scratch/log"
	exit 1
}
grep "^Done" "$scratch/log" || tail -n 1 "$scratch/log"
