#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Programs as their builds make them: flags of compilers.
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

finish
