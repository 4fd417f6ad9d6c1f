"""Job files in all the ways to write and to damage them; `python tests/faults/fuzz_jobs.py 20000` is the long run."""

from __future__ import annotations

import subprocess
import sys

import pytest

import fuzz_jobs


def fuzz(*arguments: str) -> None:
    if not fuzz_jobs.PROGRAM.exists():
        pytest.skip("psflip is not built")
    command = [sys.executable, fuzz_jobs.__file__, *arguments]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr


def test_job_files_give_the_job_that_they_state_or_one_sentence() -> None:
    fuzz("150")


@pytest.mark.slow
def test_job_files_give_the_job_that_they_state_or_one_sentence_for_half_a_minute() -> None:
    fuzz("1000000", "--seconds", "30", "--seed", "2")


def test_a_job_that_differs_from_its_file_is_found() -> None:
    data = b'[ea3d.relaxation]\nL = 4\nT = [1.1, 1.5]\nsamples = "0:8"\nseed = 3\nsave-disorder = true\n'
    options = fuzz_jobs.stated(data, "ea3d", "relaxation")
    assert options is not None and fuzz_jobs.is_short(options)
    job = {"L": 4, "beta": [1 / 1.1, 1 / 1.5], "samples": "0:8", "seed": 3}
    assert fuzz_jobs.difference(options, job) == ""
    assert "seed = 3 is 4" in fuzz_jobs.difference(options, job | {"seed": 4})
    assert "beta" in fuzz_jobs.difference(options, job | {"beta": [1 / 1.1]})
    del job["L"]
    assert "L = 4 is not in the job" in fuzz_jobs.difference(options, job)
    assert fuzz_jobs.stated(data + b"L = 6\n", "ea3d", "relaxation") is None
