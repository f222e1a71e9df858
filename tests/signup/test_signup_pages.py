"""From the poster to the entry by the pages, as a phone and the organiser's desk see them."""

import re
import time
from dataclasses import replace
from typing import Any

import pytest
from django.core import signing
from django.core.cache import cache
from django.test import Client

from tests.clubs import SYSTEM, organiser, user
from tests.sheets.reading import words_of
from tests.signup.test_signing_up import a_posted, ask, pairs
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.posting import cancel_tournament, unpost_tournament
from tournaments.director.services.tournaments import set_visibility
from tournaments.models import SignUp, SignUpRequest, Tournament
from tournaments.signup.forms import TOKEN_SALT
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.links import make_link
from tournaments.signup.services.requests import join

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_limits() -> None:
    cache.clear()


def token(seconds_ago: int = 5, key: str = "k1") -> str:
    """A token of a form that was shown a while ago."""
    return signing.dumps([key, int(time.time()) - seconds_ago], salt=TOKEN_SALT)


def phone() -> Client:
    return Client(headers={"accept-language": "en"})


def desk(tournament: Tournament) -> Client:
    client = phone()
    organiser(tournament.club)
    client.force_login(user("olga"))
    return client


def text_of(client: Client, path: str, status: int = 200) -> str:
    response = client.get(path)
    assert response.status_code == status, response.content.decode()[:2000]
    return response.content.decode()


def form(**fields: Any) -> dict[str, Any]:
    return {"first": "Ana Gil", "second": "Luis Sanz", "token": token(), **fields}


def test_a_stranger_reads_the_poster_of_what_is_posted_and_nothing_else_of_the_draft() -> None:
    tournament = a_posted(places=4, fee_cents=1250, shows_names=True)
    ask(tournament, "Eva Ruiz", "Pepe Gil")
    client, at = phone(), f"/t/{tournament.slug}"
    assert client.get(f"{at}/").headers["Location"] == f"{at}/poster/"
    page = text_of(client, f"{at}/poster/")
    for text in (tournament.name, "12.50\u00a0€", "3 of 4 are free", "Eva Ruiz", "og:title"):
        assert text in page
    for path in ("rounds", "entries", "crosstable", "sign-ups"):
        assert client.get(f"{at}/{path}/").status_code in (302, 404)
    assert client.get(f"/api/v1/tournaments/{tournament.slug}/").status_code == 404
    assert "What is coming" in text_of(client, "/")
    assert tournament.name in text_of(client, f"/clubs/{tournament.club.slug}/")
    cancel_tournament(SYSTEM, tournament, "No hay sala")
    assert "No hay sala" in text_of(client, f"{at}/poster/")
    unpost_tournament(SYSTEM, tournament)
    text_of(client, f"{at}/poster/", 404)
    text_of(client, f"{at}/", 404)
    text_of(client, f"{at}/sign-up/", 404)


def test_two_sign_up_from_one_cached_form_and_get_a_ticket_each() -> None:
    tournament = a_posted(places=4)
    path = f"/t/{tournament.slug}/sign-up/"
    phones = [phone(), phone()]
    pages = [text_of(client, path) for client in phones]
    tokens = [found for page in pages for found in re.findall(r'name="token" value="(.+?)"', page)]
    secrets = [client.cookies["csrftoken"].value for client in phones]
    assert len({*tokens}) == len({*secrets}) == 2
    later = [signing.loads(one, salt=TOKEN_SALT)[0] for one in tokens]
    for client, key, name in zip(phones, later, ("Ana", "Eva"), strict=True):
        fields = {"first": f"{name} Gil", "second": f"{name} Sanz", "token": token(key=key)}
        assert client.post(path, fields).status_code == 302
    tickets = SignUpRequest.objects.order_by("ticket").values_list("ticket", flat=True)
    assert list(tickets) == [1, 2]
    assert "2 places are left." in text_of(phone(), path)


def test_a_private_poster_opens_to_the_club_and_to_own_codes_alone() -> None:
    tournament = a_posted()
    set_visibility(SYSTEM, tournament, "private")
    (request,) = pairs(tournament, 1)
    path = f"/t/{tournament.slug}/poster/"
    text_of(phone(), path, 404)
    text_of(desk(tournament), path)
    client = phone()
    client.post(f"/t/{tournament.slug}/come/code/", {"code": request.code})
    text_of(client, path)
    assert tournament.name not in text_of(phone(), "/")


