#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# States under --memory c11 beside the executions that GenMC explores.  Those are the numbers that GenMC's own tests expect, in
# tests/correct/synthetic/NAME/expected.*.in of its repository MPI-SWS/genmc: CoA and rw under RC11 (rc11.mo), readers under RC11 with
# weak coherence (rc11.wb), ainc and lastzero under sequential consistency (sc.mo).  The programs here are our own, of the same shape
# and parameters.  The table is in Markdown, for docs/memory-models.md.
#
#     usage: tests/bench/executions.sh BITSPIN [FILTER]
own_arguments=yes
. "$(dirname "$0")/../lib.sh"
need_command "${1-}" 'tests/bench/executions.sh BITSPIN [FILTER]'
make_scratch
quick_pans
echo '| program | parameter | in GenMC | executions | states | seconds of CPU |'
echo '|---|---|---|---|---|---|'
while read -r name file parameter executions memory; do
	[[ "$name $file $parameter" =~ ${2-} ]] || continue
	seconds=$(cpu "$bitspin" check -q --memory "$memory" --threads 20 --max-time 100 --json "$scratch/report" "-DN=$parameter" "$root/tests/bench/$file")
	states=$(jq -r '"\(.statistics.states)\(if .verdict == "inconclusive" then "+" else "" end)"' "$scratch/report")
	printf '| `%s` | %s | %s | %s | %s | %.2f |\n' "$(basename "$file" .c)" "$parameter" "$name" "$executions" "$states" "$seconds"
	verdict=$(jq -r .verdict "$scratch/report")
	[ "$verdict" != violated ] && passed=$((passed + 1)) || { failed=$((failed + 1)); echo "FAIL $file $parameter: $verdict"; }
done <<'EOL'
CoA executions/coherence.c 1 4 c11
CoA executions/coherence.c 3 144 c11
CoA executions/coherence.c 4 2304 c11
CoA executions/coherence.c 5 57600 c11
rw executions/read_write.c 2 4 c11
rw executions/read_write.c 3 36 c11
rw executions/read_write.c 4 576 c11
ainc executions/increments.c 5 120 c11
ainc executions/increments.c 6 720 c11
ainc executions/increments.c 7 5040 c11
readers executions/readers.c 2 4 c11
readers executions/readers.c 8 256 c11
lastzero states/last_zero.c 5 64 sc
lastzero states/last_zero.c 10 3328 sc
EOL
finish
