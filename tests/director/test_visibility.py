"""Who sees a tournament: said by an organiser, kept by every count outside it."""

import pytest
from django.test import Client

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    club_night_lines,
    link_player,
    organiser,
    stranger,
    the_liguilla,
    the_match,
    user,
)
from tests.support.bot_tables import a_bot_round, house_bot
from tests.support.caller import Caller
from tournaments.accounts.services.invitations import issue_token
from tournaments.core import permissions
from tournaments.core.errors import Reason, Refusal
from tournaments.core.permissions import Actor
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.settings import NewTournament, Terms
from tournaments.director.services.tournaments import create_tournament, set_visibility
from tournaments.live.queries.feed import feeds
from tournaments.models import AuditEvent, Bot, Player, Tournament
from tournaments.profiles.queries.meetings import competitor_of_player, matches_of
from tournaments.profiles.queries.statistics import statistics_page
from tournaments.ratings.queries.history import rated_history, stale_rulesets
from tournaments.ratings.services import rebuild_ratings
from tournaments.results.services.submit import submit_record
from tournaments.webhooks.services.deliveries import _public_events

pytestmark = pytest.mark.django_db
PRIVATE, PUBLIC = Tournament.Visibility.PRIVATE, Tournament.Visibility.PUBLIC


@pytest.fixture
def played() -> Tournament:
    """A tournament in which one match has been played."""
    tournament = the_liguilla(published=1)
    submit_record(SYSTEM, the_match(tournament, 1, 1), club_night_lines()[0])
    tournament.refresh_from_db()
    return tournament


def test_an_organiser_says_who_sees_it_and_the_history_shows(played: Tournament) -> None:
    before = played.version
    assert set_visibility(organiser(played.club), played, PRIVATE).visibility == PRIVATE
    played.refresh_from_db()
    assert played.version > before
    event = AuditEvent.objects.get(verb="tournament.shown")
    assert event.facts == {"visibility": "private"}


def test_said_again_it_changes_nothing(played: Tournament) -> None:
    assert set_visibility(SYSTEM, played, PUBLIC).version == played.version
    assert not AuditEvent.objects.filter(verb="tournament.shown").exists()


@pytest.mark.parametrize("actor", [arbiter, lambda _: stranger(), lambda _: NOBODY])
def test_nobody_else_says_it(played: Tournament, actor: object) -> None:
    assert callable(actor)
    with pytest.raises(Refusal):
        set_visibility(actor(played.club), played, PRIVATE)
    played.refresh_from_db()
    assert played.visibility == PUBLIC


def test_a_word_that_is_none_is_refused(played: Tournament) -> None:
    with pytest.raises(Refusal) as refused:
        set_visibility(SYSTEM, played, "hidden")
    assert refused.value.reason is Reason.BAD_OPTIONS
    with pytest.raises(Refusal):
        create_tournament(
            SYSTEM, a_club("Otro"), "Otra", NewTournament(terms=Terms(visibility="hidden"))
        )


def test_the_condition_on_rows_and_the_question_about_one_agree(played: Tournament) -> None:
    club = played.club
    link_player(SYSTEM, club.players.get(name="Pilar Martínez"), user("pilar"))
    hidden = a_draft(club, "De verano")
    entry = played.entries.order_by("number")[0]
    actors = [
        SYSTEM,
        NOBODY,
        stranger(),
        organiser(club),
        arbiter(club),
        Actor.for_user(user("pilar")),
        organiser(a_club("Otro"), "otto"),
        Actor.for_entry(entry),
        Actor.for_user(user("elena"), {played.slug: entry.code}),
        Actor.for_user(user("elena"), {played.slug: "AAAAAA", hidden.slug: entry.code}),
    ]
    for visibility in (PUBLIC, PRIVATE):
        set_visibility(SYSTEM, played, visibility)
        for tournament in Tournament.objects.all():
            for actor in actors:
                is_seen = Tournament.objects.filter(
                    permissions.visible_condition(actor), pk=tournament.pk
                ).exists()
                assert is_seen is permissions.may_see(actor, tournament), (
                    visibility,
                    tournament,
                    actor,
                )
    visible = [
        permissions.may_see(viewer, Tournament.objects.get(pk=played.pk)) for viewer in actors
    ]
    assert visible == [True, False, False, True, True, True, False, True, True, False]


