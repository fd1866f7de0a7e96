#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# What the command writes for programs: JSON, SARIF, test reports, witnesses, lines for editors and for GitHub; each checked by a
# schema, against each other, and on the nasty cases.
#
#     usage: tests/formats.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
formats=$root/tests/formats examples=$root/examples
check() { python3 "$formats/check.py" "$@"; }

# all STATUS OPTION...: a check that writes everything.  GNU's lines are in `err`.  What is written is kept for all-are-right: Python
# takes longer to start than a check.
kept=$PWD/written checks=0
mkdir "$kept"
all()
{
	local status=$1
	shift
	rm -f r.json r.sarif r.xml
	run "$status" "${command:-check}" --json r.json --sarif r.sarif --junit r.xml --format gnu "$@" && keep
}
keep()
{
	local form
	checks=$((checks + 1))
	for form in json sarif xml; do cp r.$form "$kept/$checks.$form" || return 1; done
}
all_are_right()
{
	[ $checks -gt 30 ] || [ -n "$filter" ] || { echo "only $checks checks"; return 1; }
	xmllint --noout --schema "$formats/junit.xsd" "$kept"/*.xml 2>log.xml || { grep -v validates log.xml; return 1; }
	check all "$kept"
}

# ---- each kind of violation -------------------------------------------------------------------------------------------

# The options and the file of the first test that expects this kind, a word a line.
test_of()
{
	awk -v kind="$1" 'FNR == 1 { run = "" } / RUN: check/ { sub(/.*RUN: check/, ""); run = $0 }
		/ EXPECT: violated / && run != "" && $NF == kind { print run; print FILENAME; exit }' \
		"$root"/tests/faults/*.c "$root"/tests/threads/*.c "$root"/tests/liveness/*.c
}
kind()
{
	local options file command=check
	{ read -r options; read -r file; } < <(test_of "$1")
	if [ "$1" = not-linearizable ]; then
		command=linearize options="-DBROKEN=2 --thread 'add()' --thread 'add()'" file=$root/tests/linearize/counter.c
	fi
	if [ "$1" = not-wait-free ]; then
		command=linearize options="--progress wait-free --thread 'push(1)' --thread 'push(2)'" file=$root/tests/linearize/treiber.c
	fi
	[ -n "$file" ] || { echo "no test expects $1"; return 1; }
	cp "$file" .
	eval "set -- $1 $options"
	all 1 "${@:2}" "$(basename "$file")" && jq -e --arg kind "$1" 'any(.violations[]; .kind == $kind)' r.json &&
		jq -e --arg kind "$1" 'any(.runs[0].results[]; .ruleId == $kind and (.codeFlows[0].threadFlows | length > 0))' r.sarif &&
		grep -q "^\($(basename "$file"):[0-9]*:\([0-9]*:\)\?\|--thread:1:1:\|bitspin:\) error: .* \[$1\]$" err && grep -q "type=\"$1\"" r.xml &&
		jq -r '.violations[] | select(.line > 0) | "\(.file | sub(".*/"; "")):\(.line):\(.column): error:"' r.json >places &&
		sed 's/:0: error:/: error:/' places | grep -vFf /dev/stdin err | grep -v '^$' | grep -c ' error: ' | grep -q '^[01]$'
}
for name in $(sed -n 's/^VIOLATION([A-Z_]*, *"\([a-z-]*\)".*/\1/p' "$root/runtime/state/violation.def"); do
	ok "kind-$name" kind "$name"
done

# ---- other ends -------------------------------------------------------------------------------------------------------

