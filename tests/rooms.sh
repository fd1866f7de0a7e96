#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Rooms stand in the order of dependence: at link level, an object may use its own room and those before it, none after it.
# A list has the rooms of a part, lowest first.  A room is a folder (a), a file (b), or some of these that belong together (a+b).
#
# And every static variable of the VM says whether it belongs to a VM or to the process.
#
#     usage: tests/rooms.sh BUILD   (such as build/llvm14)
set -u
build=$(realpath "${1:?usage: tests/rooms.sh BUILD}") || exit 2
cd "$(dirname "$0")/.." || exit 2
spin_glue='base options formula program model pan native report simulate commands'
runtime='image state trace terms symbolic memory calls sync externals interpreter search/base search/step search/hang search/reduce search/replay search/bound
	search/compare drive search/pan'
translator='base read symbols request lower analyse translate native optimise'
parts='runtime spin_glue translator'
passed=0 failed=0

# "SYMBOL PLACE OBJECT U|D" for each symbol that an object needs or defines; its room is number PLACE of the list.
symbols()
{
	local part=$1 room name sources place=0
	for room in ${!2}; do
		place=$((place + 1))
		for name in ${room//+/ }; do
			sources=$(ls "$part/$name".c "$part/$name"/*.c 2>/dev/null)
			[ -n "$sources" ] || continue
			(cd "$build" && nm -gA ${sources//.c/.o}) | awk -v p=$place '{ source = $1; sub(/\.o:.*/, ".c", source)
				print $NF, p, source, $(NF - 1) == "U" ? "U" : "D" }'
		done
	done
}

for list in $parts; do
	part=${list/_/-} found=$(symbols "$part" "$list")
	upward=$(awk '$4 == "D" { place[$1] = $2; home[$1] = $3 }
		$4 == "U" { use[++n] = $0 }
		END { for (i = 1; i <= n; i++) { split(use[i], u); if (place[u[1]] > u[2]) print "  " u[3] " needs " u[1] " of " home[u[1]] } }' \
		<<<"$found")
	homeless=$(find "$part" -name "*.c" ! -name "*_main.c" ! -path "runtime/native/*" | grep -vxF "$(awk '{ print $3 }' <<<"$found" | sort -u)")
	for offenders in "upward arrows in $part: $upward" "files of $part in no room: $homeless"; do
		if [ -z "${offenders#*: }" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $offenders"; fi
	done
done
# In translator/, no file calls another that calls it, directly or by way of a third.
circle=$(awk '$4 == "D" { home[$1] = $3 } $4 == "U" { use[++n] = $0 }
	END { for (i = 1; i <= n; i++) { split(use[i], u); if (u[1] in home) print u[3], home[u[1]] } }' <<<"$(symbols translator translator)" |
	tsort 2>&1 >/dev/null)
if [ -z "$circle" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL files of translator that call each other:"; echo "$circle"; fi
# Policies are data (image/policy.h): asking for one must not link the VM.
vm=$(nm "$build/bitspin" "$build/bitspin-image" | grep -E ' (run_mutex_lock|vm_run)$')
if [ -z "$vm" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL the command links the VM: $vm"; fi
# Only runtime/search/pan/ knows pan: without it, all objects link with the libraries alone, and no name is optional, as one of pan's
# would be.
apart=$(find runtime -mindepth 2 -name '*.c' ! -path '*/search/pan/*' ! -path 'runtime/native/*' | sed "s|.*|$build/&|; s|c$|o|")
unknown=$(${CC:-cc} -x c -o /dev/null - -x none $apart -lffi -ljansson -lm <<<'int main(void) { return 0; }' 2>&1)
optional=$(nm -gA $apart | grep -E ' [VvWw] ')
for offenders in "runtime/ knows names that are pan's outside of search/pan/: $unknown" "weak symbols outside of search/pan/: $optional"; do
	if [ -z "${offenders#*: }" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL $offenders"; fi
done
# Static variables belong to a VM or to the process, and say so (runtime/state/own.h).
unmarked=$(objdump -t "$build/libbitspin-vm.a" | awk '/file format/ { object = $1 }
	/ O / && !/ (vm_own|vm_shared|\.rodata[^ ]*|\.data\.rel\.ro[^ ]*)\t/ { print "  " object " " $NF }')
if [ -z "$unmarked" ]; then passed=$((passed + 1)); else failed=$((failed + 1)); echo "FAIL neither VM_OWN nor VM_SHARED:"; echo "$unmarked"; fi
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]
