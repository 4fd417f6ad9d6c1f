"""Mutates the studies of config/, writes documents of random entries, and asks that each file is read as it says or refused:
python tests/workflow/plan/fuzz_studies.py [COUNT] [--seed S]

Prints the outcomes and, of the modules that check studies, the lines that ran."""

from __future__ import annotations

import argparse
import random
import re
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT))

from workflows.study.error import StudyError, is_count  # noqa: E402
from workflows.study.reading import read_document  # noqa: E402
from workflows.study.study import open_file  # noqa: E402

SECONDS = 5  # for one file, of processor time and on the clock
TRIES = 5  # of a file over the limit on the clock: a hang comes back, a busy machine does not

# Modules whose lines are counted.
CHECKS = [
    *(
        ROOT / "workflows" / "study" / f"{name}.py"
        for name in ("error", "reading", "validation", "relations", "definitions", "value_lists", "sweep", "per_size")
    ),
    ROOT / "workflows" / "methods" / "sharing.py",
    ROOT / "workflows" / "critical" / "validation.py",
    *sorted((ROOT / "workflows" / "methods").glob("*/validation.py")),
]

WORDS = [
    "", "~", "null", "yes", "off", "true", "0", "-1", "1", "2", "3", "7", "32", "64", "0.5", "1.5", "-0.0", "010", "0x10", "0b11", "1:30",
    "1_000", "1_0", "1e4", "1e400", "1e-400", "1e99", ".inf", "-.inf", ".nan", "4096.0", "9" * 18, "9" * 6000, "2020-13-45", "2020-01-01",
    "!!int x", "!!python/object:os.system", "!x y", "&a", "*a", "&a [*a]", "{4:, '4':}", "{4: 8, '4': 8}", "[]", "{}", "[[]]", "[1, a, 1]",
    "{8: 64}", "{4: 64, 6: 64}", "{from: 1, to: 2}", "? [a, b]", "---", "...", "%YAML 9.9", "<<: 1", "- ", ": ", "#", "'", '"', "|", ">",
    "\t", "\0", "\x85", "\u2028", "\ufeff", "{study}", '"\\n"', '"\\ud800"', '"\\U99999999"', "a" * 300, "[" * 1000, "x" * 2000,
    "ea3d", "ea2d", "ising2d", "ising3d", "rfim2d", "rfim3d", "relaxation", "equilibrium", "tempering", "shared", "independent",
    "ferromagnet", "sites", "ordered", "[disorder]", "[spins]", "[link_overlap]", "h: 1", "p: 0.1", "method: tempering",
    "benchmarks: [/dev/zero]", "benchmarks: [config/demo.yaml, /dev/null]", "crossing: {from: 1, to: 9, ratio: 2}", "eta: 0.1",
]  # fmt: skip


# Keys of parts; most need one model or method.
KEYS = [
    "packing: sites", "h: 1", "h: 0.5", "p: 0.1", "p: 0", "couplings: ferromagnet", "random: shared", "random: independent", "measure: [link_overlap]",
    "block_samples: 33", "block_samples: {4: 32, 6: 1}", "save: [spins]", "save: [disorder]", "grown_from: 64", "grown_from: 1", "replicas: 8",
    "longer: {4: {packs: 1, times: 4}}", "longer: {4: {packs: 9, times: 3}, 6: {packs: 1, times: 2.0}}", "method: relaxation",
    "method: equilibrium", "method: tempering", "fit: {from: 8, to: 4}", "fit: {from: 1, to: 9999999, eta: 1}", "shard_samples: 33",
    "beta: [0.5, 0.4]", "beta: 0.7", "beta: {from: 0.2, to: 0.5, count: 4}", "beta: {h: {0: [0.5], 1: 0.4}}", "T: {from: 1, to: 2, step: 0.5}",
    "T: {from: 1, to: 2, step: 0.3}", "T: {from: 1, to: 2, count: 1}", "T: {from: 1, to: 2, step: 1e-9}", "h: [0.5, 1]", "h: {from: 0, to: 1, count: 3}",
    "p: [0.1, 0.2]", "seed: [1, 2]", "seed: {from: 1, to: 4, step: 1}", "zip: [p, T]", "zip: [h, seed]", "zip: [p]", "samples: {h: {0: 64, 1: 128}}",
    "crossing: {from: 1, to: 9, nu: 1, omega: 1}", "crossing: {from: 9, to: 1, ratio: 3}", "exchange_interval: 7", "measure_interval: 20",
]  # fmt: skip


