#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Where output goes: options that name files and directories never harm what the user wrote; standard descriptors may be closed.
#
#     usage: tests/outputs.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
examples=$root/examples
cp "$examples/lost_update_fixed.c" good.c
cp "$examples/lost_update.c" bad.c
drive=$(dirname "$(readlink -f "$bitspin")")

# ---- descriptors that are closed: nothing is killed, and what is opened does not get their numbers ------------------------

closed()
{
	local closed
	for closed in '<&-' '>&-' '2>&-' '<&- >&-' '<&- >&- 2>&-'; do
		eval "\"\$bitspin\" $* $closed" >out 2>err || { [ $? = 1 ] && [ "$1" = simulate ]; } || return 1
	done
}
closed_violated() { "$bitspin" check --json r.json bad.c <&- >&- 2>&-; [ $? = 1 ] && jq -e '.verdict == "violated"' r.json; }
closed_cc()
{
	"$bitspin" cc -c good.c -o good.o <&- >&- 2>&- && run 0 check good.o && "$drive/bitspin-cc" -c good.c -o again.o <&- && run 0 check again.o
}
closed_tools()
{
	run 0 check --keep closed.kept good.c && "$drive/bitspin-image" -d closed.kept/program.image <&- 2>&- | grep -q . &&
		"$drive/bitspin-image" -o closed.image closed.kept/0.bc <&- >&- 2>&- && [ -s closed.image ] &&
		(cd closed.kept && BITSPIN_IMAGE=$PWD/program.image ./pan <&- 2>&- | grep -q 'errors: 0')
}
ok closed-check closed check good.c
ok closed-audit closed audit good.c
ok closed-generate closed generate -o closed good.c
ok closed-simulate closed simulate good.c
ok closed-violated closed_violated
ok closed-cc closed_cc
ok closed-tools closed_tools
finish
