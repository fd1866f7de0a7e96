#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Other identities than that of states, and bitspin compare.  Happens-before graphs and interleavings are counted by brute
# force in random programs (traces.c); the verdicts of the suites threads/ and faults/ must be the same with them.
#
#     usage: tests/compare.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"

# ---- counts against brute force ---------------------------------------------------------------------------------------

${CC:-cc} -O2 -o traces "$root/tests/traces.c" || exit 2

statistic() { jq -r ".statistics | $1" result.json; }

counts() # seed
{
	local graphs beginnings complete
	./traces "$1" program >program.c && read -r graphs beginnings complete < <(./traces "$1" count)
	run 0 check --quiet --json result.json --reduction none --identity hb program.c || return 1
	equal "graphs of program $1" "$(statistic .states)" "$graphs" || return 1
	[ "$beginnings" -gt 200000 ] && return 0
	run 0 check --quiet --json result.json --reduction none --identity path program.c || return 1
	equal "paths of program $1" "$(statistic '"\(.states) \(.runs)"')" "$beginnings $complete"
}
for seed in $(seq 1 25); do
	ok "counts of program $seed" counts "$seed"
done

# ---- the same verdicts ------------------------------------------------------------------------------------------------

# A bitspin with another identity; local cycles are a matter of depth-first search.
with_identity()
{
	cat >"$1" <<-SCRIPT
		#!/usr/bin/env bash
		exec "$bitspin" check --identity $2 "\${@:2}"
	SCRIPT
	chmod +x "$1"
}

# The files of the suites, each as its head comment says, less what a search without matching cannot do in time.
suite() # identity, expression of files
{
	with_identity other "$1"
	"$root/tests/run.sh" "$scratch/other" "$2" >verdicts
	local last
	last=$(tail -n 1 verdicts)
	[[ $last =~ ^[1-9][0-9]*\ passed,\ 0\ failed ]] || { head -n 1 verdicts; return 1; }
}
options='[^-]*( (-D[^ ]*|--races [a-z]*|--reduction none))*'
ok 'verdicts by happens-before' suite hb,lcd "^tests/(threads|faults)/[a-z_0-9]*\.c	$options	"
# barrier_reuse.c has more than 15 million paths, which took about as long as a test may take.
ok 'verdicts by paths' suite path,lcd "^tests/(threads|faults)/([ac-hj-r][a-z_0-9]*|barrier|broadcast)\.c	(-D[^ ]*)?	"

# ---- cycles, bounds, forms --------------------------------------------------------------------------------------------

spin=$root/tests/threads/peterson.c small=$root/examples/lost_update_fixed.c
cycle_open() { run 3 check --quiet --max-time 2 --identity hb "$spin" && grep -q '^inconclusive: time limit' out; }
cycle_cut() { run 0 check --quiet --identity hb,lcd "$spin"; }
cycle_paths() { run 0 check --quiet --identity path,lcd "$root/tests/threads/endless_spin.c"; }
depth_cut() { run 3 check --quiet --identity hb --max-depth 30 "$spin" && grep -q '^inconclusive: depth limit 30' out; }
bounded()
{
	run 3 check --quiet --identity hb --preemptions 3 "$root/tests/threads/preemptions.c" &&
		run 1 check --quiet --identity hb --preemptions 4 "$root/tests/threads/preemptions.c"
}
breadth() { run 0 check --quiet --identity hb --search bfs "$root/examples/lost_update_fixed.c"; }
kept()
{
	run 1 check --quiet --identity hb --keep kept "$root/examples/lost_update.c" && grep -q 'int identity' kept/model.pml &&
		run 1 replay kept && grep -q '^violated: assertion' out
}
generated()
{
	run 0 generate --quiet --identity hb -o generated "$small" && make -s -C generated && (cd generated && ./pan) >pan.out || return 1
	run 0 check --quiet --json result.json --identity hb "$small" && grep -q 'errors: 0' pan.out || return 1
	equal states "$(sed -n 's/^ *\([0-9]*\) states, stored.*/\1/p' pan.out)" "$(statistic .states)"
}
plain_model() { run 0 generate -o plain "$root/examples/lost_update_fixed.c" && ! grep -q identity plain/model.pml; }

