"""A study: its jobs, the identity of each, and the paths of its files."""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from workflows.benchmark.jobs import Benchmark
from workflows.forecast.limits import require_few_jobs
from workflows.laboratory.plan import Laboratory
from workflows.methods.registry import method_of
from workflows.models.registry import EXACT, OWN, section_of, sections_by_part
from workflows.models.section import Section
from workflows.study.error import Mistake, StudyError, is_count, refusal
from workflows.study.nishimori import nishimori_lines, nishimori_slot
from workflows.study.per_size import count_for_size, for_size, link_slots_for
from workflows.study.plan import Plan
from workflows.study.presets import in_field, presets, system_of
from workflows.study.reading import read_document
from workflows.study.sweep import source_of, swept_values
from workflows.study.system_tags import System, require_own_numbers
from workflows.study.validation import check_document, read_study

ADAPT_METHODS = ("insert", "equal-rates")
# Shards that one job reduces into one file: few enough for the memory of a job, many enough to keep files and jobs few.
SHARDS_PER_REDUCTION = 32


def digest(job: str) -> str:
    """The part of a name that makes it unique."""
    return hashlib.sha256(job.encode()).hexdigest()[:10]


def command_line(options: dict[str, Any]) -> str:
    return " ".join(f"--{key.replace('_', '-')} {value}" for key, value in options.items())


class Identified:
    """The values that canonical JSON distinguishes."""

    job: str

    @property
    def options(self) -> dict[str, Any]:
        return json.loads(self.job)


@dataclass(frozen=True)
class Grid(Identified):
    """A grid of temperatures of one model and size, found by adaptation runs: an input of simulations by exchange Monte Carlo."""

    model: str
    job: str  # canonical JSON: with the model the identity

    @property
    def name(self) -> str:
        options = self.options
        words = [self.model, f"L{options['L']}", *([f"h{options['h']}"] if "h" in options else [])]
        return "_".join([*words, options["method"], digest(self.job)])

    @property
    def arguments(self) -> str:
        return f"{self.model} adapt {command_line(self.options)}"

    @property
    def identity(self) -> str:
        """The arguments as Snakemake records them: as in 0.1, independent of the command line of the engine."""
        return self.arguments


@dataclass(frozen=True)
class Run(Identified):
    """One model at one size and temperature, or on one grid: everything that the samples of one ensemble share. Its texts are
    made once for its thousands of shards."""

    job: str  # canonical JSON: the identity

    @cached_property
    def name(self) -> str:
        """Readable, and unique by the hash of the identity. A run without a grid file has _T in its name, by which the rules and
        gather.py know it."""
        options = self.options
        words = [options[key] for key in ("model", "method") if key in options]
        words += [f"{key}{options[key]}" for key in ("L", "T", "h") if key in options]
        words += [f"T{options['slots'][0]}to{options['slots'][-1]}"] if "slots" in options else []
        return "_".join([*words, digest(self.job)])

    @property
    def grid(self) -> Grid | None:
        """The job that makes the temperatures, where they exchange."""
        options = self.options
        return Grid(options["model"], _canonical(options["grid"])) if "grid" in options else None

    def _words(self) -> str:
        options = self.options
        for key in ("model", "method", "grid"):
            options.pop(key, None)
        if "slots" in options:
            options = {"L": options.pop("L"), "T": ",".join(map(str, options.pop("slots"))), **options}
        save = [f"--save-{what}" for what in options.pop("save", [])]
        return " ".join([command_line(options), *save])

    @cached_property
    def arguments(self) -> str:
        """The command line of the engine, except samples, files and machine."""
        return f"{self.options['model']} {method_of(self.options).name} {self._words()}"

    @cached_property
    def identity(self) -> str:
        """The arguments as Snakemake records them: the command line of 0.1, so that results of 0.1 stay valid."""
        options = self.options
        return " ".join([options["model"], *([options["method"]] if "method" in options else []), self._words()])


def _canonical(options: dict[str, Any]) -> str:
    return json.dumps(options, separators=(",", ":"))


