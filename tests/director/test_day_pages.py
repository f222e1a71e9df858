"""The day by its pages: who has come, who leaves, who rests, the clock, codes."""

from __future__ import annotations

import re
from datetime import timedelta
from decimal import Decimal
from typing import TYPE_CHECKING

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.clubs import SYSTEM, a_swiss, arbiter, house_bots, organiser, the_round, user
from tests.support.day import a_day, entry, late_pair, spare
from tournaments.core.limits import CODES
from tournaments.director.services.absences import check_in, close_check_in
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import close_round, create_tournament, publish_round
from tournaments.domain.scores import Score
from tournaments.models import ByeRequest, Penalty, Player, Round, Tournament
from tournaments.results.services.matches import correct_result

if TYPE_CHECKING:
    from django.http import HttpResponse

pytestmark = pytest.mark.django_db


def staff(tournament: Tournament, role: str = "organiser") -> Client:
    """The organiser, or the arbiter, of the tournament's club, signed in."""
    client = Client()
    if role == "arbiter":
        arbiter(tournament.club)
        client.force_login(user("alberto"))
    else:
        organiser(tournament.club)
        client.force_login(user("olga"))
    return client


def text(response: HttpResponse) -> str:
    """A page's text without line breaks, as it is read."""
    return " ".join(response.content.decode().split())


def change_entry(
    client: Client, tournament: Tournament, number: int, verb: str, **fields: object
) -> HttpResponse:
    """Send a form of an entry's page and follow to where it leads."""
    path = reverse("entry-act", args=[tournament.slug, number, verb])
    return client.post(path, fields, follow=True)  # type: ignore[return-value]


# --- Check-in by the staff ----------------------------------------------------------------------


def test_one_tap_checks_in_and_one_takes_it_back() -> None:
    tournament = a_day(drawn=False)
    client = staff(tournament, "arbiter")
    path = reverse("arrive", args=[tournament.slug, 2])
    page = text(client.post(path, {"come": "yes"}, follow=True))  # type: ignore[arg-type]
    assert entry(tournament, 2).checked_in_at is not None
    assert "Ha venido 1" in page
    assert "Faltan 5" in page
    client.post(path, {"come": "no"})
    assert entry(tournament, 2).checked_in_at is None


def test_the_list_is_filtered_by_a_name_and_stays_so_after_a_tap() -> None:
    tournament = a_day(drawn=False)
    client = staff(tournament)
    response = client.get(reverse("check-in", args=[tournament.slug]), {"name": "jugador 5"})
    assert [row.name for row in response.context["page"].entries] == ["Pareja 3"]
    answer = client.post(
        reverse("arrive", args=[tournament.slug, 3]), {"come": "yes", "name": "jugador 5"}
    )
    assert answer["Location"].endswith("?name=jugador+5#entry-3")
    none = client.get(reverse("check-in", args=[tournament.slug]), {"name": "nadie"})
    assert "Aquí nadie se llama así." in text(none)  # type: ignore[arg-type]


def test_before_it_closes_one_reads_who_is_missing() -> None:
    tournament = a_day(drawn=False)
    for number in (1, 2, 3, 4):
        check_in(SYSTEM, entry(tournament, number))
    client = staff(tournament)
    path = reverse("close-check-in", args=[tournament.slug])
    page_text = text(client.get(path))  # type: ignore[arg-type]
    assert "No han venido 2:" in page_text
    assert "Pareja 5" in page_text
    assert "Pareja 1" not in page_text
    client.post(path, {"absent": "bye"})
    rests = ByeRequest.objects.filter(entry__tournament=tournament)
    assert sorted(rests.values_list("entry__number", flat=True)) == [5, 6]
    response = client.post(path, {"absent": "withdraw"})
    assert response.status_code == 409
    assert "Las llegadas están cerradas." in text(response)  # type: ignore[arg-type]


def test_a_choice_that_nobody_offered_is_refused_on_the_page() -> None:
    tournament = a_day(drawn=False)
    path = reverse("close-check-in", args=[tournament.slug])
    assert staff(tournament).post(path, {"absent": "shoot"}).status_code == 422


