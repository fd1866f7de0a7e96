#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs as their builds make them: flags of compilers, bitspin cc, compile_commands.json; --call, for those without a main.
#
#     usage: tests/builds.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans

# noted REGEX: stderr has a line that fits; silent: it has none.
noted() { grep -Eq -- "$1" err || { echo "stderr has no '$1': $(head -c 200 err)"; return 1; }; }
silent() { [ ! -s err ] || { echo "stderr: $(head -c 200 err)"; return 1; }; }

# ---- flags of compilers ---------------------------------------------------------------------------------------------

mkdir -p before system after quotes
echo '#define WHERE 1' >before/where.h
echo '#define WHERE 2' >system/where.h
echo '#define LAST 3' >after/last.h
echo '#define LAST 4' >system/last.h
echo '#define QUOTED 5' >quotes/quoted.h
echo '#define INCLUDED 6' >included.h
cat >flags.c <<'C'
#include <assert.h>
#include <limits.h>
#include <where.h>
#include <last.h>
#include "quoted.h"
enum small { SMALL };
int main(void)
{
	assert(WHERE == 1 && LAST == 4 && QUOTED == 5 && INCLUDED == 6);
	assert(A == 1 && B == 2 && C == 3);
	assert((CHAR_MIN == 0) == UNSIGNED);
	assert(sizeof(enum small) == SIZE);
	return 0;
}
C
meaning=(-Ibefore -isystem system -idirafter after -iquote quotes -include included.h -DA=1 -D B=2 -DC=4 -UC -D C=3)
harmless=(-Wall -Wextra -Werror -Wno-unused -Wp,-MD,x.d -Wa,--noexecstack -Wl,-z,now -pthread -lm -l z -L/nowhere -L /nowhere -pipe
	-MMD -MD -MP -MF x.d -MTx -MT x -MQ x -c -pedantic -pedantic-errors -g3 -ggdb -gdwarf-5 -fPIC -fstack-protector-strong
	-fno-strict-aliasing -ffunction-sections -fvisibility=hidden -flto=auto -shared -static -rdynamic -s -u symbol -Xlinker --gc-sections
	-mtune=native -D_FORTIFY_SOURCE=2 -march=x86-64-v2 -msse4.2 --param=ssp-buffer-size=4 --sysroot=/)
