"""Which person a name means is asked wherever staff and programs enter people, and answered."""

from __future__ import annotations

import html
import json
import time
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import pytest
from django.core import signing
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import SYSTEM, a_club, a_draft, organiser, the_round
from tests.support.caller import Caller, problem
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_list
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.substitutions import substitute
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.domain.roster import RECOGNISE, ListedEntrant, Reading, WhoAnswer
from tournaments.models import Club, Entry, Player, SignUp, Tournament
from tournaments.people.services.clubs import import_players
from tournaments.profiles.services.merging import merge_player
from tournaments.signup.forms import TOKEN_SALT
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.requests import Application, set_sign_up, sign_up

if TYPE_CHECKING:
    from tests.support.scenes import Scene

pytestmark = pytest.mark.django_db

JUNE = datetime(2026, 6, 6, 17, tzinfo=UTC)
TWIN = "Angel Perez", "Luis Sanz"
"""A pair of which the first is nearly a player of the club."""


@pytest.fixture
def club() -> Club:
    club = a_club()
    import_players(SYSTEM, club, "id,nombre\nJ1,Ángel Pérez\nJ2,María García\nJ3,Juan Mur\n")
    return club


@pytest.fixture
def draft(club: Club) -> Tournament:
    return a_draft(club, "Junio")


def night(club: Club, name: str, *pairs: ListedEntrant, day: datetime | None = None) -> Tournament:
    tournament = a_draft(club, name)
    Tournament.objects.filter(pk=tournament.pk).update(begins_at=day)
    tournament.refresh_from_db()
    enter_list(SYSTEM, tournament, pairs)
    return tournament


def asked(tournament: Tournament, *rows: ListedEntrant, reading: Reading = RECOGNISE) -> list[Any]:
    """The questions that entering rows is refused with."""
    before = Player.objects.count(), Entry.objects.count()
    with refusal(Reason.WHO_IS_THIS) as refused:
        enter_list(SYSTEM, tournament, rows, reading)
    assert (Player.objects.count(), Entry.objects.count()) == before
    return [(one.line, one.seat, one.name, one.why) for one in refused.value.params["who"]]


def answers(**who: WhoAnswer) -> Reading:
    """Answers by line and seat: ``l1s2`` is the second of line 1."""
    return Reading(who={(int(at[1]), int(at[3])): answer for at, answer in who.items()})


def people(tournament: Tournament) -> list[tuple[str, ...]]:
    return [entry.seat_names for entry in tournament.entries.with_players().order_by("number")]


# --- when it is asked -----------------------------------------------------------------------------


def test_thirty_regulars_are_entered_without_a_question(club: Club) -> None:
    regulars = [
        ListedEntrant((f"{first} {name}", f"{other} {name}"))
        for first, other in (("Ana", "Luis"), ("Begoña", "Íñigo"), ("Carmen", "Pedro"))
        for name in ("Albiac", "Bernués", "Clavería", "Domeque", "Escartín")
    ]
    night(club, "Mayo", *regulars, day=JUNE - timedelta(days=7))
    june = a_draft(club, "Junio")
    Tournament.objects.filter(pk=june.pk).update(begins_at=JUNE)
    june.refresh_from_db()
    players = Player.objects.count()
    assert len(enter_list(SYSTEM, june, regulars)) == 15
    assert Player.objects.count() == players


@pytest.mark.parametrize(
    "name", ["Angel Perez", "ÁNGEL PÉREZ.", "Pérez Ángel", "Á. Pérez", "J. Mur"]
)
def test_a_near_name_is_asked_about(draft: Tournament, name: str) -> None:
    assert asked(draft, ListedEntrant((name, "Luis Sanz"))) == [(1, 1, name, ("near",))]


def test_an_equal_name_is_asked_about_where_it_comes_twice(draft: Tournament) -> None:
    rows = [ListedEntrant(("María García", "Ana Gil")), ListedEntrant(("María García", "Eva Roy"))]
    assert asked(draft, *rows) == [
        (1, 1, "María García", ("twice",)),
        (2, 1, "María García", ("twice",)),
    ]
    one = answers(l1s1=WhoAnswer(code="J2"))
    assert asked(draft, *rows, reading=one) == [(2, 1, "María García", ("twice",))]
    both = answers(l1s1=WhoAnswer(code="J2"), l2s1=WhoAnswer())
    assert asked(draft, *rows, reading=both) == [(2, 1, "María García", ("twice", "taken"))]
    marked = answers(l1s1=WhoAnswer(code="J2"), l2s1=WhoAnswer(mark="Delicias"))
    enter_list(SYSTEM, draft, rows, marked)
    assert people(draft) == [("María García", "Ana Gil"), ("María García (Delicias)", "Eva Roy")]
    same = answers(l1s1=WhoAnswer(code="J2"), l2s1=WhoAnswer(code="J2"))
    with refusal(Reason.IMPORT_REFUSED):
        enter_list(SYSTEM, a_draft(draft.club, "Otro"), rows, same)


