"""The transition of ea3d: a tiny study from end to end, and what the report quotes from a scan."""

from __future__ import annotations

import math
import shutil
import subprocess
import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest

from conftest import ROOT, Workspace
from made_up_fits import CRITICAL, all_clocks, scan_of_fits, with_quote
from workflows.critical.figures import without_correction
from workflows.critical.report import together_table
from workflows.critical.summary import critical_numbers, equilibrium_numbers
from workflows.scripts.budget import by_size, costs, forecast, measured_times, reached
from workflows.scripts.size_powers import size_powers
from workflows.statistics.literature import references
from workflows.study.study import Study


def tiny() -> dict[str, Any]:
    """Two sizes so small that seconds take them to xi / L = 0.35."""
    part = {"name": "relaxation", "model": "ea3d", "L": [4, 6], "T": [0.8, 1.0, 1.25, 1.5, 1.75], "samples": 512}
    part |= {
        "shard_samples": 256,
        "block_samples": {4: 64, 6: 32},
        "sweeps": {4: 64, 6: 256},
        "fit": {"from": 4, "to": 64},
    }
    critical = with_quote(clock=0.3, L_min=4, corrected=False) | {
        "together": {"clocks": [0.3, 0.35], "xi_min": [1, 1.4]},
        "degrees": [2, 3],
    }
    return {"name": "tiny", "title": "Tiny study", "seed": 1, "parts": [part], "critical": critical}


@pytest.mark.slow
def test_a_tiny_study_of_the_transition_ends_with_a_report_and_needs_only_the_sums_of_its_shards(
    workspace: Workspace,
) -> None:
    workspace.write_study(tiny())
    workspace.run("tiny")
    results = workspace.results("tiny")
    fits = pd.read_csv(results / "tables" / "critical.csv")
    z = fits[(fits["quantity"] == "z") & (fits["cumulants"] == "none") & (fits["method"] == "power")]
    assert list(z["clock"]) == [0.25, 0.3, 0.35] and (z["value"].between(3, 8)).all()
    assert set(fits[fits["xi_min"].isna()]["degree"]) == {2} and set(fits[fits["xi_min"].notna()]["degree"]) == {2, 3}
    readings = pd.read_csv(results / "tables" / "clock.csv")
    assert set(readings["quantity"]) == {"log_t", "log_chi", "U4", "U22"}
    assert set(readings[readings["L"] == 4]["blocks"]) == {8} and set(readings[readings["L"] == 6]["blocks"]) == {16}
    text = (results / "report.html").read_text()
    assert "All reference values R_ξ = 0.3, 0.35 together" in text
    assert "The transition from relaxation" in text and text.count("<figure") == 9
    assert "design_effect_U4" in (results / "tables" / "observables.csv").read_text()
    assert "rows of the table of observables have fewer than 16 jackknife blocks (smallest number: 8)" in text

    published(workspace)
    before = workspace.tables("tiny")
    for folder in ("shards", "tables", "plots"):
        shutil.rmtree(results / folder)
    for file in ("report.html", "summary.json"):
        (results / file).unlink()
    shutil.rmtree(workspace.folder / ".snakemake")
    rules = workspace.rules("tiny")
    assert {"combine", "critical", "provenance", "report"} <= rules and not {"simulate", "reduce"} & rules
    assert workspace.tables("tiny") == before
    provenance = pd.read_csv(results / "tables" / "provenance.csv")
    assert set(provenance["samples"]) == {512} and (provenance["core_seconds"] > 0).all()


def published(workspace: Workspace) -> None:
    """The page in the repository: numbers compared with the literature, scans, and the cost of shared random numbers."""
    shutil.copy2(ROOT / "README.md", workspace.folder / "README.md")
    command = [sys.executable, "-m", "workflows.scripts.publish", "results/tiny"]
    subprocess.run(command, cwd=workspace.folder, check=True)
    folder = workspace.folder / "results" / "published" / "tiny"
    page = (folder / "README.md").read_text()
    assert page.startswith("# Tiny study\n") and "flips in 20 files" in page
    assert "All reference values R_ξ = 0.3, 0.35 together" in page and "| U₄, U₂₂ | 1 | 4 – 6 | – | 2 |" in page
    assert "| U₄, U₂₂ | 1 | 4 – 6 | – | 3 |" in page
    effects = pd.read_csv(folder / "tables" / "design_effects.csv")
    assert set(effects["t"]) == {64, 256} and "design_effect_U4" in set(effects["observable"])
    assert (folder / "critical_collapse.svg").exists() and not (folder / "ea3d_binder.svg").exists()


