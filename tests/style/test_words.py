"""Words: no private name in identifiers of the engine and the analysis, no list of models outside the registry."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CPP = {".hpp", ".cpp", ".ipp", ".cu", ".cuh", ".def", ".in"}

# Words of the first edition and the terms of the field that took their place.
REPLACED = {
    "card_?link": "peer link",
    "mailbox": "IPC buffer",
    "march": "z-sweep",
    "resident_(kernel|shape|sweep)": "persistent",
    "strip": "temporal blocking",
    "letter": "halo packet",
    "patience": "poll backoff",
    "journeys?": "flow label",
    "tempering_(engine|job|recorder|simulation|part|tables)": "the one Engine, Job, Recorder or Simulation",
    "domain_engine": "part engine",
    "turns?": "GPU lock",
}


def sources(*rooms: str) -> list[Path]:
    return [path for room in rooms for path in sorted((ROOT / room).rglob("*")) if path.suffix in CPP]


def identifiers(text: str) -> set[str]:
    """Words of the code without comments and texts, CamelCase taken apart."""
    code = re.sub(r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\])*\"", " ", text, flags=re.DOTALL)
    return {re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", word).lower() for word in re.findall(r"[A-Za-z_]\w*", code)}


def replaced_words(text: str) -> list[str]:
    pattern = re.compile("(?:^|_)(" + "|".join(REPLACED) + ")(?:_|$)")
    return sorted(word for word in identifiers(text) if pattern.search(word))


def test_a_replaced_word_is_found_in_code_only() -> None:
    assert replaced_words("class Journey {}; // no turn here\nint spins = 1;") == ["journey"]
    assert replaced_words('auto x = turn(); f("march"); int returned, stripped;') == ["turn"]


def test_identifiers_use_the_terms_of_the_field() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}: {', '.join(words)}"
        for path in sources("engine", "analysis")
        if (words := replaced_words(path.read_text()))
    ]
    assert not wrong, "\n".join(wrong)


def presets() -> list[str]:
    return re.findall(r"^PSFLIP_PRESET\((\w+),", (ROOT / "engine/models/presets.def").read_text(), re.MULTILINE)


def test_no_file_of_engine_and_analysis_lists_the_models() -> None:
    """The registry is the only list. Benchmarks name the models whose speed is published."""
    wrong = []
    for path in [*sources("engine", "analysis"), *(ROOT / "engine").rglob("CMakeLists.txt"), ROOT / "CMakeLists.txt"]:
        if path.name in ("presets.def", "bench_jobs.cpp"):
            continue
        code = re.sub(r"//[^\n]*", "", path.read_text())
        named = [name for name in presets() if re.search(rf"\b{name}\b", code)]
        if len(named) > 1:
            wrong.append(f"{path.relative_to(ROOT)}: {', '.join(named)}")
    assert not wrong, "\n".join(wrong)