harmless() { run 0 check "${meaning[@]}" "${harmless[@]}" -w -DUNSIGNED=0 -DSIZE=4 flags.c && last verified && silent; }
other_meaning()
{
	run 0 check "${meaning[@]}" -funsigned-char -fshort-enums -DUNSIGNED=1 -DSIZE=1 flags.c && last verified &&
		run 1 check "${meaning[@]}" -DUNSIGNED=1 -DSIZE=4 flags.c && run 1 check "${meaning[@]}" -fshort-enums -DUNSIGNED=0 -DSIZE=4 flags.c
}
from_file()
{
	printf '%s\n' "-Ibefore -isystem 'system' -idirafter \"after\"" '-iquote quo\tes @more' >some
	printf '%s\n' "-include included.h -DA=1 '-DB=2' \"-DC=3\" -DUNSIGNED=0 -DSIZE=4" >more
	run 0 check -q @some flags.c && last verified && silent
}
told_ignored()
{
	echo 'int main(void) { return 0; }' >plain.c
	run 0 check -fsanitize=thread -Os -o plain -fno-such-flag -mno-such-flag -fno-such-flag -mllvm -x plain.c && last verified &&
		equal note "$(cat err)" \
			'bitspin: note: ignored flags of compilers: -fsanitize=thread -Os -o plain -fno-such-flag -mno-such-flag -mllvm -x' &&
		run 0 check -q -Os -fno-such-flag plain.c && silent
}
same_for_all()
{
	run 0 audit -Wall -Os -fPIC plain.c && noted '^bitspin: note: .*: -Os$' && run 0 compare -q -Wall -fPIC plain.c && silent &&
		run 0 generate -Wall -fPIC -lm plain.c -o generated && [ -f generated/model.pml ] && silent
}
# Values of our own options that look like flags are none, and the program's arguments are its own.
own_values()
{
	printf '%s\n' '#include <string.h>' 'int w; int main(int n, char **a) { return n == 1 || strcmp(a[1], "-m32"); }' >own.c
	run 0 check --invariant '-w <= 0' own.c -- -m32 && run 0 check -O 0 own.c -- -m32 && run 1 check -DX --invariant '-w < 0' own.c && last 'violated: invariant *'
}
levels()
{
	run 0 check -O plain.c && says "optimizer left it" && run 0 check -O2 plain.c && says "optimizer left it" &&
		run 0 check -Os plain.c && ! says "optimizer left it" && run 0 check -Ofast plain.c && ! says "optimizer left it" &&
		says 'that of IEEE 754, not what -Ofast makes of it'
}
overflow()
{
	printf '%s\n' '#include <limits.h>' 'int main(int n, char **a) { int x = INT_MAX; x += n; return x == 0; }' >overflow.c
	run 1 check --overflow overflow.c && run 0 check --overflow -fwrapv overflow.c && run 0 check --overflow -fno-strict-overflow overflow.c &&
		run 0 check overflow.c && run 1 check -ftrapv overflow.c
}
common()
{
	printf '%s\n' 'int shared; void set(void) { shared = 3; }' >common1.c
	printf '%s\n' 'int shared; void set(void); int main(void) { set(); return shared != 3; }' >common2.c
	run 0 check -fcommon common1.c common2.c && last verified && run 2 check common1.c common2.c
}
refused() { run 2 check "$@" plain.c && equal "lines of stderr" "$(wc -l <err)" 1 && noted "^bitspin: cannot check with $1"; }
ok harmless-flags harmless
ok flags-of-meaning other_meaning
ok flags-from-file from_file
ok ignored-flags told_ignored
ok all-commands same_for_all
ok own-values own_values
ok levels levels
ok flags-of-overflow overflow
ok flags-of-common common
for flag in -m32 -fopenmp -fcoroutines-ts -fblocks -fpack-struct=1 -fshort-wchar --target=aarch64-linux-gnu -Wl,--wrap=malloc \
	-fexec-charset=latin1 '-target arm' '-x c++'; do
	# shellcheck disable=SC2086
	ok "refused$flag" refused $flag
done
ok accepted-target run 0 check --target=x86_64-pc-linux-gnu -target x86_64-linux-gnu -fexec-charset=UTF-8 -x c plain.c

# ---- bitspin cc -----------------------------------------------------------------------------------------------------

cat >main.c <<'C'
#include <pthread.h>
#include "value.h"
int twice(int), x;
static void *work(void *p) { x = twice(VALUE); return p; }
int main(void)
{
	pthread_t thread;
	pthread_create(&thread, 0, work, 0);
	if (RACE)
		x = 1;
	pthread_join(thread, 0);
	return x - 6;
}
C
mkdir headers
echo '#define VALUE 3' >headers/value.h
echo 'int twice(int n) { return 2 * n; }' >twice.c
echo 'int missing(void); int other(void) { return missing(); }' >other.c
race='violated: data-race at *main.c:*: *'

