#!/usr/bin/env python3
"""Man page and completions of bash and zsh for a program, written from what its --help says.

usage: install_texts.py PROGRAM SHARE
Writes files below the folder SHARE and prints their names. cmake/install_texts.cmake calls it.
"""

from __future__ import annotations

import re
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path


@dataclass
class Entry:
    """A line of --help: an option, an argument or a subcommand, and its description."""

    left: str
    text: str

    @property
    def names(self) -> list[str]:
        """--output; of -h,--help both; of an argument or a subcommand its word."""
        names = re.match(r"-{1,2}[\w-]+(,\s*-{1,2}[\w-]+)*", self.left)
        return re.split(r",\s*", names[0]) if names else self.left.split()[:1]


@dataclass
class Command:
    """A program or one of its subcommands."""

    words: tuple[str, ...]
    title: str
    usage: str
    sections: dict[str, list[Entry]]
    commands: list[Command] = field(default_factory=list)

    def everything(self) -> list[Command]:
        return [self, *(below for command in self.commands for below in command.everything())]

    def options(self) -> list[Entry]:
        return [entry for entries in self.sections.values() for entry in entries if entry.left.startswith("-")]


def entries_of(lines: list[str], column: int) -> list[Entry]:
    """Descriptions begin at `column`, or in the next line if the left side is wide."""
    entries: list[Entry] = []
    for line, after in zip(lines, [*lines[1:], ""]):
        if line.startswith(" " * column):
            entries[-1].text = f"{entries[-1].text} {line.strip()}".strip()
            continue
        continued = after.startswith(" " * column)
        wide = line[column - 1 : column] != " " or (continued and line[column - 2] != " ")
        cut = len(line) if wide else column
        entries.append(Entry(line[:cut].strip(), line[cut:].strip()))
    return entries


def column_of(shown: str) -> int:
    """Where descriptions begin: after the option --help."""
    return len(re.search(r"^  (-h, *)?--help +", shown, re.M)[0])


def command_of(words: tuple[str, ...], shown: str, column: int) -> Command:
    """From the text of --help."""
    title, usage, rest = re.match(r"(.*?)\n\s*(?:Usage|USAGE): *(.*?)\n(.*)", shown, re.S).groups()
    sections: dict[str, list[str]] = {}
    lines: list[str] = []
    for line in rest.splitlines():
        if re.match(r"\S.*:$", line):
            lines = sections.setdefault(line[:-1].capitalize(), [])
        elif line.strip():
            lines.append(line)
    return Command(words, title.strip(), usage, {name: entries_of(part, column) for name, part in sections.items()})


def read(program: Path, words: tuple[str, ...] = (), column: int = 0) -> Command:
    """A command and, in turn, its subcommands. Those without a line on --help have the column of their program."""
    shown = subprocess.run([program, *words, "--help"], capture_output=True, text=True, check=True).stdout
    column = column or column_of(shown)
    command = command_of(words, shown, column)
    entries = command.sections.pop("Subcommands", [])
    command.commands = [read(program, (*words, entry.left), column) for entry in entries]
    return command


def roff(text: str) -> str:
    escaped = text.replace("\\", "\\e").replace("-", "\\-").replace("^", "\\(ha").replace("~", "\\(ti")
    return f"\\&{escaped}" if escaped[:1] in (".", "'") else escaped


def man_entries(command: Command) -> str:
    """The sections of --help, without the option --help itself."""
    text = ""
    for name, entries in command.sections.items():
        entries = [entry for entry in entries if "--help" not in entry.names]
        if entries and name != "Options":
            text += f".PP\n.I {roff(name)}\n"
        for entry in entries:
            text += f".TP\n.B {roff(entry.left)}\n{roff(entry.text) or '.br'}\n"
    return text


