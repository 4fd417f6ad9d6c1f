"""Writes and mutates job files (TOML, `psflip --config`); each ends with exit code 2 and one sentence, or with a job of the
values that the file states: python tests/faults/fuzz_jobs.py [COUNT] [--seed S] [--seconds T] [--first N]

The readers of psflip (CLI11) and of Python (tomllib) are independent, and a measurement file states its job as TOML. A file
is a function of the seed and its number, so `1 --first N` repeats one."""

from __future__ import annotations

import argparse
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
import tomllib
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from decimal import Decimal
from pathlib import Path
from typing import Any

import h5py

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build")) / "bin" / "psflip"

SECONDS = 5  # for one file, of processor time and on the clock
TRIES = 5  # of a file over the limit on the clock: a hang comes back, a busy machine does not

# Jobs of milliseconds. Values are as they stand in the file.
JOBS: list[tuple[str, str, dict[str, str]]] = [
    ("ea3d", "relaxation", {"L": "4", "T": "[1.1, 1.5]", "samples": '"0:32"', "sweeps": "8", "seed": "1", "p": "0.25"}),
    ("ea2d", "tempering", {"L": "4", "T": "[1, 1.25]", "samples": '"4:8"', "sweeps": "16", "seed": "2", "exchange-interval": "2", "replicas": "2"}),
    ("rfim3d", "tempering", {"L": "4", "beta": "[0.5, 0.4]", "samples": '"0:8"', "sweeps": "16", "seed": "3", "h": "1.5", "J": "2", "exchange-interval": "4", "bins": "2"}),
    ("ising2d", "equilibrium", {"L": "6", "T": "[2.5]", "samples": '"0:8"', "sweeps": "24", "seed": "5", "h": "0.5", "bins": "2", "measure-interval": "2", "start": '"ordered"'}),
    ("ising3d", "relaxation", {"L": "4", "T": "4.5", "samples": '"0:8"', "sweeps": "8", "seed": "7", "save-spins": '"1,4"'}),
]  # fmt: skip

WORDS = [
    "", "0", "-1", "1", "2", "3", "7", "8", "32", "0.5", "1.5", "-0.0", "+4", "010", "0x10", "0b11", "0o17", "1_0", "1__0", "_1", "1e1", "4.0",
    "4.", ".5", "1e400", "1e-400", "inf", "-inf", "nan", "true", "false", "9" * 18, "9" * 20, "9" * 300, "0." + "9" * 300, "1979-05-27", "07:32:00",
    "[]", "[[]]", "[1,]", "[1.1, 1.2,]", "[1.1 1.2]", "[1.1, [1.2]]", "[1.1,\n  1.2]", "[1.1, # one\n 1.2]", "[", "]", "{}", "{a = 1}", "= =",
    '""', "''", '"0:8"', "'0:8'", '"0:8" # all', '"0:8', '"a\\u0041"', '"\\x"', '"""0:8"""', "'''\n0:8'''", '"0:8""', '"#"', "#", "# L = 6",
    "ordered", '"ordered"', '"random"', '"shared"', '"independent"', '"ferromagnet"', '"last"', '"%s"', '"{}"', '"--L"', '"a b"', "a b", "\t", "\0",
    "\r", "\x7f", "\x85", "\u2028", "\ufeff", "é", "$", "`", "~", ";", ":", ",", "[ea3d.relaxation]", "[[ea3d.relaxation]]", "[a]", "x" * 300,
]  # fmt: skip

LINES = [
    "L = 6", "seed = 2", "T = [3]", "beta = 1", "p = 0.5", "h = 1", "J = 3", 'measure = "link_overlap"', "replicas = 3", "save-disorder = true",
    "save-disorder = false", "save-spins = true", 'save-spins = "last"', 'couplings = "ferromagnet"', 'packing = "sites"', 'longer = "1:2"',
    'grid = "no.json"', 'disorder = "no.h5"', 'disorder-hash = "x"', 'gpu-lock = ""', "threads = 0", "word-bits = 128", 'backend = "gpu"',
    "max-memory = 0", "max-seconds = -1", 'start = "random"', "bins = 0", "measure-interval = 0", "exchange-interval = 0", "L.x = 1", "a.b.c = 1",
    "ea3d.relaxation.L = 4", '"L" = 4', "'seed' = 9", "config = 1", "help = true", "version = true", "--L = 4", "= 1", "L", "L =", "# comment",
]  # fmt: skip