def test_the_report_quotes_the_fit_that_the_study_names_and_says_how_far_its_neighbours_are() -> None:
    numbers = {number.name: number for number in critical_numbers(scan_of_fits(), CRITICAL)}
    beta = numbers["3D EA: β_c from relaxation"]
    assert beta.value == pytest.approx(0.907) and beta.error == 0.002 and beta.verdict == "agrees"
    assert beta.reference == references()["ea3d_beta_critical"]["value"]
    assert "8 ≤ L ≤ 32, degree 2, with a correction L^−1.12" in beta.note and "χ²/dof = 1.00" in beta.note
    for neighbour in ("R_ξ = 0.25: 0.9020(20)", "R_ξ = 0.35: 0.9120(20)", "L ≥ 12", "without L^−ω", "ω = 1.02"):
        assert neighbour in beta.note
    assert "L ≥ 16" not in beta.note, "only fits one step away are neighbours"
    assert "largest shift −0.005" in beta.note
    assert "largest shift +0 " in numbers["3D EA: z from relaxation"].note
    without = critical_numbers(scan_of_fits(), with_quote(clock=0.35, L_min=16, corrected=False))
    assert without[0].value == pytest.approx(0.912) and "without corrections" in without[0].note
    assert not critical_numbers(scan_of_fits().query("L_min > 8"), CRITICAL), "a fit that the data did not allow"


def test_a_fit_of_all_clocks_can_be_quoted_and_has_neighbours_of_its_own() -> None:
    fits, critical = all_clocks()
    numbers = {number.name: number for number in critical_numbers(fits, critical)}
    beta, z = numbers["3D EA: β_c from relaxation"], numbers["3D EA: z from relaxation"]
    assert beta.value == pytest.approx(0.91) and beta.error == 0.003
    assert (
        "U₄ and U₂₂ at R_ξ = 0.3, 0.35 together, ξ ≥ 3.2, 8 ≤ L ≤ 32, degree 2, with a correction L^−1.12, χ²/dof = 1.10"
        in beta.note
    )
    neighbouring = "ξ ≥ 2.4: 0.9108(30), ξ ≥ 4: 0.9092(30), without L^−ω: 0.9100(30), ω = 1.02: 0.9100(30)"
    neighbouring += ", degree 3: 0.9080(30), U4 alone: 0.9200(30)"
    assert f"neighbouring fits: {neighbouring}; largest shift" in beta.note
    assert "R_ξ = 0.3:" not in beta.note, "all clocks are in it"
    assert (
        z.value == pytest.approx(6.85) and "R_ξ = 0.35, β_c of U₄ and U₂₂" in z.note and "R_ξ = 0.3: 6.80(10)" in z.note
    )
    assert critical_numbers(fits, CRITICAL)[0].value == pytest.approx(0.907), (
        "fits at one clock are still those at one clock"
    )


def test_a_quoted_fit_has_half_the_spread_of_its_neighbours_as_systematic_error() -> None:
    fits, critical = all_clocks()
    readings = pd.DataFrame({"L": [6, 8, 16, 32, 64], "blocks": [4, 256, 120, 60, 8]})
    numbers = {number.name: number for number in critical_numbers(fits, critical, readings)}
    beta, z = numbers["3D EA: β_c from relaxation"], numbers["3D EA: z from relaxation"]
    # xi_min 2.4 to 4: 0.9108 to 0.9092; degree 3: 0.908; U4 alone, 0.92, and the fit without correction do not count.
    assert beta.error_systematic == pytest.approx((0.9108 - 0.908) / 2)
    assert beta.pull == pytest.approx((0.91 - 0.9075) / math.hypot(0.003, 0.0014, 0.0024))
    assert z.error_systematic == pytest.approx((7.85 - 6.80) / 2), "the degree and the clock"
    assert beta.blocks == 60 and z.blocks == 60, "the fewest of the sizes 8 to 32"
    scan = critical_numbers(scan_of_fits(), CRITICAL)[0]
    assert scan.error_systematic == pytest.approx(0.005) and scan.blocks is None