def test_before_everybody_checks_in_again_one_reads_what_is_lost() -> None:
    tournament = a_day(drawn=False)
    for number in (1, 2):
        check_in(SYSTEM, entry(tournament, number))
    close_check_in(SYSTEM, tournament)
    client = staff(tournament)
    path = reverse("open-check-in", args=[tournament.slug])
    list_text = text(client.get(reverse("check-in", args=[tournament.slug])))  # type: ignore[arg-type]
    assert f'href="{path}"' in list_text
    assert 'name="afresh"' not in list_text
    page_text = text(client.get(path))  # type: ignore[arg-type]
    assert "se borran 2 llegadas" in page_text
    assert entry(tournament, 1).checked_in_at is not None
    client.post(path, {"afresh": "1"})
    tournament.refresh_from_db()
    assert tournament.check_in_closed_at is None
    assert entry(tournament, 1).checked_in_at is None
    nobody = text(client.get(path))  # type: ignore[arg-type]
    assert "Todavía no ha venido nadie." in nobody
    assert 'name="afresh"' not in nobody


def test_opened_for_those_who_come_late_it_keeps_who_has_come() -> None:
    tournament = a_day(drawn=False)
    check_in(SYSTEM, entry(tournament, 1))
    close_check_in(SYSTEM, tournament)
    staff(tournament).post(reverse("open-check-in", args=[tournament.slug]))
    tournament.refresh_from_db()
    assert tournament.check_in_closed_at is None
    assert entry(tournament, 1).checked_in_at is not None


# --- One entry ----------------------------------------------------------------------------------


def test_the_staff_reads_the_code_and_nobody_else_does() -> None:
    tournament = a_day()
    code = entry(tournament, 1).code
    path = reverse("entry", args=[tournament.slug, 1])
    assert code in text(staff(tournament).get(path))  # type: ignore[arg-type]
    assert code not in text(Client().get(path, follow=True))  # type: ignore[arg-type]
    for public in ("entries", "tournament", "come"):
        page = Client().get(reverse(public, args=[tournament.slug]))
        assert code not in text(page)  # type: ignore[arg-type]


def test_a_pair_leaves_and_comes_back() -> None:
    tournament = a_day()
    client = staff(tournament, "arbiter")
    page = text(change_entry(client, tournament, 2, "withdraw", reason="Un compromiso"))
    assert "Un compromiso" in page
    assert entry(tournament, 2).absences.get().kind == "withdrawn"
    refused = change_entry(client, tournament, 2, "withdraw", reason="")
    assert refused.status_code == 409
    assert "«Pareja 2» ya se" in text(refused)
    change_entry(client, tournament, 2, "readmit")
    assert not entry(tournament, 2).absences.exists()


def test_only_the_organiser_expels_and_they_say_why() -> None:
    tournament = a_day()
    assert (
        change_entry(staff(tournament, "arbiter"), tournament, 2, "expel", reason="x").status_code
        == 403
    )
    client = staff(tournament)
    assert change_entry(client, tournament, 2, "expel", reason=" ").status_code == 422
    change_entry(client, tournament, 2, "expel", reason="Insultos")
    assert entry(tournament, 2).absences.get().kind == "expelled"
    page = text(client.get(reverse("entry", args=[tournament.slug, 2])))  # type: ignore[arg-type]
    assert "Insultos" in page
    assert "Expulsar" not in page


def test_a_bye_is_written_down_and_taken_back() -> None:
    tournament = a_day()
    client = staff(tournament, "arbiter")
    change_entry(client, tournament, 3, "request-bye", round="2", kind="half")
    bye = ByeRequest.objects.get()
    assert (bye.round_number, bye.kind) == (2, "half")
    assert (
        change_entry(client, tournament, 3, "request-bye", round="3", kind="full").status_code
        == 422
    )
    change_entry(client, tournament, 3, "cancel-bye", pk=bye.pk)
    assert not ByeRequest.objects.exists()
    assert change_entry(client, tournament, 3, "cancel-bye", pk=bye.pk).status_code == 404