verified() { all 0 "$examples/barrier.c" && [ ! -s err ] && jq -e '.runs[0].results == []' r.sarif && ! grep -q '<failure\|<error' r.xml; }
inconclusive()
{
	all 3 --max-depth 3 "$examples/lost_update_fixed.c" && grep -q '^bitspin: warning: .*depth.* \[inconclusive\]$' err &&
		grep -q '<error type="inconclusive" message=".*depth' r.xml &&
		jq -e '.runs[0].invocations[0] | .executionSuccessful and .exitCode == 3 and
			(.toolExecutionNotifications[0].message.text | contains("depth"))' r.sarif
}
error()
{
	echo 'int main(void) { return x; }' >wrong.c
	all 2 wrong.c && grep -q '<error type="error"' r.xml && jq -e '.runs[0].invocations[0].executionSuccessful == false' r.sarif
}
all_faults()
{
	all 1 --all "$root/tests/faults/deadlock_all.c" && jq -e '.violations | length > 1' r.json &&
		[ "$(jq '.violations | length' r.json)" = "$(jq '.runs[0].results | length' r.sarif)" ] &&
		[ "$(grep -c ' error: ' err)" = "$(jq '.violations | length' r.json)" ] && [ "$(grep -c '<failure' r.xml)" = 1 ] &&
		grep -q 'faults, the first: ' r.xml
}
suppressed()
{
	cp "$root/tests/threads/race_counter.c" race.c
	echo 'data-race:race.c' >known.supp
	run 1 check -q race.c && last 'violated: data-race *' && all 1 --suppressions known.supp race.c || return 1
	jq -e '.suppressions[0].comment == false and .suppressed[0].kind == "data-race"' r.json &&
		jq -e 'any(.runs[0].results[]; .suppressions[0].kind == "external")' r.sarif && ! grep -q 'data-race' err &&
		grep -q 'name="suppressed"' r.xml
}
suppressed_here()
{
	printf '#include <assert.h>\nint main(void)\n{\n\tassert(!"here"); // bitspin: ignore assertion\n\treturn 0;\n}\n' >here.c
	all 0 here.c && jq -e '.runs[0].results[0] | .ruleId == "assertion" and .suppressions[0].kind == "inSource"' r.sarif && [ ! -s err ]
}
formulas()
{
	all 1 --ltl '<> terminated' --ltl '[] (in(take, 1) -> <> in(critical, 1))' --ltl '[] !done(1)' "$examples/test_and_set.c" &&
		jq -e '.safety == "verified" and [.formulas[].verdict] == ["verified", "violated", "not checked"] or
			([.formulas[].verdict] | contains(["violated"]))' r.json && grep -q '^bitspin: error: .* \[ltl\]$' err &&
		grep -q 'note: thread [12] could run now and then' err && [ "$(grep -c '<testcase' r.xml)" = 4 ]
}
bounds() { all 1 --preemptions iterate "$root/tests/threads/preemptions.c" && jq -e '.bounds | length > 1' r.json && grep -q 'note: in this schedule, thread' err; }
json_others()
{
	run 0 compare --max-time 5 --json c.json "$examples/barrier.c" && run 0 audit --json a.json "$examples/deadlock.c" && check json c.json a.json
}
replayed()
{
	run 1 check -q --keep kept "$examples/deadlock.c" && run 1 replay --json r.json --sarif r.sarif --junit r.xml --format gnu kept &&
		keep &&
		grep -q "deadlock.c:34:2: error: " err && ! grep -q 'pthread_create(' out && last 'violated: deadlock at *'
}
ok verified verified
ok inconclusive inconclusive
ok error error
ok all-faults all_faults
ok suppressed suppressed
ok suppressed-here suppressed_here
ok formulas formulas
ok bounds bounds
ok json-others json_others
ok replayed replayed

# The schema has the kinds and the actions of the tables, and is installed.
tables()
{
	local schema=$root/man/bitspin.schema.json
	equal kinds "$(jq -c '."$defs".kind.enum' "$schema")" \
		"$(sed -n 's/^VIOLATION([A-Z_]*, *\("[a-z-]*"\).*/\1/p' "$root/runtime/state/violation.def" | jq -cs .)" &&
		equal actions "$(jq -c '."$defs".event.properties.action.enum' "$schema")" \
			"$(sed -n 's/^ACTION([A-Z_]*, *\("[a-z-]*"\).*/\1/p' "$root/runtime/trace/action.def" | jq -cs .)" &&
		grep -q 'man/bitspin.schema.json' "$root/Makefile"
}
ok tables tables

