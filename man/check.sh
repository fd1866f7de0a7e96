#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The manual page has the options of option.def, all of them and no others; and mandoc, where it is installed, finds no fault.
#
#     usage: man/check.sh
set -u
cd "$(dirname "$0")" || exit 2
options=$(sed -n 's/^OPTION([A-Z_]*, *"\([a-z-]*\)".*/\1/p' ../spin-glue/options/option.def | sort)
documented=$(grep '^\.It Fl' bitspin.1 | grep -o 'Fl -[a-z-]*' | sed 's/^Fl -//' | sort)
failed=0
if ! diff <(echo "$options") <(echo "$documented") >/dev/null; then
	echo "man/bitspin.1 and spin-glue/options/option.def differ (< option.def, > bitspin.1):"
	diff <(echo "$options") <(echo "$documented") | grep '^[<>]'
	failed=1
fi
if command -v mandoc >/dev/null; then
	lint=$(mandoc -T lint -W warning bitspin.1)
	[ -z "$lint" ] || { echo "$lint"; failed=1; }
fi
exit $failed
