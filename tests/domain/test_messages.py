"""Every code of the domain, the papers and the commands has its message in every language."""

import ast
import re
from collections.abc import Iterator
from dataclasses import fields as fields_of
from functools import cache
from pathlib import Path
from string import Formatter

import polib
import pytest

import engine
from tests.domain.crosstables import FORMATS as CROSSTABLES
from tests.domain.crosstables import crosstable
from tests.domain.test_tiebreaks_exercises import LONGER, ROUND_ROBIN, SWISS
from tournaments.domain import ranking
from tournaments.domain.messages import (
    FOLDER,
    LANGUAGES,
    criterion_message,
    explain,
    has_message,
    message,
)
from tournaments.domain.movements.balance import Imbalance
from tournaments.domain.movements.threes import Imbalance as ThreesImbalance
from tournaments.domain.pairing import FORMATS, costs, ladder
from tournaments.domain.pairing.base import PairingReason
from tournaments.domain.pairing.individual import _quality as individual_quality
from tournaments.domain.plans import PLANS
from tournaments.domain.profiles import PROFILES
from tournaments.domain.ranking import tally_of
from tournaments.domain.rows import Edition, Penalty, Points, Seeding
from tournaments.domain.rulebook import CHAPTERS, ROWS, RULES
from tournaments.domain.season import PlaceScale
from tournaments.domain.tiebreaks import CRITERIA
from tournaments.environment import ROOT

TOURNAMENTS = ROOT / "tournaments"
DOMAIN = TOURNAMENTS / "domain"


def messages_of(language: str) -> dict[str, str]:
    path = FOLDER / language / "LC_MESSAGES" / "domain.po"
    return {entry.msgid: entry.msgstr for entry in polib.pofile(str(path))}


ENGLISH = messages_of("en")


def ids_of(group: str) -> set[str]:
    """Return the codes of a group that have a message."""
    return {name.partition(".")[2] for name in ENGLISH if name.startswith(f"{group}.")}