def test_a_new_name_that_comes_twice_is_asked_about_the_second_time(draft: Tournament) -> None:
    rows = [ListedEntrant(("Eva Roy", "Ana Gil")), ListedEntrant(("Eva Roy", "Luis Sanz"))]
    assert asked(draft, *rows) == [(2, 1, "Eva Roy", ("twice",))]


def test_an_equal_name_is_asked_about_where_the_person_sits_for_another_entry(
    draft: Tournament,
) -> None:
    enter_list(SYSTEM, draft, [ListedEntrant(("María García", "Ana Gil"))])
    row = ListedEntrant(("María García", "Eva Roy"))
    assert asked(draft, row) == [(1, 1, "María García", ("entered",))]
    enter_list(SYSTEM, draft, [row], answers(l1s1=WhoAnswer(mark="Oliver")))
    assert people(draft)[1] == ("María García (Oliver)", "Eva Roy")


def test_an_equal_name_is_asked_about_where_the_person_is_entered_elsewhere_that_day(
    club: Club,
) -> None:
    row = ListedEntrant(("María García", "Ana Gil"))
    night(club, "Por la mañana", row, day=JUNE - timedelta(hours=6))
    evening = a_draft(club, "Por la tarde")
    enter_list(SYSTEM, evening, [row])
    Entry.objects.filter(tournament=evening).delete()
    Tournament.objects.filter(pk=evening.pk).update(begins_at=JUNE)
    evening.refresh_from_db()
    assert [why for *_at, why in asked(evening, row)] == [("elsewhere",), ("elsewhere",)]
    enter_list(
        SYSTEM, evening, [row], answers(l1s1=WhoAnswer(code="J2"), l1s2=WhoAnswer("Ana Gil"))
    )
    assert people(evening) == [("María García", "Ana Gil")]


def test_an_equal_name_from_another_village_is_asked_about_with_what_helps_to_decide(
    club: Club,
) -> None:
    night(club, "Mayo", ListedEntrant(("María García", "Ana Gil"), club="Zuera"), day=JUNE)
    june = a_draft(club, "Junio")
    row = ListedEntrant(("María García", "Eva Roy"), club="Delicias")
    with refusal(Reason.WHO_IS_THIS) as refused:
        enter_list(SYSTEM, june, [row])
    (question,) = refused.value.params["who"]
    (maria,) = question.candidates
    assert question.why == ("origin",)
    assert (maria.code, maria.last_tournament, maria.partner) == ("J2", "Mayo", "Ana Gil")
    assert (maria.played_on, maria.origin, maria.tournaments) == (JUNE.date(), "Zuera", 1)
    enter_list(SYSTEM, june, [row], answers(l1s1=WhoAnswer(mark="Delicias")))
    again = ListedEntrant(("María García", "Pau Roca"), club="Delicias")
    with refusal(Reason.WHO_IS_THIS) as refused:
        enter_list(SYSTEM, a_draft(club, "Julio"), [again])
    named = [one.name for one in refused.value.params["who"][0].candidates]
    assert named == ["María García", "María García (Delicias)"]


def test_a_name_without_the_mark_of_the_only_namesake_is_asked_about(club: Club) -> None:
    import_players(SYSTEM, club, "id,nombre\nJ9,Eva Roy (Oliver)\n", as_written=True)
    row = ListedEntrant(("Eva Roy", "Luis Sanz"))
    assert asked(a_draft(club, "Junio"), row) == [(1, 1, "Eva Roy", ("near",))]


def test_in_doubt_near_names_are_new_persons_but_namesakes_are_asked_about(
    draft: Tournament,
) -> None:
    rows = [
        ListedEntrant(TWIN),
        ListedEntrant(("María García", "Ana Gil")),
        ListedEntrant(("María García", "Eva Roy")),
    ]
    new = Reading(is_new_in_doubt=True)
    assert [name for _, _, name, _ in asked(draft, *rows, reading=new)] == ["María García"] * 2
    enter_list(SYSTEM, draft, rows[:2], new)
    assert Player.objects.filter(name="Angel Perez").exists()


# --- every door -----------------------------------------------------------------------------------


