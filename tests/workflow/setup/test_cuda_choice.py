"""cmake/cuda.cmake: nvcc runs only where a GPU is found, or where it is requested."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from conftest import ROOT

PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(choice LANGUAGES NONE)
include({ROOT}/cmake/cuda.cmake)
message(STATUS "with CUDA: ${{PSFLIP_WITH_CUDA}}, ${{CMAKE_CUDA_ARCHITECTURES}}")
"""


def program(folder: Path, name: str, text: str) -> Path:
    """A program that notes its call in folder/calls and then does as `text` says."""
    path = folder / name
    path.write_text(f'#!/bin/sh\necho "{name} $*" >>{folder}/calls\n{text}\n')
    path.chmod(0o755)
    return path


def configure(folder: Path, gpu: bool, nvcc: Path, *options: str) -> subprocess.CompletedProcess[str]:
    """Configures a project that only makes this choice."""
    program(folder, "nvidia-smi", f"exit {0 if gpu else 9}")
    (folder / "CMakeLists.txt").write_text(PROJECT)
    environment = os.environ | {"PATH": f"{folder}:{os.environ['PATH']}", "CUDACXX": str(nvcc)}
    command = ["cmake", "-G", "Ninja", "-S", str(folder), "-B", str(folder / "build"), *options]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def require_no_gpu() -> None:
    if any(Path("/dev").glob("nvidia[0-9]*")):
        pytest.skip("this machine has a GPU")


def test_where_no_gpu_is_found_nvcc_is_not_called(tmp_path: Path) -> None:
    require_no_gpu()
    done = configure(tmp_path, False, program(tmp_path, "nvcc", "exit 1"))
    assert done.returncode == 0, done.stderr
    assert "CUDA backend: not built, no GPU is found; -DPSFLIP_CUDA=ON builds it" in done.stdout
    assert "with CUDA: OFF" in done.stdout
    assert "nvcc" not in (tmp_path / "calls").read_text()


def test_a_gpu_without_a_cuda_compiler_is_named_and_a_compiler_is_found_later(tmp_path: Path) -> None:
    done = configure(tmp_path, True, tmp_path / "absent")
    assert done.returncode == 0, done.stderr
    assert "a GPU is found but no CUDA compiler; put nvcc on the PATH" in done.stdout
    called = configure(tmp_path, True, program(tmp_path, "nvcc", "exit 1"))
    assert called.returncode == 0, called.stderr
    assert "nvcc" in (tmp_path / "calls").read_text(), "the search begins anew"


def test_cuda_that_is_asked_for_and_cannot_be_compiled_is_an_error(tmp_path: Path) -> None:
    done = configure(tmp_path, False, tmp_path / "absent", "-DPSFLIP_CUDA=ON")
    assert done.returncode != 0
    assert "PSFLIP_CUDA is ON but no CUDA compiler was found; put nvcc on the PATH" in " ".join(done.stderr.split())


def test_cuda_that_is_not_wanted_is_not_searched_for(tmp_path: Path) -> None:
    done = configure(tmp_path, True, program(tmp_path, "nvcc", "exit 1"), "-DPSFLIP_CUDA=OFF")
    assert "CUDA backend: not built, PSFLIP_CUDA is OFF" in done.stdout
    assert "nvcc" not in (tmp_path / "calls").read_text()


@pytest.mark.slow
def test_a_build_that_was_configured_without_cuda_gets_it_when_asked(tmp_path: Path) -> None:
    require_no_gpu()
    found = shutil.which("nvcc") or shutil.which("nvcc", path="/usr/local/cuda/bin")
    if found is None:
        pytest.skip("nvcc is not on the PATH")
    assert "with CUDA: OFF" in configure(tmp_path, False, Path(found)).stdout
    done = configure(tmp_path, False, Path(found), "-DPSFLIP_CUDA=ON", "-DCMAKE_CUDA_ARCHITECTURES=90")
    assert "CUDA backend: built for 90" in done.stdout, done.stderr
    again = configure(tmp_path, False, Path(found))
    assert "with CUDA: ON, 90" in again.stdout, "a build that has CUDA keeps it"