built() # as a build does it, without a word, and what is built runs
{
	"$bitspin" cc -O2 -Wall -Iheaders -DRACE=1 -c main.c && "$bitspin" cc -c twice.c other.c && ar rc lib.a other.o twice.o &&
		"$bitspin" cc -Iheaders -DRACE=0 -c main.c -o safe.o -MMD -MF safe.d && "$bitspin" cc -pthread -o prog main.o twice.o &&
		"$bitspin" cc safe.o lib.a -o safe && ./safe && grep -q value.h safe.d
}
quietly() { built >built 2>&1 && equal output "$(cat built)" ''; }
of_objects() { run 1 check main.o twice.o && last "$race" && run 0 check safe.o twice.o && last verified && ! says optimizer; }
of_program() { run 1 check prog && last "$race" && says 'main.c:10 +main +x = 1;' && run 0 check safe && last verified; }
of_archive() # of the members only those that are needed; all, if there is nothing else
{
	ar rcT thin.a other.o twice.o && run 1 check main.o lib.a && last "$race" && run 0 check safe.o thin.a && last verified &&
		run 0 check -Iheaders -DRACE=0 main.c lib.a && run 2 check --entry other lib.a && noted "missing" && run 2 check lib.a && noted "'main'"
}
of_linkers() # sections that are put together, are kept when others go, or are stripped
{
	ld -r -o both.o main.o twice.o && run 1 check both.o && last "$race" && "$bitspin" cc -Wl,--gc-sections -s safe.o twice.o -o stripped &&
		strip stripped && ./stripped && run 0 check stripped && "$bitspin" cc -shared -fPIC twice.c -o libtwice.so &&
		run 1 check main.o libtwice.so && last "$race"
}
at_once() # compiled and linked by one call; the sections of objects are there, too
{
	"$bitspin" cc -Iheaders -DRACE=0 main.c twice.o -o once && ./once && run 0 check once && "$bitspin" cc -Iheaders -DRACE=1 main.c twice.c &&
		[ -x a.out ] && run 1 check a.out && last "$race"
}
no_lto() { "$bitspin" cc -flto -c twice.c -o lto.o && "$bitspin" cc -flto safe.o lto.o -o lto && ./lto && run 0 check lto; }
from_words() # a file of flags, the language, a preprocessed file
{
	echo '-Iheaders -DRACE=1 -c' >cflags
	cp main.c main.text
	"$bitspin" cc @cflags -x c main.text -o text.o && run 1 check text.o twice.o && last 'violated: data-race *' &&
		"$bitspin" cc @cflags -E main.c -o main.i && "$bitspin" cc -c main.i && run 1 check main.o twice.o && last "$race"
}
plain_calls() # nothing to leave bitcode in
{
	"$bitspin" cc --version | grep -q clang && "$bitspin" cc -E twice.c | grep -q 'int twice' && "$bitspin" cc -S twice.c -o twice.s &&
		grep -q twice: twice.s && "$bitspin" cc -c twice.s -o assembled.o && "$bitspin" cc -M main.c -Iheaders | grep -q value.h &&
		"$bitspin" cc -fsyntax-only twice.c && echo 'int main(void) { return 7; }' | "$bitspin" cc -x c - -o stdin && { ./stdin; [ $? = 7 ]; } &&
		"$bitspin" cc -c twice.c -o /dev/null && run 2 check stdin && noted "build it with CC='bitspin cc'"
}
failing() # as the compiler fails, and it says why
{
	echo 'int f(void) { return }' >wrong.c
	! "$bitspin" cc -c wrong.c 2>said && grep -q 'wrong.c:1:.*error' said && [ ! -e wrong.o ] && ! "$bitspin" cc nothing.c 2>said &&
		! "$bitspin" cc -c twice.c -o 2>said && grep -q "argument to '-o'" said
}
of_gcc() # what clang cannot compile is built, and a check says why it cannot be checked
{
	printf '%s\n' 'int main(void) { int f(void) { return 0; } return f(); }' >nested.c
	BITSPIN_REAL_CC='gcc -O1' "$bitspin" cc -fno-tree-vrp nested.c -o nested && ./nested && run 2 check nested &&
		noted "^bitspin: 'nested' has no bitcode of '.*nested.c': clang says: nested.c:1:.*error" &&
		BITSPIN_REAL_CC=gcc "$bitspin" cc -Iheaders -DRACE=1 main.c twice.c -o gcc && run 1 check gcc && last "$race"
}
of_flags() # what a check assumes, and what it cannot check
{
	"$bitspin" cc -ffast-math safe.o twice.c -o fast && run 0 check fast && says 'that of IEEE 754, not what -ffast-math makes of it' &&
		"$bitspin" cc safe.o twice.o -Wl,--wrap=free -o wrapped && run 2 check wrapped && noted 'has no bitcode of .*: -Wl,--wrap=free: '
}
by_make()
{
	printf '%s\n' 'CFLAGS = -O2 -Iheaders -DRACE=1' 'made: main.o twice.o' '	$(CC) -o $@ $^' >Makefile
	rm -f main.o twice.o && make -s -j4 CC="$bitspin cc" && run 1 check made && last "$race" && rm -f made main.o twice.o &&
		make -s -j2 CC="$(dirname "$bitspin")/bitspin-cc" && run 1 check made && last "$race"
}
by_cmake()
{
	command -v cmake >/dev/null || return 0
	printf '%s\n' 'cmake_minimum_required(VERSION 3.5)' 'project(p C)' 'add_library(t twice.c)' 'include_directories(headers)' \
		'add_definitions(-DRACE=1)' 'add_executable(prog main.c)' 'find_package(Threads REQUIRED)' \
		'target_link_libraries(prog t Threads::Threads)' >CMakeLists.txt
	CC="$bitspin cc" cmake -B cmade -DCMAKE_EXPORT_COMPILE_COMMANDS=ON . >said 2>&1 && make -s -C cmade >>said 2>&1 && run 1 check cmade/prog &&
		last "$race" && run 1 check cmade/CMakeFiles/prog.dir/main.c.o cmade/libt.a && last "$race" &&
		run 1 check --compdb cmade/compile_commands.json && last "$race"
}
broken() # a section of nonsense, and one that ends too soon
{
	local size
	cp main.o broken.o && head -c 100 /dev/urandom >nonsense && objcopy --update-section .bitspin=nonsense broken.o && run 2 check broken.o &&
		equal "lines" "$(wc -l <err)" 1 && objcopy -O binary --only-section=.bitspin --set-section-flags .bitspin=alloc main.o whole &&
		size=$(stat -c %s whole) && head -c $((size - 10)) whole >cut && objcopy --update-section .bitspin=cut broken.o &&
		run 2 check broken.o && noted 'is broken; build it again' && ar rcT thin2.a twice.o && sed -i 's,^/0 ,/9 ,' thin2.a && run 2 check thin2.a &&
		noted "'thin2.a' is a broken archive|cannot read '.*', a member of" && head -c 300 main.o >cut.o && run 2 check cut.o && equal "lines" "$(wc -l <err)" 1
}
ok built-quietly quietly
ok objects of_objects
ok program of_program
ok archive of_archive
ok linkers of_linkers
ok at-once at_once
ok no-lto no_lto
ok words from_words
ok plain-calls plain_calls
ok failing-calls failing
ok real-compiler of_gcc
ok flags-of-builds of_flags
ok by-make by_make
ok by-cmake by_cmake
ok broken-section broken