def written(numbers: random.Random) -> tuple[str, str, str]:
    """Model, method and text of a job in one of the ways to write it."""
    model, method, values = numbers.choice(JOBS)
    keys = list(values)
    numbers.shuffle(keys)
    lines = [f"[{model}.{method}]" + numbers.choice(["", "", " # a job", "  "])]
    for key in keys:
        space, behind = numbers.choice(["", " ", "  ", "\t"]), numbers.choice(["", "", "", " # why", "\t"])
        lines.append(f"{numbers.choice(['', '', ' '])}{key}{space}={space}{_way(values[key], numbers)}{behind}")
        if numbers.random() < 0.1:
            lines.append(numbers.choice(["", "# a line", "   "]))
    return model, method, numbers.choice(["\n", "\n", "\n", "\r\n"]).join(lines) + "\n"


def _way(value: str, numbers: random.Random) -> str:
    """The same value, or one near it."""
    if numbers.random() < 0.8:
        return value
    if value.startswith("["):
        items = [_way(item.strip(), numbers) for item in value[1:-1].split(",")]
        return "[" + numbers.choice([",", ", ", " , ", ",\n  "]).join(items) + numbers.choice(["", ",", " "]) + "]"
    if value.startswith('"'):
        return numbers.choice([f"'{value[1:-1]}'", value, f'"""{value[1:-1]}"""'])
    return numbers.choice(
        [f"+{value}", f'"{value}"', f"[{value}]", f"{value}.0", f"{value}e0", f"1_{value}", f"0{value}"]
    )


def mutated(text: str, numbers: random.Random) -> bytes:
    """The text after one to three changes of a value, a line, a span or a byte."""
    for _ in range(numbers.choice([1, 1, 1, 2, 3])):
        text = numbers.choice([_value, _value, _line, _span])(text, numbers)
    data = text.encode("utf-8", "surrogatepass")
    if numbers.random() < 0.05 and data:
        place = numbers.randrange(len(data))
        data = data[:place] + bytes([numbers.randrange(256)]) + data[place + 1 :]
    return text.encode("utf-16") if numbers.random() < 0.01 else data


def _value(text: str, numbers: random.Random) -> str:
    lines = text.split("\n")
    place = numbers.randrange(len(lines))
    key, equals, value = lines[place].partition("=")
    if equals:
        lines[place] = key + equals + numbers.choice([" " + numbers.choice(WORDS), value + numbers.choice(WORDS)])
    return "\n".join(lines)


def _line(text: str, numbers: random.Random) -> str:
    lines = text.split("\n")
    place = numbers.randrange(len(lines))
    match numbers.randrange(4):
        case 0:
            del lines[place]
        case 1:
            lines.insert(numbers.randrange(len(lines)), lines[place])
        case _:
            lines.insert(place + 1, numbers.choice(LINES))
    return "\n".join(lines)


def _span(text: str, numbers: random.Random) -> str:
    first = numbers.randrange(len(text) + 1)
    last = min(len(text), first + int(numbers.expovariate(0.2)))
    return text[:first] + numbers.choice(["", text[first:last] * 2, numbers.choice(WORDS)]) + text[last:]


def document(seed: int, number: int) -> tuple[str, str, bytes]:
    """Model, method and content of file `number`; every third is only written in another way."""
    numbers = random.Random(f"{seed} {number}")
    model, method, text = written(numbers)
    return model, method, text.encode() if number % 3 == 0 else mutated(text, numbers)


def stated(data: bytes, model: str, method: str) -> dict[str, Any] | None:
    """The options that a file states for a job; None if it is not TOML."""
    try:
        return tomllib.loads(data.decode()).get(model, {}).get(method, {})
    except (tomllib.TOMLDecodeError, UnicodeDecodeError, AttributeError, RecursionError):
        return None


def words(value: Any) -> list[Any]:
    """Numbers as numbers and text in parts, whether they stand in a list, in quotes or alone."""
    if isinstance(value, list):
        return [word for item in value for word in words(item)]
    if isinstance(value, str):
        return [word for part in value.replace(":", ",").split(",") for word in [_number(part)]]
    return [value if isinstance(value, bool) else _number(str(value))]


def _number(text: str) -> Any:
    try:
        return float(Decimal(text))
    except ArithmeticError:
        return text


def is_short(options: dict[str, Any]) -> bool:
    """Whether the job takes milliseconds; otherwise it is checked and does not run."""
    most = {"L": 8, "sweeps": 64, "samples": 200, "replicas": 8, "T": 100, "beta": 100, "longer": 4}
    if any(key in options for key in ("checkpoint", "gpu-lock", "print-memory", "output")):
        return False
    for key, limit in most.items():
        found = words(options.get(key, 0))
        if len(found) > 4 or not all(isinstance(word, float) and abs(word) <= limit for word in found):
            return False
    return True