def test_the_quoted_fits_can_have_another_degree_each() -> None:
    fits, critical = all_clocks()
    critical["quote"]["cumulants"] |= {"degree": 3}
    numbers = {number.name: number for number in critical_numbers(fits, critical)}
    beta, z = numbers["3D EA: β_c from relaxation"], numbers["3D EA: z from relaxation"]
    assert beta.value == pytest.approx(0.908) and "8 ≤ L ≤ 32, degree 3, with" in beta.note
    for neighbour in ("degree 2: 0.9100(30)", "ξ ≥ 4: 0.9072(30)", "ω = 1.02: 0.9080(30)", "U4 alone: 0.9180(30)"):
        assert neighbour in beta.note, neighbour
    assert z.value == pytest.approx(6.85) and "degree 3: 7.85(10)" in z.note, "the first of the degrees"
    scan = critical_numbers(fits, critical | {"quote": CRITICAL["quote"]})
    assert scan[0].value == pytest.approx(0.907) and "degree 3" not in scan[0].note, "none at one clock"


def test_the_report_has_a_table_of_the_fits_of_all_clocks() -> None:
    fits, critical = all_clocks()
    table = together_table(fits, critical)
    assert table and len(table["rows"]) == 2 * 2 * 2 * 3
    first, other = (dict(zip(table["head"], table["rows"][place])) for place in (0, 3))
    assert (first["cumulants"], first["ξ_min"], first["L"], first["ω"]) == ("U₄", "2.4", "8 – 32", "1.12")
    assert first["β_c"] == "0.9208(30)" and first["z"] == "6.85(10)" and first["ν"] == "–"
    assert (first["degree"], other["degree"], other["ξ_min"]) == (2, 3, "2.4")
    assert other["β_c"] == "0.9188(30)" and other["z"] == "7.85(10)"
    assert together_table(fits, CRITICAL) is None


def test_four_times_the_samples_halve_every_error_that_is_planned() -> None:
    content = tiny() | {"critical": with_quote(clock=0.3, L_min=8, corrected=False)}
    content["parts"][0] |= {
        "L": [8, 12, 16],
        "T": [1.0, 1.25, 1.5],
        "sweeps": 65536,
        "samples": 1024,
        "block_samples": 32,
        "fit": {"from": 4, "to": 64},
    }
    study = Study(content)
    content["parts"][0]["samples"] = 4096
    larger = Study(content)
    rows = []
    for size in (8, 12, 16):
        for t in (1.0, 1.25, 1.5):
            x = (1 / t - 0.9075) * size ** (1 / 2.562)
            for quantity, value in (
                ("U4", 2.4 + 0.4 * x),
                ("log_t", 3.4 * math.log(size) + x),
                ("log_chi", 2.4 * math.log(size)),
            ):
                rows.append(
                    {
                        "L": size,
                        "T": t,
                        "beta": 1 / t,
                        "clock": 0.3,
                        "quantity": quantity,
                        "value": value,
                        "error": 0.01,
                    }
                )
    readings = pd.DataFrame(rows)
    before, after = (forecast(one, study, readings, 0.3, 8, None) for one in (study, larger))
    assert before.keys() == {"beta_c", "nu", "z", "eta"}
    for name, error in before.items():
        assert after[name] == pytest.approx(error / 2)
    assert forecast(study, study, readings, 0.3, 8, 1.12)["beta_c"] > before["beta_c"], "a free correction costs"
    seconds = [costs(one, {1: 0.1}, 3.0)[["seconds", "files_seconds"]].sum() for one in (study, larger)]
    assert list(seconds[1]) == pytest.approx(list(4 * seconds[0]))
    assert seconds[0]["seconds"] == pytest.approx(3 * 4 * 65536 * 1024 * (8**3 + 12**3 + 16**3) * 1e-13)


