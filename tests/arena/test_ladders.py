"""Ladders without an organiser: an author enters a bot that is ready, and it plays and is rated."""

import json
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from tests.clubs import SYSTEM, a_club, stranger, user
from tests.support.bot_tables import a_program, house_bot, text_of_example
from tests.support.caller import Caller, problem
from tests.support.refusals import refusal
from tests.support.remote import a_remote_bot
from tournaments.accounts.services.invitations import issue_token
from tournaments.arena.queries.ladders import ladder_of, ladders_of_bot
from tournaments.arena.services import ladders
from tournaments.arena.services.ladders import enter_bot, withdraw_bot
from tournaments.arena.services.playing import play_matches
from tournaments.arena.tasks import tick
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.domain.match_parts import TWO_SIDED
from tournaments.models import (
    Absence,
    Bot,
    Club,
    Match,
    Player,
    Rating,
    Round,
    Schedule,
    Tournament,
)
from tournaments.ratings.services import rebuild_ratings

pytestmark = pytest.mark.django_db

ONLINE = "parejas-online"


@pytest.fixture
def club(monkeypatch: pytest.MonkeyPatch) -> Club:
    monkeypatch.setattr(ladders, "DEAL_SETS", 1)
    monkeypatch.setattr(ladders, "QUICK", (Bot.Kind.RANDOM, Bot.Kind.SIMPLE))
    return a_club()


@pytest.fixture
def author(club: Club) -> Actor:
    account = user("pilar")
    Player.objects.create(club=club, code="J1", name="Pilar", folded="pilar", user=account)
    return Actor.for_user(account)


def owned(bot: Bot, author: Actor) -> Bot:
    bot.owner = author.user
    bot.save()
    return bot


def brought(author: Actor, club: Club, name: str = "Ensayo") -> Bot:
    """A bot of the author that plays without a process of its own."""
    fields = {"kind": Bot.Kind.RANDOM, "club": club, "owner": author.user}
    return Bot.objects.create(name=name, slug=name.lower(), **fields)


def the_ladder(club: Club) -> Tournament:
    ladder = ladder_of(club, ONLINE)
    assert ladder is not None
    return ladder


def play_all(ladder: Tournament) -> None:
    """Have the open round played, as a worker does, and closed by the scheduler."""
    play_matches(
        *Match.objects.due().filter(round__stage__tournament=ladder).values_list("pk", flat=True)
    )
    tick()


def playing(ladder: Tournament, number: int) -> set[str]:
    matches = Match.objects.with_names().filter(round__stage__tournament=ladder)
    pairs = matches.filter(round__number=number, away__isnull=False)
    return {entry.name for match in pairs for entry in (match.home, match.away) if entry}


def test_a_bot_that_is_ready_gets_its_rating_without_an_organiser(
    club: Club, author: Actor, client: Client
) -> None:
    bot = owned(a_program(text_of_example("first_steps.py")), author)
    assert author.user is not None
    client.force_login(author.user)
    offered = client.get("/bots/", headers={"accept-language": "en"}).content.decode()
    assert f'on no ladder yet: <a href="/bots/{bot.slug}/#ladders">' in offered
    button = f"/bots/{bot.slug}/ladders/{ONLINE}/enter/"
    assert button in client.get(f"/bots/{bot.slug}/").content.decode()
    assert client.post(button).status_code == 302
    ladder = the_ladder(club)
    for _ in range(2):  # of an odd number it may rest in the first round
        play_all(ladder)
    assert not Round.objects.exclude(state=Round.State.CLOSED).exists()
    rebuild_ratings(ONLINE)
    rating = Rating.objects.get(bot=bot)
    assert (rating.matches, rating.estimate.is_provisional) == (1, True)
    page = client.get(f"/t/{ladder.slug}/", headers={"accept-language": "en"}).content.decode()
    assert f"/bots/{bot.slug}/ladders/{ONLINE}/withdraw/" in page
    assert "Next round:" in page
    assert (
        "on no ladder yet"
        not in client.get("/bots/", headers={"accept-language": "en"}).content.decode()
    )


