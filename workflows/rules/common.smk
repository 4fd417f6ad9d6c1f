# The study, and the hashes of code in the identity of results.
import gc
import inspect
import json
import os
import re
from pathlib import Path

from snakemake.exceptions import WorkflowError

from workflows.benchmark.jobs import Benchmark
from workflows.laboratory.plan import Laboratory
from workflows.diagnostics import names as diagnostics
from workflows.methods.registry import METHODS
from workflows.models.registry import OWN
from workflows.report.repeat import repeat_command
from workflows.study.error import StudyError
from workflows.study.identity import analysis_fingerprint, laboratory_fingerprint, module_fingerprint, stream_version
from workflows.study.presets import presets
from workflows.study.study import open_file


wildcard_constraints:
    study="[a-z0-9_-]+",
    run="[^/]+",
    part="[a-z0-9_.-]+",
    L="[0-9]+",
    stream="stream[0-9]+",
    first="[0-9]+",
    shards="[0-9]+",
    samples="[0-9]+",


# Snakemake makes about 4,000 objects for each job, which stay. Looking for garbage among them takes a quarter of the time of
# planning; it starts when all are there, without them.
gc.disable()


onstart:
    gc.freeze()
    gc.enable()


STUDY_FILE = os.path.relpath(workflow.configfiles[-1]) if workflow.configfiles else "config/demo.yaml"


try:
    # Not from `config`: Snakemake reads YAML 1.1, in which 1e4 is text and 1:30 is 90.
    STUDY = open_file(Path(STUDY_FILE))
except StudyError as error:
    raise WorkflowError(str(error))


def command_to_repeat(wildcards):
    """By a function: Snakemake puts wildcards into text, and a study may have braces."""
    return repeat_command(STUDY_FILE, STUDY.name, Path.cwd())


# Snakemake compares these strings with those of the last run. A rebuilt binary changes nothing; a new version of the
# randomness contract simulates again; changed sources of a command of psflip-analysis run its stage again.
STREAM = f"stream{stream_version()}"

CRITICAL_FIGURES = ["clock", "collapse", "pairs", "scans"]


def figures(model, method):
    """Named figure files of a model that has figures of its own."""
    section = OWN[model, method]
    return {name: f"results/{{study}}/plots/{section.prefix}{{system}}_{name}.svg" for name in section.figures}


def figures_of_any_model(method):
    """Named figure files of the models that a method draws."""
    return {
        name: f"results/{{study}}/plots/{{model}}_{method}{{system}}_{name}.svg" for name in METHODS[method].figures
    }


def drawn(method, model=None):
    """A function of wildcards: the section whose figures a rule draws, of one model or of that in the wildcards. The wildcard
    `system` is empty in a study with one system of the model and method."""

    def section(wildcards):
        name = model or wildcards.model
        here = (name, method, wildcards.system)
        return next(one for one in STUDY.sections if (one.model, one.method, one.suffix) == here)

    return section


def of_drawn(files, method, model=None):
    """A function of wildcards: the files of a section whose figures a rule draws."""
    return lambda wildcards: files(drawn(method, model)(wildcards))


def system_option(method, model=None):
    """A function of wildcards: which rows a program draws and how it names the figures, in a study with several systems."""

    def option(wildcards):
        section = drawn(method, model)(wildcards)
        parts = " ".join(part.name for part in STUDY.of(section))
        return f" --system {section.suffix} --parts {parts}" if section.system else ""

    return option


def spin_glass_option(wildcards):
    """For a model whose energy after the first sweep is known."""
    return " --spin-glass" if drawn("relaxation")(wildcards).spin_glass else ""


def published_option(method):
    """Draws the published critical temperature where the section of a method has the bonds and the field that it is for."""
    return lambda wildcards: (" --published" if drawn(method)(wildcards).published else "")


def has_overlaps(part, size):
    """Whether the distribution of the overlap of a size is made: exchange Monte Carlo of random bonds counts it."""
    return part.method == diagnostics.METHOD and presets()[part.model].has_random_bonds and has_shards(part, size)


def blocks_of_overlaps(wildcards):
    count = STUDY.block_samples.get(STUDY.parts[wildcards.part].runs[int(wildcards.L), None].name)
    return f" --block-samples {count}" if count else ""