def test_speeds_by_size_and_the_number_of_measured_times_are_as_the_engine_has_them() -> None:
    assert by_size("0.075") == {1: 0.075} and by_size("8:0.2,16:0.065") == {8: 0.2, 16: 0.065}
    assert measured_times(8) == 8, "0, 1, 2, 3, 4, 5, 6, 8"


def test_a_run_that_ends_before_the_clock_adds_nothing_to_a_forecast() -> None:
    points = pd.DataFrame({"L": [8, 16, 8], "beta": 0.9, "samples": 32, "sweeps": [1000, 1000, 100]})
    rows = [(size, beta, math.log(200) + 6.5 * math.log(size / 8)) for size in (4, 8, 12) for beta in (0.85, 0.9, 0.95)]
    times = pd.DataFrame(rows, columns=["L", "beta", "value"]).assign(quantity="log_t", error=0.01)
    assert list(reached(points, times).index) == [0], "t = 200 at L = 8, 18000 at L = 16"


def test_powers_of_the_size_at_one_temperature_are_found_with_and_without_their_correction() -> None:
    rows = []
    for size in (8, 10, 12, 16, 24):
        for quantity, value in (("log_t", 6.8 * math.log(size) - 2 * size**-1.12), ("log_chi", 2.39 * math.log(size))):
            rows.append({"L": size, "T": 1.1, "clock": 0.3, "quantity": quantity, "value": value, "error": 0.01})
            rows.append(rows[-1] | {"T": 1.2, "value": 0.0})
    fits = size_powers(pd.DataFrame(rows), 1.1, 1.12).set_index(["quantity", "L_min", "omega"])
    assert fits.loc[("z", 8, 1.12), "value"] == pytest.approx(6.8) and fits.loc[("z", 8, 1.12), "dof"] == 2
    plain = fits[fits.index.get_level_values("omega").isna()]["value"]
    assert plain["z"].iloc[0] > 6.9 and plain["eta"].iloc[0] == pytest.approx(-0.39)
    assert set(fits.index.get_level_values("L_min")) == {8, 10, 12}, "no fit without a degree of freedom"


def test_equilibrium_is_quoted_only_where_the_last_times_agree() -> None:
    rows = []
    for size, late, ratio in ((6, 1.49, 2.3), (8, 1.55, 2.3), (64, 1.49, 10.0)):  # settled, drifting, far from its end
        for t, value in ((1024, 1.7), (4096, late), (8192, 1.491), (16384, 1.490)):
            for observable, level in (("U4", value), ("xi_over_L", value / ratio)):
                rows.append({"L": size, "T": 1.102, "t": t, "observable": observable, "value": level, "error": 0.003})
    names = [number.name for number in equilibrium_numbers(pd.DataFrame(rows))]
    assert names == ["3D EA: U₄ in equilibrium, L = 6, T = 1.102", "3D EA: ξ/L in equilibrium, L = 6, T = 1.102"]


def test_the_collapse_takes_the_correction_off_and_leaves_what_is_too_little_alone() -> None:
    rows = pd.DataFrame([(size, x) for size in (6, 8, 12, 16) for x in (-0.2, -0.1, 0.0, 0.15)], columns=["L", "x"])
    curve = 2 + 0.3 * rows["x"] - 0.1 * rows["x"] ** 2 + 0.05 * rows["x"] ** 3
    correction = 0.7 * rows["L"] ** -1.12
    rows = rows.assign(value=curve + correction, error=0.001 * rows["L"])
    rows.loc[rows["L"] == 6, "value"] += 0.1  # below the least size: shown, not fitted
    expected = curve + np.where(rows["L"] == 6, 0.1, 0.0)
    np.testing.assert_allclose(without_correction(rows, 8, 1.12)["value"], expected, atol=1e-9)
    few = rows[rows["L"] <= 8]
    assert without_correction(few, 8, 1.12) is few
