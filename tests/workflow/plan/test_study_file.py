"""What a study file may not say, and the one sentence that each mistake is answered with."""

from __future__ import annotations

import json
import re
import subprocess
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pytest
import yaml

from bad_methods import BAD_METHODS, FIXED
from bad_studies import BAD, Change, all_clocks, transition
from conftest import BUILD, ROOT
from workflows.study.error import StudyError
from workflows.study.presets import presets
from workflows.study.study import Study
from workflows.study.system_tags import System, system_tag
from workflows.study.validation import read_schema

MISTAKES = BAD + BAD_METHODS


@pytest.mark.parametrize(("change", "sentence"), MISTAKES, ids=[sentence for _, sentence in MISTAKES])
def test_a_bad_study_is_refused_in_a_sentence(change: Change, sentence: str) -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    change(content)
    with pytest.raises(StudyError) as error:
        Study(content)
    told = str(error.value).splitlines()
    assert any(sentence in line for line in told), told
    assert len(told) == 1 or told[-1] == f"{len(told) - 1} mistakes; correct them and run again"


def test_systems_with_the_same_random_numbers_are_refused() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    part = content["parts"][1]
    assert part["model"] == "ea3d"
    for key in ("fit", "samples", "sweeps"):
        part.pop(key, None)
    part |= {"samples": 64, "sweeps": 16, "L": [10, 48], "T": [0.942, 2.837]}
    with pytest.raises(StudyError) as error:
        Study(content)
    assert "ea3d at L = 10, T = 0.942 and ea3d at L = 48, T = 2.837 would use the same random numbers" in str(
        error.value
    )
    part["T"] = [0.942, 2.8371]
    Study(content)


def test_planning_and_the_program_know_the_same_models() -> None:
    listed = subprocess.run([BUILD / "bin" / "psflip", "models", "--json"], capture_output=True, text=True, check=True)
    models = json.loads(listed.stdout)
    key = read_schema("study")["$defs"]["relaxation"]["properties"]["measure"]
    for model in models:
        assert {"relaxation", "equilibrium"} <= set(model.pop("commands"))
        measured = model.pop("measure")
        assert measured == (key["items"]["enum"] if presets()[model["name"]].has(key["needs"]) else [])
    assert models == [asdict(preset) for preset in presets().values()]


def test_the_tags_are_those_of_the_engine() -> None:
    """Numbers of trajectory_tag() in engine/models/tables.hpp."""
    assert system_tag(System("ea3d", 8, (1.1,))) == 13099799
    assert system_tag(System("rfim3d", 8, (3.9,), h=1.5)) == 6014343
    assert system_tag(System("ea2d", 8, (1.1,), p=0.1)) == 9182697


def test_a_method_that_is_the_models_own_changes_no_name() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    names = set(Study(content).runs)
    for part, method in zip(content["parts"], ("equilibrium", "relaxation", "tempering")):
        part["method"] = method
    assert set(Study(content).runs) == names


def test_another_method_is_another_job_of_the_same_model() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    content["parts"].append(FIXED)
    content["parts"].append(FIXED | {"name": "late", "method": "equilibrium", "bins": 8, "measure_interval": 10})
    study = Study(content)
    fixed, late, tempered = (
        study.parts[name].runs[4, t] for name, t in (("fixed", 3.9), ("late", 3.9), ("field", None))
    )
    assert fixed.name.startswith("rfim3d_relaxation_L4_T3.9_h1.0_") and tempered.name.startswith("rfim3d_L4_h1.0_")
    assert fixed.arguments == (
        "rfim3d relaxation --L 4 --T 3.9 --J 1.0 --h 1.0 --seed 7 --sweeps 320 --start random --replicas 4"
    )
    assert late.arguments == (
        "rfim3d equilibrium --L 4 --T 3.9 --J 1.0 --h 1.0 --seed 7 --sweeps 320 --start random --measure-interval 10"
        " --bins 8 --replicas 2"
    )
    assert tempered.arguments.startswith("rfim3d tempering --L 4 --J 1.0 --h 1.0 --seed 7 ")
    assert [section.prefix for section in study.sections] == [
        "ising2d", "ea3d", "rfim3d", "rfim3d_relaxation", "rfim3d_equilibrium"
    ]  # fmt: skip


