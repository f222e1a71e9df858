"""The admin is read-only: rows are shown, nothing is changed, no secret is shown."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, play_the_club_night, program, the_liguilla, the_round, user
from tests.support.scene_rows import reuse_rows
from tournaments.models import ApiToken, Round, Tournament
from tournaments.results.services.matches import dispute_result

pytestmark = pytest.mark.django_db

MODELS = [model for model in admin.site._registry if model._meta.app_label == "tournaments"]


@pytest.fixture
def liguilla(db: None) -> Tournament:
    return all_played()


@reuse_rows()
def all_played() -> Tournament:
    """The club night played, with a dispute and a token."""
    tournament = the_liguilla()
    play_the_club_night(tournament)
    match = the_round(tournament, 1).matches.all()[0]
    dispute_result(SYSTEM, match, "Mal.")
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


def change_of(account: User, **changes: Any) -> dict[str, Any]:
    """Return what the form of an account sends, with some things changed; None: left out."""
    form = {
        "username": account.username,
        "is_active": "on",
        "is_staff": "on",
        "is_superuser": "on",
        "date_joined_0": "2026-11-20",
        "date_joined_1": "20:00:00",
        **changes,
    }
    return {name: value for name, value in form.items() if value is not None}


@pytest.mark.parametrize("text", ["is_superuser", "is_active"])
def test_the_last_superuser_stays_one(root: Client, text: str) -> None:
    boss = User.objects.get(username="root")
    page = reverse("admin:auth_user_change", args=[boss.pk])
    response = root.post(page, change_of(boss, **{text: None}))
    assert response.status_code == 200
    assert "El servicio necesita un superusuario" in response.content.decode()
    boss.refresh_from_db()
    assert boss.is_active
    assert boss.is_superuser


def test_one_of_two_superusers_may_go(root: Client) -> None:
    boss = User.objects.get(username="root")
    User.objects.create_superuser("other")
    page = reverse("admin:auth_user_change", args=[boss.pk])
    assert root.post(page, change_of(boss, is_superuser=None)).status_code == 302
    boss.refresh_from_db()
    assert not boss.is_superuser


def test_a_suspended_superuser_does_not_count(root: Client) -> None:
    boss = User.objects.get(username="root")
    User.objects.create_superuser("other", is_active=False)
    page = reverse("admin:auth_user_change", args=[boss.pk])
    assert root.post(page, change_of(boss, is_superuser=None)).status_code == 200


def test_no_account_is_deleted_past_the_history(root: Client) -> None:
    other = user("ana")
    page = reverse("admin:auth_user_delete", args=[other.pk])
    assert root.post(page, {"post": "yes"}).status_code == 403
    fields = {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes"}
    root.post(reverse("admin:auth_user_changelist"), fields)
    assert User.objects.filter(pk=other.pk).exists()


def test_seeds_and_digests_are_not_shown(liguilla: Tournament, root: Client) -> None:
    round_, token = Round.objects.all()[0], ApiToken.objects.all()[0]
    page = root.get(reverse("admin:tournaments_round_change", args=[round_.pk]))
    assert round_.seed not in page.content.decode()
    page = root.get(reverse("admin:tournaments_apitoken_change", args=[token.pk]))
    assert token.digest not in page.content.decode()