def test_signing_up_leads_to_the_own_page_which_says_where_one_stands() -> None:
    tournament = a_posted(places=1)
    client, at = phone(), f"/t/{tournament.slug}/sign-up/"
    page = text_of(client, at)
    assert "1 place is left." in page
    assert 'name="website"' in page
    assert "Join the waiting list" not in page
    response = client.post(at, form())
    assert response.headers["Location"] == f"{at}mine/"
    mine = text_of(client, f"{at}mine/")
    request = SignUpRequest.objects.get()
    assert request.code in mine
    assert "You are in: place 1 of 1." in mine
    assert client.post(at, form()).status_code == 302
    assert SignUpRequest.objects.count() == 1
    second = phone()
    for where in (at, f"/t/{tournament.slug}/poster/"):
        assert "Join the waiting list" in text_of(second, where)
    second.post(at, form(first="Eva", second="Pepe", token=token(key="k2")))
    assert "number 1 on the waiting list" in text_of(second, f"{at}mine/")
    assert client.post(f"{at}mine/leave/").status_code == 302
    assert "You are off the list." in text_of(client, f"{at}mine/")
    assert "You are in: place 1 of 1." in text_of(second, f"{at}mine/")
    second.post(f"{at}mine/name/", {"seat": "2", "name": "Sol"})
    assert "Eva / Sol" in text_of(second, f"{at}mine/")
    assert second.post(f"{at}mine/name/", {"seat": "1", "name": "Mar"}).status_code == 409


def test_the_own_page_of_joined_singles_names_both() -> None:
    tournament = a_posted(singles=True)
    both = [ask(tournament, name) for name in ("Ana Gil", "Luis Sanz")]
    join(SYSTEM, *both)
    for request in both:
        client = phone()
        client.post(f"/t/{tournament.slug}/come/code/", {"code": request.code})
        assert "Ana Gil / Luis Sanz" in text_of(client, f"/t/{tournament.slug}/sign-up/mine/")


@pytest.mark.parametrize(
    "fields",
    [
        {"age": 0},
        {"age": 90_000},
        {"token": "made up"},
        {"website": "https://example.com"},
        {"second": ""},
    ],
    ids=["early", "late", "forged", "robot", "single"],
)
def test_a_form_that_is_not_taken_is_shown_again_with_its_fields(fields: dict[str, Any]) -> None:
    tournament = a_posted()
    if "age" in fields:
        fields = {"token": token(fields["age"])}
    response = phone().post(f"/t/{tournament.slug}/sign-up/", form(**fields))
    assert response.status_code == 422
    assert 'value="Ana Gil"' in response.content.decode()
    assert not SignUpRequest.objects.exists()


def test_an_address_signs_up_sixty_times_a_minute_and_changes_five() -> None:
    tournament = a_posted(places=None)
    at = f"/t/{tournament.slug}/sign-up/"
    statuses = [phone().post(at, form(token=token(key=f"k{n}"))).status_code for n in range(61)]
    assert statuses == [302] * 60 + [429]
    client = phone()
    client.post(f"/t/{tournament.slug}/come/code/", {"code": SignUpRequest.objects.all()[0].code})
    changes = [client.post(f"{at}mine/name/", {"seat": "1"}).status_code for _ in range(6)]
    assert changes == [422] * 5 + [429]


def test_no_answer_tells_who_is_on_the_list() -> None:
    tournament = a_posted()
    ask(tournament, "Ana Gil", "Luis Sanz")
    client = phone()
    assert client.post(f"/t/{tournament.slug}/sign-up/", form()).status_code == 302
    assert SignUpRequest.objects.count() == 2
    page = text_of(desk(tournament), f"/t/{tournament.slug}/sign-ups/")
    assert "the same person as ticket 1" in page


def test_a_bar_signs_up_its_own_and_sees_these_alone() -> None:
    tournament = a_posted()
    ask(tournament, "Eva Ruiz", "Pepe Gil")
    _link, secret = make_link(SYSTEM, tournament, "Bar La Sota", 1)
    client, at = phone(), f"/t/{tournament.slug}/sign-up/link/{secret}/"
    client.post(at, form())
    page = text_of(client, at)
    assert "Ana Gil" in page
    assert "Eva Ruiz" not in page
    assert client.post(at, form(token=token(key="k3"))).status_code == 409
    text_of(phone(), f"/t/{tournament.slug}/sign-up/link/wrong/", 404)
    text_of(client, f"/t/{tournament.slug}/sign-ups/", 404)


def test_the_organiser_sets_notes_joins_takes_off_closes_and_reopens() -> None:
    tournament = a_posted(places=2, asks_contact=True)
    client, at = desk(tournament), f"/t/{tournament.slug}/sign-ups/"
    client.post(at, {"first": "Ana Gil", "contact": "600 123 456"})
    client.post(at, {"first": "Luis Sanz"})
    client.post(at, {"first": "Eva", "second": "Pepe"})
    client.post(at, {"first": "Mar", "second": "Sol", "contact": "+34 600 111 222"})
    assert "looks for a partner" in text_of(client, at)
    assert client.post(f"{at}1/join/", {"other": "Luis"}).status_code == 404
    assert client.post(f"{at}1/join/", {"other": "2"}).status_code == 302
    assert client.post(f"{at}3/off/", {"reason": ""}).status_code == 422
    client.post(f"{at}3/off/", {"reason": "Se ha ido"})
    page = text_of(client, at)
    assert "has moved up" in page
    assert 'href="tel:+34600111222"' in page
    assert "https://wa.me/34600111222?text=" in page
    client.post(f"{at}4/told/")
    assert "has moved up" not in text_of(client, at)
    client.post(f"{at}1/change/", {"first": "Ana Gil", "second": "", "reserve": "Rosa"})
    preview = text_of(client, f"{at}enter/")
    assert "2 enter" in preview
    client.post(f"{at}enter/", {"shown": ["1", "4"], "ticket": ["1", "4"]})
    client.post(f"{at}enter/", {"shown": ["1", "4"], "ticket": ["1", "4"]})
    assert tournament.entries.count() == 2
    assert SignUp.objects.get().closed_at is not None
    client.post(f"{at}reopen/")
    assert SignUp.objects.get().closed_at is None
    page = text_of(client, f"{at}settings/")
    assert "A box that must be ticked" in page
    fields = {"on_web": "from", "opens_at": "2026-01-01T10:00", "places": "8", "fee_cents": "12.50"}
    assert client.post(f"{at}settings/", {**fields, "fee_per": "entry"}).status_code == 302
    assert SignUp.objects.get().fee_cents == 1250
    assert client.post(f"{at}links/", {"origin": "Bar", "quota": "3"}).status_code == 200
    text_of(client, f"{at}1/")


