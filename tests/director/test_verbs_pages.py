"""The history is shown in words: every verb that a service writes has them, in both languages."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.utils import translation

import tournaments
from tournaments.core.templatetags import EVENT_NAMES, verb_name
from tournaments.domain.signed_proof import SIGNED
from tournaments.domain.trail.chain import REDACTED
from tournaments.domain.trail.rows import BASELINE, STATED

if TYPE_CHECKING:
    from collections.abc import Iterator

PACKAGE = Path(tournaments.__file__).parent
VERB = re.compile(r"[a-z_]+\.[a-z_]+")
WRITERS = re.compile(r"_?(note|write|tell|told|say)\w*")


def verbs_in_services() -> Iterator[str]:
    """Yield the verbs that services write down: what calls of their writers hold, or tables."""
    for path in sorted({*PACKAGE.glob("*/services.py"), *PACKAGE.glob("*/services/*.py")}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and WRITERS.fullmatch(name_of(node.func)):
                yield from verbs_in(*node.args[:3])
            elif isinstance(node, ast.Tuple | ast.Dict | ast.IfExp):
                yield from (verb for verb in verbs_in(node) if verb in EVENT_NAMES)


def name_of(called: ast.expr) -> str:
    if isinstance(called, ast.Attribute):
        return called.attr
    return called.id if isinstance(called, ast.Name) else ""


def verbs_in(*nodes: ast.AST) -> Iterator[str]:
    for node in nodes:
        for part in ast.walk(node):
            text = part.value if isinstance(part, ast.Constant) else None
            if isinstance(text, str) and VERB.fullmatch(text):
                yield text


FOUND = sorted(set(verbs_in_services()))


def test_the_verbs_of_the_services_are_found() -> None:
    assert {"round.published", "bot.benched", "penalty.given", "schedule.ran"} <= set(FOUND)
    assert len(FOUND) > 60


@pytest.mark.parametrize("verb", FOUND)
def test_a_verb_that_a_service_writes_down_has_words_in_both_languages(verb: str) -> None:
    assert verb in EVENT_NAMES
    with translation.override("en"):
        english = verb_name(verb)
    with translation.override("es"):
        spanish = verb_name(verb)
    assert english != verb
    assert spanish not in {verb, english}


def test_no_words_stand_for_what_nobody_writes_down() -> None:
    text = "\n".join(
        path.read_text(encoding="utf-8")
        for path in (*PACKAGE.glob("*/services.py"), *PACKAGE.glob("*/services/*.py"))
    )
    occurrences = set(re.findall(r'"([a-z_]+\.[a-z_]+)"', text))
    occurrences |= {REDACTED, BASELINE, STATED, SIGNED}  # written by the history itself
    assert {verb for verb in EVENT_NAMES if verb not in occurrences} == set()
