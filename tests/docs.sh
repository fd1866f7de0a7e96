#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Sessions quoted in the pages of the documentation are what really happens.  A session is a block that is indented by four blanks:
# a line that begins with `$ ` is a command (with its here-document, if it has one), the lines below it are what it prints.  A line
# `...` stands for any lines; figures of time and memory may differ.  What stands behind a prompt `(bitspin) ` is typed.  The commands
# of a page run one after another in one shell, in a directory that has copies of examples/, docs/ and programs of tests/bench/; the
# command `bitspin` is the one given.
#
# Also, the examples of the manual pages are commands that work, the program in bitspin.h(3) is verified and compiles natively, and
# the index of docs/ names each page.
#
#     usage: tests/docs.sh BITSPIN [FILTER | --bless [FILTER]]
#
# FILTER: a regular expression for names of pages, such as README.md or man/.  --bless writes what commands print now into the pages:
# all of it where nothing was left out, otherwise the story (or the loop it ends with) and the last line, with `...` between them.
# Look at the difference before you commit it.
bless=''
if [ "${2-}" = --bless ]; then
	bless=yes
	set -- "$1" "${3-}"
fi
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
quick_pans
own_cache
unset COLUMNS NO_COLOR
bitspin() { timeout 120 "$bitspin" "$@"; }

# Figures that differ from run to run.
masked() { sed -E -e 's/[0-9][0-9,]*(\.[0-9]+)? (s|MB)\b/N \2/g' "$1"; }

# same EXPECTED ACTUAL: the actual lines are the expected ones, where `...` is any number of lines.
same()
{
	awk 'NR == FNR { expected[++lines] = $0; next } { actual[++found] = $0 }
		function matches(i, j) {
			for (; i <= lines && expected[i] != "..."; i++ && j++)
				if (j > found || expected[i] != actual[j])
					return 0
			if (i > lines)
				return j > found
			for (; j <= found + 1; j++)
				if (matches(i + 1, j))
					return 1
			return 0
		}
		END {
			while (found && actual[found] == "")
				found--
			exit !matches(1, 1)
		}' <(masked "$1") <(masked "$2")
}

# What to quote of the output `actual`, in place of the lines `expected`.
shortened()
{
	local loop='^---- and then, again and again: ----$' from=1
	if ! grep -qx '\.\.\.' expected; then
		cat actual
		return
	fi
	if grep -q -e "$loop" expected && [ "$(head -n 1 expected)" = ... ]; then
		echo ...
		from="/$loop/"
	fi
	sed -n -e '/^assuming/q' -e '/^bitspin explain/q' -e "$from,\$p" actual | sed -e :a -e '/^\n*$/{ $d; N; ba' -e '}'
	echo ...
	tail -n 1 actual
}

# The block that begins at line `start` of the page: `block` without the indent; `at` is the line behind it.
read_block()
{
	local end=$start
	for ((at = start; at < ${#page[@]}; at++)); do
		case ${page[at]} in
		'    '*) end=$((at + 1)) ;;
		'') ;;
		*) break ;;
		esac
	done
	block=()
	for ((at = start; at < end; at++)); do
		block+=("${page[at]#    }")
	done
}

# A command that has been told what stands behind prompts prints the lines between them.  --bless leaves these to a human.
result_of_dialogue()
{
	if same "$scratch/expected" "$scratch/actual"; then
		echo ok
	else
		echo "FAIL $name:$line: '$command' prints other lines (< the page, > now; to be written by hand):"
		diff "$scratch/expected" "$scratch/actual" | grep '^[<>]' | head -n 12
	fi
	sed 's/^./    &/' "$scratch/quoted" >>"$scratch/blessed"
}

