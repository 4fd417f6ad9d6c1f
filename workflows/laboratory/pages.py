"""The pages of the papers, from files of psflip-lab: for the report and for the published page."""

from __future__ import annotations

from types import ModuleType

from workflows.laboratory import seed_000, seed_001, seed_002, seed_003, seed_004
from workflows.laboratory.blocks import Block, Page, references
from workflows.laboratory.measurements import Measurement, of_seed

MODULES: dict[str, ModuleType] = {
    "000": seed_000,
    "001": seed_001,
    "002": seed_002,
    "003": seed_003,
    "004": seed_004,
}


def command_name(measurement: Measurement) -> str:
    """`layouts` of "psflip-lab layouts --L 8", `numba_ising2d` of "python -m workflows.laboratory.numba_ising2d --L 8"."""
    words = measurement.command.split()
    return words[2].rpartition(".")[2] if words[:2] == ["python", "-m"] and len(words) > 2 else words[1]


def figures_of(commands: dict[str, set[str]]) -> list[str]:
    """Names of the figures of each page whose command was measured; `commands`: of each paper."""
    return [
        name
        for seed, module in MODULES.items()
        for command, names in module.FIGURES.items()
        if command in commands.get(seed, set())
        for name in names
    ]


def _is_shown(block: Block, drawn: set[str]) -> bool:
    if block.figure:
        return block.figure in drawn
    return bool(block.text or block.heading or (block.table and block.table["rows"]))


def _without_empty_headings(blocks: list[Block]) -> list[Block]:
    following = [*blocks[1:], Block(heading="end")]
    return [block for block, after in zip(blocks, following) if not (block.heading and after.heading)]


def page_of(seed: str, measurements: list[Measurement], drawn: set[str]) -> Page:
    """The page of one paper; tables without rows and figures that are not in `drawn` are left out."""
    paper, mine = references()["papers"][seed], of_seed(measurements, seed)
    blocks = [block for block in MODULES[seed].blocks(mine) if _is_shown(block, drawn)]
    return Page(seed, paper["title"], paper["source"], MODULES[seed].lessons(mine), _without_empty_headings(blocks))


def origin(measurements: list[Measurement]) -> list[list[str]]:
    """Where the numbers come from: a row for each file."""
    return [
        [one.path.name, one.command, str(one.content.get("gpu") or one.content["machine"])]
        + [str(one.content.get("git_commit", "–")), str(one.content["created"])[:10]]
        for one in measurements
    ]


ORIGIN = ["file", "command", "machine", "commit", "day"]
