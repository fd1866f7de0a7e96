#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# bitspin swarm --engine slurm, with a Slurm of its own: one node, this machine, for as long as the test runs (as root; the package
# slurm-wlm).  `make slurm-check`.
#
#     usage: tests/slurm.sh BITSPIN [FILTER]
. "$(dirname "$0")/lib.sh"
own_cache
quick_pans
shallow=$root/tests/bench/ladder/lock_order.c
export SLURM_CONF=$PWD/slurm.conf
node=$(hostname -s)

# Daemons in the foreground, so that they are ours to end.
daemons=()
end_daemons()
{
	[ ${#daemons[@]} = 0 ] || kill "${daemons[@]}" 2>/dev/null
	wait
	cd / && rm -rf "$scratch"
}
trap end_daemons EXIT
begin()
{
	mkdir -p state spool munge && chmod 755 "$scratch" munge || return 1
	head -c 1024 /dev/urandom >munge/key && chmod 400 munge/key
	munged --foreground --force --key-file="$PWD/munge/key" --socket="$PWD/munge/socket" --pid-file="$PWD/munge/pid" \
		--log-file="$PWD/munge/log" --seed-file="$PWD/munge/seed" >munged.log 2>&1 &
	daemons+=($!)
	cat >slurm.conf <<CONF
ClusterName=bitspin
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
AuthType=auth/munge
AuthInfo=socket=$PWD/munge/socket
CredType=cred/munge
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
ReturnToService=2
MpiDefault=none
SchedulerParameters=sched_interval=1
StateSaveLocation=$PWD/state
SlurmdSpoolDir=$PWD/spool
SlurmctldPidFile=$PWD/slurmctld.pid
SlurmdPidFile=$PWD/slurmd.pid
SlurmctldPort=26817
SlurmdPort=26818
NodeName=$node NodeAddr=127.0.0.1 CPUs=$(nproc) State=UNKNOWN
PartitionName=all Nodes=$node Default=YES MaxTime=INFINITE State=UP
CONF
	printf 'CgroupPlugin=autodetect\nCgroupAutomount=yes\n' >cgroup.conf
	slurmctld -D >slurmctld.log 2>&1 &
	daemons+=($!)
	sleep 2
	slurmd -D -N "$node" >slurmd.log 2>&1 &
	daemons+=($!)
	for _ in $(seq 10); do
		sinfo -h -o %t 2>/dev/null | grep -q idle && return 0
		sleep 1
	done
	tail -n 8 munged.log slurmctld.log slurmd.log >&2
	echo 'this machine runs no slurmd'
	return 1
}

finds()
{
	run 1 swarm --engine slurm --max-time 20 --jobs 2 "$shallow" && last 'violated: deadlock at *lock_order.c:*' &&
		says '^found by: .*bitspin check --json - ' || return 1
	for _ in $(seq 20); do # what is left of the array job is cancelled
		[ -z "$(squeue -h)" ] && break
		sleep 0.5
	done
	[ -z "$(squeue -h)" ] || { squeue; return 1; }
	! ls -d .bitspin-swarm.* 2>/dev/null
}
nothing()
{
	run 3 swarm --engine slurm --max-time 6 --jobs 2 -DFIXED "$shallow" && last 'inconclusive: 2 searches of 2 ended; no violation*'
}

begin >begin.log 2>&1 || { cat begin.log; result 'the daemons of Slurm' 'they do not run here'; finish; exit 1; }
ok finds finds
ok nothing nothing
finish