# sessions PAGE: run its commands; the page as it ought to be goes to `blessed`.
sessions()
{
	local name=$1 at=0 start i command word line status page block
	mapfile -t page <"$root/$name"
	: >"$scratch/blessed"
	while [ $at -lt ${#page[@]} ]; do
		if [[ ${page[at]} != '    $ '* ]]; then
			printf '%s\n' "${page[at]}" >>"$scratch/blessed"
			at=$((at + 1))
			continue
		fi
		start=$at
		read_block
		for ((i = 0; i < ${#block[@]};)); do
			command=${block[i]#'$ '}
			line=$((start + i + 1))
			printf '    $ %s\n' "$command" >>"$scratch/blessed"
			i=$((i + 1))
			if [[ $command =~ \<\<\'?([A-Z]+) ]]; then
				word=${BASH_REMATCH[1]}
				for (( ; i < ${#block[@]}; i++)); do
					command+=$'\n'${block[i]}
					printf '%s\n' "${block[i]:+    ${block[i]}}" >>"$scratch/blessed"
					[ "${block[i]}" != "$word" ] || break
				done
				i=$((i + 1))
			fi
			for (( ; i < ${#block[@]}; i++)); do
				[[ ${block[i]} != '$ '* ]] || break
				printf '%s\n' "${block[i]}"
			done >"$scratch/expected"
			sed -n 's/^(bitspin) //p' "$scratch/expected" >"$scratch/input"
			eval "$command" >"$scratch/actual" 2>&1 <"$scratch/input"
			status=$?
			if [ -s "$scratch/input" ]; then
				cp "$scratch/expected" "$scratch/quoted"
				sed -i '/^(bitspin) /d' "$scratch/expected"
				result_of_dialogue
				continue
			fi
			if [ $status -gt 1 ] && [ $status != 3 ]; then
				echo "FAIL $name:$line: '${command%%$'\n'*}' ends with status $status: $(tail -n 1 "$scratch/actual")"
			fi
			if [ -n "$bless" ] && ! same "$scratch/expected" "$scratch/actual"; then
				(cd "$scratch" && shortened) | sed 's/^./    &/' >>"$scratch/blessed"
			else
				sed 's/^./    &/' "$scratch/expected" >>"$scratch/blessed"
			fi
			if [ -n "$bless" ] || same "$scratch/expected" "$scratch/actual"; then
				echo ok
			else
				echo "FAIL $name:$line: '${command%%$'\n'*}' prints other lines (< the page, > now; tests/docs.sh --bless writes them):"
				diff <(masked "$scratch/expected") <(masked "$scratch/actual") | grep '^[<>]' | head -n 12
			fi
		done
	done
}

# Pages that need what is not here: a source package from the network.
for page_name in $(cd "$root" && grep -l '^    \$ ' ./*.md docs/*.md | sed 's,^\./,,' | grep -vx docs/projects.md); do
	[[ $page_name =~ $filter ]] || continue
	rm -rf "$scratch/work"
	mkdir "$scratch/work"
	cp -r "$root/examples" "$root/docs" "$scratch/work"
	mkdir -p "$scratch/work/tests/bench"
	cp -r "$root/tests/linearize" "$scratch/work/tests"
	(cd "$root/tests/bench" && cp -r states pairs weak published "$scratch/work/tests/bench")
	(cd "$scratch/work" && sessions "$page_name") >"$scratch/results" 2>&1
	grep -v '^ok$' "$scratch/results"
	passed=$((passed + $(number ok))) failed=$((failed + $(number FAIL)))
	if [ -n "$bless" ] && ! cmp -s "$scratch/blessed" "$root/$page_name"; then
		cp "$scratch/blessed" "$root/$page_name"
		echo "wrote $page_name"
	fi
done

# ---- manual pages -----------------------------------------------------------------------------------------------------

# The files that examples of manual pages speak of.
example_files()
{
	mkdir include build
	cat >prog.c <<'END'
#include <stdio.h>
#include <stdlib.h>
void log_line(const char *line);
int count, max = 2;
_Bool request;
struct { int hits; } stats;
int main(int argc, char **argv)
{
	if (argc > 9)
		log_line(argv[1]);
	stats.hits++;
	free(malloc(1));
	return getchar() != EOF;
}
END
	printf '#include <stdio.h>\nint main(void) { return getchar() != EOF; }\n' >parser.c
	echo 'int ring(void); int main(void) { return ring(); }' >main.c
	printf '#include "ring.h"\nint ring(void) { return N == SIZE ? 0 : 1; }\n' >ring.c
	echo '#define SIZE 3' >include/ring.h
	printf '#include <assert.h>\n#include <pthread.h>\nint count;\n' >queue.c
	printf 'void put(int item) { count += item; }\nvoid take(void) { count--; }\n' >>queue.c
	echo 'data-race:main' >known.txt
	echo '[{ "directory": "..", "file": "main.c", "command": "cc -c main.c" },' >build/compile_commands.json
	echo ' { "directory": "..", "file": "ring.c", "command": "cc -DN=3 -Iinclude -c ring.c" }]' >>build/compile_commands.json
	sed -i "s,\"\.\.\",\"$PWD\"," build/compile_commands.json
}

# examples PAGE: each command of its examples works: it ends with a verdict, whichever that is.
examples()
{
	local name=$1 command status
	example_files
	while read -r command; do
		# What a page says of prog.c alone needs a stub.
		[[ $command != *prog.c* || $command == *--extern* ]] || command=${command/prog.c/--extern log_line=nop prog.c}
		command=${command//4\/one,4\/other/1\/:,1\/:} # machines that a page makes up
		eval "$command" >"$scratch/actual" 2>&1 </dev/null
		status=$?
		case $status in
		0 | 1 | 3) echo ok ;;
		*) echo "FAIL $name: '$command' ends with status $status: $(tail -n 1 "$scratch/actual")" ;;
		esac
	done < <(sed -nE -e '/^(For example:|\.Sh EXAMPLES)$/,/^\.S[sh] [^E]/s/^\.Dl ((bitspin|make|cd) .*)/\1/p' "$root/$name")
}

# The program at the end of bitspin.h(3).
header_example()
{
	awk '/^\.Sh EXAMPLES/ { here = 1 } here && /^\.Ed/ { exit } found { print } here && /^\.Bd/ { found = 1 }' \
		"$root/man/bitspin.h.3" >header.c
	[ -s header.c ] && bitspin check header.c >out && last verified && cc -Wall -Werror -I"$root/runtime" header.c -o header &&
		./header
}

if [ -z "$bless" ]; then
	for page_name in $(cd "$root" && grep -lE '^\.Dl (bitspin|make|cd) ' man/*.[137]); do
		[[ $page_name =~ $filter ]] || continue
		rm -rf "$scratch/work"
		mkdir "$scratch/work"
		cp -r "$root/examples" "$scratch/work"
		(cd "$scratch/work" && examples "$page_name") >"$scratch/results" 2>&1
		grep -v '^ok$' "$scratch/results"
		passed=$((passed + $(number ok))) failed=$((failed + $(number FAIL)))
	done
	ok man/bitspin.h.3 header_example
	for file in $(cd "$root/docs" && ls *.md | grep -vx README.md); do
		result "docs/README.md names $file" "$(grep -q "($file)" "$root/docs/README.md" || echo 'it does not')"
	done
fi
finish