def test_a_substitute_comes_and_the_other_one_is_back() -> None:
    tournament = a_day()
    client, pair = staff(tournament, "arbiter"), entry(tournament, 1).pair
    assert pair is not None
    comes = spare(tournament)
    fields = {"leaves": pair.first_id, "comes": comes.name, "from_round": "1"}
    assert comes.name in text(change_entry(client, tournament, 1, "substitute", **fields))
    substitution = entry(tournament, 1).substitutions.get()
    refused = change_entry(
        client, tournament, 1, "end-substitution", pk=substitution.pk, until_round="0"
    )
    assert refused.status_code == 422
    change_entry(client, tournament, 1, "end-substitution", pk=substitution.pk, until_round="2")
    substitution.refresh_from_db()
    assert substitution.until_round == 2
    change_entry(client, tournament, 1, "end-substitution", pk=substitution.pk, until_round="1")
    assert not entry(tournament, 1).substitutions.exists()


def test_a_substitute_who_is_new_to_the_club_is_typed() -> None:
    tournament = a_day()
    client, pair = staff(tournament, "arbiter"), entry(tournament, 1).pair
    assert pair is not None
    fields = {"leaves": pair.first_id, "comes": "Ana Nueva", "from_round": "1"}
    assert "Ana Nueva" in text(change_entry(client, tournament, 1, "substitute", **fields))
    assert entry(tournament, 1).substitutions.get().comes == Player.objects.get(name="Ana Nueva")
    refused = change_entry(client, tournament, 2, "substitute", **fields | {"comes": "Otra Nueva"})
    assert refused.status_code == 422, "the first of another pair does not leave this one"
    assert not Player.objects.filter(name="Otra Nueva").exists()


def test_a_penalty_is_given_and_taken_back_with_reasons() -> None:
    tournament = a_day()
    client = staff(tournament, "arbiter")
    fields = {"round_number": "1", "match_points": "0.5", "hands": "0", "points": "0"}
    assert change_entry(client, tournament, 4, "penalise", **fields, reason="").status_code == 422
    page = text(change_entry(client, tournament, 4, "penalise", **fields, reason="Renuncio"))
    assert "puntos de partida: 0,5" in page
    penalty = Penalty.objects.get()
    change_entry(client, tournament, 4, "revoke-penalty", pk=penalty.pk, reason="No hubo renuncio")
    penalty.refresh_from_db()
    assert penalty.revocation == "No hubo renuncio"
    nothing = {"round_number": "1", "match_points": "0", "hands": "0", "points": "0"}
    assert change_entry(client, tournament, 4, "penalise", **nothing, reason="x").status_code == 422


@pytest.mark.parametrize("language", ["es", "en", "de"])
def test_numbers_take_a_decimal_comma_in_every_language(language: str) -> None:
    tournament = a_day(drawn=False)
    client = staff(tournament)
    client.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    fields = {"round_number": "1", "match_points": "0,5", "hands": "0", "points": "0"}
    change_entry(client, tournament, 4, "penalise", **fields, reason="Renuncio")
    assert Penalty.objects.get().match_points == Decimal("0.5")
    fields = {"origin": "", "apart": ""}
    change_entry(client, tournament, 2, "describe", **fields, rating="1650,5")
    assert entry(tournament, 2).rating == 1650.5
    answer = change_entry(client, tournament, 2, "describe", **fields, rating="1.500")
    assert answer.status_code == 422
    assert entry(tournament, 2).rating == 1650.5