ok 'a cycle has infinitely many graphs' cycle_open
ok 'local-cycle detection cuts it' cycle_cut
ok 'local-cycle detection on paths' cycle_paths
ok 'a depth bound is inconclusive' depth_cut
ok 'happens-before under a bound on preemptions' bounded
ok 'happens-before breadth-first' breadth
ok 'a violation is kept and replayed' kept
ok 'generated model' generated
ok 'no identity in the plain model' plain_model

# ---- bitspin compare --------------------------------------------------------------------------------------------------

table()
{
	run 0 compare "$small" && [ "$(tail -n 1 out)" = verified ] && grep -Eq '^search +verdict +states +runs +transitions +seconds$' out &&
		grep -Eq '^bitspin +verified +[0-9]+ +[0-9]+ +[0-9]+ +[0-9.]+$' out && grep -Eq '^CHESS: 2 preemptions +none found ' out &&
		grep -q 'sequentially consistent' out
}
json_table()
{
	run 0 compare --quiet --json result.json "$small" && equal output "$(cat out)" verified && jq -e '
		.verdict == "verified" and (.searches | length == 9 and all(.complete) and all(.states > 0 and .runs > 0 and
		.transitions >= .states - 1 and .seconds >= 0)) and ([.searches[] | select(.search | startswith("bitspin")) | .identity] |
		unique == ["state"]) and (.searches[7].preemptions == 2) and (.searches[7].verdict == "inconclusive")' result.json
}
same_as_check() # the rows are what check finds with those options
{
	run 0 compare --quiet --json table.json "$small" || return 1
	local row=0 options
	for options in '' '--reduction none' '--reduction none --identity hb' '--reduction supersteps --identity hb' \
		'--reduction none --identity hb,lcd' '--reduction supersteps --identity hb,lcd' \
		'--reduction supersteps --identity path,lcd' '--identity hb --preemptions 2' '--identity hb --preemptions 5'; do
		timeout 60 "$bitspin" check --quiet --json result.json $options "$small" >out 2>err
		equal "row $row" "$(jq -c ".searches[$row] | [.states, .runs, .transitions]" table.json)" \
			"$(jq -c '.statistics | [.states, .runs, .transitions]' result.json)" || return 1
		row=$((row + 1))
	done
}
json_stdout() { run 0 compare --json - "$small" && jq -e '.searches[0].verdict == "verified"' out; }
violated() { run 1 compare "$root/examples/lost_update.c" && [[ $(tail -n 1 out) == 'violated: assertion at '* ]]; }
unfinished()
{
	run 0 compare --max-time 1 --json result.json -DTHREADS=4 -DSTEPS=3 "$root/examples/barrier.c" &&
		grep -Eq '^SCALE: NSB +not finished +> [0-9,]+ +> [0-9,]+ +> [0-9,]+ +> [0-9.]+$' out && grep -q 'time limit of 1 second' out &&
		jq -e '.searches[2] | .complete == false and .verdict == "inconclusive" and .states > 1000' result.json
}
limited() { run 3 compare --max-depth 4 "$small" && [[ $(tail -n 1 out) == 'inconclusive: depth limit 4'* ]]; }
# The verifiers are made before, without a limit: on a busy machine that takes more than two seconds.
many_threads()
{
	local program=$root/examples/indexer.c
	run 0 check --quiet -DTHREADS=10 "$program" &&
		run 3 check --quiet -DTHREADS=10 --threads 16 --identity hb --max-depth 3 "$program" &&
		run 0 compare --quiet --max-time 2 -DTHREADS=10 "$program" && [ "$(cat out)" = verified ]
}

ok 'a table' table
ok 'a table as JSON' json_table
ok 'rows are checks' same_as_check
ok 'JSON to standard output' json_stdout
ok 'a violation' violated
ok 'searches that do not finish' unfinished
ok 'a limit' limited
ok 'more threads than at first' many_threads

finish
