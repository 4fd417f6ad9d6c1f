"""Numbers in pages: another number than in the published files is found, and written again."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from workflows.scripts import page_tables


@pytest.fixture
def pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """The pages with published numbers, in a folder of their own next to the published files."""
    shutil.copytree(ROOT / "results" / "published", tmp_path / "results" / "published")
    monkeypatch.chdir(tmp_path)
    found = list(dict.fromkeys([*page_tables.TABLES, *page_tables.sentences()]))
    for page in found:
        (tmp_path / page).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / page, tmp_path / page)
    return found


def test_a_changed_number_of_a_table_is_written_again(pages: list[Path]) -> None:
    for page, tables in page_tables.TABLES.items():
        text = page.read_text()
        assert page_tables.with_tables(page, text) == text, page
        for name, make in tables.items():
            last_row = make().splitlines()[-1]
            changed = text.replace(last_row, last_row.replace("1", "2").replace("0", "3"))
            assert changed != text and page_tables.with_tables(page, changed) == text, name


def test_a_changed_file_changes_tables_and_sentences(pages: list[Path]) -> None:
    assert page_tables.missing_sentences() == []
    peapods = page_tables.PUBLISHED / "benchmark" / "peapods.json"
    peapods.write_text(peapods.read_text().replace("24120.0", "24230.0"))
    assert [sentence.partition(" does not say")[0] for sentence in page_tables.missing_sentences()] == [
        "README.md",
        "results/published/benchmark/README.md",
    ]
    core = page_tables.PUBLISHED / page_tables.CPU
    job = page_tables.jobs(page_tables.CPU)["ea3d-shared-L16"]["ps_per_flip"]
    core.write_text(core.read_text().replace(str(job), str(2 * job)))
    page = Path("README.md")
    gpu = page_tables.figure(page_tables.jobs(page_tables.CUDA)["ea3d-shared-L16"]["ps_per_flip"])
    assert f"| {page_tables.figure(2 * job)} | {gpu} |" in page_tables.with_tables(page, page.read_text())


def test_figures_have_three_digits() -> None:
    assert [page_tables.figure(value) for value in (0.0639, 0.2763, 18.155, 117.7)] == [
        "0.064",
        "0.276",
        "18.2",
        "118",
    ]
    assert page_tables.table(["", "a"], [["b", ""]]) == "| | a |\n|---|---|\n| b | |"
