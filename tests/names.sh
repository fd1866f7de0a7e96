#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Names and values in stories are those that a debugger tells of the native program: each program of names/ fails at the line marked
# HERE, and gdb, stopped there, evaluates `NAME == VALUE` in C for the last value that the story tells of each name.
#
#     usage: tests/names.sh BITSPIN [FILTER]
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_cache
quick_pans
cc=$(clang_of_bitspin)

# The last value of each name as "NAME<tab>VALUE", in words of gdb.  A block such as pool#1 is what a variable points to at the end:
# the first that was told to.  Left out is what has no name (`8 bytes at offset 16 of ...`), what is a variable of another call of
# the same function (`, 1 call up`), or of another block (`of line 8`), and the variables `keep`, by which locals get known.
pairs()
{
	jq -r '
		[.violations[0].trace[] | select(.action == "write" or .action == "read" or .action == "atomic") | .detail
			| sub(": [^ ]+ becomes "; " = ") | split(", ")[]
			| capture("^(?<name>[^ ]+(?<of> of [^ ,=]+)?) (=|is) (?<value>.*)$")
			| select(.name | test("^[0-9]|^keep") | not) | select(.value | test("uninitialized|freed|^0x|local v") | not)] as $told
		| (reduce $told[] as $t ({}; .[$t.name] = $t.value)) as $last
		| ([$last | to_entries[] | select(.value | test("^&[^ ]*#[0-9]+(\\[0\\])?$"))
			| { key: (.value | ltrimstr("&") | sub("\\[0\\]$"; "")), value: .key }] | reverse | from_entries) as $held
		| def native: . as $text | [scan("[A-Za-z_.\\[\\]]+#[0-9]+")] as $blocks
			| if $blocks == [] then $text else ($blocks[0]) as $b
				| if $held[$b] == null then "?" else
					($text | split($b + "[") | join("(" + $held[$b] + ")[") | split($b) | join("(*(" + $held[$b] + "))"))
					| native end end;
		  def scoped: gsub("(?<n>[A-Za-z_][A-Za-z_0-9]*)(?<p>[^ ]*) of (?<f>[A-Za-z_]+)\\(\\)"; "\(.f)::\(.n)\(.p)")
			| gsub("(?<n>[A-Za-z_][A-Za-z_0-9]*)(?<p>[^ ]*) of (?<f>[a-z_]+\\.c)"; "\u0027\(.f)\u0027::\(.n)\(.p)");
		  $last | to_entries[] | [(.key | native | scoped), (.value | native | scoped)] | select(all(.[]; test("\\?") | not)) | @tsv
	' report.json
}

# "print" commands of gdb, each of which must say 1; strings are compared by what is in them.
commands()
{
	echo "break $1:$2"
	printf 'set debuginfod enabled off\nset breakpoint pending on\nset print thread-events off\nrun\n'
	local name value
	while IFS=$'\t' read -r name value; do
		value=${value//\\\\/\\}
		case $value in
		'"'*) printf 'print $_streq(%s, %s)\n' "$name" "$value" ;;
		NULL) printf 'print (%s) == 0\n' "$name" ;;
		'&'* | '(char *)'*) printf 'print (long)(%s) == (long)(%s)\n' "$name" "$value" ;;
		[0-9-]*[.e]*) printf 'print (%s) == (__typeof__(%s))%s\n' "$name" "$name" "$value" ;;
		*) printf 'print (%s) == (%s)\n' "$name" "$value" ;;
		esac
	done <pairs
}

# compare PROGRAM FEWEST: so many pairs, and each is as gdb has it.
compare()
{
	local file=$root/tests/names/$1.c line wrong
	cp "$file" .
	run 1 check --json report.json -q "$1.c" || return 1
	line=$(grep -n 'HERE' "$1.c" | cut -d: -f1)
	equal 'line of the violation' "$(jq '.violations[0].line' report.json)" "$line" || return 1
	"$cc" -g -O0 -pthread -w -o native "$1.c" || return 1
	pairs | grep -v '::.*call\|of line' >pairs
	commands "$1.c" "$line" >script
	gdb -q -batch -nx -x script ./native >gdb.out 2>&1 </dev/null
	grep '^\$[0-9]* = ' gdb.out >answers
	[ "$(wc -l <pairs)" -ge "$2" ] || { echo "only $(wc -l <pairs) pairs"; return 1; }
	wrong=$(grep '^print' script | paste -d'\t' - answers | grep -v '= 1$' | head -n 2)
	[ -z "$wrong" ] || { echo "gdb does not agree: $wrong $(tail -n 1 gdb.out)"; return 1; }
}

# told PROGRAM REGEX...: what the debugger cannot be asked, as nothing has that name at the end.
told()
{
	local regex
	cp "$root/tests/names/$1.c" .
	run 1 check --json report.json -q "$1.c" || return 1
	jq -r '.violations[0].trace[].detail' report.json >out
	for regex in "${@:2}"; do
		says "$regex" || return 1
	done
}

