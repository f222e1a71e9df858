"""`python -m tools.surprises`: where a reader asks why, and whether the code answers.

Listed are functions with many branches, and each lock, action after the commit, cursor and retry.
A docstring that says more than what is done answers, or a comment: anywhere in a function, and near
a call. The test only keeps the list from growing without an answer.
"""

import ast
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parent.parent
FOLDERS: Final = ("tournaments", "engine", "baza_client")

MANY_BRANCHES: Final = 15
"""Branches of a function that is listed: `if`, loops, `except`, comprehensions, operands."""

CALLS: Final = {
    "select_for_update": "lock",
    "on_commit": "after the commit",
    "cursor": "cursor",
    "retry_transaction": "retry",
}
"""Kinds of surprises, by the name of what is called."""

ABOVE: Final = 3
"""Lines above a call in which a comment answers, and in the one below it."""

BRANCHES: Final = (
    *(ast.If, ast.IfExp, ast.For, ast.While, ast.ExceptHandler, ast.comprehension),
    ast.match_case,
)


@dataclass(frozen=True, slots=True)
class Surprise:
    """A place where a reader asks why."""

    path: str
    line: int
    function: str
    kind: str
    is_answered: bool


def surprises() -> list[Surprise]:
    """Return the surprises of the program, by file and line."""
    paths = (path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
    return [
        surprise
        for path in sorted(paths)
        if "migrations" not in path.parts
        for surprise in surprises_in(str(path.relative_to(ROOT)), path.read_text(encoding="utf-8"))
    ]


def surprises_in(path: str, source: str) -> Iterator[Surprise]:
    """Yield the surprises of a file."""
    comments = {
        token.start[0]
        for token in tokenize.generate_tokens(io.StringIO(source).readline)
        if token.type == tokenize.COMMENT and "noqa" not in token.string
    }
    for function in ast.walk(ast.parse(source)):
        if not isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        lines = range(function.lineno, (function.end_lineno or function.lineno) + 1)
        explains = _explains(function)
        if branches_of(function) >= MANY_BRANCHES:
            answered = explains or not comments.isdisjoint(lines)
            yield Surprise(path, function.lineno, function.name, "branches", answered)
        for call in _own_calls(function):
            near = range(call.lineno - ABOVE, (call.end_lineno or call.lineno) + 2)
            answered = explains or not comments.isdisjoint(near)
            yield Surprise(path, call.lineno, function.name, CALLS[_name_of(call)], answered)


def branches_of(function: ast.AST) -> int:
    """Return the branches of a function, each operand of `and` and `or` but the first too."""
    nodes = list(ast.walk(function))
    operands = sum(len(node.values) - 1 for node in nodes if isinstance(node, ast.BoolOp))
    return operands + sum(isinstance(node, BRANCHES) for node in nodes)


def _explains(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Return whether a docstring says more than what the function does and refuses."""
    text = ast.get_docstring(function) or ""
    if re.search(r"\b(because|so that|else|otherwise)\b", text):
        return True
    sentences = re.split(r"(?<=[.:;])\s+", text)
    return sum(not re.match(r"(Refuses|Raises|Returns) ", one) for one in sentences) > 1


def _own_calls(function: ast.AST) -> Iterator[ast.Call]:
    """Yield the calls of a function that are listed, without those of functions inside it."""
    for child in ast.iter_child_nodes(function):
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(child, ast.Call) and _name_of(child) in CALLS:
            yield child
        yield from _own_calls(child)


def _name_of(call: ast.Call) -> str:
    function = call.func
    if isinstance(function, ast.Attribute):
        return function.attr
    return function.id if isinstance(function, ast.Name) else ""


def main() -> int:
    """Print the surprises, those without an answer first."""
    found = sorted(surprises(), key=lambda one: (one.is_answered, one.kind, one.path, one.line))
    for one in found:
        mark = " " if one.is_answered else "?"
        sys.stdout.write(f"{mark} {one.kind:16} {one.path}:{one.line} {one.function}\n")
    silent = sum(not one.is_answered for one in found)
    sys.stdout.write(f"{len(found)} places, {silent} without an answer\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
