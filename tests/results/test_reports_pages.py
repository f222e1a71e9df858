"""What the people at a table do on their phones: report, confirm, object, see where they play."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from django.utils.html import escape

from tests.support import scenes
from tournaments.core.permissions import Actor
from tournaments.core.views import ENTRY_CODES
from tournaments.director.services.absences import penalise, revoke_penalty
from tournaments.director.services.rounds import start_clock, stop_clock
from tournaments.director.services.substitutions import end_substitution, substitute
from tournaments.director.services.tournaments import (
    announce,
    close_round,
    publish_round,
    set_visibility,
)
from tournaments.domain.scores import Score
from tournaments.models import Dispute, Entry, Match, Result
from tournaments.results.services.matches import dispute_result, postpone, take_up
from tournaments.results.services.reports import confirm_due, report_result

pytestmark = pytest.mark.django_db

WON = {"home_hands": "3", "away_hands": "1"}
LOST = {"home_hands": "1", "away_hands": "3"}


@pytest.fixture
def scene() -> scenes.Scene:
    """Round 1 published, nothing played: Las Cuarenta – Las Fuentes at table 1."""
    scene = scenes.drawn()
    publish_round(scene.organiser, scene.rounds[0])
    return scene


@pytest.fixture
def match(scene: scenes.Scene) -> Match:
    return scene.matches()[0]


def phone(entry: Entry | None) -> Client:
    """A phone on which the code of an entry was given, or of none."""
    client = Client(headers={"Accept-Language": "es"})
    if entry is None:
        return client
    session = client.session
    session[ENTRY_CODES] = {entry.tournament.slug: entry.code}
    session.save()
    return client


def as_(scene: scenes.Scene, role: str) -> Client:
    client = Client(headers={"Accept-Language": "es"})
    client.force_login(scene.users[role])
    return client


def at(name: str, match: Match) -> str:
    return reverse(name, args=[match.pk])


def table(scene: scenes.Scene) -> str:
    return reverse("own-table", args=[scene.tournament.slug])


def read(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200, response
    return response.content.decode()


def now(match: Match) -> Match:
    return Match.objects.with_names().get(pk=match.pk)


def live(match: Match) -> Result:
    return match.results.get(live=True)


# --- The card on the table ----------------------------------------------------------------------


def test_a_code_given_at_the_table_leads_to_the_table(scene: scenes.Scene, match: Match) -> None:
    assert match.home is not None
    client = Client(headers={"Accept-Language": "es"})
    door = reverse("give-code", args=[scene.tournament.slug])
    wrong = client.post(door, {"code": "WRONG", "to": "table"})
    assert "<h1>Mi mesa</h1>" in wrong.content.decode()
    assert 'name="to" value="table"' in wrong.content.decode()
    right = client.post(door, {"code": match.home.code, "to": "table"})
    assert right["Location"] == table(scene)
    assert "mesa 1" in read(client, table(scene))


def test_the_card_of_a_hidden_tournament_asks_for_the_code_without_naming_it(
    scene: scenes.Scene, match: Match
) -> None:
    set_visibility(scene.organiser, scene.tournament, "private")
    client = Client(headers={"Accept-Language": "es"})
    question = read(client, table(scene))
    assert "<h1>Mi mesa</h1>" in question
    assert 'name="to" value="table"' in question
    assert scene.tournament.name not in question
    form = {"code": match.home.code, "to": "table"}
    response = client.post(reverse("give-code", args=[scene.tournament.slug]), form)
    assert response["Location"] == table(scene)
    assert "mesa 1" in read(client, table(scene))


def test_by_the_card_of_a_draft_nobody_is_asked_for_the_same_code_twice() -> None:
    scene = scenes.draft()
    entry = scene.tournament.entries.get(number=1)
    assert 'name="code"' in read(Client(), table(scene))
    assert escape(entry.name) in read(phone(entry), table(scene))


def test_one_who_objects_by_code_comes_back_to_their_table(
    scene: scenes.Scene, match: Match
) -> None:
    phone(match.home).post(at("report", match), WON)
    response = phone(match.away).post(at("dispute", match), {"reason": "Fue al revés."})
    assert response["Location"] == table(scene)


# --- Reporting a score --------------------------------------------------------------------------


def test_a_side_reports_by_code_and_the_other_confirms_with_one_touch(
    scene: scenes.Scene, match: Match
) -> None:
    response = phone(match.home).post(at("report", match), WON)
    assert response["Location"] == table(scene)
    assert now(match).state == "reported"
    assert not match.results.counting().exists()
    page = read(phone(match.away), table(scene))
    assert f"{match.home.name} ha comunicado 3–1." in page
    assert "¿Es correcto?" in page
    assert phone(match.away).post(at("confirm-result", match), {"version": "1"}).status_code == 302
    assert now(match).state == "accepted"
    assert match.results.counting().exists()


def test_ones_own_side_is_first_and_what_is_sent_keeps_home_and_away(
    scene: scenes.Scene, match: Match
) -> None:
    for entry, own, other in ((match.home, "home", "away"), (match.away, "away", "home")):
        page = read(phone(entry), table(scene))
        assert page.index(f'name="{own}_hands"') < page.index(f'name="{other}_hands"')
        assert page.index(f'name="{own}_points"') < page.index(f'name="{other}_points"')
    phone(match.away).post(at("report", match), LOST)
    assert (live(match).home_hands, live(match).away_hands) == (1, 3)


def test_the_points_are_kept_when_they_are_given(match: Match) -> None:
    phone(match.home).post(at("report", match), {**WON, "home_points": "360", "away_points": "210"})
    assert (live(match).home_points, live(match).away_points) == (360, 210)


def test_points_of_one_side_alone_are_asked_for_at_their_field(match: Match) -> None:
    response = phone(match.home).post(at("report", match), {**WON, "home_points": "360"})
    page = response.content.decode()
    assert response.status_code == 422
    assert "Pon los tantos de todos, o de ninguno." in page
    assert 'name="home_points" value="360"' in page
    assert page.count('aria-invalid="true"') == 1
    assert not match.results.exists()


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"home_hands": "2", "away_hands": "1"}, "home_hands"),
        ({"home_hands": "3", "away_hands": "3"}, "home_hands"),
        ({**WON, "home_points": "90000", "away_points": "1"}, "home_points"),
    ],
)
def test_a_score_that_cannot_be_is_refused_at_its_field_and_nothing_typed_is_lost(
    match: Match, typed: dict[str, str], field: str
) -> None:
    response = phone(match.home).post(at("report", match), typed)
    page = response.content.decode()
    assert response.status_code == 422
    assert f'aria-describedby="id_{field}_error"' in page
    for name, value in typed.items():
        assert f'name="{name}" value="{value}"' in page
    assert now(match).state == "pending"


def test_who_contradicts_is_asked_whether_they_are_sure_before_the_arbiter_is_called(
    match: Match,
) -> None:
    phone(match.home).post(at("report", match), WON)
    response = phone(match.away).post(at("report", match), LOST)
    page = response.content.decode()
    assert response.status_code == 422
    assert "El otro bando ha comunicado Las Cuarenta 3, La Magdalena 1." in page
    assert not Dispute.objects.exists()
    assert '<input type="hidden" name="sure" value="on"' in page
    phone(match.away).post(at("report", match), {**LOST, "sure": "on"})
    assert now(match).state == "disputed"
    assert Dispute.objects.get().result is not None


def test_who_says_the_same_confirms_without_being_asked(match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("report", match), WON)
    assert now(match).state == "accepted"


def test_a_report_that_was_put_right_meanwhile_is_looked_at_again(
    scene: scenes.Scene, match: Match
) -> None:
    phone(match.home).post(at("report", match), WON)
    page = read(phone(match.away), table(scene))
    assert '<input type="hidden" name="version" value="1">' in page
    phone(match.home).post(at("report", match), {**WON, "away_hands": "2"})
    response = phone(match.away).post(at("confirm-result", match), {"version": "1"}, follow=True)
    assert "Ahora hay otro resultado" in response.content.decode()
    assert now(match).state == "reported"


def test_a_side_puts_its_own_report_right(match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.home).post(at("report", match), LOST)
    assert now(match).state == "reported"
    assert (live(match).home_hands, live(match).version) == (1, 2)
    page = read(phone(match.away), at("match", match))
    assert "<del>3–1</del>" in page
    assert "sustituido" in page


def test_the_code_of_another_table_reports_nothing_here(scene: scenes.Scene, match: Match) -> None:
    stranger = phone(scene.matches()[1].home)
    assert stranger.get(at("report", match)).status_code == 403
    assert stranger.post(at("confirm-result", match), {"version": "1"}).status_code == 403
    assert "Comunicar el resultado" not in read(stranger, at("match", match))


def test_a_code_that_is_no_longer_good_speaks_for_nobody(match: Match) -> None:
    client = phone(match.home)
    Entry.objects.filter(pk=match.home_id).update(code="ZZZZ2222")
    assert client.get(at("report", match)).status_code == 302


def test_the_arbiter_speaks_for_themselves_also_with_a_code(
    scene: scenes.Scene, match: Match
) -> None:
    client = phone(match.home)
    client.force_login(scene.users["arbiter"])
    client.post(at("report", match), WON)
    assert now(match).state == "accepted"
    assert live(match).made_by == "arbiter"


@pytest.mark.parametrize("form", ["report", "report-hands"])
def test_who_reports_what_the_desk_noted_meanwhile_is_shown_it_and_may_object(
    scene: scenes.Scene, match: Match, form: str
) -> None:
    report_result(scene.organiser, match, score=Score(1, 3, 0, 0))
    response = phone(match.home).post(at(form, match), {**WON, **sheet(*GOOD)}, follow=True)
    page = response.content.decode()
    assert response.redirect_chain == [(at("match", match), 302)]
    assert "Esta partida ya tiene resultado: 1–3. Si no es así, reclámalo." in page
    assert f'href="{at("dispute", match)}"' in page
    assert match.results.count() == 1


def test_who_reports_a_match_that_is_disputed_meanwhile_is_informed(
    scene: scenes.Scene, match: Match
) -> None:
    assert match.away is not None
    report_result(scene.organiser, match, score=Score(1, 3, 0, 0))
    dispute_result(Actor.for_entry(match.away), now(match), "Fue al revés.")
    response = phone(match.home).post(at("report", match), WON, follow=True)
    assert "La partida ya está en reclamación." in response.content.decode()
    assert match.results.count() == 1


# --- What a phone had kept until it could be sent -------------------------------------------------


def send(
    client: Client, name: str, match: Match, key: str = "k1", **fields: str
) -> tuple[int, Any]:
    """Send what the script of the table's page had kept."""
    response = client.post(at(name, match), fields, headers={"Idempotency-Key": key})
    return response.status_code, response.json()


