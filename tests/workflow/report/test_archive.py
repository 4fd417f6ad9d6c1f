"""The headline numbers of published studies follow from the block sums that are published with them."""

from __future__ import annotations

import json
import math
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

import h5py
import numpy as np
import pytest

from conftest import BUILD, ROOT, Workspace, study_of
from workflows.scripts.archive import LARGEST, block_length, name_of, recompute, sum_blocks, write_archive
from workflows.study.error import StudyError
from workflows.study.study import Study

ARCHIVES = sorted((ROOT / "results" / "published").glob("*/blocks.tar.xz"))
SMALL = [path for path in ARCHIVES if path.stat().st_size < 2_000_000]
LARGE = [path for path in ARCHIVES if path not in SMALL]


def archive(folder: Path, *arguments: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workflows.scripts.archive", *map(str, arguments)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def compare(now: list[dict], then: list[dict], blocks: int) -> None:
    """Values within a part of their errors, and errors within their own, of an archive with so few blocks. The weights of an
    extrapolation are errors, so its value moves too, much less than its systematic error."""
    assert [name_of(number) for number in now] == [name_of(number) for number in then]
    for new, old in zip(now, then):
        if old["error"] and new["name"] == old["name"]:
            allowed = max(0.3 * old["error"], 0.1 * (old["error_systematic"] or 0))
            assert new["value"] == pytest.approx(old["value"], abs=allowed), new["name"]
            assert abs(math.log(new["error"] / old["error"])) < 4 / math.sqrt(2 * (blocks - 1)), new["name"]


@pytest.mark.parametrize(("shared", "least"), [(True, 32), (False, 1)])
def test_blocks_are_few_and_full_packs_where_these_share_random_numbers(shared: bool, least: int) -> None:
    for samples in (1, 32, 64, 2048, 2049, 8192, 18432, 24576, 10**6):
        length = block_length(samples, shared)
        assert length % least == 0 and samples / length <= 64
        assert length == least or samples / (length - least) > 64


def test_a_damaged_record_is_told_in_a_sentence(tmp_path: Path) -> None:
    (tmp_path / "study.json").write_text("[" * 100_000)
    for attempt in (lambda: write_archive(tmp_path, tmp_path), lambda: recompute(tmp_path, tmp_path)):
        with pytest.raises(StudyError, match="study.json: not JSON; remove it and run the study again"):
            attempt()


def recompute_and_compare(path: Path, tmp_path: Path) -> None:
    if not (BUILD / "bin" / "psflip-analysis").exists():
        pytest.skip("psflip-analysis is not built")
    assert path.stat().st_size <= LARGEST
    for name in ("workflows", "engine/models", "engine/core"):
        shutil.copytree(ROOT / name, tmp_path / name, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "build" / "bin").mkdir(parents=True)
    shutil.copy2(BUILD / "bin" / "psflip-analysis", tmp_path / "build" / "bin")
    done = archive(tmp_path, path.parent, "--output", tmp_path / "again")
    assert done.returncode == 0, done.stderr
    published = json.loads((path.parent / "summary.json").read_text())
    again = json.loads((tmp_path / "again" / "summary.json").read_text())
    known = {name_of(number) for number in published}
    later = [number["name"] for number in again if name_of(number) not in known]
    new = ("known values", "ν from the slopes", "η from [⟨q²⟩]")  # headline numbers since version 0.3
    assert all(any(words in name for words in new) for name in later)
    assert done.stdout.count("not published") == len(later) and len(done.stdout.splitlines()) == len(again)
    again = [number for number in again if name_of(number) in known]
    compare(again, published, min(number["blocks"] for number in again if number["blocks"]))


@pytest.mark.parametrize("path", SMALL, ids=[path.parent.name for path in SMALL])
def test_a_small_published_study_gives_its_headline_numbers_again(path: Path, tmp_path: Path) -> None:
    recompute_and_compare(path, tmp_path)


@pytest.mark.parametrize("path", LARGE, ids=[path.parent.name for path in LARGE])
@pytest.mark.slow
def test_a_large_published_study_gives_its_headline_numbers_again(path: Path, tmp_path: Path) -> None:
    recompute_and_compare(path, tmp_path)


def test_an_archive_that_is_too_large_has_fewer_blocks(finished: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(finished.folder)
    results, target = Path("results/smoke"), finished.folder / "published"
    target.mkdir()

    def blocks() -> int:
        assert write_archive(results, target) is None
        with tarfile.open(target / "blocks.tar.xz") as tar:
            tar.extractall(target / "sums", filter="data")
        return max(len(h5py.File(path)["block_samples"]) for path in (target / "sums").iterdir())

    assert blocks() == 64
    full = (target / "blocks.tar.xz").stat().st_size
    monkeypatch.setattr("workflows.scripts.archive.LARGEST", int(0.7 * full))
    assert 16 <= blocks() < 50 and (target / "blocks.tar.xz").stat().st_size <= 0.7 * full
    monkeypatch.setattr("workflows.scripts.archive.LARGEST", full // 100)
    assert "bytes of block sums are more than" in (write_archive(results, target) or "")


def test_publishing_archives_block_sums_from_which_the_numbers_follow(finished: Workspace) -> None:
    """The blocks of the relaxation are packs already, so its numbers are the same to the last digit."""
    shutil.copy2(ROOT / "README.md", finished.folder / "README.md")
    results, published = finished.results("smoke"), finished.folder / "results" / "published" / "smoke"
    command = [sys.executable, "-m", "workflows.scripts.publish", "results/smoke"]
    for expected in ("", "smoke: results/smoke/shards/"):
        done = subprocess.run(command, cwd=finished.folder, capture_output=True, text=True, check=False)
        assert done.returncode == 0 and done.stderr.startswith(expected), done.stderr
        next(results.glob("shards/ea3d_L*/*.h5")).unlink()  # of relaxation, whose blocks are not joined
    with tarfile.open(published / "blocks.tar.xz") as tar:
        assert sorted(tar.getnames()) == sorted(f"{path.name}.h5" for path in (results / "shards").iterdir())
    done = archive(finished.folder, "results/published/smoke", "--output", "again")
    assert done.returncode == 0, done.stderr
    now = json.loads((finished.folder / "again" / "summary.json").read_text())
    then = json.loads((results / "summary.json").read_text())
    assert [number["name"] for number in now] == [number["name"] for number in then] and len(now) > 10
    same = [new for new, old in zip(now, then) if new["value"] == pytest.approx(old["value"], rel=1e-9)]
    assert {number["name"] for number in same} >= {old["name"] for old in then if old["name"].startswith("3D EA")}
    for arguments, sentence in (
        (["results/published/none"], "does not exist; give a published study"),
        (["results/published/smoke", "--output", "again"], "exists; name a new folder"),
    ):
        refused = archive(finished.folder, *arguments)
        assert refused.returncode == 2 and sentence in refused.stderr and refused.stderr.count("\n") == 1


def archived_runs(published: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "workflows.scripts.archived_runs", str(published)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)


def test_figures_of_the_runs_of_a_published_study_follow_from_its_archive(tmp_path: Path) -> None:
    if not (ROOT / "build" / "bin" / "psflip-analysis").exists():
        pytest.skip("psflip-analysis is not built")
    published = ROOT / "results" / "published" / "ea3d_equilibrium_small"
    for name in ("study.json", "blocks.tar.xz"):
        shutil.copy2(published / name, tmp_path / name)
    assert archived_runs(tmp_path).returncode == 0
    made = sorted(path.relative_to(tmp_path) for path in tmp_path.rglob("*_L?.csv"))
    assert [path.name for path in made] == [
        f"{kind}_L{size}.csv" for kind in ("log_bins", "specific_heat") for size in (4, 6, 8)
    ]
    for path in made:
        assert (tmp_path / path).read_text() == (published / path).read_text()
    for name in ("equilibration", "specific_heat"):
        assert (tmp_path / f"ea3d_tempering_{name}.svg").exists()


@pytest.mark.parametrize(("study", "words"), [("ising2d", "has no exchange Monte Carlo"), ("demo", "does not exist")])
def test_figures_of_runs_are_refused_in_a_sentence_where_there_is_nothing_to_draw(study: str, words: str) -> None:
    if not (ROOT / "build" / "bin" / "psflip-analysis").exists():
        pytest.skip("psflip-analysis is not built")
    result = archived_runs(ROOT / "results" / "published" / study)
    assert result.returncode == 2 and words in result.stderr and result.stderr.count("\n") == 1


def test_block_sums_of_removed_measurements_are_joined(workspace: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a shard was removed, an archive is made from the reduced files: the same sums to rounding."""
    part = {"name": "glass", "model": "ea3d", "L": [4, 6], "T": [0.9, 1.1, 1.4], "samples": 1024, "sweeps": 640}
    workspace.write_study(study_of("Joined", part, method="tempering", shard_samples=256))
    workspace.run("joined", "--until", "tabulate")
    monkeypatch.chdir(workspace.folder)
    study = Study(workspace.study("joined"))
    folders = [workspace.folder / name for name in ("reduced", "joined")]
    for folder in folders:
        folder.mkdir()
        assert sum_blocks(study, 8, folder) is None
        for shard in (workspace.results("joined") / "shards").rglob("*.h5"):
            shard.unlink()
    names = sorted(path.name for path in folders[0].glob("*.h5"))
    assert len(names) == 2
    for name in names:
        with h5py.File(folders[0] / name) as one, h5py.File(folders[1] / name) as two:
            assert list(one) == list(two) and one.attrs["block_samples"] == two.attrs["block_samples"] == 128
            for key in one:
                if one[key].dtype.kind == "f":
                    assert np.allclose(one[key][...], two[key][...], rtol=1e-12, atol=1e-12, equal_nan=True), key
    # The reduced files of a study that was restored from its archive have the blocks of the archive, and keep them.
    for path in (workspace.results("joined") / "reduced").rglob("*.h5"):
        shutil.copy(folders[1] / f"{path.parent.name}.h5", path)
    again = workspace.folder / "again"
    again.mkdir()
    assert sum_blocks(study, 64, again) is None
    for name in names:
        with h5py.File(again / name) as file:
            assert file.attrs["block_samples"] == 128