def page_of(club: Club) -> Client:
    boss = organiser(club)
    assert boss.user is not None
    client = Client(headers={"accept-language": "en"})
    client.force_login(boss.user)
    return client


def running(club: Club) -> Tournament:
    """A Swiss at play, whose pairs the club did not know."""
    stages = [{"format": "swiss", "rules": {"rounds": 3}}]
    new = NewTournament(GameSettings(options={"to": 3}), stages=stages)
    tournament = create_tournament(SYSTEM, club, "Suizo", new)
    rows = [("Iris Vega", "Noé Lara"), ("Sara Cid", "Teo Rey")]
    enter_list(SYSTEM, tournament, [ListedEntrant(row) for row in rows])
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    tournament.refresh_from_db()
    return tournament


def posted(club: Club) -> Tournament:
    stages = [{"format": "swiss", "rules": {"rounds": 3}}]
    new = NewTournament(GameSettings(options={"to": 3}), stages=stages)
    tournament = create_tournament(SYSTEM, club, "Feria", new)
    post_tournament(SYSTEM, tournament)
    opened = {"opens_at": timezone.now() - timedelta(days=1), "asks_contact": False}
    set_sign_up(SYSTEM, tournament, opened)
    tournament.refresh_from_db()
    return tournament


PERSON = "known:Ángel Pérez"


@pytest.mark.parametrize("who", [PERSON, "new"])
def test_the_page_of_a_list_asks_and_takes_the_answer(
    club: Club, draft: Tournament, who: str
) -> None:
    page, at = page_of(club), reverse("enter-list", args=[draft.slug])
    fields = {"list_text": ", ".join(TWIN)}
    shown = page.post(at, {**fields, "enter": "1"})
    assert "Line 1: who is Angel Perez?" in shown.content.decode()
    assert page.post(at, {**fields, "confirm": "1"}).status_code == 422
    assert not draft.entries.exists()
    answered = {f"who-{shown.context['plan'].who[0].key}": who, "confirm": "1"}
    assert page.post(at, {**fields, **answered}).status_code == 302
    assert people(draft) == [("Ángel Pérez" if who == PERSON else "Angel Perez", "Luis Sanz")]


@pytest.mark.parametrize("who", [PERSON, "new"])
@pytest.mark.parametrize("door", ["enter-late", "control-late"])
def test_who_comes_late_is_asked_about(club: Club, door: str, who: str) -> None:
    tournament, page = running(club), page_of(club)
    fields = dict(zip(("first", "second"), TWIN, strict=True))
    shown = page.post(reverse(door, args=[tournament.slug]), fields)
    assert shown.status_code == 422
    assert "Who is Angel Perez?" in shown.content.decode()
    assert not Player.objects.filter(name="Luis Sanz").exists()
    fields["who-1-1-angel perez"] = who
    assert page.post(reverse(door, args=[tournament.slug]), fields).status_code == 302
    assert people(tournament)[-1][0] == ("Ángel Pérez" if who == PERSON else "Angel Perez")


@pytest.mark.parametrize("who", [PERSON, "new"])
def test_a_substitute_is_asked_about(club: Club, who: str) -> None:
    tournament, page = running(club), page_of(club)
    leaves = Player.objects.get(name="Iris Vega").pk
    at = reverse("entry-act", args=[tournament.slug, 1, "substitute"])
    fields = {"leaves": leaves, "comes": "Angel Perez", "from_round": 1}
    shown = page.post(at, fields)
    assert shown.status_code == 422
    assert "Who is Angel Perez?" in shown.content.decode()
    assert page.post(at, {**fields, "who-1-1-angel perez": who}).status_code == 302
    (row,) = tournament.entries.get(number=1).substitutions.select_related("comes")
    assert row.comes.name == ("Ángel Pérez" if who == PERSON else "Angel Perez")


def test_a_substitute_who_sits_elsewhere_may_be_a_namesake(club: Club) -> None:
    tournament = running(club)
    entry = tournament.entries.with_players().get(number=1)
    leaves = entry.players[0]
    with refusal(Reason.WHO_IS_THIS):
        substitute(SYSTEM, entry, leaves=leaves, comes="Sara Cid", from_round=1)
    new = WhoAnswer(mark="Zuera")
    row = substitute(SYSTEM, entry, leaves=leaves, comes="Sara Cid", from_round=1, who=new)
    assert row.comes.name == "Sara Cid (Zuera)"