def test_what_a_phone_sends_again_is_carried_out_once(match: Match) -> None:
    home = phone(match.home)
    first = send(home, "report", match, **WON)
    assert first == (200, {"kind": "good", "text": first[1]["text"]})
    assert "cuando el otro bando lo confirme" in first[1]["text"]
    assert send(home, "report", match, **WON) == first
    other = send(home, "report", match, **LOST)
    assert (other[0], other[1]["code"]) == (422, "idempotency_mismatch")
    assert match.results.count() == 1
    away = phone(match.away)
    confirmed = send(away, "confirm-result", match, version="1")
    assert confirmed == send(away, "confirm-result", match, version="1")
    assert (confirmed[0], confirmed[1]["kind"]) == (200, "good")
    assert now(match).state == "accepted"


def test_a_report_from_a_phone_that_contradicts_another_is_looked_at_again_first(
    match: Match,
) -> None:
    send(phone(match.home), "report", match, **WON)
    away = phone(match.away)
    status, line = send(away, "report", match, **LOST)
    assert (status, line["kind"]) == (422, "ask")
    assert "El otro bando ha comunicado Las Cuarenta 3, La Magdalena 1." in line["text"]
    assert not Dispute.objects.exists()
    status, line = send(away, "report", match, "k2", **LOST, sure="on")
    assert (status, line["kind"]) == (200, "warn")
    assert now(match).state == "disputed"


