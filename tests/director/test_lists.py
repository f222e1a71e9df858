"""Everybody of one list is entered by name; faults are named by their line."""

from dataclasses import replace
from itertools import product

import pytest
from django.test import Client
from django.urls import reverse

from tests.clubs import SYSTEM, a_club, arbiter, organiser, the_round
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.queries.lists import MAX_ENTRIES, import_plan, proposed_plan
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.roster import ListedEntrant, Reading, WhoAnswer
from tournaments.models import Bot, Club, Entry, Pair, Player, Tournament
from tournaments.people.services.clubs import import_pairs, import_players
from tournaments.profiles.services.renaming import rename_player

pytestmark = pytest.mark.django_db

LIST = """pareja;jugador1;jugador2;club;rating
Las Cuarenta;Pilar Martínez;Jesús Ibáñez;Casino;1500,5
;Elena Gil;Fermín Sanz;;

Los Caballos;Ana Ruiz;Luis Vera;La Sota;
"""


@pytest.fixture
def club(db: None) -> Club:
    """A club that knows one pair and one player more, under codes of its own."""
    club = a_club()
    import_players(SYSTEM, club, "id,nombre\nJ001,Elena Gil\nJ7,Fermín Sanz\nJ8,PILAR MARTÍNEZ\n")
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\nP001,Los Dos,J001,J7\n")
    return club


@pytest.fixture
def tournament(club: Club) -> Tournament:
    return create_tournament(SYSTEM, club, "Copa", NewTournament(GameSettings(options={"to": 3})))


def faults(tournament: Tournament, text: str) -> list[tuple[int, str, str]]:
    plan = import_plan(tournament, text)
    return [(fault.line, fault.code, fault.text) for fault in plan.faults]


def test_a_plan_says_who_is_new(tournament: Tournament) -> None:
    plan = import_plan(tournament, LIST)
    assert plan.faults == ()
    assert [entry.name for entry in plan.entries] == ["Las Cuarenta", "Los Dos", "Los Caballos"]
    assert [entry.new_players for entry in plan.entries] == [
        ("Jesús Ibáñez",),
        (),
        ("Ana Ruiz", "Luis Vera"),
    ]
    assert (plan.new_players, plan.new_pairs) == (3, 2)
    assert not tournament.entries.exists()


def test_an_earlier_name_in_a_list_means_the_player_of_today(
    club: Club, tournament: Tournament
) -> None:
    elena = club.players.get(code="J001")
    rename_player(SYSTEM, elena, "Elena Gil Sanz")
    text = "Elena Gil, Fermín Sanz\nPilar Martínez, Jesús Ibáñez\n"
    first, second = import_plan(tournament, text).entries
    assert (first.name, first.players) == ("Los Dos", ("Elena Gil Sanz", "Fermín Sanz"))
    assert (first.new_players, first.earlier_names) == ((), {"Elena Gil Sanz": "Elena Gil"})
    assert second.earlier_names == {}
    page = Client(headers={"accept-language": "en"})
    boss = organiser(club)
    assert boss.user is not None
    page.force_login(boss.user)
    response = page.post(reverse("enter-list", args=[tournament.slug]), {"list_text": text})
    assert "Elena Gil Sanz (in the list as Elena Gil)" in response.content.decode()
    entered, _second = enter_list(SYSTEM, tournament, text)
    assert entered.pair is not None
    assert entered.pair.first == elena
    assert not club.players.filter(name="Elena Gil").exists()


def test_a_name_that_another_has_now_or_two_had_before_is_not_looked_up_among_earlier_names(
    club: Club, tournament: Tournament
) -> None:
    elena, fermin = club.players.get(code="J001"), club.players.get(code="J7")
    for player, names in ((elena, ("Gil", "Sota", "Elena")), (fermin, ("Sota", "Fermín"))):
        for name in names:
            rename_player(SYSTEM, player, name)
    import_players(SYSTEM, club, "id,nombre\nJ9,Elena Gil\n")
    (pair,) = import_plan(tournament, "Sota, Elena Gil\n").entries
    assert (pair.new_players, pair.earlier_names) == (("Sota",), {})


def test_one_player_under_two_names_is_in_the_list_twice(
    club: Club, tournament: Tournament
) -> None:
    rename_player(SYSTEM, club.players.get(code="J001"), "Elena Gil Sanz")
    text = "Elena Gil, Fermín Sanz\nElena Gil Sanz, Ana Ruiz\nElena Gil, Elena Gil Sanz\n"
    assert faults(tournament, text) == [
        (2, "player_in_two_pairs", "Elena Gil Sanz"),
        (3, "same_player_twice", "Elena Gil Sanz"),
    ]


