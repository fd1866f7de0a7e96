#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin simulate: sessions (simulate/*.session) say exactly what they are to say, through a pipe (docs.sh has that of
# docs/simulate.md); what goes wrong outside of a session; and on a terminal, by tmux: completion, editing, history, Ctrl-C.
#
# A session begins with "$ bitspin simulate ARGUMENT..." and ends with "exit status N"; commands stand behind the prompt.
#
#     usage: tests/simulate.sh BITSPIN [FILTER]
source "$(dirname "$0")/lib.sh"
own_cache
quick_pans
ln -s "$root/examples" "$root/tests" .

# session FILE
session()
{
	local arguments
	arguments=$(sed -n '1s/^\$ bitspin simulate //p' "$1")
	[ -n "$arguments" ] || { echo "$1 is no session"; return 1; }
	sed -n 's/^(bitspin) //p' "$1" >commands
	# shellcheck disable=SC2086
	(cd "$root" && timeout 60 "$bitspin" simulate $arguments <"$scratch/commands" 2>&1
		echo "exit status $?") >found
	sed -e 1d -e '/^(bitspin) /d' "$1" | diff - found
}

# simulate STATUS COMMANDS ARGUMENT...
simulate()
{
	local expected=$1 commands=$2 status
	shift 2
	printf '%b' "$commands" | timeout 60 "$bitspin" simulate "$@" >out 2>err
	status=$?
	[ "$status" = "$expected" ] || { echo "exit code $status, expected $expected: $(tail -n 2 out) $(tail -n 1 err)"; return 1; }
}

kept() { run 1 check -q --keep kept examples/deadlock.c && [ -s kept/schedule ]; }

# A schedule of a check leads to what the check has found, in the program and in the directory; and on the way, back and again.
from_check()
{
	local verdict
	kept || return 1
	verdict=$(cat out)
	simulate 1 'continue\n' --schedule kept/schedule examples/deadlock.c && equal verdict "$(tail -n 1 out)" "$verdict" || return 1
	simulate 1 'continue\n' kept && equal verdict "$(tail -n 1 out)" "$verdict" || return 1
	simulate 1 's\ns\ns\nback 2\ncontinue\n' --schedule kept/schedule examples/deadlock.c && last "$verdict" || return 1
	run 1 replay -q kept/schedule && last "$verdict" && run 1 replay kept/schedule && says 'lock b.mutex' || return 1
	head -n 3 kept/schedule >kept/short && run 2 replay kept/short && grep -q 'cut off' err || return 1
	simulate 0 'continue\nback\n' --schedule kept/schedule examples/deadlock.c && says 'that is a violation: deadlock'
}

# ... for programs of several kinds.
same_verdicts()
{
	local program
	for program in faults/double_free faults/invalid_shift threads/race_scope threads/cond_timed examples/lost_wakeup examples/use_after_free; do
		program=$root/tests/$program.c
		[ -f "$program" ] || program=${program/tests\/examples/examples}
		[ -f "$program" ] || continue
		"$bitspin" check -q --keep k "$program" >verdict 2>/dev/null
		[ -s k/schedule ] || continue
		simulate 1 'c\n' -q --schedule k/schedule "$program" && equal "$program" "$(tail -n 1 out)" "$(tail -n 1 verdict)" || return 1
	done
}

saved()
{
	simulate 0 'step\nstep\nstep 1\nsave mine\n' examples/deadlock.c || return 1
	simulate 1 'load mine\ncontinue\n' examples/deadlock.c || true
	simulate 0 'load mine\nstep\nstep\nstep\nschedule\n' examples/deadlock.c && says 'steps 3 to 3: thread 1' || return 1
	simulate 0 'load mine\n' tests/simulate/data.c && says "warning: 'mine' was made with another program"
}

cut_off()
{
	kept || return 1
	head -n -1 kept/schedule >cut
	simulate 2 '' --schedule cut examples/deadlock.c && says 'this schedule is cut off' || return 1
	sed '3,$s/0/x/' kept/schedule >wrong
	simulate 2 '' --schedule wrong examples/deadlock.c && says "is not 'THREAD OUTCOME TIMES'" || return 1
	printf '0 0 999999999\n' >many
	simulate 2 '' --schedule many examples/deadlock.c && says 'it has more than' || return 1
	printf '7 0 1\n' >impossible
	simulate 0 'step\n' --schedule impossible examples/deadlock.c && says 'there is no thread 7 now' || return 1
	: >empty
	simulate 2 '' --schedule empty examples/deadlock.c && says 'this is no schedule' || return 1
	simulate 2 '' --schedule nosuch examples/deadlock.c && says "cannot read 'nosuch'"
}

long_lines()
{
	printf 'print %s\nfoo%s\nprint 1+1\n' "$(head -c 100000 /dev/zero | tr '\0' '(')" "$(head -c 200000 /dev/zero | tr '\0' a)" >long
	timeout 60 "$bitspin" simulate examples/deadlock.c <long >out 2>err && last '1+1 = 2'
}

random_is_repeated()
{
	simulate 1 'random 6 9\nschedule\n' tests/simulate/data.c && cp out first &&
		simulate 1 'random 6 9\nschedule\n' tests/simulate/data.c && cmp out first &&
		simulate 1 'random 6\nschedule\n' --seed 9 tests/simulate/data.c && cmp out first
}