# ---- compile_commands.json ------------------------------------------------------------------------------------------

mkdir -p elsewhere
here=$(pwd)
cat >commands.json <<JSON
[{"directory": "$here/elsewhere", "command": "ccache gcc -O2 -I'../headers' -DRACE=1 \\"-DTEXT=a b\\" -o main.o -c ../main.c", "file": "../main.c"},
 {"directory": "$here", "arguments": ["cc", "-Iheaders", "-c", "-fno-such-flag", "twice.c"], "file": "twice.c"},
 {"directory": "$here", "arguments": ["cc", "-Dtwice=thrice", "-c", "twice.c"], "file": "twice.c"},
 {"directory": "$here", "arguments": ["g++", "-c", "some.cc"], "file": "some.cc"}]
JSON
of_database()
{
	run 1 check --compdb commands.json && last "$race" && ! says optimizer && noted 'ignored flags of compilers: -fno-such-flag$' &&
		run 1 check --compdb commands.json twice.c main.c && last "$race" && run 0 check -URACE -DRACE=0 --compdb commands.json &&
		run 1 check --compdb commands.json --invariant 'x < 6' -URACE -DRACE=0 main.c twice.c && last 'violated: invariant *' &&
		run 0 audit --compdb commands.json && run 2 check -DRACE=1 main.c twice.c
}
# wrong_database FILE REGEX ARGUMENT...: one line says what is wrong.
wrong_database()
{
	run 2 check -q --compdb "$1" "${@:3}" && equal "lines of stderr for $1" "$(wc -l <err)" 1 && noted "$2"
}
of_wrong_databases()
{
	echo '{"directory": "/"}' >object.json
	echo '[{"file": "x.c"}]' >entry.json
	echo '[{"directory": "/", "file": "/etc/hosts.c"}]' >command.json
	echo "[{\"directory\": \"$here\", \"file\": \"twice.c\"}]" >nocommand.json
	echo '[{"directory": "/", "file": "x.cc", "command": "g++ -c x.cc"}]' >nothing.json
	sed 's/-O2/-fopenmp/' commands.json >openmp.json
	sed 's/-Iheaders", "-c", "-fno-such-flag", "twice/-DRACE=1", "-Iheaders", "-c", "safe/; s/"twice.c"}/"safe.c"}/' commands.json >mains.json
	cp main.c safe.c
	wrong_database main.c "'main.c' is no compile_commands.json" && wrong_database object.json 'an array of commands' &&
		wrong_database entry.json 'entry 1 has no file' && wrong_database command.json "cannot read '/etc/hosts.c'" &&
		wrong_database nocommand.json "no command for 'twice.c'" && wrong_database nothing.json 'compiles no C file' &&
		wrong_database none.json "cannot read 'none.json'" && wrong_database commands.json "does not compile 'other.c'; add it" other.c &&
		wrong_database openmp.json "compiles with -fopenmp: " &&
		wrong_database mains.json "main is defined in '.*main.c' and in '.*safe.c'; name the files of one program" &&
		run 1 check -q --compdb mains.json safe.c lib.a
}
ok database of_database
ok wrong-databases of_wrong_databases