def test_a_draft_is_not_for_its_players_even_when_it_is_private(played: Tournament) -> None:
    terms = Terms(visibility=PRIVATE)
    draft = create_tournament(
        SYSTEM, played.club, "Suelto", NewTournament(stages=[{"format": "individual"}], terms=terms)
    )
    pilar = played.club.players.get(name="Pilar Martínez")
    link_player(SYSTEM, pilar, user("pilar"))
    enter_newcomers(SYSTEM, draft, [pilar])
    assert permissions.takes_part(Actor.for_user(user("pilar")), draft)
    assert not permissions.may_see(Actor.for_user(user("pilar")), draft)


def test_an_author_sees_what_the_own_bot_plays_in_a_private_tournament(client: Client) -> None:
    club, account = a_club(), user("pilar")
    Player.objects.create(club=club, code="J1", name="Pilar", folded="pilar", user=account)
    fields = {"kind": Bot.Kind.REMOTE, "club": club, "owner": account}
    bot = Bot.objects.create(name="De lejos", slug="de-lejos", **fields)
    match = a_bot_round(bot, house_bot("simple")).matches.get()
    tournament = set_visibility(SYSTEM, match.tournament, PRIVATE)
    actor = Actor.for_user(account)
    pages, of_it = f"/t/{tournament.slug}/", f"tournaments/{tournament.slug}/"
    client.force_login(account)
    shown = ("", "rounds/1/")
    beside = ("poster/", "sign-up/", "sign-ups/", "money/", "history/", "control/")
    answers = {path: client.get(pages + path).status_code for path in (*shown, *beside)}
    assert {path for path, code in answers.items() if code == 200} == set(shown), answers
    assert client.get(f"/matches/{match.pk}/").status_code == 200

    def caller(*scopes: str) -> Caller:
        return Caller(issue_token(SYSTEM, club, account, name="suyo", scopes=scopes)[1])

    reads, runs = caller("games:read"), caller("bots:run")
    assert [row["slug"] for row in reads.read("tournaments/")["results"]] == [tournament.slug]
    assert reads.read("bots/de-lejos/matches/")["results"][0]["match"]["id"] == match.pk
    for path in ("", "rounds/1/", "standings/"):
        assert (reads.get(of_it + path).status_code, runs.get(of_it + path).status_code) == (
            200,
            404,
        )
    assert not permissions.may_submit(actor, match)
    assert not permissions.takes_part(actor, tournament)

    def sees() -> tuple[bool, bool]:
        tournament.refresh_from_db()
        rows = Tournament.objects.filter(permissions.visible_condition(actor))
        return rows.exists(), permissions.may_see(actor, tournament)

    assert sees() == (True, True)
    Player.objects.update(user=None)  # plays in the club no longer
    assert sees() == (False, False)
    Player.objects.update(user=account)
    Tournament.objects.update(state=Tournament.State.DRAFT)
    assert sees() == (False, False)


def test_what_is_played_in_it_counts_nowhere_else(played: Tournament) -> None:
    someone = Player.objects.select_related("club").get(name="Pilar Martínez")

    def counts_of() -> tuple[int, int, int]:
        rated = len(rated_history(played.ruleset))
        met_count = len(matches_of(competitor_of_player(someone)))
        return rated, met_count, statistics_page(played.club.slug).statistics.matches

    rebuild_ratings(played.ruleset)
    assert counts_of() == (1, 1, 1)
    set_visibility(SYSTEM, played, PRIVATE)
    assert counts_of() == (0, 0, 0)
    assert stale_rulesets() == (played.ruleset,)
    set_visibility(SYSTEM, played, PUBLIC)
    assert counts_of() == (1, 1, 1)


def test_the_clubs_webhooks_hear_of_it_and_streams_of_strangers_end(played: Tournament) -> None:
    set_visibility(SYSTEM, played, PRIVATE)
    events = AuditEvent.objects.select_related("tournament__club").filter(tournament=played)
    assert [kind for _, kind in _public_events(events.filter(verb="round.published"))] == [
        "round.published"
    ]
    assert feeds([played.pk])[0].hidden