def test_the_draw_is_informed_what_it_should_know_and_an_entry_taken_off() -> None:
    tournament = a_day(drawn=False)
    client = staff(tournament)
    fields = {"rating": "1650", "origin": "Casino", "apart": "Pérez, Bar Sol"}
    change_entry(client, tournament, 2, "describe", **fields)
    entry_row = entry(tournament, 2)
    assert (entry_row.rating, entry_row.origin, entry_row.apart) == (
        1650.0,
        "Casino",
        ["Bar Sol", "Pérez"],
    )
    page = text(change_entry(client, tournament, 2, "describe", **fields, fixed_table="3"))
    assert page.count("conserva la mesa 3") == 2
    assert entry(tournament, 2).fixed_table == 3
    assert (
        change_entry(client, tournament, 2, "describe", **fields, fixed_table="0").status_code
        == 422
    )
    page = text(change_entry(client, tournament, 1, "remove"))
    assert "«Deshacer»" in page
    assert list(tournament.entries.values_list("number", flat=True)) == [2, 3, 4, 5, 6]


def test_once_drawn_the_rating_stays_and_nobody_is_taken_off() -> None:
    tournament = a_day()
    client = staff(tournament)
    change_entry(client, tournament, 2, "describe", rating="1650", origin="Casino", apart="")
    assert (entry(tournament, 2).rating, entry(tournament, 2).origin) == (0.0, "Casino")
    assert change_entry(client, tournament, 1, "remove").status_code == 409


def test_a_bot_has_no_code_and_needs_no_check_in() -> None:
    tournament = a_swiss(4)
    page = text(
        staff(tournament).get(reverse("entry", args=[tournament.slug, 1]))  # type: ignore[arg-type]
    )
    assert entry(tournament, 1).code not in page
    assert "Ha venido" not in page


def test_the_history_shows_the_day_in_words() -> None:
    tournament = a_day()
    client, pair = staff(tournament), entry(tournament, 1).pair
    assert pair is not None
    fine = {"round_number": "1", "match_points": "1", "hands": "0", "points": "0"}
    forms: dict[str, dict[str, object]] = {
        "check-in": {},
        "undo-check-in": {},
        "describe": {"origin": "Casino", "apart": ""},
        "request-bye": {"round": "2", "kind": "zero"},
        "substitute": {"leaves": pair.first_id, "comes": spare(tournament).name, "from_round": "1"},
        "penalise": {**fine, "reason": "Tarde"},
        "withdraw": {"reason": ""},
        "readmit": {},
        "expel": {"reason": "Insultos"},
        "revoke-expulsion": {"reason": "No fue esta pareja"},
    }
    for verb, form in forms.items():
        assert change_entry(client, tournament, 1, verb, **form).status_code == 200, verb
    page = text(client.get(reverse("history", args=[tournament.slug])))  # type: ignore[arg-type]
    assert re.findall(r"<strong>[a-z_]+[.][a-z_]+</strong>", page) == []
    assert "Sanción puesta" in page


# --- Latecomers ---------------------------------------------------------------------------------


def test_a_late_pair_plays_at_once_against_one_who_rests() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    client, pair = staff(tournament), late_pair(tournament)
    path = reverse("enter-late", args=[tournament.slug])
    form = {"first": pair.second.name, "second": pair.first.name}
    page = text(client.post(path, form, follow=True))  # type: ignore[arg-type]
    assert f"{pair.name} entra en el torneo y juega desde la ronda 1." in page
    response = client.post(path, form)
    assert response.status_code == 422
    assert f"{pair.name}" in text(response)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", ["", "Las Nuevas"])
def test_a_late_pair_that_is_new_to_the_club_is_entered_by_one_form(name: str) -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    form = {"first": "Ana Nueva", "second": spare(tournament).name, "name": name}
    staff(tournament).post(reverse("enter-late", args=[tournament.slug]), form)
    late = tournament.entries.with_players().get(number=6)
    assert late.seat_names == (form["first"], form["second"])
    assert late.name == (name or f"{form['first']} – {form['second']}")
    assert late.joined_round == 1


def test_of_a_late_pair_that_is_refused_nobody_becomes_a_member() -> None:
    tournament = a_day(5)
    publish_round(SYSTEM, the_round(tournament, 1))
    playing = entry(tournament, 1).pair
    assert playing is not None
    form = {"first": "Ana Nueva", "second": playing.first.name}
    response = staff(tournament).post(reverse("enter-late", args=[tournament.slug]), form)
    assert response.status_code == 422
    assert playing.first.name in text(response)  # type: ignore[arg-type]
    assert not Player.objects.filter(name="Ana Nueva").exists()


