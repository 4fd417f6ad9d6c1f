# The study, and what stands for the code in the identity of results.
import json
import os
from pathlib import Path

from snakemake.exceptions import WorkflowError

from workflows.benchmark.jobs import Benchmark
from workflows.models.registry import MODELS
from workflows.study.error import StudyError
from workflows.study.identity import fingerprint, stream_version
from workflows.study.study import open_study
from workflows.study.validation import read_study

STUDY_FILE = os.path.relpath(workflow.configfiles[-1]) if workflow.configfiles else "config/demo.yaml"


try:
    STUDY = open_study(config or read_study(Path(STUDY_FILE)))
except StudyError as error:
    raise WorkflowError(str(error))

# Snakemake compares these strings with those of the last run. A rebuilt binary changes nothing; a new version of the
# randomness contract simulates again; changed analysis sources analyse again.
STREAM = f"stream{stream_version()}"
ANALYSIS = fingerprint("analysis/**/*.hpp", "analysis/**/*.cpp")

CRITICAL_FIGURES = ["clock", "collapse", "pairs", "scans"]


def figures(model):
    """Named figure files of one model."""
    return {name: f"results/{{study}}/plots/{model}_{name}.svg" for name in MODELS[model].figures}


def all_figures():
    return [
        f"{STUDY.root}/plots/{model}_{name}.svg"
        for model in MODELS
        if STUDY.of_model(model)
        for name in MODELS[model].figures
    ] + [f"{STUDY.root}/plots/critical_{name}.svg" for name in CRITICAL_FIGURES if STUDY.critical]


def reduced_of_study():
    """The sums of every shard once, also when parts share runs."""
    points = ((part, size, t) for part in STUDY.parts.values() for size, t in part.runs)
    return sorted({path for point in points for path in STUDY.reduced(*point)})


def shards_of_reduction(wildcards):
    """The shards that one reduced file sums up, which its name tells."""
    first, shards, samples = int(wildcards.first), int(wildcards.shards), int(wildcards.samples)
    firsts = range(first, first + shards * samples, samples)
    return [f"results/{wildcards.study}/shards/{wildcards.run}/{start}_{samples}.h5" for start in firsts]


def reduced_of_size(wildcards):
    """The reduced files of one size, all temperatures."""
    part = STUDY.parts[wildcards.part]
    return [path for t in part.temperatures for path in STUDY.reduced(part, int(wildcards.L), t)]


def reduced_of_run(wildcards):
    return STUDY.reduced(STUDY.parts[wildcards.part], int(wildcards.L), float(wildcards.T))


def reduced_near_crossing(wildcards):
    part = STUDY.parts[wildcards.part]
    return [path for size, t in part.crossing_grid() for path in STUDY.reduced(part, size, t)]


def tables_of_sizes():
    return [f"{STUDY.root}/tables/{part.name}/L{size}.csv" for part in STUDY.parts.values() for size in part.sizes]


def crossing_tables(model):
    """One for each part that brackets a transition, and for each of two phenomenological couplings."""
    parts = [part for part in STUDY.of_model(model) if part.window]
    return [f"{STUDY.root}/tables/{part.name}/crossing_{name}.csv" for part in parts for name in ("U4", "xi_over_L")]


def tables_of_crossing_sizes(model):
    """The curves that cross: all sizes of the parts that bracket a transition."""
    parts = [part for part in STUDY.of_model(model) if part.window]
    return [f"{STUDY.root}/tables/{part.name}/L{size}.csv" for part in parts for size in part.sizes]


def block_option(wildcards):
    """How many samples make a block of the jackknife, where the study says it; then packs are of no use any more."""
    count = STUDY.block_samples.get(wildcards.run)
    packs = " --without-packs" if wildcards.run.startswith("ea3d_") else ""
    return f" --block-samples {count}{packs}" if count else ""


def reduced_of_critical(wildcards):
    """All sizes and temperatures from which the transition is found."""
    parts = [STUDY.parts[name] for name in STUDY.critical["parts"]]
    return [path for part in parts for size, t in part.runs for path in STUDY.reduced(part, size, t)]


def together_options():
    """Which clocks are fitted together, as options of psflip-analysis critical."""
    together = STUDY.critical.get("together")
    if not together:
        return ""
    clocks, least = (",".join(str(value) for value in together[key]) for key in ("clocks", "xi_min"))
    return f"--together {clocks} --xi-min {least}"


def critical_tables():
    return [f"{STUDY.root}/tables/{name}.csv" for name in ("critical", "clock")] if STUDY.critical else []


def crossing_options(wildcards):
    """Between which temperatures of a curve a crossing is looked for (ising2d has no points outside), and which sizes
    are compared."""
    part = STUDY.parts[wildcards.part]
    low, high = part.window
    return f"--from {low} --to {high}" + (f" --ratio {part.ratio}" if part.ratio else "")


def grid_file(grid):
    return f"{STUDY.root}/grids/{STREAM}/{grid.name}.json"


def grid_of_run(wildcards):
    return grid_file(STUDY.runs[wildcards.run].grid)


def grids():
    """The grids of temperatures of all sizes, by both methods."""
    return sorted({grid_file(grid) for grid in STUDY.grids.values()})


def dynamics_tables():
    """One for each size and temperature of the parts that state a fit range."""
    parts = [part for part in STUDY.of_model("ea3d") if part.window]
    return [f"{STUDY.root}/tables/{part.name}/dynamics_L{size}_T{t}.csv" for part in parts for size, t in part.runs]
