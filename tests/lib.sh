# SPDX-License-Identifier: MIT
#
# What the suites that drive a command share; they source it after `usage` is set, with their arguments: BITSPIN [FILTER].  They
# then work in a scratch directory of their own.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/$(basename "$0") BITSPIN [FILTER]" >&2
	exit 2
fi
bitspin=$(realpath "$1")
filter=${2-}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch" || exit 2
passed=0 failed=0

# A cache and a directory for temporary files of the suite's own.
own_cache()
{
	export TMPDIR=$scratch/tmp XDG_CACHE_HOME=$scratch/cache
	mkdir "$TMPDIR" "$XDG_CACHE_HOME"
}

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

# ok NAME COMMAND...: the command (usually a function of the suite) must succeed.
ok()
{
	local name=$1
	shift
	[[ $name =~ $filter ]] || return 0
	if "$@" >log 2>&1; then
		result "$name" ''
	else
		result "$name" "$(tail -n 2 log | tr '\n' '|' | head -c 300)"
	fi
}

# run STATUS ARGUMENT...: runs bitspin, stdout to `out`, stderr to `err`.
run()
{
	local expected=$1 status
	shift
	timeout 60 "$bitspin" "$@" >out 2>err </dev/null
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

# equal WHAT FOUND EXPECTED
equal()
{
	[ "$2" = "$3" ] || { echo "$1: $2, expected $3"; return 1; }
}

# The sums, and the suite's status.
finish()
{
	echo "$passed passed, $failed failed"
	[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
}
