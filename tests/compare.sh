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
	local graphs beginnings complete traces
	./traces "$1" program >program.c && read -r graphs beginnings complete traces < <(./traces "$1" count)
	run 0 check --quiet --json result.json --reduction none --identity hb program.c || return 1
	equal "graphs of program $1" "$(statistic .states)" "$graphs" || return 1
	if [[ $1 -le ${TRACES:-8} && $(grep -c atomic_fetch_add program.c) -lt 2 ]]; then # additions are independent to --traces
		run 0 check --traces program.c && says "^note: $traces Mazurkiewicz traces*\$" || return 1
	fi
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

# Files of the suites, each as its head comment says, less what a search without matching cannot do in time.  Each identity has a
# part of them; with ALL=yes in the environment, it has all that end.
suite() # identity, expression of files
{
	with_identity other "$1"
	"$root/tests/run.sh" "$scratch/other" "$2" >verdicts
	local last
	last=$(tail -n 1 verdicts)
	[[ $last =~ ^[1-9][0-9]*\ passed,\ 0\ failed ]] || { head -n 1 verdicts; return 1; }
}
options='[^-]*( (-D[^ ]*|--races [a-z]*|--reduction none))*'
part() { [ "${ALL-}" = yes ] && echo "$2" || echo "$1"; } # letters that names of files begin with
ok 'verdicts by happens-before' suite hb,lcd "^tests/(threads|faults)/$(part '[mo-p]' '[a-z]')[a-z_0-9]*\.c	$options	"
# SCALE's search finds no data races; it ends if all cycles are local, and misses nothing if super-steps are off.
ok "verdicts by SCALE's search" suite 'scale,lcd --races ignore --reduction none' \
	"^tests/(threads|faults)/$(part '([b-d])' '([b-ln-qt-z]|m[^a]|a[^s]|s[^pt]|r[^a])')[a-z_0-9]*\.c	$options	"
# barrier_reuse.c and futex.c -DMANY have more than 15 million paths, which took about as long as a test may take.
ok 'verdicts by paths' suite path,lcd "^tests/(threads|faults)/($(part '[ahj]' '[ac-hj-r]')[a-z_0-9]*|barrier|broadcast)\.c	(-D(M[^A]|[^M ])[^ ]*)?	"

# ---- cycles, bounds, forms --------------------------------------------------------------------------------------------

spin=$root/tests/threads/peterson.c small=$root/examples/lost_update_fixed.c
# Several programs in one table, as text, JSON and CSV; a violated search says how long it took.
several()
{
	cp "$root"/examples/lost_update*.c .
	run 1 compare --max-time 9 --each --csv t.csv --json t.json lost_update.c lost_update_fixed.c &&
		says '^program +search +verdict' && says '^lost_update_fixed.c +bitspin +verified ' && [ "$(grep -c violated out)" = 9 ] || return 1
	[ "$(wc -l <t.csv)" = 19 ] && [ "$(awk -F, 'NR > 1 && NF < 9' t.csv | wc -l)" = 0 ] &&
		jq -e '.programs | length == 2 and ([.[].searches | length] == [9, 9]) and (.[0].searches | all(.seconds_to_violation >= 0))' t.json >jq.out &&
		jq -e '.programs[1].searches[3].outcome == "none found"' t.json >jq.out || return 1
	run 0 compare --csv - "$root/examples/lost_update_fixed.c" && [ "$(wc -l <out)" = 10 ] && head -n 1 out | grep -q '^program,search,outcome,'
}
cycle_open() { run 3 check --quiet --max-time 2 --identity hb "$spin" && grep -q '^inconclusive: time limit' out; }
cycle_cut() { run 0 check --quiet --identity hb,lcd "$spin"; }
cycle_paths() { run 0 check --quiet --waits ignore --identity path,lcd "$root/tests/threads/endless_spin.c"; }
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

# ---- SCALE ------------------------------------------------------------------------------------------------------------

# Runs and representations of SCALE's search, without super-steps and with them.
scale() # figures, figures with super-steps, lcd or nothing, program, options
{
	local program=$root/tests/bench/scale/$4.c
	equal "SCALE* on $4 ${*:5}" "$(scale_figures none "scale$3" "$program" "${@:5}")" "$1" &&
		equal "SCALE on $4 ${*:5}" "$(scale_figures supersteps "scale$3" "$program" "${@:5}")" "$2"
}
scale_figures() # reductions, identity, program, options
{
	timeout 60 "$bitspin" check --quiet --races ignore --reduction "$1" --identity "$2" --json result.json "${@:4}" "$3" >out 2>err
	statistic '"\(.runs) \(.states)"'
}