def test_a_report_that_was_kept_does_not_contradict_what_counts_meanwhile(
    scene: scenes.Scene, match: Match
) -> None:
    report_result(scene.organiser, match, score=Score(1, 3, 0, 0))
    status, line = send(phone(match.home), "report", match, **WON)
    assert (status, line["kind"]) == (422, "bad")
    assert "Esta partida ya tiene resultado: 1–3." in line["text"]
    assert not Dispute.objects.exists()
    status, line = send(phone(match.home), "report", match, "k2", **LOST)
    assert (status, line["text"]) == (200, "Este resultado ya estaba aquí.")


def test_a_report_that_cannot_be_is_refused_to_a_phone_with_its_reason(match: Match) -> None:
    status, line = send(phone(match.home), "report", match, home_hands="2", away_hands="1")
    assert (status, line["kind"]) == (422, "bad")
    assert "2-1" in line["text"]


def test_a_phone_that_speaks_for_another_entry_or_for_none_is_asked_who_it_is(
    match: Match,
) -> None:
    assert match.home is not None
    assert match.away is not None
    own_number, other = str(match.home.number), str(match.away.number)
    assert send(phone(match.home), "report", match, **WON, entry=other)[0] == 403
    assert send(phone(None), "report", match, **WON, entry=own_number)[0] == 403
    assert not match.results.exists()
    assert send(phone(match.home), "report", match, **WON, entry=own_number)[0] == 200


