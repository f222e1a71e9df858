"""docs/operators/privacy.md names every column of personal data, and what becomes of it."""

from __future__ import annotations

import re

import pytest
from django.apps import apps
from django.db import models

from tournaments.domain.personal_data import CLUB_OF, COLUMNS, PersonalDataKind, searched_columns
from tournaments.environment import KEEP_DAYS, ROOT
from tournaments.profiles.services.erasing import KINDS

DOCUMENT = (ROOT / "docs/operators/privacy.md").read_text(encoding="utf-8")
TEXTS = (
    models.CharField,
    models.TextField,
    models.JSONField,
    models.GenericIPAddressField,
    models.BinaryField,
    models.FileField,
)


def columns_of_models() -> set[tuple[str, str]]:
    return {
        (model.__name__, field.name)
        for model in apps.get_models(include_auto_created=True)
        for field in model._meta.concrete_fields
        if isinstance(field, TEXTS)
    }


def documented() -> dict[tuple[str, str], PersonalDataKind]:
    table = DOCUMENT[DOCUMENT.index("## Every column") :]
    return {
        (model, column): PersonalDataKind(kind)
        for model, cells in re.findall(r"^- `(\w+)`: (.*)$", table, re.MULTILINE)
        for kind, columns in re.findall(r"(\w+): ((?:`\w+`(?:, )?)+)", cells)
        for column in re.findall(r"`(\w+)`", columns)
    }


def test_every_column_with_text_is_known_to_be_personal_or_not() -> None:
    assert set(COLUMNS) == columns_of_models()


def test_the_document_says_of_every_column_what_the_service_does_with_it() -> None:
    assert documented() == {
        at: holds for at, holds in COLUMNS.items() if holds != PersonalDataKind.PLAIN
    }


def test_no_two_models_share_the_name_by_which_their_columns_are_known() -> None:
    names = [model.__name__ for model in apps.get_models(include_auto_created=True)]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("name", sorted(CLUB_OF))
def test_rows_that_are_searched_lead_to_their_club(name: str) -> None:
    model = next(model for model in apps.get_models() if model.__name__ == name)
    for path in CLUB_OF[name].split():
        model._default_manager.filter(**{f"{path}__slug": ""})
    assert name in searched_columns() or name == "Record"


def test_the_days_of_the_document_are_those_of_the_settings() -> None:
    rows = re.findall(r"^\| `(\w+)` \| .* \| (\d+) \|$", DOCUMENT, re.MULTILINE)
    assert {kind: int(days) for kind, days in rows} == KEEP_DAYS
    assert set(KINDS) == set(KEEP_DAYS)
