"""Tokens of a C++ source in the format of clang-format, which puts spaces around binary operators and only there."""

from __future__ import annotations

import re
from dataclasses import dataclass

PATTERN = re.compile(
    r"""(?P<blank>\s+|//[^\n]*|/\*.*?\*/)
    |(?P<directive>^[ \t]*\#(?:\\\n|[^\n])*)
    |(?P<text>(?:u8|[uUL])?R"(?P<end>[^(]*)\(.*?\)(?P=end)"|(?:u8|[uUL])?"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])+')
    |(?P<number>\.?\d(?:'?[\w.]|(?<=[eEpP])[+-])*)
    |(?P<word>[A-Za-z_]\w*)
    |(?P<mark><=>|->\*|<<=|>>=|\.\.\.|::|->|\+\+|--|<<|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|.)""",
    re.X | re.S | re.M,
)
OPENING, CLOSING = "([{", ")]}"
# Binding of binary operators, the strongest first. Assignments and ?: bound an operand like brackets do.
LEVELS = ("* / %", "+ -", "<< >>", "<=>", "< <= > >=", "== !=", "&", "^", "|", "&& and", "|| or")
PRECEDENCE = {mark: level for level, marks in enumerate(LEVELS) for mark in marks.split()}
BOUNDS = {"=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>=", "?", ":", ",", ";"}
LEADING = {"return", "throw", "case", "else", "co_return", "co_yield", "do", "goto", "new", "delete"}


@dataclass(frozen=True)
class Token:
    kind: str
    text: str
    start: int
    end: int
    line: int


def tokens_of(source: str) -> list[Token]:
    """All tokens but blanks and comments. Directives of the preprocessor are one token each."""
    found, line = [], 1
    for match in PATTERN.finditer(source):
        if match.lastgroup != "blank":
            kind = next(name for name in ("directive", "text", "number", "word", "mark") if match[name] is not None)
            found.append(Token(kind, match[0], match.start(), match.end(), line))
        line += match[0].count("\n")
    return found


def partners_of(tokens: list[Token]) -> dict[int, int]:
    """The index of the other bracket of each bracket."""
    partners: dict[int, int] = {}
    opened: list[int] = []
    for i, token in enumerate(tokens):
        if token.kind != "mark":
            continue
        if token.text in OPENING:
            opened.append(i)
        elif token.text in CLOSING and opened:
            partners[i] = opened.pop()
            partners[partners[i]] = i
    return partners


class Source:
    """A source file as tokens, with the questions that the operators of mutation ask."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.tokens = tokens_of(text)
        self.partners = partners_of(self.tokens)

    def is_binary(self, i: int) -> bool:
        token = self.tokens[i]
        if token.text not in PRECEDENCE or not 0 < i < len(self.tokens) - 1:
            return False
        before = self.tokens[i - 1]
        operand = before.kind in ("number", "text") or before.text in (")", "]", "}")
        operand = operand or (before.kind == "word" and before.text not in LEADING and before.text != "operator")
        spaced = self.text[token.start - 1].isspace() and self.text[token.end].isspace()
        return spaced and operand

    def operands(self, i: int) -> tuple[int, int]:
        """First and last token of the expression of the binary operator i; operators of one level bind to the left."""
        level = PRECEDENCE[self.tokens[i].text]
        first = i
        while first > 0 and not self._bounds_left(first - 1, level):
            first = self.partners.get(first - 1, first - 1)
        last = i
        while last < len(self.tokens) - 1 and not self._bounds_right(last + 1, level):
            last = self.partners.get(last + 1, last + 1)
        return first, last

    def _bounds_left(self, i: int, level: int) -> bool:
        token = self.tokens[i]
        if token.kind == "directive" or token.text in BOUNDS or token.text in LEADING:
            return True
        if token.kind == "mark" and token.text in OPENING:
            return True
        if token.text == "}":
            return i not in self.partners or not self.is_initializer(self.partners[i])
        return self.is_binary(i) and PRECEDENCE[token.text] > level

    def _bounds_right(self, i: int, level: int) -> bool:
        token = self.tokens[i]
        if token.kind == "directive" or token.text in BOUNDS or (token.kind == "mark" and token.text in CLOSING):
            return True
        return self.is_binary(i) and PRECEDENCE[token.text] >= level

    def is_initializer(self, i: int) -> bool:
        """Whether the brace i opens a list of values: it follows a type directly, or a mark that expects a value."""
        before = self.tokens[i - 1]
        touching = before.end == self.tokens[i].start and (before.kind == "word" or before.text in (">", "]"))
        return touching or before.text in ("=", "{", ",", "(", "return")

    def is_size(self, i: int) -> bool:
        """Whether token i is in an argument of a template or in the size of a declared array: the compiler needs it."""
        before, after = self.tokens[i - 1], self.tokens[i + 1]
        if (before.text == "<" and not self.is_binary(i - 1)) or (
            after.text == ">" and after.start == self.tokens[i].end
        ):
            return True
        j = i - 1
        while j > 1 and not (self.tokens[j].kind == "mark" and self.tokens[j].text in OPENING + ";"):
            j = self.partners.get(j, j) - 1
        type_end = self.tokens[j - 2]
        is_type = type_end.text in (">", "&", "*") and not self.is_binary(j - 2)
        return self.tokens[j].text == "[" and (is_type or (type_end.kind == "word" and type_end.text not in LEADING))

    def statement(self, i: int) -> list[Token]:
        """The tokens of the statement around token i up to i, out of all brackets but those of blocks."""
        j = i
        while j > 0:
            before = self.tokens[j - 1]
            if before.text == ";" or before.kind == "directive" or before.text == "}":
                if before.text != "}" or not self.is_initializer(self.partners.get(j - 1, 0)):
                    break
            if before.text == "{" and not self.is_initializer(j - 1):
                break
            if before.kind == "mark" and before.text in CLOSING:
                j = self.partners.get(j - 1, j - 1)
            else:
                j -= 1
        return self.tokens[j:i]