# Florian's tables 6.1 to 6.3 as far as a simulation that was written from the thesis has the published runs.  (The representations
# are the simulation's; it has an action before the indexer's first, so one more there.)
indexer()
{
	scale '1 18' '1 18' '' indexer -DTHREADS=1 && scale '18 309' '2 69' '' indexer -DTHREADS=2 &&
		scale '309 5256' '8 276' '' indexer -DTHREADS=3 && scale '5256 89355' '32 1176' '' indexer -DTHREADS=4 &&
		equal '5 threads' "$(scale_figures supersteps scale "$root/tests/bench/scale/indexer.c" -DTHREADS=5)" '146 5628' &&
		equal '6 threads' "$(scale_figures supersteps scale "$root/tests/bench/scale/indexer.c" -DTHREADS=6)" '818 31377'
}
barrier()
{
	scale '6 162' '6 162' '' barrier -DSTEPS=1 && scale '54 1578' '54 1578' '' barrier -DSTEPS=2 &&
		scale '486 14322' '486 14322' '' barrier -DSTEPS=3 && scale '4374 129018' '4374 129018' '' barrier -DSTEPS=4 &&
		scale '481 7487' '481 7487' '' barrier -DTHREADS=3
}
# Published are, of 2 and 3 workers, 136 and 4,875 runs, with super-steps 124 and 3,347.
pool()
{
	scale '6 137' '6 137' '' pool -DWORKERS=1 && scale '136 2376' '136 2376' '' pool -DWORKERS=2 &&
		scale '4587 74275' '4205 72191' '' pool -DWORKERS=3
}
# Figure 6.3: bounds of the depth, which is counted in actions; and local-cycle detection.
queue()
{
	scale '751 5695' '311 2688' '' queue --max-depth 40 && scale '2453 18905' '1033 9456' '' queue --max-depth 50 &&
		scale '10719 76337' '2389 36698' ,lcd queue
}
scale_violation() # found, kept, replayed
{
	run 1 check --quiet --races ignore --identity scale --keep kept_scale "$root/examples/lost_update.c" &&
		run 1 replay kept_scale && grep -q '^violated: assertion' out
}
scale_all()
{
	run 1 check --quiet --all --races ignore --identity scale --json result.json "$root/tests/faults/deadlock_all.c" || return 1
	local found
	found=$(jq -c '[.violations[] | [.kind, .line]] | sort' result.json)
	run 1 check --quiet --all --races ignore --json result.json "$root/tests/faults/deadlock_all.c" &&
		equal violations "$found" "$(jq -c '[.violations[] | [.kind, .line]] | sort' result.json)"
}
scale_generated()
{
	run 0 generate --quiet --races ignore --identity scale -o generated_scale "$small" && make -s -C generated_scale &&
		(cd generated_scale && ./pan) >pan.out && grep -q 'errors: 0' pan.out
}
ok 'SCALE: indexer' indexer
ok 'SCALE: barrier' barrier
ok 'SCALE: pool' pool
ok 'SCALE: queue' queue
ok 'SCALE: a violation is kept and replayed' scale_violation
ok 'SCALE: all violations' scale_all
scale_misses()
{
	local program=$root/tests/bench/scale/missed.c
	run 1 check --quiet --races ignore "$program" && run 1 check --quiet --races ignore --reduction none --identity scale "$program" &&
		run 3 check --quiet --races ignore --identity scale "$program" && grep -q '^inconclusive: SCALE' out &&
		run 1 compare --races ignore "$program" && grep -Eq '^SCALE: NSB, super-steps +none found ' out &&
		grep -Eq '^SCALE\*: NSB +violated ' out
}
scale_races() # it does not look for data races, and decides nothing where they were to be found
{
	local program=$root/tests/threads/race_after_unlock.c # nothing else is wrong with it
	run 2 check --quiet --identity scale "$program" && grep -q 'needs --races ignore' err &&
		run 1 compare --json result.json "$program" && grep -Eq '^SCALE\*: NSB +none found ' out &&
		jq -e '.verdict == "violated" and (.searches[3] | .verdict == "verified" and .races == "ignore")' result.json
}
ok 'SCALE: generated model' scale_generated
ok 'SCALE: a violation that it misses' scale_misses
ok 'SCALE: no data races' scale_races

