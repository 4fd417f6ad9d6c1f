"""Numbers in pages, from the files of results/published: tables between two marks, and sentences that a page must contain.
workflows/scripts/publish.py writes the tables and checks both."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path

from workflows.tables.notation import with_error

PUBLISHED = Path("results/published")
README = Path("README.md")
BENCHMARK = PUBLISHED / "benchmark" / "README.md"
PERFORMANCE, SCALING = Path("docs/performance.md"), Path("docs/scaling.md")
TRANSITION = Path("docs/ea3d_critical.md")

BEGIN, END = "<!-- {}: written by workflows/scripts/publish.py -->", "<!-- end of {} -->"
CPU, CUDA = "benchmark/cpu.json", "benchmark/h200.json"


def read(name: str) -> list | dict:
    return json.loads((PUBLISHED / name).read_text(encoding="utf-8"))


def jobs(*names: str, threads: int = 1) -> dict[str, dict]:
    """The jobs of psflip bench by their names; those of later files replace those of earlier ones."""
    return {job["name"]: job for name in names for job in read(name) if job["threads"] == threads}


def figure(value: float) -> str:
    """Three digits, at most three of them decimal places."""
    return f"{value:.3f}" if value < 1 else f"{value:.1f}" if value < 100 else f"{value:.0f}"


def table(head: list[str], rows: list[list[str]]) -> str:
    lines = ["".join(f"| {cell} " if cell else "| " for cell in cells) + "|" for cells in [head, *rows]]
    return "\n".join([lines[0], "|---" * len(head) + "|", *lines[1:]])


def readme_speeds() -> str:
    cpu, gpu = jobs(CPU), jobs(CUDA)
    rows = [
        ("ea3d relaxation, L = 16, 32 samples share random numbers", ["ea3d-shared-L16"]),
        ("ea3d relaxation, L = 16, each sample with its own random numbers", ["ea3d-independent-L16"]),
        (
            "ea3d tempering, L = 8 / 16, 24 temperatures, shared numbers, sums every 10 exchanges",
            ["ea3d-tempering-shared-sums10-L8", "ea3d-tempering-shared-sums10-L16"],
        ),
        ("rfim3d tempering, L = 16, 24 temperatures", ["rfim3d-independent-L16"]),
        (
            "ising2d, one lattice of 4096² / 32768²",
            ["ising2d-independent-sites-L4096", "ising2d-independent-sites-L32768"],
        ),
    ]

    def cell(found: dict[str, dict], names: list[str]) -> str:
        return " / ".join(figure(found[name]["ps_per_flip"]) if name in found else "–" for name in names)

    return table(
        ["", "one core (AMD EPYC, Zen 5)", "one NVIDIA H200"],
        [[title, cell(cpu, names), cell(gpu, names)] for title, names in rows],
    )


def core_speeds() -> str:
    head = [
        "model",
        "method",
        "random numbers",
        "L",
        "samples",
        "1 thread, ps/flip",
        "time share of measurements",
        "2 threads, ps/flip",
        "speed-up",
    ]
    rows = []
    two = jobs(CPU, threads=2)
    for name, job in jobs(CPU).items():
        seconds, of_two = job["ps_per_flip"], two[name]["ps_per_flip"]
        is_tempering = job["method"] == "tempering"
        packed = job["packing"] == "sites"
        cells = [
            f"{job['model']}, h = {job['h']:g}" if "h" in job else job["model"],
            f"{job['method']}, sums every 10 exchanges" if "-sums10-" in name else job["method"],
            job["mode"],
            str(job["L"]),
            "1, packed sites" if packed else f"{job['samples']} per thread",
            f"{seconds:.1f}",
            "not timed separately" if is_tempering else f"{100 * job['measuring_share']:.1f} %",
            f"{of_two:.1f}",
            f"{seconds / of_two:.2f}",
        ]
        rows.append(cells)
    return table(head, rows)


def gpu_spin_glass_speeds() -> str:
    found = jobs(CUDA)
    sizes = sorted(job["L"] for name, job in found.items() if name.startswith("ea3d-shared"))

    def row(mode: str, key: Callable[[dict], str]) -> list[str]:
        names = [f"ea3d-{mode}-L{size}" for size in sizes]
        return [key(found[name]) if name in found else "" for name in names]

    rows = [[f"ea3d {mode}", *row(mode, lambda job: figure(job["ps_per_flip"]))] for mode in ("shared", "independent")]
    rows.append(["samples", *row("shared", lambda job: str(job["samples"]))])
    return table(["", f"L = {sizes[0]}", *map(str, sizes[1:])], rows)


def gpu_square_speeds() -> str:
    found, prefix = jobs(CUDA), "ising2d-independent-sites-L"
    sizes = [size for size in (128, 4096, 8192, 16384, 32768) if f"{prefix}{size}" in found]
    many = {size: found[f"{prefix}{size}"]["samples"] for size in sizes}
    head = [f"{many[size]} lattices of {size}^2" if many[size] > 1 else f"{size}^2" for size in sizes]
    cells = [f"{found[f'{prefix}{size}']['flips_per_ns']:.0f}" for size in sizes]
    return table(["ising2d at T_c, packed sites", *head], [["flips/ns", *cells]])


def gpu_random_field_speeds() -> str:
    found = [job for name, job in jobs(CUDA).items() if re.match(r"rfim3d-independent-(h[\d.]+-)?L\d+", name)]
    samples = {job["L"]: job["samples"] for job in found}
    speeds = {(job["h"], job["L"]): figure(job["ps_per_flip"]) for job in found}
    head = [f"{'L = ' if not i else ''}{L}, {n}" for i, (L, n) in enumerate(samples.items())]
    head[0] += " samples"
    fields = sorted({h for h, _ in speeds})
    rows = [[f"h = {h:g}, ps/flip", *(speeds.get((h, L), "") for L in samples)] for h in fields]
    return table(["rfim3d, 24 slots, exchanges every 10 sweeps", *head], rows)


# Models and methods without a table of their own: titles, and names in files of psflip bench.
OTHER_JOBS = {
    "ea3d tempering, 24 temperatures, shared random numbers, measured every ten exchanges, L = 8 / 16": [
        "ea3d-tempering-shared-sums10-L8",
        "ea3d-tempering-shared-sums10-L16",
    ],
    "the same, measured after each exchange": ["ea3d-tempering-shared-L8", "ea3d-tempering-shared-L16"],
    "ea3d tempering, independent random numbers, measured every ten exchanges, L = 8 / 16": [
        "ea3d-tempering-independent-sums10-L8",
        "ea3d-tempering-independent-sums10-L16",
    ],
    "rfim3d, L = 16, at one temperature": ["rfim3d-equilibrium-independent-L16"],
    "rfim2d, L = 64, at one temperature / tempering": ["rfim2d-independent-L64", "rfim2d-tempering-independent-L64"],
    "ising3d, L = 16, at one temperature, 4096 / 16,384 samples": [
        "ising3d-independent-L16",
        "ising3d-independent-samples16384-L16",
    ],
    "ising3d, L = 16, tempering": ["ising3d-tempering-independent-L16"],
    "ea2d, L = 64, shared / independent random numbers": ["ea2d-shared-L64", "ea2d-independent-L64"],
    "ising2d, L = 64, tempering": ["ising2d-tempering-independent-L64"],
    "ising2d, L = 128, 1024 samples that share words": ["ising2d-independent-L128"],
}


def gpu_other_speeds() -> str:
    found = jobs(CUDA)
    rows = [
        [title, " / ".join(figure(found[name]["ps_per_flip"]) for name in names)] for title, names in OTHER_JOBS.items()
    ]
    return table(["job", "ps/flip"], rows)


# File and number of GPUs of each column of efficiencies.
SCALING_COLUMNS = (("h200_two", 2), ("h200_gpus", 4), ("h100_gpus", 2), ("h100_gpus", 4))


def scaling(head: str, rows: list[tuple[str, str, str]]) -> str:
    """One row for each title, job and kind of scaling: ps/flip of one H200, efficiencies of several GPUs."""
    cases = {
        (file, case["job"], case["scaling"], case["ranks"]): case
        for file in dict.fromkeys(file for file, _ in SCALING_COLUMNS)
        for case in read(f"scaling/{file}.json")["cases"]
    }
    lines = []
    for title, job, kind in rows:
        wanted = [(file, job, kind, gpus) for file, gpus in SCALING_COLUMNS]
        cells = [f"{cases[key]['efficiency']:.3f}" if key in cases else "–" for key in wanted]
        lines.append([title, figure(cases["h200_two", job, "strong", 1]["ps_per_flip"]), *cells])
    return table([head, "one H200, ps/flip", "efficiency, 2 H200", "4 H200", "2 H100", "4 H100"], lines)


def strong_scaling() -> str:
    rows = [
        ("ising2d, 32768^2", "ising2d-32768"),
        ("ising2d, 65536^2", "ising2d-65536"),
        ("ea3d, L = 256, 128 samples, 4 replicas", "ea3d-256"),
        ("rfim3d, L = 64, 32 slots, 512 samples, E = 10", "rfim3d-64"),
        ("ea3d tempering, L = 16, 24 slots, 1024 samples, E = 10", "ea3d-tempering-16"),
    ]
    return scaling("strong scaling: one problem", [(title, job, "strong") for title, job in rows])


def weak_scaling() -> str:
    rows = [
        ("ising2d, 32768^2 on one GPU, 49152^2 on two, 65536^2 on four", "ising2d-32768", "weak"),
        ("ea3d, L = 256, 128 samples for each GPU", "ea3d-256", "samples"),
        ("rfim3d, L = 64, 32 slots for each GPU", "rfim3d-64", "weak"),
        ("ea3d tempering, L = 16, 24 slots for each GPU", "ea3d-tempering-16", "weak"),
    ]
    return scaling("weak scaling: the problem grows with the number of GPUs", rows)


def transition() -> str:
    """The fit of the transition of ea3d, by the signs of its numbers."""
    rows = []
    for sign, name in {"β_c": "beta_c", "ν": "nu", "z": "z", "η": "eta"}.items():
        beginning = f"3D EA: {sign} from relaxation"
        (number,) = (one for one in read("ea3d_critical/summary.json") if one["name"].startswith(beginning))
        value = with_error(number["value"], number["error"], number["error_systematic"]).replace("−", "-")
        rows.append([name, value, f"{number['pull']:.1f}"])
    return table(["", "psflip", "deviation from the literature, in errors"], rows)


TABLES: dict[Path, dict[str, Callable[[], str]]] = {
    README: {"speeds": readme_speeds},
    PERFORMANCE: {
        "speeds of a core": core_speeds,
        "speeds of ea3d": gpu_spin_glass_speeds,
        "speeds of ising2d": gpu_square_speeds,
        "speeds of rfim3d": gpu_random_field_speeds,
        "speeds of other jobs": gpu_other_speeds,
    },
    TRANSITION: {"results of the transition": transition},
    SCALING: {"strong scaling": strong_scaling, "weak scaling": weak_scaling},
}


def with_tables(path: Path, text: str) -> str:
    """The text of a page with its tables of published numbers."""
    for name, make in TABLES.get(path, {}).items():
        begin, end = BEGIN.format(name), END.format(name)
        before, rest = text.split(begin)
        text = f"{before}{begin}\n{make()}\n{end}{rest.split(end)[1]}"
    return text


def sentences() -> dict[Path, list[str]]:
    """Parts of sentences with published numbers, by the page that has them."""
    pairs = read("benchmark/peapods.json")
    speed, verdict = pairs["ps_per_flip"], (pairs["same"]["probability"], pairs["equilibrium"]["probability"])
    shared, independent = speed["psflip, shared numbers"], speed["psflip, independent numbers"]
    peapods = f"{speed['peapods==0.2.0']:,.0f}"
    small, large = (jobs(CUDA)[f"ea3d-tempering-shared-sums10-L{size}"]["ps_per_flip"] for size in (8, 16))
    return {
        README: [
            f"takes {shared:.0f} ps per spin flip on one CPU core",
            f"else {independent:.0f} ps.",
            f"The program peapods 0.2.0 takes {peapods} ps on the same samples",
            f"One NVIDIA H200 takes {figure(small)} ps at L = 8, {figure(large)} ps at L = 16",
        ],
        BENCHMARK: [
            f"(probabilities {verdict[0]:.2f} and {verdict[1]:.2f})",
            f"peapods takes {peapods} ps/flip, psflip {shared:.1f} with shared random numbers and {independent:.1f} with"
            " independent ones",
        ],
    }


def missing_sentences() -> list[str]:
    """What pages do not say, although the published files do."""
    missing = []
    for path, wanted in sentences().items():
        words = " ".join(path.read_text(encoding="utf-8").split())
        missing += [f"{path} does not say: {sentence}" for sentence in wanted if sentence not in words]
    return missing
