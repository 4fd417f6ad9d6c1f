"""The report as a reader gets it."""

from __future__ import annotations

import html.parser
import io
import itertools
import math
import re
import subprocess
from pathlib import Path
from urllib.parse import unquote

import numpy as np
import pandas as pd
import pytest

from conftest import Workspace
from workflows.figures.style import COLOURS
from workflows.report.page import Figures, formulas
from workflows.report.repeat import repeat_command
from workflows.report.report import first_rows
from workflows.report.tables import flips, power_of_ten

ENERGY = "Energy per site after a quench from random spins."


class Page(html.parser.HTMLParser):
    """Collects the tags, everything that a browser would load, the links and the names of pictures."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.loads: list[str] = []
        self.links: list[str] = []
        self.pictures: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        addresses = [value for name, value in attrs if name in ("src", "href", "xlink:href") and value]
        (self.links if tag == "a" else self.loads).extend(addresses)
        if tag == "svg":
            self.pictures.append(dict(attrs).get("aria-label") or "")


def test_the_report_is_one_file_that_opens_offline(finished: Workspace) -> None:
    text = (finished.results() / "report.html").read_text()
    page = Page(text)
    assert [load for load in page.loads if not load.startswith(("#", "data:"))] == []
    assert not re.search(r"url\((?!#)|@import", text)
    assert page.tags.count("svg") == 15 and page.tags.count("script") == 1
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers)), "figures share ids and would borrow each other's marks"
    headings = ("How to cite", "Provenance", "Design effect", "Equilibration", "Temperature slots", "Cost")
    for expected in (*headings, "git checkout", "3200 (64 samples 4 times as many)"):
        assert expected in text


def test_every_link_of_the_report_leads_somewhere(finished: Workspace) -> None:
    text = (finished.results() / "report.html").read_text()
    page = Page(text)
    identifiers = set(re.findall(r'\bid="([^"]+)"', text))
    assert [link for link in page.links if link.startswith("#") and link[1:] not in identifiers] == []
    files = [link for link in page.links if not link.startswith(("#", "data:"))]
    assert [file for file in files if not (finished.results() / file).exists()] == []
    assert {"tables/observables.csv", "summary.json", "plots/ea3d_energy.svg"} <= set(files)
    assert text.count("<h2 ") == len(re.findall(r"<li><a href=\"#", text))


def test_every_figure_tells_what_it_shows_and_has_its_numbers(finished: Workspace) -> None:
    page = Page((finished.results() / "report.html").read_text())
    assert len(set(page.pictures)) == 15 and all(len(name) > 20 for name in page.pictures)
    assert f"ea3d energy: {ENERGY}" in page.pictures
    data = [unquote(link.partition(",")[2]) for link in page.links if link.startswith("data:text/csv")]
    assert len(data) == 15
    energies = pd.read_csv(io.StringIO(data[page.pictures.index(f"ea3d energy: {ENERGY}")]))
    table = pd.read_csv(finished.results() / "tables" / "observables.csv")
    of_size = table.query("model == 'ea3d' and observable == 'e' and L == 6").set_index("t")
    drawn = energies.query("panel == 1 and series == 'L=6'").set_index("x")
    assert len(drawn) == len(of_size) and drawn["y"].equals(drawn["y"].dropna())
    for t, row in drawn.iterrows():
        assert (row["y"], row["y_error"]) == pytest.approx(tuple(of_size.loc[t, ["value", "error"]]), rel=1e-6)


def test_the_cost_is_time_over_flips(finished: Workspace) -> None:
    origin = pd.read_csv(finished.results() / "tables" / "provenance.csv")
    speeds = 1e12 * origin["core_seconds"] / flips(origin)
    assert speeds.to_numpy() == pytest.approx(origin["ps_per_flip"].to_numpy(), rel=0.2)
    assert [power_of_ten(value) for value in (1.994e13, 3261.5, 0.0731)] == ["1.99 × 10¹³", "3262", "0.0731"]
    assert [power_of_ten(value) for value in (math.inf, math.nan)] == ["inf", "nan"]


def test_indices_and_powers_of_captions_are_set() -> None:
    assert formulas("T* = T_c + A f L^−(ω + 1/ν), f = (1 − s^−ω)/(s^(1/ν) − 1)") == (
        "T* = T<sub>c</sub> + A f L<sup>−(ω + 1/ν)</sup>, f = (1 − s<sup>−ω</sup>)/(s<sup>1/ν</sup> − 1)"
    )
    assert formulas("χ ∝ t^((2−η)/z), R_ξ < χ_con") == "χ ∝ t<sup>(2−η)/z</sup>, R<sub>ξ</sub> &lt; χ<sub>con</sub>"
    assert formulas("key shard_samples, overlaps_L") == "key shard_samples, overlaps_L"


@pytest.mark.parametrize(("points", "kind"), [(432, "plot"), (604.8, "plot panels")])
def test_only_figures_with_panels_next_to_each_other_scroll_on_a_phone(
    tmp_path: Path, points: float, kind: str
) -> None:
    path = tmp_path / "figure.svg"
    path.write_text(f'<?xml version="1.0"?><svg width="{points}pt" height="280.8pt" viewBox="0 0 1 1"></svg>')
    assert f'<div class="{kind}"' in Figures([path])("figure", "A caption.")


def test_a_long_table_of_results_begins_with_comparisons() -> None:
    rows = [{"verdict": verdict} for verdict in ["effective"] * 8 + ["agrees", "differs"]]
    assert [row["verdict"] for row in first_rows(rows)] == ["differs", "agrees"]
    assert first_rows(rows[-3:]) == [] and first_rows(rows[:8] * 2) == []


def test_commands_to_repeat_work_from_the_root_of_the_repository(tmp_path: Path) -> None:
    root, outside = tmp_path / "psflip", tmp_path / "far" / "mine.yaml"
    for folder in (root / "results", root / "config", outside.parent):
        folder.mkdir(parents=True)
    inside = root / "config" / "mine.yaml"
    for file in (inside, outside):
        file.write_text('name: mine\ntitle: "It\'s $5 {and} `more`"\n')
    assert repeat_command(str(inside), "mine", root) == "./study run config/mine.yaml"
    (root / "study").write_text('#!/bin/sh\necho "$@"\n')
    (root / "study").chmod(0o755)
    command = repeat_command(str(outside), "mine", root)
    done = subprocess.run(["bash", "-c", command], cwd=root, capture_output=True, text=True, check=True)
    assert done.stdout == "run results/mine.yaml\n" and ".." not in command
    assert (root / "results" / "mine.yaml").read_text() == outside.read_text()


def lab(colour: np.ndarray) -> np.ndarray:
    """CIE L*a*b* of linear RGB."""
    matrix = [[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.0721750], [0.0193339, 0.1191920, 0.9503041]]
    x, y, z = np.cbrt(np.array(matrix) @ np.clip(colour, 0, 1) / [0.95047, 1, 1.08883])
    return np.array([116 * y - 16, 500 * (x - y), 200 * (y - z)])


def test_colours_differ_for_colour_blind_readers() -> None:
    """By the matrices of Machado, Oliveira and Fernandes (2009) for deuteranopia, protanopia and tritanopia."""
    sights = [
        [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
        [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]],
        [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
        [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]],
    ]
    values = [np.array([int(name[i : i + 2], 16) / 255 for i in (1, 3, 5)]) for name in COLOURS]
    linear = [np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4) for v in values]
    for sight in sights:
        seen = [lab(np.array(sight) @ colour) for colour in linear]
        assert min(np.linalg.norm(a - b) for a, b in itertools.combinations(seen, 2)) > 20


def test_the_report_names_no_path_of_the_machine(finished: Workspace) -> None:
    text = (finished.results() / "report.html").read_text()
    assert str(finished.folder.parent) not in text
    assert "./study run config/smoke.yaml" in text