# ---- where results go -------------------------------------------------------------------------------------------------

standard()
{
	run 1 check --json - "$examples/deadlock.c" && cp out r.json && run 1 check --sarif - "$examples/deadlock.c" && cp out r.sarif &&
		run 1 check --junit - "$examples/deadlock.c" && cp out r.xml && ! grep -q "<testsuites .* time=.0.000" out && keep && run 1 check --junit - "$examples/deadlock.c" && xmllint --noout out && run 2 check --json - --sarif - "$examples/deadlock.c" &&
		grep -q -- '--json and --sarif both go to standard output' err && run 2 check --json same --junit same "$examples/deadlock.c" &&
		grep -q "both go to same" err
}
github()
{
	run 1 check --format github "$examples/deadlock.c" && says '^::error file=.*deadlock.c,line=34,col=2,title=bitspin%3A deadlock::thread . waits' &&
		equal annotations "$(grep -c '^::' out)" 1 && last 'violated: deadlock *' && [ ! -s err ] &&
		run 1 check --format github --json - "$examples/deadlock.c" && cp out r.json && check json r.json && grep -q '^::error' err &&
		run 3 check -q --format github --max-depth 3 "$examples/lost_update_fixed.c" && says '^::warning title=bitspin%3A inconclusive::' &&
		run 0 check -q --format github "$examples/barrier.c" && ! grep -q '^::' out && run 2 check --format github missing.c &&
		says '^::error title=bitspin%3A error::' && run 2 check --format emacs "$examples/barrier.c"
}
# A directory and a file whose names mean something to URIs, XML, YAML and GitHub; bytes that are no UTF-8; a line with wide letters.
nasty()
{
	local directory='a,b:c %41 <&">' file=$'x\'y#z\xc3\xa9.c'
	mkdir "$directory"
	printf '#include <assert.h>\n/* \xe9t\xe9 */ static int one = 1; /* \xff */\nint main(void)\n{\n\t/* \xc3\xa9\xf0\x9f\x90\x9b */ assert(one == 2 && "<&\\"%%, \\x41");\n\treturn 0;\n}\n' >"$directory/$file"
	(cd "$directory" && all 1 "$file" && jq -e '.runs[0].results[0].locations[0].physicalLocation |
		.artifactLocation.uri == "x%27y%23z%C3%A9.c" and .region.startColumn == 11' r.sarif && jq -e '.violations[0].column == 15' r.json &&
		grep -q ':5:15: error: ' err) || return 1
	run 1 check -q --format github "$directory/$file" && says '^::error file=a%2Cb%3Ac %2541 <&">/x.y#z.*,line=5,col=11,title=' &&
		run 1 check -q --witness w.yml "$directory/$file" && check witness w.yml &&
		mv "$directory/$file" "$directory/"$'\xff.c' && (cd "$directory" && all 1 $'\xff.c' &&
		jq -e '.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri == "%3F.c"' r.sarif)
}
elsewhere()
{
	mkdir below && (cd below && all 1 "$examples/deadlock.c" &&
		jq -e '.runs[0].results[0].locations[0].physicalLocation.artifactLocation | (.uri | startswith("file:///")) and (has("uriBaseId") | not)' r.sarif)
}
unwritable() { run 2 check --sarif /nowhere/r.sarif "$examples/barrier.c" && grep -q "cannot write '/nowhere/r.sarif'" err; }
# Nobody reads: quietly, and with the status of the verdict.
closed_pipe()
{
	local form statuses
	for form in '--sarif -' '--json -' '--junit -' '--format github' -q; do
		# shellcheck disable=SC2086
		timeout 60 "$bitspin" check $form "$examples/deadlock.c" 2>err | true
		statuses=${PIPESTATUS[*]}
		equal "$form" "$statuses" '1 0' && [ ! -s err ] || { cat err; return 1; }
	done
}
ok standard standard
ok github github
ok nasty nasty
ok elsewhere elsewhere
ok unwritable unwritable
ok closed-pipe closed_pipe