def test_a_person_signed_in_checks_in_rests_and_leaves_by_the_same_page() -> None:
    scene = scenes.drawn()
    player, slug = as_(scene, "player"), scene.tournament.slug
    entry = scene.tournament.entries.get(number=1)
    assert "Estamos aquí" in read(player, table(scene))
    for verb, form in (("check-in", {}), ("request-bye", {"round": "2", "kind": "zero"})):
        response = player.post(reverse("come-act", args=[slug, verb]), form)
        assert response["Location"] == table(scene)
    entry.refresh_from_db()
    assert entry.checked_in_at is not None
    assert entry.bye_requests.get().round_number == 2
    path = reverse("come-act", args=[slug, "withdraw"])
    headers = {"Idempotency-Key": "k1"}
    unsure = player.post(path, {"entry": "1"}, headers=headers)
    assert (unsure.status_code, unsure.json()["kind"]) == (422, "bad")
    left = player.post(path, {"entry": "1", "sure": "on"}, headers={"Idempotency-Key": "k2"})
    assert (left.status_code, left.json()["kind"]) == (200, "good")
    assert entry.absences.get().kind == "withdrawn"


# --- Reporting hands ----------------------------------------------------------------------------


def sheet(*hands: tuple[str, str], **more: str) -> dict[str, str]:
    lines: dict[str, str] = {}
    for number, (home, away) in enumerate(hands, 1):
        lines |= {f"h{number}_home": home, f"h{number}_away": away}
    return {"lines": "5", **lines, **more}


GOOD = (("90", "40"), ("130", "20"), ("40", "90"), ("100", "30"))


def test_the_hands_are_added_up_to_the_score(match: Match) -> None:
    assert phone(match.home).post(at("report-hands", match), sheet(*GOOD)).status_code == 302
    result = live(match)
    assert (result.home_hands, result.away_hands) == (3, 1)
    assert (result.home_points, result.away_points) == (360, 180)
    assert result.depth == "hands"
    page = read(phone(match.away), at("match", match))
    assert "Tantos de cada mano" in page


def test_a_fault_is_shown_at_its_hand_and_the_sheet_is_kept(match: Match) -> None:
    hands = (*GOOD[:2], ("40", "95"), GOOD[3])
    response = phone(match.home).post(at("report-hands", match), sheet(*hands))
    page = response.content.decode()
    assert response.status_code == 422
    before, after = page.split("Ninguna jugada", 1) if "Ninguna jugada" in page else ("", "")
    assert 'name="h3_home"' in before
    assert 'name="h4_home"' in after
    assert 'name="h3_away" value="95"' in page
    assert '<td class="number" data-total>360</td>' in page
    assert not match.results.exists()


def test_a_level_hand_asks_who_won_it(match: Match) -> None:
    level = (("65", "65"), *GOOD[1:])
    response = phone(match.home).post(at("report-hands", match), sheet(*level))
    assert response.status_code == 422
    assert 'aria-describedby="id_h1_winner_error"' in response.content.decode()
    phone(match.home).post(at("report-hands", match), sheet(*level, h1_winner="home"))
    assert live(match).home_hands == 3


def test_half_a_hand_and_a_gap_are_asked_for(match: Match) -> None:
    response = phone(match.home).post(at("report-hands", match), sheet(("90", ""), *GOOD[1:]))
    assert response.status_code == 422
    assert "Falta." in response.content.decode()
    gap = sheet(GOOD[0], ("", ""), GOOD[2])
    assert phone(match.home).post(at("report-hands", match), gap).status_code == 422
    assert phone(match.home).post(at("report-hands", match), sheet()).status_code == 422
    assert not match.results.exists()


def test_more_lines_are_given_without_losing_what_was_typed(match: Match) -> None:
    page = phone(match.home).post(at("report-hands", match), sheet(GOOD[0], more="1"))
    assert page.status_code == 200
    text = page.content.decode()
    assert 'name="h10_home"' in text
    assert 'name="h1_home" value="90"' in text
    assert not match.results.exists()