MODELS = ["ea2d", "ea3d", "ising2d", "ising3d", "rfim2d", "rfim3d"]
METHODS = ["relaxation", "equilibrium", "tempering"]


class OvertimeError(Exception):
    """A file took longer than it may."""


def sources() -> list[str]:
    """The studies, mostly without comments: most of the time goes into reading YAML."""
    texts = [path.read_text(encoding="utf-8") for path in sorted((ROOT / "config").glob("*.yaml"))]
    return 4 * [re.sub(r"(^|(?<= )) *#.*\n?", "\n", text).replace("\n\n", "\n") for text in texts] + texts


def mutated(text: str, numbers: random.Random) -> bytes:
    """The text after one to four changes of a value, a key, a line, a span or a byte."""
    for _ in range(numbers.choice([1, 1, 1, 2, 4])):
        text = numbers.choice([_value, _value, _value, _key, _key_of_part, _key_of_part, _line, _span])(text, numbers)
    data = text.encode("utf-8", "surrogatepass")
    if numbers.random() < 0.1 and data:
        place = numbers.randrange(len(data))
        data = data[:place] + bytes([numbers.randrange(256)]) + data[place + 1 :]
    if numbers.random() < 0.01:
        data = text.encode(numbers.choice(["utf-16", "utf-16-le", "latin-1", "utf-8-sig"]), "replace")
    return data


def _at(pattern: str, text: str, numbers: random.Random) -> re.Match[str] | None:
    found = list(re.finditer(pattern, text))
    return numbers.choice(found) if found else None


def _value(text: str, numbers: random.Random) -> str:
    """Another value, or a part of one: a number of a list or an entry of a mapping in a line."""
    found = _at(r"(?<=: )[^\n#]+|(?<=[\[ {])[-\w.]+(?=[,\]}])", text, numbers)
    return text[: found.start()] + numbers.choice(WORDS) + text[found.end() :] if found else text


def _key(text: str, numbers: random.Random) -> str:
    found, other = _at(r"[\w-]+(?=:)", text, numbers), _at(r"[\w-]+(?=:)", text, numbers)
    if not found or not other:
        return text
    word = numbers.choice([other[0], numbers.choice(WORDS), found[0][:-1], ""])
    return text[: found.start()] + word + text[found.end() :]


def _key_of_part(text: str, numbers: random.Random) -> str:
    """A key that a part has in addition, or instead of its own."""
    found = _at(r"(?m)^    model: .*\n", text, numbers)
    if not found:
        return text
    line = numbers.choice(KEYS)
    end = text.find("- name", found.end()) % (len(text) + 1)
    rest = re.sub(rf"(?m)^    {line.split(':')[0]}: .*\n", "", text[found.end() : end])
    return f"{text[: found.end()]}    {line}\n{rest}{text[end:]}"


def _line(text: str, numbers: random.Random) -> str:
    """A line that is missing, twice, elsewhere, new or indented otherwise."""
    lines = text.splitlines(keepends=True) or [""]
    place, other = numbers.randrange(len(lines)), numbers.randrange(len(lines))
    indent = lines[place][: len(lines[place]) - len(lines[place].lstrip(" "))]
    match numbers.randrange(5):
        case 0:
            del lines[place]
        case 1:
            lines.insert(place, lines[place])
        case 2:
            lines.insert(other, lines.pop(place))
        case 3:
            lines.insert(place, f"{indent}{numbers.choice(WORDS)}\n")
        case _:
            lines[place] = " " * numbers.randrange(8) + lines[place].lstrip(" ")
    return "".join(lines)