def strings(node: ast.AST) -> Iterator[str]:
    for child in ast.walk(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            yield child.value


@cache
def calls_by_file() -> dict[Path, list[tuple[str, ast.Call]]]:
    """Return every call below `tournaments` with the last name of what is called."""
    calls: dict[Path, list[tuple[str, ast.Call]]] = {}
    for path in TOURNAMENTS.rglob("*.py"):
        calls[path] = [
            (getattr(node.func, "attr", "") or getattr(node.func, "id", ""), node)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
            if isinstance(node, ast.Call)
        ]
    return calls


def calls(*names: str, folder: Path = DOMAIN) -> Iterator[ast.Call]:
    for path, result in calls_by_file().items():
        if path.is_relative_to(folder):
            yield from (node for name, node in result if name in names)


def codes_in_calls(*names: str, place: int = 0, folder: Path = DOMAIN) -> set[str]:
    """Return the codes that are written out where one of the functions is called."""
    texts = set()
    for call in calls(*names, folder=folder):
        for argument in call.args[place : place + 1]:
            choices = [argument]
            if isinstance(argument, ast.IfExp):
                choices = [argument.body, argument.orelse]
            texts |= {
                text
                for choice in choices
                if isinstance(choice, ast.Constant)
                for text in strings(choice)
            }
    return texts


@cache
def codes() -> dict[str, set[str]]:
    """Return the codes by group, as far as they are written out or registered somewhere."""
    return {
        "pairing": codes_in_calls("Why")
        | {
            f"seeding_{seeding}"
            for seeding in Seeding
            if seeding not in {Seeding.AUTO, Seeding.ORDER}
        },
        "cannot_draw": codes_in_calls("CannotDraw", folder=TOURNAMENTS),
        "cannot_rank": codes_in_calls("CannotRank", folder=TOURNAMENTS),
        "file": codes_in_calls("FileError", folder=TOURNAMENTS) - {"wrong_type"}
        | {f"wrong_type.{kind}" for kind in codes_in_calls("wrong", place=1)},
        "verify": codes_in_calls("Finding"),
        "trail": codes_in_calls("TrailError", "Fault", "_add", folder=DOMAIN / "trail")
        - {"truncated", "rewritten"}
        | {
            f"{code}.{by}"
            for code in ("truncated", "rewritten")
            for by in ("counter", "checkpoint")
        },
        "criterion": set(CRITERIA),
        "column": set(CRITERIA),
        "decided": {
            *(ranking.SHARED, ranking.LOTS, ranking.EXIT_ROUND, ranking.GROUP_PLACE),
            ranking.LEFT_UNPLAYED,
        },
        "profile": {f"{name}{part}" for name in PROFILES for part in ("", ".for")},
        "quality": {*costs.CRITERIA, *ladder.CRITERIA, *individual_quality(Imbalance())}
        | {field.name for field in fields_of(ThreesImbalance)}
        | {text for call in calls("Draw") for sums in call.args[2:] for text in strings(sums)},
        "season": set(PlaceScale),
        "plan": {f"{name}{part}" for name in PLANS for part in ("", ".for")},
        "ask": {
            name
            for plan in PLANS.values()
            for question in (*plan.asks, *plan.scoring)
            for name in (question.name, *(f"{question.name}.{one}" for one in question.words))
        },
        "format": set(FORMATS),
        "rule": {*CHAPTERS, *RULES},
        "rules": set(ROWS),
        "paper": codes_in_calls("message", folder=TOURNAMENTS / "sheets")
        | {f"month_{number}" for number in range(1, 13)}
        | {f"place_n{suffix}" for suffix in ("", "st", "nd", "rd")},
    }


GROUPS = (
    "pairing",
    "cannot_draw",
    "cannot_rank",
    "file",
    "verify",
    "trail",
    "criterion",
    "column",
    "decided",
    "profile",
    "quality",
    "season",
    "plan",
    "ask",
    "format",
    "rule",
    "rules",
    "paper",
)
"""Groups of codes; they are found in the test, since reading all modules takes seconds."""

COMPOSED = {
    *(f"{row}.{getattr(rules, row, '')}" for row in ROWS for rules in engine.RULESETS.values()),
    "after_1",
    "duplicate_howell",
    "duplicate_mitchell",
    "first_to_1",
    "fixed_1",
    "lower_board",
    "main_board",
    "place_1",
    "place_2",
    "place_3",
    *(f"{side}_v_{other}" for side in ("seed", "winner", "loser") for other in ("seed", "winner")),
    "loser_v_loser",
}
"""Codes that the programs put together of two."""


@pytest.mark.parametrize("group", GROUPS)
def test_every_code_has_a_message(group: str) -> None:
    assert set(GROUPS) == set(codes())
    assert codes()[group], "no codes were found"
    assert sorted(codes()[group] - ids_of(group)) == []


def test_every_message_that_is_asked_for_by_its_id_is_there() -> None:
    groups = "|".join({name.partition(".")[0] for name in ENGLISH})
    an_id = re.compile(rf"(?:{groups})\.[a-z_.]*[a-z]")
    texts = {
        text
        for call in calls("message", "words", "_said", folder=TOURNAMENTS)
        for text in strings(call)
        if an_id.fullmatch(text)
    }
    assert len(texts) > 10
    assert sorted(texts - ENGLISH.keys()) == []


@pytest.mark.slow
def test_no_message_is_left_that_nobody_asks_for() -> None:
    texts = {
        text
        for path in TOURNAMENTS.rglob("*.py")
        if "migrations" not in path.parts
        for text in strings(ast.parse(path.read_text(encoding="utf-8")))
    }
    composed = texts | COMPOSED | {code for group in codes().values() for code in group}
    for name in ENGLISH:
        code = name.partition(".")[2].removesuffix(".for").removesuffix(".help")
        assert {name, code, code.rpartition(".")[2]} & composed, name


def test_criteria_that_count_cotos_have_a_name_and_a_heading_for_them() -> None:
    texts, headed = (
        {code.removeprefix("cotos.") for code in ids_of(kind) if code.startswith("cotos.")}
        for kind in ("criterion", "column")
    )
    assert texts == headed
    assert texts < CRITERIA.keys()


def test_every_addend_that_is_shown_has_a_message() -> None:
    for edition in Edition:
        for lines, format_ in ((SWISS, "swiss"), (LONGER, "swiss"), (ROUND_ROBIN, "preset")):
            penalties = (Penalty(1, 1, Points(1), 1, 1),)
            rows = crosstable(lines, format_, edition=edition, penalties=penalties)
            tally = tally_of(rows, rows.stages[0], formats=CROSSTABLES)
            for criterion in CRITERIA.values():
                for entrant in rows.stages[0].entrants:
                    for term in criterion.terms(tally, entrant, rows.stages[0].entrants):
                        assert has_message(f"term.{term.note}"), term.note
                        assert not term.cut or has_message(f"cut.{term.cut}"), term.cut


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_has_a_message_for_each_id_with_the_same_facts(language: str) -> None:
    other = messages_of(language)
    assert [name for name, text in other.items() if not text] == []
    assert set(other) == set(ENGLISH)
    assert [name for name in ENGLISH if fields(ENGLISH[name]) != fields(other[name])] == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_compiled_catalogue_is_that_of_the_text(language: str) -> None:
    path = FOLDER / language / "LC_MESSAGES" / "domain.mo"
    compiled = {entry.msgid: entry.msgstr for entry in polib.mofile(str(path))}
    assert compiled == messages_of(language)


def test_a_pairing_is_explained_in_german() -> None:
    reason = PairingReason("swiss_level", 1, (1, 2), {"points": "3"})
    text = explain(reason, {1: "Anna", 2: "Ben"}.__getitem__, "de")
    assert text == "Anna und Ben haben dieselben Punkte (3)."
    assert message("de", "profile.knockout") == "K.-o."


def test_a_language_without_a_catalogue_is_answered_in_spanish() -> None:
    assert message("fi", "profile.knockout") == message("es", "profile.knockout")


def test_a_criterion_counts_hands_or_cotos() -> None:
    assert criterion_message("en", "criterion", "hands_for") == "Hands won"
    assert criterion_message("en", "criterion", "hands_for", cotos=2) == "Cotos won"
    assert criterion_message("en", "column", "buchholz", cotos=2) == "BH"


def test_a_missing_message_is_named() -> None:
    with pytest.raises(KeyError, match=r"de: no message 'pairing\.nothing'"):
        explain(PairingReason("nothing", 1), str, "de")


def fields(text: str) -> set[str]:
    return {field for _text, field, _spec, _conversion in Formatter().parse(text) if field}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_number_in_a_message_is_not_counted_in_times(language: str) -> None:
    pattern = re.compile(r"\} (veces|times)\b")
    assert [name for name, text in messages_of(language).items() if pattern.search(text)] == []
