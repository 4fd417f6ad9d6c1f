"""Figures and tables of scaling over GPUs, from made-up files of tests/mpi/scaling and psflip-lab."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from conftest import ROOT
from workflows.scaling.__main__ import write
from workflows.scaling.figures import one_device
from workflows.scaling.rows import groups_of, papers, read, title_of
from workflows.scaling.tables import efficiency_table, glass_table, page, square_table
from workflows.study.error import StudyError


def case(job: str, scaling: str, ranks: int, ps: float, efficiency: float, **options: Any) -> dict[str, Any]:
    model, method = ("ea3d", "relaxation") if job.startswith("ea3d") else ("ising2d", "equilibrium")
    if "exchange-interval" in options:
        model, method = "rfim3d", "tempering"
    named = {"job": job, "model": model, "method": method, "scaling": scaling, "ranks": ranks}
    return named | {"options": options, "ps_per_flip": ps, "efficiency": efficiency}


def cases() -> list[dict[str, Any]]:
    """ea3d of two sizes on one and two GPUs, ising2d weak, and one size of rfim3d."""
    found = []
    for L, ps in ((64, 0.1), (128, 0.08)):
        for ranks, efficiency in ((1, 1.0), (2, 0.8)):
            found.append(
                case(f"ea3d-{L}", "strong", ranks, ps / (ranks * efficiency), efficiency, L=L, samples=128, replicas=4)
            )
    for ranks, L in ((1, 64), (2, 128)):
        found.append(case("ising2d", "weak", ranks, 0.25 / ranks, 1.0, L=L, samples=1))
    for ranks in (1, 2):
        slots = {"L": 64, "slots": 32, "samples": 512, "exchange-interval": 10}
        found.append(case("rfim3d", "strong", ranks, 0.3 / ranks, 1.0, **slots))
    return found


def scaling_file(rows: list[dict[str, Any]], backend: str = "cuda") -> dict[str, Any]:
    origin = {"command": "tests/mpi/scaling --preset gpus", "git_commit": "0123456789", "device": "NVIDIA H100"}
    return origin | {"backend": backend, "driver": "580.95.05", "cases": rows}


def laboratory_file(table: list[dict[str, Any]]) -> dict[str, Any]:
    scalar = {"system": "ising2d", "variant": "scalar", "L": 4096, "ps_per_flip": 5000.0}
    origin = {"command": "psflip-lab gpus", "git_commit": "0123456789", "gpu": "NVIDIA H100", "machine": "a CPU"}
    return origin | {"table": [scalar, *table]}


def lattice(gpus: int, efficiency: float) -> dict[str, Any]:
    found = {"system": "ising2d", "variant": "tensor", "memory": "managed", "scaling": "strong", "gpus": gpus}
    return found | {"L": 256, "rows": 256, "ps_per_flip": 20 / (gpus * efficiency), "efficiency": efficiency}


OVERLAP = {
    "system": "ea3d",
    "variant": "two_way",
    "ranks": 2,
    "L": 256,
    "packs": 4,
    "ps_per_flip": 0.09,
    "seconds_of_half_sweep": 1.1e-3,
    "seconds_without_neighbours": 1.0e-3,
    "seconds_of_messages": 4e-4,
    "bytes_of_half_sweep": 8e6,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "gpus.json").write_text(json.dumps(scaling_file(cases())))
    (tmp_path / "laboratory.json").write_text(json.dumps(laboratory_file([lattice(1, 1), lattice(2, 0.9)])))
    (tmp_path / "overlap.json").write_text(json.dumps(laboratory_file([OVERLAP])))
    return tmp_path


def test_every_figure_is_drawn_and_stands_on_the_page(folder: Path) -> None:
    written = {path.name for path in write(folder)}
    figures = {"efficiency.svg", "ea3d_sizes.svg", "ea3d_collapse.svg", "rfim3d_efficiency.svg"}
    assert written == {"README.md", *figures}
    text = (folder / "README.md").read_text()
    assert all(f"({name})" in text for name in figures)
    assert "DGX-2" in (folder / "efficiency.svg").read_text()  # in the data of the figure


def test_the_collapse_shows_x_times_the_time_of_one_gpu(folder: Path) -> None:
    write(folder)
    text = (folder / "ea3d_collapse.svg").read_text()
    assert ",2 GPUs,32,,4," in text  # x = 64 / 2, x N psFlip = 32 x 2 x 0.0625


def test_tables_name_problem_device_and_efficiencies(folder: Path) -> None:
    rows = read(sorted(folder.glob("*.json"))).rows
    strong = efficiency_table(rows, "strong").splitlines()
    assert strong[0] == "| Strong scaling: one problem | device | commit | N = 1, ps/flip | efficiency, N = 2 |"
    assert "| ea3d, L = 64, 128 samples | NVIDIA H100 | 0123456 | 0.1 | 0.800 |" in strong
    assert "| rfim3d, L = 64, 32 slots, 512 samples, E = 10 | NVIDIA H100 | 0123456 | 0.3 | 1.000 |" in strong
    assert "| tensor, managed memory, 256^2 | NVIDIA H100 | 0123456 | 20 | 0.900 |" in strong
    assert "| 64 | 128 | NVIDIA H100 | 0123456 | 0.100 | 0.062 |" in glass_table(rows).splitlines()
    assert efficiency_table(rows, "samples") == ""


def test_jobs_of_two_commits_have_a_row_each(folder: Path) -> None:
    other = scaling_file([one | {"ps_per_flip": 2 * one["ps_per_flip"]} for one in cases()])
    (folder / "older.json").write_text(json.dumps(other | {"git_commit": "89abcdef"}))
    rows = read(sorted(folder.glob("*.json"))).rows
    glass = glass_table(rows).splitlines()
    assert "| 64 | 128 | NVIDIA H100 | 0123456 | 0.100 | 0.062 |" in glass
    assert "| 64 | 128 | NVIDIA H100 | 89abcde | 0.200 | 0.125 |" in glass
    assert {row.commit for row in one_device(rows)} == {"0123456"}


def test_the_square_lattice_stands_next_to_the_paper(folder: Path) -> None:
    rows = read(sorted(folder.glob("*.json"))).rows
    weak = square_table(rows, "weak", papers())
    assert (
        "| psflip, slabs by IPC, ising2d, 64^2, 128^2 | NVIDIA H100 | 0123456 | 4000 (1.000) | 8000 (1.000) |" in weak
    )
    assert "6442 (0.964)" in weak and "| V100 |" in weak
    strong = square_table(rows, "strong", papers())
    assert (
        "6474 (0.969)" in strong
        and "| tensor, managed memory, 256^2 | NVIDIA H100 | 0123456 | 50.0 (1.000) | 90.0 (0.900) |" in strong
    )


def test_the_papers_have_the_efficiencies_that_they_report() -> None:
    found = {(one.name, one.scaling): round(one.efficiencies()[16], 3) for one in papers()}
    assert found["multispin, managed memory, DGX-2", "weak"] == 0.964
    assert found["multispin, managed memory, DGX-2", "strong"] == 0.969
    assert found["basic, Python, IPC, DGX-2", "weak"] == 0.932
    assert found["tensor, managed memory, DGX-2", "strong"] == 0.971


def test_messages_are_hidden_as_far_as_they_do_not_prolong_a_half_sweep(folder: Path) -> None:
    (overlap,) = read([folder / "overlap.json"]).overlaps
    assert overlap.hidden == pytest.approx(0.75)
    text = page(read(sorted(folder.glob("*.json"))), {})
    assert "| L = 256, 128 samples | 2 | 8 | 1100.0 | 1000.0 | 400.0 | 0.75 |" in text


def test_the_page_names_device_driver_commit_and_command(folder: Path) -> None:
    text = page(read(sorted(folder.glob("*.json"))), {})
    row = "| [gpus.json](gpus.json) | NVIDIA H100 | 580.95.05 | 0123456 | `tests/mpi/scaling --preset gpus` |"
    assert row in text.splitlines()


def test_cpu_ranks_are_in_tables_and_not_in_figures_of_gpus(tmp_path: Path) -> None:
    (tmp_path / "cpu.json").write_text(json.dumps(scaling_file(cases(), "cpu")))
    measurements = read([tmp_path / "cpu.json"])
    assert efficiency_table(measurements.rows, "strong")
    assert square_table(measurements.rows, "weak", papers()) == ""
    assert [path.name for path in write(tmp_path)] == ["README.md"]


def test_files_that_were_published_before_are_read(tmp_path: Path) -> None:
    names = ["cpu.json", "h200_samples.json", "h200_strong.json", "h200_weak.json"]
    for name in names:
        shutil.copy(ROOT / "results" / "published" / "scaling" / name, tmp_path)
    command = [sys.executable, "-m", "workflows.scaling", str(tmp_path)]
    result = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    assert str(tmp_path / "efficiency.svg") in result.stdout.splitlines()
    rows = read([tmp_path / "h200_weak.json"]).rows
    titles = [title_of(group) for group in groups_of(rows, "weak")]
    assert "ising2d, 32768^2, 46336^2, 65536^2" in titles and "ea3d, L = 160, 208, 256, 512 samples" in titles


def test_other_files_are_refused_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(StudyError, match="no JSON file"):
        write(tmp_path)
    for content in ("[1]", "{}", '{"cases": [{}]}', "ps/flip"):
        (tmp_path / "other.json").write_text(content)
        with pytest.raises(StudyError) as error:
            write(tmp_path)
        assert "other.json: not a file of tests/mpi/scaling" in str(error.value) and "\n" not in str(error.value)
