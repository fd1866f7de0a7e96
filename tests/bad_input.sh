#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Bad input and missing resources: one clear line on stderr must name what is wrong, the exit code must be right, the verdict never
# `verified`.  There must be no crash, and no temporary file left behind.
#
#     usage: tests/bad_input.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
trap 'chmod -R u+w "$scratch"; umount "$scratch/small" 2>/dev/null; rm -rf "$scratch"' EXIT
own_cache

# expect NAME STATUS REGEX LINES COMMAND...: runs the command in $scratch; stderr must match the (extended, case-insensitive)
# expression and have at most LINES lines; 0 means any number (where clang or make speak for themselves).
expect()
{
	local name=$1 status=$2 regex=$3 lines=$4 got reason='' last left
	shift 4
	[[ $name =~ $filter ]] || return 0
	timeout 60 "$@" >out 2>err </dev/null
	got=$?
	last=$(tail -n 1 out)
	left=$(find "$TMPDIR" -mindepth 1 | head -3)
	[ "$got" = "$status" ] || reason="exit code $got, expected $status"
	[ "$last" != verified ] || reason="says verified"
	grep -Eqi -- "$regex" err out || reason="${reason:-no message like '$regex'}"
	[ "$lines" = 0 ] || [ "$(grep -c . err)" -le "$lines" ] || reason="${reason:-more than $lines line(s) on stderr}"
	[ -z "$left" ] || reason="${reason:-left behind: $left}"
	rm -rf "$TMPDIR"/*
	result "$name" "${reason:+$reason; stderr: $(head -c 300 err | tr '\n' '|') stdout: $(tail -n 1 out | head -c 200)}"
}

cat >good.c <<'C'
int main(void) { return 0; }
C
cat >masks.c <<'C'
extern int pthread_mutex_lock(void *); extern void *malloc(unsigned long); extern void exit(int); int x, a[2], *p; const int c = 1;
__thread int t; static long mutex[5];
static void writes(void) { x = 1; }
static void reads(void) { (void)*(volatile int *)&x; }
void locks(void) { pthread_mutex_lock(mutex); }
void allocates(void) { p = malloc(4); }
void faults(void) { (void)*(volatile int *)p; }
void exits(void) { exit(0); }
int main(void) { return x + c + a[0]; }
C
cat >syntax.c <<'C'
int main(void) { return 0 }
C
cat >nomain.c <<'C'
int f(void) { return 0; }
C
cat >undefined.c <<'C'
int nobody_wrote_this(int);
int main(void) { return nobody_wrote_this(1); }
C
cat >refused.c <<'C'
#include <unistd.h>
int main(void) { return daemon(0, 0); }
C
cat >twice.c <<'C'
int main(void) { return 1; }
C
cat >threads.c <<'C'
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *f(void *p) { pthread_mutex_lock(&m); pthread_mutex_unlock(&m); return p; }
int main(void)
{
	pthread_mutex_lock(&m);
	for (int i = 0; i < 5000; i++) {
		pthread_t t;
		pthread_create(&t, 0, f, 0);
	}
	pthread_mutex_unlock(&m);
	return 0;
}
C
cat >asm.c <<'C'
int main(void) { int x; __asm__ volatile("cpuid" : "=a"(x) : : "ebx", "ecx", "edx"); return x; }
C
cat >big.c <<'C'
#include <pthread.h>
#include <stdatomic.h>
static atomic_int a[6];
static void *f(void *p) { for (int i = 0; i < 2000; i++) a[0] += (long)p; return p; }
int main(void)
{
	pthread_t t[6];
	for (long i = 0; i < 6; i++)
		pthread_create(&t[i], 0, f, (void *)i);
	for (int i = 0; i < 6; i++)
		pthread_join(t[i], 0);
	return a[0] == 1;
}
C
clang=$(command -v clang-14 || command -v clang-19 || command -v clang)
"$clang" -c -emit-llvm -o good.bc good.c
head -c 200 good.bc >truncated.bc
head -c $(($(stat -c %s good.bc) / 2)) good.bc >half.bc
{ head -c 400 good.bc; head -c 300 /dev/zero | tr '\0' '\377'; tail -c +701 good.bc; } >corrupt.bc
head -c 2000 /dev/urandom >random.bc
: >empty.bc
: >empty.c
printf 'define i32 @main() {\n  ret i64 0\n}\n' >wrong.ll
printf 'BC\xc0\xde' >magic.bc
printf '@g = global i7 0\ndefine i32 @main() {\n  store atomic i7 1, i7* @g seq_cst, align 1\n  ret i32 0\n}
!llvm.module.flags = !{!0}\n!0 = !{i32 2, !"Debug Info Version", i32 3}\n' >invalid.ll
printf 'define i32 @main(i32 %%a) {
  %%h = sitofp i32 %%a to half\n  %%b = bitcast half %%h to i16\n  %%z = zext i16 %%b to i32\n  ret i32 %%z\n}\n' >half.ll
printf '@g = global i256 0, align 32\ndefine i32 @main() {
  %%v = load atomic i256, i256* @g seq_cst, align 32\n  store atomic i256 %%v, i256* @g seq_cst, align 32\n  ret i32 0\n}\n' >wide.ll
printf '@g = global i256 0, align 32\ndefine i32 @main() {
  %%x = cmpxchg i256* @g, i256 0, i256 1 seq_cst seq_cst\n  ret i32 0\n}\n' >exchange.ll
printf 'int main(int first, ...) { return first; }\n' >variadic.c

expect missing-file 2 "absent\.c" 1 "$bitspin" check absent.c
expect missing-among-others 2 "absent\.c" 1 "$bitspin" check good.c absent.c
expect no-file 2 "file|usage" 0 "$bitspin" check
expect no-command 2 "command|usage" 0 "$bitspin"
expect unknown-command 2 "frobnicate" 0 "$bitspin" frobnicate
expect unknown-option 2 "check has no option '--no-such-option' \(see 'bitspin help check'\)" 1 "$bitspin" check --no-such-option good.c
expect bad-number 2 "depth|number" 0 "$bitspin" check --max-depth lots good.c
printf '%s\n' '' '# fine' 'data-race:main' 'data-rase:main' >kind.supp
printf '%s\n' 'data-race' >colon.supp
printf '%s\n' 'data-race:good.c:none' >line.supp
printf '%s\n' 'ltl:main' >never.supp
sed 's|return 0|return 0 /* bitspin: ignore data-rase */|' good.c >comment.c
expect checks-sign 2 "with - or \+ before it, not 'data-race'" 1 "$bitspin" check --checks=data-race good.c
expect checks-kind 2 "no kind of violation 'data-rase'; did you mean 'data-race'\? known are assertion, " 1 "$bitspin" check --checks=+memory-leak,-data-rase good.c
expect checks-never 2 "'ltl' cannot be switched off" 1 "$bitspin" check --checks=-ltl good.c
expect suppressions-missing 2 "cannot read 'absent.supp'" 1 "$bitspin" check --suppressions absent.supp good.c
expect suppressions-kind 2 "kind.supp:4: there is no kind of violation 'data-rase'" 1 "$bitspin" check --suppressions kind.supp good.c
expect suppressions-colon 2 "colon.supp:1: a suppression is KIND:PATTERN, not 'data-race'" 1 "$bitspin" check --suppressions colon.supp good.c
expect suppressions-line 2 "line.supp:1: 'good.c:none' is no line of a file" 1 "$bitspin" check --suppressions line.supp good.c
expect suppressions-never 2 "never.supp:1: 'ltl' cannot be switched off" 1 "$bitspin" check --suppressions never.supp good.c
expect suppressions-comment 2 "comment.c:[0-9]+: a comment ignores 'data-rase', which is no kind of violation" 1 "$bitspin" check comment.c
expect bad-races 2 "races|sometimes" 0 "$bitspin" check --races sometimes good.c
expect bad-search 2 "search|sideways" 0 "$bitspin" check --search sideways good.c
expect bad-profile 2 "profile" 0 "$bitspin" check --profile none good.c
expect bad-identity 2 "no identity 'trace'; known are state, hb, path and scale" 1 "$bitspin" check --identity trace good.c
expect scale-races 2 "--identity scale needs --races ignore" 1 "$bitspin" check --identity scale good.c
expect scale-bfs 2 "--identity scale is a search of its own" 1 "$bitspin" check --races ignore --identity scale --search bfs good.c
expect scale-preemptions 2 "--identity scale is a search of its own" 1 "$bitspin" check --races ignore --identity scale --preemptions 2 good.c
expect scale-mask 2 "--identity scale does not compare states" 1 "$bitspin" check --races ignore --identity scale --mask x good.c
expect bad-identity-option 2 "'lcd' or nothing, not 'nsb'" 1 "$bitspin" check --identity hb,nsb good.c
expect empty-identity 2 "no identity ''" 1 "$bitspin" generate -o model --identity '' good.c
expect lcd-with-states 2 "'lcd' goes with" 1 "$bitspin" check --identity state,lcd good.c
expect lcd-without-path 2 "'lcd' needs --search dfs" 1 "$bitspin" check --identity hb,lcd --search bfs good.c
expect compare-nothing 2 "no program given" 1 "$bitspin" compare
expect compare-missing 2 "absent\.c" 1 "$bitspin" compare absent.c
expect compare-syntax-error 2 "expected ';'" 0 "$bitspin" compare syntax.c
expect compare-undefined 2 "nobody_wrote_this" 1 "$bitspin" compare undefined.c
expect compare-identity 2 "compare has no option '--identity'; it is one of other commands" 1 "$bitspin" compare --identity hb good.c
expect compare-json-place 2 "nowhere" 1 "$bitspin" compare --json nowhere/result.json good.c
expect directory 2 "\." 1 "$bitspin" check .
expect unknown-suffix 2 "good\.txt" 1 sh -c 'cp good.c good.txt; exec "$0" check good.txt' "$bitspin"
expect syntax-error 2 "expected ';'" 0 "$bitspin" check syntax.c
once()
{
	[[ syntax-error =~ $filter ]] || return 0
	[ "$(cat out err | grep -c "expected ';'")" = 1 ] && return 0
	echo "FAIL syntax-error: clang's message is not shown exactly once"
	failed=$((failed + 1))
}
once
expect empty-c 2 "main" 1 "$bitspin" check empty.c
expect no-main 2 "main" 1 "$bitspin" check nomain.c
expect no-entry 2 "other" 1 "$bitspin" check --entry other good.c
expect undefined-function 2 "nobody_wrote_this" 1 "$bitspin" check undefined.c
expect refused-function 3 "daemon is called, which is not supported: .*one process" 0 "$bitspin" check -q refused.c
expect refused-in-svcomp 3 "daemon is called, which is not supported" 0 "$bitspin" check -q --profile svcomp refused.c
expect undefined-place 2 "undefined\.c:2" 1 "$bitspin" check undefined.c
expect inline-assembly 3 "asm" 0 "$bitspin" check -q asm.c
cat >refused.c <<'C'
#include <signal.h>
#include <unistd.h>
#include <sys/time.h>
#include <sys/socket.h>
int main(void)
{
	ualarm(1, 0);
	fork();
	brk(0);
	return socket(1, 1, 1);
}
C
cat >told.c <<'C'
int number(int), *address(int *);
int main(void) { return number(1) + *address(0); }
C
expect assembly-text 3 "unsupported inline assembly .cpuid.; a path comes there, in main .at asm.c:1" 0 "$bitspin" check -q asm.c
expect refused-signal 3 "ualarm is called, .*of timers, alarm\(\), .* are modelled .*refused\.c:7" 0 "$bitspin" check -q refused.c
expect refused-fork 3 "fork is called, .*threads of one process.*refused\.c:8" 0 "$bitspin" check -q --extern ualarm=nop refused.c
expect refused-memory 3 "brk is called, .*malloc" 0 "$bitspin" check -q --extern ualarm=nop --extern fork=nop refused.c
expect refused-socket 3 "socket is called, .*network" 0 "$bitspin" check -q --extern ualarm=nop --extern fork=nop --extern brk=nop refused.c
expect audit-refused 0 "apart from paths to 4 places" 0 "$bitspin" audit refused.c
expect audit-missing 2 "absent\.c" 1 "$bitspin" audit absent.c
expect extern-nothing 2 "extern" 1 "$bitspin" check --extern number good.c
expect extern-what 2 "sometimes" 1 "$bitspin" check --extern number=sometimes told.c
expect extern-range 2 "choose:5\.\.1" 1 "$bitspin" check --extern number=choose:5..1 told.c
expect extern-unused 2 "'nobody'" 1 "$bitspin" check --extern nobody=nop good.c
expect extern-body 2 "'main', where the program begins" 1 "$bitspin" check --extern main=nop good.c
expect extern-twice 2 "twice" 1 "$bitspin" check --extern number=nop --extern number=native told.c
expect extern-fresh 2 "number.*does not return a pointer" 1 "$bitspin" check --extern number=fresh:4 --extern address=nop told.c
expect extern-argument 2 "number.*no such argument" 1 "$bitspin" check --extern number=arg:2 --extern address=nop told.c
expect stubs-missing 2 "absent\.txt" 1 "$bitspin" check --stubs absent.txt told.c
printf '# none\nnumber=nop\naddress\n' >stubs.txt
expect stubs-line 2 "stubs\.txt:3.*NAME=WHAT" 1 "$bitspin" check --stubs stubs.txt told.c
printf 'number=nop\nmain=nop\naddress=nop\n' >stubs.txt
expect stubs-body 2 "stubs\.txt:2.*'main', where the program begins" 1 "$bitspin" check --stubs stubs.txt told.c
printf 'number=nop\naddress=fresh:\n' >stubs.txt
expect stubs-size 2 "stubs\.txt:2.*'fresh:' is not" 1 "$bitspin" check --stubs stubs.txt told.c
printf 'number=nop\nnumber=native\n' >stubs.txt
expect stubs-twice 2 "twice" 1 "$bitspin" check --stubs stubs.txt told.c
expect extern-pointer 2 "address.*pointer" 1 "$bitspin" check --extern number=nop --extern address=native told.c
expect extern-choose-pointer 2 "address.*number" 1 "$bitspin" check --extern number=nop --extern address=choose:0..1 told.c
expect extern-no-native 3 "number" 0 "$bitspin" check --extern number=native --extern address=nop told.c
expect nondet-type 2 "quux" 1 "$bitspin" check --nondet quux=0..1 good.c
expect nondet-range 2 "int=3" 1 "$bitspin" check --nondet int=3 good.c
expect nondet-fit 2 "uchar" 1 "$bitspin" check --nondet uchar=0..256 good.c
expect faults-name 2 "gremlin" 1 "$bitspin" check --faults gremlin:1 good.c
expect faults-number 2 "malloc:lots" 1 "$bitspin" check --faults malloc:lots good.c
expect faults-none 2 "malloc:0" 1 "$bitspin" check --faults malloc:0 good.c
expect faults-timeouts 2 "from 0 to 1000.*timeout:-1" 1 "$bitspin" check --faults timeout:-1 good.c
expect fs-missing 2 "absent" 1 "$bitspin" check --fs absent good.c
expect fs-file 2 "good\.c" 1 "$bitspin" check --fs good.c good.c
expect stdin-missing 2 "absent" 1 "$bitspin" check --stdin absent good.c
expect stdin-second-missing 2 "absent" 1 "$bitspin" check --stdin good.c --stdin absent good.c
expect clock-word 2 "not 'backward'" 1 "$bitspin" check --clock backward good.c
expect clock-none 2 "not 'forward:0'" 1 "$bitspin" check --clock forward:0 good.c
expect clock-many 2 "1 to 1000" 1 "$bitspin" check --clock forward:1001 good.c
expect clock-rest 2 "not 'forward:2x'" 1 "$bitspin" check --clock forward:2x good.c
expect clock-unit 2 "10ms, 1s" 1 "$bitspin" check --clock forward:2:5weeks good.c
expect clock-step 2 "not 'forward:2:'" 1 "$bitspin" check --clock forward:2: good.c
expect clock-no-fault 2 "no fault 'clock'" 1 "$bitspin" check --faults clock:1 good.c
expect stdin-both 2 "do not go together" 1 "$bitspin" check --stdin good.c --stdin-bytes 1=a good.c
expect stdin-bytes-twice 2 "twice" 1 "$bitspin" check --stdin-bytes 1=a --stdin-bytes 1=b good.c
expect stdin-bytes-letter-twice 2 "letter is named twice" 1 "$bitspin" check --stdin-bytes 2=aba good.c
expect stdin-bytes-number 2 "1=" 1 "$bitspin" check --stdin-bytes 1= good.c
expect stdin-bytes-none 2 "0=a" 1 "$bitspin" check --stdin-bytes 0=a good.c
expect any-arg-twice 2 "given twice" 1 "$bitspin" check --arg 1=x --arg 1=any good.c
expect any-too-long 2 "1 to 64" 1 "$bitspin" check --arg 1=any:65 good.c
expect any-nothing 2 "1 to 64" 1 "$bitspin" check --stdin-bytes any:0 good.c
expect any-number 2 "any:N" 1 "$bitspin" check --env X=any:-1 good.c
expect any-few 2 "--arg 1=any needs --inputs sets" 1 "$bitspin" check --arg 1=any --inputs few good.c
expect any-simulate 2 "is for check" 1 "$bitspin" simulate --extern rand=any good.c
expect stdin-bytes-escape 2 "backslash" 1 "$bitspin" check --stdin-bytes '1=\q' good.c
expect arg-malformed 2 "'fast'" 1 "$bitspin" check --arg fast good.c
expect arg-zero 2 "0=x" 1 "$bitspin" check --arg 0=x good.c
expect arg-gap 2 "argument 3 .*argument 2 has none" 1 "$bitspin" check --arg 3=x good.c -- one
expect arg-many 2 "at most 10000 values" 1 "$bitspin" check --arg 1=1..20000 good.c
expect env-malformed 2 "HOME" 1 "$bitspin" check --env HOME good.c
expect two-mains 2 "main" 0 "$bitspin" check good.c twice.c
expect bad-invariant 2 "invariant|undeclared" 0 "$bitspin" check --invariant 'nothing ==' good.c
expect mask-no-lvalue 2 "not a variable, or part of one, with a fixed address: .*rvalue" 1 "$bitspin" check --mask 'x + 1' masks.c
expect mask-no-constant-address 2 "not a variable, or part of one, with a fixed" 1 "$bitspin" check --mask '*p' masks.c
expect mask-unknown 2 "undeclared.*'y'" 1 "$bitspin" check --mask x --mask y masks.c
expect mask-thread-local 2 "not a variable, or part of one, with a fixed" 1 "$bitspin" check --mask t masks.c
expect mask-constant 2 "no global variable that can change" 1 "$bitspin" check --mask c masks.c
expect mask-function 2 "no global variable" 1 "$bitspin" check --mask main masks.c
expect mask-beyond 2 "not inside" 1 "$bitspin" check --mask 'a[2]' masks.c
expect mask-without-c 2 "needs a C file" 1 "$bitspin" check --mask x good.bc
expect mask-generate 2 "not a variable, or part of one, with a fixed" 1 "$bitspin" generate --mask 'x++' masks.c -o masks.d
expect mask-of-bad-program 2 "expected ';'" 0 "$bitspin" check --mask x syntax.c
expect mask-and-abstraction 2 "cannot be used together" 1 "$bitspin" check --mask x --abstract reads masks.c
expect abstraction-writes 2 "abstraction 'writes' fails at .*masks.c:3: it writes to x" 1 "$bitspin" check --abstract writes masks.c
expect abstraction-locks 2 "abstraction 'locks' fails" 1 "$bitspin" check --abstract locks masks.c
expect abstraction-allocates 2 "it allocates memory" 1 "$bitspin" check --abstract allocates masks.c
expect abstraction-faults 2 "null pointer" 1 "$bitspin" check --abstract faults masks.c
expect abstraction-exits 2 "must only read" 1 "$bitspin" check --abstract exits masks.c
expect abstraction-missing 2 "no function 'void nowhere\(void\)'" 1 "$bitspin" check --abstract nowhere masks.c
expect abstraction-of-other-type 2 "not a function 'void main\(void\)'" 1 "$bitspin" check --abstract main masks.c
expect abstraction-no-name 2 "name of a function" 1 "$bitspin" check --abstract 'f()' masks.c
expect truncated-bitcode 2 "truncated\.bc" 1 "$bitspin" check truncated.bc
expect half-bitcode 2 "half\.bc" 1 "$bitspin" check half.bc
expect corrupt-bitcode 2 "corrupt\.bc" 1 "$bitspin" check corrupt.bc
expect random-bitcode 2 "random\.bc" 1 "$bitspin" check random.bc
expect empty-bitcode 2 "empty\.bc|main" 1 "$bitspin" check empty.bc
expect only-magic 2 "magic\.bc" 1 "$bitspin" check magic.bc
expect wrong-assembly 2 "wrong\.ll" 0 "$bitspin" check wrong.ll
cp "$root/tests/bugs/bitcode-assembly-outputs" outputs.bc
expect assembly-outputs 3 'unsupported inline assembly "incl.*a path comes there, in main' 0 "$bitspin" check outputs.bc
expect half-floats 3 "values of type 'half' are not supported; a path comes there" 0 "$bitspin" check half.ll
expect wide-atomics 3 "unsupported atomic access to a value of more than 128 bits; a path comes there" 0 "$bitspin" check wide.ll
expect wide-exchange 3 "unsupported atomic operation on a value of more than 128 bits; a path comes there" 0 "$bitspin" check exchange.ll
expect variadic-entry 2 "'main' takes variable arguments" 0 "$bitspin" check variadic.c
expect invalid-assembly 2 "invalid\.ll.*byte-sized" 1 "$bitspin" check invalid.ll
if command -v clang-19 >/dev/null && [ -n "${LLVM_VERSION-}" ] && [ "$LLVM_VERSION" -lt 19 ]; then
	clang-19 -c -g -emit-llvm -o newer.bc "$root/examples/deadlock.c"
	expect newer-bitcode 2 "newer\.bc" 1 "$bitspin" check newer.bc
fi
expect overflow-optimised 2 "--overflow needs -O0" 1 "$bitspin" check --overflow -O2 good.c
expect too-many-threads 3 "threads are alive.*at threads\.c:[0-9]+" 0 "$bitspin" check --quiet threads.c
expect max-time 3 "time|second" 0 "$bitspin" check --quiet --max-time 2 big.c
expect max-memory 3 "memory" 0 "$bitspin" check --quiet --max-memory 4 big.c
expect max-depth 3 "depth" 0 "$bitspin" check --quiet --max-depth 20 big.c
expect replay-nothing 2 "absent" 1 "$bitspin" replay absent
expect replay-empty 2 "empty" 1 sh -c 'mkdir -p empty; exec "$0" replay empty' "$bitspin"
expect generate-without-output 2 "-o|output|directory|usage" 0 "$bitspin" generate good.c
cat >formulas.c <<'C'
#include "bitspin.h"
int x; int served(void) { return x; } int needs(int n) { return n; }
int main(void) { bitspin_label("critical"); x = 1; return 0; }
C
: >empty.ltl
printf '# nothing\n\n' >comments.ltl
printf '<> served\n[] <>\n' >wrong.ltl
printf 'never { do :: (served) -> goto nowhere od }' >label.pml
clang_formulas=$(command -v clang-14 || command -v clang-19 || command -v clang)
"$clang_formulas" -c -emit-llvm -g -D__BITSPIN__ -I "$root/runtime" formulas.c -o formulas.bc
# An error in a formula has a caret below its place.
formula() { expect "$1" 2 "$2" 3 "$bitspin" check formulas.c "${@:3}"; }
caret() { formula "$@"; [[ $1 =~ $filter ]] && expect "$1-caret" 2 '^ +\^$' 3 "$bitspin" check formulas.c "${@:3}"; }
caret ltl-empty 'formula|expected|missing' --ltl ''
caret ltl-operand 'expected|missing' --ltl '[] (served -> )'
caret ltl-bracket "\)" --ltl '[] (served'
caret ltl-brace "'\}'" --ltl '[] {x == 1'
caret ltl-junk 'expected|unexpected|operator' --ltl 'served served'
caret ltl-next 'next|super-step|step' --ltl '[] (served -> X served)'
caret ltl-unknown "serve'.*did you mean 'served'" --ltl '[] serve'
caret ltl-no-function "'nothing_like_it'" --ltl '[] nothing_like_it'
caret ltl-arguments 'few arguments' --ltl 'needs'
caret ltl-expression "undeclared identifier 'y'" --ltl '<> {y == 1}'
caret ltl-variable "'int x\\(void\\)' of the program, and an expression .* '\\{x\\}'" --ltl '[] x'
caret ltl-thread 'thread' --ltl 'done(served)'
caret ltl-thread-number 'thread' --ltl 'done(999)'
caret ltl-property-definition 'NAME=EXPR' --prop '1=x' --ltl served
formula ltl-in "no function.*'servd'.*did you mean 'served'" --ltl '[] in(servd)'
formula ltl-in-nothing "no function.*'nothing_like_it' in the program$" --ltl '[] in(nothing_like_it)'
formula ltl-label "no bitspin_label.*'critcal'.*did you mean 'critical'" --ltl '[] at(critcal)'
formula ltl-bfs 'bfs.*cycles' --ltl served --search bfs
formula ltl-preemptions 'preemptions' --ltl served --preemptions 2
formula ltl-identity 'identity' --ltl served --identity hb
formula ltl-mask 'mask' --ltl served --mask x
formula ltl-output 'output' --ltl served --output o
formula ltl-property "no property 'terminates'.*termination" --property terminates
formula ltl-fairness "fairness.*'weak'.*not 'weakly'" --fairness weakly --ltl served
formula ltl-prop-alone 'prop.*no formula' --prop a=x
formula ltl-file-absent 'absent.ltl' --ltl-file absent.ltl
formula ltl-file-empty 'no formula.*empty.ltl' --ltl-file empty.ltl
formula ltl-file-comments 'no formula.*comments.ltl' --ltl-file comments.ltl
caret ltl-file-wrong 'expected|missing' --ltl-file wrong.ltl
formula never-absent 'absent.pml' --never absent.pml
formula never-empty 'empty.ltl' --never empty.ltl
formula never-label 'nowhere' --never label.pml
expect ltl-bitcode 2 'C file' 1 "$bitspin" check formulas.bc --ltl '<> {x == 1}'
expect ltl-generate-two 2 'one' 1 "$bitspin" generate formulas.c -o two --ltl served --ltl served
expect bad-json-place 2 "nowhere" 1 "$bitspin" check --quiet --json nowhere/result.json good.c

# A PATH without one of the tools.
mkdir -p path
for tool in /usr/bin/* /bin/*; do
	ln -sf "$tool" path/ 2>/dev/null
done
without()
{
	local name=$1 regex=$2
	shift 2
	rm -rf partial "$XDG_CACHE_HOME"/*
	cp -a path partial
	for tool; do
		rm -f partial/$tool
	done
	expect "$name" 2 "$regex" 1 env "PATH=$scratch/partial" "$bitspin" check good.c
}
without no-spin "spin" spin
without no-compiler "cc|compiler" cc gcc c99 c89 clang tcc 'gcc-[0-9]*' 'x86_64-linux-gnu-gcc*'
without no-clang "clang" clang 'clang-[0-9]*'

# A world without room.
if [ "$(id -u)" != 0 ]; then
	mkdir -p readonly && chmod a-w readonly
	expect unwritable-output 2 "readonly" 1 "$bitspin" generate good.c -o readonly/out
fi
expect file-as-output 2 "good\.c" 1 "$bitspin" generate good.c -o good.c/out
expect unwritable-tmp 2 "nowhere|temporary|TMPDIR|directory" 1 env TMPDIR=/proc/nowhere XDG_CACHE_HOME="$scratch/other" "$bitspin" check good.c
expect full-stdout 2 "space|write|output" 1 sh -c 'exec "$0" check good.c >/dev/full' "$bitspin"
mkdir -p small
if mount -t tmpfs -o size=64k none small 2>/dev/null; then
	expect full-disk 2 "space|write|full" 0 env TMPDIR="$scratch/small" XDG_CACHE_HOME="$scratch/small" "$bitspin" check good.c
	umount small
fi

# Ctrl-C: statistics so far, status 3, nothing left.
interrupt()
{
	[[ interrupt =~ $filter ]] || return 0
	local status last reason=''
	setsid "$bitspin" check big.c >out 2>err </dev/null &
	local leader=$!
	sleep 4
	kill -INT -- -$leader 2>/dev/null || reason="was not running any more"
	for _ in $(seq 50); do
		kill -0 $leader 2>/dev/null || break
		sleep 0.1
	done
	kill -9 -- -$leader 2>/dev/null && reason="does not end on an interrupt"
	wait $leader
	status=$?
	last=$(tail -n 1 out)
	[ "$status" = 3 ] || reason="${reason:-exit code $status, expected 3}"
	[[ $last == inconclusive:* ]] || reason="${reason:-last line is '$last'}"
	grep -qi 'states' out err || reason="${reason:-no statistics}"
	[ -z "$(find "$TMPDIR" -mindepth 1 | head -1)" ] || reason="${reason:-left behind: $(find "$TMPDIR" -mindepth 1 | head -1)}"
	if [ -z "$reason" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL interrupt: $reason; stderr: $(head -c 300 err | tr '\n' '|')"
	fi
	rm -rf "$TMPDIR"/*
}
interrupt

finish