def test_names_in_which_nothing_is_in_doubt_are_entered_at_once_others_after_a_preview(
    club: Club, tournament: Tournament
) -> None:
    page = Client(headers={"accept-language": "en"})
    boss = organiser(club)
    assert boss.user is not None
    page.force_login(boss.user)
    at = reverse("enter-list", args=[tournament.slug])
    table = {"list_text": "jugador1;jugador2;club\nEva;Leo;Casino\n", "enter": "1"}
    assert "How the list was read" in page.post(at, table).content.decode()
    assert not tournament.entries.exists()
    names = {"list_text": "Eva Luna, Leo Marco\nIvo Sol, Ada Mar\n"}
    assert "How the list was read" in page.post(at, names).content.decode()
    assert page.post(at, {**names, "enter": "1"}).status_code == 302
    assert tournament.entries.count() == 2


def test_the_list_is_entered_in_its_order_with_codes_of_ours(tournament: Tournament) -> None:
    entries = enter_list(SYSTEM, tournament, LIST)
    assert [entry.name for entry in entries] == ["Las Cuarenta", "Los Dos", "Los Caballos"]
    rows = tournament.entries.order_by("number").values_list("rating", "origin")
    assert list(rows) == [(1500.5, "Casino"), (0.0, ""), (0.0, "La Sota")]
    players = dict(Player.objects.filter(club=tournament.club).values_list("code", "name"))
    assert players == {
        "J001": "Elena Gil",
        "J7": "Fermín Sanz",
        "J8": "PILAR MARTÍNEZ",
        "J002": "Jesús Ibáñez",
        "J003": "Ana Ruiz",
        "J004": "Luis Vera",
    }
    pairs = Pair.objects.filter(club=tournament.club).order_by("code")
    assert list(pairs.values_list("code", flat=True)) == ["P001", "P002", "P003"]
    verbs = tournament.club.events.order_by("sequence").values_list("verb", flat=True)
    assert list(verbs)[-4:-1] == ["players.imported", "pairs.imported", "entries.added"]
    assert list(verbs)[-1] == "list.entered"


def test_a_pair_without_a_name_is_called_by_its_players(tournament: Tournament) -> None:
    (entry,) = enter_list(SYSTEM, tournament, "jugador1,jugador2\nEva,Leo\n")
    assert (entry.name, entry.seat_names) == ("Eva – Leo", ("Eva", "Leo"))


def test_players_are_entered_where_single_players_play(club: Club) -> None:
    solo = create_tournament(
        SYSTEM, club, "Individual", NewTournament(stages=[{"format": "individual"}])
    )
    entries = enter_list(SYSTEM, solo, "jugador,rating\nElena Gil,1400\nEva,\nLeo,\nIvo,\n")
    assert (entries[0].name, entries[0].seats) == ("Elena Gil", 1)
    assert faults(solo, "player\nEva\n") == [(2, "already_entered", "Eva")]


def test_every_fault_is_reported_with_its_line(tournament: Tournament) -> None:
    text = (
        "pair,player1,player2,rating\n"
        "Uno,Eva,Eva,\n"
        "Dos,Eva,Leo,ten\n"
        "Dos,Eva,Ivo,-1\n"
        "Tres,,Luz,\n"
        "Los Dos,Elena Gil,Ivo,\n"
    )
    assert faults(tournament, text) == [
        (2, "same_player_twice", "Eva"),
        (3, "bad_rating", "ten"),
        (4, "bad_rating", "-1"),
        (4, "duplicate_name", "Dos"),
        (4, "player_in_two_pairs", "Eva"),
        (5, "name_missing", ""),
        (6, "player_in_two_pairs", "Ivo"),
    ]
    assert faults(tournament, "pair,player1,player2\nLos Dos,Elena Gil,Ivo\n") == [
        (2, "name_taken", "Los Dos")
    ]
    assert faults(tournament, "pair,nobody\n") == [(1, "players_unknown", "")]
    assert faults(tournament, "pair,player1\nUno,Eva\n") == [(2, "wrong_number", "1")]
    with refusal(Reason.IMPORT_REFUSED) as refused:
        enter_list(SYSTEM, tournament, text)
    assert len(refused.value.errors) == 7
    assert not tournament.entries.exists()
    assert Player.objects.count() == 3