def test_nobody_is_offered_to_enter_a_knock_out_late() -> None:
    tournament = a_day(4, format="knockout")
    client, pair = staff(tournament), late_pair(tournament)
    page = text(client.get(reverse("entries", args=[tournament.slug])))  # type: ignore[arg-type]
    assert 'name="first"' not in page
    form = {"first": pair.first.name, "second": pair.second.name}
    response = client.post(reverse("enter-late", args=[tournament.slug]), form)
    assert response.status_code == 409


# --- By code ------------------------------------------------------------------------------------


def with_code(tournament: Tournament, code: str) -> tuple[Client, HttpResponse]:
    client = Client()
    path = reverse("give-code", args=[tournament.slug])
    return client, client.post(path, {"code": code}, follow=True)  # type: ignore[return-value]


def say(client: Client, tournament: Tournament, verb: str, **fields: object) -> HttpResponse:
    path = reverse("come-act", args=[tournament.slug, verb])
    return client.post(path, fields, follow=True)  # type: ignore[return-value]


@pytest.fixture(autouse=True)
def nobody_has_guessed_yet() -> None:
    cache.clear()


def test_a_pair_checks_in_with_its_code_before_anything_is_drawn() -> None:
    tournament = a_day(drawn=False)
    client, page = with_code(tournament, f" {entry(tournament, 2).code.lower()} ")
    assert "Pareja 2" in text(page)
    assert entry(tournament, 2).code not in page.request["PATH_INFO"]  # type: ignore[attr-defined]
    assert "Llegada anotada, gracias." in text(say(client, tournament, "check-in"))
    assert entry(tournament, 2).checked_in_at is not None


def test_a_draft_shows_its_name_to_nobody_without_a_code() -> None:
    tournament = a_day(drawn=False)
    page = Client().get(reverse("come", args=[tournament.slug]))
    assert page.status_code == 200
    assert tournament.name not in text(page)  # type: ignore[arg-type]


def test_a_code_of_another_tournament_is_wrong_here() -> None:
    tournament = a_day(drawn=False)
    other = create_tournament(SYSTEM, tournament.club, "Otro")
    enter_newcomers(SYSTEM, other, house_bots())
    _client, page = with_code(tournament, entry(other, 1).code)
    assert page.status_code == 404
    assert "Ningún inscrito tiene este código." in text(page)


def test_the_slip_of_another_pair_asks_for_its_code_where_one_was_given_before() -> None:
    tournament = a_day(drawn=False)
    client, _page = with_code(tournament, entry(tournament, 1).code)
    path = reverse("come", args=[tournament.slug])
    other = entry(tournament, 2).code
    slip = text(client.get(path, {"code": other}))  # type: ignore[arg-type]
    assert f'value="{other}"' in slip
    assert "Pareja 1" not in slip
    second_slip = text(client.get(path, {"code": entry(tournament, 1).code.lower()}, follow=True))  # type: ignore[arg-type]
    assert "Pareja 1" in second_slip
    assert "Pareja 2" in text(say(client, tournament, "code", code=other))


def test_ten_wrong_codes_from_a_hall_keep_nobody_out() -> None:
    tournament = a_day(drawn=False)
    for _n in range(11):
        assert with_code(tournament, "ABCDEFGH")[1].status_code == 404
    assert with_code(tournament, entry(tournament, 1).code)[1].status_code == 200


def test_an_entry_that_tries_other_codes_is_stopped_and_its_neighbours_are_not() -> None:
    tournament = a_day(drawn=False)
    guesser, _ = with_code(tournament, entry(tournament, 1).code)
    wrong = [say(guesser, tournament, "code", code="ABCDEFGH").status_code for _n in range(11)]
    assert wrong == [404] * CODES.known + [429]
    in_another_browser, _ = with_code(tournament, entry(tournament, 1).code)
    assert say(in_another_browser, tournament, "code", code="ABCDEFGH").status_code == 429
    assert with_code(tournament, entry(tournament, 2).code)[1].status_code == 200


