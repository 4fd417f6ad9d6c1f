# A SLURM of one node in a folder of its own, next to other programs of the machine. Sourced by tests/slurm/run, which is in
# a mount namespace of its own. Debian's munge, slurmctld and slurmd are started by hand, without systemd, cgroups and a
# database: jobs are real, their accounting (sacct) is not there.

packages=(munge slurmctld slurmd slurm-client)
daemons=()

require_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'ok installed' || missing+=("$package")
  done
  ((${#missing[@]})) || return 0
  apt-get update -qq
  env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}"
}

# More CPUs than the machine has: jobs share the cores, so even short ones meet their time limit.
write_configuration() {
  local cluster=$1 cpus=$2 node
  node=$(hostname -s)
  mkdir -p "$cluster"/{etc,state,spool,log,run}
  cat >"$cluster/etc/slurm.conf" <<END
ClusterName=psflip
SlurmctldHost=$node(127.0.0.1)
SlurmUser=root
SlurmctldPort=36817
SlurmdPort=36818
AuthType=auth/munge
AuthInfo=socket=$cluster/run/munge.socket
CredType=cred/munge
StateSaveLocation=$cluster/state
SlurmdSpoolDir=$cluster/spool
SlurmctldPidFile=$cluster/run/slurmctld.pid
SlurmdPidFile=$cluster/run/slurmd.pid
SlurmctldLogFile=$cluster/log/slurmctld.log
SlurmdLogFile=$cluster/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
ReturnToService=2
SlurmdParameters=config_overrides
SchedulerType=sched/backfill
SchedulerParameters=sched_interval=5,bf_interval=10
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
MinJobAge=3600
KillWait=30
NodeName=$node NodeAddr=127.0.0.1 CPUs=$cpus RealMemory=100000 State=UNKNOWN
PartitionName=test Nodes=$node Default=YES MaxTime=INFINITE State=UP
END
}

# start NAME COMMAND...: in the foreground of the daemon, in our background, so that its process is known.
start() {
  local name=$1
  shift
  "$@" >"$cluster/log/$name.out" 2>&1 &
  daemons+=($!)
}

start_cluster() {
  cluster=$1
  write_configuration "$cluster" "$2"
  mkdir -p /etc/slurm
  mount --bind "$cluster/etc" /etc/slurm
  dd if=/dev/urandom of="$cluster/munge.key" bs=1024 count=1 status=none
  chmod 600 "$cluster/munge.key"
  chmod 755 "$cluster" "$cluster/run"
  start munged munged --foreground --force --socket="$cluster/run/munge.socket" --key-file="$cluster/munge.key" \
    --pid-file="$cluster/run/munged.pid" --seed-file="$cluster/munge.seed" --log-file="$cluster/log/munged.log"
  start slurmctld slurmctld -D
  start slurmd slurmd -D
  local tries
  for tries in {1..60}; do
    [[ $(sinfo --noheader --format=%T 2>/dev/null) == idle ]] && return 0
    sleep 1
  done
  tail -n 5 "$cluster"/log/*
  echo "the SLURM of this test did not start" >&2
  return 1
}

stop_cluster() {
  local i
  scancel --user root 2>/dev/null
  # In the reverse order: the node, the controller, the keys.
  for ((i = ${#daemons[@]} - 1; i >= 0; --i)); do
    kill "${daemons[i]}" 2>/dev/null
    wait "${daemons[i]}" 2>/dev/null
  done
  daemons=()
}
