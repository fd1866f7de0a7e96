#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Tests of ltl/, with its command bitspin-ltl.  tests/ltl/*.txt are sessions: each line '$ ARGUMENTS' is run, and what follows,
# up to the next such line or a comment (#), must come out; '$ claim FORMULA ARGUMENTS' makes the automaton first.  Then automata,
# those of patterns.txt and of COUNT random formulas: tests/ltl/automata.c.  Then verdicts: tests/ltl/agreement.sh.
#
#     usage: tests/ltl.sh BITSPIN_LTL [--bless | --sessions | --automata [COUNT [SEED]] | --agreement]      the latter: only that part
set -u
here=$(cd "$(dirname "$0")/ltl" && pwd)
if [ ! -x "${1-}" ]; then
	echo "usage: tests/ltl.sh BITSPIN_LTL [--bless | --sessions | --automata [COUNT [SEED]] | --agreement]" >&2
	exit 2
fi
tool=$(realpath "$1") bless=${2-} count=${3-30} seed=${4-1}
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
passed=0 failed=0

# command ARGUMENTS: they are shell words; a | leads on.
command_of() { (cd "$here" && eval "timeout 20 $tool $1") 2>&1; }

# claim FORMULA ARGUMENTS...: the claim, by way of the automaton.
claim()
{
	local formula=$1
	shift
	"$tool" -a "$formula" | "$tool" -c - "$@" "$formula"
}

check()
{
	local command=$1 expected=$2 found
	if [[ $command == claim\ * ]]; then
		found=$(cd "$here" && eval "$command" 2>&1)
	else
		found=$(command_of "$command")
	fi
	printf '$ %s\n' "$command" >>"$scratch/session"
	[ -z "$found" ] || printf '%s\n' "$found" >>"$scratch/session"
	if [ "$found" = "$expected" ] || [ "$bless" = --bless ]; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		echo "FAIL $command"
		diff <(echo "$expected") <(echo "$found") | head -n 10
	fi
}

# A command goes on where its quotes are open.
is_open() { ! bash -n <<<"$1" 2>/dev/null; }

session()
{
	local command='' expected='' line pending=''
	: >"$scratch/session"
	while IFS= read -r line || [ -n "$line" ]; do
		if [ -n "$pending" ]; then
			command+=$'\n'$line
			is_open ": $command" || pending=''
		elif [[ $line == '$ '* || $line == '# '* || $line == '#' ]]; then
			[ -z "$command" ] || check "$command" "${expected%$'\n'}"
			command='' expected=''
			if [[ $line == '#'* ]]; then
				printf '%s\n' "$line" >>"$scratch/session"
			else
				command=${line#'$ '}
				is_open ": $command" && pending=yes
			fi
		else
			expected+=$line$'\n'
		fi
	done <"$1"
	[ -z "$command" ] || check "$command" "${expected%$'\n'}"
	[ "$bless" != --bless ] || cp "$scratch/session" "$1"
}

# The test has an automaton each for a formula and its negation from ltl/ and, if it answers in time, from SPIN.
automata()
{
	local sources
	mapfile -t sources < <(ls "$here"/../../ltl/*.c | grep -v dump_main)
	if ! ${CC:-gcc} -O2 -D_GNU_SOURCE -o "$scratch/automata" "$here/automata.c" "${sources[@]}"; then
		failed=$((failed + 1))
		return
	fi
	if "$scratch/automata" table <"$here/patterns.txt" >"$scratch/table"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		grep '^FAIL' "$scratch/table" || tail -n 1 "$scratch/table"
	fi
	if "$scratch/automata" random "$count" "$seed" >"$scratch/random"; then
		passed=$((passed + 1))
	else
		failed=$((failed + 1))
		tail -n 5 "$scratch/random"
	fi
}

for file in "$here"/*.txt; do
	[ "$bless" = --agreement ] || [ "$bless" = --automata ] || [[ $file == */patterns.txt ]] || session "$file"
done
if [ -z "$bless" ] || [ "$bless" = --automata ]; then
	automata
fi
if [ -z "$bless" ] || [ "$bless" = --agreement ]; then
	last=$("$here/agreement.sh" "$tool" | tee "$scratch/agreement" | tail -n 1)
	grep '^FAIL' "$scratch/agreement"
	if [[ $last =~ ^([0-9]+)\ passed,\ ([0-9]+)\ failed$ ]]; then
		passed=$((passed + BASH_REMATCH[1])) failed=$((failed + BASH_REMATCH[2]))
	else
		failed=$((failed + 1))
	fi
fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ] && [ "$passed" -gt 0 ]
