"""A mutated copy of the repository: places drawn by a seed, one build of all mutants that compile."""

from __future__ import annotations

import json
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path

from places import Place, mutated, places_of

ROOT = Path(__file__).resolve().parents[2]
LEFT_OUT = ("engine/cuda/", "engine/laboratory/")


@dataclass(frozen=True)
class Mutant:
    """One drawn place of a file."""

    number: int
    file: str
    place: Place


def sources(root: Path, rooms: Iterable[str] = ("engine", "analysis"), pattern: str = "*.[ch]pp") -> list[str]:
    files = [path for room in rooms for path in (root / room).rglob(pattern)]
    names = sorted(str(path.relative_to(root)) for path in files)
    return [name for name in names if not name.startswith(LEFT_OUT)]


def draw(files: list[str], seed: int, count: int) -> list[Mutant]:
    """Each line with a place is drawn with equal chance, then one of its places. Drawn places do not overlap."""
    on_line: dict[tuple[str, int], list[Place]] = {}
    for file in files:
        for place in places_of((ROOT / file).read_text()):
            on_line.setdefault((file, place.line), []).append(place)
    random_numbers = random.Random(seed)
    lines = sorted(on_line)
    random_numbers.shuffle(lines)
    drawn: list[Mutant] = []
    for file, line in lines:
        place = random_numbers.choice(on_line[file, line])
        others = [mutant.place for mutant in drawn if mutant.file == file]
        if all(place.end <= other.start or other.end <= place.start for other in others):
            drawn.append(Mutant(len(drawn), file, place))
        if len(drawn) == count:
            break
    return drawn


def copy_tree(folder: Path, without: list[str]) -> None:
    """The files that git knows, without some directories of tests, which CMake and ctest then do not see."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    for name in filter(None, listed.split("\0")):
        if name.startswith(tuple(f"tests/{room}/CMakeLists.txt" for room in without)):
            continue
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, folder / name, follow_symlinks=False)
    for file in sources(ROOT):
        (folder / "originals" / file).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / file, folder / "originals" / file)
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())


def write_mutated(folder: Path, mutants: list[Mutant]) -> None:
    """Files whose text stays the same keep their time, so that they are not compiled again."""
    header = str(ROOT / "tests" / "mutation" / "mutant.hpp")
    for file in sources(folder / "originals"):
        chosen = {mutant.number: mutant.place for mutant in mutants if mutant.file == file}
        original = (folder / "originals" / file).read_text()
        text = mutated(original, chosen, header) if chosen else original
        if (folder / file).read_text() != text:
            (folder / file).write_text(text)


def broken(log: str, folder: Path, mutants: list[Mutant]) -> set[int]:
    """The mutants at the places of which a compiler reports an error."""
    errors = re.findall(r"^(\S+?):(\d+):\d+: (?:fatal )?error:", log, re.M)
    # An error in a template is reported where it is used, too.
    errors += re.findall(r"^(\S+?):(\d+):\d+:   required from", log, re.M)
    places = {(re.sub(r".*?((?:engine|analysis)/(?!build).*)", r"\1", name), int(line)) for name, line in errors}
    found = set()
    for mutant in mutants:
        text = (folder / "originals" / mutant.file).read_text()
        last = mutant.place.line + text[mutant.place.start : mutant.place.end].count("\n")
        first = text.count("\n", 0, mutant.place.start) + 1
        if any(file == mutant.file and first <= line <= last for file, line in places):
            found.add(mutant.number)
    return found


def build(
    folder: Path, mutants: list[Mutant], options: list[str], jobs: int, targets: Iterable[str] = ()
) -> list[Mutant]:
    """Builds until everything compiles; returns the mutants that are left."""
    where = folder / "build"
    if not (where / "build.ninja").exists():
        command = ["cmake", "-S", str(folder), "-B", str(where), "-G", "Ninja", *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    while True:
        write_mutated(folder, mutants)
        command = ["ninja", "-C", str(where), "-k", "0", "-j", str(jobs), *targets]
        made = subprocess.run(command, capture_output=True, text=True)
        (folder / "build.log").write_text(made.stdout + made.stderr)
        if made.returncode == 0:
            return mutants
        wrong = broken(made.stdout, folder, mutants)
        if not wrong:
            sys.exit(f"mutants: the copy does not compile, and no mutant is to blame; read {folder / 'build.log'}")
        print(f"{len(wrong)} places do not compile", flush=True)
        mutants = [mutant for mutant in mutants if mutant.number not in wrong]


def save(path: Path, mutants: list[Mutant]) -> None:
    path.write_text(json.dumps([asdict(mutant) for mutant in mutants], indent=1))


def load(path: Path) -> list[Mutant]:
    stored = json.loads(path.read_text())
    return [Mutant(one["number"], one["file"], Place(**one["place"])) for one in stored]
