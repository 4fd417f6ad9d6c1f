"""The flips of a job, counted as the engine counts them (Simulation::flips_total)."""

from __future__ import annotations

from typing import Any

from workflows.methods.registry import method_of
from workflows.study.presets import presets

Options = dict[str, Any]


def sites(options: Options, model: str) -> int:
    return int(options["L"]) ** presets()[model].dimension


def replicas(options: Options, model: str, tempered: bool) -> int:
    """Copies of a sample; where the job does not say it, the default of the engine (default_replicas)."""
    preset = presets()[model]
    if preset.has_random_bonds:
        return int(options.get("replicas", 4))
    return int(options.get("replicas", 2 if preset.has_disorder or tempered else 1))


def slots_of_trials(grid: Options) -> list[int]:
    """Temperature slots of each adaptation run of a grid: `trials`, and one that measures the last grid."""
    return [int(grid["slots"]) + trial * int(grid.get("insertions", 0)) for trial in range(int(grid["trials"]) + 1)]


def slots(options: Options) -> int:
    """Temperatures of a job. A grid has those of its last adaptation run."""
    if "grid" in options:
        return slots_of_trials(options["grid"])[-1]
    return len(options["slots"]) if "slots" in options else 1


def flips_of_run(options: Options, samples: int) -> int:
    """Flips of a shard of so many samples: sites x samples x replicas x slots x sweeps, and those of extended runs."""
    model = options["model"]
    spins = sites(options, model) * replicas(options, model, method_of(options).tempered) * slots(options)
    sweeps = int(options["sweeps"])
    packs, times = (int(number) for number in str(options.get("longer", "0:1")).split(":"))
    return spins * sweeps * (samples + 32 * packs * (times - 1))


def flips_of_grid(model: str, grid: Options) -> int:
    """Flips of all adaptation runs of a grid."""
    samples = int(str(grid["samples"]).partition(":")[2])
    spins = sites(grid, model) * replicas(grid, model, tempered=True) * samples
    return spins * int(grid["sweeps"]) * sum(slots_of_trials(grid))
