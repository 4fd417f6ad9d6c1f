"""Reads files that a person writes or edits: limited in size, never a device, and with the line of every key.

YAML is read by rules of its own where YAML 1.1 and 1.2 differ, so that no number means something else than it says: 010, 1:30
and yes are refused, 1e4 is 10000.
"""

from __future__ import annotations

import json
import re
import stat
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from workflows.study.error import Mistake, StudyError, bare, inside, shown, told_at

MOST_BYTES = 400_000  # of a study; PyYAML reads about 1 MB a second
MOST_ENTRIES = 10_000  # keys, values and entries of lists, those of aliases counted wherever they are used
MOST_DEPTH = 20
MOST_DIGITS = 18  # of an integer, so that it has 64 bits

CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x84\x86-\x9f\ud800-\udfff\ufffe\uffff]")
INTEGER = re.compile(r"[-+]?(0|[1-9][0-9]*|[1-9][0-9]{0,2}(_[0-9]{3})+)")
DECIMAL = re.compile(r"[-+]?([0-9]+\.[0-9]*|\.[0-9]+|[0-9]+(?=[eE]))([eE][-+]?[0-9]+)?")
# What YAML 1.1 takes for a number though it reads otherwise: octal, hexadecimal, base 60, underscores.
DISGUISED = re.compile(r"[-+]?(0[0-9_]+|0x[0-9a-fA-F_]+|0o[0-7]+|0b[01_]+|[0-9][0-9_]*(:[0-5]?[0-9])+(\.[0-9_]*)?"
                       r"|[0-9][0-9_]*(\.[0-9_]*)?)")  # fmt: skip
CONSTANTS = {"": None, "~": None, "null": None, "true": True, "false": False}
NOT_FINITE = {".inf": float("inf"), "+.inf": float("inf"), "-.inf": float("-inf"), ".nan": float("nan")}


class Unreadable(StudyError):
    """A sentence about a file that cannot be understood from a line on; 0: not at all."""

    def __init__(self, sentence: str, line: int = 0) -> None:
        super().__init__(sentence)
        self.line = line


def read_text(path: Path, most_bytes: int = MOST_BYTES) -> str:
    """The text of a regular file. Unreadable: there is none, it is too large, or not UTF-8; the sentence lacks the path."""
    data = None
    try:
        if stat.S_ISREG(path.stat().st_mode):
            with path.open("rb") as file:
                data = file.read(most_bytes + 1)
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or "no path"
        raise Unreadable(f"cannot be read ({reason}); give the path of a file") from error
    if data is None:
        raise Unreadable("cannot be read (a folder or a device); give the path of a file")
    if len(data) > most_bytes:
        raise Unreadable(f"has more than {most_bytes / 1e6:g} MB; give a smaller file")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise Unreadable("not UTF-8 text; save the file as UTF-8", line) from error


def read_json(path: Path, remedy: str, most_bytes: int = 100_000_000) -> Any:
    """The content of a JSON file that psflip wrote. StudyError with the path and the remedy if it is none."""
    try:
        return json.loads(read_text(path, most_bytes), parse_int=_json_integer)
    except StudyError as error:
        raise StudyError(f"{path}: {str(error).partition(';')[0]}; {remedy}") from error
    except (ValueError, RecursionError) as error:
        raise StudyError(f"{path}: not JSON; {remedy}") from error


def read_record(path: Path) -> dict[str, Any]:
    """The study of a results folder, study.json. StudyError if someone has overwritten it."""
    remedy = "remove it and run the study again"
    content = read_json(path, remedy)
    if not isinstance(content, dict) or not {"name", "title", "parts"} <= content.keys():
        raise StudyError(f"{path}: no record of a study; {remedy}")
    return content


def _json_integer(digits: str) -> int:
    if len(digits) > MOST_DIGITS + 1:
        raise ValueError("the integer is too long")
    return int(digits)


@dataclass
class Document:
    """The content of a YAML file, the line of each place, and the mistakes that reading found."""

    content: Any
    lines: dict[str, int] = field(default_factory=dict)
    mistakes: list[Mistake] = field(default_factory=list)


