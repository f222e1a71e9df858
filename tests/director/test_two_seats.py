"""A person sits at one table of a round, by whatever way an entry comes into it."""

import json
from collections.abc import Callable

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, organiser, play_out, the_round, user
from tests.support.caller import Caller, problem
from tests.support.day import a_day, entry, next_round, play_round, spare
from tests.support.refusals import refusal
from tournaments.accounts.services.invitations import issue_token
from tournaments.core.errors import Reason
from tournaments.director.queries.drafts import draft_page
from tournaments.director.queries.entries import newcomers, spare_people
from tournaments.director.services.absences import expel, readmit, withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import (
    enter_late,
    enter_list,
    remove_entry,
)
from tournaments.director.services.restoring import go_back
from tournaments.director.services.substitutions import end_substitution, substitute
from tournaments.director.services.tournaments import publish_round
from tournaments.domain.roster import ListedEntrant
from tournaments.models import Match, Pair, Player, Substitution, Tournament
from tournaments.people.services.clubs import import_pairs

pytestmark = pytest.mark.django_db


def replace_first(
    tournament: Tournament, number: int, comes: Player, since: int, until: int | None = None
) -> Substitution:
    """A substitute for the first of a pair."""
    pair = entry(tournament, number).pair
    assert pair is not None
    return substitute(
        SYSTEM,
        entry(tournament, number),
        leaves=pair.first,
        comes=comes,
        from_round=since,
        until_round=until,
    )


def people(tournament: Tournament, number: int) -> tuple[Player, Player]:
    pair = entry(tournament, number).pair
    assert pair is not None
    return pair.first, pair.second


def seated(tournament: Tournament, round_: int) -> list[str]:
    """The people at the tables of a round."""
    matches = Match.objects.with_names().filter(round=the_round(tournament, round_))
    return [
        n for match in matches for side in range(len(match.sides)) for n in match.names_at(side)
    ]


def play_round_after(tournament: Tournament, after: int) -> None:
    next_round(tournament, after)
    play_round(tournament, after + 1)


def by_list(tournament: Tournament, first: Player, second: Player) -> None:
    enter_list(SYSTEM, tournament, [ListedEntrant((first.name, second.name), "Dos")])


def by_text(tournament: Tournament, first: Player, second: Player) -> None:
    enter_list(SYSTEM, tournament, f"jugador1;jugador2\n{first.name};{second.name}\n")


def as_a_pair_of_the_club(tournament: Tournament, first: Player, second: Player) -> None:
    import_pairs(
        SYSTEM,
        tournament.club,
        f"pareja,nombre,jugador1,jugador2\nP90,Dos,{first.code},{second.code}\n",
    )
    enter_late(SYSTEM, tournament, Pair.objects.get(code="P90"))


@pytest.mark.parametrize(
    ("enter", "reason"),
    [
        (by_list, Reason.WHO_IS_THIS),
        (by_text, Reason.WHO_IS_THIS),
        (as_a_pair_of_the_club, Reason.PLAYER_TWICE),
    ],
)
def test_a_substitute_does_not_enter_late(
    enter: Callable[[Tournament, Player, Player], None], reason: Reason
) -> None:
    tournament = a_day(4)
    substitute_ = spare(tournament)
    replace_first(tournament, 1, substitute_, since=1)
    play_round(tournament, 1)
    with refusal(reason) as refused:
        enter(tournament, substitute_, people(tournament, 1)[0])
    assert substitute_.name in "".join(
        [refused.value.message, *(fault.message for fault in refused.value.errors)]
    )
    assert tournament.entries.count() == 4


def test_neither_by_the_form_nor_over_the_api(client: Client) -> None:
    tournament = a_day(4)
    substitute_, other = spare(tournament), "Nueva Persona"
    replace_first(tournament, 1, substitute_, since=1)
    play_round(tournament, 1)
    organiser(tournament.club)
    client.force_login(user("olga"))
    names = {"first": substitute_.name, "second": other}
    page = client.post(reverse("enter-late", args=[tournament.slug]), names)
    assert page.status_code == 422
    assert substitute_.name in page.content.decode()
    _, token = issue_token(
        SYSTEM, tournament.club, user("olga"), name="p", scopes=["tournaments:manage"]
    )
    rows = {"entries": [{"players": [substitute_.name, other]}]}
    path = f"tournaments/{tournament.slug}/entries/list/"
    answer = Caller(token).submit(path, json.dumps(rows))
    (fault,) = problem(answer, 422, "who_is_this")["errors"]
    assert fault["code"] == "in_another_pair"
    assert tournament.entries.count() == 4


def test_a_substitute_of_past_rounds_enters() -> None:
    tournament = a_day(4)
    substitute_ = spare(tournament)
    replace_first(tournament, 1, substitute_, since=1, until=2)
    play_round(tournament, 1)
    enter_list(SYSTEM, tournament, [ListedEntrant((substitute_.name, "Otra Persona"), "")])
    next_round(tournament, 1)
    assert seated(tournament, 2).count(substitute_.name) == 1


