#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Against native runs: programs run up to 200 times under ThreadSanitizer and AddressSanitizer with random delays (shake.h).
# Whatever these report must be found: bitspin may not call such a program verified, and must name a race, a misuse or an
# error of memory.  The programs are random ones (clocks.c, random_program.c, random_sync.c), and those of the test suites
# that are to be verified and that make sense natively.  Fences are left out, as ThreadSanitizer does not know them, and so
# are signals of clocks.c's programs, which it does not count among what orders.
#
# The processor has store buffers, so a run could show a race that no interleaving has; it has not happened yet.
#
#     usage: tests/bench/native.sh BITSPIN [COUNT [FIRST]]        (60 and 1: seeds of each generator)
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
export TSAN_OPTIONS=exitcode=77:halt_on_error=1:report_thread_leaks=0:detect_deadlocks=0:report_signal_unsafe=0
export ASAN_OPTIONS=exitcode=77:detect_leaks=0:detect_stack_use_after_return=1:handle_abort=0
found='data-race|use-after-free|double-free|invalid-free|out-of-bounds|null-dereference|mutex-misuse|thread-misuse|uninitialized-read'

# native SANITIZER OPTIONS: what it reports of the program, in a line; nothing if it is content.
native()
{
	"$CLANG" -O1 -g -w -fsanitize="$1" -fno-omit-frame-pointer $2 -include "$here/shake.h" -I"$here/../../runtime" \
		-o "$dir/native" "$file" -lpthread -lm 2>"$dir/clang.err" || { echo '?'; return; }
	timeout -s KILL 60 setarch -R "$dir/native" >/dev/null 2>"$dir/report" </dev/null
	[ $? != 77 ] || grep -m1 -E 'WARNING: ThreadSanitizer|ERROR: AddressSanitizer' "$dir/report" | sed -E 's/==[0-9]+==|\(pid.*|on .*//g'
}

# Why what ThreadSanitizer reports of this program is no undefined behaviour in C; nothing if it is.
false_alarm() # name
{
	case $1 in
	assembly_lock | machine) echo 'it does not know what assembly orders' ;;
	'circular_waits-DJOIN -DCANCELLED') echo 'a cancelled thread confuses it' ;;
	ducts-DPOLL_ORDERS) echo 'it does not know that poll orders' ;;
	errorcheck) echo 'such a mutex answers EPERM' ;;
	semaphore_named) echo 'it does not know which names mean one semaphore' ;;
	signals-DWAITS | 'signals-DWAITS -DPROCESS') echo 'it does not know that sigwait orders' ;;
	'weak_memory-DSET=relaxed -DATOMIC_FIELD' | 'weak_memory-DSET=relaxed -DNOT_SET') echo 'to it, malloc writes the memory' ;;
	esac
}

# Kinds of violation that bitspin finds; "undecided" for anything but a verdict.
kinds()
{
	timeout 60 "$BITSPIN" check --quiet --all --no-deadlock --json "$dir/r.json" --max-time 30 $1 "$file" >"$dir/out" 2>&1
	case $? in
	0 | 1) jq -r '.violations[].kind' "$dir/r.json" | sort -u | tr '\n' ' ' ;;
	*) echo "undecided: $(tail -n 1 "$dir/out")" ;;
	esac
}

one() # generator or file, seed or options
{
	local name=$1-$2 options='' report kinds='' sanitizer
	dir=$(mktemp -d)
	trap 'rm -rf "$dir"' EXIT
	file=$dir/p.c
	case $1 in
	clocks) "$TOOLS/clocks" program "$2" >"$file" ;;
	random_*) "$TOOLS/$1" "$2" >"$file" ;;
	*) file=$1 name=$(basename "$1" .c)$2 options=$2 ;;
	esac
	if grep -q atomic_thread_fence "$file"; then
		echo "skip $name fences"
		return
	fi
	if [ "$1" = clocks ] && grep -qE "pthread_cond_(signal|broadcast)" "$file"; then
		echo "skip $name signals"
		return
	fi
	for sanitizer in thread address; do
		[ $sanitizer = thread ] || ! grep -qE 'pthread_(cancel|exit|cleanup)|longjmp' "$file" || continue # they confuse it
		report=$(native "$sanitizer" "$options")
		case $report in
		'') echo "ok $name"; continue ;;
		'?') echo "skip $name does not compile: $(grep -m1 error "$dir/clang.err")"; continue ;;
		esac
		kinds=${kinds:-$(kinds "$options")}
		if [[ $kinds == undecided* ]]; then
			echo "skip $name $kinds"
		elif [[ " $kinds" =~ \ ($found)\  ]]; then
			echo "ok $name reported"
		elif [ $sanitizer = thread ] && [ -n "$(false_alarm "$name")" ]; then
			echo "skip $name $(false_alarm "$name")"
		else
			echo "FAIL $name: '$report', bitspin finds '$kinds'"
			keep_program native "$name" "$report" "$file"
		fi
	done
}

# Programs of the suites with a RUN line of macros only that are to be verified: file and options.  Those that speak to the
# verifier mean something else natively.
fixed()
{
	local file line options
	for file in $(grep -LE 'bitspin_(atomic|assume|choose|nondet)|__VERIFIER' examples/*.c tests/{threads,bugs,programs}/*.c); do
		while IFS= read -r line; do
			case $line in
			RUN:*) options=${line#RUN: check} ;;
			'EXPECT: verified'*) [[ ! $options =~ -[^D] ]] && echo "$file${options:+ ${options# }}" ;;
			esac
		done < <(sed -n '/\*\//q; s/^ \* \(RUN:\|EXPECT:\)/\1/p' "$file")
	done
}

here=$root/tests/bench
if [ "${1-}" = --one ]; then
	cd "$root" || exit 2
	one "$2" "${*:3}"
	exit 0
fi
need_command "${1-}" 'tests/bench/native.sh BITSPIN [COUNT [FIRST]]'
make_scratch
export BITSPIN=$bitspin TOOLS=$scratch
CLANG=$(clang_of_bitspin)
export CLANG
for tool in clocks random_program random_sync; do
	${CC:-cc} -O2 -o "$scratch/$tool" "$here/$tool.c" || exit 2
done
count=${2:-60} first=${3:-1}
# A sanitizer that cannot run here would find nothing.
printf 'int x; void *f(void *p) { x++; return p; }\nint main(void) { pthread_t t; pthread_create(&t, 0, f, 0); x++; pthread_join(t, 0); }\n' \
	>"$scratch/racy.c"
dir=$scratch file=$scratch/racy.c
if [ -z "$(native thread '')" ] || [ "$(native thread '')" = '?' ]; then
	echo "ThreadSanitizer does not work here: $(head -n 1 "$scratch/report" "$scratch/clang.err" | tail -n 1)" >&2
	exit 2
fi
{
	for generator in clocks random_program random_sync; do
		seq -f "$generator %.0f" "$first" $((first + count - 1))
	done
	[ -n "${RANDOM_ONLY-}" ] || (cd "$root" && fixed)
} | xargs -P "${JOBS:-2}" -L1 bash "$0" --one >"$scratch/results"
grep '^FAIL' "$scratch/results" | sort | cut -c1-300
[ -z "${VERBOSE-}" ] || grep '^skip' "$scratch/results" | sort
passed=$(number ok) failed=$(number FAIL)
finish "$(grep -c 'reported$' "$scratch/results") with a report, $(number skip) skipped"