@dataclass
class _Node:
    """A value with the lines of what it holds. `entries` are None for a scalar, whose text is `text`."""

    line: int
    text: str = ""
    is_plain: bool = True
    is_mapping: bool = False
    entries: list[tuple[_Node | None, _Node]] | None = None  # key, absent in lists, and value
    anchor: str | None = None
    is_open: bool = True
    count: int = 1  # of all that it holds
    depth: int = 1


def read_document(path: Path) -> Document:
    """A YAML file. StudyError, with the file and the line, if it cannot be understood at all."""
    document = Document(None)
    try:
        root = _compose(read_text(path))
        document.content = _value(root, "", document)
    except Unreadable as error:
        raise StudyError(told_at(str(path), error.line, str(error))) from error
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        problem = (error.problem or "unreadable text").partition("\n")[0]
        raise StudyError(
            told_at(str(path), mark.line + 1 if mark else 0, f"not YAML ({problem}); correct the line")
        ) from error
    except (yaml.YAMLError, ValueError, OverflowError) as error:  # ValueError: an escape beyond Unicode
        raise StudyError(f"{path}: not YAML (unreadable text); correct the file") from error
    return document


def _compose(text: str) -> _Node:
    """The tree of nodes, made without recursion and given up as soon as it is too deep or too large."""
    anchors: dict[str, _Node] = {}
    bad = CONTROL.search(text)
    if bad:
        line = text.count("\n", 0, bad.start()) + 1
        raise Unreadable(f"not text (character {ord(bad[0]):#x}); save the file as UTF-8 text", line)
    root = _Node(0, entries=[])
    stack, keys = [root], [None]  # open nodes; of each the key that waits for its value
    documents = entries = 0
    for event in yaml.parse(text, Loader=yaml.SafeLoader):
        line = event.start_mark.line + 1
        if isinstance(event, yaml.DocumentStartEvent):
            documents += 1
            if documents > 1:
                raise Unreadable("a second document begins; a study is one, remove the line ---", line)
        elif isinstance(event, yaml.CollectionEndEvent):
            node = stack.pop()
            keys.pop()
            node.is_open = False
            _add(stack[-1], keys, node)
        elif isinstance(event, yaml.NodeEvent):
            entries += 1
            if len(stack) > MOST_DEPTH or entries > MOST_ENTRIES:
                raise _too_large(line, len(stack) > MOST_DEPTH)
            if isinstance(event, yaml.AliasEvent):
                _add(stack[-1], keys, _alias(anchors, event.anchor, line))
                continue
            node = _node(event, line)
            if event.anchor:
                anchors[event.anchor] = node
            if node.entries is None:
                _add(stack[-1], keys, node)
            else:
                stack.append(node)
                keys.append(None)
    return root.entries[0][1] if root.entries else _Node(1)


def _too_large(line: int, too_deep: bool) -> Unreadable:
    what = f"more than {MOST_DEPTH} levels" if too_deep else f"more than {MOST_ENTRIES} entries"
    return Unreadable(f"the study has {what}; make it smaller", line)


def _node(event: yaml.NodeEvent, line: int) -> _Node:
    if event.tag not in (None, "!", "tag:yaml.org,2002:str"):
        raise Unreadable(
            f"the tag {shown(event.tag)} says the type of a value, which a study does not need; remove it", line
        )
    if isinstance(event, yaml.ScalarEvent):
        return _Node(line, event.value, is_plain=event.style is None and event.tag is None, is_open=False)
    return _Node(line, entries=[], is_mapping=isinstance(event, yaml.MappingStartEvent))


def _alias(anchors: dict[str, _Node], name: str, line: int) -> _Node:
    node = anchors.get(name)
    if node is None or node.is_open:
        what = "stands for nothing before it" if node is None else "stands for a value that contains it"
        raise Unreadable(f"*{bare(name)} {what}; write the value instead", line)
    return node