# ---- a main that is made --------------------------------------------------------------------------------------------

cat >library.c <<'C'
#include <pthread.h>
#include <stdlib.h>
#define TWO 2
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static int x;
int *shared;
static void add(int n) { pthread_mutex_lock(&mutex); x += n; pthread_mutex_unlock(&mutex); }
static int get(void) { pthread_mutex_lock(&mutex); int now = x; pthread_mutex_unlock(&mutex); return now; }
int racy(void) { return x++; }
int keep(void) { return pthread_mutex_lock(&mutex); }
void *worker(void *p) { add(p ? 100 : 1); return p; }
C
wrong_call() { run 2 check -q "${@:2}" && equal "lines of stderr" "$(wc -l <err)" 1 && noted "^bitspin: $1"; }
calls() # static functions and macros are seen; all threads are joined before --finally
{
	run 0 check --setup 'x = 5' --setup 'add(TWO)' --call 'add(1)' --call 'get()' --threads-of 2=worker --threads-of '2=add(TWO)' \
		--finally 'assert(get() == 14)' --finally 'add(1)' library.c && last verified &&
		run 1 check --call 'add(1)' --call 'add(TWO)' --finally 'assert(x == 4)' -DNDEBUG library.c &&
		last "violated: assertion at --finally:1: assertion *x == 4*" && says '^ +[0-9]+ 0 +--call:1 +main +add\(1\) +' &&
		says '^>? +[0-9]* +2 +library.c:7 ' && run 1 check --call 'keep()' --call 'keep()' library.c && last 'violated: deadlock at *' &&
		! says '__bitspin' >/dev/null && run 2 check library.c && noted "no function 'main' to start from; .* or start threads with --call$"
}
variables() # NAME := EXPR
{
	run 0 check --setup 'p := (int *)malloc(4)' --setup 'q:= &p' \
		--setup '*p = 3' --call 'add(**q)' --finally 'assert(get() == 3)' library.c && last verified &&
		run 1 check --setup 'v := 1' --threads-of '2=v++' library.c && last 'violated: data-race at --threads-of:1: *v by*' &&
		wrong_call "--setup 'nobody': at column 1: use of undecl" --setup 'v := nobody' --call get library.c &&
		wrong_call "--setup 'add\(1\)': .*void" --setup 'v := add(1)' --call get library.c
}
races() # the calls run at the same time, those before and after do not
{
	run 1 check --call 'racy()' --call get library.c && last 'violated: data-race at library.c:*' && run 1 check --threads-of 2=racy library.c &&
		last 'violated: data-race at library.c:9: *' && run 0 check --call get --setup 'racy()' --finally 'racy()' library.c && last verified
}
few_threads() # a thread that cannot be created is not joined
{
	run 0 check --faults create:1 --threads-of 2=worker --finally 'assert(x == 1 || x == 2)' library.c && last verified &&
		run 1 check --faults create:1 --threads-of 2=worker --finally 'assert(x == 2)' library.c && run 1 check --races ignore \
		--threads-of 2='racy()' --finally 'assert(x == 2)' library.c && last 'violated: assertion *'
}
leaks() { run 1 check --leaks --call 'shared = malloc(4)' --finally 'shared = 0' library.c && last 'violated: memory-leak *'; }
others() # several files, other commands, properties, files of a build
{
	run 0 check --call 'racy()' --call 'twice(2)' -include twice.h library.c twice.c && last verified && run 0 audit --call 'add(1)' library.c && run 1 check --call 'add(1)' --invariant 'x < 1' library.c && last 'violated: invariant *' &&
		run 0 check --call 'add(1)' --ltl '<> terminated' library.c && run 0 generate --call 'add(1)' library.c -o generated &&
		run 1 compare --call 'racy()' --call 'racy()' library.c
}
of_bitcode() # what is compiled already: with the headers that -include names
{
	"$bitspin" cc -c library.c && "$bitspin" cc -c other.c && ar rc library.a other.o library.o && run 1 check -include library.h --call 'racy()' \
		--threads-of 1=worker library.a && last 'violated: data-race *' && run 1 check -include library.h --threads-of '2=racy()' library.o &&
		run 2 check --call 'racy()' library.o && noted 'name a header that declares it by -include'
}
wrong_calls()
{
	wrong_call "--call 'add\(1': at its end: expected" --call 'add(1' library.c && wrong_call "--call 'add\(1, q\)': at column 8: use of und" \
		--call 'add(1)' --call 'add(1, q)' library.c && wrong_call "--call 'nobody\(\)': at column 1: implicit" --call 'nobody()' library.c &&
		wrong_call "--finally 'y': at column 1: use of undecl" --call get --finally y library.c &&
		wrong_call "--setup 'x \+ ': at its end: " --setup 'x + ' --call get library.c &&
		wrong_call "--threads-of 'add': at column 3: too few" --threads-of 2=add library.c && wrong_call '--call takes an exp' --call ' ' library.c
	for number in 0 -1 201 x =f 2= 2; do
		wrong_call "--threads-of takes a number from 1 to 200 and" --threads-of "$number" library.c || return 1
	done
	wrong_call "--call makes a main of its own, but 'main.c' has one" -Iheaders -DRACE=0 --call 'twice(1)' main.c twice.c &&
		wrong_call "main is defined in '--call' and in '.*main.c'" -Iheaders -DRACE=0 --call get library.c main.c twice.c &&
		wrong_call "--setup and --finally are for the threads" --setup 'x = 1' library.c &&
		wrong_call "--call makes a main to start from; leave out --entry" --entry racy --call get library.c
}
# The project of examples/, by its own build files, right and broken.
project_itself() { rm -rf project && cp -r "$root/examples/project" project && cd project && PATH=$(dirname "$bitspin"):$PATH "$@"; }
project_makes()
{
	(project_itself make -s check >said) && equal "lines of TAP" "$(grep -c '^ok [12] - ' said)" 2 && [ "$(head -1 said)" = 1..2 ] &&
		[ "$(ls project/reports | wc -l)" = 4 ] && ! (project_itself make -s check DEFINES=-DSIGNAL_ONE >said 2>&1) &&
		grep -q '^not ok 2 - transfer' said && grep -q '^# violated: deadlock' said &&
		! (project_itself make -s check DEFINES=--max-depth=2 >said 2>&1; grep -v SKIP said | grep '^ok') && grep -q '^ok 1 - close # SKIP inconclusive' said
}
project_cmakes()
{
	command -v cmake >/dev/null || return 0
	(project_itself sh -c 'cmake -B b . && cmake --build b && ctest --test-dir b' >said 2>&1) && grep -q '100% tests passed.* out of 2' said
}
project_mesons()
{
	command -v meson >/dev/null || return 0
	(project_itself sh -c 'meson setup b && meson test -C b' >said 2>&1) && grep -q '^Ok: *2' said
}
echo 'int twice(int);' >twice.h
echo 'int racy(void); void *worker(void *);' >library.h
ok calls calls
ok races-of-calls races
ok variables variables
ok few-threads few_threads
ok leaks-of-calls leaks
ok calls-elsewhere others
ok calls-of-bitcode of_bitcode
ok wrong-calls wrong_calls
ok project-makes project_makes
ok project-cmakes project_cmakes
ok project-mesons project_mesons

finish
