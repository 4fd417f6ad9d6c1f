"""The archive of a published study: its block sums, and the headline numbers from them.

python -m workflows.scripts.archive results/published/STUDY    computes the numbers again and prints them next to the published ones

blocks.tar.xz holds one reduced file for each run, with coarser jackknife blocks than the study had: 64 in a run, or fewer
where the archive were larger than 5 MB. Of exchange Monte Carlo it has the last three bins of time. Means are those of the
study; errors differ by their own error, 1 / sqrt(2 (blocks - 1))."""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from typing import Any

import h5py

from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.study.study import Part, Study
from workflows.tables.notation import with_error

ANALYSIS = Path("build/bin/psflip-analysis")
NAME = "blocks.tar.xz"
BLOCKS = 64  # of a run, at most
FEWEST_BLOCKS = 16  # with fewer a number carries a warning (statistics/headline.py)
PACK = 32  # samples that share random numbers, where any do
LARGEST = 5_000_000  # bytes
LAST_BINS = 3  # logarithmic bins of tempering that results and the equilibration test use


def call(*arguments: object) -> None:
    environment = os.environ | {"PYTHONPATH": "analysis/python"}
    words = [str(word) for word in arguments]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    if done.returncode != 0:
        raise SystemExit(done.stderr.strip() or done.stdout.strip())


