"""Prizes on pages and over the API, from the list to the ceremony."""

import json
from hashlib import sha256
from typing import Any

import pytest
from django.test import Client

from tests.clubs import (
    SYSTEM,
    organiser,
    user,
)
from tests.support import scenes
from tests.support.caller import Caller, problem
from tournaments.accounts.services.invitations import issue_token
from tournaments.director.queries.expected import present_entries
from tournaments.director.services.absences import check_in, expel
from tournaments.director.services.posting import post_tournament
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import create_tournament, finish
from tournaments.models import CashEntry, Tournament
from tournaments.printing.queries.stages import diplomas_paper
from tournaments.sheets.rows import Diplomas
from tournaments.standings.queries.prizes import prize_list
from tournaments.standings.services.prizes import NewPrize, set_prizes
from tournaments.standings.services.seasons import add_tournament, create_season

pytestmark = pytest.mark.django_db

ENGLISH = {"accept-language": "en"}
LINES = (("1", "600", "Copa"), ("2", "300,50", ""), ("3-4", "", "Jamón"), ("", "", "Una botella"))


@pytest.fixture
def boss() -> Client:
    client = Client(headers=ENGLISH)
    client.force_login(scenes.user_named("marta", is_superuser=True))
    return client


def text_of(answer: Any, status: int = 200) -> str:
    assert answer.status_code == status
    return " ".join(str(answer.content.decode()).replace("\xa0", " ").split())


def sent(*lines: tuple[str, str, str], **more: str) -> dict[str, str]:
    fields = {"meant_for": "", "unit": "500", **more}
    for n, (places, money, text) in enumerate(lines):
        fields |= {f"{n}-places": places, f"{n}-money": money, f"{n}-text": text}
        fields[f"{n}-per"] = "entry"
    return fields


def test_from_the_list_to_the_ceremony(boss: Client, night: Tournament) -> None:
    place = f"/t/{night.slug}"
    assert "Save to add more lines." in text_of(boss.get(f"{place}/prizes/"))
    answer = boss.post(f"{place}/prizes/", sent(*LINES, ("", "", "")))
    assert answer["Location"] == f"{place}/prizes/"
    lines = [(line.first, line.last, line.cents, line.text) for line in night.prize_lines.all()]
    assert lines == [
        (1, 1, 60000, "Copa"),
        (2, 2, 30050, ""),
        (3, 4, None, "Jamón"),
        (0, 0, None, "Una botella"),
    ]
    form = text_of(boss.get(f"{place}/prizes/"))
    assert 'value="3–4"' in form
    assert 'value="300,50"' in form
    public = text_of(Client(headers=ENGLISH).get(f"{place}/"))
    for text in ("600.00 € + Copa", "300.50 €", "Places 3 to 4", "As it stands", "Everybody"):
        assert text in public
    ceremony = text_of(boss.get(f"{place}/prizes/ceremony/"))
    assert ceremony.index("Place 4") < ceremony.index("Place 2") < ceremony.index("600.00 € + Copa")
    assert "Everybody gets: Una botella." in ceremony
    winner = next(one for one in prize_list(night).recipients if one.place == 1)
    fields = {"number": winner.number, "stage": "", "cents": 60000, "payee": "Ana"}
    assert boss.post(f"{place}/prizes/hand-out/", fields).status_code == 302
    after = text_of(boss.get(f"{place}/prizes/ceremony/"))
    assert "Handed out: 600.00 € to <bdi>Ana</bdi>" in after
    assert "Handed out: Copa to <bdi>Ana</bdi>" in after
    again = boss.post(f"{place}/prizes/hand-out/", fields | {"payee": "Otra"})
    assert "gets something else now" in text_of(again, 409)
    assert CashEntry.objects.count() == 2
    note = CashEntry.objects.get(cents__lt=0)
    assert boss.post(f"{place}/prizes/take-back/{note.pk}/").status_code == 302
    changed = text_of(boss.get(f"{place}/prizes/ceremony/"))
    assert "The results changed since it was handed out." in changed
    assert "Still due: 600.00 €." in changed


