#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Where output goes: options that name files and directories never harm what the user wrote; standard descriptors may be closed; what was
# cut, the last line says.
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

# ---- what the user wrote stays ------------------------------------------------------------------------------------------





# refused MESSAGE WORD...: status 2 with this message, nothing made, and all files as they were.
refused()
{
	local message=$1
	shift
	rm -rf play && mkdir play && cp good.c bad.c play/ && (cd play && printf 'secret\n' >notes.txt && printf 'int f(void);\n' >head.h && : >empty.c &&
		printf '{ "bitspin": 1 }\n' >mine.json && cp good.c plain && ln -s good.c link && ln good.c hard && ln -s ../play here && mkdir dir &&
		printf 'data' >in.txt && chmod 640 notes.txt && cp notes.txt theirs.dot)
	cp -a play play.before
	(cd play && "$bitspin" "$@") >out 2>err </dev/null
	local status=$?
	diff -r play.before play >diff.out 2>&1 && [ "$status" = 2 ] && grep -q -- "$message" err
	local good=$?
	rm -rf play.before
	[ $good = 0 ] || { cat err diff.out >&3; }
	return $good
}
exec 3>&2

for option in html sarif junit witness; do ok "source-$option" refused "did you mean --$option=- good.c?" check --$option good.c; done
for option in json witness; do
	ok "source-$option" refused "did you mean --$option=- good.c?" check --$option good.c
	ok "source-of-two-$option" refused "did you mean --$option=- bad.c?" check --$option bad.c good.c
	ok "link-$option" refused "is an input; did you mean\|name of a source" check --$option link good.c
	ok "hard-link-$option" refused 'is an input' check --$option=hard good.c
	ok "directory-link-$option" refused 'name of a source' check --$option=here/head.h good.c
	ok "notes-$option" refused "'notes.txt' is there, and is not a" check --$option notes.txt good.c
	ok "their-json-$option" refused "'mine.json' is there, and is not a" check --$option mine.json good.c
	ok "option-$option" refused "did you mean --$option=- --all" check --$option --all good.c
	ok "directory-$option" refused 'it is a directory' check --$option dir good.c
	ok "nowhere-$option" refused "cannot write 'none/r': No such file" check --$option none/r good.c
	ok "new-source-$option" refused 'name of a source' check --$option new.c good.c
done
for option in trace output checkpoint; do
	ok "source-$option" refused "did you mean --$option FILE good.c?" check --$option good.c
	ok "notes-$option" refused "'notes.txt' is there, and" check --$option notes.txt good.c
	ok "object-$option" refused 'name of a source' check --$option empty.c good.c
	ok "stdout-$option" refused 'cannot write to standard output' check --$option - good.c
done
for option in json html; do ok "replay-$option" refused "name of a source" replay --$option good.c dir; done
for command in audit compare profile swarm confirm; do ok "$command-source" refused "did you mean --json=- good.c?" $command --json good.c; done
ok graph-source refused "should end in\|name of a source" check --graph good.c bad.c
ok graph-theirs refused "is there, and is not a graph" check --graph theirs.dot good.c
ok input refused "would overwrite 'in.txt', which is an input" check --json in.txt --stdin in.txt good.c
ok suppressions refused "would overwrite 'notes.txt', which is an input" check --json notes.txt --suppressions notes.txt good.c
ok plain refused "would overwrite 'plain', which is an input\|is there, and is not" check --json plain -xc plain
ok two-outputs refused 'both go to' check --json r --html ./r good.c
ok two-outputs-link refused 'both go to' check --json r --html here/r good.c
ok two-outputs-states refused 'both go to' check --json c.states --checkpoint c --preemptions iterate good.c
ok error-first refused 'takes' check --json good.c --search nonsense bad.c
ok error-later refused '' check --json notes.txt --nonsense bad.c

# ---- what bitspin wrote is replaced, whole ------------------------------------------------------------------------------