def man_page(name: str, version: str, program: Command) -> str:
    text = f'.TH "{name.upper()}" 1 "" "psflip {version}" "User commands"\n.SH NAME\n{roff(name)} \\- '
    text += f"{roff(program.title.rstrip('.'))}\n.SH SYNOPSIS\n.B {roff(program.usage)}\n.SH OPTIONS\n"
    text += man_entries(program) + ".SH COMMANDS\n"
    text += "".join(f".TP\n.B {roff(command.words[-1])}\n{roff(command.title)}\n" for command in program.commands)
    same: dict[str, list[Command]] = {}  # models share the options of a method
    for command in program.everything()[1:]:
        if not command.commands:
            same.setdefault(man_entries(command), []).append(command)
    for entries, commands in same.items():
        text += f".SS {roff(', '.join(' '.join(command.words) for command in commands))}\n"
        titles = dict.fromkeys(command.title for command in commands)
        text += "".join(f"{roff(title)}.\n.br\n" for title in titles)
        text += f"Usage: {roff(commands[0].usage)}\n{entries}"
    other = {"psflip": "psflip\\-analysis", "psflip-analysis": "psflip"}.get(name, "psflip")
    return text + f".SH SEE ALSO\n.BR {other} (1),\nthe pages in share/doc/psflip\n"


def where(command: Command) -> str:
    return "'" + "".join(f"/{word}" for word in command.words) + "'"


# Follows the subcommands that were typed before the cursor; $at is then, for example, /ea3d/relaxation.
FOLLOW = """\
  for word in %(typed)s; do
    case $at/$word in
      %(commands)s) at=$at/$word ;;
    esac
  done
  case $at in
%(cases)s
  esac
"""

BASH = """\
# bash completion of %(name)s
%(function)s() {
  local at= word options= commands=
%(follow)s\
  if [[ $2 == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$2")
  elif [[ $3 != --* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$commands" -- "$2")
  else
    COMPREPLY=()  # the value of an option: a file
  fi
}
complete -o bashdefault -o default -F %(function)s %(name)s
"""

ZSH = """\
#compdef %(name)s
# zsh completion of %(name)s
%(function)s() {
  local at= word
  local -a options commands
%(follow)s\
  if [[ $PREFIX == -* ]]; then
    _describe -o option options
  elif (($#commands)) && [[ ${words[CURRENT-1]} != --* ]]; then
    _describe command commands
  else
    _files
  fi
}
%(function)s "$@"
"""


def completion(name: str, program: Command, form: str, typed: str, words_of: dict[str, str]) -> str:
    known = [where(command) for command in program.everything()[1:]]
    cases = "\n".join(f"    {at}) {line} ;;" for at, line in words_of.items())
    follow = FOLLOW % {"typed": typed, "commands": " | ".join(known), "cases": cases}
    return form % {"name": name, "function": "_" + name.replace("-", "_"), "follow": follow}


def bash_completion(name: str, program: Command) -> str:
    lines = {}
    for command in program.everything():
        options = " ".join(option for entry in command.options() for option in entry.names)
        commands = " ".join(below.words[-1] for below in command.commands)
        lines[where(command)] = f"options='{options}' commands='{commands}'"
    return completion(name, program, BASH, '"${COMP_WORDS[@]:1:COMP_CWORD-1}"', lines)


def zsh_completion(name: str, program: Command) -> str:
    def described(words: list[tuple[str, str]]) -> str:
        return " ".join("'" + f"{word}:{text}".replace("'", "'\\''") + "'" for word, text in words)

    lines = {}
    for command in program.everything():
        options = described([(option, entry.text) for entry in command.options() for option in entry.names])
        commands = described([(below.words[-1], below.title) for below in command.commands])
        lines[where(command)] = f"options=({options}) commands=({commands})"
    return completion(name, program, ZSH, "${words[2,CURRENT-1]}", lines)


def main() -> None:
    program, share = Path(sys.argv[1]), Path(sys.argv[2])
    name, root = program.name, read(program)
    version = subprocess.run([program, "--version"], capture_output=True, text=True, check=True).stdout.split()
    texts = {
        f"man/man1/{name}.1": man_page(name, version[1] if len(version) > 1 else version[0], root),
        f"bash-completion/completions/{name}": bash_completion(name, root),
        f"zsh/site-functions/_{name}": zsh_completion(name, root),
    }
    for path, text in texts.items():
        (share / path).parent.mkdir(parents=True, exist_ok=True)
        (share / path).write_text(text)
        print(path)


if __name__ == "__main__":
    main()