# ---- identity ---------------------------------------------------------------------------------------------------------

# The same after lines are added elsewhere, and by another schedule; another line, another bug.
identity()
{
	local file=$1 status=1
	shift
	cp "$file" id.c
	run $status check -q --sarif 1.sarif "$@" id.c && sed -i '1i /* new */\n\nextern int new_one(void);' id.c &&
		run $status check -q --sarif 2.sarif "$@" id.c && sed -i 's/^\t/\t  /' id.c &&
		run $status check -q --sarif 3.sarif --search bfs --reduction none --story full "$@" id.c && check same 1.sarif 2.sarif 3.sarif
}
different()
{
	printf '#include <assert.h>\nint main(int c, char **v)\n{\n\tif (c == 1)\n\t\tassert(c == 2);\n\tassert(c == 2);\n\treturn 0;\n}\n' >two.c
	run 1 check -q --sarif 1.sarif two.c && run 1 check -q --sarif 2.sarif two.c -- argument another && check differ 1.sarif 2.sarif
}
ok identity-deadlock identity "$examples/deadlock.c"
ok identity-assertion identity "$examples/lost_update.c"
ok identity-race identity "$root/tests/threads/race_counter.c"
ok different different

# ---- witnesses --------------------------------------------------------------------------------------------------------

cat >choices.c <<'C'
extern int __VERIFIER_nondet_int(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);
static int add(int a) { return a + 1; }
#define CHOICE __VERIFIER_nondet_int()
int main(void)
{
	int x = __VERIFIER_nondet_int();
	int y = add(__VERIFIER_nondet_int ( )), z = CHOICE;
	if (__VERIFIER_nondet_bool() && x == -3 && y == 5 && z == 1)
		reach_error();
	return 0;
}
C
witness()
{
	cat >large.c <<'C'
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void)
{
	if (__VERIFIER_nondet_ulong() > 0xffffffffffff0000)
		reach_error();
	return 0;
}
C
	run 1 check -q --profile svcomp --witness w.yml large.c && grep -qF 'result == 18446744073709486081' w.yml || return 1
	run 1 check -q --profile svcomp --nondet int=-3..5 --witness w.yml choices.c && check witness w.yml &&
		equal values "$(grep -o 'result == [-0-9]*' w.yml | tr '\n' ' ')" 'result == -3 result == 4 result == 1 ' &&
		grep -q 'LTL(G ! call(reach_error()))' w.yml && grep -q '1 values\? that' err
}
witness_threads()
{
	cp "$examples/lost_update.c" threads.c
	run 1 check -q --witness w.yml threads.c && check witness w.yml && grep -q 'no schedules' w.yml && grep -q 'not the whole story' err &&
		grep -q '__assert_fail' w.yml
}
witness_verified() { run 0 check -q --witness w.yml "$examples/barrier.c" && check witness w.yml && grep -q '"invariant_set"' w.yml; }
witness_memory()
{
	printf '#include <stdlib.h>\nint main(void)\n{\n\tint *p = malloc(4);\n\treturn p ? p[1] : 0;\n}\n' >memory.c
	run 1 check -q --witness w.yml memory.c && check witness w.yml && grep -q 'valid-deref' w.yml && ! grep -q '"column"' w.yml
}
witness_refused()
{
	run 1 check -q --witness w.yml "$examples/deadlock.c" && [ ! -e w.yml ] && grep -q "nothing is written to 'w.yml' for --witness: .*deadlock" err &&
		run 3 check -q --max-depth 3 --witness w.yml "$examples/lost_update_fixed.c" && [ ! -e w.yml ] &&
		run 1 check -q --witness - "$examples/deadlock.c" && [ ! -s out ] && run 1 check -q --witness /dev/null "$examples/deadlock.c" &&
		[ -c /dev/null ] && run 0 check -q --checks=-assertion --witness w.yml here.c && [ ! -e w.yml ] && grep -q 'suppressed' err
}
ok witness witness
ok witness-threads witness_threads
ok witness-verified witness_verified
ok witness-memory witness_memory
ok witness-refused witness_refused
ok all-are-right all_are_right