# Small programs: scale.c says what is to be found, ours must find that.
${CC:-cc} -O2 -o simulation "$root/tests/scale.c" || exit 2

agree() # text, depth, reductions, lcd or nothing, figures or nothing
{
	local simulated runs states flags=$4
	[ "$3" = none ] || flags+=' ss'
	simulated=$(./simulation figures "$1" "$2" $flags 2>err) || { grep -q '^scale: too many representations' err; return; }
	read -r runs states _ <<<"$simulated"
	[ -z "$5" ] || equal "simulation of '$1' $flags" "$runs $states" "$5" || return 1
	equal "'$1' $flags" "$(scale_figures "$3" "scale${4:+,$4}" small.c --max-depth "$2" --no-deadlock)" "$runs $states"
}
small_program() # figures without and with super-steps, and with local cycles, text
{
	./simulation program "$5" >small.c && agree "$5" 36 none '' "$1" && agree "$5" 36 supersteps '' "$2" &&
		agree "$5" 36 none lcd "$3" && agree "$5" 36 supersteps lcd "$4"
}
while IFS='|' read -r plain steps cycles both name text <&3; do
	[[ $plain == '#'* ]] || ok "SCALE, small: $name" small_program "$plain" "$steps" "$cycles" "$both" "$text"
done 3<"$root/tests/scale.txt"

random_program() # seed
{
	local text
	text=$(./simulation random "$1")
	./simulation program "$text" >small.c && agree "$text" 14 none '' '' && agree "$text" 14 supersteps '' '' &&
		agree "$text" 60 supersteps lcd ''
}
for seed in $(seq "${FIRST:-1}" $((${FIRST:-1} + ${COUNT:-10} - 1))); do
	ok "SCALE, random program $seed" random_program "$seed"
done

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
	for options in '' '--reduction all,slicing' '--reduction none' '--races ignore --reduction none --identity scale' \
		'--races ignore --reduction supersteps --identity scale' '--races ignore --reduction none --identity scale,lcd' \
		'--races ignore --reduction supersteps --identity scale,lcd' '--identity hb --preemptions 2' \
		'--identity hb --preemptions 5'; do
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
		grep -Eq '^SCALE\*: NSB +not finished +> [0-9,]+ +> [0-9,]+ +> [0-9,]+ +> [0-9.]+$' out && grep -q 'time limit of 1 second' out &&
		jq -e '.searches[3] | .complete == false and .verdict == "inconclusive" and .states > 1000' result.json
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

traces() # of inputs by hand, see the program; of locks as published: N! * 2^N, N!
{
	local case=0 number
	for number in '8 Mazurkiewicz traces' '2 Mazurkiewicz traces' '4 Mazurkiewicz traces' 'no number: there are infinitely many: a loop' \
		'1 Mazurkiewicz trace$' '32 Mazurkiewicz traces' '4 Mazurkiewicz traces'; do
		case=$((case + 1))
		run 0 check --inputs sets --traces -DCASE=$case "$root/tests/traces/symbolic.c" && says "^note: .*$number" || return 1
	done
	run 0 check --traces -DN=2 "$root/tests/traces/mpat.c" && says '^note: 8 Mazurkiewicz traces$' &&
		run 0 check --traces "$root/tests/traces/wakeups.c" && says '^note: 6 Mazurkiewicz traces$' &&
		run 0 check --traces -DLOOP -DN=2 "$root/tests/traces/wakeups.c" && says '^note: .*infinitely many: a loop' &&
		run 0 compare --traces --json traces.json -DN=3 "$root/tests/traces/pi.c" &&
		grep -Eq '^bitspin without reductions .* 6$' out && jq -e '.searches[2].traces == "6"' traces.json &&
		run 0 check --traces -DS=3 -DR=1 "$root/tests/traces/dispatch.c" && says '^note: 8 Mazurkiewicz traces$'
}
ok 'numbers of traces' traces
ok 'a table' table
ok 'a table as JSON' json_table
ok 'rows are checks' same_as_check
ok 'JSON to standard output' json_stdout
ok 'a violation' violated
ok 'searches that do not finish' unfinished
ok 'a limit' limited
ok 'more threads than at first' many_threads

ok several several
finish
