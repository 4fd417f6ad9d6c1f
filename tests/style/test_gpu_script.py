"""tests/gpu/run, which this machine may not be able to run: with stand-ins for the tools that it calls."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[1] / "gpu" / "run"


def stand_in(folder: Path, name: str, text: str = "") -> None:
    """A tool that notes its command line and does as `text` says."""
    tool = folder / name
    tool.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>{folder}/calls\n{text}\n')
    tool.chmod(0o755)


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{folder}:/usr/bin:/bin", "PSFLIP_GIT_COMMIT": "0123abc"}
    return subprocess.run([SCRIPT, *arguments], env=environment, capture_output=True, text=True, check=False)


LISTED = "exec printf '  a_test\\n  b_test\\n  c_test\\n'"


def machine_with_a_gpu(
    folder: Path, tests: str = "", cuda: str = "yes, a GPU", sanitizer: str = "", listed: str = LISTED
) -> Path:
    for name in ("nvcc", "cmake"):
        stand_in(folder, name)
    stand_in(folder, "nvidia-smi", "[[ $* != --query-gpu=index* ]] || printf '0\\n1\\n'")
    stand_in(folder, "compute-sanitizer", sanitizer)
    stand_in(folder, "ctest", tests)
    programs = f"mkdir -p {folder}/build/bin {folder}/build/tests; cp {folder}/psflip {folder}/build/bin/psflip"
    write = "while [[ $1 != --output ]]; do shift; done; echo '[]' >$2"
    lists = f"if [[ $* == *--gtest_list_tests ]]; then {listed}; exit; fi"  # a copy of it also stands in for a test
    stand_in(folder, "psflip", f"{lists}\n[[ $1 == bench ]] || exec echo 'CUDA: {cuda}'\n{write}")
    stand_in(folder, "ninja", f"{programs}; cp {folder}/psflip {folder}/build/tests/test_cuda_equality")
    stand_in(folder, "python3", "exit 1")  # no matplotlib
    return folder


def test_the_gpu_script_refuses_a_machine_without_a_gpu(tmp_path: Path) -> None:
    stand_in(tmp_path, "nvidia-smi", "echo 'No devices were found'; exit 6")
    result = run(tmp_path, str(tmp_path / "output"))
    assert result.returncode == 2 and "no GPU is found" in result.stderr and result.stderr.count("\n") == 1
    assert not (tmp_path / "output").exists()


def test_the_gpu_script_refuses_what_it_does_not_know(tmp_path: Path) -> None:
    for arguments, sentence in [
        (["out", "--fast"], "no option '--fast'"),
        ([], "no output folder"),
        (["out", "out2"], "two output folders"),
        (["out", "--filter"], "--filter needs a value"),
        (["out", "--tests-only", "--bench-only"], "nothing to do"),
    ]:
        result = run(tmp_path, *arguments)
        assert result.returncode == 2 and sentence in result.stderr and result.stderr.count("\n") == 1, result.stderr


def test_the_gpu_script_does_not_take_skipped_tests_for_passed_ones(tmp_path: Path) -> None:
    machine_with_a_gpu(tmp_path, cuda="built, but no GPU is found")
    result = run(tmp_path, str(tmp_path / "output"), "--build", str(tmp_path / "build"), "--tests-only")
    assert result.returncode == 2 and "a GPU that CUDA does not find" in result.stderr


def test_one_call_of_the_gpu_script_builds_tests_and_measures(tmp_path: Path) -> None:
    machine_with_a_gpu(tmp_path)
    output, build = tmp_path / "output", tmp_path / "build"
    options = ["--build", str(build), "--sanitize", "--filter", "ea3d-shared-L16", "--runs", "5"]
    result = run(tmp_path, str(output), *options)
    assert result.returncode == 0, result.stdout + result.stderr
    calls = (tmp_path / "calls").read_text()
    for expected in [
        "-DPSFLIP_CUDA=ON -DPSFLIP_ANALYSIS=OFF -DPSFLIP_GIT_COMMIT=0123abc",
        f"ninja -C {build} psflip psflip_cuda_tests",
        f"ctest --test-dir {build} -L cuda",
        "compute-sanitizer --tool memcheck --error-exitcode 1",
        "compute-sanitizer --tool racecheck --error-exitcode 1",
        f"psflip bench --backend cuda --runs 5 --filter ea3d-shared-L16 --output {output}/benchmark.json",
    ]:
        assert expected in calls, calls
    assert (output / "benchmark.json").exists() and "No figures" in (output / "figures.log").read_text()


def test_compute_sanitizer_runs_in_processes_on_all_gpus(tmp_path: Path) -> None:
    says = "echo GPU $CUDA_VISIBLE_DEVICES, process $GTEST_SHARD_INDEX of $GTEST_TOTAL_SHARDS, $2"
    machine_with_a_gpu(tmp_path, sanitizer=f"{says}; [[ $2$GTEST_SHARD_INDEX != racecheck1 ]]")
    output = tmp_path / "output"
    options = ["--build", str(tmp_path / "build"), "--tests-only", "--sanitize"]
    result = run(tmp_path, str(output), *options)
    assert result.returncode == 1 and "failed: racecheck; " in result.stderr
    processes = [f"GPU {gpu}, process {process} of 3, " for gpu, process in ((0, 0), (1, 1), (0, 2))]
    for tool in ("memcheck", "racecheck"):
        assert (output / f"{tool}.log").read_text().splitlines() == [process + tool for process in processes]
    assert {path.name for path in output.iterdir()} == {
        "card.txt",
        "build.log",
        "tests.log",
        "memcheck.log",
        "racecheck.log",
    }


def test_compute_sanitizer_without_tests_fails(tmp_path: Path) -> None:
    for listed in ("echo no test", "exit 3"):
        machine_with_a_gpu(tmp_path, listed=listed)
        output = tmp_path / "output"
        result = run(tmp_path, str(output), "--build", str(tmp_path / "build"), "--tests-only", "--sanitize")
        assert result.returncode == 1 and "failed: memcheck racecheck; " in result.stderr, result.stderr


def test_the_gpu_script_measures_also_when_a_test_fails_and_says_so(tmp_path: Path) -> None:
    machine_with_a_gpu(tmp_path, tests="exit 8")
    output = tmp_path / "output"
    result = run(tmp_path, str(output), "--build", str(tmp_path / "build"))
    assert result.returncode == 1 and "failed: tests" in result.stderr
    assert (output / "benchmark.json").exists()


def test_the_gpu_script_does_only_the_part_that_is_asked_for(tmp_path: Path) -> None:
    machine_with_a_gpu(tmp_path)
    for option, absent in (("--tests-only", "psflip bench"), ("--bench-only", "ctest")):
        (tmp_path / "calls").unlink(missing_ok=True)
        result = run(tmp_path, str(tmp_path / "output"), "--build", str(tmp_path / "build"), option)
        assert result.returncode == 0, result.stderr
        assert absent not in (tmp_path / "calls").read_text()
