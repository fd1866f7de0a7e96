#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Each subcommand has a page, and each page has the options that option.def gives to its subcommand, all of them and no others, with
# their letters and the words that they take.  bitspin(1) names all pages and all kinds of violation, bitspin.h(3) all functions of
# the header; mandoc, where it is installed, finds no fault.
#
#     usage: man/check.sh
set -u
cd "$(dirname "$0")" || exit 2
failed=0
fail()
{
	failed=1
	echo "$1"
}

# "NAME LETTER WORDS" of the options that subcommand $1 (a letter) takes, and of the items of page $2; no words where the argument is
# a name or a number.
options()
{
	sed -nE "s/^OPTION\([A-Z_]+, *\"([a-z-]+)\", *(0|'(.)'), (\"([^\"]*)\"|NULL), *([A-Z|]+),.*/\6\t\1\t\3\t\5/p" ../spin-glue/options/option.def |
		awk -F '\t' -v letter="$1" '$1 ~ letter { print $2 "\t" $3 "\t" $4 }'
}
documented() { sed -nE 's/^\.It Fl (([A-Za-z]) .*, Fl )?-([a-z-]+)( Ns = Ns Ar (.*))?$/\3\t\2\t\5/p' "$1"; }
normal() { awk -F '\t' '{ gsub(/ /, "", $3); $3 = tolower($3); print $1, $2, $3 ~ /^[a-z]+(\|[a-z]+)+$/ ? $3 : "" }' | sort; }

commands=$(sed -nE "s/^\t\{ \"([a-z]+)\", '(.*)', command_.*/\1 \2/p" ../spin-glue/commands/main.c)
[ -n "$commands" ] || fail 'no subcommand found in spin-glue/commands/main.c'
while read -r name letter; do
	page=bitspin-$name.1
	grep -qx "\.It Cm $name" bitspin.1 || fail "man/bitspin.1 does not list the subcommand $name"
	[[ $letter$name != '\0'@(completion|explain) ]] || continue # which are all in bitspin(1)
	[ -f "$page" ] || { fail "the subcommand $name has no page man/$page"; continue; }
	[ "$letter" != '\0' ] || continue
	differences=$(diff <(options "$letter" | normal) <(documented "$page" | normal) | grep '^[<>]')
	[ -z "$differences" ] || fail "man/$page and spin-glue/options/option.def differ (< option.def, > $page):
$differences"
done <<<"$commands"
# The groups of options in bitspin-check(1) are those of the help text.
differences=$(diff <(sed -nE -e 's/^GROUP\("(.*)"\)/.Ss \1/p' -e '/\bC[,|]|\|C,/s/^OPTION\([A-Z_]+, *"([a-z-]+)".*/\1/p' \
		../spin-glue/options/option.def) <(sed -nE -e '/^\.Ss /p' -e 's/^\.It Fl ([A-Za-z] .*, Fl )?-([a-z-]+)( .*)?$/\2/p' bitspin-check.1) |
	grep '^[<>]')
[ -z "$differences" ] || fail "the groups of man/bitspin-check.1 and spin-glue/options/option.def differ (< option.def, > bitspin-check.1):
$differences"
# Each reduction is in the help of --reduction, and explained.
help=$(grep -A1 '^OPTION(REDUCTION,' ../spin-glue/options/option.def)
for name in $(sed -nE 's/^REDUCTION\(\w+, *"([a-z-]+)".*/\1/p' ../runtime/image/reduction.def); do
	grep -qw "$name" <<<"$help" || fail "the help of --reduction does not list $name"
	grep -Eq "^\.(It )?Ar $name\$" bitspin-check.1 || fail "man/bitspin-check.1 does not explain the reduction $name"
done
for page in bitspin-*.[137] bitspin.h.3; do
	grep -q "^\.Xr ${page%.*} ${page##*.}" bitspin.1 || fail "man/bitspin.1 does not name man/$page"
done
for kind in $(sed -nE 's/^VIOLATION\(\w+, *"([a-z-]+)".*/\1/p' ../runtime/state/violation.def); do
	grep -qx "\.It $kind" bitspin.1 || fail "man/bitspin.1 does not list the violation $kind"
done
for function in $(grep -oE '\bbitspin_[a-z_]+\(' ../runtime/bitspin.h | tr -d '(' | sort -u); do
	grep -qE "^\.It Fn $function( |$)" bitspin.h.3 || fail "man/bitspin.h.3 does not explain $function"
done
if command -v mandoc >/dev/null; then
	for page in *.[137]; do
		lint=$(mandoc -T lint -W warning "$page")
		[ -z "$lint" ] || fail "$lint"
	done
fi
exit $failed
