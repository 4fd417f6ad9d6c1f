"""Reads the help texts of the programs, which CLI11 prints."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Option:
    """An option with its value, such as `INT=4` or `TEXT REQUIRED`, and its meaning."""

    name: str
    value: str
    meaning: str


def options_in(text: str) -> Iterator[tuple[str, Option]]:
    """The options of a help text, each with the name of its group; without --help."""
    group = ""
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if heading := re.fullmatch(r"([A-Z]\w*):", line.strip()):
            group = heading[1]
        elif match := re.match(r"  (-\S+) ?(.*?)(?:  +(\S.*))?$", line):
            words = [match[3] or ""]
            # A meaning continues in lines that begin in its column.
            for following in lines[i + 1 :]:
                if not re.match(r" {10}", following):
                    break
                words.append(following.strip())
            value, meaning = match[2], " ".join(word for word in words if word)
            # An option as long as its column has one space before its meaning.
            if not meaning and (split := re.match(r"((?:[A-Z]+\S*|\[\S+\])(?: REQUIRED)?) (.*)", value)):
                value, meaning = split[1], split[2]
            if not re.match("-h|--help", match[1]):
                yield group, Option(match[1], value, meaning)


def subcommands_in(text: str) -> list[str]:
    """The names under `Subcommands:`."""
    _, _, after = text.partition("Subcommands:\n")
    return re.findall(r"(?m)^  ([a-z]\S*) ", after)
