"""Writes the commands of a study as a shell script, for a machine with the programs but without Snakemake.

python -m workflows.scripts.commands config/rfim3d.yaml > commands.sh

The script makes grids, shards, sums and the table of their origin, as the rules would; then the results without the shards
can be copied, and `./study run FILE -- --allowed-rules all record_study combine tabulate crossing ...` continues elsewhere.
Existing files are not made again, and simulations continue from their checkpoints, so the script may be stopped and run again.
`bash commands.sh -j 6 -g 2` works on six sums at a time, each with its shards, on two GPUs in turn. Jobs of one GPU simulate one
after another (`psflip --gpu-lock`) and read and write at the same time, so many at a time hide their files behind the GPU.
With `-r` the shards of a sum go once it is there, where the disk cannot hold those of the whole study; other blocks, or more samples
in a sum that is not full, simulate them again.
"""

from __future__ import annotations

import argparse
import re
import shlex
import subprocess
import sys
from pathlib import Path

from workflows.study.identity import stream_version
from workflows.study.study import Study

JOB = re.compile(r"^(?:local)?rule (?P<rule>\w+):\n(?P<body>(?:    .*\n)*)Shell command: (?P<command>.+)$", re.M)

HEAD = """#!/usr/bin/env bash
# The commands of {study}, in an order in which they can run; made by workflows/scripts/commands.py. Run it where build/ is.
set -euo pipefail
trap 'wait; exit 143' TERM INT  # after the jobs at hand, which the signal reaches too, have written their checkpoints
command -v python > /dev/null || {{ python() {{ python3 "$@"; }}; export -f python; }}  # Debian names it python3 only

jobs=1 gpus=0 remove=0 number=0 failures=$(mktemp) turns=$(mktemp -d)
trap 'rm -rf "$failures" "$turns"' EXIT
while getopts j:g:r option; do
  case $option in
    j) jobs=$OPTARG ;;
    g) gpus=$OPTARG ;;
    r) remove=1 ;;
    *) echo "usage: commands.sh [-j SUMS AT A TIME] [-g GPUS] [-r]" >&2 && exit 2 ;;
  esac
done
if ! [[ $jobs =~ ^[1-9][0-9]*$ && $gpus =~ ^[0-9]+$ ]]; then
  echo "commands.sh: -j and -g take whole numbers, -j at least 1" >&2 && exit 2
fi

# make FILE LOG COMMAND: existing files are not made again.
make() {{
  [[ -e $1 ]] && return
  mkdir -p "$(dirname "$1")" "$(dirname "$2")"
  printf '%s  %s\\n' "$(date +%H:%M:%S)" "$1"
  local status=0
  bash -c "$3" || status=$?
  ((status == 0)) || {{ tail -n 5 "$2" >&2; exit "$status"; }}
}}

# forget SHARD...: of a sum that is there, if shards are to go.
forget() {{ ((remove == 0)) || rm -f "$@"; }}

# start GROUP: a function that makes files which depend on each other. Nothing is started after a failure.
start() {{
  wait_for_fewer_than "$jobs"
  (
    trap 'exit 143' TERM INT
    trap 'status=$?; ((status == 0)) || echo "$status" >> "$failures"' EXIT
    if ((gpus > 0)); then export CUDA_VISIBLE_DEVICES=$((number % gpus)) PSFLIP_GPU_LOCK=$turns/$((number % gpus)); fi
    "$1"
  ) &
  number=$((number + 1))
}}

wait_for_fewer_than() {{
  local running status
  while running=($(jobs -rp)) && ((${{#running[@]}} >= $1)); do wait -n || true; done
  read -r status < "$failures" || return 0
  wait
  exit "$status"
}}

settle() {{ wait_for_fewer_than 1; }}

"""


def targets(study: Study) -> list[str]:
    """All that needs the engine or measurements: grids, sums, and where they come from."""
    grids = [f"{study.root}/grids/stream{stream_version()}/{name}.json" for name in study.grids]
    points = [(part, size, t) for part in study.parts.values() for size, t in part.runs]
    sums = [path for point in points for path in study.reduced(*point)]
    return list(dict.fromkeys([*grids, *sums, f"{study.root}/tables/provenance.csv"]))


def planned(file: Path) -> str:
    """The jobs of Snakemake, with every command."""
    options = ["--cores", "1", "--scheduler", "greedy", "--dry-run", "--printshellcmds"]
    command = [sys.executable, "-m", "snakemake", "--configfile", str(file), *options, *targets(Study.read(file))]
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    if done.returncode:
        sys.exit(done.stdout)
    return done.stdout


def named(body: str, key: str) -> str:
    return re.search(rf"^    {key}: (\S+)$", body, re.M).group(1)


def order(job: re.Match[str]) -> tuple[int, int, str, bool, str]:
    """Grids, then the shards of every run and their sums, small sizes first, then where all comes from."""
    output = named(job["body"], "output")
    size = re.search(r"_L(\d+)_", output)
    stage = {"record_study": 0, "adapt": 0, "provenance": 2}.get(job["rule"], 1)
    run, file = Path(output).parts[-2:]
    return stage, int(size.group(1)) if size else 0, run, job["rule"] == "reduce", file


def groups(jobs: list[re.Match[str]]) -> list[list[re.Match[str]]]:
    """Jobs that others need, and these, in order: every sum behind its shards, all else alone."""
    shards = {named(job["body"], "output"): job for job in jobs if job["rule"] in ("simulate", "temper")}
    result = []
    for job in jobs:
        if job["rule"] == "reduce":
            words = job["command"].split()
            result.append([shards.pop(word) for word in words if word in shards] + [job])
        elif job["rule"] not in ("simulate", "temper"):
            result.append([job])
    return result


def commands(group: list[re.Match[str]]) -> str:
    """The commands of a group. A sum that exists needs no shards, which may have been removed."""
    *shards, last = [named(job["body"], "output") for job in group]
    lines = [shlex.join([named(job["body"], "output"), named(job["body"], "log"), job["command"]]) for job in group]
    makes = "".join(f"  make {line}\n" for line in lines)
    if not shards:
        return makes
    forget = f"forget {shlex.join(shards)}"
    return f"  [[ -e {shlex.quote(last)} ]] && {{ {forget}; return; }}\n{makes}  {forget}\n"


def script(study: Path) -> str:
    text, last = HEAD.format(study=study), 0
    for number, group in enumerate(groups(sorted(JOB.finditer(planned(study)), key=order))):
        stage = order(group[-1])[0]
        if stage != last:
            text, last = text + "settle\n", stage
        text += f"group_{number}() {{\n{commands(group)}}}\nstart group_{number}\n"
    return text + "settle\n"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("study", type=Path)
    print(script(parser.parse_args().study), end="")


if __name__ == "__main__":
    main()