@pytest.mark.parametrize("who", [PERSON, "new"])
def test_closing_a_sign_up_asks_by_ticket_and_nobody_is_told_before(club: Club, who: str) -> None:
    tournament, page = posted(club), page_of(club)
    at = reverse("close-sign-up", args=[tournament.slug])
    form = reverse("sign-up", args=[tournament.slug])
    shown = signing.dumps(["k1", int(time.time()) - 5], salt=TOKEN_SALT)
    fields = {"first": TWIN[0], "second": TWIN[1], "token": shown}
    noted = Client(headers={"accept-language": "en"}).post(form, fields, follow=True)
    assert "Angel Perez" in noted.content.decode()
    assert "Ángel" not in noted.content.decode()
    sign_up(SYSTEM, tournament, Application(("María García", "Ana Gil")))
    text = page.get(at).content.decode()
    assert "Ticket 1: who is Angel Perez?" in text
    assert "players of the club: María García" in text
    kept = {"shown": [1, 2], "ticket": [1, 2]}
    assert page.post(at, kept).status_code == 422
    assert not tournament.entries.exists()
    assert SignUp.objects.get().closed_at is None
    assert page.post(at, {**kept, "who-1-1-angel perez": who}).status_code == 302
    assert people(tournament)[0][0] == ("Ángel Pérez" if who == PERSON else "Angel Perez")


def test_a_name_on_two_tickets_is_a_namesake_or_stays_outside(club: Club) -> None:
    tournament, page = posted(club), page_of(club)
    for partner in ("Ana Gil", "Eva Roy"):
        sign_up(SYSTEM, tournament, Application(("Pau Roca", partner)))
    at = reverse("close-sign-up", args=[tournament.slug])
    with refusal(Reason.WHO_IS_THIS):
        close_sign_up(SYSTEM, tournament)
    assert "Pau Roca of ticket 1" in page.get(at).content.decode()
    kept = {"shown": [1], "ticket": [1]}
    assert page.post(at, {**kept, "who-2-1-pau roca": "known:Pau Roca"}).status_code == 302
    assert people(tournament) == [("Pau Roca", "Ana Gil")]
    marked = Reading(who={(2, 1): WhoAnswer(mark="el Rubio")})
    close_sign_up(SYSTEM, tournament, (), marked)
    assert people(tournament)[1] == ("Pau Roca (el Rubio)", "Eva Roy")


def test_programs_are_asked_with_all_candidates_at_once(organiser: Caller, scene: Scene) -> None:
    import_players(SYSTEM, scene.club, "id,nombre\nK1,Tomás Albiac\nK2,Rosa Lanuza\n")
    draft = create_tournament(scene.organiser, scene.club, "Nueva")
    rows = [
        {"players": ["Rosa Lanuza", "Ana Gil"]},
        {"players": ["Tomas Albiac", "Luis Sanz"]},
        {"players": ["Rosa Lanuza", "Eva Roy"]},
    ]
    path = f"tournaments/{draft.slug}/entries/"
    looked = organiser.submit(f"{path}preview/", json.dumps({"entries": rows}))
    answer = organiser.submit(f"{path}list/", json.dumps({"entries": rows}), "k")
    questions = problem(answer, 422, "who_is_this")["who"]
    assert json.loads(looked.content)["who"] == questions
    assert [(one["line"], one["seat"], one["why"]) for one in questions] == [
        (1, 1, ["twice"]),
        (2, 1, ["near"]),
        (3, 1, ["twice"]),
    ]
    assert [one["candidates"][0]["code"] for one in questions] == ["K2", "K1", "K2"]
    assert not draft.entries.exists()
    who: list[dict[str, Any]] = [
        {"line": 1, "seat": 1, "is": "K2"},
        {"line": 2, "seat": 1, "is": "K1"},
    ]
    who.append({"line": 3, "seat": 1, "is": {"new": "Delicias"}})
    body = {"entries": rows, "who": who}
    assert organiser.submit(f"{path}list/", json.dumps(body), "k").status_code == 201
    assert [names[0] for names in people(draft)] == [
        "Rosa Lanuza",
        "Tomás Albiac",
        "Rosa Lanuza (Delicias)",
    ]
    who[0]["is"] = "K99"
    problem(organiser.submit(f"{path}list/", json.dumps(body), "l"), 422, "unknown_player")