def overlap_tables(part):
    sizes = [size for size in part.sizes if has_overlaps(part, size)]
    return [f"{STUDY.root}/tables/{part.name}/overlaps_L{size}.csv" for size in sizes]


def all_overlap_tables():
    return [path for part in STUDY.parts.values() for path in overlap_tables(part)]


def all_figures():
    names = [name for section in STUDY.sections for name in section.figure_names]
    names += [f"critical_{name}" for name in CRITICAL_FIGURES if STUDY.critical]
    names += [f"{model}_boundary" for model in dict.fromkeys(part.model for part in STUDY.boundary_parts)]
    names += [f"{sweep}_sweep" for sweep in STUDY.parts_of_sweeps]
    names += [f"{part.name}_overlaps" for part in STUDY.parts.values() if overlap_tables(part)]
    names += [diagnostics.figure_name(section, name) for section, name in diagnosed()]
    names += [f"{line}_line" for line in STUDY.nishimori_lines]
    return [f"{STUDY.root}/plots/{name}.svg" for name in names]


def diagnosed():
    """The figures of the runs of exchange Monte Carlo: sections with the short names of theirs."""
    tables = {
        diagnostics.SPECIFIC_HEAT: specific_heat_tables,
        diagnostics.EQUILIBRATION: log_bin_tables,
        diagnostics.SAMPLE_TIMES: histograms_of_times,
    }
    return [(section, name) for section in STUDY.sections for name, of in tables.items() if of(section)]


def tempered_prefixes():
    """A pattern of the beginnings of names of these figures; without a section of exchange Monte Carlo it matches nothing."""
    names = [section.prefix + section.suffix for section in STUDY.sections if section.method == diagnostics.METHOD]
    return "|".join(map(re.escape, names)) or "(?!)"


def of_prefix(files):
    """A function of wildcards: the files of the section whose figures have this prefix."""

    def found(wildcards):
        sections = [one for one in STUDY.sections if one.prefix + one.suffix == wildcards.prefix]
        return [path for section in sections for path in files(section)]

    return found


def kept_files():
    """What a finished study has besides its report: files that someone removed are made again."""
    if isinstance(STUDY, Benchmark):
        files = [*rules.benchmark_tables.output, *rules.plot_benchmark.output]
        return [file.replace("{study}", STUDY.name) for file in files]
    if isinstance(STUDY, Laboratory):
        return [*STUDY.files, *(f"{STUDY.root}/plots/{name}.svg" for name in STUDY.figures)]
    names = [
        "study.json",
        "summary.json",
        *(f"tables/{name}.csv" for name in ("observables", "verdicts", "provenance")),
    ]
    tables = of_all_sections(crossing_tables) + of_all_sections(dynamics_tables) + critical_tables() + tables_of_sizes()
    tables += all_overlap_tables()
    tables += [
        path for kind in (specific_heat_tables, log_bin_tables, tables_of_times) for path in of_all_sections(kind)
    ]
    tables += identity_tables() + line_tables()
    return [f"{STUDY.root}/{name}" for name in names] + tables + all_figures() + grids() + reduced_of_study()


def of_run(function):
    """A function of the parameters of a shard. Snakemake inspects its signature many times for each of thousands of jobs, and
    Python finds it at once where the function holds it."""
    function.__signature__ = inspect.signature(function)
    return function


def reduced_of_study():
    """The sums of every shard once, also when parts share runs."""
    return reduced_of_parts(STUDY.parts.values())


def reduced_of_parts(parts):
    """The sums of every shard of some parts."""
    return sorted({path for part in parts for point in part.runs for path in STUDY.reduced(part, *point)})


def identity_tables():
    return [f"{STUDY.root}/tables/identities.csv"] if STUDY.parts_with_identities else []


def line_tables():
    return [f"{STUDY.root}/tables/line.csv"] if STUDY.nishimori_lines else []


def shards_of_reduction(wildcards):
    """The shards that one reduced file sums up, which its name tells."""
    first, shards, samples = (
        int(wildcards.first),
        int(wildcards.shards),
        int(wildcards.samples),
    )
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


