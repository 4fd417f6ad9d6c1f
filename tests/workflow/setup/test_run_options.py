"""The options of ./study run, with stand-ins for Snakemake and for the check of a study file."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from stand_ins import Machine, make_machine

# Checks a study: a.yaml, b.yaml and c.yaml are good, bad.yaml is not, seeds.yaml is of the laboratory.
PYTHON = """case "$*" in
  "-m workflows.status.run "*) shift 4; exec "$@" ;;
  "-m workflows.forecast c.yaml"*) [[ ! -f refuse-c ]] || { echo "c.yaml: too large" >&2; exit 2; } ;;
  "-m workflows.study "*bad.yaml*) echo "bad.yaml: a mistake" >&2; exit 2 ;;
  "-m workflows.study "*seeds.yaml" --programs") echo psflip-lab ;;
  "-m workflows.study "*" --programs") echo ;;
  "-m workflows.study "*) echo "results/$(basename "${3%.yaml}")" ;;
esac"""
# Fails for b.yaml.
SNAKEMAKE = '[[ "$*" != *b.yaml* ]]'


@pytest.fixture
def machine(tmp_path: Path) -> Machine:
    if any(Path("/dev").glob("nvidia[0-9]*")):
        pytest.skip("this machine has a GPU")
    made = make_machine(tmp_path)
    for name in ("basename", "cat", "head", "realpath", "sort", "tail", "uname"):
        (tmp_path / "bin" / name).symlink_to(shutil.which(name))
    for name in ("local", "slurm", "gpu"):
        folder = tmp_path / "workflows" / "profiles" / name
        folder.mkdir(parents=True)
        (folder / "config.yaml").write_text("executor: slurm\n" if name == "slurm" else "quiet: [host]\n")
    made.stand_in("python", PYTHON)
    made.stand_in("snakemake", SNAKEMAKE)
    for name in ("a", "b", "c", "bad", "seeds"):
        (tmp_path / f"{name}.yaml").touch()
    return made


def snakemake_calls(machine: Machine) -> list[str]:
    calls = machine.calls.read_text().splitlines() if machine.calls.exists() else []
    return [call.removeprefix("snakemake --configfile ") for call in calls if call.startswith("snakemake")]


def test_every_file_is_run_and_the_failure_of_one_does_not_prevent_the_next(machine: Machine) -> None:
    done = machine.ends("run", "a.yaml", "b.yaml", "c.yaml")
    assert done.returncode == 1
    assert [call.split()[0] for call in snakemake_calls(machine)] == ["a.yaml", "b.yaml", "c.yaml"]
    assert "study: b.yaml did not finish" in done.stderr
    assert machine.ends("run", "a.yaml", "c.yaml").returncode == 0


def test_a_mistake_in_one_file_is_told_first_and_the_others_run(machine: Machine) -> None:
    done = machine.ends("run", "a.yaml", "bad.yaml")
    assert done.returncode == 2
    assert [call.split()[0] for call in snakemake_calls(machine)] == ["a.yaml"]
    assert done.stderr.startswith("bad.yaml: a mistake\n")
    assert machine.ends("run", "bad.yaml").returncode == 2
    assert snakemake_calls(machine) == []


def test_a_study_that_cannot_run_is_told_before_the_first_one_runs(machine: Machine) -> None:
    (machine.folder / "refuse-c").touch()
    done = machine.ends("run", "a.yaml", "c.yaml", "--cores", "3")
    assert done.returncode == 2
    calls = [
        call for call in machine.calls.read_text().splitlines() if "forecast" in call or call.startswith("snakemake")
    ]
    checks = "--check --cores 3 --profile workflows/profiles/local"
    assert calls[:2] == [f"python -m workflows.forecast {name}.yaml {checks}" for name in "ac"]
    assert [call.split()[2] for call in calls[2:]] == ["a.yaml"]
    assert machine.ends("run", "c.yaml", "-n").returncode == 2
    assert snakemake_calls(machine) == []


def test_the_laboratory_is_built_for_its_studies_only(machine: Machine) -> None:
    def builds(*files: str) -> list[str]:
        assert machine.ends("run", *files).returncode == 0
        return [call for call in machine.calls.read_text().splitlines() if call.startswith("ninja")]

    assert builds("a.yaml", "c.yaml") == ["ninja -C build psflip psflip-analysis"]
    assert builds("seeds.yaml")[0].split()[-3:] == ["psflip", "psflip-analysis", "psflip-lab"]
    assert builds("a.yaml", "seeds.yaml")[0].split()[-1] == "psflip-lab"


def test_a_study_needs_the_widest_words_only_and_tests_and_the_laboratory_need_all(machine: Machine) -> None:
    def configured_by(*arguments: str) -> list[str]:
        assert machine.ends(*arguments).returncode == 0
        return [call for call in machine.calls.read_text().splitlines() if call.startswith("cmake")]

    machine.stand_in("ctest")
    build = machine.folder / "build"
    for command in (["test"], ["run", "seeds.yaml"]):
        for file in ("build.ninja", "CMakeCache.txt"):
            (build / file).unlink(missing_ok=True)
        assert configured_by("run", "a.yaml") == ["cmake --preset default -DPSFLIP_WORDS=widest"]
        assert configured_by("exec", "nproc") == []
        assert configured_by(*command) == ["cmake -S . -B build -DPSFLIP_WORDS=all"]
        assert configured_by("run", "a.yaml") == configured_by(*command) == []


def wait_for(call: str, machine: Machine) -> str:
    """Shell: fails unless the call is made within ten seconds."""
    return f'for _ in {{1..200}}; do grep -q "{call}" {machine.calls} && break; sleep 0.05; done; grep -q "{call}" {machine.calls}'


def without_python_tools(machine: Machine, pip: str) -> Machine:
    """As before the first call; `pip` is a line of shell that pip does."""
    for name in ("awk", "cp", "ls", "sleep"):
        (machine.folder / "bin" / name).symlink_to(shutil.which(name))
    (machine.folder / ".venv" / ".stamp").unlink()
    machine.stand_in("python", PYTHON.replace("esac", f'  "-m pip "*) {pip} ;;\nesac'))
    make = f'mkdir -p "$4/bin" && cp {machine.folder}/bin/python "$4/bin/python"'
    machine.stand_in("python3", f'[[ "$1 $2" != "-m venv" ]] || {{ {make}; }}')
    return machine


def test_on_a_first_call_pip_works_while_the_programs_compile(machine: Machine) -> None:
    without_python_tools(machine, wait_for("ninja -C build psflip psflip-analysis", machine))
    machine.stand_in("ninja", wait_for("python -m pip install", machine))
    done = machine.ends("run", "a.yaml")
    assert done.returncode == 0, done.stderr
    assert [call.split()[0] for call in snakemake_calls(machine)] == ["a.yaml"]
    machine.stand_in("ninja")
    assert machine.ends("run", "a.yaml").returncode == 0
    assert "-m pip" not in machine.calls.read_text()


def test_python_tools_that_cannot_be_installed_end_a_first_call(machine: Machine) -> None:
    done = without_python_tools(machine, "echo no network >&2; exit 1").ends("run", "a.yaml")
    assert done.returncode == 1
    assert "no network" in done.stderr
    assert done.stderr.splitlines()[-1] == "study: the Python tools could not be installed, see above"
    assert snakemake_calls(machine) == []


def test_a_first_call_tells_of_a_missing_file_before_it_compiles(machine: Machine) -> None:
    without_python_tools(machine, ":").ends("run", "a.yaml", "none.yaml")
    calls = machine.calls.read_text()
    assert calls.index("python -m pip") < calls.index("python -m workflows.study") < calls.index("ninja")


def test_numba_is_installed_once_and_for_the_laboratory_only(machine: Machine) -> None:
    def installs(file: str) -> list[str]:
        assert machine.ends("run", file).returncode == 0
        return [call for call in machine.calls.read_text().splitlines() if call.startswith("python -m pip")]

    assert installs("a.yaml") == []
    assert "--require-hashes" in installs("seeds.yaml")[0]
    assert installs("seeds.yaml") == []


def test_the_laboratory_runs_where_numba_cannot_be_installed(machine: Machine) -> None:
    machine.stand_in("python", PYTHON.replace("esac", '  "-m pip "*) exit 1 ;;\nesac'))
    done = machine.ends("run", "seeds.yaml")
    assert done.returncode == 0
    assert "Numba could not be installed" in done.stderr
    assert len(snakemake_calls(machine)) == 1


def test_a_plan_begins_with_the_forecast(machine: Machine) -> None:
    assert machine.ends("run", "a.yaml", "-n", "--cores", "3").returncode == 0
    programs = [call for call in machine.calls.read_text().splitlines() if "--check" not in call]
    forecast = programs.index("python -m workflows.forecast a.yaml --cores 3 --profile workflows/profiles/local")
    assert programs[forecast + 1].startswith("snakemake --configfile a.yaml")
    assert machine.ends("run", "a.yaml", "--", "-n").returncode == 0
    assert "forecast a.yaml --cores all --profile" not in machine.calls.read_text(), "the plan alone"


def test_options_and_files_come_in_any_order(machine: Machine) -> None:
    local, gpu = machine.folder / "workflows/profiles/local", machine.folder / "workflows/profiles/gpu"
    for arguments, call in [
        (["a.yaml"], "--profile workflows/profiles/local --cores all --nolock --quiet host"),
        (["a.yaml", "--cores", "3"], "--profile workflows/profiles/local --cores 3 --nolock --quiet host"),
        (["--cores=3", "a.yaml", "-n"], "--profile workflows/profiles/local --cores 3 --nolock -n"),
        (["-n", "--on", "gpu", "a.yaml"], f"--profile {gpu} --cores all --nolock -n"),
        (
            ["a.yaml", "--on=local", "--", "-k", "--cores", "1"],
            f"--profile {local} --cores all --nolock --quiet host -k --cores 1",
        ),
        (["a.yaml", "--on", "slurm"], f"--profile {machine.folder}/workflows/profiles/slurm --nolock --quiet host"),
    ]:
        done = machine.ends("run", *arguments)
        assert done.returncode == 0, done.stderr
        assert snakemake_calls(machine) == [f"a.yaml {call}"]


def test_only_runs_are_watched(machine: Machine) -> None:
    for arguments, watched in ((["a.yaml"], 1), (["a.yaml", "-n"], 0), (["a.yaml", "--", "--summary"], 0)):
        assert machine.ends("run", *arguments).returncode == 0
        assert machine.calls.read_text().count("python -m workflows.status.run a.yaml -- snakemake") == watched


def test_a_signal_ends_all_studies(machine: Machine) -> None:
    machine.stand_in("snakemake", "exit 130")
    done = machine.ends("run", "a.yaml", "c.yaml")
    assert done.returncode == 130 and len(snakemake_calls(machine)) == 1


def test_status_finds_the_file_from_the_folder_of_the_user_and_builds_nothing(machine: Machine) -> None:
    python = machine.folder / ".venv" / "bin" / "python"
    python.parent.mkdir(parents=True, exist_ok=True)
    (machine.folder / "bin" / "python").rename(python)
    assert machine.ends("status", "--json", "a.yaml").returncode == 0
    assert machine.calls.read_text() == "python -m workflows.status --json a.yaml\n"


def test_help_of_run_names_its_options_and_runs_nothing(machine: Machine) -> None:
    for option in ("--help", "-h"):
        done = machine.ends("run", "a.yaml", option)
        assert done.returncode == 0
        assert all(word in done.stdout for word in ("-n", "--cores N", "--on PROFILE", "FILE..."))
        assert not machine.calls.exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--core", "2"], "no option '--core'"),
        (["a.yaml", "-k"], "no option '-k'; its options are -n, --cores N, --on PROFILE and --help"),
        (["--cores"], "--cores '' is not a number of cores; give 1 or more, or all"),
        (["--cores", "0"], "--cores '0' is not a number"),
        (["--cores", "two", "a.yaml"], "--cores 'two' is not a number"),
        (["--on", "moon"], "--on 'moon': there is no such profile"),
        (["--on"], "--on '': there is no such profile"),
        (["--on", "slurm", "--cores", "2"], "--cores is for this machine"),
    ],
)
def test_a_wrong_option_is_refused_in_one_sentence(machine: Machine, arguments: list[str], words: str) -> None:
    done = machine.ends("run", *arguments)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and done.stderr.startswith("study: ") and words in done.stderr
    assert done.stdout == "" and not machine.calls.exists()
