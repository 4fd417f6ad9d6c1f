"""The golden trajectories come out of every supported compiler and of the oldest instruction set."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from conftest import BUILD, ROOT


def golden_test_passes(name: str, *options: str) -> None:
    """Builds the golden test in a build directory of its own, which later calls bring up to date, and runs it."""
    folder = BUILD / "tests" / "compilers" / name
    fixed = ["-DCMAKE_BUILD_TYPE=Release", "-DPSFLIP_CUDA=OFF", "-DPSFLIP_MPI=OFF", "-DPSFLIP_ANALYSIS=OFF"]
    configure = ["cmake", "-G", "Ninja", "-S", str(ROOT), "-B", str(folder), *fixed, *options]
    configured = subprocess.run(configure, capture_output=True, text=True, check=False)
    if "cannot compile OpenMP" in configured.stderr:
        pytest.skip(f"{name} has no OpenMP here (Debian: libomp-dev)")
    assert configured.returncode == 0, configured.stderr
    built = subprocess.run(["ninja", "-C", str(folder), "test_golden"], capture_output=True, text=True, check=False)
    assert built.returncode == 0, built.stdout[-4000:]
    assert "warning:" not in built.stdout
    done = subprocess.run([folder / "tests" / "test_golden"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "Golden.the_cpu_engine_repeats_the_stored_trajectories" in done.stdout


@pytest.mark.release
def test_the_golden_trajectories_come_out_of_clang() -> None:
    if shutil.which("clang++") is None:
        pytest.skip("clang++ is not on the PATH")
    golden_test_passes("clang++", "-DCMAKE_C_COMPILER=clang", "-DCMAKE_CXX_COMPILER=clang++", "-DPSFLIP_ARCH=native")


@pytest.mark.release
def test_the_golden_trajectories_come_out_of_gcc_for_any_x86_64() -> None:
    if shutil.which("g++") is None:
        pytest.skip("g++ is not on the PATH")
    golden_test_passes("g++-x86-64", "-DCMAKE_C_COMPILER=gcc", "-DCMAKE_CXX_COMPILER=g++", "-DPSFLIP_ARCH=x86-64")
