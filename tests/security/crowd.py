"""Everybody who may knock at the doors: the five of the pages' matrix, and four more."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.test import Client

from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services.tournaments import set_visibility
from tournaments.models import Entry, Membership, Tournament
from tournaments.people.services import clubs

if TYPE_CHECKING:
    from django.contrib.auth.models import User

SECRET = "Torneo Zarzamora"
"""The name of a private tournament, which is written nowhere else."""

LIKE = {"neighbour": "outsider", "code": "", "staff": "outsider", "root": "organiser"}
"""Whom of the matrix each of the others is answered like, unless a row says otherwise.

``neighbour`` organises another club, ``code`` has given the code of the first entry and is not
signed in, ``staff`` founds clubs, ``root`` is a superuser.
"""


def crowded(scene: scenes.Scene) -> scenes.Scene:
    """Add to the users of a scene those of other clubs and of the service."""
    system = Actor.system()
    elsewhere = clubs.create_club(system, name="Casino de Huesca")
    scene.users["neighbour"] = scenes.user_named("neighbour")
    clubs.add_member(system, elsewhere, scene.users["neighbour"], Membership.Role.ORGANISER)
    scene.users["staff"] = scenes.user_named("staff", is_staff=True)
    scene.users["root"] = scenes.user_named("root", is_staff=True, is_superuser=True)
    return scene


def private(scene: scenes.Scene) -> scenes.Scene:
    """Make the tournament of a scene private, under a name of its own."""
    Tournament.objects.filter(pk=scene.tournament.pk).update(name=SECRET)
    scene.tournament.refresh_from_db()
    scene.tournament = set_visibility(scene.organiser, scene.tournament, "private")
    return scene


def visitor(scene: scenes.Scene, role: str) -> Client:
    """Return the browser of one of them; of nobody with an empty role."""
    client = Client()
    if role == "code":
        session = client.session
        entry = Entry.objects.filter(tournament=scene.tournament).order_by("number")[0]
        session[ENTRY_CODES] = {scene.tournament.slug: entry.code}
        session.save()
    elif role:
        client.force_login(account_of(scene, role), "django.contrib.auth.backends.ModelBackend")
    return client


def account_of(scene: scenes.Scene, role: str) -> User:
    """Return the account of a role."""
    return scene.users[role]
