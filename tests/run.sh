#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Runs every verification test: the programs in examples/ and tests/*/ whose head comment has pairs of lines
#
#     RUN: check OPTIONS                 options for the command; the file is added (before a "--", if there is one)
#     EXPECT: verified | verified (vacuously: its premise ... never occurs) | verified, apart from N suppressed fault[s]
#             | verified for one clock, without the file ... (all that it says, less the places)
#             | violated KIND | inconclusive: REASON (how the line goes on, up to the first place in it)
#     ALSO: OPTIONS                      (at most one) the same must come out with these options added
#
# A violation must be reported at a line marked ERROR; only that of a formula has no line.  Each pair is run as it stands, which
# is what users type, and once more under one of the rotating variants below, which may not change the verdict; --full runs all
# variants.  An option the RUN line gives itself is not rotated.  Where the rotation begins is the file's own, so that a new test
# changes no other.
# --quick runs each pair as it stands, and every twelfth of those under variants, but not the files that fill stacks or
# reach limits, which takes long; --rest runs what --quick leaves out, or, with SHARE=N in the environment, one in N of
# those under variants.
#
#     usage: tests/run.sh BITSPIN [-jN] [--full | --quick | --rest] [FILTER]
#
# FILTER: a regular expression over "file options".  TEST_TIMEOUT: seconds that a test may take (120).  TEST_TIMES: a file to
# which the user time and the system time of each test are appended.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
export BITSPIN_CC=${BITSPIN_CC:-$root/tests/quick-cc}

variants=('--search bfs -O1 --reduction none' '-O2 --cores 1' '--all -O0' '--reduction none --all' '--search bfs --all' '--search bfs -O2' '-O1 --all')
# What the last line of a verified program may be: the place is named where another memory model could make a difference.
is_verified='^verified( under (sequential consistency \([1-9][0-9]* weaker atomic access(es, first|,) at [^ ]+:[0-9]+; --memory c11 checks that\)|'
is_verified+="C11's memory model \(RC11.*\))| for x86-TSO, without what compilers reorder)?(, assuming that .*)?\$"
long_files='^tests/faults/(limits|stack_depth|stack_overflow)\.c$'