@pytest.mark.slow
def test_after_two_hundred_wrong_codes_from_an_address_even_the_right_one_waits() -> None:
    tournament = a_day(drawn=False)
    for _n in range(CODES.address):
        assert with_code(tournament, "ABCDEFGH")[1].status_code == 404
    _client, page = with_code(tournament, entry(tournament, 1).code)
    assert page.status_code == 429
    assert "espera un minuto" in text(page)


def test_right_codes_are_not_counted_against_the_clubs_router() -> None:
    tournament = a_day(drawn=False)
    for _n in range(CODES.known + 1):
        assert with_code(tournament, entry(tournament, 1).code)[1].status_code == 200


def test_its_people_ask_for_a_bye_within_the_quota_and_take_it_back() -> None:
    tournament = a_day()
    client, _ = with_code(tournament, entry(tournament, 1).code)
    say(client, tournament, "request-bye", round="2", kind="half")
    assert ByeRequest.objects.get().kind == "half"
    assert say(client, tournament, "request-bye", round="3", kind="half").status_code == 422
    assert say(client, tournament, "request-bye", round="2", kind="zero").status_code == 409
    say(client, tournament, "cancel-bye", pk=ByeRequest.objects.get().pk)
    assert not ByeRequest.objects.exists()


def test_nobody_cancels_the_bye_of_another_pair() -> None:
    tournament = a_day()
    other = ByeRequest.objects.create(
        entry=entry(tournament, 2), round_number=2, kind="zero", made_by="olga"
    )
    client, _ = with_code(tournament, entry(tournament, 1).code)
    assert say(client, tournament, "cancel-bye", pk=other.pk).status_code == 404
    assert ByeRequest.objects.exists()


def test_its_people_leave_only_when_they_are_sure() -> None:
    tournament = a_day()
    client, _ = with_code(tournament, entry(tournament, 1).code)
    assert say(client, tournament, "withdraw").status_code == 422
    assert not entry(tournament, 1).absences.exists()
    page = text(say(client, tournament, "withdraw", sure="on"))
    assert entry(tournament, 1).absences.get().kind == "withdrawn"
    assert "Estáis fuera del torneo." in page


def test_after_it_closed_they_are_sent_to_the_table() -> None:
    tournament = a_day(drawn=False)
    check_in(SYSTEM, entry(tournament, 1))
    close_check_in(SYSTEM, tournament, absent="bye")
    client, page = with_code(tournament, entry(tournament, 2).code)
    assert "di en la mesa de la organización" in text(page)
    assert say(client, tournament, "check-in").status_code == 409


def test_where_only_the_staff_checks_in_a_code_does_not() -> None:
    tournament = a_day(drawn=False)
    Tournament.objects.update(self_check_in=False)
    client, _ = with_code(tournament, entry(tournament, 1).code)
    assert say(client, tournament, "check-in").status_code == 403
    assert entry(tournament, 1).checked_in_at is None


def test_a_code_is_forgotten_and_one_that_is_no_longer_good_too() -> None:
    tournament = a_day(drawn=False)
    client, _ = with_code(tournament, entry(tournament, 1).code)
    assert "Pareja 1" not in text(say(client, tournament, "forget"))
    client, _ = with_code(tournament, entry(tournament, 1).code)
    tournament.entries.filter(number=1).update(code="ZZZZZZZZ")
    page = client.get(reverse("come", args=[tournament.slug]))
    assert "Pareja 1" not in text(page)  # type: ignore[arg-type]


# --- The clock ----------------------------------------------------------------------------------


@pytest.fixture
def playing() -> Tournament:
    """A Swiss in its first round."""
    tournament = a_swiss(4)
    publish_round(SYSTEM, the_round(tournament, 1))
    return tournament


def round_page(client: Client, tournament: Tournament) -> str:
    return text(client.get(reverse("round", args=[tournament.slug, 1])))  # type: ignore[arg-type]