def test_a_finalist_who_is_expelled_is_not_called(boss: Client, night: Tournament) -> None:
    set_prizes(SYSTEM, night, [NewPrize(1, 1, cents=60000), NewPrize(2, 2, cents=30000)])
    winner, second = prize_list(night).recipients
    expel(SYSTEM, night.entries.get(number=winner.number), "Cartas marcadas")
    page = text_of(boss.get(f"/t/{night.slug}/prizes/ceremony/"))
    assert winner.shown_name not in page
    assert page.index("Place 1") < page.index(second.shown_name)
    fields = {"number": winner.number, "stage": "", "cents": 60000, "payee": ""}
    refused = boss.post(f"/t/{night.slug}/prizes/hand-out/", fields)
    assert "gets something else now" in text_of(refused, 409)
    assert not CashEntry.objects.exists()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        (("uno", "600", ""), "Write places as 1 or as 5–8."),
        (("1", "1.5000", ""), "Write an amount as 600 or 12.50"),
        (("1", "mil", ""), "Write an amount as 600 or 12.50"),
        (("4-2", "600", ""), "the places are not in order"),
        (("1", "101 %", ""), "it is an amount, or 1 to 100 per cent"),
        (("", "5", ""), "what everybody gets is goods"),
    ],
)
def test_what_is_wrong_with_a_list_is_said_and_nothing_is_lost(
    boss: Client, line: tuple[str, str, str], complaint: str
) -> None:
    tournament = scenes.draft().tournament
    page = text_of(boss.post(f"/t/{tournament.slug}/prizes/", sent(LINES[0], line)), 422)
    assert complaint in page
    assert 'value="Copa"' in page
    assert not tournament.prize_lines.exists()


def test_a_hamper_is_raffled_among_those_present_when_the_tournament_is_finished(
    boss: Client, night: Tournament
) -> None:
    fields = sent(LINES[0], ("", "", "Cesta")) | {"1-raffled": "on"}
    wrong = boss.post(f"/t/{night.slug}/prizes/", fields | {"1-places": "1"})
    assert "what is raffled is goods, without a place" in text_of(wrong, 422)
    assert boss.post(f"/t/{night.slug}/prizes/", fields).status_code == 302
    assert present_entries(night) == sorted(night.entries.values_list("number", flat=True))
    present = (2, 3, 5)
    for number in present:
        check_in(SYSTEM, night.entries.get(number=number))
    assert "Raffled among those present" in text_of(
        Client(headers=ENGLISH).get(f"/t/{night.slug}/")
    )
    assert all(one.goods != ("Cesta",) for one in prize_list(night).recipients)
    waiting = "Raffled among those present when the tournament is finished: Cesta."
    assert waiting in text_of(boss.get(f"/t/{night.slug}/prizes/ceremony/"))
    finish(SYSTEM, night)
    night.refresh_from_db()
    shown = Caller().read(f"tournaments/{night.slug}/prizes/")
    (won,) = [one for one in shown["recipients"] if one["raffled"]]
    assert won["goods"][-1] == "Cesta"
    seed = night.stages.get().seed
    assert won["number"] == min(
        present, key=lambda n: sha256(f"{seed}|prize|raffle 1|{n}".encode()).digest()
    )
    assert "won in the raffle" in text_of(Client(headers=ENGLISH).get(f"/t/{night.slug}/"))
    ceremony = text_of(boss.get(f"/t/{night.slug}/prizes/ceremony/"))
    assert "Handed out, and not theirs any more" not in ceremony
    assert waiting not in ceremony
    handed = {"number": won["number"], "stage": "", "cents": won["cents"], "payee": ""}
    assert boss.post(f"/t/{night.slug}/prizes/hand-out/", handed).status_code == 302
    assert CashEntry.objects.filter(prize__text="Cesta").count() == 1
    expel(SYSTEM, night.entries.get(number=won["number"]), "Cartas marcadas")
    (other,) = [one for one in prize_list(night).recipients if one.raffled]
    assert other.number in present
    assert other.number != won["number"]
    changed = text_of(boss.get(f"/t/{night.slug}/prizes/ceremony/"))
    assert "Handed out, and not theirs any more" in changed


def test_the_text_on_prizes_is_shown_where_there_is_no_list(night: Tournament) -> None:
    Tournament.objects.filter(pk=night.pk).update(prizes="Tres jamones")
    assert "Tres jamones" in text_of(Client().get(f"/t/{night.slug}/"))
    set_prizes(SYSTEM, night, [NewPrize(1, 1, percent=45)])
    page = text_of(Client(headers=ENGLISH).get(f"/t/{night.slug}/"))
    assert '<p class="on-air__prizes">' not in page


def test_a_season_shows_its_prizes(boss: Client, night: Tournament) -> None:
    finish(SYSTEM, night)
    season = create_season(SYSTEM, night.club, name="Temporada")
    add_tournament(SYSTEM, season, night)
    place = f"/clubs/{night.club.slug}/seasons/{season.slug}/"
    wrong = {"0-places": "1–", "0-text": "Trofeo"}
    assert "Write places as 1" in text_of(boss.post(f"{place}prizes/", wrong), 422)
    lines = {"0-places": "1", "0-text": "Trofeo", "1-places": "2-3", "1-text": "Placa"}
    lines |= {"0-money": "300"}
    assert boss.post(f"{place}prizes/", lines)["Location"] == place
    page = text_of(Client(headers=ENGLISH).get(place))
    assert page.count("300.00 € + Trofeo") == 2
    recipients = Caller().read(f"clubs/{night.club.slug}/seasons/{season.slug}/prizes/")
    assert [one["cents"] for one in recipients["recipients"]] == [30_000, 0, 0]
    assert page.count("Placa") == 3
    assert 'value="2–3"' in text_of(boss.get(f"{place}prizes/"))


