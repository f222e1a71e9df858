"""The Spanish pages are Spanish and the German ones German: no message without its translation."""

from __future__ import annotations

import ast
import re
from collections import defaultdict
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import django
import polib
import pytest
import rest_framework
from django import forms
from django.conf import settings
from django.core import validators
from django.utils.translation import override
from django.utils.translation.template import templatize
from rest_framework import serializers

from tournaments.environment import ROOT

if TYPE_CHECKING:
    from collections.abc import Iterator

CATALOGUE = ROOT / "tournaments" / "locale" / "es" / "LC_MESSAGES" / "django.po"
CATALOGUES = sorted((ROOT / "tournaments" / "locale").glob("*/LC_MESSAGES/django.po"))
TEXT = r"""u?(?:'(?:[^'\\\\]|\\\\.)*'|"(?:[^"\\\\]|\\\\.)*")"""
CALL = re.compile(rf"\b(?:n?p?gettext|_)\(\s*{TEXT}(?:\s*,\s*(?:{TEXT}|count))*\s*\)")
FIELD = re.compile(r"%\((\w+)\)s")

NOT_OURS = {
    "quotes are «…»": "[“”]",
    "a side is a bando": r"\b([Oo]tr[oa]s?|cada|[Ll]os dos) lados?\b",
    "a dispute is a reclamación, a verdict a dictamen": r"\b([Dd]isputas?|[Vv]eredictos?)\b",
    "the stock is the baceta, a file an archivo": r"\b([Mm]azos?|[Ff]icheros?)\b",
    "a history is an historial": r"\b[Hh]istorias?\b",
    "points are tantos": (
        r"\bpuntos (de (la|cada) mano|por (acta|partida))\b|\b(solo|o|comunica) los puntos\b"
    ),
    "a record is comprobada carta a carta, not repeated": (
        r"\b[Rr]epetida y\b|\brepiten? carta a carta\b|\bactas? repetidas?\b"
    ),
    "these were translated word by word": (
        "Personas y papeles|Parte ganada|Novedades en un canal|de otro sitio|era mejor as|1 veces"
    ),
    "people are spoken to as tú": (
        r"\b([Ii]nténtelo|[Ii]nscriba|[Mm]ire|[Rr]evise|[Ii]ndique|[Pp]regunte|[Rr]etírelo|[Uu]sted|"
        r"[Ii]ntroduzca|[Aa]segúrese|[Ee]scoja|[Ss]eleccione|[Ee]nvíe|[Cc]ompruebe|[Uu]se uno)\b"
    ),
}


IN_EACH = pytest.mark.parametrize("catalogue", CATALOGUES, ids=lambda path: path.parts[-3])


def entries(catalogue: Path = CATALOGUE) -> list[polib.POEntry]:
    return [entry for entry in polib.pofile(str(catalogue)) if not entry.obsolete]


def test_every_language_but_that_of_the_messages_has_its_catalogue() -> None:
    spoken = {code for code, _name in settings.LANGUAGES}
    assert {path.parts[-3] for path in CATALOGUES} == spoken - {"en"}


@IN_EACH
def test_every_message_is_translated_and_none_is_a_guess(catalogue: Path) -> None:
    left = [entry.msgid for entry in entries(catalogue) if not entry.translated() or entry.fuzzy]
    assert left == []


@pytest.mark.parametrize("pattern", NOT_OURS.values(), ids=list(NOT_OURS))
def test_the_spanish_pages_speak_with_one_voice(pattern: str) -> None:
    texts = [t for e in entries() for t in (e.msgstr, *e.msgstr_plural.values())]
    assert [text for text in texts if re.search(pattern, text)] == []


def test_what_forms_and_serializers_say_by_themselves_speaks_so_too() -> None:
    kinds = [*vars(forms).values(), *vars(serializers).values(), *vars(validators).values()]
    texts = [
        text
        for kind in kinds
        for text in (
            *getattr(kind, "default_error_messages", {}).values(),
            getattr(kind, "message", ""),
        )
    ]
    usted = NOT_OURS["people are spoken to as tú"]
    with override("es"):
        said = {str(text % defaultdict(int)) for text in texts}
    assert "Elige una de las opciones: esa no está entre ellas." in said
    assert sorted(text for text in said if re.search(usted, text)) == []


@IN_EACH
def test_a_translation_fills_in_the_same_values_as_its_message(catalogue: Path) -> None:
    for entry in entries(catalogue):
        for text in [entry.msgstr] if entry.msgstr else entry.msgstr_plural.values():
            assert set(FIELD.findall(text)) == set(FIELD.findall(entry.msgid)), entry.msgid


@IN_EACH
def test_the_compiled_catalogue_is_that_of_the_text(catalogue: Path) -> None:
    compiled = catalogue.with_suffix(".mo").read_bytes()
    assert compiled == polib.pofile(str(catalogue)).to_binary()


@IN_EACH
def test_the_catalogue_holds_every_message_of_code_and_templates(catalogue: Path) -> None:
    pairs = {(entry.msgctxt or "", entry.msgid) for entry in entries(catalogue)}
    ids = messages()
    assert ids - pairs == set(), "run makemessages and translate"
    assert pairs - ids - messages_of_frameworks() == set(), "nobody asks for these any more"


@cache
def messages() -> frozenset[tuple[str, str]]:
    """Return context and text of each message that code and templates ask for."""
    return frozenset(message for path in sources() for message in messages_of(path))


def messages_of_frameworks() -> set[tuple[str, str]]:
    """Return what Django and its REST framework say; our catalogues may reword it."""
    base, rest = (Path(package.__path__[0]) for package in (django, rest_framework))
    return {
        ("", entry.msgid)
        for folder in (base / "conf", base / "contrib" / "auth", rest)
        for entry in polib.mofile(str(folder / "locale" / "es" / "LC_MESSAGES" / "django.mo"))
    }


def sources() -> list[Path]:
    """Name what may hold messages: our Python and our templates."""
    code = [p for p in (ROOT / "tournaments").rglob("*.py") if "migrations" not in p.parts]
    templates = [p for kind in ("html", "txt") for p in (ROOT / "templates").rglob(f"*.{kind}")]
    return sorted([*code, *templates])


def messages_of(path: Path) -> Iterator[tuple[str, str]]:
    """Yield context and text of each message that a file asks for."""
    text = path.read_text(encoding="utf-8")
    if "gettext" not in text and "i18n" not in text:
        return  # parsing a file costs more than reading it
    if path.suffix == ".py":
        calls = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Call)]
    else:
        calls = [parsed(occurrence) for occurrence in CALL.findall(templatize(text))]
    for call in calls:
        name = getattr(call.func, "id", getattr(call.func, "attr", "")).removesuffix("_lazy")
        texts = [arg.value for arg in call.args if isinstance(arg, ast.Constant)]
        if name in {"_", "gettext", "gettext_noop", "ngettext"} and texts:
            yield "", str(texts[0])
        elif name in {"pgettext", "npgettext"}:
            yield str(texts[0]), str(texts[1])


def parsed(call: str) -> ast.Call:
    expression = ast.parse(call, mode="eval").body
    assert isinstance(expression, ast.Call)
    return expression