def test_the_partner_of_a_pair_that_left_enters_with_another_and_the_pair_stays_away() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    first, second = people(tournament, 1)
    withdraw(SYSTEM, entry(tournament, 1))
    assert first.name in {person.name for person in spare_people(tournament)}
    new = ListedEntrant((first.name, spare(tournament).name), "")
    (late,) = enter_list(SYSTEM, tournament, [new])
    # An entry of the running round has no opponent, but the first still sits in that round.
    assert late.joined_round == 2
    play_out(the_round(tournament, 1))
    next_round(tournament, 1)
    publish_round(SYSTEM, the_round(tournament, 2))
    assert seated(tournament, 2).count(first.name) == 1
    with refusal(Reason.PLAYER_TWICE) as refused:
        readmit(SYSTEM, entry(tournament, 1))
    assert first.name in refused.value.message
    with refusal(Reason.PLAYER_TWICE):
        replace_first(tournament, 2, first, since=3)
    replace_first(tournament, 2, second, since=3)
    withdraw(SYSTEM, late)
    with refusal(Reason.PLAYER_TWICE):
        readmit(SYSTEM, entry(tournament, 1))
    end_substitution(SYSTEM, Substitution.objects.get(), until_round=4)
    play_out(the_round(tournament, 2))
    play_round_after(tournament, 2)
    readmit(SYSTEM, entry(tournament, 1))
    next_round(tournament, 3)
    assert seated(tournament, 4).count(first.name) == seated(tournament, 4).count(second.name) == 1


def test_a_pair_that_left_is_readmitted_and_not_entered_under_another_name() -> None:
    tournament = a_day(4)
    withdraw(SYSTEM, entry(tournament, 1))
    first, second = people(tournament, 1)
    with refusal(Reason.ALREADY_ENTERED):
        enter_list(SYSTEM, tournament, [ListedEntrant((second.name, first.name), "Otro Nombre")])


def test_people_of_an_expelled_pair_enter_with_nobody() -> None:
    tournament = a_day(4)
    play_round(tournament, 1)
    expel(SYSTEM, entry(tournament, 1), "Se fue sin pagar")
    first, _ = people(tournament, 1)
    with refusal(Reason.WHO_IS_THIS):
        enter_list(SYSTEM, tournament, [ListedEntrant((first.name, spare(tournament).name), "")])


def test_a_replaced_player_plays_elsewhere_and_is_not_back_before_that_ends() -> None:
    tournament = a_day(4)
    first, _ = people(tournament, 1)
    substitution = replace_first(tournament, 1, spare(tournament), since=1)
    enter_list(SYSTEM, tournament, [ListedEntrant((first.name, "Otra Persona"), "")])
    with refusal(Reason.PLAYER_TWICE):
        end_substitution(SYSTEM, substitution, until_round=2)


def test_a_list_of_the_club_that_changes_an_entered_pair_holds_the_draw_up() -> None:
    tournament = a_day(4, drawn=False)
    import_pairs(SYSTEM, tournament.club, "pareja,nombre,jugador1,jugador2\nP01,Pareja 1,J01,J03\n")
    with refusal(Reason.PLAYER_TWICE) as refused:
        draw(SYSTEM, tournament)
    assert "Jugador 3" in refused.value.message


def test_an_entry_does_not_come_back_by_undoing_while_its_player_sits_elsewhere() -> None:
    tournament = a_day(4, drawn=False)
    first, _ = people(tournament, 1)
    remove_entry(SYSTEM, entry(tournament, 1))
    replace_first(tournament, 2, first, since=1)
    with refusal(Reason.PLAYER_TWICE):
        go_back(SYSTEM, tournament.restore_points.get())
    assert tournament.entries.count() == 3


def test_a_round_with_a_person_at_two_tables_is_not_published_and_its_draft_says_why() -> None:
    """A database of an earlier release can hold it."""
    tournament = a_day(4)
    substitution = replace_first(tournament, 1, spare(tournament), since=1)
    Substitution.objects.update(comes=people(tournament, 2)[0])
    with refusal(Reason.ROUND_IMPOSSIBLE) as refused:
        publish_round(SYSTEM, the_round(tournament, 1))
    assert "Jugador 3" in refused.value.message
    page = draft_page(tournament.slug, 1, SYSTEM, "es")
    assert not page.is_publishable
    assert [warning.text for warning in page.warnings] == [
        "Jugador 3 jugaría en dos mesas de esta ronda: con Pareja 1 y con Pareja 2."
    ]
    end_substitution(SYSTEM, substitution, until_round=2)
    withdraw(SYSTEM, entry(tournament, 1))
    publish_round(SYSTEM, the_round(tournament, 1))


def test_pages_and_lists_offer_the_partner_of_a_pair_that_left() -> None:
    tournament = a_day(4)
    first, _ = people(tournament, 1)
    import_pairs(SYSTEM, tournament.club, "pareja,nombre,jugador1,jugador2\nP91,Nueva,J01,J13\n")
    assert "P91" not in {row[0] for row in newcomers(tournament.slug, SYSTEM)}
    withdraw(SYSTEM, entry(tournament, 1))
    assert "P91" in {row[0] for row in newcomers(tournament.slug, SYSTEM)}
    late = enter_late(SYSTEM, tournament, Pair.objects.get(code="P91"))
    assert late.joined_round == 1
    assert seated(tournament, 1).count(first.name) == 1