# The options of a variant that do not contradict the options in $1, in REPLY.  There are thousands: no process is made for one.
compatible()
{
	local variant=" $2"
	[[ $1 =~ (^| )-O[0-3] ]] && variant=${variant// -O[0-3]/}
	if [[ $1 =~ --(ltl|ltl-file|never|property)[\ =] || $1 == *--search* ]]; then # bfs finds no cycles
		variant=${variant// --search bfs/}
	fi
	[[ $1 == *--reduction* ]] && variant=${variant// --reduction none/}
	[[ $1 == *--all* ]] && variant=${variant// --all/}
	REPLY=${variant# }
}

# Puts options $2 into the command line $1, before a "--"; in REPLY.
with()
{
	if [[ " $1 " == *" -- "* ]]; then
		REPLY="$2 $1"
	else
		REPLY="$1 $2"
	fi
}

# Writes a job: file, options and expectation, separated by tabs; if this kind of it is run now.
job() # plain or variant, options, expectation
{
	[ "$1" = plain ] || rotated=$((rotated + 1))
	case $part:${long:-$1} in
	quick:long) return 0 ;;
	quick:variant) [ $((rotated % 12)) = 0 ] || return 0 ;;
	rest:variant) [ $((rotated % 12)) != 0 ] && [ $((rotated % ${SHARE:-1})) = 0 ] || return 0 ;;
	rest:plain) return 0 ;;
	esac
	printf '%s\t%s\t%s\n' "$file" "$2" "$3"
}

# A number that depends on the file's name only, in REPLY.
turn_of()
{
	local i code
	REPLY=0
	for ((i = 0; i < ${#1}; i++)); do
		printf -v code %d "'${1:i:1}"
		REPLY=$(((REPLY * 31 + code) % 100003))
	done
}

# Writes the jobs of one file, which is about to have the lines in `head`.
jobs_of()
{
	local file=$1 also='' options='' line variant list long turn rotated
	[[ $file =~ $long_files ]] && long=long || long=''
	turn_of "$file"
	turn=$REPLY rotated=$REPLY
	for line in "${head[@]}"; do
		[[ $line == ALSO:* ]] || continue
		also=${line#ALSO:}
		also=${also#"${also%%[! ]*}"}
		break
	done
	for line in "${head[@]}"; do
		case $line in
		RUN:*) options=${line#RUN: check}; options=${options# } ;;
		EXPECT:*)
			line=${line#EXPECT: }
			job plain "$options" "$line"
			[ -n "$also" ] && with "$options" "$also" && job plain "$REPLY" "$line"
			if [ "$part" = full ]; then
				list=("${variants[@]}")
			else
				list=("${variants[turn++ % ${#variants[@]}]}")
			fi
			for variant in "${list[@]}"; do
				compatible "$options" "$variant"
				variant=$REPLY
				[ -n "$variant" ] || continue
				[ -n "$also" ] && [ $((turn % 2)) = 0 ] && variant="$variant $also"
				with "$options" "$variant"
				job variant "$REPLY" "$line"
			done ;;
		esac
	done
}

# The lines of head comments that tell what to run: "FILE:LINE", the last of a file being empty.
heads()
{
	awk 'FNR == 1 { if (file) print file ":"; file = FILENAME; over = 0 }
		over { next }
		/^ \* (RUN|EXPECT|ALSO):/ { print FILENAME ":" substr($0, 4) }
		/\*\// { over = 1; nextfile }
		END { if (file) print file ":" }' "$@"
}

# Is the line "FILE:LINE" marked ERROR?
is_marked() { sed -n "${1##*:}p" "$root/${1%:*}" 2>/dev/null | grep -q '/\* ERROR \*/'; }

# Of the violations of a kind that a report under --all lists, one at a line marked ERROR, else the first.
marked() # kind
{
	local line first='' form="^violated: $1[a-z-]* at ([^ ]*:[0-9]+): "
	while IFS= read -r line; do
		[[ $line =~ $form ]] || continue
		first=${first:-$line}
		is_marked "${BASH_REMATCH[1]}" && echo "$line" && return
	done
	echo "$first"
}

# Runs one job; prints one line: "ok ..." or "FAIL ... : reason".
run_one()
{
	local file options expect before after='' status last reason='' kind
	IFS=$'\t' read -r file options expect <<<"${1//$'\t\t'/$'\t' $'\t'}"
	[[ $options == ' ' ]] && options=''
	before=$options
	if [[ " $options " == *" -- "* ]]; then
		before=${options%%-- *}
		after="-- ${options#*-- }"
	fi
	local out
	out=$(cd "$root" && eval "timeout -k 5 ${TEST_TIMEOUT:-120} \"\$BITSPIN\" check $before \"\$file\" $after" 2>&1 </dev/null)
	status=$?
	last=${out##*$'\n'}
	case $expect in
	"verified (vacuously: "*) [ "$status" = 0 ] && [ "$last" = "$expect" ] || reason="expected $expect" ;;
	"verified for "* | "verified without "*) # without the places; an optimizer may remove what depends on it
		[ "$status" = 0 ] && [ "$(sed -E 's/ \([^ ]*:[0-9]+\)//g' <<<"$last")" = "$expect" ] ||
			[[ $options == *-O[123]* && $last == verified* ]] || reason="expected $expect" ;;
	verified) [ "$status" = 0 ] && [[ $last =~ $is_verified ]] ||
		reason="expected verified" ;;
	"verified, apart from "*) [ "$status" = 0 ] && [[ $last == *"${expect#verified}" ]] || reason="expected $expect" ;;
	"inconclusive: "?*) [ "$status" = 3 ] && [[ $last == "$expect"* ]] || reason="expected $expect" ;;
	"violated "?*)
		kind=${expect#violated }
		if [[ $last == "violated: "[0-9]*" faults: "* ]]; then # under --all: each has a line
			last=$(marked "$kind" <<<"$out")
		fi
		if [ "$status" != 1 ] || [[ $last != "violated: $kind"* ]]; then
			reason="expected $expect"
		elif [ "$kind" = ltl ]; then
			: # a formula is about a run, which has no line
		elif [[ ! $last =~ ^"violated: $kind at "([^ ]*:[0-9]+)": " ]]; then
			reason="last line is not 'violated: KIND at FILE:LINE: message'"
		elif [[ $options != *-O[123]* ]]; then # an optimiser moves lines
			is_marked "${BASH_REMATCH[1]}" || reason="a line that is not marked ERROR"
		fi ;;
	*) reason="bad EXPECT line '$expect'" ;;
	esac
	if [ -z "$reason" ]; then
		echo "ok $file $options"
	else
		[ "$status" = 124 ] || [ "$status" = 137 ] && reason="$reason, timed out"
		echo "FAIL $file $options: $reason, got $status: ${last:0:200}"
	fi
}

if [ "${1-}" = --jobs ]; then # several jobs, as a shell takes longer to start than many a check
	shift
	for one; do
		run_one "$one"
	done
	if [ -n "${TEST_TIMES-}" ]; then
		times >"$TEST_TIMES.$$" # of what has ended, in the second line
		echo "$(tail -n 1 "$TEST_TIMES.$$") $1" >>"$TEST_TIMES"
		rm "$TEST_TIMES.$$"
	fi
	exit 0
fi

usage='usage: tests/run.sh BITSPIN [-jN] [--full | --quick | --rest] [FILTER]'
parallel=${JOBS:-2} part=normal filter='' BITSPIN=''
for argument; do
	case $argument in
	-j*) parallel=${argument#-j} ;;
	--full | --quick | --rest) part=${argument#--} ;;
	-*) echo "$usage" >&2; exit 2 ;;
	*) if [ -z "$BITSPIN" ]; then BITSPIN=$argument; else filter=$argument; fi ;;
	esac
done
if [ ! -x "$BITSPIN" ]; then
	echo "$usage: '$BITSPIN' cannot be run" >&2
	exit 2
fi
BITSPIN=$(realpath "$BITSPIN")
export BITSPIN

results=$(mktemp)
trap 'rm -f "$results"' EXIT
cd "$root" || exit 2
[ -n "${TEST_TIMES-}" ] && at_a_time=1 || at_a_time=8
head=()
while IFS=: read -r file line; do
	if [ -n "$line" ]; then
		head+=("$line")
	else
		[[ ${head[*]-} == *'RUN: check'* ]] && jobs_of "$file"
		head=()
	fi
done < <(heads examples/*.c tests/*/*.c) | { grep -E -e "$filter" || true; } | xargs -r -d '\n' -P "$parallel" -n "$at_a_time" bash "$root/tests/run.sh" --jobs >"$results"
grep '^FAIL' "$results" | sort
passed=$(grep -c '^ok' "$results")
failed=$(grep -c '^FAIL' "$results")
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
