"""A part whose keys are lists: which plain parts it becomes, their jobs, and what it may not say."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import ROOT
from workflows.study.error import StudyError
from workflows.study.study import Study
from workflows.study.validation import check

# Of the plans of published studies as they were made, each the hash of names, jobs and recorded identities.
PLANS = json.loads((Path(__file__).parent / "published_plans.json").read_text())

Change = Callable[[dict[str, Any]], Any]


def smoke(**field: Any) -> dict[str, Any]:
    """The smoke study with other keys of its part of the random-field model."""
    content = yaml.safe_load((ROOT / "config" / "smoke.yaml").read_text())
    content["parts"][2].update(field)
    content["parts"][2].pop("crossing") if "crossing" not in field else None
    return content


def plan_of(study: Study) -> str:
    lines = [f"{run.name} {run.job} {run.identity} {run.arguments}" for run in study.runs.values()]
    lines += [f"{grid.name} {grid.job} {grid.identity}" for grid in study.grids.values()]
    for part in study.parts.values():
        points = [(size, t) for size, t in part.runs]
        lines += [study.shard(part.runs[size, t], *shard) for size, t in points for shard in part.shards(size)]
        lines += [path for size, t in points for path in study.reduced(part, size, t)]
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()


@pytest.mark.parametrize("name", PLANS)
def test_a_published_study_plans_the_jobs_that_it_always_had(name: str) -> None:
    content = json.loads((ROOT / "results" / "published" / name / "study.json").read_text())
    assert plan_of(Study(content)) == PLANS[name]


def test_every_combination_of_lists_is_a_part_with_the_jobs_of_a_study_of_its_own() -> None:
    study = Study(smoke(h=[0.5, 1], seed=[7, 8]))
    names = ["field_h0.5_seed7", "field_h0.5_seed8", "field_h1_seed7", "field_h1_seed8"]
    assert list(study.parts) == ["ising", "relaxation", *names]
    for name in names:
        part = study.parts[name]
        alone = smoke(h=part.h) | {"seed": part.seed}
        assert part.runs == Study(alone).parts["field"].runs and part.source == "field"
        assert part.swept == {"h": part.h, "seed": part.seed}
    assert study.parts["ising"].source == "ising" and study.parts["ising"].swept == {}


def test_a_list_of_one_and_a_single_number_are_the_same_study() -> None:
    plain, listed = smoke(), smoke(h=[1], seed=[7])
    listed["parts"][0].update(L=8, T=2.27, samples=6.4e1)
    plain["parts"][0].update(L=[8], T=[2.27])
    for content in (plain, listed):
        content["parts"][0].pop("crossing")
    assert plan_of(Study(plain)) == plan_of(Study(listed)) and list(Study(listed).parts)[2] == "field"


def test_another_value_of_a_list_leaves_the_other_jobs_alone() -> None:
    few, more = Study(smoke(h=[0.5, 1])), Study(smoke(h=[0.5, 1, 2]))
    assert set(few.runs) < set(more.runs)
    assert {more.runs[name].options["h"] for name in set(more.runs) - set(few.runs)} == {2.0}
    assert {more.grids[name].options["h"] for name in set(more.grids) - set(few.grids)} == {2.0}


def test_another_field_or_more_samples_of_the_small_phase_diagram_add_their_shards_alone() -> None:
    def shards(content: dict[str, Any]) -> set[str]:
        study = Study(content)
        points = [(part, size, run) for part in study.parts.values() for (size, _), run in part.runs.items()]
        return {study.shard(run, *shard) for part, size, run in points for shard in part.shards(size)}

    content = yaml.safe_load((ROOT / "config" / "rfim_phase_small.yaml").read_text())
    before = shards(content)
    part = content["parts"][0]
    part["h"].append(1.25)
    part["T"]["h"][1.25] = {"from": 3.0, "to": 4.6, "count": 17}
    added = shards(content) - before
    assert shards(content) > before and len(added) == 18 and all("_h1.25_" in path for path in added)
    part["h"].pop(), part["T"]["h"].pop(1.25)
    part["samples"][12] += 512
    assert shards(content) > before
    assert {Path(path).name for path in shards(content) - before} == {"1024_512.h5"}


def test_the_seed_of_a_study_may_be_a_list() -> None:
    content = smoke() | {"seed": [7, 8]}
    content["parts"][0]["seed"] = 3
    study = Study(content)
    assert list(study.parts) == [
        "ising",
        *(f"{name}_seed{seed}" for name in ("relaxation", "field") for seed in (7, 8)),
    ]
    assert [part.seed for part in study.parts.values()] == [3, 7, 8, 7, 8]
    assert {run.options["seed"] for run in study.parts["field_seed8"].runs.values()} == {8}
    assert {grid.options["seed"] for grid in study.parts["field_seed8"].grids.values()} == {8}


def test_equal_tags_of_two_seeds_are_no_collision() -> None:
    content = smoke()
    part = content["parts"][1]
    for key in ("fit", "samples", "sweeps"):
        part.pop(key)
    common = part | {"samples": 64, "sweeps": 16}
    content["parts"] = [common | {"L": 10, "T": 0.942}, common | {"name": "other", "L": 48, "T": 2.837}]
    with pytest.raises(StudyError, match="would use the same random numbers"):
        Study(content)
    content["parts"][1]["seed"] = 8
    Study(content)


def test_the_recorded_content_of_a_sweep_gives_the_same_plan() -> None:
    content = smoke(h=[0.5, 1], samples={"h": {0.5: 256, 1: {4: 256, 6: 128}}})
    recorded = json.loads(json.dumps(check(content)))
    assert check(recorded) == recorded and plan_of(Study(recorded)) == plan_of(Study(content))
    assert Study(recorded).parts["field_h0.5"].source == "field"


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ({"from": 2.0, "to": 2.3, "step": 0.1}, [2.0, 2.1, 2.2, 2.3]),
        ({"from": 2, "to": 3, "count": 5}, [2.0, 2.25, 2.5, 2.75, 3.0]),
        ({"from": 2.2, "to": 2.3, "count": 4}, [2.2, 2.23333333333, 2.26666666667, 2.3]),
        ({"from": "2e0", "to": "3e0", "step": "1e0"}, [2.0, 3.0]),
        (2.27, [2.27]),
    ],
)
def test_an_interval_of_temperatures_has_both_ends(given: Any, values: list[float]) -> None:
    content = smoke()
    content["parts"][0].pop("crossing")
    content["parts"][0]["T"] = given
    assert list(Study(content).parts["ising"].temperatures) == values


def test_beta_stands_for_the_temperatures_1_over_beta() -> None:
    content = smoke()
    for part in content["parts"]:
        part.pop("T"), part.pop("crossing", None)
    content["parts"][0]["beta"] = {"from": 0.4, "to": 0.5, "step": 0.05}
    content["parts"][1]["beta"] = 0.8
    content["parts"][2]["beta"] = {"from": 0.2, "to": {4: 0.25, 6: 0.32}}
    study = Study(content)
    assert study.parts["ising"].temperatures == (2.0, 1 / 0.45, 2.5)
    assert study.parts["relaxation"].temperatures == (1.25,)
    grids = study.parts["field"].grids
    assert [grids[size, "insert"].options["T"] for size in (4, 6)] == ["4.0,5.0", "3.125,5.0"]


def test_numbers_in_scientific_notation_are_integers_where_they_are_exact() -> None:
    content = yaml.safe_load(yaml.safe_dump(smoke()).replace("sweeps: 3200", "sweeps: 3.2e3"))
    assert content["parts"][2]["sweeps"] == "3.2e3", "text to YAML 1.1"
    content["seed"] = "7e0"
    assert plan_of(Study(content)) == plan_of(Study(smoke()))


def test_one_value_for_each_value_of_another_key() -> None:
    content = smoke(
        h=[0, 1],
        T={"h": {0: {"from": 4.2, "to": 4.8}, "1": {"from": 3.4, "to": 4.7}}},
        sweeps={"h": {0: 1600, 1.0: {"L": {4: 3200, 6: 6400}}}},
        crossing={"h": {0: {"from": 4.3, "to": 4.7}, 1: {"from": {"h": {0: 4.3, 1: 3.6}}, "to": 4.7}}},
        longer={6: {"packs": 1, "times": {"h": {0: 2, 1: 4}}}},
    )
    one, two = (Study(content).parts[name] for name in ("field_h0", "field_h1"))
    assert [part.runs[6, None].options["sweeps"] for part in (one, two)] == [1600, 6400]
    assert two.runs[4, None].options["sweeps"] == 3200
    assert [part.runs[6, None].options["longer"] for part in (one, two)] == ["1:2", "1:4"]
    assert one.runs[4, None].options["grid"]["T"] == "4.2,4.8" and two.crossing == {"from": 3.6, "to": 4.7}


def test_a_key_can_be_left_out_at_one_value_of_another_key() -> None:
    content = smoke(h=[0.5, 1], crossing={"h": {0.5: None, 1: {"from": 3.6, "to": 4.7}}})
    parts = Study(content).parts
    assert parts["field_h0.5"].crossing is None and parts["field_h1"].crossing == {"from": 3.6, "to": 4.7}


def test_zipped_lists_go_together() -> None:
    content = smoke()
    part = {"name": "line", "model": "ea2d", "method": "equilibrium", "L": 8, "samples": 64, "shard_samples": 64}
    part |= {"sweeps": 320, "p": [0.1, 0.12], "T": [0.91, 1.0], "zip": ["p", "T"], "seed": [1, 2]}
    content["parts"].append(part)
    parts = [part for part in Study(content).parts.values() if part.source == "line"]
    assert [(part.p, part.temperatures, part.seed) for part in parts] == [
        (0.1, (0.91,), 1), (0.1, (0.91,), 2), (0.12, (1.0,), 1), (0.12, (1.0,), 2)
    ]  # fmt: skip
    assert parts[0].name == "line_p0.1_seed1"


BAD: list[tuple[Change, str]] = [
    (lambda part: part.update(h=[1, 1.0]), "parts[2] has a combination of h twice; keep one of them"),
    (lambda part: part.update(h=[]), "parts[2].h is an empty list; give at least one entry"),
    (lambda part: part.update(h=[1, "strong"]), "at h = strong: parts[2].h is 'strong', not a number"),
    (lambda part: part.update(h=[1, -1]), "at h = -1: parts[2].h is -1, below 0"),
    (lambda part: part.update(h={"0": 1}), "parts[2].h is a mapping; give a number, a list, or from, to and step"),
    (lambda part: part.update(seed=[1, 2**32]), "at seed = 4294967296: parts[2].seed is 4294967296, above 4294967295"),
    (
        lambda part: part.update(h=[1, 2], sweeps={"h": {1: 3200}}),
        "parts[2].sweeps says nothing about h = 2; add an entry",
    ),
    (
        lambda part: part.update(h=[1, 2], sweeps={"h": {1: 3200, 2: 3200, 3: 3200}}),
        "parts[2].sweeps has an entry for h = 3, which is not in h; remove it or add the h",
    ),
    (
        lambda part: part.update(sweeps={"p": {0.5: 3200}}),
        "parts[2].sweeps has an entry for each p, but the part has no p; add p or give one value",
    ),
    (
        lambda part: part.update(sweeps={"h": {1: 3200}, 4: 3200}),
        "parts[2].sweeps has the key h; give one entry for each",
    ),
    (
        lambda part: part.update(h=[1, 2], sweeps={"h": {1: 3200, 2: 3205}}),
        "at h = 2: parts[2].sweeps is 3205 at L = 4",
    ),
    (lambda part: part.update(beta=[0.2, 0.3]), "parts[2] has T and beta; keep one of them, since beta = 1/T"),
    (lambda part: part.update(beta=[0.2, 0]) or part.pop("T"), "parts[2].beta[1] is 0; an inverse temperature is"),
    (
        lambda part: part.update(beta="cold") or part.pop("T"),
        "parts[2].beta is 'cold'; give a list of inverse temperatures",
    ),
    (
        lambda part: part.update(T={"from": 3, "to": 4, "step": 0.3}),
        "parts[2].T does not reach 4 from 3 in steps of 0.3; end at 3.9 or 4.2",
    ),
    (lambda part: part.update(T={"from": 3, "to": 4, "step": 0}), "parts[2].T.step is 0; give a positive step"),
    (
        lambda part: part.update(T={"from": 3, "to": 4, "count": 1}),
        "parts[2].T.count is 1; give an integer of at least 2",
    ),
    (lambda part: part.update(T={"from": 4, "to": 3, "count": 2}), "parts[2].T ends at 3, not after its start"),
    (lambda part: part.update(T={"from": 3, "to": 4, "step": 1e-9}), "parts[2].T has more than 10000 values"),
    (
        lambda part: part.update(T={"from": 3, "to": 4, "step": 0.5, "count": 3}),
        "parts[2].T is {from: 3, to: 4, step: 0.5, count: 3}; give numbers for from, to and step, or for",
    ),
    (lambda part: part.update(seed=list(range(200)), h=list(range(200))), "parts[2] has 40000 combinations of values"),
    (lambda part: part.update(zip=["h", "h"]), "parts[2].zip is ['h', 'h']; give a list of two or more of h, p, seed"),
    (
        lambda part: part.update(zip=["T", "beta"]),
        "parts[2].zip has none of h, p, seed; add one that goes with T and beta",
    ),
    (
        lambda part: part.update(zip=["h", "seed"]),
        "parts[2].zip names seed, which the part does not have; add its list",
    ),
    (lambda part: part.update(zip=["h", "T"]), "parts[2].zip names T, which is no list; give as many values as of h"),
    (
        lambda part: part.update(h=[1, 2], T=[3, 4, 5], zip=["h", "T"]),
        "parts[2].zip puts lists of unequal length together (2 of h, 3 of T); give as many values of each",
    ),
    (
        lambda part: part.update(sweep={"part": "field", "h": 1}),
        "parts[2].sweep is written by psflip into study.json; remove it and list values in h, p or seed",
    ),
]


@pytest.mark.parametrize(("change", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_bad_sweep_is_refused_in_a_sentence(change: Change, sentence: str) -> None:
    content = smoke()
    change(content["parts"][2])
    with pytest.raises(StudyError) as error:
        Study(content)
    assert str(error.value).startswith(sentence)


def test_a_mistake_is_placed_by_the_number_of_the_part_in_the_study_file() -> None:
    content = smoke(h=[1, 2, 3])
    content["parts"].append({"name": "late", "model": "ising2d", "L": [7]})
    content["parts"].insert(0, content["parts"].pop(2))
    with pytest.raises(StudyError, match=r"^parts\[3\]"):
        Study(content)