# replaced OPTION FILE WORD...: written twice, the second time over the first; nothing is left beside it.
replaced()
{
	local option=$1 file=$2
	shift 2
	rm -rf twice && mkdir twice
	"$bitspin" check "--$option" "twice/$file" "$@" >out 2>err
	[ -s "twice/$file" ] && chmod 604 "twice/$file" && ln -s "$file" twice/link.svg && cp "twice/$file" first || return 1
	"$bitspin" check "--$option" "twice/link.svg" "$@" >out 2>err
	[ -s "twice/$file" ] && [ -L twice/link.svg ] && [ "$(stat -c %a "twice/$file")" = 604 ] && [ ! "twice/$file" -ot first ] &&
		[ "$(ls -A twice | wc -l)" = 2 ] && ! grep -q 'nothing is written' err
}
for option in json html sarif junit trace; do ok "replaced-$option" replaced $option r bad.c; done
ok replaced-witness replaced witness r bad.c
printed()
{
	printf '#include <stdio.h>\nint main(void) { printf("%%d\\n", N); }\n' >prints.c && rm -f told.txt && run 0 check -DN=1 --output told.txt prints.c &&
		run 0 check -DN=2 --output ./told.txt prints.c && [ "$(cat told.txt)" = 2 ] && cp told.txt mine.txt && run 2 check -DN=3 --output mine.txt prints.c &&
		grep -q "is not as bitspin has left it" err && echo more >>told.txt && run 2 check -DN=4 --output told.txt prints.c && [ "$(wc -l <told.txt)" = 2 ]
}
ok printed printed

streams()
{
	mkfifo pipe && { timeout 10 cat pipe >read & } && run 1 check --json pipe bad.c && wait $! && jq -e '.verdict == "violated"' read &&
		run 1 check --json /dev/null --html /dev/null bad.c && run 1 check -q --json /dev/stdout bad.c && jq -e .verdict out >/dev/null &&
		! grep -q '^violated' out && "$bitspin" check -q --json /dev/stderr bad.c 2>log >out; grep -q '"verdict": "violated"' log && grep -q '^violated' out
}
ok streams streams
dangling() { ln -s made later && run 1 check --json later bad.c && [ -L later ] && jq -e .verdict made; }
ok dangling dangling
redirected() { run 2 check --json same.json bad.c && rm -f same.json; "$bitspin" check --json same.json bad.c >same.json 2>err; [ $? = 2 ] && grep -q 'standard output both go' err; }
empty() { : >empty.json && run 1 check --json empty.json bad.c && jq -e .verdict empty.json; }
ok empty empty
ok redirected redirected

