"""The admin is a window: rows are seen, nothing is changed, no secret is told."""

import pytest
from django.contrib import admin
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, play_the_club_night, program, the_liguilla, the_round, user
from tournaments.models import ApiToken, Round, Tournament
from tournaments.services.matches import open_dispute

pytestmark = pytest.mark.django_db

MODELS = [model for model in admin.site._registry if model._meta.app_label == "tournaments"]


@pytest.fixture
def liguilla(db: None) -> Tournament:
    """The club night played, with a dispute and a token."""
    tournament = the_liguilla()
    play_the_club_night(tournament)
    match = the_round(tournament, 1).matches.all()[0]
    open_dispute(SYSTEM, match, "Mal.")
    program(tournament.club, "games:submit")
    return tournament


@pytest.fixture
def root() -> Client:
    """The browser of a superuser."""
    boss = user("root")
    boss.is_staff = boss.is_superuser = True
    boss.save()
    client = Client()
    client.force_login(boss)
    return client


@pytest.mark.parametrize("model", MODELS, ids=lambda model: model._meta.model_name)
def test_rows_can_be_looked_at_and_not_changed(
    liguilla: Tournament, root: Client, model: type
) -> None:
    name = model._meta.model_name  # type: ignore[attr-defined]
    row = model.objects.all()[0]  # type: ignore[attr-defined]
    assert root.get(reverse(f"admin:tournaments_{name}_changelist")).status_code == 200
    page = reverse(f"admin:tournaments_{name}_change", args=[row.pk])
    assert root.get(page).status_code == 200
    assert root.post(page, {}).status_code == 403
    assert root.get(reverse(f"admin:tournaments_{name}_add")).status_code == 403
    assert root.get(reverse(f"admin:tournaments_{name}_delete", args=[row.pk])).status_code == 403


def test_seeds_and_digests_are_not_shown(liguilla: Tournament, root: Client) -> None:
    round_, token = Round.objects.all()[0], ApiToken.objects.all()[0]
    page = root.get(reverse("admin:tournaments_round_change", args=[round_.pk]))
    assert round_.seed not in page.content.decode()
    page = root.get(reverse("admin:tournaments_apitoken_change", args=[token.pk]))
    assert token.digest not in page.content.decode()
