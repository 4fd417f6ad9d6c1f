"""A study whose curves do not cross in the measured range: a result, with which it ends and which its report states."""

from __future__ import annotations

import json
import re

import pandas as pd

from conftest import Workspace, study_of

# Far above the transitions, so that the curves of two sizes are far apart.
STUDY = study_of(
    "Apart",
    {"name": "grid", "model": "ising3d", "method": "tempering", "T": [6, 6.5, 7], "sweeps": 320, "measure_interval": 10}
    | {"crossing": {"from": 6, "to": 7}},
    {"name": "fixed", "model": "ising2d", "T": [3.5, 3.75, 4], "sweeps": 320, "measure_interval": 10, "bins": 16}
    | {"crossing": {"from": 3.5, "to": 4}},
    L=[4, 6],
    samples=256,
    shard_samples=256,
)


def test_a_study_whose_curves_do_not_cross_ends_with_a_report_that_says_so(workspace: Workspace) -> None:
    workspace.write_study(STUDY)
    workspace.run("apart")
    results = workspace.results("apart")
    for part, low, high in (("grid", 6, 7), ("fixed", 3.5, 4)):
        for name in ("U4", "xi_over_L"):
            (row,) = pd.read_csv(results / "tables" / part / f"crossing_{name}.csv").itertuples()
            assert (row.L1, row.L2, row.T_min, row.T_max) == (4, 6, low, high)
            assert pd.isna([row.T_crossing, row.error, row.value, row.value_error, row.equilibrated]).all()
    text = " ".join(re.sub("<[^>]+>", "", (results / "report.html").read_text()).split())
    for low, high in ((6, 7), (3.5, 4)):
        sentence = (
            f"The curves of U₄ and ξ/L of L = 4 and 6 do not cross between T = {low} and {high}, or only by chance."
        )
        assert text.count(f"{sentence} To find a crossing, simulate temperatures outside this range") == 1
    names = [number["name"] for number in json.loads((results / "summary.json").read_text())]
    assert not [name for name in names if "cross" in name]
    figures = {path.stem for path in (results / "plots").glob("*.svg")}
    assert {"ising3d_tempering_crossings", "ising2d_binder"} <= figures
