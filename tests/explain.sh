#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin explain: each kind of violation that is reported has a page; the command at its end finds the kind in the program of the
# page, and verifies the repaired program; a violation names the page.
#
#     usage: tests/explain.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
pages=$root/spin-glue/report/kinds
kinds=$(sed -n 's/^VIOLATION([A-Z_]*, *"\([a-z-]*\)".*/\1/p' "$root/runtime/state/violation.def")
bitspin() { timeout 60 "$bitspin" "$@"; }

# tries TRY...: the command, with both of its outputs in `out`
tries() { eval "$1" >out 2>&1; }

# page KIND: is it short, and is what it says true?
page()
{
	local try
	bitspin explain "$1" >shown && [ "$(wc -l <shown)" -le 40 ] || { echo 'no page, or more than 40 lines'; return 1; }
	[ "$(wc -L <shown)" -le 132 ] && head -n 1 shown | grep -q "^$1: " && grep -q '^Why it matters: ' shown && grep -q '^Repair: ' shown ||
		{ echo 'a part is missing, or a line is long'; return 1; }
	bitspin explain "$1" program >program.c && bitspin explain "$1" repaired >repaired.c && ! cmp -s program.c repaired.c &&
		[ "$(wc -l <program.c)" -le 18 ] || { echo 'no two programs, or a long one'; return 1; }
	cc -fsyntax-only -Werror=implicit program.c repaired.c || return 1
	try=$(tail -n 1 shown | sed -n 's/^Try it: //p')
	[[ $try == "bitspin explain $1 program >it.c && bitspin "@(check|linearize)' '* ]] || { echo "no command: $try"; return 1; }
	tries "$try"
	equal 'exit code' $? 1 && cmp program.c it.c && last "violated: $1*: *" && names_it "$1" || return 1
	tries "${try/ program / repaired }"
	equal 'exit code when repaired' $? 0 && cmp repaired.c it.c && last "@(verified|linearizable: *|wait-free: *)"
}
# names_it KIND: the line before the last one does
names_it() { equal 'the line before the last' "$(tail -n 2 out | head -n 1)" "bitspin explain $1: what this kind of violation is, and how to repair it"; }

every_page() { equal pages "$(ls "$pages" | sort | tr '\n' ' ')" "$(printf '%s.txt\n' $kinds | sort | tr '\n' ' ')"; }
list()
{
	run 0 explain && equal kinds "$(cut -d' ' -f1 out | tr '\n' ' ')" "$(tr '\n' ' ' <<<"$kinds")" &&
		says '^deadlock +no thread can go on'
}
unknown()
{
	run 2 explain deadlok && equal lines "$(wc -l <err)" 1 && equal words "$(grep -owFf <(printf '%s\n' $kinds) err | sort -u | wc -l)" \
		"$(wc -w <<<"$kinds")" && grep -q "there is no kind of violation 'deadlok'; did you mean 'deadlock'?" err &&
		run 2 explain deadlock prog && grep -q "'program' or 'repaired'" err && run 2 explain deadlock program x
}
usage() { run 0 explain --help && says '^usage: bitspin explain' && run 0 help explain && says '^usage: bitspin explain'; }

# What is read by programs has no such line; where there are several kinds, each is named once.
elsewhere()
{
	local deadlock=$root/examples/deadlock.c
	run 1 check -q "$deadlock" && equal lines "$(wc -l <out)" 1 && run 1 check --format gnu "$deadlock" && ! grep -q 'bitspin explain' out &&
		run 1 check --json r.json "$deadlock" && grep -q 'bitspin explain' out && ! grep -q 'bitspin explain' r.json || return 1
	run 0 check "$root/examples/lost_update_fixed.c" && ! grep -q 'bitspin explain' out
}
several()
{
	run 1 check --all "$root/tests/faults/deadlock_all.c" && last 'violated: [2-9] faults: *' &&
		equal named "$(sed -n 's/^bitspin explain \(.*\):.*/\1/p' out | sort)" "$(tail -n 1 out | sed 's/.* faults: //' | tr ',' '\n' |
			awk '{ print $2 }' | sort)"
}

for kind in $kinds; do
	ok "$kind" page "$kind"
done
ok every-page every_page
ok list list
ok unknown unknown
ok usage usage
ok elsewhere elsewhere
ok several several
finish