def test_who_is_entered_already_is_reported(tournament: Tournament) -> None:
    enter_list(SYSTEM, tournament, LIST)
    second_list = "pareja;jugador1;jugador2\nLos Dos;Elena Gil;Fermín Sanz\nOtros;Ana Ruiz;Zoe\n"
    assert faults(tournament, second_list) == [
        (2, "already_entered", "Los Dos"),
        (3, "in_another_pair", "Ana Ruiz"),
    ]


def test_what_a_program_says_row_by_row_is_the_list_as_csv(tournament: Tournament) -> None:
    rows = [
        ListedEntrant(("Pilar Martínez", "Jesús Ibáñez"), "Las Cuarenta", "Casino", 1500),
        ListedEntrant(("Elena Gil", "Fermín Sanz")),
        ListedEntrant(("Ana Ruiz", "Luis Vera"), "Los Caballos", "La Sota"),
    ]
    lines = LIST.replace("1500,5", "1500").replace("\n\n", "\n")
    from_rows, from_csv = (import_plan(tournament, source) for source in (rows, lines))
    assert [replace(entry, line=entry.line + 1) for entry in from_rows.entries] == list(
        from_csv.entries
    )
    assert [entry.name for entry in enter_list(SYSTEM, tournament, rows)] == [
        "Las Cuarenta",
        "Los Dos",
        "Los Caballos",
    ]


def test_rows_at_fault_are_reported_by_their_number_and_nobody_is_entered(
    tournament: Tournament,
) -> None:
    rows = [ListedEntrant(("Eva", "Leo")), ListedEntrant(("Zoe",)), ListedEntrant(("Ivo", "Eva"))]
    with refusal(Reason.IMPORT_REFUSED) as refused:
        enter_list(SYSTEM, tournament, rows)
    pairs = [(fault.file, fault.line, fault.code) for fault in refused.value.errors]
    assert pairs == [("rows", 2, "wrong_number"), ("rows", 3, "player_in_two_pairs")]
    assert not tournament.entries.exists()


def test_a_single_player_has_no_name_besides_their_own(club: Club) -> None:
    solo = create_tournament(
        SYSTEM,
        club,
        "Solo",
        NewTournament(
            GameSettings(options={"to": 3}), stages=[{"format": "individual", "rules": {}}]
        ),
    )
    plan = import_plan(solo, [ListedEntrant(("Eva",)), ListedEntrant(("Leo",), name="El Leo")])
    assert [(fault.line, fault.code) for fault in plan.faults] == [(2, "unknown_column")]


@pytest.mark.slow
def test_a_list_longer_than_the_tournament_takes_is_reported(tournament: Tournament) -> None:
    letters = "abcdefghijklmn"
    names = ["".join(three) for three in product(letters, repeat=3)][: MAX_ENTRIES + 1]
    pairs = "".join(f"Ana {name},Bea {name}\n" for name in names)
    plan = import_plan(tournament, f"jugador1,jugador2\n{pairs}")
    last = MAX_ENTRIES + 2
    assert [(fault.line, fault.code) for fault in plan.faults] == [(last, "too_many")]


def test_lists_are_for_organisers_until_the_end(tournament: Tournament) -> None:
    with refusal(Reason.FORBIDDEN):
        enter_list(arbiter(tournament.club), tournament, LIST)
    enter_list(SYSTEM, tournament, LIST)
    draw(SYSTEM, tournament)
    Tournament.objects.update(state=Tournament.State.FINISHED)
    with refusal(Reason.TOURNAMENT_OVER):
        enter_list(SYSTEM, tournament, "jugador1,jugador2\nEva,Leo\n")


def test_strangers_who_come_late_play_from_the_round_that_is_open(club: Club) -> None:
    stages = [{"format": "swiss", "rules": {"rounds": 3}}]
    swiss = create_tournament(
        SYSTEM, club, "Suizo", NewTournament(GameSettings(options={"to": 3}), stages=stages)
    )
    enter_list(SYSTEM, swiss, LIST)
    draw(SYSTEM, swiss)
    publish_round(SYSTEM, the_round(swiss, 1))
    (late,) = enter_list(SYSTEM, swiss, "jugador1,jugador2,rating\nEva,Leo,1400\n")
    assert (late.joined_round, late.rating) == (1, 1400)
    sitting = the_round(swiss, 1).matches.values_list("home__number", "away__number")
    assert late.number in {number for sides in sitting for number in sides}


def test_a_tree_takes_no_list_any_more(club: Club) -> None:
    cup = create_tournament(
        SYSTEM, club, "Copa", NewTournament(stages=[{"format": "knockout", "rules": {}}])
    )
    enter_list(SYSTEM, cup, LIST)
    draw(SYSTEM, cup)
    with refusal(Reason.NO_LATE_ENTRY):
        enter_list(SYSTEM, cup, "jugador1,jugador2\nEva,Leo\n")
    assert not Player.objects.filter(name="Eva").exists(), "half a list was entered"


