"""Small ways to go wrong: old views, deals played twice, byes to come, names and numbers."""

import json
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_club,
    a_swiss,
    house_bots,
    organiser,
    play_out,
    the_liguilla,
    the_round,
    user,
)
from tests.support.caller import Caller
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.queries.drafts import draft_page, warnings_of
from tournaments.director.services.absences import request_bye
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.rounds import swap
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    create_tournament,
    finish,
    publish_round,
)
from tournaments.domain.names import fold_name
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import ApiToken, Club, Match, Player, Tournament
from tournaments.people.services.clubs import create_club
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def desk_of(club: Club) -> Caller:
    organiser(club)
    scopes = ApiToken.Scope.values
    _, token = issue_token(SYSTEM, club, user("olga"), name="mesa", scopes=scopes)
    return Caller(token)


def answer(caller: Caller, path: str, body: dict[str, Any], key: str) -> tuple[int, Any]:
    response = caller.submit(path, json.dumps(body), key)
    return response.status_code, json.loads(response.content or b"{}")


def a_duplicate(pairs: int = 8) -> Tournament:
    """Return a Howell of eight pairs and three deals a table, its first round published."""
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Duplicada",
        NewTournament(
            GameSettings(options={"deals": 3}),
            stages=[{"format": "duplicate", "rules": {"deals": 3}}],
        ),
        slug="duplicada",
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * (pairs // 2))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    return tournament


# --- a draft --------------------------------------------------------------------------------------


def test_a_swap_across_tables_of_a_duplicate_warns_of_deals_that_are_played_twice() -> None:
    tournament = a_duplicate()
    draft = the_round(tournament, 2)
    boards: dict[int, set[int]] = {}
    for match in Match.objects.filter(round__number=1, away__isnull=False):
        for entry in (match.home_id, match.away_id):
            boards[entry or 0] = set(match.boards)
    mover, target = next(
        (match, other)
        for match in draft.matches.filter(away__isnull=False)
        for other in draft.matches.filter(away__isnull=False)
        if match != other and boards[match.home_id] & set(other.boards)
    )
    page = draft_page(tournament.slug, 2, organiser(tournament.club), "es")
    foreseen = page.foreseen["deals"][f"{mover.home.number}@{target.table}"]
    assert "check_deals" not in {warning.code for warning in warnings_of(draft)}
    swap(SYSTEM, draft, mover.home, target.home)
    deals = sorted(boards[mover.home_id] & set(target.boards))
    warning = next(w for w in warnings_of(draft) if w.entrants == (mover.home.number,))
    assert (warning.code, warning.table) == ("check_deals", target.table)
    assert warning.facts["deals"] == ", ".join(map(str, deals))
    page = draft_page(tournament.slug, 2, organiser(tournament.club), "es")
    assert foreseen[0] in {warning.text for warning in page.warnings}


def test_a_swap_in_a_duplicate_warns_of_two_who_have_met() -> None:
    tournament = a_duplicate()
    first = Match.objects.with_names().filter(round__number=1, away__isnull=False).earliest("table")
    draft = the_round(tournament, 2)
    assert first.away is not None
    seat = next(m for m in draft.matches.with_names() if first.home in (m.home, m.away))
    opponent = seat.away if seat.home == first.home else seat.home
    assert opponent is not None
    swap(SYSTEM, draft, opponent, first.away)
    assert ("check_rematch", {first.home.number, first.away.number}) in [
        (warning.code, set(warning.entrants)) for warning in warnings_of(draft)
    ]


@pytest.fixture
def swiss() -> Tournament:
    """Seven entries, one round played, the second a draft."""
    tournament = a_swiss(7)
    organiser(tournament.club)
    play_out(publish_round(SYSTEM, the_round(tournament, 1)))
    draw_next(SYSTEM, tournament, after=1)
    return tournament


def two_homes(tournament: Tournament) -> list[int]:
    matches = Match.objects.filter(round__number=2, away__isnull=False).order_by("table")[:2]
    return [match.home.number for match in matches]


def test_a_swap_from_an_old_page_is_refused_once_the_draft_has_changed(
    client: Client, swiss: Tournament
) -> None:
    client.force_login(user("olga"))
    address = reverse("draft", args=[swiss.slug, 2])
    old = draft_page(swiss.slug, 2, organiser(swiss.club), "es").arrangement
    page = client.get(address).content.decode()
    assert page.count(f'name="arrangement" value="{old}"') > 3
    assert f'data-arrangement="{old}"' in page
    one, other = two_homes(swiss)
    form = {"one": one, "other": other, "arrangement": old}
    arrange = reverse("arrange", args=[swiss.slug, 2, "swap"])
    assert "ha cambiado" not in client.post(arrange, form, follow=True).content.decode()
    assert two_homes(swiss) == [other, one]
    assert "ha cambiado" in client.post(arrange, form, follow=True).content.decode()
    assert two_homes(swiss) == [other, one]
    table = {"table": 1, "arrangement": old}
    part = reverse("arrange", args=[swiss.slug, 2, "unpair"])
    assert "ha cambiado" in client.post(part, table, follow=True).content.decode()


def test_a_swap_of_an_old_answer_is_refused_over_the_api(swiss: Tournament) -> None:
    desk = desk_of(swiss.club)
    place = f"tournaments/{swiss.slug}/rounds/2/"
    old = desk.read(place)["round"]["arrangement"]
    assert [
        row["arrangement"] for row in desk.read(f"tournaments/{swiss.slug}/rounds/")["rounds"]
    ] == [
        "",
        old,
    ]
    one, other = two_homes(swiss)
    body = {"one": one, "other": other, "arrangement": old}
    assert answer(desk, f"{place}swap/", body, "a")[0] in (200, 201)
    status, problem = answer(desk, f"{place}swap/", body, "b")
    assert (status, problem["code"]) == (409, "draft_changed")
    assert two_homes(swiss) == [other, one]
    body["arrangement"] = desk.read(place)["round"]["arrangement"]
    assert answer(desk, f"{place}swap/", body, "c")[0] in (200, 201)
    del body["arrangement"]
    assert answer(desk, f"{place}swap/", body, "d")[0] in (200, 201)


# --- byes -----------------------------------------------------------------------------------------


def an_individual(players: int) -> Tournament:
    club = a_club()
    tournament = create_tournament(
        SYSTEM,
        club,
        "Individual",
        NewTournament(stages=[{"format": "individual", "rules": {"rounds": 4}}]),
    )
    people = [
        Player.objects.create(club=club, code=f"S{n}", name=name, folded=fold_name(name))
        for n, name in enumerate(f"Jugador {n}" for n in range(players))
    ]
    enter_newcomers(SYSTEM, tournament, people)
    draw(SYSTEM, tournament)
    return tournament


def points_of(tournament: Tournament) -> list[float]:
    page = standings_page(tournament.slug, NOBODY)
    return [row.match_points for row in page.rows]


def test_byes_of_rounds_to_come_do_not_count_before_their_round_is_played() -> None:
    tournament = an_individual(18)
    for number in range(1, 5):
        publish_round(SYSTEM, the_round(tournament, number))
    assert points_of(tournament) == [0] * 18
    play_out(the_round(tournament, 1))
    tables = the_round(tournament, 1).matches.filter(away__isnull=False).count()
    assert sum(points_of(tournament)) == 2 * 2 * tables + 2  # who sits out has a tie's points


def test_by_the_rule_of_earlier_files_they_do() -> None:
    tournament = an_individual(18)
    stage = tournament.stages.get()
    stage.settings["places"] = "listed"
    stage.save()
    publish_round(SYSTEM, the_round(tournament, 1))
    assert sum(points_of(tournament)) == 2


def test_a_bye_for_a_round_that_there_is_not_is_refused() -> None:
    tournament = a_swiss(entries=6, rounds=3)
    entry = tournament.entries.earliest("number")
    with refusal(Reason.NO_SUCH_ROUND) as refused:
        request_bye(organiser(tournament.club), entry, 4, "half")
    assert refused.value.params == {"round": 4, "last": 3}
    assert request_bye(organiser(tournament.club), entry, 3, "half").round_number == 3


def test_before_the_number_of_rounds_is_known_a_bye_may_be_for_any() -> None:
    tournament = create_tournament(
        SYSTEM, a_club(), "Copa", NewTournament(stages=[{"format": "knockout"}])
    )
    enter_newcomers(SYSTEM, tournament, house_bots())
    entry = tournament.entries.earliest("number")
    assert request_bye(organiser(tournament.club), entry, 7, "half").round_number == 7


# --- names ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("name", "slug"),
    [("Copa_2026", "copa-2026"), ("_a__b_", "a-b"), ("___", "x"), ("Liga - Otoño", "liga-otono")],
)
def test_a_short_name_made_from_a_name_is_one_that_an_import_takes(name: str, slug: str) -> None:
    tournament = create_tournament(SYSTEM, a_club(), name)
    assert tournament.slug == slug
    brought(tournament)