def block_length(samples: int, shared: bool, blocks: int = BLOCKS) -> int:
    """Samples in a block, whole packs where they share random numbers; so few blocks that the archive stays small."""
    least = PACK if shared else 1
    return least * -(-samples // (least * blocks))


def write_archive(results: Path, target: Path) -> str | None:
    """Puts the block sums of a finished study into `target`, with so few blocks that they fit; says why not where that is not
    possible."""
    study = Study(read_record(results / "study.json"), str(results.parent))
    blocks = BLOCKS
    while True:
        with tempfile.TemporaryDirectory() as folder:
            if missing := sum_blocks(study, blocks, Path(folder)):
                return f"{missing} is missing, so block sums are not archived; run the study to archive them"
            archive = Path(folder) / NAME
            pack(sorted(Path(folder).glob("*.h5")), archive)
            size = archive.stat().st_size
            if size <= LARGEST:
                shutil.copy(archive, target / NAME)
                return None
        if blocks == FEWEST_BLOCKS:
            return f"{size} bytes of block sums are more than {LARGEST}, so they are not archived"
        # The size is in proportion to the blocks; a little less, because each file has a head too.
        blocks = max(FEWEST_BLOCKS, min(blocks - 1, int(0.97 * blocks * LARGEST / size)))


def sum_blocks(study: Study, blocks: int, folder: Path) -> Path | None:
    """Sums of every run over at most so many blocks, as files of their names, from the shards, or where some were removed by
    joining the blocks of reduced files (exchange Monte Carlo), which may leave up to twice as many; the first shard that is
    missing, if one is needed."""
    runs = {part.runs[point].name: (part, point) for part in study.parts.values() for point in part.runs}
    for name, (part, (size, t)) in runs.items():
        shared = study.runs[name].options.get("random") == "shared"
        least = study.block_samples.get(name, PACK if shared else 1)
        length = max(block_length(part.samples[size], shared, blocks), least)
        options = ["--output", folder / f"{name}.h5"]
        options += ["--last-bins", LAST_BINS] if part.method == "tempering" else []
        shards = [Path(study.root) / "shards" / name / f"{first}_{count}.h5" for first, count in part.shards(size)]
        reduced = [Path(path) for path in study.reduced(part, size, t)]
        if not (missing := [path for path in shards if not path.exists()]):
            call(ANALYSIS, "reduce", *shards, "--block-samples", length, "--without-packs", *options)
        elif part.method == "tempering" and all(path.exists() for path in reduced):
            least = max(least, *(samples_in_block(path) for path in reduced))
            joined = least * max(1, length // least)  # whole blocks, and rather more of them than too few
            call(ANALYSIS, "join-blocks", *reduced, "--block-samples", joined, *options)
        else:
            return missing[0]
    return None


def samples_in_block(reduced: Path) -> int:
    """Of a reduced file, which may have come from an archive and have larger blocks than the study."""
    with h5py.File(reduced) as file:
        return int(file.attrs["block_samples"])


def pack(files: list[Path], archive: Path) -> None:
    """The same bytes for the same files."""
    with tarfile.open(archive, "w:xz", preset=9) as tar:
        for path in files:
            entry = tarfile.TarInfo(path.name)
            entry.size = path.stat().st_size
            with path.open("rb") as content:
                tar.addfile(entry, content)


def tables_of_part(part: Part, sums: Path, target: Path) -> dict[str, list[Path]]:
    """The tables of a part that a study has, by the name of their option of `summarize`."""
    target.mkdir(parents=True)

    def of(points: Any) -> list[Path]:
        return [sums / f"{part.runs[point].name}.h5" for point in points]

    made: dict[str, list[Path]] = {"tables": [], "crossings": [], "dynamics": []}
    for size in part.sizes:
        made["tables"].append(target / f"L{size}.csv")
        points = [point for point in part.runs if point[0] == size]
        expected = f"0:{part.samples[size]}"
        call(ANALYSIS, "combine", *of(points), "--expect-samples", expected, "--output", made["tables"][-1])
    for observable in ("U4", "xi_over_L") if part.crossing else ():
        made["crossings"].append(target / f"crossing_{observable}.csv")
        options = [*part.crossing_options.split(), "--output", made["crossings"][-1]]
        call(ANALYSIS, "crossing", *of(part.crossing_grid()), "--observable", observable, *options)
    for size, t in part.runs if part.fit else ():
        made["dynamics"].append(target / f"dynamics_L{size}_T{t}.csv")
        fit = part.fit or {}
        options = ["--fit-from", fit["from"], "--fit-to", fit["to"], *(["--eta", fit["eta"]] if "eta" in fit else [])]
        call(ANALYSIS, "dynamics", *of([(size, t)]), *options, "--scan", "--output", made["dynamics"][-1])
    return made


def exact_tables(study: Study, record: Path, target: Path) -> dict[str, list[Path]]:
    """The tables of exact results and of Nishimori lines, by the name of their option of `summarize`."""
    made = {name: target / "tables" / f"{name}.csv" for name in ("identities", "line")}
    files = ["--study", record, "--observables", target / "tables" / "observables.csv", "--sums", target / "reduced"]
    found: dict[str, list[Path]] = {"identities": [], "line": []}
    if study.parts_with_identities:
        found["identities"].append(made["identities"])
        call(sys.executable, "-m", "workflows.identities.table", *files, "--output", made["identities"])
    if study.nishimori_lines:
        found["line"].append(made["line"])
        curves = ["--curves", target / "tables" / "line_curves.csv"]
        call(sys.executable, "-m", "workflows.line.table", *files, "--output", made["line"], *curves)
    return found


def recompute(published: Path, target: Path) -> list[dict[str, Any]]:
    """The headline numbers of a published study from its archive; tables and summary.json go to `target`."""
    study = Study(read_record(published / "study.json"))
    if study.critical:
        raise SystemExit(f"{published} looks for a transition in relaxation, which needs all times; run the study.")
    with tarfile.open(published / NAME) as tar:
        tar.extractall(target / "reduced", filter="data")
    parts = list(study.parts.values())
    made = [tables_of_part(part, target / "reduced", target / "tables" / part.name) for part in parts]
    tables = {kind: [path for one in made for path in one[kind]] for kind in ("tables", "crossings", "dynamics")}
    observables, summary = target / "tables" / "observables.csv", target / "summary.json"
    python, output = [sys.executable, "-m"], ["--output", observables]
    keys, verdicts = ["--parts", study.keys_of_parts], ["--verdicts", target / "tables" / "verdicts.csv"]
    call(*python, "workflows.tables.tabulate", *tables["tables"], *keys, *output, *verdicts)
    if boundary := [path for path in tables["crossings"] if path.parent.name in {p.name for p in study.boundary_parts}]:
        keys, output = ["--parts", study.keys_of_boundary], ["--output", target / "tables" / "boundary.csv"]
        call(*python, "workflows.tables.boundary", *boundary, *keys, *output)
    exact = exact_tables(study, published / "study.json", target)
    files = ["--study", published / "study.json", "--observables", observables, "--output", summary]
    grids = sorted((published / "grids").glob("*.json"))
    lists = ["--crossings", *tables["crossings"], "--dynamics", *tables["dynamics"], "--grids", *grids]
    lists += ["--identities", *exact["identities"], "--line", *exact["line"]]
    call(*python, "workflows.statistics.summarize", *files, *lists)
    return json.loads(summary.read_text(encoding="utf-8"))


def name_of(number: dict[str, Any]) -> str:
    """The name without the points: with fewer blocks another one may pass the equilibration test, or be the worst."""
    return re.sub(r"of \d+ points.*", "of all points", number["name"])


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("published", type=Path, help="a folder in results/published with " + NAME)
    parser.add_argument("--output", type=Path, help="new folder that keeps block sums, tables and summary.json")
    arguments = parser.parse_args()
    for path, remedy in (
        (arguments.published / NAME, "give a published study that has one"),
        (ANALYSIS, "build it: ./study exec true"),
    ):
        if not path.exists():
            print(f"{path} does not exist; {remedy}", file=sys.stderr)
            return 2
    if arguments.output and arguments.output.exists():
        print(f"--output {arguments.output} exists; name a new folder", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as scratch:
        target = arguments.output or Path(scratch)
        os.makedirs(target, exist_ok=True)
        numbers = recompute(arguments.published, target)
    published = json.loads((arguments.published / "summary.json").read_text(encoding="utf-8"))
    known = {name_of(number): number for number in published}
    for number in numbers:
        then = known.get(name_of(number))  # none where it was published by a version without this number
        words = f"published {with_error(then['value'], then['error'])}" if then else "not published"
        print(f"{number['name']}: {with_error(number['value'], number['error'])}, {words}")
    return 0


if __name__ == "__main__":
    sys.exit(answered(main))