def _span(text: str, numbers: random.Random) -> str:
    first = numbers.randrange(len(text) + 1)
    last = min(len(text), first + int(numbers.expovariate(0.05)))
    return text[:first] + numbers.choice(["", text[first:last] * 2, numbers.choice(WORDS)]) + text[last:]


def outcome(path: Path) -> str:
    """Whether a file is accepted or refused. AssertionError if a value is not what the file says, or if a sentence is none;
    OvertimeError if it takes too long; any other error is a fault of the checks."""
    for _ in range(TRIES - 1):
        before = time.process_time()
        try:
            return outcome_of_try(path)
        except OvertimeError:
            if time.process_time() - before >= SECONDS:
                raise
    return outcome_of_try(path)


def outcome_of_try(path: Path) -> str:
    """The same of one try."""
    signal.signal(signal.SIGALRM, _overtime)
    signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        return reading_of(path)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)


def reading_of(path: Path) -> str:
    """The same without a limit."""
    try:
        open_file(path)
    except StudyError as error:
        told = str(error).splitlines()
        assert told and all(line.startswith(str(path)) for line in told if not is_count(line)), told
        assert len(told) < 25 and all(len(line) < 1200 for line in told), told
        return "one mistake" if len(told) == 1 else "several mistakes"
    says(read_document(path).content, yaml.load(path.read_text(encoding="utf-8-sig"), Loader=yaml.BaseLoader))
    return "accepted"


def _overtime(_signal: int, _frame: FrameType | None) -> None:
    raise OvertimeError


def says(value: Any, text: Any) -> None:
    """Asserts that a value is what the file says, where every scalar is text."""
    if isinstance(value, dict):
        assert len(value) == len(text)
        for (key, item), (word, source) in zip(value.items(), text.items()):
            assert key == word or Decimal(key) == Decimal(word)
            says(item, source)
    elif isinstance(value, list):
        assert len(value) == len(text)
        for item, source in zip(value, text):
            says(item, source)
    elif isinstance(value, bool):
        assert str(value).lower() == text.lower()
    elif isinstance(value, int):
        assert value == Decimal(text.replace("_", ""))
    elif isinstance(value, float):
        assert value == float(text)
    elif value is None:
        assert text.lower() in ("", "~", "null")
    else:
        assert value == text


def generated(numbers: random.Random) -> bytes:
    """A document of random entries, half of them in a mapping with the keys of a study."""

    def node(depth: int) -> str:
        kind = numbers.random()
        if depth == 0 or kind < 0.5:
            return numbers.choice(WORDS)
        items = [node(depth - 1) for _ in range(numbers.randrange(4))]
        if kind < 0.75:
            return f"[{', '.join(items)}]"
        return "{" + ", ".join(f"{numbers.choice(WORDS)}: {item}" for item in items) + "}"

    if numbers.random() < 0.5:
        return node(4).encode("utf-8", "surrogatepass")
    lines = [
        f"{key}: {node(2)}\n" for key in ("name", "title", "seed", "block_samples", "publish") if numbers.random() < 0.8
    ]
    entries = [line.split(":")[0] for line in KEYS]
    for _ in range(numbers.randrange(3)):
        keys = [f"    {numbers.choice(entries)}: {node(2)}\n" for _ in range(numbers.randrange(8))]
        lines += ([] if "parts:\n" in lines else ["parts:\n"]) + [f"  - name: {node(0)}\n", *keys]
    return "".join(lines).encode("utf-8", "surrogatepass")


def composed(numbers: random.Random) -> str:
    """A study of one or two parts with up to four keys of KEYS, which seldom stand together in config/."""
    text = "name: composed\ntitle: Composed\nseed: 1\nparts:\n"
    for index in range(numbers.choice([1, 1, 2])):
        part = {"L": "[4, 6]", "T": "[1.1, 2]", "samples": "64", "shard_samples": "32", "sweeps": "6400"}
        part |= {"model": numbers.choice(MODELS), "method": numbers.choice(METHODS)}
        part |= {"h": "1"} if part["model"].startswith("rfim") else {}
        for entry in numbers.choices(KEYS, k=numbers.randrange(5)):
            key, _, value = entry.partition(": ")
            part[key] = value
        text += f"  - name: part{index}\n" + "".join(f"    {key}: {value}\n" for key, value in part.items())
    return text


