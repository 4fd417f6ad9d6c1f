"""The report on speed, from files of psflip bench that were made up."""

from __future__ import annotations

import csv
import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

from conftest import ROOT, Workspace
from made_up_benchmark import job, jobs
from workflows.benchmark.jobs import UNITS, figures_of, judged, judged_ratios, read_jobs, references
from workflows.benchmark.tables import peer_code_rows
from workflows.study.error import StudyError

BAD: list[tuple[Callable[[list[dict[str, Any]]], Any], str]] = [
    (lambda b: b[1].pop("ps_per_flip"), "[1] lacks the key 'ps_per_flip'; write the file anew by psflip bench"),
    (lambda b: b[0].update(ps_per_flip=0), "[0].ps_per_flip is 0, not above 0"),
    (lambda b: b[0].update(L="16"), "[0].L is '16', not an integer"),
    (lambda b: b[0].update(runs=[]), "[0].runs is an empty list"),
    (
        lambda b: b[2].update(mode="share"),
        "[2].mode is 'share', not one of shared, independent; did you mean 'shared'?",
    ),
    (lambda b: b.clear(), "the file is an empty list"),
]


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(content if isinstance(content, str) else json.dumps(content))
    return path


@pytest.mark.parametrize(("change", "sentence"), BAD, ids=[sentence for _, sentence in BAD])
def test_a_bad_file_of_psflip_bench_is_refused_in_a_sentence(change: Callable, sentence: str, tmp_path: Path) -> None:
    content = jobs()
    change(content)
    path = written(tmp_path / "bench.json", content)
    with pytest.raises(StudyError) as error:
        read_jobs([path])
    assert f"{path}: {sentence}" in str(error.value) and "\n" not in str(error.value)


def test_a_file_that_is_no_json_or_not_there_is_refused_in_a_sentence(tmp_path: Path) -> None:
    for path, sentence in [
        (written(tmp_path / "text.json", "0.07 ps/flip"), "not JSON; write the file by ./study bench"),
        (written(tmp_path / "object.json", {}), "the file is {}, not a list"),
        (tmp_path / "missing.json", "cannot be read (No such file or directory); write the file by ./study bench"),
    ]:
        with pytest.raises(StudyError) as error:
            read_jobs([path])
        assert sentence in str(error.value) and "\n" not in str(error.value)


def test_the_launcher_refuses_a_bad_benchmark_study_with_exit_code_2(tmp_path: Path) -> None:
    content = yaml.safe_load((ROOT / "config" / "benchmark.yaml").read_text()) | {"name": "refused"}
    for change, sentence in [
        ({"benchmarks": []}, "benchmarks is an empty list"),
        ({"benchmark": ["x.json"]}, "the study has the unknown key 'benchmark'; did you mean 'benchmarks'?"),
        ({"benchmarks": [str(written(tmp_path / "bad.json", "[{}]"))]}, "bad.json: [0] lacks the key 'model'"),
    ]:
        study = written(tmp_path / "refused.yaml", yaml.safe_dump(content | change))
        result = subprocess.run([str(ROOT / "study"), "run", study], capture_output=True, text=True, check=False)
        assert result.returncode == 2 and sentence in result.stderr and result.stderr.count("\n") == 1, result.stderr
    assert not (ROOT / "results" / "refused").exists()


def test_a_target_of_the_random_field_is_for_its_own_field_or_one_as_strong_as_the_coupling(tmp_path: Path) -> None:
    made = [job("rfim3d", "independent", 32, 0.4, J=1.0, h=h) for h in (0.5, 1.0)]
    made[0] |= {"ps_per_flip": 0.3}
    made = read_jobs([written(tmp_path / "bench.json", made)])
    assert [job["name"] for job in made] == ["rfim3d-independent-h0.5-L32", "rfim3d-independent-L32"]
    target = {"model": "rfim3d", "mode": "independent", "L": 32, "must": 0.45}
    assert judged(target, made)["value"] == 0.4
    assert judged(target | {"h": 0.5}, made)["value"] == 0.3
    assert judged(target | {"h": 2}, made)["verdict"] == "not measured"


def test_a_target_is_judged_by_the_best_speed_in_its_own_unit(tmp_path: Path) -> None:
    made = [job("ea3d", "shared", 16, 0.08), job("ea3d", "shared", 16, 0.065), job("ising2d", "independent", 128, 0.25)]
    made = read_jobs([written(tmp_path / "bench.json", made)])
    glass = {"model": "ea3d", "mode": "shared", "L": 16, "must": 0.07}
    square = {"model": "ising2d", "mode": "independent", "L": 128, "must": 3300}
    assert judged(glass, made)["verdict"] == "reached" and judged(glass, made)["value"] == 0.065
    assert judged(glass | {"goal": 0.065}, made)["verdict"] == "goal reached"
    assert judged(glass | {"must": 0.06}, made)["verdict"] == "missed"
    assert judged(glass | {"L": 32}, made)["verdict"] == "not measured"
    assert judged(square, made)["verdict"] == "reached" and judged(square, made)["value"] == 4000
    assert judged(square | {"goal": 4200}, made)["verdict"] == "reached"
    assert judged(square | {"must": 4200}, made)["verdict"] == "missed"


def test_other_methods_of_a_model_take_no_part_in_targets_and_figures(tmp_path: Path) -> None:
    made = [job("ea3d", "shared", 16, ps, method=method) for ps, method in ((0.05, "tempering"), (0.08, "relaxation"))]
    made += [job("ising3d", "independent", 16, 0.3, method="equilibrium")]
    made = read_jobs([written(tmp_path / "bench.json", made)])
    assert judged({"model": "ea3d", "mode": "shared", "L": 16, "must": 0.07}, made)["value"] == 0.08
    assert figures_of([made[0], made[2]]) == ["roofline"]