# What cannot be made takes nothing from the verdict, and leaves nothing.
full() { run 1 check --json /dev/full bad.c && last 'violated: *' && grep -q "cannot write '/dev/full': No space" err; }
no_drawer()
{
	mkdir few && ln -s /usr/bin/* /bin/* few/ 2>/dev/null
	rm -f few/dot few/gnuplot
	PATH=$PWD/few run 0 check --graph g.svg good.c && last verified && grep -q 'dot is not installed' err && [ ! -e g.svg ] &&
		PATH=$PWD/few run 0 check --plot p.svg --preemptions iterate good.c && grep -q 'gnuplot is not installed' err && [ ! -e p.svg ]
}
# A place that goes while the check runs.
vanished()
{
	mkdir gone few.late && printf '#!/bin/sh
rm -rf "%s/gone"
exec "%s" "$@"
' "$PWD" "$(command -v spin)" >few.late/spin && chmod +x few.late/spin
	PATH=$PWD/few.late:$PATH XDG_CACHE_HOME=$PWD/no.cache run 1 check --json gone/r --html gone/h --keep gone/k bad.c && last 'violated: *' &&
		grep -q "gone/r.*No such file" err
}
ok full full
ok no-drawer no_drawer
ok vanished vanished

# ---- directories --------------------------------------------------------------------------------------------------------

# taken COMMAND-WORDS -- NAME: the directory has a file of the user's that has one of our names.
taken()
{
	local name
	for name in "${names[@]}"; do
		rm -rf theirs && mkdir theirs && printf 'mine\n' >"theirs/$name" && run 2 "$@" theirs bad.c && grep -q "theirs/$name' is not as bitspin" err &&
			[ "$(cat "theirs/$name")" = mine ] && [ "$(ls -A theirs)" = "$name" ] || return 1
	done
}
kept_names() { names=(model.pml pan 0.bc schedule check.json model.pml3.trail formula) && taken check --keep; }
generated_names() { names=(Makefile model.pml program.image) && taken generate -o; }
others_stay()
{
	mkdir ours && printf 'mine\n' >ours/notes.txt && run 1 check --keep ours bad.c && run 1 check --keep ours bad.c && run 0 generate -o ours.model bad.c &&
		run 0 generate -o ours.model good.c && [ "$(cat ours/notes.txt)" = mine ] && run 1 replay ours
}
changed()
{
	printf '\nnever { skip }\n' >>ours.model/model.pml && cp -a ours.model copy && run 2 generate -o ours.model good.c &&
		grep -q "ours.model/model.pml' is not as bitspin" err && diff -r ours.model copy && printf 'x' >>ours/schedule && run 2 check --keep ours bad.c
}
# The check of a directory wrote reports; confirming it does not write them again.
confirmed()
{
	run 1 check --keep told --html told.html --output told.text bad.c && cp told.html told.before && run 0 confirm told && cmp told.html told.before
}
ok kept-names kept_names
ok generated-names generated_names
ok others-stay others_stay
ok changed changed
ok confirmed confirmed

# ---- other commands -----------------------------------------------------------------------------------------------------

saved()
{
	cp good.c source.c && run 0 simulate --command step --command 'save source.c' --command 'save steps' --command 'save steps' good.c
	cmp good.c source.c && [ -s steps ] && printf 'mine' >steps.mine && "$bitspin" simulate --command 'save steps.mine' good.c >out 2>&1
	[ "$(cat steps.mine)" = mine ]
}
compiler() { cp good.c own.c && run 2 cc -c own.c -o own.c && run 2 cc -c own.c -oown.c && cmp good.c own.c; }
image_tool()
{
	run 0 check --keep kept.image good.c && cp kept.image/0.bc 0.bc && ! "$drive/bitspin-image" -o 0.bc kept.image/0.bc 2>err &&
		cmp 0.bc kept.image/0.bc && grep -q 'is no image' err && "$drive/bitspin-image" -o new.image 0.bc && "$drive/bitspin-image" -o new.image 0.bc
}
ok saved saved
ok compiler compiler
ok image-tool image_tool
# ---- what was cut is said in the last line -------------------------------------------------------------------------------

cat >crowd.c <<'END'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int x[4];
static int y;
#ifndef T
#define T 3
#endif
static void *count(void *own)
{
	for (int k = 0; k < 40; k++)
		atomic_fetch_add(&x[k & 3], (int)(long)own);
#ifdef RACE
	y = 1;
#endif
	return 0;
}
int main(void)
{
	pthread_t t[T];
	for (long i = 0; i < T; i++)
		pthread_create(&t[i], 0, count, (void *)(i + 1));
	for (int i = 0; i < T; i++)
		pthread_join(t[i], 0);
	return x[0] == 12345 || y == 2;
}
END
# A violation that was found is told, though time is over.
all_cut()
{
	run 1 check -q --all --max-time 5 --reduction none -DRACE -DT=6 --json r.json crowd.c &&
		last 'violated: data-race at crowd.c:13: *; there may be more, as the search was cut: time limit of 5 seconds reached after * states' &&
		jq -e '.verdict == "violated" and .status == 1 and (.notes | any(test("the search was cut: time limit")))' r.json &&
		run 1 check -q --all "$examples/lost_update.c" && ! says 'there may be more'
}
apart_from_formula()
{
	run 3 check -q --max-time 5 --reduction none -DT=6 --ltl '[] {x[0] >= 0}' crowd.c && last 'inconclusive: time limit *; no violation apart from the formula *'
}
walks_cut()
{
	printf '#include <pthread.h>\n#include <stdatomic.h>\nstatic atomic_int a;\nint main(void) { for (;;) a++; }\n' >endless.c
	run 3 check -q --search random --walks 3 endless.c && last 'inconclusive: no violation in 3 random walks (*); 3 of them were cut: they took too many steps'
}
ok all-cut all_cut
ok apart-from-formula apart_from_formula
ok walks-cut walks_cut
finish