def inputs(count: int, seed: int) -> Iterator[bytes]:
    """Mutated studies, three in eight of them composed, and, one in eight, other documents; a function of the seed."""
    numbers, texts = random.Random(seed), sources()
    for _ in range(count):
        kind = numbers.random()
        if kind < 0.125:
            yield generated(numbers)
        else:
            yield mutated(composed(numbers) if kind < 0.5 else numbers.choice(texts), numbers)


def lines_of(code: CodeType) -> set[int]:
    """The lines of code that can run, those of the functions inside too."""
    lines = {line for _, _, line in code.co_lines() if line}
    return lines.union(*(lines_of(inner) for inner in code.co_consts if isinstance(inner, CodeType)))


class Coverage:
    """Which lines of some files run. Code that ran completely costs no time any more."""

    def __init__(self, files: list[Path]) -> None:
        self.missing = {
            str(path): lines_of(compile(path.read_text(encoding="utf-8"), str(path), "exec")) for path in files
        }
        self.total = {path: len(lines) for path, lines in self.missing.items()}
        self.left: dict[CodeType, set[int]] = {}

    def trace(self, frame: FrameType, _event: str, _argument: Any) -> Any:
        code = frame.f_code
        if code.co_filename not in self.missing:
            return None
        left = self.left.setdefault(code, {line for _, _, line in code.co_lines() if line})
        return self._step if left else None

    def _step(self, frame: FrameType, event: str, _argument: Any) -> Any:
        self.left[frame.f_code].discard(frame.f_lineno)
        self.missing[frame.f_code.co_filename].discard(frame.f_lineno)
        return self._step

    def table(self) -> str:
        rows = []
        left = 0
        for path, total in self.total.items():
            missing = sorted(self.missing[path] & self._of_functions(path))
            left += len(missing)
            share = 100 * (total - len(missing)) / total
            rows.append(
                f"{Path(path).relative_to(ROOT)!s:48} {share:5.1f} %  not run: {', '.join(map(str, missing)) or 'none'}"
            )
        every = sum(self.total.values())
        share = 100 * (every - left) / every
        return "\n".join([*rows, f"{'checks of studies':48} {share:5.1f} %  {every - left} of {every} lines"])

    @staticmethod
    def _of_functions(path: str) -> set[int]:
        """Lines inside functions; all others ran when the module was imported."""
        code = compile(Path(path).read_text(encoding="utf-8"), path, "exec")
        inner = [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        outer = {line for _, _, line in code.co_lines() if line}
        classes = {
            line
            for item in inner
            if item.co_name[0].isupper() or item.co_name[:2] == "_S"
            for _, _, line in item.co_lines()
        }
        return set().union(*(lines_of(item) for item in inner)) - outer - classes


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    found: Counter[str] = Counter()
    coverage = Coverage(CHECKS)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "study.yaml"
        for number, data in enumerate(inputs(arguments.count, arguments.seed)):
            path.write_bytes(data)
            try:
                found[outcome(path)] += 1
                if number % 10 == 0:  # tracing takes longer than the checks
                    sys.settrace(coverage.trace)
                    reading_of(path)
            except Exception as error:  # every kind is a fault, which is counted
                found["fault"] += 1
                kept = Path(tempfile.gettempdir()) / f"fuzz_{arguments.seed}_{number}.yaml"
                kept.write_bytes(data)
                print(f"{kept}: {type(error).__name__}: {str(error)[:200]}")
            finally:
                sys.settrace(None)
    print(", ".join(f"{count} {name}" for name, count in found.most_common()))
    print(coverage.table())
    return 1 if found["fault"] else 0


if __name__ == "__main__":
    sys.exit(main())
