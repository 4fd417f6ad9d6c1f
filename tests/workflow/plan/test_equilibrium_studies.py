"""The studies in equilibrium: their random numbers, what more samples add, and which of them follow the Nishimori line."""

from __future__ import annotations

from typing import Any

import pandas as pd
import pytest
import yaml

from conftest import ROOT
from workflows.identities import summary as identities
from workflows.line import summary as line
from workflows.methods.tempering.summary import compared, known_values, together
from workflows.models.registry import sections_of
from workflows.statistics.headline import NOT_IN_EQUILIBRIUM
from workflows.study.study import Study

STUDIES = ("ising3d", "nishimori", "ising2d_tempering", "ea3d_equilibrium")


def content(name: str) -> dict[str, Any]:
    return yaml.safe_load((ROOT / "config" / f"{name}.yaml").read_text())


def shards(study: dict[str, Any]) -> set[str]:
    planned = Study(study)
    points = [(part, size, run) for part in planned.parts.values() for (size, _), run in part.runs.items()]
    return {planned.shard(run, *shard) for part, size, run in points for shard in part.shards(size)}


def test_equilibrium_and_relaxation_of_the_glass_have_different_seeds() -> None:
    names = ("ea3d_equilibrium", "ea3d_equilibrium_small", "ea3d_critical")
    seeds = [{part.seed for part in Study(content(name)).parts.values()} for name in names]
    assert all(not one & other for i, one in enumerate(seeds) for other in seeds[:i])


@pytest.mark.parametrize("name", STUDIES)
def test_more_samples_add_their_shards_alone(name: str) -> None:
    study = content(name)
    before, part = shards(study), study["parts"][0]
    samples, step = ({size: of if isinstance(of, int) else of[size] for size in part["L"]}
                     for of in (part["samples"], part["shard_samples"]))  # fmt: skip
    part["samples"] = {size: samples[size] + step[size] for size in part["L"]}
    added = shards(study) - before
    planned = Study(study)
    assert before < shards(study) and len(added) == sum(len(part.runs) for part in planned.parts.values())


def test_only_a_sweep_with_a_slot_on_the_line_at_every_p_follows_it() -> None:
    study = content("nishimori")
    assert [part.p for part in Study(study).nishimori_lines["line"]] == study["parts"][0]["p"]
    assert len(Study(study).parts_with_identities) == len(study["parts"][0]["p"])
    study["parts"][0]["T"][2][0] += 1e-4
    assert len(Study(study).nishimori_lines["line"]) == 4 and len(Study(study).parts_with_identities) == 4
    study["parts"][0]["T"][1][0] += 1e-4
    assert Study(study).nishimori_lines == {}
    for name in ("random_bond", "ea3d_equilibrium", "ising3d"):
        assert not Study(content(name)).nishimori_lines and not Study(content(name)).parts_with_identities
    assert len(Study(content("ising2d_tempering")).parts_with_identities) == 1


def glass(is_settled: bool) -> pd.DataFrame:
    rows = [
        {"L": row.L, "T": row.T, "observable": row.observable, "value": row.value + row.error, "error": row.error}
        for row in known_values("ea3d").itertuples()
    ]
    return pd.DataFrame(rows).assign(blocks=512, equilibrated=is_settled).astype({"equilibrated": "boolean"})


def test_known_values_of_the_glass_make_one_chi2_and_unsettled_ones_none() -> None:
    section = sections_of(content("ea3d_equilibrium"))[0]
    found = compared(glass(True), section)
    assert len(found) == 8 and all(number.verdict == "agrees" for _, number in found)
    (chi2,) = together(found, section)
    assert "χ² probability of 8 known values" in chi2.name and "χ² = 4.0" in chi2.note and 0.2 < chi2.p < 1
    cut = compared(glass(False), section)
    assert {number.verdict for _, number in cut} == {NOT_IN_EQUILIBRIUM} and together(cut, section) == []


def test_exact_results_and_crossings_that_are_not_in_equilibrium_are_no_comparisons() -> None:
    row = {"group": "line", "part": "line_p0.1", "model": "ea2d", "quantity": "e", "L": 8, "p": 0.1, "T": 0.91}
    row |= {"value": -1.6, "error": 0.01, "expected": -1.6, "blocks": 64, "chi2": 0.0, "dof": 1, "probability": 1.0}
    table = pd.DataFrame([row | {"equilibrated": 0}])
    assert identities.numbers(table, {"line": "2D"}) == {}
    assert len(identities.numbers(table.assign(equilibrated=1), {"line": "2D"})["line"]) == 2
    crossing = {"group": "line", "model": "ea2d", "observable": "U4_m", "L1": 8, "L2": 16, "p_crossing": 0.109}
    crossing |= {"error": 0.001, "T_crossing": 0.95, "T_error": 0.005, "value": 1.12, "equilibrated": 0, "blocks": 64}
    numbers = line.numbers(pd.DataFrame([crossing]), {"line": "2D"})["line"]
    assert {number.verdict for number in numbers} == {NOT_IN_EQUILIBRIUM} and all(
        number.p is None for number in numbers
    )