def clock(client: Client, tournament: Tournament, verb: str, **fields: object) -> HttpResponse:
    path = reverse("clock", args=[tournament.slug, 1, verb])
    return client.post(path, fields, follow=True)  # type: ignore[return-value]


def test_everybody_reads_how_long_a_round_still_lasts(playing: Tournament) -> None:
    client = staff(playing, "arbiter")
    assert "Iniciar el reloj" in round_page(client, playing)
    clock(client, playing, "start", minutes="45")
    public = round_page(Client(), playing)
    assert ">45 minutos<" in public
    assert "Parar el reloj" not in public
    ends = timezone.localtime(the_round(playing, 1).clock_started_at) + timedelta(minutes=45)
    assert f"La ronda termina a las {ends:%H:%M}." in public


def test_a_clock_stands_still_and_goes_on(playing: Tournament) -> None:
    client = staff(playing, "arbiter")
    clock(client, playing, "start", minutes="45")
    clock(client, playing, "stop")
    assert "El reloj está parado y quedan 45 minutos." in round_page(Client(), playing)
    assert "no está en marcha" in text(clock(client, playing, "stop"))
    clock(client, playing, "resume")
    assert "Parar el reloj" in round_page(client, playing)


def test_when_time_is_up_it_says_so(playing: Tournament) -> None:
    ended = "<p data-over><strong>Se acabó el tiempo."
    Round.objects.update(minutes=30, clock_started_at=timezone.now() - timedelta(minutes=29))
    assert ended not in round_page(staff(playing), playing)
    Round.objects.update(minutes=30, clock_started_at=timezone.now() - timedelta(minutes=31))
    assert ended in round_page(Client(), playing)


def test_the_clock_comes_with_the_matches_to_a_page_that_follows(playing: Tournament) -> None:
    arbiter = staff(playing, "arbiter")
    path = reverse("round-board", args=[playing.slug, 1])
    values = {}
    for verb in ("start", "stop"):
        clock(arbiter, playing, verb, minutes="45")
        values[verb] = text(arbiter.get(path, {"seen": "published-1"}))  # type: ignore[arg-type]
    assert 'id="round-clock" data-clock hx-swap-oob="true"' in values["start"]
    assert "data-ends" in values["start"]
    assert "El reloj está parado" in values["stop"]


@pytest.mark.parametrize("minutes", ["0", "1441", "", "x"])
def test_no_round_lasts_for_ever(minutes: str, playing: Tournament) -> None:
    page = text(clock(staff(playing), playing, "start", minutes=minutes))
    assert "Una ronda dura de 1 a 1440 minutos." in page
    assert the_round(playing, 1).clock_started_at is None


# --- Lots ---------------------------------------------------------------------------------------


def test_lots_are_offered_where_the_next_stage_needs_them_and_drawn_once() -> None:
    next_stages = [{"format": "knockout", "rules": {"take": 2}}]
    tournament = a_swiss(4, rounds=1, then=next_stages)
    round_ = publish_round(SYSTEM, the_round(tournament, 1))
    for match in round_.matches.with_names():
        correct_result(SYSTEM, match, Score(3, 1, 300, 200), reason="as written down")
    close_round(SYSTEM, round_)
    client = staff(tournament)
    path = reverse("rounds", args=[tournament.slug])
    lots = reverse("draw-lots", args=[tournament.slug, 1])
    assert lots not in text(Client().get(path))  # type: ignore[arg-type]
    assert lots in text(client.get(path))  # type: ignore[arg-type]
    room = reverse("control", args=[tournament.slug])
    assert lots in text(client.get(room))  # type: ignore[arg-type]
    answer = text(client.post(lots, follow=True))  # type: ignore[arg-type]
    assert "Sorteo hecho" in answer
    assert lots not in text(client.get(path))  # type: ignore[arg-type]
    assert lots not in text(client.get(room))  # type: ignore[arg-type]
    assert client.post(lots, {"back": "control"})["Location"] == room
    assert "no hay nada que sortear" in text(client.post(lots, follow=True))  # type: ignore[arg-type]