def test_sites_are_packed_where_the_study_says_so() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    content["parts"][0].update(L=[64, 128], packing="sites")
    run = Study(content).parts["ising"].runs[64, 2.27]
    assert run.arguments.endswith(" --packing sites")


def test_a_uniform_field_reaches_the_engine_and_zero_changes_no_name() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    before = Study(content)
    content["parts"][0]["h"] = 0
    assert set(Study(content).runs) == set(before.runs)
    assert Study(content).sections == before.sections
    content["parts"][0] |= {"h": 0.25, "crossing": {"from": 2.0, "to": 2.5, "nu": 1, "omega": 2}}
    study = Study(content)
    run = study.parts["ising"].runs[8, 2.27]
    assert run.arguments.startswith("ising2d equilibrium --L 8 --T 2.27 --J 1.0 --h 0.25 --seed 7 ")
    assert run.name not in before.runs and "_h0.25_" in run.name
    assert study.sections[0].prefix == "ising2d_equilibrium" and not study.sections[0].published


def test_a_fraction_of_bonds_reaches_the_engine_with_independent_numbers_and_a_half_changes_no_name() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    before = Study(content)
    content["parts"][1]["p"] = 0.5
    assert set(Study(content).runs) == set(before.runs)
    content["parts"][1] |= {"p": 0.1, "fit": {"from": 8, "to": 256, "eta": 0.04}}
    content["parts"][1].pop("random")
    study = Study(content)
    run = study.parts["relaxation"].runs[4, 1.1]
    assert run.arguments.endswith(" --replicas 4 --random independent --p 0.1")
    assert run.name not in before.runs
    assert not any(section.spin_glass or section.published for section in study.sections if section.model == "ea3d")


def test_what_is_measured_in_addition_reaches_the_engine_and_as_none_changes_no_name() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    names = set(Study(content).runs)
    content["parts"][1]["measure"] = []
    assert set(Study(content).runs) == names
    for order in (["link_overlap", "magnetization_k2"], ["magnetization_k2", "link_overlap"]):
        content["parts"][1]["measure"] = order
        run = Study(content).parts["relaxation"].runs[4, 1.1]
        assert run.arguments.endswith(" --measure link_overlap,magnetization_k2")
        assert run.name not in names


def refused_by_launcher(text: str | None, folder: Path) -> str:
    """What ./study says about a file that it must refuse with exit code 2, having run nothing."""
    path = folder / "refused.yaml"
    if text is not None:
        path.write_text(text)
    command = [str(ROOT / "study"), "run", str(path)]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 2, result.stdout + result.stderr
    assert not (ROOT / "results" / "refused").exists()
    assert "Traceback" not in result.stderr
    return result.stderr


def test_the_launcher_refuses_a_bad_study_with_exit_code_2(tmp_path: Path) -> None:
    text = (ROOT / "config" / "smoke.yaml").read_text().replace("name: smoke", "name: refused")
    assert "parts[0].L[0] is 9" in refused_by_launcher(text.replace("[8, 16]", "[9, 16]"), tmp_path)
    assert ":20: parts[1].L is given twice, also in line 19; keep one of them" in refused_by_launcher(
        text.replace("    T: [1.1]", "    L: [8]"), tmp_path
    )
    assert ":1: not YAML" in refused_by_launcher("name: [smoke", tmp_path)
    assert "is 'a word', not a mapping" in refused_by_launcher("a word", tmp_path)


def test_the_launcher_refuses_a_missing_study_with_exit_code_2(tmp_path: Path) -> None:
    assert "cannot be read (No such file or directory)" in refused_by_launcher(None, tmp_path)


def test_the_polynomials_of_the_transition_have_degree_2_unless_the_study_says_otherwise() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    assert Study(content | {"critical": transition()}).critical["degrees"] == [2]
    critical = all_clocks({"xi_min": 2, "degree": 3}, degrees=[2, 3])
    assert Study(content | {"critical": critical}).critical["quote"]["cumulants"]["degree"] == 3


