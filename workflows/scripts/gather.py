"""Gathers the logs and costs of the jobs of many shards in one log and one table, and removes their own files."""

from __future__ import annotations

import argparse
import os
from pathlib import Path


def trace(shard: Path, kind: str, suffix: str) -> Path:
    """The log or the benchmark of the job that made results/<study>/shards/<run>/<shard>.h5. The name of a run at one
    temperature has it, that of a run on a grid has not."""
    run = shard.parent.name
    rule = "simulate" if "_T" in run else "temper"
    return shard.parents[2] / kind / rule / run / f"{shard.stem}{suffix}"


def replace(path: Path, text: str) -> None:
    """A reader, also one after a kill, finds the old text or the new one."""
    temporary = path.with_name(f"{path.name}.tmp.{os.getpid()}")
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary.write_text(text)
    temporary.rename(path)


def gather(files: list[Path], target: Path, header: bool) -> None:
    """Appends the files to `target`, each under its name (logs) or as a line that begins with it (tables)."""
    found = [file for file in files if file.exists()]
    if not found:
        return
    text = target.read_text() if target.exists() else ""
    for file in found:
        content = file.read_text()
        if header:
            title, *lines = content.splitlines() or [""]
            text += "" if text else f"shard\t{title}\n"
            text += "".join(f"{file.stem}\t{line}\n" for line in lines)
        else:
            text += f"==> {file.stem}\n{content}"
    replace(target, text)
    for file in found:
        file.unlink()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("shards", nargs="+", type=Path)
    parser.add_argument("--name", required=True, help="of the gathered files")
    arguments = parser.parse_args()
    for kind, suffix, header in (("logs", ".log", False), ("benchmarks", ".tsv", True)):
        files = [trace(shard, kind, suffix) for shard in arguments.shards]
        gather(files, files[0].with_name(f"{arguments.name}{suffix}"), header)


if __name__ == "__main__":
    main()
