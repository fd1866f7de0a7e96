#!/bin/sh
# SPDX-License-Identifier: MIT
#
# Check each program of checks/ under every schedule, and print TAP (Test Anything Protocol), which prove, automake and meson
# read.  reports/ gets a JUnit file and a page for the browser for each.  What bitspin cannot decide in time is skipped.
#
#     usage: checks/run.sh [OPTION...]          options for bitspin check, such as -DSIGNAL_ONE
cd "$(dirname "$0")/.." || exit 1
bitspin=${BITSPIN:-bitspin}
number=0 failed=0
mkdir -p reports
set -- --max-time 5m "$@"
echo "1..$(ls checks/*.c | wc -l)"
for file in checks/*.c; do
	name=$(basename "$file" .c) number=$((number + 1))
	line=$("$bitspin" check -q "$@" --junit "reports/$name.xml" --html "reports/$name.html" "$file" src/*.c 2>&1)
	case $? in
	0) echo "ok $number - $name" ;;
	3) echo "ok $number - $name # SKIP $line" ;;
	*) echo "not ok $number - $name" && failed=1 ;;
	esac
	printf '%s\n' "$line" | sed 's/^/# /'
done
exit $failed
