"""The page on regulations names pages, fields and codes that exist."""

import re
from dataclasses import fields

import engine
from tournaments.domain.pairing import FORMATS
from tournaments.domain.rows import Scale, StageRules
from tournaments.domain.season import SeasonCriterion
from tournaments.domain.tiebreaks import CRITERIA
from tournaments.environment import ROOT

PAGE = (ROOT / "docs/clubs/regulations.md").read_text(encoding="utf-8")
CODES = {field.name for row in (StageRules, Scale) for field in fields(row)}


def catalogue(name: str) -> str:
    """Return the texts of a catalogue, each joined to one line."""
    path = ROOT / "tournaments/locale" / name
    return path.read_text(encoding="utf-8").replace('"\n"', "")


def test_every_page_and_field_has_the_name_that_it_has_on_the_pages() -> None:
    names = set(re.findall(r"\*([^*\n]+)\*", PAGE)) - {"Italics"}
    texts = catalogue("es/LC_MESSAGES/django.po") + catalogue("en/LC_MESSAGES/domain.po")
    assert len(names) > 60
    assert sorted(name for name in names if f'"{name}' not in texts) == []


def test_every_code_is_one_of_the_api_or_of_a_file() -> None:
    api = (ROOT / "docs/openapi.json").read_text(encoding="utf-8")
    codes = set(re.findall(r"`([^`\s]+)`", re.sub(r"\]\([^)]*\)", "]", PAGE)))
    addresses = {code for code in codes if code.endswith("/")}
    names = {name for code in codes - addresses for name in code.split(".") if name}
    known = {
        *CODES,
        *FORMATS,
        *engine.HOUSE_RULES,
        *CRITERIA,
        *SeasonCriterion,
        *re.findall(r'"([a-z_]+)":', api),
    }
    assert len(addresses) > 10
    assert len(names) > 50
    assert sorted(code for code in addresses if f"/{code}" not in api) == []
    assert sorted(names - known) == []