@dataclass(frozen=True)
class Part:
    """A model by one method, with one field, bonds and seed, on a grid of sizes and temperatures: an entry of `parts`, or one
    combination of values of its keys."""

    name: str
    source: str  # the name of the entry in the study file
    swept: dict[str, float]  # h, p and seed of this part, as far as they differ between the parts of the entry
    model: str
    method: str
    h: float | None  # strength of the field in units of J; None for a model without
    p: float | None  # probability of J = -1 of a bond; None for a model without random bonds
    seed: int
    sizes: tuple[int, ...]
    temperatures: tuple[float | None, ...]  # tempering: None alone, for the full grid of a size
    runs: dict[tuple[int, float | None], Run]
    samples: dict[int, int]
    shard_samples: dict[int, int]
    grown_from: dict[int, int]  # samples that there were before; 0: the part has not grown
    crossing: dict[str, float] | None  # the key of that name
    fit: dict[str, float] | None
    grids: dict[tuple[int, str], Grid]  # tempering: of each size and way of adapting; none where the slots are given

    def shards(self, size: int) -> list[tuple[int, int]]:
        """First sample and number of samples of each shard."""
        count = self.shard_samples[size]
        return [(first, count) for first in range(0, self.samples[size], count)]

    def reductions(self, size: int) -> list[tuple[int, int, int]]:
        """First sample, number of shards and samples of each shard of every reduced file. None reaches across the samples
        that there were before the part grew, so that what was summed then stays."""
        shards, step = self.shards(size), SHARDS_PER_REDUCTION
        before = self.grown_from[size] // self.shard_samples[size]
        parts = (shards[:before], shards[before:])
        groups = [part[i : i + step] for part in parts for i in range(0, len(part), step)]
        return [(group[0][0], len(group), group[0][1]) for group in groups]

    @property
    def crossing_options(self) -> str:
        """Options of psflip-analysis crossing for a part with that key."""
        crossing = self.crossing or {}
        keys = ["from", "to"] + [key for key in ("ratio", "nu", "omega") if crossing.get(key)]
        only = [] if crossing.get("extrapolate", True) else ["--pairs-only"]
        return " ".join([*(f"--{key} {crossing[key]}" for key in keys), *only])

    def crossing_grid(self) -> list[tuple[int, float | None]]:
        """The points among which crossings are looked for; none unless the study states a window."""
        if self.crossing is None:
            return []
        low, high = self.crossing["from"], self.crossing["to"]
        return [(size, t) for size in self.sizes for t in self.temperatures if t is None or low <= t <= high]