def test_a_list_without_a_valid_line_is_refused_where_nobody_more_fits(
    tournament: Tournament,
) -> None:
    bot = Bot.objects.get(slug="azar")
    Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n, name=f"Azar {n}", folded=f"azar {n}", bot=bot)
        for n in range(1, MAX_ENTRIES + 2)
    )
    assert [line for line, _, _ in faults(tournament, "una sola")] == [1]


def test_two_long_names_do_not_fail_by_the_length_of_a_pair_name_that_nobody_typed(
    tournament: Tournament,
) -> None:
    two = "Maximiliano " + "de la Torre " * 6 + "Uno", "María " + "de los Ángeles " * 5 + "Dos"
    (entered,) = enter_list(SYSTEM, tournament, [ListedEntrant(two, "")])
    entered = Entry.objects.with_players().get(pk=entered.pk)
    assert entered.seat_names == two
    assert len(entered.name) <= 100
    assert entered.shown_name == " / ".join(two)
    (fault,) = import_plan(tournament, [ListedEntrant(("Ana", "Eva"), "x" * 101)]).faults
    assert fault.code == "name_too_long"


def test_a_name_that_is_nearly_that_of_a_player_is_asked_about_and_taken_for_them(
    club: Club, tournament: Tournament
) -> None:
    text = "Elena Gíl, Zoe Mur\nGil Elena, Pau Roca\n"
    plan = import_plan(tournament, text)
    assert [(asked.line, asked.name) for asked in plan.twins] == [
        (1, "Elena Gíl"),
        (2, "Gil Elena"),
    ]
    (elena,) = plan.twins[0].candidates
    assert (elena.name, elena.code, elena.line) == ("Elena Gil", "J001", None)
    assert all(asked.is_probable for asked in plan.twins)
    assert plan.new_players == 4, "nothing is taken for granted"
    assert proposed_plan(tournament, "Elena Gíl, Zoe Mur\n").new_players == 1
    reading = Reading(same={"elena gíl": "Elena Gil"})
    plan = import_plan(tournament, text, reading)
    assert plan.twins[0].answer == WhoAnswer("Elena Gil")
    assert (plan.entries[0].players, plan.entries[0].new_players) == (
        ("Elena Gil", "Zoe Mur"),
        ("Zoe Mur",),
    )
    with refusal(Reason.WHO_IS_THIS) as refused:
        enter_list(SYSTEM, tournament, text, reading)
    assert [asked.name for asked in refused.value.params["who"]] == ["Gil Elena"]
    reading = replace(reading, is_new_in_doubt=True)
    entered, _second = enter_list(SYSTEM, tournament, text, reading)
    assert entered.pair is not None
    assert entered.pair.first == club.players.get(code="J001")
    assert club.players.filter(name="Gil Elena").exists()


def test_a_name_that_is_nearly_another_of_the_list_is_asked_about(
    club: Club, tournament: Tournament
) -> None:
    text = "Íñigo Buñuel\nInigo Bunuel\nEva\n"
    stages = [{"format": "individual"}]
    solo = create_tournament(SYSTEM, club, "Solo", NewTournament(stages=stages))
    (asked,) = import_plan(solo, text).twins
    assert (asked.line, asked.name) == (2, "Inigo Bunuel")
    assert [(twin.name, twin.line) for twin in asked.candidates] == [("Íñigo Buñuel", 1)]
    reading = Reading(same={"inigo bunuel": "Íñigo Buñuel"})
    plan = import_plan(solo, text, reading)
    assert [(left.line, left.why) for left in plan.read.left_out] == [(2, "same")]
    assert plan.twins[0].answer == WhoAnswer("Íñigo Buñuel"), "it can be said otherwise"
    assert [entry.name for entry in enter_list(SYSTEM, solo, text, reading)] == [
        "Íñigo Buñuel",
        "Eva",
    ]
    pairs = "Íñigo Buñuel; Eva\nInigo Bunuel; Leo\n"
    (fault,) = import_plan(tournament, pairs, reading).faults
    assert (fault.line, fault.code) == (2, "player_in_two_pairs")


def test_the_person_whom_a_name_means_has_a_name_as_any_other(tournament: Tournament) -> None:
    reading = Reading(same={"elena gíl": "Elena\u202eGil"})
    (fault,) = import_plan(tournament, "Elena Gíl, Zoe Mur\n", reading).faults
    assert fault.code == "bad_character"
