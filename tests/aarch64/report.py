"""Counts the tests of tests/aarch64/run and compares small jobs with those of the x86 program. Writes aarch64.json.

python tests/aarch64/report.py OUTPUT X86_PSFLIP TEST...
"""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "equality"))

from same_datasets import JOBS, content


def first_line(*command: str) -> str:
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()[0]


def tests_of(file: Path) -> dict[str, Any]:
    """Numbers of tests of one program. A program that crashed has written no file."""
    if not file.is_file():
        return {"passed": 0, "failed": ["the program ended before its last test"], "skipped": 0}
    found = [test | {"name": f"{suite['name']}.{test['name']}"} for suite in json.loads(file.read_text())["testsuites"]
             for test in suite["testsuite"]]  # fmt: skip
    ran = [test for test in found if test["status"] == "RUN"]
    skipped = [test for test in ran if test["result"] == "SKIPPED"]
    failed = [test["name"] for test in ran if "failures" in test]
    return {"passed": len(ran) - len(failed) - len(skipped), "failed": failed, "skipped": len(skipped)}


def digest_of(program: str, job: str, file: Path) -> str:
    """Of all axes, datasets and attributes that do not tell when, where and by which program."""
    found = content(program, job, file)
    file.unlink()
    return hashlib.sha256(repr(sorted(found.items())).encode()).hexdigest()


def compared(job: str, x86: str, aarch64: str, file: Path) -> dict[str, Any]:
    digests = {"x86": digest_of(x86, job, file), "aarch64": digest_of(aarch64, job, file)}
    equal = digests["x86"] == digests["aarch64"]
    print(f"{'equal' if equal else 'DIFFERENT'}: psflip {job}", flush=True)
    sha256 = digests["x86"] if equal else digests
    return {"job": job, "equal": equal, "sha256": sha256}


def main() -> int:
    output, x86, names = Path(sys.argv[1]), sys.argv[2], sys.argv[3:]
    aarch64 = str(output / "psflip")
    tests = {name: tests_of(output / "tests" / f"{name}.json") for name in names}
    # The x86 program takes its widest words, unless the job names 64 bits.
    jobs = [job for job in JOBS if "--word-bits 256" not in job and "--word-bits 512" not in job]
    report = {
        "compiler": first_line("aarch64-linux-gnu-g++", "--version"),
        "emulator": first_line("qemu-aarch64", "--version"),
        "psflip": {
            name: subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.splitlines()
            for name, program in (("aarch64", aarch64), ("x86", x86))
        },
        "tests": tests,
        "jobs": [compared(job, x86, aarch64, output / "job.h5") for job in jobs],
    }
    (output / "aarch64.json").write_text(json.dumps(report, indent=1) + "\n")
    good = all(t["passed"] and not t["failed"] for t in tests.values()) and all(job["equal"] for job in report["jobs"])
    passed, equal = sum(t["passed"] for t in tests.values()), sum(job["equal"] for job in report["jobs"])
    print(f"{passed} tests passed; {equal} of {len(jobs)} jobs give equal datasets: {output / 'aarch64.json'}")
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