def tempered_sizes(section):
    """Parts and sizes of a section of exchange Monte Carlo; of others none."""
    parts = STUDY.of(section) if section.method == diagnostics.METHOD else []
    return [(part, size) for part in parts for size in part.sizes]


def specific_heat_tables(section):
    return [f"{STUDY.root}/tables/{part.name}/specific_heat_L{size}.csv" for part, size in tempered_sizes(section)]


def log_bin_tables(section):
    return [f"{STUDY.root}/tables/{part.name}/log_bins_L{size}.csv" for part, size in tempered_sizes(section)]


def shards_of_size(wildcards):
    """All measurements of one size by exchange Monte Carlo."""
    part, size = STUDY.parts[wildcards.part], int(wildcards.L)
    return [STUDY.shard(part.runs[size, None], *shard) for shard in part.shards(size)]


def has_shards(part, size):
    """Whether the measurements of a size are there or still to be made. Where someone removed the shards of a sum, nothing is
    simulated for tables of single samples."""
    kept = {
        first for first, count in part.shards(size) if Path(STUDY.shard(part.runs[size, None], first, count)).exists()
    }
    return not any(
        Path(path).exists() and not kept.issuperset(range(first, first + shards * samples, samples))
        for path, (first, shards, samples) in zip(STUDY.reduced(part, size, None), part.reductions(size))
    )


def tables_of_times(section, kinds=("", "_quantiles", "_histogram")):
    """Times of single samples, which only measurements have."""
    found = [f"{part.name}/sample_times_L{size}" for part, size in tempered_sizes(section) if has_shards(part, size)]
    return [f"{STUDY.root}/tables/{name}{kind}.csv" for name in found for kind in kinds]


def numbers_of_times(section):
    return tables_of_times(section, ["", "_quantiles"])


def histograms_of_times(section):
    return tables_of_times(section, ["_histogram"])


def crossing_tables(section):
    """One for each part that brackets a transition, and for each of two phenomenological couplings."""
    parts = [part for part in STUDY.of(section) if part.crossing]
    return [f"{STUDY.root}/tables/{part.name}/crossing_{name}.csv" for part in parts for name in ("U4", "xi_over_L")]


def crossings_of_boundary():
    return [
        f"{STUDY.root}/tables/{part.name}/crossing_{name}.csv"
        for part in STUDY.boundary_parts
        for name in ("U4", "xi_over_L")
    ]


def boundary_table():
    return [f"{STUDY.root}/tables/boundary.csv"] if STUDY.boundary_parts else []


def tables_of_crossing_sizes(section):
    """The curves that cross: all sizes of the parts that bracket a transition."""
    parts = [part for part in STUDY.of(section) if part.crossing]
    return [f"{STUDY.root}/tables/{part.name}/L{size}.csv" for part in parts for size in part.sizes]


def of_all_sections(tables):
    """The tables of one kind of all sections of the study."""
    return [path for section in STUDY.sections for path in tables(section)]


def block_option(wildcards):
    return "".join(f" {word}" for word in STUDY.block_options(wildcards.run))


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
    """Between which temperatures of a curve a crossing is looked for (without exchanges there are no points outside), which
    sizes are compared, and the exponents of the extrapolation where the study states them.
    """
    return STUDY.parts[wildcards.part].crossing_options


def eta_option(wildcards):
    """The exponent with which z follows from chi, where the study states it."""
    fit = STUDY.parts[wildcards.part].fit
    return f" --eta {fit['eta']}" if "eta" in fit else ""


def grid_file(grid):
    return f"{STUDY.root}/grids/{STREAM}/{grid.name}.json"


def grid_of_run(wildcards):
    return grid_file(STUDY.runs[wildcards.run].grid)


def grids():
    """The grids of temperatures of all sizes, by both methods."""
    return sorted({grid_file(grid) for grid in STUDY.grids.values()})


def grids_of(section):
    """The grids of the parts of a section."""
    return sorted({grid_file(grid) for part in STUDY.of(section) for grid in part.grids.values()})


def dynamics_tables(section):
    """One for each size and temperature of the parts that state a fit range."""
    parts = [part for part in STUDY.of(section) if part.fit]
    return [f"{STUDY.root}/tables/{part.name}/dynamics_L{size}_T{t}.csv" for part in parts for size, t in part.runs]