def test_programs_read_the_prizes_and_set_them(night: Tournament) -> None:
    club, address = night.club, f"tournaments/{night.slug}/prizes/"
    organiser(club)
    tokens = {
        scope: Caller(issue_token(SYSTEM, club, user("olga"), name=scope, scopes=[scope])[1])
        for scope in ("games:read", "tournaments:manage")
    }
    program = tokens["tournaments:manage"]
    etag = Caller().call("GET", address).headers["ETag"]
    body = {
        "lines": [{"first": 1, "last": 1, "cents": 60000}, {"first": 2, "last": 2, "text": "Vino"}],
        "meant_for": 16,
        "unit": 1000,
    }

    def put(caller: Caller, body: Any, **headers: str) -> Any:
        return caller.call("PUT", address, json.dumps(body).encode(), headers, "application/json")

    assert problem(put(program, body), 428, "precondition_required")
    assert put(tokens["games:read"], body, **{"If-Match": etag}).status_code == 403
    assert put(Caller(), body, **{"If-Match": etag}).status_code == 401
    answer = put(program, body, **{"If-Match": etag})
    assert answer.status_code == 200, answer.content
    assert problem(put(program, body, **{"If-Match": etag}), 412, "precondition_failed")
    prizes = json.loads(Caller().call("GET", address).content)
    assert prizes == json.loads(answer.content)
    assert [line["amount"] for line in prizes["lines"]] == [30000, None]
    assert [(one["place"], one["cents"], one["goods"]) for one in prizes["recipients"]] == [
        (1, 30000, []),
        (2, 0, ["Vino"]),
    ]
    bad = {"lines": [{"first": 2, "last": 1, "cents": 1}]}
    assert problem(put(program, bad, **{"If-Match": "*"}), 422, "bad_prize")


def test_the_poster_and_the_diplomas_name_the_prizes(boss: Client, night: Tournament) -> None:
    club = night.club
    draft = create_tournament(
        SYSTEM, club, "De feria", NewTournament(GameSettings(options={"to": 3}))
    )
    post_tournament(SYSTEM, draft)
    lines = [NewPrize(1, 1, cents=60000, text="Copa"), NewPrize(2, 2, percent=35)]
    set_prizes(SYSTEM, draft, lines, meant_for=40)
    poster = text_of(Client(headers=ENGLISH).get(f"/t/{draft.slug}/poster/"))
    for text in ("600.00 € + Copa", "35 % of what is taken", "meant for 40 entries"):
        assert text in poster
    set_prizes(SYSTEM, night, lines)
    page = text_of(Client(headers=ENGLISH).get(f"/t/{night.slug}/"))
    assert "35 % of what is taken" in page  # nothing is taken yet
    (sheet,) = diplomas_paper(night.slug, SYSTEM, None, (1, 3), "en").sheets
    assert isinstance(sheet, Diplomas)
    assert [one.prize for one in sheet.winners] == ["600.00\xa0€ + Copa", ""]
    pdf = boss.get(f"/t/{night.slug}/print/diplomas.pdf")
    assert pdf["Content-Type"] == "application/pdf"


def test_programs_hand_out_a_prize_once_and_take_it_back(night: Tournament) -> None:
    set_prizes(SYSTEM, night, [NewPrize(1, 1, cents=60000, text="Copa")])
    organiser(night.club)
    scopes = ["tournaments:manage"]
    desk = Caller(issue_token(SYSTEM, night.club, user("olga"), name="desk", scopes=scopes)[1])
    place = f"tournaments/{night.slug}/prizes/"
    (first,) = desk.read(place)["recipients"]
    body = json.dumps({"entry": first["number"], "cents": first["cents"], "payee": "Ana"})
    given = json.loads(desk.submit(f"{place}hand-out/", body, "once").content)["lines"]
    assert [(one.cents, one.payee) for one in CashEntry.objects.filter(pk__in=given)] == [
        (-60000, "Ana"),
        (0, "Ana"),
    ]
    problem(desk.submit(f"{place}hand-out/", body, "again"), 409, "prize_changed")
    for line in given:
        assert desk.submit(f"{place}{line}/take-back/", "{}", str(line)).status_code == 201
    problem(desk.submit(f"{place}{given[0]}/take-back/", "{}"), 409, "already_taken_back")