def test_an_unfinished_sheet_says_how_far_the_match_is(match: Match) -> None:
    response = phone(match.home).post(at("report-hands", match), sheet(*GOOD[:2]))
    assert response.status_code == 422
    assert "2-0" in response.content.decode()


# --- The page of a match ------------------------------------------------------------------------


def test_the_page_says_until_when_a_report_waits_and_for_whom(match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    page = read(Client(headers={"Accept-Language": "es"}), at("match", match))
    assert match.away is not None
    assert f"Pendiente de que confirme: {match.away.name}." in page
    until = timezone.localtime(live(match).made_at + timedelta(minutes=10))
    assert f"{until:%d/%m/%Y %H:%M}" in page


def test_the_page_says_why_a_result_counts(scene: scenes.Scene, match: Match) -> None:
    assert match.away is not None
    anybody = Client(headers={"Accept-Language": "es"})
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("confirm-result", match), {"version": "1"})
    assert f"confirmado por {match.away.name}, con su código" in read(anybody, at("match", match))
    other = scene.matches()[1]
    report_result(Actor.for_entry(other.home), other, score=Score(3, 0, 0, 0))
    other.results.update(made_at=timezone.now() - timedelta(hours=49))
    assert confirm_due() == 1
    assert "nadie reclamó y vale desde" in read(anybody, at("match", other))


def test_the_page_says_who_has_taken_a_dispute_up(scene: scenes.Scene, match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("dispute", match), {"reason": "Fue al revés."})
    assert now(match).state == "disputed"
    arbiter = as_(scene, "arbiter")
    assert arbiter.post(at("take-up", match))["Location"] == at("rule-dispute", match)
    page = read(phone(match.home), at("match", match))
    assert "la estudia arbiter" in page
    assert "Fue al revés." in page


def test_the_other_report_can_be_made_to_count(scene: scenes.Scene, match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("report", match), {**LOST, "sure": "on"})
    arbiter = as_(scene, "arbiter")
    page = read(arbiter, at("rule-dispute", match))
    assert "En contra: 1–3" in page
    dispute = Dispute.objects.get()
    form = {"dispute": str(dispute.pk), "ruling": "accept", "reason": "Así lo vi yo."}
    response = arbiter.post(at("rule-dispute", match), form)
    assert (
        "Aún no se ha decidido nada: el resultado es 3–1 y pasa a ser 1–3."
        in response.content.decode()
    )
    assert live(match).home_hands == 3
    form["seen"] = response.context["preview"].version
    assert arbiter.post(at("rule-dispute", match), form).status_code == 302
    assert (live(match).home_hands, now(match).state) == (1, "accepted")


def test_the_other_report_counts_by_one_press_on_the_page_that_shows_what_it_changes(
    scene: scenes.Scene, match: Match
) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("report", match), {**LOST, "sure": "on"})
    arbiter = as_(scene, "arbiter")
    desk = read(arbiter, reverse("control", args=[scene.tournament.slug]))
    assert f"{at('rule-dispute', match)}?back=control" in desk
    page = arbiter.get(at("rule-dispute", match))
    assert "el resultado ya no es 3–1 sino 1–3" in page.content.decode()
    assert live(match).home_hands == 3, "nothing is ruled by looking"
    form = {
        "dispute": str(Dispute.objects.get().pk),
        "ruling": "accept",
        "reason": "Así lo vi yo.",
        "seen": page.context["foreseen"].version,
    }
    assert arbiter.post(at("rule-dispute", match), form).status_code == 302
    assert (live(match).home_hands, now(match).state) == (1, "accepted")


def test_a_change_that_was_not_shown_is_shown_first_and_confirmed_in_other_words(
    scene: scenes.Scene, match: Match
) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("report", match), {**LOST, "sure": "on"})
    arbiter = as_(scene, "arbiter")
    page = arbiter.get(at("rule-dispute", match))
    assert "Sí, resolver así" not in page.content.decode()
    form = {
        "dispute": str(Dispute.objects.get().pk),
        "ruling": "amend",
        "reason": "Dos a tres.",
        "home_hands": "2",
        "away_hands": "3",
        "home_points": "0",
        "away_points": "0",
        "seen": page.context["foreseen"].version,
    }
    answer = arbiter.post(at("rule-dispute", match), form)
    assert "Sí, resolver así" in answer.content.decode()
    assert live(match).home_hands == 3


