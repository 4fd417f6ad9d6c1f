"""Studies of the laboratory: refusals, plan, pages from files that were made up, the published page."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml

import made_up_laboratory as made_up
from conftest import ROOT, Workspace, copy_sources
from workflows.laboratory import entries, published
from workflows.laboratory.blocks import Page, references
from workflows.laboratory.layouts import becomes_fastest, begins_to_grow, branch, over_baseline, with_generator
from workflows.laboratory.measurements import Measurement, read_measurement, rows_of
from workflows.laboratory.pages import MODULES, figures_of, page_of
from workflows.laboratory.plan import Laboratory
from workflows.laboratory.sections import multi_hit
from workflows.laboratory.seed_003 import speedups_of_steps
from workflows.study.error import StudyError
from workflows.study.study import open_file
from workflows.study.validation import check, read_schema

# Stands for psflip-lab: prints a file that was made up, which one the first word and the generator tell.
PROGRAM = """#!/usr/bin/env bash
file=$1 output=${*: -1}
[[ "$*" != *"--generator none"* ]] || file=stencil
cp made_up/$file.json "$output"
"""

MISTAKES: list[tuple[Callable[[dict[str, Any]], Any], str]] = [
    (lambda s: s["laboratory"][0].update(layout=["slised"]), "laboratory[0].layout[0] is 'slised', not one of sliced, standard, bitwise; did you mean 'sliced'?"),
    (lambda s: s["laboratory"][0].update(generator=["mintsd"]), "laboratory[0].generator[0] is 'mintsd', not one of minstd,"),
    (lambda s: s["laboratory"][0].update(command="layout"), "laboratory[0].command is 'layout', not one of layouts,"),
    (lambda s: s["laboratory"][0].update(seed="007"), "laboratory[0].seed is '007', not one of 000,"),
    (lambda s: s["laboratory"][0].update(L=[7]), "laboratory[0].L[0] is 7, not a multiple of 2; a lattice has even sides"),
    (lambda s: s["laboratory"][0].update(layout=["bitwise"], L=[8, 6]), "laboratory[0].L has 6, and the layout bitwise has powers of two only"),
    (lambda s: s["laboratory"][0].update(packs=[0]), "laboratory[0].packs[0] is 0, below 1"),
    (lambda s: s["laboratory"][0].pop("L"), "laboratory[0] lacks the key 'L'"),
    (lambda s: s["laboratory"][0].update(lay=1), "laboratory[0] has the unknown key 'lay'"),
    (lambda s: s["laboratory"][1].update(generator=["mtgp32"]), "laboratory[1].generator has mtgp32, which runs on a GPU only; give device: cuda"),
    (lambda s: s["laboratory"][3].pop("file"), "laboratory[3] has the file 000_generators.json of laboratory[1]; give it a key 'file'"),
    (lambda s: s["laboratory"].append(made_up.entry_of_tiles(tile=[16])), "laboratory[4].tile has 16, which does not divide L = 24 an even number"),
    (lambda s: s["laboratory"].append(made_up.entry_of_tiles(order="symmetric", hits=[2, 3])), "laboratory[4].hits has 3; the symmetric order"),
    (lambda s: s["laboratory"].append(made_up.entry_of_grid(beta=[0.15, 0.1])), "laboratory[4].beta is [0.15, 0.1]; give the smallest and then"),
    (lambda s: s["laboratory"].append(made_up.entry_of_grid(beta=[0.1])), "laboratory[4].beta has"),
    (lambda s: s["laboratory"].append(made_up.entry_of_grid(interval=[0])), "laboratory[4].interval[0] is 0, below 1"),
    (lambda s: s["laboratory"].append(made_up.entry_of_grid(command="glass2d", realizations=[100])), "laboratory[4].realizations[0] is 100, not a multiple of 64; words hold"),
    (lambda s: s["laboratory"].append(made_up.entry_of_spins(precision=["float_fast"])), "laboratory[4].precision has float_fast, which runs on a GPU only"),
    (lambda s: s["laboratory"].append(made_up.entry_of_spins(tile=[16])), "laboratory[4].tile has 16, which does not divide L = 24 an even number"),
    (lambda s: s["laboratory"].append(made_up.entry_of_spins(hits=[0])), "laboratory[4].hits[0] is 0, below 1"),
    (lambda s: s["laboratory"].append(made_up.entry_of_spins(packs=[4])), "laboratory[4] has the unknown key 'packs'"),
    (lambda s: s["laboratory"].append(made_up.entry_of_boxes(tile="12x8x8")), "laboratory[4].tile has the side 12, which is even and divides L = 32"),
    (lambda s: s["laboratory"].append(made_up.entry_of_boxes(tile="8x8")), "laboratory[4].tile is '8x8'; give three sides, such as 32x8x8"),
    (lambda s: s["laboratory"].append(made_up.entry_of_boxes(L=[24])), "laboratory[4].L has the side 8, which is even and divides L = 24"),
    (lambda s: s["laboratory"].append(made_up.entry_of_boxes(device="cuda", generator="lcg32")), "laboratory[4].generator is lcg32; boxes on a GPU have"),
    (lambda s: s["laboratory"].append(made_up.entry_of_boxes(T=[4, 3])), "laboratory[4].T goes from 4 to 3; give the coldest temperature first"),
    (lambda s: s["laboratory"].append(made_up.entry_of_grids(dense=4)), "laboratory[4].dense is 4, no more than the slots of sparse"),
    (lambda s: s.update(laboratory=[]), "laboratory is an empty list"),
    (lambda s: s.update(measured=["x.json"]), "measured[0] is 'x.json'; give files named SEED_WORDS.json"),
]  # fmt: skip


@pytest.fixture
def no_gpu(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(entries, "has_gpu", lambda: False)


def written(path: Path, content: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))
    return path


@pytest.fixture
def files(tmp_path: Path) -> list[Path]:
    contents = {
        "000_layouts": made_up.layouts(),
        "000_generators": made_up.generators(),
        "002_layouts_stencil": made_up.stencil(),
        "004_ising2d": made_up.ising2d(),
    }
    return [written(tmp_path / f"{name}.json", content) for name, content in contents.items()]


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    """With a stand-in for psflip-lab."""
    if any(Path("/dev").glob("nvidia[0-9]*")):
        pytest.skip("this machine has a GPU")
    made = Workspace(tmp_path / "psflip")
    copy_sources(made.folder)
    for name in ("layouts", "generators", "stencil"):
        written(made.folder / "made_up" / f"{name}.json", getattr(made_up, name)())
    program = made.folder / "build" / "bin" / "psflip-lab"
    program.parent.mkdir(parents=True)
    program.write_text(PROGRAM)
    program.chmod(0o755)
    made.write_study(made_up.study())
    return made


@pytest.mark.parametrize(("change", "sentence"), MISTAKES, ids=[sentence for _, sentence in MISTAKES])
def test_a_mistake_in_a_study_of_the_laboratory_is_told(change: Callable, sentence: str) -> None:
    content = made_up.study()
    change(content)
    with pytest.raises(StudyError) as error:
        check(content)
    assert str(error.value).startswith(sentence) and "\n" not in str(error.value)


def test_all_mistakes_of_a_study_of_the_laboratory_are_told_at_once_with_their_lines(tmp_path: Path) -> None:
    content = made_up.study()
    for change, _ in MISTAKES[:2] + MISTAKES[9:11]:
        change(content)
    path = tmp_path / "lab.yaml"
    path.write_text(yaml.safe_dump(content, sort_keys=False))
    with pytest.raises(StudyError) as error:
        open_file(path)
    assert str(error.value).count(f"{path}:") == 4
    assert str(error.value).endswith("4 mistakes; correct them and run again")


def test_names_of_the_schema_are_those_of_psflip_lab() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "engine" / "laboratory").rglob("*.[hc]pp"))
    schema = read_schema("laboratory")["$defs"]
    for command in entries.commands(read_schema("laboratory")):
        if f'"{command}"' not in sources:
            continue  # a module of Python
        for key in ("layout", "generator", "variant"):
            rule = schema[command]["properties"].get(key, {"enum": []})
            for name in rule.get("items", rule)["enum"]:
                assert f'"{name}"' in sources, f"{command}: {name}"


def test_the_study_of_the_seeds_runs_what_the_machine_can(no_gpu: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # files of other machines are named from there
    study = open_file(ROOT / "config" / "seeds.yaml")
    assert isinstance(study, Laboratory) and study.programs == ("psflip-lab",)
    on_gpu = {stem for stem, entry in study.entries.items() if ("device", "cuda") in entry.options}
    lack_gpu = {stem for stem, entry in study.entries.items() if entry.missing == "needs a GPU"}
    assert on_gpu and on_gpu == lack_gpu and not lack_gpu & study.planned.keys()
    assert len(study.left_out) == len(study.entries) - len(study.planned)
    assert open_file(ROOT / "config" / "demo.yaml").programs == ()


def test_options_of_an_entry_are_those_of_the_command_line() -> None:
    entry = entries.Entry.of(made_up.study()["laboratory"][2])
    assert entry.arguments == "layouts --L 64 --generator none" and entry.stem == "002_layouts_stencil"
    exchange = entries.Entry.of({"seed": "000", "command": "exchange", "ranks": 2})
    assert exchange.program.endswith("mpirun -n 2 build/bin/psflip-lab") and exchange.arguments == "exchange"
    assert exchange.line == "mpirun -n 2 psflip-lab exchange --output 000_exchange.json"
    numba = entries.Entry.of({"seed": "004", "command": "numba_ising2d", "L": [64]})
    assert numba.line == "python -m workflows.laboratory.numba_ising2d --L 64 --json 004_numba_ising2d.json"
    largest = entries.Entry.of({"seed": "004", "command": "ising2d", "device": "cuda", "largest": True})
    assert largest.arguments == "ising2d --device cuda --largest"


def test_threshold_sizes_are_computed_from_the_rows(files: list[Path]) -> None:
    rows = with_generator(rows_of([read_measurement(files[0])], "layout"))
    even = [row for row in rows if branch(row["L"]) == "4m"]
    assert [becomes_fastest(even, name) for name in ("sliced", "standard", "bitwise")] == [32, None, None]
    assert [begins_to_grow(even, name) for name in ("sliced", "standard", "bitwise")] == [64, 32, 64]
    odd = [row for row in rows if branch(row["L"]) == "4m + 2"]
    assert becomes_fastest(odd, "sliced") == 10 and begins_to_grow(odd, "sliced") == 18


def test_times_of_generators_are_normalized_in_the_same_layout(files: list[Path]) -> None:
    ratios = over_baseline(rows_of([read_measurement(files[0])], "layout"))
    found = {(row["layout"], row["generator"]): row["ratio"] for row in ratios}
    assert found["sliced", "xorwow"] == pytest.approx(3) and found["standard", "mt19937"] == pytest.approx(1.6)


def test_times_are_normalized_by_those_of_the_same_file(files: list[Path], tmp_path: Path) -> None:
    content = made_up.layouts()
    content["table"] = [row for row in content["table"] if row["generator"] == "minstd"]
    for row in content["table"]:
        row["ps_per_flip"] *= 2
    other = read_measurement(written(tmp_path / "000_layouts_busy.json", content))
    first = read_measurement(files[0])
    orders = [over_baseline(rows_of(order, "layout")) for order in ([first, other], [other, first])]
    assert orders[0] == orders[1] == over_baseline(rows_of([first], "layout"))


def test_a_page_has_the_numbers_of_the_files_and_of_the_paper(files: list[Path]) -> None:
    page = page_of("000", [read_measurement(path) for path in files], set())
    tables = [block.table for block in page.blocks if block.table]
    sizes = next(table for table in tables if "scalar" in table["head"])
    line = next(row for row in sizes["rows"] if row[2] == 32)
    assert line == ["made-up CPU, 1 thread", "4m", 32, "400", "500", "450", "100", "40 000", 4, "100"]
    fill = next(table for table in tables if "(table 1)" in table["caption"])
    assert ["minstd", "psflip", "made-up CPU, 1 thread", 4, "2.50", "1.72", "1.34", "1.13"] in fill["rows"]
    assert any(row[:2] == ["mtgp32", "curand"] and row[4] == "–" for row in fill["rows"]), "rows of the paper alone"
    assert "standard takes 2.00 times the time of sliced at L = 64" in " ".join(page.lessons)
    assert "is 4.0 times faster than the best layout" in " ".join(page.lessons)


def test_a_lesson_turns_with_the_numbers(tmp_path: Path) -> None:
    content = made_up.layouts()
    for row in content["table"]:
        if row["layout"] == "sliced":
            row["ps_per_flip"] *= 4
    page = page_of("000", [read_measurement(written(tmp_path / "000_layouts.json", content))], set())
    assert "This does not hold here" in page.lessons[0]


def test_the_page_of_the_2d_ising_model_has_table_1_and_its_ratios(files: list[Path]) -> None:
    page = page_of("004", [read_measurement(path) for path in files], set())
    text = json.dumps([block.table for block in page.blocks if block.table], ensure_ascii=False)
    for value in ("66.954", "43.535", "38.749", "417.53", "12.878", "336.01", "614.4"):
        assert f'"{value}"' in text
    assert any("flips 4.00 times as fast as basic" in lesson for lesson in page.lessons)


def page_with(tmp_path: Path, seed: str, *names: str) -> Page:
    contents = {name: getattr(made_up, name)() for name in names}
    paths = [written(tmp_path / f"{seed}_{name}.json", content) for name, content in contents.items()]
    return page_of(seed, [read_measurement(path) for path in paths], set())


def test_the_relaxation_of_all_generators_is_judged_together(tmp_path: Path) -> None:
    page = page_with(tmp_path, "000", "relaxation")
    assert (
        "minstd differs from addressed Philox" in page.lessons[0] and "0.0080 for all tests together" in page.lessons[0]
    )
    assert page.blocks[-1].table["rows"][0][:3] == ["minstd", "energy", 8]


def test_exchanges_are_compared_by_their_messages_alone(tmp_path: Path) -> None:
    page = page_with(tmp_path, "000", "exchange")
    assert page.lessons == ["Exchange in one direction (2 ranks of this machine): L = 8: two messages take 1.50 times as long "
                            "as one of the same bytes together."]  # fmt: skip
    assert page.blocks[-1].table["rows"][0] == ["made-up CPU, 2 ranks", "sliced, one direction", 2, 8, "1", "16384", "4.00", "100"]  # fmt: skip


def test_band_states_are_compared_with_percolation_at_the_largest_size(tmp_path: Path) -> None:
    page = page_with(tmp_path, "004", "bands")
    assert "ground 0.6391 ± 0.0100 (0.6191, +2.0 σ, L = 64)" in page.lessons[0]
    rows = next(block.table for block in page.blocks if block.table and "percolation" in block.table["head"])["rows"]
    assert rows[0][:5] == ["ground", 0.0, 32, 4096, 4096] and rows[3][:5] == ["ground", 0.0, 64, 4096, 16384]
    assert len(rows) == 6 and rows[0][-2:] == ["0.6191", "10.0 ± 0.5"]


def test_python_has_its_speed_up_over_the_scalar_update_of_the_same_machine(tmp_path: Path) -> None:
    page = page_with(tmp_path, "004", "ising2d", "numba")
    rows = next(block.table for block in page.blocks if block.table and "speed-up" in block.table["head"])["rows"]
    assert next(row for row in rows if row[1] == "basic, Python (Numba)")[-1] == "4.00"
    on_gpu = made_up.numba() | {"gpu": "NVIDIA H100"}
    on_gpu["table"][0] |= {"device": "cuda", "ps_per_flip": 20.0}
    files = [
        written(tmp_path / f"004_{name}.json", one) for name, one in (("ising2d", made_up.ising2d()), ("numba", on_gpu))
    ]
    page = page_of("004", [read_measurement(file) for file in files], set())
    rows = next(block.table for block in page.blocks if block.table and "speed-up" in block.table["head"])["rows"]
    assert next(row for row in rows if row[0] == "NVIDIA H100")[-1] == "400"
    alone = page_with(tmp_path, "004", "numba")
    rows = next(block.table for block in alone.blocks if block.table and "speed-up" in block.table["head"])["rows"]
    assert rows[0][-1] == "–"


def tables_of(page: Page) -> dict[str, list[list[Any]]]:
    """Rows of each table by the beginning of its caption."""
    return {block.table["caption"][:20]: block.table["rows"] for block in page.blocks if block.table}


def test_generators_are_compared_with_the_exact_energy_and_hits_by_their_cost(tmp_path: Path) -> None:
    page = page_of("001", [read_measurement(written(tmp_path / "001_multi_hit.json", made_up.multi_hit()))], set())
    assert page.lessons[:2] == [
        "LCG32, skipping: the energy of the double checkerboard is 100.0 errors from the exact one, wrong (probability 3.9e-71, L = 1024, "
        "64000 sweeps, made-up CPU, 1 thread).",
        "Philox: the energy of the double checkerboard is 1.0 errors from the exact one, no deviation is seen (probability "
        "0.32, L = 1024, 64000 sweeps, made-up CPU, 1 thread).",
    ]
    assert "k = 10 (160 ± 4 ns a site; made-up CPU, 1 thread); within two errors are k = 5." in page.lessons[2]
    tables = tables_of(page)
    quality = tables["Table 1 of the paper"]
    assert ["tiles", "LCG32, skipping", 1024, 16, 1, 1, 64000] in [row[1:8] for row in quality]
    lcg32 = next(row for row in quality if row[1:3] == ["tiles", "LCG32, skipping"])
    assert lcg32[-5:-2] == ["-100.0", "0.8600 ± 0.0100", "-0.2"] and "8259" in lcg32[-2] and "0.80316(48)" in lcg32[-1]
    assert [row[5] for row in quality] == [1, 1, 1, 10, 1, 10]  # k = 100: blocks of 5 tau_int
    hits = tables["Autocorrelation time"]
    assert [(row[3], row[5]) for row in hits] == [("sequential", 1), *(("naive", k) for k in (1, 5, 10, 100))]


def test_a_deviation_is_judged_by_the_number_of_blocks_of_its_error() -> None:
    few, many = (multi_hit.probability_of_pull({"e_pull": 3.1, "blocks": blocks}) for blocks in (32, 10_000))
    assert many < multi_hit.THREE_SIGMA < few < 0.005


def test_autocorrelation_times_are_shown_where_the_series_is_long_enough(tmp_path: Path) -> None:
    page = page_of("001", [read_measurement(written(tmp_path / "001_multi_hit.json", made_up.multi_hit()))], set())
    energy, magnetization = tables_of(page)["Integrated autocorre"]
    assert energy[1:] == [1024, "e", "0.44", "30.0 ± 1.0", "30.0 ± 1.0", "40.0 ± 1.0", "200.0 ± 1.0"]
    assert magnetization[2:] == ["|m|", "0.44", *["series below 300 τ"] * 4]


def test_the_symmetric_order_is_compared_with_the_naive_one(tmp_path: Path) -> None:
    page = page_of("001", [read_measurement(written(tmp_path / "001_multi_hit.json", made_up.multi_hit()))], set())
    (row,) = tables_of(page)["Naive order A…AB…B(M"]
    assert row[3:] == [
        10,
        "-1.10608 ± 0.00010",
        "-1.10588 ± 0.00010",
        "+1.4",
        "40.0 ± 1.0",
        "41.0 ± 1.0",
        "4 000",
        "4 000",
    ]


def test_runs_out_of_equilibrium_have_no_estimates(tmp_path: Path) -> None:
    content = made_up.multi_hit()
    for row in content["energies"]:
        row["discarded"] = 0
    page = page_of("001", [read_measurement(written(tmp_path / "001_multi_hit.json", content))], set())
    assert not tables_of(page) and page.lessons == []


def test_the_glass_in_two_dimensions_is_shown_at_its_best_number_of_realizations_next_to_the_paper(
    tmp_path: Path,
) -> None:
    page = page_of("001", [read_measurement(written(tmp_path / "001_glass2d.json", made_up.glass2d()))], set())
    assert page.lessons == [
        "2D spin glass on made-up CPU, 1 thread: words of 64 realizations take 200 ps/flip, 50.0 times faster than one spin a byte "
        "(paper: 79 over its scalar update on a CPU); psflip takes 100, 100 times faster."
    ]
    (only,) = (block.table for block in page.blocks if block.table)
    lines = {row[1]: row[3:] for row in only["rows"]}
    assert lines["scalar"] == ["14600 (Core 2 Q9650)", 16, 1, "8 000", "5.00"]
    assert lines["words of 32 bits"] == ["410 (Core 2 Q9650)", 16, 512, "400", "100"]
    assert lines["psflip, words of 256 bits, 4 replicas"] == ["–", 16, 512, "100", "400"]
    content = made_up.glass2d()
    for row in content["table"][1:]:
        row["device"] = "cuda"
    page = page_of("001", [read_measurement(written(tmp_path / "001_glass2d_gpu.json", content))], set())
    assert "30 on a GTX 480" in page.lessons[0]
    (only,) = (block.table for block in page.blocks if block.table)
    assert next(row for row in only["rows"] if row[1] == "words of 64 bits")[3] == "7.5 (Tesla C1060), 2.3 (GTX 480)"


def test_tempering_is_shown_with_the_cost_of_its_exchanges(tmp_path: Path) -> None:
    page = page_of("001", [read_measurement(written(tmp_path / "001_tempering.json", made_up.tempering()))], set())
    assert page.lessons == [
        "Tempering of the 2D ferromagnet on made-up CPU, 1 thread: psflip takes 80.0 ps/flip at L = 64, 1024 lattices in each of "
        "20 slots, an exchange every 100 sweeps. An exchange every 10 sweeps takes 1.25 times that (1.23 at L = 2048 on the paper's GPUs)."
    ]
    (only,) = (block.table for block in page.blocks if block.table)
    assert "0.057 on GTX 480 (every 100 sweeps)" in only["caption"]
    lines = [row[1:] for row in only["rows"] if row[2] == 64]
    assert lines == [
        ["scalar, no exchange", 64, "–", 1, "–", "8 000", "–", "5.00"],
        ["scalar", 64, 100, 1, "75 %", "9 000", "–", "4.44"],
        ["psflip", 64, 100, 1024, "75 %", "80.0", "–", "500"],
        ["scalar", 64, 10, 1, "75 %", "11 250", "1.25", "3.56"],
        ["psflip", 64, 10, 1024, "75 %", "100", "1.25", "400"],
    ]


def test_times_of_tiles_with_and_without_the_energy_stand_next_to_the_paper(tmp_path: Path) -> None:
    files = [
        written(tmp_path / "001_multi_hit_times.json", made_up.tile_times()),
        written(tmp_path / "001_multi_hit_times_gpu.json", made_up.tile_times(device="cuda") | {"gpu": "made-up GPU"}),
    ]
    page = page_of("001", [read_measurement(path) for path in files], set())
    assert page.lessons == [
        f"100 hits make a flip 4.00 times as fast as one hit at L = 128 ({processor}); 3.6 times on the paper's GPU."
        for processor in ("made-up CPU, 1 thread", "made-up GPU")
    ]
    tables = tables_of(page)
    tracking = tables["Figure 9 of the pape"]
    assert tracking[0] == [
        "made-up CPU, 1 thread", "LCG32, skipping", 64, 16, 1, "4 000", "4 800", "+20 %", "1.00", "8.33", "20 %", "–",
    ]  # fmt: skip
    assert {row[8] for row in tracking} == {"1.00", "2.00"} and {row[7] for row in tracking} == {"+20 %", "+10 %"}
    speeds = tables["Times of a flip in p"]
    assert len(speeds) == 2 * 2 * (2 + 2 * 2)  # scalar and psflip on the CPU alone, LCG32 on both
    assert [
        "ising2d",
        "made-up CPU, 1 thread",
        "psflip, packed samples",
        "Philox",
        64,
        "–",
        "–",
        "–",
        "50.0",
        "800",
    ] in speeds


def test_precisions_of_the_heisenberg_model_are_compared_with_double_and_the_series(tmp_path: Path) -> None:
    page = page_with(tmp_path, "001", "heisenberg")
    assert "double takes 2.00 times the time of float; 1.00 on the paper's CPU" in page.lessons[0]
    assert "polynomials in vector instructions are 10.00 times as fast as the C library" in page.lessons[1]
    assert "the largest of 12 differences to double is 2.0 errors, probability 0.43" in page.lessons[2]
    assert "after 12800 sweeps is at most 2.0e-08 (double), 4.0e-08 (float)" in page.lessons[3]
    times, values = (block.table for block in page.blocks if block.table)
    assert ["made-up CPU, 1 thread", "double", "uniform", 64, 32, 10, "8.00", "7.50"] in times["rows"]
    assert ["GTX 480", "float, fast_math (paper)", "uniform", 4096, "–", 100, "0.18", "1 029"] in times["rows"]
    assert [row[-1] for row in values["rows"]][0] == "+1.0" and values["rows"][2][7] == "+1.0"
    assert [block.heading for block in page.blocks if block.heading] == ["Heisenberg model"]


def test_the_heisenberg_model_is_no_row_of_other_tables_of_its_page(tmp_path: Path) -> None:
    page = page_with(tmp_path, "001", "multi_hit", "heisenberg")
    alone = page_with(tmp_path / "alone", "001", "multi_hit")
    assert [block for block in page.blocks if block in alone.blocks] == alone.blocks and len(page.blocks) > len(
        alone.blocks
    )
    assert page.lessons[: len(alone.lessons)] == alone.lessons


def test_a_step_of_one_realization_is_compared_with_the_scalar_update(tmp_path: Path) -> None:
    page = page_with(tmp_path, "003", "field_tiles")
    assert page.lessons[0] == (
        "A step of one realization at L = 8 is 2.00 times as fast in boxes, and 100 times in psflip, which packs 512 realizations, as "
        "in the scalar update on one thread."
    )
    flips, steps, exchanges = (block.table["rows"] for block in page.blocks if block.table)
    assert flips[2][1:] == ["double checkerboard", "8x8x8", 100, 8, "1", "2 000", "20.0"]
    assert steps[1][1:] == ["double checkerboard", "8x8x8", 8, 24, 10, "1", "4.00", "2.00"]
    assert exchanges[0][1:] == [8, 24, "512", "10.0", "4.00", "2.00", "0.40", "1.9 %"]
    assert any("psflip keeps the temperatures" in block.text for block in page.blocks)


def test_a_step_of_psflip_on_a_gpu_is_that_of_the_sparse_grid_with_as_many_slots() -> None:
    scalar = {"variant": "scalar", "L": 32, "slots": 24, "interval": 10, "seconds_per_step": 0.1, "realizations": 1}
    sparse = {"grid": "sparse", "L": 32, "slots": 24, "interval": 10, "samples": 512, "steps": 2000, "seconds": 10.24}
    files = {
        "steps": [scalar | {"device": "cpu"}, scalar | {"device": "cuda", "variant": "tiles", "seconds_per_step": 0.01}]
    }
    grids = [sparse | {"device": "cuda"}, sparse | {"device": "cuda", "slots": 23}, sparse | {"device": "cpu"}]
    grids.append(sparse | {"device": "cuda", "grid": "dense"})
    common = {"machine": "AMD EPYC", "gpu": "NVIDIA H100"}
    measurements = [Measurement(Path("a.json"), common | files), Measurement(Path("b.json"), common | {"grids": grids})]
    scalar_row, tiles, psflip = speedups_of_steps(measurements)
    assert (scalar_row["speedup"], tiles["speedup"], tiles["processor"]) == (1, 10, "NVIDIA H100")
    assert psflip["variant"] == "psflip" and psflip["processor"] == "NVIDIA H100" and psflip["realizations"] == 512
    assert psflip["seconds_per_step"] == pytest.approx(1e-5) and psflip["speedup"] == pytest.approx(1e4)


def test_grids_are_compared_at_equal_error_with_the_dense_one_and_the_paper(tmp_path: Path) -> None:
    page = page_with(tmp_path, "003", "temperature_grids")
    assert page.lessons == [
        "L = 32: the adaptive grid takes 0.80 of the time of the dense one (less; paper 0.82 at L = 32), its lowest exchange rate is "
        "25 % instead of 20 %.",
        "L = 32: equal rates of 40 % (10 slots) make 0.75 ± 0.03 times as many round trips per flip as rates of 30 % (8 slots).",
    ]
    grids, rates = (block.table["rows"] for block in page.blocks if block.table)
    assert grids[0][3:] == [5, "4.00", "–", "–", "0.400", "–", "0.400", "1.600", "1.600", "1.600", "1.600", "0.473"]
    assert grids[2][3:] == [
        9,
        "8.00",
        64,
        "2.00",
        "0.800",
        "0.200",
        "1.000",
        "0.400",
        "0.600",
        "0.400",
        "0.600",
        "0.824; runs 0.030; sum 0.853",
    ]
    assert rates[0][-2:] == ["–", "4 of 5"] and rates[4][-2] == "25 ± 0.62"
    content = made_up.temperature_grids()
    content["grids"][0]["L"] = 8
    page = page_of("003", [read_measurement(written(tmp_path / "003_temperature_grids.json", content))], set())
    assert next(block.table for block in page.blocks if block.table)["rows"][0][-1] == "–"  # not a size of the paper
    for row in content["grids"]:
        row["L"] = 64
    page = page_of("003", [read_measurement(written(tmp_path / "003_temperature_grids.json", content))], set())
    assert "paper 0.75 at L = 64" in page.lessons[0]


NAMES_OF_FIGURES = [
    *("ising2d", "bands", "layouts", "multi_hit", "tile_times", "heisenberg", "glass2d", "tempering"),
    *("field_tiles", "temperature_grids"),
]


@pytest.mark.parametrize("name", NAMES_OF_FIGURES)
def test_every_figure_of_a_file_is_drawn(name: str, tmp_path: Path) -> None:
    seeds = {"layouts": "000", "ising2d": "004", "bands": "004", "field_tiles": "003", "temperature_grids": "003"}
    seed = seeds.get(name, "001")
    path = written(tmp_path / f"{seed}_{name}.json", getattr(made_up, name)())
    command = [sys.executable, "-m", "workflows.laboratory.figures", path, "--output", tmp_path]
    subprocess.run(command, cwd=ROOT, check=True)
    wanted = figures_of({seed: {"multi_hit" if name == "tile_times" else name}})
    assert wanted and sorted(path.stem for path in tmp_path.glob("*.svg")) == sorted(wanted)


@pytest.mark.parametrize("seed", MODULES)
def test_every_page_can_be_made_without_measurements(seed: str) -> None:
    page = page_of(seed, [], set())
    assert page.lessons == [] and page.source and all(block.table["rows"] for block in page.blocks if block.table)


def test_every_number_of_a_paper_has_its_table_or_figure() -> None:
    known = references()
    assert known["papers"].keys() == MODULES.keys()
    for row in known["flips"] + known["over_minstd"]:
        assert row["source"] and row["value"]
    for name in (
        "fill",
        "rate",
        "stencil",
        "ising2d",
        "quality",
        "adaptive",
        "heisenberg",
        "tracking",
        "glass2d",
        "tempering",
    ):
        assert re.match(r"(table|figure) \d", known[name]["source"])


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda c: c.pop("machine"), "lacks the key 'machine'"),
        (lambda c: c["table"][0].update(ps_per_flip=0), "table[0].ps_per_flip is no number above 0"),
        (lambda c: c["table"][1].pop("layout"), "table[1] lacks the text 'layout'"),
        (lambda c: c.update(table={}), "no file of psflip-lab"),
    ],
)
def test_a_bad_file_of_psflip_lab_is_refused_in_a_sentence(change: Callable, sentence: str, tmp_path: Path) -> None:
    content = made_up.layouts()
    change(content)
    path = written(tmp_path / "000_layouts.json", content)
    with pytest.raises(StudyError) as error:
        read_measurement(path)
    assert str(error.value).startswith(f"{path}: {sentence}; write the file by psflip-lab")


def test_a_study_of_the_laboratory_ends_with_a_page_for_each_paper(workspace: Workspace) -> None:
    jobs = [job.rule for job in workspace.jobs("lab", "--dry-run")]
    assert sorted(jobs) == ["laboratory_report", "measure", "measure", "measure", "plot_laboratory"]
    workspace.run("lab")
    text = (workspace.results("lab") / "report.html").read_text()
    assert text.count("<svg") == 3 and not re.search(r'src=|href="(?!#|data:|plots/)', text)
    identifiers = re.findall(r'\bid="([^"]+)"', text)
    assert len(identifiers) == len(set(identifiers))
    assert "needs a GPU" in text and "psflip-lab generators --device cuda --count 536870912" in text
    for seed in ("000", "002"):
        assert f'id="seed-{seed}"' in text
    assert workspace.rules("lab", "--dry-run") == set()


def test_another_option_measures_again_and_another_title_does_not(workspace: Workspace) -> None:
    workspace.run("lab")
    content = workspace.study("lab")
    workspace.write_study(content | {"title": "Another"})
    assert workspace.rules("lab", "--dry-run") == {"laboratory_report"}
    content["laboratory"][1]["count"] = 1000
    workspace.write_study(content)
    assert [job.output for job in workspace.jobs("lab", "--dry-run") if job.rule == "measure"] == [
        "results/lab/laboratory/000_generators.json"
    ]


def test_the_status_of_a_study_of_the_laboratory_counts_its_runs(workspace: Workspace) -> None:
    def status() -> tuple[int, dict[str, Any]]:
        command = [sys.executable, "-m", "workflows.status", "config/lab.yaml", "--json"]
        done = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=False)
        return done.returncode, json.loads(done.stdout)

    code, state = status()
    assert code == 1 and [part["shards_done"] for part in state["parts"]] == [0, 0, 0]
    workspace.run("lab")
    code, state = status()
    assert code == 0 and state["complete"] and [part["shards_done"] for part in state["parts"]] == [1, 1, 1]


def test_the_forecast_lists_what_runs_and_what_the_machine_lacks(workspace: Workspace) -> None:
    command = [sys.executable, "-m", "workflows.forecast", "config/lab.yaml"]
    written(workspace.results("lab") / "laboratory" / "000_layouts.json", made_up.layouts())
    done = subprocess.run(command, cwd=workspace.folder, capture_output=True, text=True, check=True)
    states = dict(re.split("  +", line)[:2] for line in done.stdout.splitlines()[1:])
    assert states == {"000_layouts": "done", "000_generators": "to do", "002_layouts_stencil": "to do",
                      "000_generators_gpu": "needs a GPU"}  # fmt: skip
    checked = subprocess.run([*command, "--check"], cwd=workspace.folder, capture_output=True, text=True, check=True)
    assert checked.stdout == ""


def test_files_of_another_machine_are_shown_next_to_those_of_this_one(workspace: Workspace) -> None:
    other = made_up.layouts(device="cuda", share_of_bandwidth=0.5) | {"gpu": "made-up GPU", "machine": "other CPU"}
    written(workspace.folder / "gpu" / "000_layouts_gpu.json", other)
    workspace.write_study(made_up.study(measured=["gpu/000_layouts_gpu.json"]))
    workspace.run("lab")
    text = (workspace.results("lab") / "report.html").read_text()
    assert "made-up GPU" in text and "Share of the copy bandwidth" in text and "50 %" in text


def test_a_published_study_of_the_laboratory_is_a_page_made_from_its_files(
    workspace: Workspace, tmp_path: Path
) -> None:
    workspace.run("lab")
    target = tmp_path / "published"
    published.copy(workspace.results("lab"), target)
    assert published.is_of(target) and len(list(target.glob("*.svg"))) == 3
    page = published.page(target)
    assert "| made-up CPU, 1 thread | 4m | 32 | 400 | 500 | 450 | 100 | 40 000 | 4 | 100 |" in page
    assert "![000_sizes](000_sizes.svg)" in page and page == published.page(target)