if ! command -v gdb >/dev/null; then
	result gdb 'there is no gdb, whose word is needed'
	finish
	exit
fi
while read -r program fewest; do
	ok "$program" compare "$program" "$fewest"
done <<'EOF'
arrays 7
behind 5
bitfields 6
byvalue 5
casts 3
copies 5
double_pointers 7
enums 7
fields 8
flexible 6
functions 4
lists 6
literals 6
locals 2
packed 6
pointers 13
qualified 8
realloced 4
recursion 1
reused 4
scalars 25
statics 6
structs 7
threads 4
typedefs 6
unions 8
vla 1
wrappers 8
zerolength 7
EOF

ok wide told wide '^ld = 0.5$' '^s\.ld = -2$' '^8 bytes at offset 8 of z = 0x4004000000000000$' \
	'^huge = 1267650600228229401496703205376$' '^uhuge = 5$' '^huge = -3$'
ok shadowed told shadowing '^value \(of line 11\) = 3$' '^value \(of line 15\) = 5$'
ok other-calls told recursion '^level = 10$' '^level of down\(\), 1 call up = 70$'
ok other-function told locals '^x = 4$' '^x of outer\(\) = 5$'
ok unnamed told vla '^vla\[2\] = 22$' '^4 bytes at offset 36 of grid = 0xd$' '^1 byte at offset 5 of local variable'
ok behind told behind '^header#1\.used = 8$' '^8 bytes at offset 32 of header#1 = 0x21$' '^1 byte at offset 17 of header#1'
ok blocks told lists '^fresh#4, 16 bytes$' '^fresh#1\.next = &fresh#2$' '^fresh#2\.value = 40$'
ok reused told reused '^a#3, 4 bytes$' '^a#3\.number = 2$' '^b#2\.text\[3\] = '\''c'\''$'
ok holders told fields '^pipes\.in#1, 24 bytes$' '^pipes\.in\.bytes#1\[4\] = '\''e'\''$' '^pipes\.out\[\]#1\[1\]\.used = 3$'
ok areas told copies '^24 bytes of records\[2\] are written$' '^7 bytes of text are written$'
ok threads told threads '^results\[0\] = 8$' '^mine#1\.id = -1$' '^other\.result is &results\[1\]$'

# A function of the program that is called as one of the library, or as one of another file, has the name that its source gives it.
cat >namesakes.c <<'C'
#include <assert.h>
#include <pthread.h>
#include <stdio.h>

static int made;

static void *read(void *unused)
{
	assert(made == 0);
	return unused;
}

int main(void)
{
	pthread_t t;
	FILE *file = fopen("/etc/hosts", "r");
	made = file ? getc(file) : 1;
	pthread_create(&t, NULL, read, NULL);
	pthread_join(t, NULL);
	return 0;
}
C
namesakes()
{
	run 1 check --json r.json namesakes.c && says 'create thread 1, to run read$' && says '^  thread 1: read \(namesakes.c:9\)$' &&
		[ "$(jq -r '.violations[0].function' r.json)" = read ] && ! grep -q 'read\.[0-9]' out r.json
}
ok namesakes namesakes
# Static variables of several files that are called alike are told by their files, and those of functions by their functions.
cat >first.c <<'C'
#include <assert.h>
static int counter, *volatile seen;
void second(void);
int main(void)
{
	seen = &counter;
	second();
	assert(counter == 2);
	return 0;
}
C
cat >second.c <<'C'
static int counter, *volatile seen;
void second(void);
void second(void)
{
	seen = &counter;
	static int counter;
	seen = &counter;
	counter = 9;
}
C
static_namesakes()
{
	COLUMNS=200 run 1 check first.c second.c && says 'seen of first.c = &counter of first.c' &&
		says 'seen of second.c = &counter of second.c' &&
		says 'seen of second.c = &counter of second\(\)$' && says 'counter of second\(\) = 9'
}
ok static-namesakes static_namesakes
# Inputs are told as their types have them.
unsigned_inputs()
{
	cat >unsigned.c <<-'C'
		#include <assert.h>
		unsigned char __VERIFIER_nondet_uchar(void);
		unsigned __VERIFIER_nondet_uint(void);
		_Bool __VERIFIER_nondet_bool(void);
		int __VERIFIER_nondet_int(void);
		int main(void)
		{
			unsigned char c = __VERIFIER_nondet_uchar();
			unsigned u = __VERIFIER_nondet_uint();
			_Bool b = __VERIFIER_nondet_bool();
			int i = __VERIFIER_nondet_int();
			assert(c != 253 || u != 4000000000 || !b || i != -7);
			return 0;
		}
	C
	for inputs in few sets symbolic; do
		run 1 check --inputs $inputs --json r.json unsigned.c &&
			[ "$(jq -c '[.violations[0].inputs[].value]' r.json)" = '["253","4000000000","1","-7"]' ] || return 1
	done
}

ok inputs-unsigned unsigned_inputs
finish