options()
{
	simulate 0 '' --command 'step' --command 'print a.balance' examples/deadlock.c && last 'a.balance = 10' || return 1
	printf 'step\nquit\nstep\n' >script
	simulate 0 'ignored\n' -x script examples/deadlock.c && says 'after step 1' && ! grep -q 'ignored' out || return 1
	simulate 2 '' -x nosuch examples/deadlock.c && grep -q "cannot read 'nosuch'" err || return 1
	simulate 2 '' nosuch.c || return 1
	simulate 1 'c\n' --invariant 'a.balance + b.balance == 20' examples/deadlock.c && says '^violated: invariant' || return 1
	simulate 0 'c\n' --max-depth 50 tests/simulate/spin.c && says 'stopped after 50 steps'
}

# Words of gdb, and its forms of numbers.
of_gdb()
{
	printf '%s\n' step step 'step 1' where locals stack globals 'info threads' 'p/x 255' 'print/t count' 'p/c 65' 'p/u -1' exit |
		"$bitspin" simulate tests/simulate/data.c >out 2>err || return 1
	[ "$(grep -c '#0 .*push' out)" = 2 ] && says '^index = 6' && says '^count = 6' && says '^255 = 0xff$' && says '^count = 110$' && says "^65 = 65 'A'$" &&
		says '^-1 = 18446744073709551615$' && says '^\* thread 1 ' && ! grep -q 'no command' out
}
closed() { yes threads | head -n 1000 | "$bitspin" simulate examples/deadlock.c 2>err | head -n 1 >out && [ ! -s err ]; }

# More threads than the image has room for at first.
many_threads()
{
	sed 's/work, NULL/work, NULL/; s/pthread_t thread;/pthread_t thread; for (int i = 0; i < 20; i++)/' tests/simulate/spin.c >many.c
	simulate 0 'run 0\nthreads\nprint rounds\n' many.c && says 'thread 20 ' && last 'rounds = 0'
}

# ---- a terminal ---------------------------------------------------------------------------------------------------------------

# begin COLUMNS PROGRAM
begin()
{
	terminal "$1" "'$bitspin' simulate $2; echo status \$?; exec cat"
	shows '^\(bitspin\)'
}

completion()
{
	begin 100 tests/simulate/spin.c || return 1
	tmux_ send-keys 'backt' Tab && shows '^\(bitspin\) backtrace' || return 1
	tmux_ send-keys Enter && shows 'main' || return 1
	tmux_ send-keys 'print rou' Tab && shows '^\(bitspin\) print rounds' || return 1
	tmux_ send-keys Enter && shows '^rounds = 0'
}

editing()
{
	begin 100 tests/simulate/spin.c || return 1
	tmux_ send-keys 'print 20+2' Left Left 1 Enter && shows '^201?\+?2? ?.*=' || return 1
	shows '^20(1\+2 = 203|\+12 = 32)' || return 1
	tmux_ send-keys 'step' Enter && shows 'after step 1,' || return 1
	tmux_ send-keys Enter && shows 'after step 2,' || return 1 # an empty line repeats it
	tmux_ send-keys Up Up Enter && shows '= .*' || return 1
	tmux_ send-keys 'quit' Enter && shows '^status 0'
}

interrupt()
{
	begin 100 tests/simulate/spin.c || return 1
	tmux_ send-keys 'garbage' C-c && sleep 0.3 && tmux_ send-keys 'print 40+2' Enter && shows '^40\+2 = 42' || return 1
	tmux_ send-keys 'continue' Enter && sleep 1 && tmux_ send-keys C-c && shows 'stopped after [0-9]+ steps by Ctrl-C' || return 1
	tmux_ send-keys 'print rounds >= 0' Enter && shows '^rounds >= 0 = 1' || return 1
	tmux_ send-keys 'continue' Enter && sleep 1 && tmux_ send-keys C-c && sleep 0.5 && tmux_ send-keys 'back 1' Enter || return 1
	tmux_ send-keys 'print 50+1' Enter && shows '^50\+1 = 51' || return 1
	tmux_ send-keys C-d && shows '^status 0'
}

narrow()
{
	begin 20 examples/deadlock.c || return 1
	tmux_ send-keys 'step' Enter 'step' Enter 'threads' Enter && shows 'thread 1' || return 1
	tmux_ send-keys 'print 60+1' Enter && shows '= 61' || return 1
	tmux_ send-keys 'quit' Enter && shows '^status 0'
}

for file in "$root"/tests/simulate/*.session; do
	ok "$(basename "$file")" session "$file"
done
ok 'from a check' from_check
ok 'the verdicts of checks' same_verdicts
ok 'saved schedules' saved
ok 'broken schedules' cut_off
ok 'long lines' long_lines
ok 'random runs' random_is_repeated
ok options options
ok 'a pipe that closes' closed
ok 'more threads' many_threads
ok 'words of gdb' of_gdb
ok completion completion
ok editing editing
ok interrupt interrupt
ok 'a terminal of 20 columns' narrow
tmux_ kill-server 2>/dev/null
finish