def test_a_ruling_shows_what_it_changes_before_it_is_given(
    scene: scenes.Scene, match: Match
) -> None:
    phone(match.home).post(at("report", match), WON)
    phone(match.away).post(at("dispute", match), {"reason": "Fue al revés."})
    arbiter, address = as_(scene, "arbiter"), at("rule-dispute", match)
    ruling = {"dispute": str(Dispute.objects.get().pk), "reason": "Así lo vi yo."}
    void = arbiter.post(address, {**ruling, "ruling": "void"}).content.decode()
    assert "el resultado es 3–1 y queda anulado, y la partida se juega de nuevo" in void
    amend = {**ruling, "ruling": "amend", "home_hands": "2", "away_hands": "3"}
    amend |= {"home_points": "0", "away_points": "0"}
    response = arbiter.post(address, amend)
    assert "el resultado es 3–1 y pasa a ser 2–3" in response.content.decode()
    assert 'id="effect"' in response.content.decode()
    other = arbiter.post(address, {**amend, "away_hands": "1", "home_hands": "3", "seen": "none"})
    assert "pasa a ser 3–1" in other.content.decode()
    impossible = arbiter.post(address, {**amend, "home_hands": "900"})
    assert impossible.status_code == 422
    assert Dispute.objects.get().state == "open"
    amend["seen"] = response.context["preview"].version
    assert arbiter.post(address, amend).status_code == 302
    assert (live(match).home_hands, live(match).away_hands) == (2, 3)


def test_a_forfeit_by_absence_keeps_to_the_minutes_and_says_so_at_its_field(
    scene: scenes.Scene, match: Match
) -> None:
    arbiter = as_(scene, "arbiter")
    assert "se les espera 15 minutos" in read(arbiter, at("forfeit", match))
    form = {"sides": "away", "why": "no_show"}
    response = arbiter.post(at("forfeit", match), form)
    assert response.status_code == 409
    assert 'aria-describedby="id_why_error"' in response.content.decode()
    scene.rounds[0].stage.rounds.filter(number=1).update(
        published_at=timezone.now() - timedelta(minutes=16)
    )
    assert arbiter.post(at("forfeit", match), form).status_code == 302
    assert (live(match).winner, live(match).forfeits) == ("home", ["away"])
    page = read(arbiter, at("match", match))
    assert "no jugó" in page
    assert "no se presentó" in page


def test_both_sides_can_forfeit_with_a_reason(scene: scenes.Scene, match: Match) -> None:
    arbiter = as_(scene, "arbiter")
    form = {"sides": ["home", "away"], "why": "other"}
    response = arbiter.post(at("forfeit", match), form)
    assert response.status_code == 422
    assert 'aria-describedby="id_reason_error"' in response.content.decode()
    arbiter.post(at("forfeit", match), {**form, "reason": "Se fueron a casa."})
    assert live(match).winner == "nobody"


def test_a_match_is_postponed_to_a_time_and_resumed(scene: scenes.Scene, match: Match) -> None:
    arbiter = as_(scene, "arbiter")
    response = arbiter.post(at("postpone", match), {"to": "2030-05-04T18:30", "reason": "Boda."})
    assert response.status_code == 302
    assert now(match).state == "postponed"
    assert "Aplazada al 04/05/2030 18:30." in read(arbiter, at("match", match))
    assert arbiter.post(at("resume", match)).status_code == 302
    assert now(match).state == "pending"


def test_players_get_no_buttons_of_the_arbiter(scene: scenes.Scene, match: Match) -> None:
    page = read(phone(match.home), at("match", match))
    for words in ("Aplazar", "Alguien no jugó", "Corregir el resultado"):
        assert words not in page
    assert "Aplazar" in read(as_(scene, "arbiter"), at("match", match))
    for name in ("postpone", "forfeit"):
        assert phone(match.home).get(at(name, match)).status_code == 302


# --- One's own table ----------------------------------------------------------------------------


def test_a_phone_shows_the_table_the_opponents_and_the_clock(
    scene: scenes.Scene, match: Match
) -> None:
    assert match.away is not None
    page = read(phone(match.away), table(scene))
    assert "Ronda 1, mesa 1" in page
    assert match.home.name in page
    assert "Comunicar el resultado" in page
    start_clock(scene.organiser, scene.rounds[0], 40)
    assert ">40 minutos<" in read(phone(match.away), table(scene))
    stop_clock(scene.organiser, scene.rounds[0])
    assert "El reloj está parado" in read(phone(match.away), table(scene))