def _add(parent: _Node, keys: list[_Node | None], node: _Node) -> None:
    """Adds a finished node to its list, or to its mapping as the next key or value."""
    if parent.is_mapping and keys[-1] is None:
        if node.entries is not None:
            raise Unreadable("a key is a list or a mapping; give text or a number as the key", node.line)
        keys[-1] = node
        return
    parent.entries.append((keys[-1], node))
    keys[-1] = None
    parent.count += node.count + 1
    parent.depth = max(parent.depth, node.depth + 1)
    if parent.count > 2 * MOST_ENTRIES or parent.depth > MOST_DEPTH + 2:
        raise _too_large(node.line, parent.count <= 2 * MOST_ENTRIES)


def _value(node: _Node, place: str, document: Document) -> Any:
    """The content of a node; the depth of recursion is limited by that of the tree."""
    document.lines.setdefault(place, node.line)
    if node.entries is None:
        return _scalar(node, place, document)
    if not node.is_mapping:
        return [_value(item, inside(place, index), document) for index, (_, item) in enumerate(node.entries)]
    content: dict[str, Any] = {}
    for key, item in node.entries:
        name = _key(key, place, document)
        where = inside(place, name)
        if name in content:
            words = f"is given twice, also in line {document.lines[where]}; keep one of them"
            document.lines[f"{where} again"] = key.line
            document.mistakes.append(
                Mistake(f"the key {shown(name)}" if not place else where, words, at=f"{where} again")
            )
            continue
        document.lines[where] = key.line
        content[name] = _value(item, where, document)
    return content


def _key(node: _Node, place: str, document: Document) -> str:
    """A key as text, as JSON has it; 8 and "8" are one key. Words such as yes and null are text here."""
    if not node.is_plain or node.text.lower() in CONSTANTS or node.text.lower() in ("yes", "no", "on", "off"):
        return node.text
    where = inside(place, node.text)
    document.lines.setdefault(where, node.line)
    return str(_scalar(node, where, document))


def _scalar(node: _Node, place: str, document: Document) -> Any:
    text = node.text
    if not node.is_plain:
        _refuse_control(text, place, document)
        return text
    lower = text.lower()
    if text in (lower, lower.capitalize(), lower.upper()) and lower in CONSTANTS:
        return CONSTANTS[lower]
    if lower in NOT_FINITE:
        return NOT_FINITE[lower]
    words = _complaint(text)
    if words:
        document.mistakes.append(Mistake(place, f"is {bare(text)}, {words}"))
        return text
    if INTEGER.fullmatch(text):
        return int(text.replace("_", ""))
    return _decimal(text) if DECIMAL.fullmatch(text) else text


def _base(text: str) -> int:
    """The base of a number in YAML 1.1."""
    prefix = text.lstrip("+-")[:2].lower()
    return 60 if ":" in text else {"0x": 16, "0b": 2}.get(prefix, 8 if prefix[0] == "0" else 10)


def _complaint(text: str) -> str:
    """Why a word without quotes is refused; empty if it is not."""
    if text.lower() in ("yes", "no", "on", "off"):
        truth = "true" if text.lower() in ("yes", "on") else "false"
        return f'{truth} for some readers of YAML; write {truth}, or "{text}" for text'
    if INTEGER.fullmatch(text):
        digits = sum(letter.isdigit() for letter in text)
        return f"an integer of {digits} digits; give at most {MOST_DIGITS}" if digits > MOST_DIGITS else ""
    if DECIMAL.fullmatch(text):
        value = float(text)
        if abs(value) == float("inf"):
            return "beyond double precision; give a smaller number"
        has_digit = re.search("[1-9]", re.split("[eE]", text)[0])
        return "below double precision; give 0 or a larger number" if value == 0 and has_digit else ""
    if DISGUISED.fullmatch(text):
        word = bare(text)
        return (
            f'a number of base {_base(text)} for some readers of YAML; write plain decimal digits, or "{word}" for text'
        )
    return ""


def _decimal(text: str) -> float | int:
    """1e4 is an integer, 10000.0 is not, as in files of all versions."""
    value = float(text)
    return int(value) if "." not in text and value.is_integer() and abs(value) < 10**MOST_DIGITS else value


def _refuse_control(text: str, place: str, document: Document) -> None:
    bad = CONTROL.search(text)
    if bad:
        document.mistakes.append(Mistake(place, f"has the character {ord(bad[0]):#x}, which is not text; remove it"))