@pytest.mark.parametrize("ruleset", TWO_SIDED)
def test_every_ruleset_that_is_offered_has_its_ladder(
    ruleset: str, club: Club, author: Actor
) -> None:
    bot = brought(author, club)
    assert ruleset in {row.ruleset for row in ladders_of_bot(bot, author)}
    ladder = enter_bot(author, bot, ruleset).tournament
    play_all(ladder)
    assert ladder.stages.get().rounds.get(number=1).state == Round.State.CLOSED


def test_over_the_api_it_is_withdrawn_and_comes_back(club: Club, author: Actor) -> None:
    bot = brought(author, club)

    def caller(*scopes: str) -> Caller:
        return Caller(issue_token(SYSTEM, club, user("pilar"), name="suyo", scopes=scopes)[1])

    body = json.dumps({"ruleset": ONLINE})
    path, runs = f"bots/{bot.slug}/", caller("bots:run")
    problem(caller("games:submit").submit(f"{path}enter/", body), 403, "forbidden")
    answer = json.loads(runs.submit(f"{path}enter/", body).content)
    assert (answer["entry"], answer["round"]) == (3, 1)
    row = next(row for row in runs.read(path)["ladders"] if row["ruleset"] == ONLINE)
    assert (row["tournament"], row["is_in"]) == (the_ladder(club).slug, True)
    assert Caller().read(path)["ladders"] == []
    runs.submit(f"{path}withdraw/", body, key="out")
    problem(runs.submit(f"{path}withdraw/", body, key="again"), 409, "already_away")
    assert runs.submit(f"{path}enter/", body, key="back").status_code == 201
    assert not Absence.objects.filter(until_round=None).exists()
    assert the_ladder(club).entries.filter(bot=bot).count() == 1


def test_a_connected_bot_is_drawn_only_while_its_client_asks(club: Club, author: Actor) -> None:
    here, silent = owned(a_remote_bot(club), author), owned(a_remote_bot(club, "Otro"), author)
    token = issue_token(SYSTEM, club, user("pilar"), name="suyo", scopes=["bots:run"])[1]
    enter_bot(author, silent, ONLINE)
    ladder = the_ladder(club)
    assert playing(ladder, 1) == {"Azar", "Sencillo"}
    play_all(ladder)
    enter_bot(author, silent, ONLINE)
    tick()
    assert ladder.stages.get().rounds.count() == 1  # for a silent one none begins
    assert Absence.objects.get(entry__bot=silent).kind == Absence.Kind.BENCHED
    enter_bot(author, here, ONLINE)
    Caller(token).read(f"bots/{here.slug}/turns/")
    tick()
    assert here.name in playing(ladder, 2)
    assert silent.name not in playing(ladder, 2)


def test_a_full_ladder_is_continued_by_the_next_one(
    club: Club, author: Actor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ladders, "MAX_ROUNDS", 1)
    bot, gone = brought(author, club), brought(author, club, "Otra")
    with translation.override("es"):
        enter_bot(author, bot, ONLINE)
    first = the_ladder(club)
    Schedule.objects.update(zone="Atlantic/Canary")
    enter_bot(author, gone, ONLINE)
    withdraw_bot(author, gone, ONLINE)
    tick()
    assert the_ladder(club) == first  # its round is open
    play_all(first)
    tick()
    following = the_ladder(club)
    first.refresh_from_db()
    assert (first.state, following.name) == (Tournament.State.FINISHED, f"{first.name} 2")
    assert following.entries.filter(bot=bot).exists()
    assert not following.entries.filter(bot=gone).exists()
    assert following.schedule.zone == "Atlantic/Canary"


def test_it_is_for_authors_where_it_is_on(club: Club, author: Actor, settings: Any) -> None:
    bot = brought(author, club)
    for actor, ruleset, reason in (
        (stranger(), ONLINE, Reason.FORBIDDEN),
        (author, "arrastrado", Reason.WRONG_SEATS),
        (author, "brisca", Reason.UNKNOWN_RULESET),
    ):
        with refusal(reason):
            enter_bot(actor, bot, ruleset)
    with refusal(Reason.FORBIDDEN):
        enter_bot(SYSTEM, house_bot("simple"), ONLINE)
    enter_bot(author, bot, ONLINE)
    settings.LADDERS = False
    assert not Schedule.objects.active().exists()
    with refusal(Reason.FORBIDDEN):
        withdraw_bot(author, bot, ONLINE)