def test_a_person_signed_in_sees_the_table_of_their_own_entry(
    scene: scenes.Scene, match: Match
) -> None:
    assert "Pilar Martínez" in match.home.seat_names
    assert escape(match.home.name) in read(as_(scene, "player"), table(scene))


def test_without_a_code_the_page_asks_who_one_is(scene: scenes.Scene) -> None:
    assert 'name="code"' in read(Client(headers={"Accept-Language": "es"}), table(scene))
    assert 'name="code"' in read(as_(scene, "outsider"), table(scene))


def test_the_club_s_people_who_give_a_code_are_informed_that_they_speak_for_themselves(
    scene: scenes.Scene, match: Match
) -> None:
    client = as_(scene, "arbiter")
    door = reverse("give-code", args=[scene.tournament.slug])
    page = client.post(door, {"code": match.home.code, "to": "table"}, follow=True).content.decode()
    assert escape(f"aquí hablas en tu nombre y no en el de «{match.home.name}»") in page
    assert f'href="{reverse("control", args=[scene.tournament.slug])}"' in page
    assert 'name="code"' not in page


def test_before_the_first_round_there_is_no_match_now() -> None:
    scene = scenes.drawn()
    entry = scene.tournament.entries.get(number=1)
    assert "Ahora no hay partida" in read(phone(entry), table(scene))


def test_a_match_that_was_put_off_stays_in_sight_in_later_rounds(
    scene: scenes.Scene, match: Match
) -> None:
    assert match.away is not None
    postpone(scene.organiser, match, None)
    publish_round(scene.organiser, scene.rounds[1])
    page = read(phone(match.home), table(scene))
    assert "Ronda 2, mesa " in page
    day = page.split('id="day"', 1)[1]
    assert escape(match.away.name) in day
    assert "Aplazada" in day


def test_an_object_of_dispute_is_reported_at_the_table(scene: scenes.Scene, match: Match) -> None:
    phone(match.home).post(at("report", match), WON)
    dispute = dispute_result(Actor.for_entry(match.home), now(match), "Me equivoqué.")
    take_up(scene.organiser, dispute)
    page = read(phone(match.away or match.home), table(scene))
    assert "Me equivoqué." in page
    assert "la estudia organiser" in page


def test_the_day_shows_what_was_played_the_place_and_what_comes_next(
    scene: scenes.Scene, match: Match
) -> None:
    report_result(scene.organiser, match, score=Score(1, 3, 0, 0))
    publish_round(scene.organiser, scene.rounds[1])
    publish_round(scene.organiser, scene.rounds[2])
    page = read(phone(match.home), table(scene))
    assert "Ronda 2, mesa " in page
    day = " ".join(page.split('id="day"', 1)[1].split())
    assert "Puesto 4 de 4" in day or "Puesto 3 de 4" in day
    assert "0 de 1 partida ganada" in day
    assert ">1–3</span>" in day
    assert "perdida" in day
    assert "Después: ronda 3, mesa " in day
    assert ">3–1</span>" in read(phone(match.away), table(scene)).split('id="day"', 1)[1]


def test_what_the_organiser_announces_is_on_the_page_and_in_its_news(
    scene: scenes.Scene, match: Match
) -> None:
    home = phone(match.home)
    follows = word_of(read(home, table(scene)))
    announce(scene.organiser, scene.tournament, "La cena es a las diez.")
    page = read(home, follows)
    assert '<p data-news="shown">La cena es a las diez.</p>' in page
    assert page.count("La cena es a las diez.") == 2


# --- The table's page as a QR code --------------------------------------------------------------


def test_a_player_and_the_staff_can_show_the_page_of_the_table_as_a_code(
    scene: scenes.Scene, match: Match
) -> None:
    address = f"http://testserver{table(scene)}"
    for page in (
        read(phone(match.home), table(scene)),
        read(as_(scene, "arbiter"), at("match", match)),
    ):
        assert 'class="panel section qr-panel"' in page
        assert f"<figcaption>{address}</figcaption>" in page
    assert "qr-panel" not in read(as_(scene, "outsider"), at("match", match))


def test_one_who_noted_the_points_or_the_cards_finds_their_page_from_the_table(
    scene: scenes.Scene, match: Match
) -> None:
    page = read(phone(match.home), table(scene))
    for name in ("report-hands", "recorder"):
        assert f'href="{at(name, match)}"' in page


