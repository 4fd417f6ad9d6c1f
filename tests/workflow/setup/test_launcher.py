"""./study with stand-ins for cmake, ninja and ctest: which options it gives them on which machine."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

from conftest import BUILD, ROOT
from stand_ins import Machine, make_machine


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    """Without a GPU and without nvcc."""
    if any(Path("/dev").glob("nvidia[0-9]*")):
        pytest.skip("this machine has a GPU")
    return make_machine(tmp_path)


JOBS = "-j " + subprocess.run(["nproc"], capture_output=True, text=True, check=True).stdout.strip()


def test_where_no_gpu_is_found_the_launcher_leaves_cuda_to_cmake(machine: Machine) -> None:
    machine.stand_in("nvcc")
    calls, said = machine.study("test")
    assert calls[:2] == ["cmake --preset default", "ninja -C build"]
    assert "No CUDA tests: the CUDA backend is not built; ./study test --all compiles them" in said


def test_all_compiles_cuda_for_one_architecture_where_no_gpu_is_found(machine: Machine) -> None:
    machine.stand_in("nvcc")
    calls, said = machine.study("test", "--all")
    assert calls[0] == "cmake --preset default -DPSFLIP_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90"
    assert "CUDA tests are skipped: no GPU is found" in said


def test_all_leaves_the_architecture_to_cmake_where_a_gpu_is_found(machine: Machine) -> None:
    machine.stand_in("nvcc")
    machine.stand_in("nvidia-smi")
    assert machine.configured_by("test", "--all") == ["cmake --preset default -DPSFLIP_CUDA=ON"]


def test_all_without_nvcc_builds_the_rest_and_says_so(machine: Machine) -> None:
    calls, said = machine.study("test", "--all")
    assert calls[0] == "cmake --preset default"
    assert "No CUDA tests: the CUDA backend is not built; install the CUDA toolkit" in said


def test_all_finds_nvcc_that_is_not_on_the_path(machine: Machine) -> None:
    (machine.folder / "no-cuda" / "bin").mkdir(parents=True)
    machine.stand_in("nvcc")
    (machine.folder / "bin" / "nvcc").rename(machine.folder / "no-cuda" / "bin" / "nvcc")
    assert "-DPSFLIP_CUDA=ON" in machine.configured_by("test", "--all")[0]


def test_a_build_gets_cuda_with_all_keeps_it_and_is_configured_once(machine: Machine) -> None:
    machine.stand_in("nvcc")
    assert machine.configured_by("test") == ["cmake --preset default"]
    added = ["cmake -S . -B build -DPSFLIP_CUDA=ON -DCMAKE_CUDA_ARCHITECTURES=90"]
    assert machine.configured_by("test", "--all") == added
    for arguments in (["test", "--all"], ["test"], ["test", "--all"]):
        assert machine.configured_by(*arguments) == []


def test_a_gpu_that_is_added_later_is_compiled_for(machine: Machine) -> None:
    machine.stand_in("nvcc")
    machine.study("test")
    machine.stand_in("nvidia-smi")
    assert machine.configured_by("test") == ["cmake -S . -B build -DPSFLIP_CUDA=AUTO"]
    (machine.folder / "bin" / "nvidia-smi").unlink()
    machine.study("test", "--all")
    machine.stand_in("nvidia-smi")
    assert machine.configured_by("test") == ["cmake -S . -B build -DCMAKE_CUDA_ARCHITECTURES=native"]
    assert machine.configured_by("test") == []


def test_choices_of_the_user_about_cuda_stay(machine: Machine) -> None:
    machine.stand_in("nvcc")
    machine.study("test")
    cache = machine.folder / "build" / "CMakeCache.txt"
    cache.write_text("PSFLIP_CUDA:STRING=OFF\nPSFLIP_WITH_CUDA:INTERNAL=OFF\n")
    calls, said = machine.study("test", "--all")
    assert not [call for call in calls if call.startswith("cmake")]
    assert "cmake -S . -B build -DPSFLIP_CUDA=AUTO undoes PSFLIP_CUDA=OFF" in said
    cache.write_text("PSFLIP_CUDA:STRING=AUTO\nCMAKE_CUDA_ARCHITECTURES:STRING=80;86\n")
    assert machine.configured_by("test", "--all") == ["cmake -S . -B build -DPSFLIP_CUDA=ON"]


def test_results_that_cannot_be_written_are_refused_with_the_folder_and_the_remedy(machine: Machine) -> None:
    (machine.folder / "results").touch()  # no folder: root, too, cannot write into it
    (machine.folder / "workflows" / "profiles" / "local").mkdir(parents=True)
    (machine.folder / "workflows" / "profiles" / "local" / "config.yaml").touch()
    for name in ("realpath", "grep"):
        (machine.folder / "bin" / name).unlink(missing_ok=True)
        (machine.folder / "bin" / name).symlink_to(shutil.which(name))
    machine.stand_in("python", "echo results/mine")
    machine.stand_in("flock", "exit 66")
    (machine.folder / "mine.yaml").touch()
    command = [machine.folder / "study", "run", "mine.yaml"]
    environment = {"PATH": str(machine.folder / "bin")}
    done = subprocess.run(command, env=environment, cwd=machine.folder, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        "study: results/mine: cannot be written; make the folder writable, or give the study another name"
    )
    assert "flock" not in machine.calls.read_text()


def test_slow_tests_run_with_all_and_where_the_user_selects_tests(machine: Machine) -> None:
    ctest = f"ctest --test-dir build {JOBS} --output-on-failure --no-tests=error"
    for arguments, options in [
        (["test"], " -LE slow"),
        (["test", "--", "--repeat", "until-fail:2"], " -LE slow --repeat until-fail:2"),
        (["test", "--all"], ""),
        (["test", "--all", "--", "-j", "1"], " -j 1"),
        (["test", "--all", "--", "-LE", "release"], " -LE release"),
        (["test", "--", "-L", "unit"], " -L unit"),
        (["test", "-R", "golden"], " -R golden"),
    ]:
        calls, said = machine.study(*arguments)
        assert calls[-1] == ctest + options
        assert ("Without the tests labelled slow" in said) == ("-LE slow" in options)


def test_the_check_of_every_change_leaves_out_only_what_is_for_releases() -> None:
    assert (ROOT / ".ci" / "run").read_text().splitlines()[-1] == "exec ./study test --all -- -LE release"


def test_the_workflow_of_github_runs_the_two_commands_of_the_readme() -> None:
    jobs = yaml.safe_load((ROOT / ".github" / "workflows" / "test.yaml").read_text())["jobs"]
    steps = [step["run"] for job in jobs.values() for step in job["steps"] if "run" in step]
    assert steps == ["./study test --all", "./study run"]
    readme = (ROOT / "README.md").read_text()
    assert all(step.removesuffix(" --all") in readme for step in steps)


def test_slow_tests_keep_the_label_of_their_room_and_leave_some_of_every_label() -> None:
    shown = subprocess.run(["ctest", "--test-dir", BUILD, "-N", "--show-only=json-v1"], capture_output=True, check=True)
    properties = [test.get("properties", []) for test in json.loads(shown.stdout)["tests"]]
    labels = [set(entry["value"]) for entries in properties for entry in entries if entry["name"] == "LABELS"]
    slow, fast = ([found for found in labels if ("slow" in found) == wanted] for wanted in (True, False))
    assert slow and all(len(found) >= 2 for found in slow)
    assert not any("release" in found for found in fast)
    assert set().union(*slow) - {"slow", "release"} <= set().union(*fast), "./study test looks into every directory"
    assert not any("golden" in found for found in slow)
