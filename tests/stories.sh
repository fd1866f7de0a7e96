#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Stories of forty bugs of many kinds (tests/stories/forty.txt): each marks the line that tells the cause; a bug that needs fewer than
# 12 steps is told in at most 20 lines; of a story over 15 lines, at most a third is marked.
#
#     usage: tests/stories.sh BITSPIN [FILTER]
. "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
own_cache
quick_pans
unset NO_COLOR
export COLUMNS=250

# The lines of events of a story: below its head, up to what is said about it.
events() { sed -n '/^ *step thread/,/^(> marks\|^([0-9]* read\|^stacks:\|^in this schedule\|^for this,\|^bitspin explain/p' | sed -e 1d -e '$d'; }

# Check a story.  $1: the arguments; $2: the pattern.
check_story()
{
	local story steps lines marked
	story=$("$bitspin" check $1 2>/dev/null | events)
	lines=$(grep -c . <<<"$story")
	marked=$(grep -c '^>' <<<"$story")
	steps=$(cut -c2-5 <<<"$story" | grep -o '[0-9][0-9]*' | sort -n | tail -1) # the first column; lines of the same step have none
	[ "$lines" -gt 0 ] || { echo "there is no story"; return 1; }
	grep '^>' <<<"$story" | grep -Eq -- "$2" || { echo "the cause is not marked: $2"; return 1; }
	[ "${steps:-0}" -ge 12 ] || [ "$lines" -le 20 ] || { echo "$lines lines for $steps steps"; return 1; }
	[ "$lines" -le 15 ] || [ $((3 * marked)) -le $((lines + 2)) ] || { echo "$marked of $lines lines are marked"; return 1; }
}

# Check that of a story these lines, and no others, point at something.  $1: the arguments; $2: their ends, in a row.
check_arrows()
{
	local said
	said=$("$bitspin" check $1 2>/dev/null | events | grep -e '<--' | sed -E 's/^.*  ([^ ].*)  <--/\1 <--/' | paste -s -d ';')
	[ "$said" = "$2" ] || echo "'$said', and not '$2'"
}

cd "$root/tests" || exit 1
while IFS='|' read -r arguments pattern; do
	case $arguments in '#'* | '') continue ;; esac
	[[ $arguments =~ $filter ]] || continue
	result "$arguments" "$(check_story "$arguments" "$(sed 's/^ *//' <<<"$pattern")")"
done <stories/forty.txt
while IFS='|' read -r arguments said; do
	[[ $arguments =~ $filter ]] || continue
	result "$arguments" "$(check_arrows "$arguments" "$said")"
done <<'EOT'
-DBLOCKS --races ignore stories/which_one.c|allocate current#1, 8 bytes <-- here it is allocated;free current#1 <-- here it is freed
-DCELLS stories/which_one.c|cells[0] = 1 <-- the first access
-DLOCKS stories/which_one.c|lock list <-- here it is locked;lock store <-- here it is locked
EOT
finish