# --- The page follows -----------------------------------------------------------------------------


def word_of(page: str) -> str:
    """Return the address under which a page of one's own table asks whether it changed."""
    pattern_match = re.search(r'hx-get="([^"]+)"', page)
    assert pattern_match is not None
    return pattern_match[1]


def news_of(page: str) -> list[str]:
    return re.findall(r"<p data-news>(.*?)</p>", page)


def test_ones_own_table_is_informed_of_its_matches_and_of_no_others(
    scene: scenes.Scene, match: Match
) -> None:
    away, other = phone(match.away), scene.matches()[1]
    follows = word_of(read(away, table(scene)))
    report_result(Actor.for_entry(other.home), other, score=Score(3, 1, 0, 0))
    assert away.get(follows).status_code == 204, "another table"
    report_result(Actor.for_entry(match.home), match, score=Score(3, 1, 0, 0))
    page = read(away, follows)
    assert news_of(page) == [f"{match.home.name} ha comunicado 3–1. ¿Es correcto?"]
    follows = word_of(page)
    assert away.get(follows).status_code == 204
    assert match.away is not None
    dispute_result(Actor.for_entry(match.away), match, "Fue al revés.")
    page = read(phone(match.home), follows)
    assert news_of(page) == ["Ronda 1, mesa 1: el resultado está en reclamación."]


def test_ones_own_table_is_informed_of_substitutes_and_penalties(
    scene: scenes.Scene, match: Match
) -> None:
    home, away, arbiter = match.home, match.away, Actor.for_user(scene.users["arbiter"])
    assert home is not None
    assert home.pair is not None
    assert away is not None
    pages = {entry: phone(entry) for entry in (home, away)}
    follows = {entry: word_of(read(pages[entry], table(scene))) for entry in pages}
    stand_in = substitute(arbiter, home, leaves=home.pair.first, comes="Gema Ruiz", from_round=1)
    for entry, client in pages.items():
        page = read(client, follows[entry])
        assert "Gema Ruiz" in page
        follows[entry] = word_of(page)
    end_substitution(arbiter, stand_in, until_round=2)
    follows[home] = word_of(read(pages[home], follows[home]))
    given = penalise(arbiter, home, round_number=1, reason="Tarde.", match_points="0.5")
    page = read(pages[home], follows[home])
    assert "1 sanción" in page
    revoke_penalty(arbiter, given, reason="No era así.")
    assert "1 sanción" not in read(pages[home], word_of(page))
    assert pages[away].get(follows[away]).status_code == 204, "another entry's"


def test_whose_report_waits_for_the_others_is_not_asked(scene: scenes.Scene, match: Match) -> None:
    report_result(Actor.for_entry(match.home), match, score=Score(3, 1, 0, 0))
    assert news_of(read(phone(match.home), table(scene))) == []


def test_the_next_table_is_informed_when_its_round_is_published(
    scene: scenes.Scene, match: Match
) -> None:
    home = phone(match.home)
    for open_match in scene.matches():
        report_result(scene.organiser, open_match, score=Score(3, 1, 0, 0))
    page = read(home, table(scene))
    assert news_of(page) == ["Ronda 1, mesa 1: vale 3–1."]
    close_round(scene.organiser, scene.rounds[0])
    publish_round(scene.organiser, scene.rounds[1])
    next_match = next(m for m in scene.matches(2) if match.home in (m.home, m.away))
    (news,) = news_of(read(home, word_of(page)))
    assert news.startswith(f"Ronda 2, mesa {next_match.table}: ")


def test_a_page_that_follows_is_opened_again_where_the_code_is_no_longer_known(
    scene: scenes.Scene, match: Match
) -> None:
    home = phone(match.home)
    follows = word_of(read(home, table(scene)))
    home.session.flush()
    response = Client().get(follows, headers={"HX-Request": "true"})
    assert (response.status_code, response["HX-Redirect"]) == (204, table(scene))


def test_to_ask_whether_ones_own_table_changed_costs_few_queries(
    scene: scenes.Scene, match: Match, django_assert_max_num_queries: Any
) -> None:
    home = phone(match.home)
    read(home, table(scene))
    with django_assert_max_num_queries(28):
        page = read(home, table(scene))
    follows = word_of(page)
    with django_assert_max_num_queries(10):
        assert home.get(follows).status_code == 204
