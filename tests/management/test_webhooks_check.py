"""`manage.py check` warns where webhooks may lead into one's own network."""

from dataclasses import replace

import pytest
from django.conf import settings
from django.core.checks import Tags, run_checks

from tournaments.apps import PRIVATE_WEBHOOKS


def warned() -> list[str | None]:
    return [check_outcome.id for check_outcome in run_checks(tags=[Tags.security])]


@pytest.mark.slow
def test_private_webhooks_are_warned_of(monkeypatch: pytest.MonkeyPatch) -> None:
    assert PRIVATE_WEBHOOKS not in warned()
    let_in = replace(settings.ENVIRONMENT, webhooks_to_private=True)
    monkeypatch.setattr(settings, "ENVIRONMENT", let_in)
    assert PRIVATE_WEBHOOKS in warned()
