"""Places of a C++ source that a mutant can change, and the text that holds both forms of such a place."""

from __future__ import annotations

import re
from dataclasses import dataclass

from cpp_tokens import PRECEDENCE, Source

SWAPS = {"+": "-", "-": "+", "*": "/", "/": "*", "<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
SWAPS |= {"&&": "||", "||": "&&"}
KINDS = {"+": "arithmetic", "-": "arithmetic", "*": "arithmetic", "/": "arithmetic", "&&": "logic", "||": "logic"}
# What the compiler evaluates itself, and texts of messages.
NOT_RUN = {
    "constexpr",
    "consteval",
    "static_assert",
    "using",
    "template",
    "enum",
    "case",
    "concept",
    "requires",
    "extern",
}
MESSAGES = {"throw", "format"}
NOT_CALLS = {
    "if",
    "while",
    "for",
    "switch",
    "return",
    "catch",
    "throw",
    "auto",
    "const",
    "static",
    "delete",
    "new",
    "else",
}
ASSIGNMENTS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}


@dataclass(frozen=True)
class Place:
    """A change of the text from start to end; `form` holds the original and the mutated text, @ is the number."""

    line: int
    operator: str
    start: int
    end: int
    form: str
    change: str


def flat(text: str) -> str:
    """In one line, without comments, so that the mutated copy keeps the lines of the original."""
    return " ".join(re.sub(r"//[^\n]*", "", text).split())


def choice(mutated: str, original: str) -> str:
    return f"(psflip_mutant(@) ? ({mutated}) : ({original}))"


def binary(source: Source, i: int) -> Place | None:
    token = source.tokens[i]
    other = SWAPS.get(token.text)
    if other is None or not source.is_binary(i):
        return None
    first, last = source.operands(i)
    if first == i or last == i:
        return None
    start, end = source.tokens[first].start, source.tokens[last].end
    left, right = flat(source.text[start : token.start]), flat(source.text[token.end : end])
    # && binds its operands closer than ||, so that each operand gets brackets of its own.
    mutated = (
        f"({left}) {other} ({right})" if PRECEDENCE[token.text] != PRECEDENCE[other] else f"{left} {other} {right}"
    )
    form = choice(mutated, f"{left} {token.text} {right}")
    return Place(token.line, KINDS.get(token.text, "relation"), start, end, form, f"{token.text} to {other}")


def constant(source: Source, i: int) -> Place | None:
    token = source.tokens[i]
    if token.kind != "number":
        return None
    form = choice(f"{token.text} + 1", token.text)
    return Place(token.line, "constant", token.start, token.end, form, f"{token.text} to {token.text} + 1")


def condition(source: Source, i: int) -> Place | None:
    tokens = source.tokens
    if tokens[i].text not in ("if", "while") or tokens[i + 1].text != "(" or i + 1 not in source.partners:
        return None
    last = source.partners[i + 1]
    inside = tokens[i + 2 : last]
    if not inside or any(token.text in (";", "=") for token in inside):
        return None  # it declares a variable
    start, end = inside[0].start, inside[-1].end
    form = f"psflip_mutant(@) != static_cast<bool>({flat(source.text[start:end])})"
    return Place(tokens[i].line, "condition", start, end, form, f"negated {tokens[i].text}")


def statement(source: Source, i: int) -> Place | None:
    """A call without a result, or an assignment, that begins with token i."""
    tokens = source.tokens
    before = tokens[i - 1].text if i else ""
    if tokens[i].kind != "word" or tokens[i].text in NOT_CALLS or before not in (";", "{", "}", ")", "else"):
        return None
    if before == "{" and source.is_initializer(i - 1):
        return None
    j = i + 1
    while j < len(tokens) and tokens[j].text in (".", "->", "::", "[") or tokens[j - 1].text in (".", "->", "::"):
        j = source.partners[j] + 1 if tokens[j].text == "[" else j + 1
    if tokens[j].text != "(" and tokens[j].text not in ASSIGNMENTS:
        return None
    if tokens[j + 1].text == "const":
        return None  # the declaration of a constructor
    last = j
    while last < len(tokens) and tokens[last].text != ";":
        if tokens[last].text in ("}", ")", "]"):
            return None
        last = source.partners.get(last, last) + 1
    start, end = tokens[i].start, tokens[last].end
    text = flat(source.text[start:end])
    return Place(tokens[i].line, "statement", start, end, f"{{ if (!psflip_mutant(@)) {{ {text} }} }}", "deleted")


def places_of(text: str) -> list[Place]:
    """All places, in the order of the text."""
    source = Source(text)
    found = []
    for i in range(len(source.tokens) - 1):
        options = [make(source, i) for make in (binary, constant, condition, statement)]
        options = [place for place in options if place is not None]
        if not options or source.is_size(i):
            continue
        around = {token.text for token in source.statement(i)} | {source.tokens[i].text}
        if not around & (NOT_RUN | MESSAGES):
            found += options
    return found


def mutated(text: str, chosen: dict[int, Place], header: str) -> str:
    """The text with the places of the mutants `chosen`, which do not overlap. All lines keep their numbers."""
    for number, place in sorted(chosen.items(), key=lambda item: -item[1].start):
        lines = "\n" * text[place.start : place.end].count("\n")
        text = text[: place.start] + place.form.replace("@", str(number)) + lines + text[place.end :]
    return f'#include "{header}"\n#line 1\n{text}'
