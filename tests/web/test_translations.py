"""The Spanish pages are Spanish: no message without its translation."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import polib
from django.utils.translation.template import templatize

from tournaments.environment import ROOT

CATALOGUE = ROOT / "tournaments" / "locale" / "es" / "LC_MESSAGES" / "django.po"
TEXT = r"""u?(?:'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*")"""
CALL = re.compile(rf"\b(?:n?p?gettext|_)\(\s*{TEXT}(?:\s*,\s*(?:{TEXT}|count))*\s*\)")
FIELD = re.compile(r"%\((\w+)\)s")


def entries() -> list[polib.POEntry]:
    return [entry for entry in polib.pofile(str(CATALOGUE)) if not entry.obsolete]


def test_every_message_is_translated_and_none_is_a_guess() -> None:
    left = [entry.msgid for entry in entries() if not entry.translated() or entry.fuzzy]
    assert left == []


def test_a_translation_fills_in_the_same_values_as_its_message() -> None:
    for entry in entries():
        for text in [entry.msgstr] if entry.msgstr else entry.msgstr_plural.values():
            assert set(FIELD.findall(text)) == set(FIELD.findall(entry.msgid)), entry.msgid


def test_the_compiled_catalogue_is_that_of_the_text() -> None:
    compiled = CATALOGUE.with_suffix(".mo").read_bytes()
    assert compiled == polib.pofile(str(CATALOGUE)).to_binary()


def test_the_catalogue_holds_every_message_of_code_and_templates() -> None:
    known = {(entry.msgctxt or "", entry.msgid) for entry in entries()}
    asked = {message for path in sources() for message in messages_of(path)}
    assert asked - known == set(), "run makemessages and translate"
    assert known - asked == set(), "nobody asks for these any more"


def sources() -> list[Path]:
    """Name what may hold messages: our Python and our templates."""
    code = [p for p in (ROOT / "tournaments").rglob("*.py") if "migrations" not in p.parts]
    return sorted([*code, *(ROOT / "templates").rglob("*.html")])


def messages_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield context and text of each message that a file asks for."""
    text = path.read_text(encoding="utf-8")
    if path.suffix == ".py":
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    else:
        calls = [parsed(found) for found in CALL.findall(templatize(text))]
    for call in calls:
        name = getattr(call.func, "id", getattr(call.func, "attr", "")).removesuffix("_lazy")
        texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        if name in {"_", "gettext", "ngettext"} and texts:
            yield "", str(texts[0])
        elif name in {"pgettext", "npgettext"}:
            yield str(texts[0]), str(texts[1])


def parsed(call: str) -> ast.Call:
    expression = ast.parse(call, mode="eval").body
    assert isinstance(expression, ast.Call)
    return expression