def test_every_size_can_have_temperatures_and_an_exchange_interval_of_its_own() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    plain = Study(content)
    content["parts"][2].update(
        T={"from": 3.4, "to": {4: 4.7, 6: 4.5}}, exchange_interval={4: 10, 6: 5}, block_samples=4
    )
    study = Study(content)
    small, large = (study.parts["field"].runs[size, None] for size in (4, 6))
    assert small == plain.parts["field"].runs[4, None], "the same job under another spelling"
    assert large.options["exchange_interval"] == 5 and large.options["grid"]["T"] == "3.4,4.5"
    assert study.block_samples == {small.name: 4, large.name: 4} and not plain.block_samples


def test_a_measure_interval_reaches_the_engine_but_no_grid_and_as_the_default_changes_no_name() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    content["parts"][2].pop("longer")
    plain = Study(content)
    content["parts"][2].update(measure_interval={4: 10, 6: 40})
    study = Study(content)
    small, large = (study.parts["field"].runs[size, None] for size in (4, 6))
    assert small == plain.parts["field"].runs[4, None], "as many measurements as exchange rounds"
    assert "measure" not in small.arguments
    assert "--exchange-interval 10 " in large.arguments and "--measure-interval 40" in large.arguments
    assert large != plain.parts["field"].runs[6, None] and study.grids == plain.grids


def test_longer_runs_reach_the_engine_for_their_size_alone() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    study = Study(content)
    assert content["parts"][2].pop("longer") == {6: {"packs": 1, "times": 4}}
    plain = Study(content)
    small, large = (study.parts["field"].runs[size, None] for size in (4, 6))
    assert small == plain.parts["field"].runs[4, None]
    assert "--longer 1:4" in large.arguments and large.name != plain.parts["field"].runs[6, None].name
    assert study.grids == plain.grids


def tempered_glass(**keys: Any) -> dict[str, Any]:
    part = {"name": "glass", "model": "ea3d", "method": "tempering", "L": [4, 6], "T": [0.9, 1.2, 1.6], "samples": 64}
    return {
        "name": "glass",
        "title": "glass",
        "seed": 1,
        "parts": [{**part, "shard_samples": 64, "sweeps": 3200, **keys}],
    }


def test_slots_of_link_overlaps_reach_the_engine_and_leave_other_jobs_as_they_are() -> None:
    plain = Study(tempered_glass()).parts["glass"].runs
    every = Study(tempered_glass(link_overlap_slots=[2, 0])).parts["glass"].runs
    one = Study(tempered_glass(link_overlap_slots={6: [1]})).parts["glass"].runs
    assert all("--link-overlap-slots 0,2" in run.arguments for run in every.values())
    assert one[4, None] == plain[4, None] and "link" not in plain[4, None].arguments
    assert "--link-overlap-slots 1" in one[6, None].arguments and one[6, None].name != plain[6, None].name


@pytest.mark.parametrize(
    ("slots", "sentence"),
    [
        ([0, 3], "parts[0].link_overlap_slots names slot 3, but L = 4 has 3, numbered from 0"),
        ({8: [0]}, "parts[0].link_overlap_slots has an entry for 8, which is not in L"),
        ([1, 1], "parts[0].link_overlap_slots"),
        ([], "parts[0].link_overlap_slots"),
        ([-1], "parts[0].link_overlap_slots"),
        ({4: 1}, "parts[0].link_overlap_slots"),
        (1, "parts[0].link_overlap_slots"),
    ],
)
def test_slots_of_link_overlaps_that_are_not_there_are_refused(slots: Any, sentence: str) -> None:
    with pytest.raises(StudyError, match=re.escape(sentence)):
        Study(tempered_glass(link_overlap_slots=slots))


def test_equal_jobs_have_equal_names_and_other_jobs_other_names() -> None:
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    names = set(Study(content).runs)
    content["parts"][0].update(T=[2.45, 2.1, 2.27], samples=128)
    assert set(Study(content).runs) == names
    content["parts"][0].update(sweeps=4096)
    assert len(set(Study(content).runs) & names) == 4
    grids = set(Study(content).grids)
    content["parts"][2]["adapt"]["samples"] = 128
    assert len(set(Study(content).runs) & names) == 2, "another grid, another simulation"
    assert not set(Study(content).grids) & grids
    content["seed"] += 1
    assert not set(Study(content).runs) & names