# Options that say how to run a job or which arrays to save; sites are packed for large L only.
NOT_IN_JOB = {
    "threads",
    "word-bits",
    "backend",
    "max-memory",
    "max-seconds",
    "checkpoint-interval",
    "save-spins",
    "save-disorder",
    "packing",
}

# Values for which psflip chooses, or which a job has without saying so.
DEFAULTS = {"bins": 0, "measure-interval": 0, "p": 0.5, "h": 0}


def difference(options: dict[str, Any], job: dict[str, Any]) -> str:
    """What a job does not have as the file states it; empty if nothing."""
    if "T" in options and "beta" in job:  # the job has what the engine uses
        temperatures = [1 / word for word in words(options["T"])]
        options = {key: value for key, value in options.items() if key != "T"} | {"beta": temperatures}
    for key, value in options.items():
        if key in NOT_IN_JOB or (key in DEFAULTS and words(value) == [DEFAULTS[key]]):
            continue
        if key not in job:
            return f"{key} = {value!r} is not in the job"
        found, wanted = words(job[key]), words(value)
        if found != wanted:
            return f"{key} = {value!r} is {job[key]!r} in the job"
    return ""


def outcome(number: int, seed: int, folder: Path) -> tuple[str, str]:
    """How a file ends, and what is wrong with that; empty if nothing."""
    for _ in range(TRIES):
        try:
            return outcome_of_try(number, seed, folder)
        except subprocess.TimeoutExpired:
            continue
    return "failed", f"did not end in {SECONDS} s in any of {TRIES} tries"


def outcome_of_try(number: int, seed: int, folder: Path) -> tuple[str, str]:
    """The same of one try. TimeoutExpired if it takes too long on the clock."""
    model, method, data = document(seed, number)
    path, output = folder / f"{number}.toml", folder / f"{number}.h5"
    path.write_bytes(data)
    options = stated(data, model, method)
    command = [PROGRAM, "--config", path, model, method, "--output", output, "--backend", "cpu"]
    runs = options is not None and is_short(options)
    try:
        result = subprocess.run(
            [*map(str, command), *([] if runs else ["--print-memory"])],
            capture_output=True,
            cwd=folder,
            preexec_fn=_limit_processor_time,
            timeout=SECONDS,
            check=False,
        )
        told = result.stderr.decode("utf-8", "replace")
        if result.returncode == 2:
            fine = (
                told.startswith("psflip: ")
                and told.endswith((".\n", "?\n"))
                and told.count("\n") == 1
                and len(told) < 1000
            )
            return "refused", "" if fine else f"refused with other than one sentence: {told[:300]!r}"
        if result.returncode != 0:
            return "failed", f"exit code {result.returncode}: {told[:300]!r}"
        if options is None:
            return "accepted", "accepted, though it is not TOML"
        if not runs or not output.exists():
            return "checked", ""
        with h5py.File(output) as file:
            job = tomllib.loads(str(file.attrs["job"]))[model][method]
        return "ran", difference(options, job)
    finally:
        path.unlink()
        output.unlink(missing_ok=True)


def _limit_processor_time() -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", nargs="?", type=int, default=20_000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0, help="number of the first file")
    parser.add_argument("--seconds", type=float, default=1e9, help="stop after this time")
    arguments = parser.parse_args()
    os.environ["OMP_NUM_THREADS"] = "1"
    found: Counter[str] = Counter()
    end = time.monotonic() + arguments.seconds
    numbers = iter(range(arguments.first, arguments.first + arguments.count))
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(2) as pool:

        def work(_worker: int) -> None:
            for number in numbers:
                if time.monotonic() > end:
                    return
                kind, fault = outcome(number, arguments.seed, Path(folder))
                found[kind] += 1
                if fault:
                    found["fault"] += 1
                    text = document(arguments.seed, number)[2].decode("utf-8", "replace")
                    print(f"FAULT: file {number} of seed {arguments.seed}: {fault}\n{text[:2000]}", flush=True)

        list(pool.map(work, range(2)))
    print(", ".join(f"{count} {kind}" for kind, count in found.most_common()))
    return 1 if found["fault"] or not (found["ran"] and found["refused"]) else 0


if __name__ == "__main__":
    sys.exit(main())
