# SPDX-License-Identifier: MIT
#
# What the test scripts share.  A suite that drives the command sources it with its arguments, BITSPIN [FILTER], and works in a
# scratch directory of its own from then on.  A script with other arguments sets own_arguments=yes before: it gets the functions
# only.
set -u
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
passed=0 failed=0

# ---- scripts of any kind ----------------------------------------------------------------------------------------------

# A directory for the script's files, `scratch`, which goes when it ends.
make_scratch()
{
	scratch=$(mktemp -d)
	trap 'rm -rf "$scratch"' EXIT
}

# cpu COMMAND...: run the command, whose output does not matter, and print the seconds of CPU that it and its children take.
cpu()
{
	{ TIMEFORMAT='%U %S'; time "$@" >/dev/null 2>&1; } 2>&1 | tail -n 1 | awk '{ print $1 + $2 }'
}

# need_command FILE USAGE: the command must be there.  Its absolute name is `bitspin`.
need_command()
{
	if [ ! -x "$1" ]; then
		echo "usage: $2" >&2
		exit 2
	fi
	bitspin=$(realpath "$1")
}

# The clang of the LLVM that bitspin was built with.
clang_of_bitspin()
{
	local version
	version=$("$bitspin" --version | sed -n 's/.*(LLVM \([0-9]*\).*/\1/p')
	echo "${BITSPIN_CLANG:-$(command -v "clang-$version" || echo clang)}"
}

# Pans without optimisation from now on.
quick_pans() { export BITSPIN_CC=${BITSPIN_CC:-$root/tests/quick-cc}; }

# result NAME REASON: count a test; it has failed if there is a reason.
result()
{
	if [ -z "$2" ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $1: $2"
	fi
}

# finish [NOTE]: the sums, and the script's status.
finish()
{
	echo "$passed passed, $failed failed${1:+ ($1)}"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}

# ---- campaigns --------------------------------------------------------------------------------------------------------

# keep_program CAMPAIGN SEED WHAT FILE: leave a program on which bitspin is wrong in tests/bugs/ (or in BUGS), with its seed.
keep_program()
{
	local to=${BUGS:-$root/tests/bugs}
	mkdir -p "$to"
	{
		printf '/* SPDX-License-Identifier: MIT\n *\n * Found by %s.sh, seed %s:\n * %s\n */\n' "$1" "$2" "$(head -c 110 <<<"${3//\*\//}")"
		cat "$4"
	} >"$to/$1-$2.c"
}

# each_seed COUNT FIRST: run this script with "--one SEED" for each, JOBS at a time; what they say goes to $scratch/results, which
# begins with words such as ok and FAIL.
each_seed()
{
	seq "$2" $(($2 + $1 - 1)) | xargs -P "${JOBS:-2}" -I{} bash "$0" --one {} >"$scratch/results"
	grep '^FAIL' "$scratch/results" | sort -k2n | cut -c1-300
	passed=$(number ok) failed=$(number FAIL)
}

# number WORD: how many results begin with it.
number() { grep -c "^$1" "$scratch/results"; }

# ---- suites that drive the command ------------------------------------------------------------------------------------

# A cache and a directory for temporary files of the suite's own.
own_cache()
{
	export TMPDIR=$scratch/tmp XDG_CACHE_HOME=$scratch/cache
	mkdir "$TMPDIR" "$XDG_CACHE_HOME"
}

# ok NAME COMMAND...: the command (usually a function of the suite) must succeed.
ok()
{
	local name=$1 reason
	shift
	[[ $name =~ $filter ]] || return 0
	if "$@" >log 2>&1; then
		result "$name" ''
	else
		reason=$(tail -n 2 log | tr '\n' '|' | head -c 300)
		result "$name" "${reason:-it fails without a word}"
	fi
}

# run STATUS ARGUMENT...: runs bitspin, stdout to `out`, stderr to `err`.
run()
{
	local expected=$1 status
	shift
	timeout "${RUN_TIMEOUT:-60}" "$bitspin" "$@" >out 2>err </dev/null
	status=$?
	[ $status = "$expected" ] || { echo "exit code $status, expected $expected: $(tail -n 1 out) $(tail -n 1 err)"; return 1; }
}

# last TEXT: the last line of stdout, as a glob.
last()
{
	local line
	line=$(tail -n 1 out)
	# shellcheck disable=SC2053
	[[ $line == $1 ]] || { echo "last line: $line"; return 1; }
}

# says REGEX: stdout has it.
says()
{
	grep -Eq -- "$1" out || { echo "stdout has no '$1': $(head -c 200 out)"; return 1; }
}

# family PID: the process, and all that it and they have started.
family()
{
	local child
	echo "$1"
	for child in $(pgrep -P "$1"); do family "$child"; done
}

# is_running PID: it is there, and not a zombie.
is_running() { grep -qs '^State:.[^Z]' "/proc/$1/status"; }

# nothing_left SECONDS PID...: after so long at most these processes have ended, and the directory for temporary files is empty, but
# for names that match `not_ours`, if that is set.  A killed bitspin does both through a process of its own, in no order.
nothing_left()
{
	local tenths=$((10 * $1)) process left
	shift
	for _ in $(seq $tenths); do
		left=$(ls "$TMPDIR" | grep -Ev "${not_ours:-^$}")
		for process in "$@"; do
			is_running "$process" && left+=" $process lives: $(tr '\0' ' ' <"/proc/$process/cmdline")"
		done
		[ -z "$left" ] && return 0
		sleep 0.1
	done
	echo "left behind: $left"
	return 1
}

# equal WHAT FOUND EXPECTED
equal()
{
	[ "$2" = "$3" ] || { echo "$1: $2, expected $3"; return 1; }
}

if [ -z "${own_arguments-}" ]; then
	need_command "${1-}" "tests/$(basename "$0") BITSPIN [FILTER]"
	filter=${2-}
	make_scratch
	cd "$scratch" || exit 2
fi

# ---- terminals, by tmux -----------------------------------------------------------------------------------------------

terminals=0
tmux_() { tmux -L "bitspin-$$-$terminals" -f /dev/null "$@"; }
screen() { tmux_ capture-pane -p; }
# shows REGEX: within ten seconds, the terminal does.
shows()
{
	local i
	for ((i = 0; i < 100; i++)); do
		screen | grep -Eq -- "$1" && return 0
		sleep 0.1
	done
	echo "the terminal does not show '$1': $(screen | grep . | tail -n 4 | tr '\n' '|')"
	return 1
}
# terminal COLUMNS COMMAND: a new terminal.
terminal()
{
	tmux_ kill-server 2>/dev/null
	terminals=$((terminals + 1)) # the last one may be slow to go
	tmux_ new-session -d -x "$1" -y 40 "$2"
}
