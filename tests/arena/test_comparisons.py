"""Two versions of a bot are compared by their author: on its page, by the workers."""

from __future__ import annotations

import json
import re
from collections import Counter
from datetime import timedelta
from typing import Any

import pytest
from django.apps import apps
from django.test import Client
from django.utils import timezone

import engine
from tests.clubs import organiser, stranger, user
from tests.support.bot_tables import (
    a_bot_match,
    a_perl_program,
    house_bot,
    played,
    the_club,
    two_versions,
)
from tests.support.refusals import refusal
from tournaments.arena.services.comparisons import (
    MAX_KEPT,
    compare_versions,
    keep_comparison,
    play_comparison,
    stop_comparison,
    wake_due,
)
from tournaments.arena.tasks import sweep
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.models import (
    AuditEvent,
    Bot,
    BotVersion,
    ComparedSet,
    Player,
    VersionComparison,
)

pytestmark = pytest.mark.django_db

DUEL = "mano-a-mano"


@pytest.fixture
def bot() -> Bot:
    """A bot of Ada, a player of the club: its versions play the first and the last legal card."""
    bot = two_versions()
    Player.objects.create(club=the_club(), code="J99", name="Ada", folded="ada", user=user("ada"))
    Bot.objects.filter(pk=bot.pk).update(owner=user("ada"))
    return Bot.objects.select_related("club").get(pk=bot.pk)


@pytest.fixture
def ada(bot: Bot) -> Actor:
    return Actor.for_user(user("ada"))


def compared(actor: Actor, bot: Bot, **more: Any) -> VersionComparison:
    """Compare the newest version with the one before."""
    newest, before, *_ = bot.versions.all()
    return compare_versions(actor, bot, newest, before, **{"ruleset": DUEL, **more})


def rows() -> Counter[str]:
    """Count the rows of every kind."""
    return Counter({model.__name__: model._default_manager.count() for model in apps.get_models()})


def with_sets(comparison: VersionComparison, *points: tuple[int, int]) -> VersionComparison:
    """Store deal sets as if they had been played."""
    for number, (version_points, base_points) in enumerate(points, 1):
        comparison.played.create(
            number=number,
            version_points=version_points,
            base_points=base_points,
            forfeits=[{}, {}],
            records=b"x\x9c\x03\x00\x00\x00\x00\x01",
        )
    return comparison


def ended(comparison: VersionComparison, days: int) -> VersionComparison:
    """Have a comparison ended so many days ago."""
    past = {"outcome": "stopped", "ended_at": timezone.now() - timedelta(days=days)}
    VersionComparison.objects.filter(pk=comparison.pk).update(**past)
    return comparison


def test_an_author_compares_two_versions_by_one_press(bot: Bot, ada: Actor) -> None:
    client = Client(headers={"accept-language": "en"})
    client.force_login(user("ada"))
    page = client.get("/bots/programa/").content.decode()
    selected = r'<select name="(version|base)".*?<option value="([^"]+)" selected'
    form = dict(re.findall(selected, page, re.DOTALL))
    assert form == {"version": "2", "base": "1"}
    before = rows()
    answer = client.post("/bots/programa/comparisons/new/", {**form, "ruleset": DUEL, "sets": "40"})
    comparison = VersionComparison.objects.get()
    assert answer.headers["Location"] == f"/bots/programa/comparisons/{comparison.pk}/"
    with_sets(comparison, *[(150 + number % 5, 110) for number in range(29)])
    address = answer.headers["Location"]
    assert client.get(f"{address}?seen=29").status_code == 204
    assert b'id="compared"' in client.get(f"{address}?seen=28").content
    play_comparison(comparison.pk)
    assert client.get(f"{address}?seen=29").headers["HX-Refresh"] == "true"
    played = list(comparison.played.all())
    assert [row.number for row in played] == list(range(1, 31))
    page = " ".join(client.get(address).content.decode().split())
    for text in (
        "Version 2 against version 1",
        "better than the other",
        "30/40",
        "after 30 deal sets",
        "2.94",
    ):
        assert text in page
    body = client.get(f"/bots/programa/comparisons/{comparison.pk}/records.ndjson").content
    *lines, trailer = body.splitlines()
    assert json.loads(trailer)["count"] == len(lines) == 2
    assert all(engine.audit(line).valid for line in lines)
    deals = [[hand["deal"] for hand in json.loads(line)["hands"]] for line in lines]
    assert deals[0] == deals[1], "both halves of a set have the same cards"
    # It is no tournament: nothing else in the whole database knows of it.
    grown = rows() - before
    grown = Counter({name: count for name, count in grown.items() if "Session" not in name})
    assert grown == {"VersionComparison": 1, "ComparedSet": 30, "AuditEvent": 1}
    assert AuditEvent.objects.get(verb="bot.versions_compared").facts["version"] == 2