def test_a_short_name_that_an_earlier_release_made_is_taken_too() -> None:
    tournament = create_tournament(SYSTEM, a_club(), "Copa", slug="copa_2026")
    assert brought(tournament).slug == "copa_2026"


def brought(tournament: Tournament) -> Tournament:
    """Export a tournament, rename it away and import it into another club."""
    content = export_of(tournament.slug, SYSTEM)
    Tournament.objects.filter(pk=tournament.pk).update(slug="away")
    return import_tournament(SYSTEM, create_club(SYSTEM, name="Otro Club"), content)


# --- a substitute, a ladder -----------------------------------------------------------------------


def test_a_substitute_is_named_by_code_or_name_over_the_api() -> None:
    tournament = the_liguilla()
    desk = desk_of(tournament.club)
    entry = tournament.entries.with_players().earliest("number")
    assert entry.pair is not None
    comes = Player.objects.create(
        club=tournament.club, code="SUB", name="Rosa Mar", folded=fold_name("Rosa Mar")
    )
    path = f"tournaments/{tournament.slug}/entries/{entry.number}/substitute/"
    body = {"leaves": entry.pair.first.name, "comes": "rosa mar", "from_round": 1}
    assert answer(desk, path, body, "a")[0] in (200, 201)
    assert entry.substitutions.get().comes == comes
    status, problem = answer(desk, path, {**body, "comes": "Nadie"}, "b")
    assert (status, problem["code"]) == (422, "unknown_player")
    assert "Nadie" in problem["detail"]
    assert "code" in problem["detail"]


def test_a_ladder_without_an_open_match_speaks_of_rounds_and_not_of_matches() -> None:
    tournament = create_tournament(
        SYSTEM,
        a_club(),
        "Escalera",
        NewTournament(stages=[{"format": "ladder", "rules": {"rounds": 4}}]),
    )
    enter_newcomers(SYSTEM, tournament, house_bots() * 2)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.TOURNAMENT_UNFINISHED):
        finish(SYSTEM, tournament)
    play_out(the_round(tournament, 1))
    with refusal(Reason.ROUNDS_LEFT):
        finish(SYSTEM, tournament)
    assert finish(SYSTEM, tournament, early=True).state == "finished"
