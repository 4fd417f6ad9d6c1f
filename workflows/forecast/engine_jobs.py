"""The command lines of the jobs of a study, without files: for benchmarks and for what the engine says before it runs."""

from __future__ import annotations

from dataclasses import dataclass, replace

from workflows.forecast.work import Options, flips_of_grid, flips_of_run, slots
from workflows.study.study import Grid, Part, Run


@dataclass(frozen=True)
class EngineJob:
    """A job of `psflip MODEL METHOD`; `interval` and `bins` as the options of that name, 0 where the method has none."""

    words: tuple[str, ...]  # of the command line, with --samples
    method: str
    sweeps: int
    samples: int
    flips: int
    interval: int = 0
    bins: int = 0

    def with_option(self, name: str, value: object) -> EngineJob:
        """With another value of an option that the job has."""
        index = self.words.index(name) + 1
        return replace(self, words=(*self.words[:index], str(value), *self.words[index + 1 :]))

    def of_length(self, sweeps: int) -> EngineJob:
        changed = replace(self.with_option("--sweeps", sweeps), sweeps=sweeps)
        return replace(changed, flips=self.flips * sweeps // self.sweeps)

    def of_size(self, samples: int) -> EngineJob:
        changed = replace(self.with_option("--samples", f"0:{samples}"), samples=samples)
        return replace(changed, flips=self.flips * samples // self.samples)

    @property
    def first(self) -> int:
        """Its first sample."""
        return int(self.words[self.words.index("--samples") + 1].partition(":")[0])

    @property
    def shape(self) -> tuple[str, ...]:
        """What decides cost and memory: the words without seed and temperatures, of which the number counts."""
        words = list(self.words)
        for name in ("--seed", "--T"):
            index = words.index(name) + 1
            words[index] = str(words[index].count(","))
        return tuple(words)

    @property
    def measurements(self) -> int:
        """Relaxation: times floor(2^(k/4)); else one in each interval."""
        if self.method == "relaxation":
            powers = (2 ** (k / 4) for k in range(4 * self.sweeps.bit_length()))
            return len({*(int(power) for power in powers if power <= self.sweeps), self.sweeps})
        return max(1, self.sweeps // self.interval) if self.interval else 1


def job_of_run(part: Part, run: Run, first: int, count: int) -> EngineJob:
    """A shard. Where a grid is yet to be found, its slots are equally spaced: their number decides cost and memory."""
    options = run.options
    words = run.arguments.split()
    if "grid" in options:
        words += ["--T", ",".join(map(str, grid_of_slots(options)))]
    interval = int(options.get("measure_interval", options.get("exchange_interval", 0)))
    return EngineJob(
        words=(*words, "--samples", f"{first}:{count}"),
        method=part.method,
        sweeps=int(options["sweeps"]),
        samples=count,
        flips=flips_of_run(options, count),
        interval=interval,
        bins=int(options.get("bins", 0)),
    )


def grid_of_slots(options: Options) -> list[float]:
    low, high = (float(end) for end in options["grid"]["T"].split(","))
    count = slots(options)
    return [low + (high - low) * index / max(1, count - 1) for index in range(count)]


def job_of_grid(grid: Grid) -> EngineJob:
    options = grid.options
    return EngineJob(
        words=tuple(grid.arguments.split()),
        method="adapt",
        sweeps=int(options["sweeps"]),
        samples=int(str(options["samples"]).partition(":")[2]),
        flips=flips_of_grid(grid.model, options),
        interval=int(options["exchange_interval"]),
    )