def test_programs_answer_what_closing_asks_by_ticket(organiser: Caller, scene: Scene) -> None:
    import_players(SYSTEM, scene.club, "id,nombre\nK1,Tomás Albiac\n")
    tournament = posted(scene.club)
    sign_up(SYSTEM, tournament, Application(("Ana Gil", "Luis Sanz")))
    sign_up(SYSTEM, tournament, Application(("Eva Roy", "Tomas Albiac")))
    path = f"tournaments/{tournament.slug}/sign-ups/close/"
    (question,) = problem(organiser.submit(path, "{}", "k"), 422, "who_is_this")["who"]
    assert (question["line"], question["seat"]) == (2, 2)
    body = {"who": [{"line": 2, "seat": 2, "is": "K1"}]}
    assert organiser.submit(path, json.dumps(body), "k").status_code == 201
    assert ("Eva Roy", "Tomás Albiac") in people(tournament)


CODED = "id,nombre\nX1,Angel Perez\nX2,Luis Sanz\n"
"""A list by code with a person who is nearly a player of the club."""


@pytest.mark.parametrize("who", ["K1", {"new": ""}])
def test_a_list_of_players_by_code_is_asked_about(
    organiser: Caller, scene: Scene, who: Any
) -> None:
    import_players(SYSTEM, scene.club, "id,nombre\nK1,Tomás Albiac\n")
    path, before = f"clubs/{scene.club.slug}/players/import/", Player.objects.count()
    body: dict[str, Any] = {"csv": "id,nombre\nX1,Tomas Albiac\nX2,Rosa Lanuza\n"}
    asked = problem(organiser.submit(path, json.dumps(body), "k"), 422, "who_is_this")["who"]
    assert [(one["line"], one["candidates"][0]["code"]) for one in asked] == [(2, "K1")]
    assert Player.objects.count() == before
    body["who"] = [{"line": 2, "seat": 1, "is": who}]
    answer = organiser.submit(path, json.dumps(body), "k")
    assert answer.status_code == 201
    assert json.loads(answer.content)["created"] == (1 if who == "K1" else 2)
    assert Player.objects.filter(code="X1").exists() is (who != "K1")


@pytest.mark.parametrize("who", [PERSON, "new"])
def test_two_lists_with_codes_ask_on_the_page_also_where_they_come_as_files(
    club: Club, draft: Tournament, who: str
) -> None:
    page, at = page_of(club), reverse("import-entries", args=[draft.slug])
    pairs = "pareja,nombre,jugador1,jugador2\nP1,Las Cuarenta,X1,X2\n"
    file = SimpleUploadedFile("jugadores.csv", CODED.encode())
    shown = page.post(at, {"players_file": file, "pairs": pairs})
    assert shown.status_code == 422
    text = html.unescape(shown.content.decode())
    assert "Line 2: who is Angel Perez?" in text
    assert "X1,Angel Perez" in text
    assert not draft.entries.exists()
    fields = {"players": CODED, "pairs": pairs, "who-2-1-angel perez": who}
    assert page.post(at, fields).status_code == 302
    assert people(draft) == [("Ángel Pérez" if who == PERSON else "Angel Perez", "Luis Sanz")]


def test_a_substitute_over_the_api_is_asked_about(organiser: Caller, scene: Scene) -> None:
    import_players(SYSTEM, scene.club, "id,nombre\nK1,Tomás Albiac\n")
    tournament = running(scene.club)
    path = f"tournaments/{tournament.slug}/entries/1/substitute/"
    body: dict[str, Any] = {"leaves": "Iris Vega", "comes": "Tomas Albiac", "from_round": 1}
    (question,) = problem(organiser.submit(path, json.dumps(body), "k"), 422, "who_is_this")["who"]
    assert [one["code"] for one in question["candidates"]] == ["K1"]
    unknown = {**body, "comes": "Nadie Conocido"}
    problem(organiser.submit(path, json.dumps(unknown), "l"), 422, "unknown_player")
    body["who"] = [{"line": 1, "seat": 1, "is": {"new": ""}}]
    assert organiser.submit(path, json.dumps(body), "m").status_code == 201
    (row,) = tournament.entries.get(number=1).substitutions.select_related("comes")
    assert row.comes.name == "Tomas Albiac"


# --- both mistakes undone -------------------------------------------------------------------------


def test_one_person_who_was_entered_as_two_is_merged(club: Club, draft: Tournament) -> None:
    enter_list(SYSTEM, draft, [ListedEntrant(TWIN)], Reading(is_new_in_doubt=True))
    twin, main = Player.objects.get(name="Angel Perez"), Player.objects.get(code="J1")
    merge_player(SYSTEM, twin, main)
    row = ListedEntrant(("Angel Perez", "Eva Roy"))
    (entry,) = enter_list(SYSTEM, a_draft(club, "Julio"), [row])
    assert entry.pair is not None
    assert entry.pair.first == main