def test_an_entry_that_withdraws_counts_no_more_on_the_list() -> None:
    tournament = a_posted(places=None)
    pairs(tournament, 4)
    entry, *_others = close_sign_up(SYSTEM, tournament)
    draw(SYSTEM, tournament)
    withdraw(SYSTEM, entry)
    assert "without a ticket" not in text_of(desk(tournament), f"/t/{tournament.slug}/sign-ups/")


def test_the_own_code_leads_to_the_table_once_it_is_entered() -> None:
    tournament = a_posted()
    pairs(tournament, 2)
    request = SignUpRequest.objects.get(ticket=1)
    desk(tournament).post(f"/t/{tournament.slug}/sign-ups/enter/", {"shown": [], "ticket": []})
    client = phone()
    response = client.post(f"/t/{tournament.slug}/come/code/", {"code": request.code})
    assert response.headers["Location"] == f"/t/{tournament.slug}/table/"
    assert client.get(f"/t/{tournament.slug}/sign-up/mine/").status_code == 302


def test_posting_and_cancelling_are_presses_of_the_organiser() -> None:
    tournament = a_posted()
    client, at = desk(tournament), f"/t/{tournament.slug}/post/"
    client.post(at, {"verb": "unpost"})
    assert "Post it" in text_of(client, at)
    client.post(at, {"verb": "post"})
    assert client.post(at, {"verb": "cancel", "reason": ""}).status_code == 422
    client.post(at, {"verb": "cancel", "reason": "Llueve"})
    assert "It takes place after all" in text_of(client, at)


def test_the_poster_on_paper_has_the_address_that_was_asked_where_none_is_public() -> None:
    tournament = a_posted()
    assert_paper_has(tournament, f"http://testserver/t/{tournament.slug}/")


def test_the_poster_on_paper_has_name_fee_and_address_and_why_it_is_cancelled(
    settings: Any,
) -> None:
    settings.ENVIRONMENT = replace(settings.ENVIRONMENT, public_url="https://club.example")
    tournament = a_posted(fee_cents=1250)
    texts = [tournament.name, "12.50\N{NO-BREAK SPACE}€"]
    texts.append(f"https://club.example/t/{tournament.slug}/")
    assert "The tournament is cancelled" not in assert_paper_has(tournament, *texts)
    cancel_tournament(SYSTEM, tournament, "No hay sala")
    assert_paper_has(tournament, *texts, "The tournament is cancelled: No hay sala")


def assert_paper_has(tournament: Tournament, *texts: str) -> str:
    """Read the poster's one page of PDF as a stranger does; return its text."""
    response = phone().get(f"/t/{tournament.slug}/print/poster.pdf")
    assert response.status_code == 200
    assert response.headers["Content-Type"] == "application/pdf"
    (page,) = words_of(response.content)
    for text in texts:
        assert text in page
    return page


def test_the_day_of_what_is_posted_is_in_the_calendar_of_the_club() -> None:
    tournament = a_posted()
    Tournament.objects.filter(pk=tournament.pk).update(begins_at="2026-12-01T17:00:00Z")
    calendar = phone().get(f"/clubs/{tournament.club.slug}/calendar.ics").content.decode()
    assert re.search(r"SUMMARY:Torneo de feria", calendar)


def test_house_rules_are_switches_of_the_settings_and_stand_on_the_poster() -> None:
    tournament = a_posted()
    client, at = desk(tournament), f"/t/{tournament.slug}"
    page = text_of(client, f"{at}/settings/")
    assert 'name="rule_must_overtrump"' in page
    fields = {"name": tournament.name, "confirm_minutes": "10", "bye_quota": "1"}
    fields |= {"no_show_minutes": "15", "rule_must_overtrump": "False", "rule_declare_at": "-"}
    assert client.post(f"{at}/settings/", fields).status_code == 302
    tournament.refresh_from_db()
    assert tournament.options == {"to": 3, "must_overtrump": False}
    assert "Over a trump: any trump" in text_of(phone(), f"{at}/poster/")
    new = text_of(client, f"/clubs/{tournament.club.slug}/tournaments/new/?plan=suizo")
    assert 'name="rule_omitted_is_lost"' in new
