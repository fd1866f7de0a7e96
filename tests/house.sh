#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The house rules a machine can check: includes run one way (spin-glue -> translator, ltl -> runtime), LLVM stays in
# translator/, only spin-glue/base/ starts processes (and a search that is to be done by several forks:
# runtime/search/pan/crew.c; and a native program that repeats its run), every header compiles alone, every source has its licence line, short lines, no trailing blanks,
# files of at most 800 lines, functions of at most 72, formatted as `make format` does it.
#
#     usage: tests/house.sh
set -u
cd "$(dirname "$0")/.." || exit 2
passed=0 failed=0

# rule NAME OFFENDERS: the second argument must be empty.
rule()
{
	if [ -z "$2" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1:"
		head -n 10 <<<"$2"
	fi
}

sources=$(find translator spin-glue ltl runtime libc examples tests -name '*.[ch]' -o -name '*.def' -o -name '*.pml' -o -name '*.sh' |
	sort)
includes() { grep -rnE "^#[ \t]*include \"(\.\./)*($2)/" --include='*.[ch]' "$1" 2>/dev/null; }

rule 'runtime includes a room above it' "$(includes runtime 'translator|spin-glue|ltl')"
rule 'translator includes a room above it' "$(includes translator 'spin-glue|ltl')"
rule 'ltl includes a room above it' "$(includes ltl 'spin-glue|translator')"
rule 'LLVM outside of translator/' "$(grep -rnE '#[ \t]*include <llvm' --include='*.[ch]' runtime spin-glue ltl)"
rule 'processes started outside of spin-glue/base/' \
	"$(grep -nE '\b(fork|vfork|posix_spawnp?|popen|system|exec[lv][pe]*) ?\(' \
		$(find runtime translator ltl spin-glue -name '*.[ch]' ! -path 'spin-glue/base/*' ! -path runtime/search/pan/crew.c \
			! -path runtime/native/repeat.c))"
rule 'no licence line' "$(awk 'FNR == 1 { files[FILENAME] } FNR <= 3 && /SPDX-License-Identifier: MIT/ { delete files[FILENAME] }
	END { for (f in files) print f }' $sources)"
rule 'lines over 132 columns' "$(awk -F '\t' '{ columns = length($NF)
	for (i = 1; i < NF; i++) columns += length($i) + 4 - length($i) % 4 # tabs, if each begins at a multiple of 4
	if (columns > 132) print FILENAME ":" FNR ": " columns " columns" }' $(grep -v -e '\.def$' -e '\.sh$' <<<"$sources"))"
rule 'files that are named and are not there' "$(grep -noE '\b(runtime|spin-glue|translator|ltl|tests)/[A-Za-z0-9_/.-]+\.([ch]|sh|def|txt)\b' $sources ./*.md docs/*.md |
	sort -t: -k3 -u | while IFS=: read -r file line name; do [ -e "$name" ] || echo "$file:$line: $name"; done)"
rule 'rows of effect.def that no external function has' "$(sed -nE 's/^FUNCTION\("([^"]+)".*/\1/p' translator/analyse/effect.def | while read -r name; do
	grep -qE "^(BUILTIN|HOST|NOTHING)\(\"${name/\*/.*}\"," runtime/externals/builtin.def runtime/sync/sync.def || echo "$name"
done)"
rule 'functions of the VM that effect.def forgets, or has in WORST although a row says less' "$(
	patterns=$(sed -nE 's/^FUNCTION\("([^"]+)".*/\1/p' translator/analyse/effect.def | sed 's/\*/.*/' | paste -sd'|')
	diff <(sed -nE 's/^(BUILTIN|NOTHING)\("([^"]+)".*/\2/p' runtime/externals/builtin.def runtime/sync/sync.def | grep -vxE "$patterns" | sort -u) \
		<(grep '^WORST' translator/analyse/effect.def | grep -oE '"[^"]+"' | tr -d '"' | sort) | grep '^[<>]')"
rule 'trailing blanks' "$(grep -nE '[ 	]+$' $sources)"
rule 'long files' "$(wc -l $sources | awk '$1 > 800 && $2 != "total" { print $2 ": " $1 " lines" }')"
rule 'long functions' "$(awk '/^{/ { start = FNR } /^}/ && start { if (FNR - start > 73) print FILENAME ":" start ": " FNR - start - 1 " lines"
	start = 0 }' $(grep '\.c$' <<<"$sources"))"
rule "not as 'make format' leaves it" "$(make -ns format | sed 's/ -i / --dry-run -Werror /' | sh 2>&1)"
rule 'headers that do not compile alone' "$(for f in $(find runtime spin-glue ltl translator -name '*.h'); do
	llvm=''
	case $f in translator/*) llvm=$("${LLVM_CONFIG:-llvm-config-14}" --cflags 2>/dev/null) ;; esac
	${CC:-cc} -std=gnu17 -fsyntax-only -I. -Iruntime -Itranslator -Iltl $llvm -x c "$f" 2>&1 | grep -E 'error' | head -n 2
done)"
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
