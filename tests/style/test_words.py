"""Words: no private name in identifiers, no replaced word in texts, no list of models outside the registry."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

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

# Words that texts (pages, comments, docstrings, messages) do not use, and the words to write instead. Not listed, since
# they have an ordinary or a technical meaning too: letter (of a name), fold (k-fold), walk (random walk), event (CUDA),
# resident (co-resident thread blocks), streaming, stack, band (of a figure), room, place, piece, history (git), trial
# (--trials), verdict (column), clock (--clock; of a processor), reading, floor (function), sheet (data sheet), rival
# (key of speed.yaml), whole, what, see.
TEXT = {
    r"[Cc]ard[ _-]?links?": "peer link",
    r"[Mm]ailbox(es)?": "IPC buffer",
    r"marche[sd]|marching|[Mm]arch(?![ ]\d)": "z-sweep",  # not the month; -march is an option of compilers
    r"[Ss]trips?": "temporal blocking, row block",
    r"[Pp]atience": "poll backoff",
    r"[Oo]ffices?": "halo buffer",
    r"[Dd]oors?": "interface",
    r"[Jj]ourneys?": "replica-flow label",
    r"[Cc]ards?(?![.](txt|json))": "GPU",  # tests/gpu/run writes card.txt
    r"[Cc]eilings?": "peak rate",
    r"[Ss]ectors?": "magnetization state",
    r"[Ll]onger runs": "extended runs",
    r"[Kk]ept half": "second half of the run",
    r"[Tt]ravel(s|led|ling)?": "is sent, diffuses",
    r"[Uu]rgent": "high-priority",
    r"[Ss]tuck": "trapped",
    r"[Bb]eside": "next to, compared with",
    r"[Bb]ut for": "except",
    r"[Ii]n (the )?place of": "instead of",
    r"[Gg]o(es|ing)? on": "continue",
    r"[Aa]sk(s|ed|ing)? for": "request, require",
    r"[Ww]hoever|[Nn]obody|[Aa]nybody": "the actor: user, process, thread",
}
TEXTS = CPP | {".md", ".txt", ".py", ".smk", ".yaml", ".j2", ".cmake", ".sh", ".toml", ""}


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


def replaced_words_of_texts(text: str) -> list[str]:
    """Names with an underscore, members and options (x.strip, -march) are no words of texts."""
    pattern = re.compile(r"(?<![\w.-])(" + "|".join(TEXT) + r")(?!\w)")
    return [match[0] for match in pattern.finditer(re.sub(r"\n *(//[/!]?|#) ?|\s+", " ", text))]


@pytest.mark.parametrize(
    "text", ["a card", "Cards share it", "it goes\n/// on", "two\n  # longer runs", "the last but for one", "a strip"]
)
def test_a_replaced_word_is_found_in_texts(text: str) -> None:
    assert len(replaced_words_of_texts(text)) == 1


@pytest.mark.parametrize(
    "text", ["-march=native", "line.strip()", "wildcards", "March 3", "h200_two_cards.log", "ago on"]
)
def test_names_and_options_are_no_words_of_texts(text: str) -> None:
    assert not replaced_words_of_texts(text)


def test_texts_use_the_terms_of_the_field() -> None:
    """Results and the releases of the change log stay as they were written."""
    command = ["git", "-c", "safe.directory=*", "ls-files"]  # the owner of a checkout and its user may differ
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.splitlines()
    paths = [
        Path(name) for name in names if not name.startswith(("results/", "CHANGELOG.md", "tests/style/test_words.py"))
    ]
    texts = [path for path in paths if path.suffix in TEXTS and (ROOT / path).is_file()]
    wrong = [
        f"{path}: {', '.join(words)}"
        for path in texts
        if (words := replaced_words_of_texts((ROOT / path).read_text(errors="replace")))
    ]
    assert len(texts) > 500 and not wrong, "\n".join(wrong)


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
