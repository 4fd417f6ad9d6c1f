"""A short campaign of faults; tests/faults/run --kills 200 is the long one."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ.get("PSFLIP_BUILD", ROOT / "build")) / "bin" / "psflip"


@pytest.mark.slow
def test_killed_jobs_damaged_checkpoints_and_full_disks_lose_and_change_no_result(tmp_path: Path) -> None:
    if not PROGRAM.exists():
        pytest.skip("psflip is not built")
    command = [sys.executable, str(ROOT / "tests" / "faults" / "campaign.py"), "--program", str(PROGRAM)]
    command += ["--kills", "9", "--output", str(tmp_path / "faults.json")]
    result = subprocess.run(command, capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    summary = json.loads((tmp_path / "faults.json").read_text())
    assert summary["kills"] == 9 and summary["wrong or lost results"] == 0
    events = summary["events"]
    assert events["truncated checkpoint"] == events["flipped checkpoint"] == events["both checkpoints damaged"] == 3
    assert events["file size limit"] == 3 and events["finished jobs"] >= 2


def test_a_wrong_result_ends_the_campaign_with_an_error(tmp_path: Path) -> None:
    """A stand-in for an engine whose results change after the three undisturbed runs."""
    if not PROGRAM.exists():
        pytest.skip("psflip is not built")
    fake = tmp_path / "psflip"
    fake.write_text(f"""#!/bin/sh
echo >> {tmp_path}/calls
if [ "$(wc -l < {tmp_path}/calls)" -gt 3 ]; then set -- $(echo "$@" | sed "s/--seed 7/--seed 8/"); fi
exec {PROGRAM} "$@"
""")
    fake.chmod(0o755)
    command = [sys.executable, str(ROOT / "tests" / "faults" / "campaign.py"), "--program", str(fake)]
    result = subprocess.run([*command, "--kills", "1", "--rounds", "0"], capture_output=True, text=True, check=False)
    assert result.returncode == 1, result.stdout + result.stderr
    assert "FAULT: ea3d.h5 differs in" in result.stdout