def test_a_comparison_is_refused(bot: Bot, ada: Actor) -> None:
    newest, before = bot.versions.all()
    for actor in (stranger(), Actor.anonymous()):
        with refusal(Reason.SIGN_IN if actor.is_anonymous else Reason.FORBIDDEN):
            compared(actor, bot)
    with refusal(Reason.SAME_VERSION):
        compare_versions(ada, bot, newest, newest, ruleset=DUEL)
    for more in ({"ruleset": "arrastrado"}, {"sets": 1001}, {"sets": 0}):
        with refusal(Reason.BAD_OPTIONS):
            compared(ada, bot, **more)
    Bot.objects.update(rulesets=["cuatro"])
    with refusal(Reason.NOT_ITS_RULESET):
        compared(ada, bot)
    Bot.objects.update(rulesets=[])
    first = compared(ada, bot)
    with refusal(Reason.COMPARISON_RUNNING):
        compared(organiser(the_club()), bot)
    client = Client()
    client.force_login(user("elena"))
    assert client.get(f"/bots/programa/comparisons/{first.pk}/").status_code == 404
    stop_comparison(ada, first)
    assert first.outcome == "stopped"
    ended_at = first.ended_at
    stop_comparison(ada, first)
    assert first.ended_at == ended_at, "said twice, nothing changes"
    BotVersion.objects.filter(pk=before.pk).update(state=BotVersion.State.REFUSED)
    with refusal(Reason.NO_READY_VERSION):
        compared(ada, bot)


def test_a_version_that_loses_all_by_faults_ends_it(bot: Bot, ada: Actor) -> None:
    a_perl_program("no such card")
    comparison = compared(ada, bot)
    play_comparison(comparison.pk)
    comparison.refresh_from_db()
    assert (comparison.outcome, comparison.played.count()) == ("forfeits", 3)
    assert all(row.forfeits == [{"illegal_play": 2}, {}] for row in comparison.played.all())
    assert not Bot.objects.get(pk=bot.pk).benched_at


def test_the_rounds_of_organisers_come_first(bot: Bot, ada: Actor) -> None:
    comparison = compared(ada, bot, sets=1)
    match = a_bot_match(house_bot("random", 1), house_bot("random", 2))
    play_comparison(comparison.pk)
    assert (wake_due(), comparison.played.count()) == (0, 0)
    played(match)
    assert wake_due() == 1
    play_comparison(comparison.pk)
    comparison.refresh_from_db()
    assert (comparison.outcome, comparison.played.count()) == ("undecided", 1)


def test_a_killed_worker_plays_no_set_twice(bot: Bot, ada: Actor) -> None:
    comparison = with_sets(compared(ada, bot, sets=2), (130, 120))
    VersionComparison.objects.update(
        lease_token="of the dead", lease_until=timezone.now() + timedelta(minutes=1), tries=1
    )
    play_comparison(comparison.pk)
    assert comparison.played.count() == 1, "another worker holds it"
    VersionComparison.objects.update(lease_until=timezone.now() - timedelta(seconds=1))
    play_comparison(comparison.pk)
    play_comparison(comparison.pk)
    comparison.refresh_from_db()
    assert (comparison.outcome, comparison.played.count()) == ("undecided", 2)
    other = compared(ada, bot)
    VersionComparison.objects.filter(pk=other.pk).update(tries=3)
    sweep()
    other.refresh_from_db()
    assert other.outcome == "broken"


def test_it_is_deleted_after_thirty_days_unless_it_is_kept(bot: Bot, ada: Actor) -> None:
    kept = [ended(compared(ada, bot), 40) for _ in range(MAX_KEPT)]
    for comparison in kept:
        keep_comparison(ada, comparison)
    old, young = ended(with_sets(compared(ada, bot), (130, 90)), 31), ended(compared(ada, bot), 29)
    with refusal(Reason.TOO_MANY_KEPT):
        keep_comparison(ada, old)
    playing = compared(ada, bot)
    sweep()
    left = set(VersionComparison.objects.values_list("pk", flat=True))
    assert left == {row.pk for row in (*kept, young, playing)}
    assert not ComparedSet.objects.exists()
    keep_comparison(ada, kept[0], kept=False)
    sweep()
    assert VersionComparison.objects.filter(kept=True).count() == MAX_KEPT - 1