def test_a_ratio_is_of_two_jobs_of_one_machine(tmp_path: Path) -> None:
    rule = next(rule for rule in references()["ratios"] if "goal" in rule)
    names = (rule["job"], rule["neighbour"])

    def verdicts(ratio: float) -> list[str]:
        made = [job("ea3d", "shared", 8, ps, name=name) for name, ps in zip(names, (ratio, 1.0))]
        made.append(job("ea3d", "shared", 8, 0.1, name=names[1], device="another GPU"))
        rows = judged_ratios(read_jobs([written(tmp_path / "bench.json", made)]))
        return [row["verdict"] for row in rows if row["job"] == rule["job"]]

    assert verdicts(rule["must"] + 0.01) == ["missed", "not measured"]
    assert verdicts(rule["must"]) == ["reached", "not measured"]
    assert verdicts(rule["goal"]) == ["goal reached", "not measured"]


def test_the_ratios_of_a_file_are_printed_with_their_verdicts(tmp_path: Path) -> None:
    rule = references()["ratios"][0]

    def printed(ratio: float) -> subprocess.CompletedProcess:
        made = [job("ea3d", "shared", 8, ps, name=rule[key]) for key, ps in (("job", ratio), ("neighbour", 1.0))]
        path = written(tmp_path / "bench.json", made)
        command = [sys.executable, "-m", "workflows.benchmark.ratios", path]
        return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)

    reached, missed = printed(1.1), printed(9.0)
    assert reached.returncode == 0 and "reached, NVIDIA H200" in reached.stdout
    assert missed.returncode == 1 and "missed, NVIDIA H200" in missed.stdout


def test_every_speed_of_another_program_has_its_device_source_and_basis() -> None:
    rows = references()["rivals"]
    names = " ".join(row["name"] for row in rows)
    for program in (
        "Lulli", "Weigel", "trueke", "Romero", "Ortega-Zamorano", "Yang", "DGX-2H", "cuIsing", "EA-LCD", "micSA", "peapods",
        "mcising", "MonteCarloX.jl", "Janus II", "MTGP32",
    ):  # fmt: skip
        assert program in names
    for row in rows:
        assert row["basis"] in ("read", "run", "arithmetic", "recalled") and row["model"] in UNITS, row
        assert row["device"] and row["source"] and row["mode"] in ("shared", "independent"), row
        assert len(row["value"]) == len(row.get("L", [None])) and min(row["value"]) > 0, row


def test_another_program_is_compared_with_psflip_on_the_same_device_only(tmp_path: Path) -> None:
    made = read_jobs([written(tmp_path / "bench.json", [job("rfim3d", "independent", 32, 0.4, method="tempering")])])
    rows = {(row["name"], row["L"]): row for row in peer_code_rows(made)}
    assert rows["trueke, with tempering", 32]["ratio"] == pytest.approx(280 / 0.4)
    assert "ratio" not in rows["peapods 0.2.0, with tempering", 6] and rows["Janus", None]["basis"] == "read"


def test_older_files_without_a_roofline_have_no_such_figure() -> None:
    old = [{key: value for key, value in row.items() if not key.startswith("share_of")} for row in jobs()]
    assert figures_of(jobs()) == ["speed_ea3d", "speed_ising2d", "roofline"]
    assert figures_of(old) == ["speed_ea3d", "speed_ising2d"]
    assert figures_of([row for row in old if row["model"] == "ea3d"]) == ["speed_ea3d"]


def test_the_published_files_can_be_read() -> None:
    files = yaml.safe_load((ROOT / "config" / "benchmark.yaml").read_text())["benchmarks"]
    assert {row["backend"] for row in read_jobs(ROOT / file for file in files)} == {"cpu", "cuda"}


def test_a_benchmark_study_ends_with_a_report_that_opens_offline(workspace: Workspace) -> None:
    content = workspace.study("benchmark")
    written(workspace.folder / "made_up.json", jobs())
    content["benchmarks"] = [content["benchmarks"][0], "made_up.json"]
    workspace.write_study(content)
    workspace.run("benchmark")
    text = (workspace.results("benchmark") / "report.html").read_text()
    # three models and the roofline
    assert text.count("<svg") == 4 and not re.search(r'src=|href="(?!#|data:|tables/|plots/)', text)
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers))
    for expected in (
        content["title"],
        "Peak rates",
        "Targets",
        "Other programs",
        "How to cite",
        "NVIDIA H200",
        "made-up",
    ):
        assert expected in text
    tables = workspace.results("benchmark") / "tables"
    targets = list(csv.DictReader((tables / "targets.csv").open()))
    mine = [
        t for t in targets if (t["model"], t["mode"], t["machine"], t["L"]) == ("ea3d", "shared", "NVIDIA H200", "16")
    ]
    assert [(t["value"], t["verdict"]) for t in mine] == [("0.0625", "reached")]
    shares = {row["name"]: row["share_of_logic_rate"] for row in csv.DictReader((tables / "roofline.csv").open())}
    assert float(shares["ea3d-shared-L16"]) == pytest.approx(0.8 / 0.0625 * 1e12 / 16e12)
    assert workspace.rules("benchmark") == set()


def test_a_new_measurement_draws_the_report_again(workspace: Workspace) -> None:
    workspace.run("benchmark")
    path = workspace.folder / workspace.study("benchmark")["benchmarks"][1]
    content = json.loads(path.read_text())
    content[0]["ps_per_flip"] /= 2
    written(path, content)
    assert workspace.rules("benchmark") == {"benchmark_tables", "plot_benchmark", "benchmark_report"}
