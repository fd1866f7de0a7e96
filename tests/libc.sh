#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# The C library: each program of tests/libc prints the same in the VM as natively, at -O0 and -O2; and every function of
# builtin.def is called by some test (or refused).
#
#     usage: tests/libc.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
clang=${BITSPIN_CLANG:-$(command -v clang-14 || command -v clang-19 || command -v clang)} # gcc evaluates arguments in another order

compare()
{
	local file=$1 level=$2 last difference
	$clang -w -std=gnu17 "$level" -o "$scratch/program" "$file" -lm || { echo "does not compile"; return; }
	(cd "$root/tests/libc/files" && TZ=UTC0 LC_ALL=C timeout 20 "$scratch/program" <"$root/tests/libc/input" >"$scratch/native" 2>/dev/null)
	rm -f "$scratch/vm"
	last=$(timeout 60 "$bitspin" check -q "$level" --fs "$root/tests/libc/files" --stdin "$root/tests/libc/input" \
		--output "$scratch/vm" "$file" 2>&1 | tail -n 1)
	[[ $last == verified || $last =~ ^verified\ (for|without)\  ]] || { echo "${last:0:200}"; return; }
	difference=$(diff "$scratch/native" "$scratch/vm" | head -n 3 | cut -c1-150)
	echo ${difference:+"native and VM differ: $difference"}
}

for file in "$root"/tests/libc/*.c; do
	[[ $file =~ $filter ]] || continue
	for level in -O0 -O2; do
		result "$file $level" "$(compare "$file" $level)"
	done
done

# What all tests call, as undefined symbols of their object files.
if [[ rows =~ $filter ]]; then
	for file in "$root"/tests/{libc,c,threads,signals,faults,world,sync}/*.c; do
		[ -f "$file" ] && gcc -w -O0 -fno-builtin -std=gnu17 -I"$root/runtime" -D__BITSPIN__ -c -o "$scratch/object" "$file" 2>/dev/null &&
			nm -u "$scratch/object"
	done | awk '{ print $2 }' | sort -u >"$scratch/called"
	# Other names of functions that are called by one name.
	sed -E 's/^__isoc99_//' "$scratch/called" >"$scratch/more"
	printf '%s\n' __getdelim __uflow __overflow __muldc3 __mulsc3 __divdc3 __divsc3 _exit _Exit cfree __isoc23_{strtol,strtoll,strtoul,strtoull,scanf,vscanf,sscanf,vsscanf,fscanf,vfscanf} \
		__isoc23_{,v}{,s,f}wscanf __isoc99_{scanf,vscanf,sscanf,vsscanf,fscanf,vfscanf} open64 fopen64 tmpfile64 _IO_getc _IO_putc setbuffer setbuf setlinebuf \
		sigsetjmp setjmp __sysv_signal __assert __syslog_chk __vsyslog_chk membarrier __libc_current_sigrt{min,max} __xpg_sigpause signalfd sigqueue \
		__bitspin_set_robust_list __cpu_indicator_init timer_{create,delete,getoverrun,gettime,settime} timerfd_gettime sync madvise vdprintf __bitspin_{map,unmap,write,promise,promise_aligned,promise_given,promise_returned,abort,vformat,vwformat,disk,protect,regcomp,regexec,regerror,choose_any,choose_argument,choose_input,choose_text} >>"$scratch/more"
	sort -u "$scratch/called" "$scratch/more" >"$scratch/known"
	missing=$(sed -nE 's/^(BUILTIN|HOST|LIBRARY|NOTHING)\("([^"]*)".*/\2/p' "$root/runtime/externals/builtin.def" "$root/runtime/externals/library.def" | grep -v '^__VERIFIER\|^bitspin_\|^pthread_' |
		sort -u | comm -23 - "$scratch/known" | tr '\n' ' ')
	result "functions of builtin.def that no test calls" "$missing"
fi
finish
