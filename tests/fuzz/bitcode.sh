#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Fuzz the translator with libFuzzer: bitcode that LLVM calls valid, made from that of the tests.  An input that crashes it is left
# in tests/bugs/.
#
#     usage: tests/fuzz/bitcode.sh BITSPIN_IMAGE SECONDS
set -eu
image=$(realpath "$1")
tests=$(cd "$(dirname "$0")/.." && pwd)
root=$(dirname "$tests")
version=$("$image" --version 2>/dev/null | sed -n 's/.*LLVM \([0-9]*\).*/\1/p') || true
version=${version:-14}
clang=${BITSPIN_CLANG:-$(command -v "clang-$version" || echo clang)}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
mkdir "$scratch/seeds"
n=0
for file in "$tests"/{c,threads,libc,faults}/*.c; do
	n=$((n + 1))
	"$clang" -c -emit-llvm -g -O$((n % 3)) -Xclang -disable-O0-optnone -D__BITSPIN__ -DCASE=1 -idirafter "$root/runtime" -w \
		-o "$scratch/seeds/$(basename "$file" .c).bc" "$file" 2>/dev/null || true
done
cp "$tests"/bugs/bitcode-* "$scratch/seeds" 2>/dev/null || true
# vm_start() loads an image: give it one.
export BITSPIN_IMAGE="$scratch/first"
"$image" -o "$BITSPIN_IMAGE" "$scratch/seeds/arguments.bc"
"$clang" -g -O1 -w -Werror=implicit-function-declaration -Werror=incompatible-pointer-types -D_GNU_SOURCE \
	-fsanitize=fuzzer,address,undefined -isystem "$(llvm-config-"$version" --includedir)" \
	-o "$scratch/fuzz" "$tests"/fuzz/{bitcode,mutate,run}.c \
	$(find "$root"/translator "$root"/runtime -name '*.c' ! -name '*_main.c' ! -path '*/runtime/native/*' ! -path '*/search/pan/*') \
	$(llvm-config-"$version" --ldflags --libs) -lffi -ljansson -lm
cd "$tests/bugs"
ASAN_OPTIONS=detect_leaks=0:handle_abort=1 "$scratch/fuzz" -max_total_time="$2" -max_len=200000 -rss_limit_mb=4096 -report_slow_units=1000 \
	${FUZZ_OPTIONS-} -artifact_prefix=bitcode- "$scratch/seeds" >"$scratch/log" 2>&1 || {
	tail -n 40 "$scratch/log"
	exit 1
}
grep "^Done" "$scratch/log" || tail -n 1 "$scratch/log"
