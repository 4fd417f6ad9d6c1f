"""A copy of ./study in a folder with stand-ins for the programs that it calls."""

from __future__ import annotations

import hashlib
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

from conftest import ROOT

TOOLS = ("bash", "cut", "dirname", "find", "mkdir", "nproc", "readlink", "rm", "sed", "sha256sum", "touch")
# Keeps the variables of -D in the cache, as CMake does, the last value of a name.
CMAKE = r"""mkdir -p build && touch build/build.ninja build/CMakeCache.txt
for option in "$@"; do
  [[ $option == -D* ]] || continue
  name=${option#-D} name=${name%%=*}
  sed -i "/^$name:/d" build/CMakeCache.txt
  printf '%s:STRING=%s\n' "$name" "${option#*=}" >>build/CMakeCache.txt
done
grep -q '^PSFLIP_CUDA:' build/CMakeCache.txt || echo PSFLIP_CUDA:STRING=AUTO >>build/CMakeCache.txt
with=OFF; grep -q '^PSFLIP_CUDA:STRING=ON' build/CMakeCache.txt && with=ON
sed -i /^PSFLIP_WITH_CUDA:/d build/CMakeCache.txt; echo PSFLIP_WITH_CUDA:INTERNAL=$with >>build/CMakeCache.txt"""


@dataclass
class Machine:
    """A copy of ./study in a folder of its own, with nothing on the PATH but what a test puts there."""

    folder: Path

    @property
    def calls(self) -> Path:
        return self.folder / "calls"

    def stand_in(self, name: str, text: str = "") -> None:
        tool = self.folder / "bin" / name
        tool.write_text(f'#!/usr/bin/env bash\necho "{name} $*" >>{self.calls}\n{text}\n')
        tool.chmod(0o755)

    def ends(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """./study to its end, whatever its exit code."""
        self.calls.unlink(missing_ok=True)
        environment = {"PATH": str(self.folder / "bin"), "CUDA_HOME": str(self.folder / "no-cuda")}
        command = [self.folder / "study", *arguments]
        return subprocess.run(command, env=environment, cwd=self.folder, capture_output=True, text=True, check=False)

    def study(self, *arguments: str) -> tuple[list[str], str]:
        """The calls of cmake, ninja and ctest in their order, and what the user reads."""
        done = self.ends(*arguments)
        assert done.returncode == 0, done.stdout + done.stderr
        lines = self.calls.read_text().splitlines()
        return [line for line in lines if not line.startswith("nvidia-smi")], done.stderr

    def configured_by(self, *arguments: str) -> list[str]:
        return [call for call in self.study(*arguments)[0] if call.startswith("cmake")]


def stamp(path: Path, source: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    content = (ROOT / "workflows" / "environment" / source).read_bytes()
    path.write_text(hashlib.sha256(content).hexdigest() + "\n")


def make_machine(tmp_path: Path) -> Machine:
    """Without a GPU and without nvcc."""
    shutil.copy2(ROOT / "study", tmp_path / "study")
    shutil.copytree(ROOT / "workflows" / "environment", tmp_path / "workflows" / "environment")
    for folder in ("bin", "cmake", "engine", "analysis", "tests"):
        (tmp_path / folder).mkdir()
    for file in ("CMakeLists.txt", "CMakePresets.json"):
        (tmp_path / file).touch()
    stamp(tmp_path / "build" / ".packages", "packages.txt")
    stamp(tmp_path / "build" / ".packages-all-tests", "packages-all-tests.txt")
    stamp(tmp_path / "build" / ".packages-browser", "packages-browser.txt")
    stamp(tmp_path / "build" / "browser" / ".stamp", "browser.txt")
    stamp(tmp_path / ".venv" / ".stamp", "requirements.lock")
    for name in (*TOOLS, "env", "grep"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    made = Machine(tmp_path)
    made.stand_in("cmake", CMAKE)
    made.stand_in("ninja")
    made.stand_in("ctest")
    return made