# ---- docs/ci.md -------------------------------------------------------------------------------------------------------

# ci_parts LANGUAGE: what the fences of this language have; those of a shell as they are, and the commands in the others.
ci_parts()
{
	case $1 in
	sh) sed -n '/^```sh$/,/^```$/p' "$root/docs/ci.md" | grep -v '^```' ;;
	yaml) sed -n '/^```yaml$/,/^```$/p' "$root/docs/ci.md" | sed -nE 's/^ +(run:|-) (bitspin .*)/\2/p' ;;
	groovy) sed -n '/^```groovy$/,/^```$/p' "$root/docs/ci.md" | sed -nE "s/^ +sh '(bitspin .*)'$/\1/p" ;;
	esac
}
# One program with a deadlock and one without; the shell's part fails at the end, since the first does.
ci()
{
	mkdir -p ci/src bin && ln -sf "$bitspin" bin/bitspin && cp "$examples/deadlock.c" ci/src/ring.c && cp "$examples/barrier.c" ci/src/queue.c || return 1
	local PATH=$PWD/bin:$PATH part script
	ci_parts sh >ci/parts
	# The first fence ends with a status of 1, so each is run for itself.
	(cd ci && awk -v RS='' '{ print > "part" NR ".sh" }' parts && sh -e -c "$(sed -n '1,/^\[ \$failed/p' parts)" >out 2>err; [ $? = 1 ]) ||
		{ echo "the loop does not fail"; return 1; }
	(cd ci && sh -e -c "$(sed -n '/^touch known/,/nothing new/p' parts)" >new && grep -q '^[0-9a-f]\{32\} deadlock: ' new && cut -d ' ' -f 1 new >known &&
		sh -e -c "$(sed -n '/^touch known/,/nothing new/p' parts)" | grep -qx 'nothing new' && sh -e -c "$(tail -n 1 parts)") || return 1
	equal reports "$(cd ci/reports && echo *)" 'queue.html queue.json queue.sarif queue.xml ring.html ring.json ring.sarif ring.xml' &&
		check json ci/reports/*.json && check sarif ci/reports/*.sarif && grep -q 'src/ring.c:34:2: error: ' ci/err || return 1
	for part in yaml groovy; do
		ci_parts $part >script
		[ -s script ] || { echo "no commands in $part"; return 1; }
		while read -r script; do
			(cd ci && sh -c "$script" >out 2>err; [ $? = 1 ]) || { echo "$script: not status 1"; return 1; }
		done <script
	done
	(cd ci && check sarif bitspin.sarif && xmllint --noout bitspin.xml) && python3 - "$root/docs/ci.md" <<'P'
import re
import sys
import yaml
for part in re.findall('```yaml\n(.*?)```', open(sys.argv[1]).read(), re.S):
    assert isinstance(yaml.safe_load(part), dict)
P
}
# Where weak atomic accesses are is not said of a program without debug information.
nameless()
{
	printf '#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int x;\n' >relaxed.c
	printf 'static void *f(void *a) { atomic_store_explicit(&x, 1, memory_order_relaxed); return a; }\n' >>relaxed.c
	printf 'int main(void) { pthread_t t; pthread_create(&t, 0, f, 0); pthread_join(t, 0); return 0; }\n' >>relaxed.c
	"$(clang_of_bitspin)" -S -emit-llvm -o relaxed.ll relaxed.c && run 0 check --json relaxed.json relaxed.ll &&
		last 'verified under sequential consistency (1 weaker atomic access; --memory c11 checks that)' &&
		[ "$(jq -c .weaker_atomics relaxed.json)" = '{"count":1}' ]
}
ok ci ci
ok nameless nameless
finish
