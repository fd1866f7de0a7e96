#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The manual page has the options of option.def, all of them and no others, with their letters and the words that they take; and
# mandoc, where it is installed, finds no fault.
#
#     usage: man/check.sh
set -u
cd "$(dirname "$0")" || exit 2
# "NAME LETTER WORDS" of each row, and of each item of the page; no words where the argument is a name or a number.
options=$(sed -nE "s/^OPTION\([A-Z_]+, *\"([a-z-]+)\", *(0|'(.)'), (\"([^\"]*)\"|NULL),.*/\1\t\3\t\5/p" ../spin-glue/options/option.def)
documented=$(sed -nE 's/^\.It Fl (([A-Za-z]) .*, Fl )?-([a-z-]+)( Ns = Ns Ar (.*))?$/\3\t\2\t\5/p' bitspin.1)
normal() { awk -F '\t' '{ gsub(/ /, "", $3); $3 = tolower($3); print $1, $2, $3 ~ /^[a-z]+(\|[a-z]+)+$/ ? $3 : "" }' | sort; }
failed=0
if ! diff <(normal <<<"$options") <(normal <<<"$documented") >/dev/null; then
	echo "man/bitspin.1 and spin-glue/options/option.def differ (< option.def, > bitspin.1):"
	diff <(normal <<<"$options") <(normal <<<"$documented") | grep '^[<>]'
	failed=1
fi
if command -v mandoc >/dev/null; then
	lint=$(mandoc -T lint -W warning bitspin.1)
	[ -z "$lint" ] || { echo "$lint"; failed=1; }
fi
exit $failed
