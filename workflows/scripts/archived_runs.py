"""Tables and figures of the runs of a study that was published before they were made, from its block sums.

python -m workflows.scripts.archived_runs results/published/STUDY    then python -m workflows.scripts.publish writes the page

Of every part of exchange Monte Carlo: specific heat by two ways, and relaxation on the last three bins, which archives keep.
Times of single samples need the measurements, which no archive has."""

from __future__ import annotations

import argparse
import sys
import tarfile
import tempfile
from pathlib import Path

from workflows.diagnostics.names import EQUILIBRATION, METHOD, SPECIFIC_HEAT
from workflows.models.section import Section
from workflows.scripts.archive import ANALYSIS, NAME, call
from workflows.study.error import answered
from workflows.study.reading import read_record
from workflows.study.study import Study

# The command of psflip-analysis and the beginning of the names of its tables, by figure.
TABLES = {SPECIFIC_HEAT: ("specific-heat", "specific_heat"), EQUILIBRATION: ("log-bins", "log_bins")}


def write_section(study: Study, section: Section, sums: Path, published: Path) -> None:
    """The tables and figures of one system."""
    for figure, (command, beginning) in TABLES.items():
        made = []
        for part in study.of(section):
            for size in part.sizes:
                made.append(published / "tables" / part.name / f"{beginning}_L{size}.csv")
                made[-1].parent.mkdir(parents=True, exist_ok=True)
                call(ANALYSIS, command, sums / f"{part.runs[size, None].name}.h5", "--output", made[-1])
        names = ["--prefix", section.prefix + section.suffix, "--output", published]
        call(sys.executable, "-m", f"workflows.diagnostics.{figure}", *made, *names)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("published", type=Path, help="a folder in results/published with " + NAME)
    published = parser.parse_args().published
    for path, remedy in (
        (published / NAME, "give a published study that has one"),
        (ANALYSIS, "build it: ./study exec true"),
    ):
        if not path.exists():
            print(f"{path} does not exist; {remedy}", file=sys.stderr)
            return 2
    study = Study(read_record(published / "study.json"))
    sections = [section for section in study.sections if section.method == METHOD]
    if not sections:
        print(f"{published} has no exchange Monte Carlo; give a study that has", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(published / NAME) as tar:
            tar.extractall(folder, filter="data")
        for section in sections:
            write_section(study, section, Path(folder), published)
    return 0


if __name__ == "__main__":
    sys.exit(answered(main))