class Study(Plan):
    """The content of a study file, and the layout of results/<name>/."""

    def __init__(self, content: dict[str, Any], results: str = "results") -> None:
        super().__init__(content, results)
        content = self.content
        self.seed = int(content["seed"])
        self.parts = {part["name"]: self._part(part) for part in content["parts"]}
        self.runs = {run.name: run for part in self.parts.values() for run in part.runs.values()}
        self.critical: dict[str, Any] | None = content.get("critical")
        self.grids = {grid.name: grid for part in self.parts.values() for grid in part.grids.values()}
        self.block_samples = self._block_samples()
        self.section_of_part = sections_by_part(content)
        self.sections = list(dict.fromkeys(self.section_of_part.values()))
        # Where temperatures exchange, the grid is known only after its adaptation runs; analysis compares those tags.
        runs = [run.options for run in self.runs.values() if "grid" not in run.options]
        for seed in {run["seed"] for run in runs}:
            require_own_numbers(
                System(run["model"], run["L"], tuple(run.get("slots", [run.get("T")])), run.get("h"), run.get("p", 0.5))
                for run in runs
                if run["seed"] == seed
            )

    def _seed(self, part: dict[str, Any]) -> int:
        return int(part.get("seed", self.seed))

    @classmethod
    def read(cls, path: str | Path) -> Study:
        return cls(read_study(Path(path)))

    def _part(self, part: dict[str, Any]) -> Part:
        sizes = tuple(sorted(int(size) for size in part["L"]))
        method = method_of(part)
        temperatures = (None,) if method.tempered else tuple(sorted(float(t) for t in part["T"]))
        return Part(
            name=part["name"],
            source=source_of(part),
            swept=swept_values(part),
            model=part["model"],
            method=method.name,
            **system_of(part),
            seed=self._seed(part),
            sizes=sizes,
            temperatures=temperatures,
            runs={(size, t): self._run(part, size, t) for size in sizes for t in temperatures},
            samples={size: count_for_size(part["samples"], size) for size in sizes},
            shard_samples={size: count_for_size(part["shard_samples"], size) for size in sizes},
            grown_from={size: count_for_size(part.get("grown_from", 0), size) for size in sizes},
            crossing=part.get("crossing"),
            fit=part.get("fit"),
            grids=(
                {(size, how): self._grid(part, size, how) for size in sizes for how in self._ways_of_adapting(part)}
                if "adapt" in part
                else {}
            ),
        )

    def _block_samples(self) -> dict[str, int]:
        """Samples in a block of the jackknife, for the runs of parts that state it."""
        found: dict[str, tuple[int, str]] = {}
        for part in self.content["parts"]:
            for (size, _), run in self.parts[part["name"]].runs.items():
                count = count_for_size(part.get("block_samples", 1), size)
                other, name = found.setdefault(run.name, (count, part["name"]))
                if other != count:
                    raise StudyError(
                        f"the parts '{name}' and '{part['name']}' share the run at L = {size}, but their block_samples"
                        f" are {other} and {count}; give both the same number"
                    )
        return {name: count for name, (count, _) in found.items() if count > 1}

    def _grid(self, part: dict[str, Any], size: int, method: str) -> Grid:
        """Equally spaced slots at first: few for insert, for equal-rates as many as insert ends with."""
        trials = part["adapt"]
        slots, count, insertions = (count_for_size(trials[key], size) for key in ("slots", "trials", "insertions"))
        job: dict[str, Any] = {"L": size}
        job |= {"J": 1.0, "h": float(part["h"])} if in_field(part) else {}
        job["seed"] = self._seed(part)
        ends = [float(for_size(part["T"][end], size)) for end in ("from", "to")]
        job |= {"T": f"{ends[0]},{ends[1]}", "method": method}
        job |= {"slots": slots if method == "insert" else slots + count * insertions, "trials": count}
        job |= {"insertions": insertions} if method == "insert" else {}
        job |= {
            "samples": f"0:{count_for_size(trials['samples'], size)}",
            "sweeps": count_for_size(trials["sweeps"], size),
        }
        job["start"] = part["start"]
        job["exchange_interval"] = count_for_size(part["exchange_interval"], size)
        job |= {key: part[key] for key in ("replicas", "random", "couplings") if key in self._newer(part)}
        job |= {"p": float(part["p"])} if part.get("p", 0.5) != 0.5 else {}
        return Grid(part["model"], _canonical(job))

    def _run(self, part: dict[str, Any], size: int, temperature: float | None) -> Run:
        method = method_of(part)
        job: dict[str, Any] = {"model": part["model"], "L": size}
        if method.name != presets()[part["model"]].method:  # else not spelled out, as in 0.1
            job = {"model": part["model"], "method": method.name, "L": size}
        job |= {} if temperature is None else {"T": temperature}
        if isinstance(part["T"], list) and temperature is None:
            job["slots"] = sorted(float(t) for t in part["T"])
        job |= {"J": 1.0, "h": float(part["h"])} if in_field(part) else {}
        job["seed"] = self._seed(part)
        newer = self._newer(part)
        for key in method.job_keys:  # all are spelled out, so a new default changes no old study
            if key in part and (key != "replicas" or key in newer or not method.tempered):
                job[key] = part[key] if key == "start" or key == "random" else count_for_size(part[key], size)
        # Keys that are newer than 0.1 are not spelled out where they have their default.
        job |= {key: part[key] for key in ("couplings", "packing") if part.get(key, "bimodal") != "bimodal"}
        if temperature is None and "measure_interval" in part:
            interval = count_for_size(part["measure_interval"], size)
            # Not spelled out where every round is measured: studies older than the key keep their names.
            job |= {"measure_interval": interval} if interval != job["exchange_interval"] else {}
        if str(size) in part.get("longer", {}):
            longer = part["longer"][str(size)]
            job["longer"] = f"{longer['packs']}:{longer['times']}"
        if part.get("p", 0.5) != 0.5:
            job["p"] = float(part["p"])
        if part.get("measure"):
            job["measure"] = ",".join(sorted(part["measure"]))
        if slots := link_slots_for(part, size):
            job["link_overlap_slots"] = ",".join(map(str, slots))
        if part.get("save"):
            job["save"] = sorted(part["save"])
        if "adapt" in part:
            job["grid"] = self._grid(part, size, part["adapt"]["method"]).options
        return Run(_canonical(job))

    @staticmethod
    def _newer(part: dict[str, Any]) -> list[str]:
        """Keys of tempering that 0.2 did not have, where they say more than its jobs: two sets of replicas in a random field."""
        keys = [key for key in ("random", "couplings") if part.get(key, "bimodal") != "bimodal"]
        is_old = presets()[part["model"]].field == "random_sign" and part.get("replicas") == 2
        return keys if is_old else [*keys, "replicas"]

    @staticmethod
    def _ways_of_adapting(part: dict[str, Any]) -> tuple[str, ...]:
        """The report of a model with a section of its own compares both."""
        return ADAPT_METHODS if section_of(part) in OWN.values() else (part["adapt"]["method"],)

    def of(self, section: Section) -> list[Part]:
        return [part for part in self.parts.values() if self.section_of_part[part.name] == section]

    def block_options(self, run: str) -> list[str]:
        """Options of psflip-analysis reduce for a run: how many samples make a block of the jackknife, where the study says it;
        then packs are of no use any more."""
        count = self.block_samples.get(run)
        packs = ["--without-packs"] if "random" in self.runs[run].options else []
        return ["--block-samples", str(count), *packs] if count else []

    @property
    def keys_of_parts(self) -> str:
        """What the table of observables says of each part, as JSON."""
        keys = ("method", "h", "p", "seed")
        return json.dumps({part.name: {key: getattr(part, key) for key in keys} for part in self.parts.values()})

    @property
    def boundary_parts(self) -> list[Part]:
        """The parts with crossings of a sweep over h or p."""
        return [part for part in self.parts.values() if part.crossing and {"h", "p"} & part.swept.keys()]

    @property
    def keys_of_boundary(self) -> str:
        """What the table of the boundary says of each part, as JSON."""
        names = {"model": "model", "method": "method", "sweep": "source", "h": "h", "p": "p", "seed": "seed"}
        parts = {part.name: {key: getattr(part, name) for key, name in names.items()} for part in self.boundary_parts}
        return json.dumps(parts)

    @property
    def parts_of_sweeps(self) -> dict[str, list[Part]]:
        """The parts of every entry in equilibrium that sweeps h or p with one temperature for each value, by its name."""
        found: dict[str, list[Part]] = {}
        for part in self.parts.values():
            if part.method == "equilibrium" and {"h", "p"} & part.swept.keys():
                found.setdefault(part.source, []).append(part)
        return {name: parts for name, parts in found.items() if all(len(part.temperatures) == 1 for part in parts)}

    @property
    def nishimori_lines(self) -> dict[str, list[Part]]:
        """The parts of every entry that follows the Nishimori line by exchange Monte Carlo, by its name."""
        return nishimori_lines(part for part in self.parts.values() if part.method == "tempering")

    @property
    def parts_with_identities(self) -> list[Part]:
        """The parts of exchange Monte Carlo with exact results: on the Nishimori line, or of a model that is solved."""
        tempered = [part for part in self.parts.values() if part.method == "tempering"]
        return [part for part in tempered if nishimori_slot(part) is not None or (part.model in EXACT and not part.h)]

    def shard(self, run: Run, first: int, count: int) -> str:
        return f"{self.root}/shards/{run.name}/{first}_{count}.h5"

    def reduced(self, part: Part, size: int, temperature: float | None) -> list[str]:
        """The files of block sums of one size and temperature."""
        folder = f"{self.root}/reduced/{part.runs[size, temperature].name}"
        return [f"{folder}/{first}_{shards}x{samples}.h5" for first, shards, samples in part.reductions(size)]


def open_study(content: dict[str, Any]) -> Study | Benchmark | Laboratory:
    """A study of its kind: simulations, speeds that were measured before, or runs of psflip-lab. StudyError also if it has too
    many jobs to plan."""
    if isinstance(content, dict) and "benchmarks" in content:
        return Benchmark(content)
    if isinstance(content, dict) and "laboratory" in content:
        return Laboratory(content)
    study = Study(content)
    require_few_jobs(study.parts.values())
    return study


def open_file(path: Path) -> Study | Benchmark | Laboratory:
    """The study of a file. StudyError tells its mistakes after the name of the file and, where known, the line."""
    document = read_document(path)
    content = check_document(path, document)
    try:
        return open_study(content)
    except StudyError as error:
        mistakes = [Mistake.of(line) for line in str(error).splitlines() if not is_count(line)]
        raise refusal(mistakes, str(path), document.lines) from error
