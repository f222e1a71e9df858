"""The pages of bots at play: progress, comparison, the room of the whole service."""

from __future__ import annotations

import csv
import io
import re

import pytest
from django.core.cache import cache
from django.test import Client

from tests.arena.test_arena_queries import TEST, two_bots, with_sets
from tests.clubs import SYSTEM, a_bot_liguilla, organiser, the_liguilla, the_match
from tests.support.bot_tables import a_bot_match, a_bot_round, house_bot, played
from tests.support.scenes import user_named
from tournaments.arena.services.arena import pause_arena
from tournaments.arena.services.playing import play_match
from tournaments.domain.scores import Score
from tournaments.models import Arena, Entry, Round, Tournament
from tournaments.results.services.leases import claim_match, set_draining
from tournaments.results.services.matches import correct_result, dispute_result, rule_on_dispute

pytestmark = pytest.mark.django_db


@pytest.fixture
def bot_round() -> Round:
    """A round of two matches of bots, who have been asked to play."""
    return a_bot_round(*(house_bot("random", n) for n in range(4)))


@pytest.fixture
def bot_tournament() -> Tournament:
    """Two bots whose match of twelve deal sets, under a test, was played."""
    tournament = two_bots(20, stop=TEST)
    with_sets(the_match(tournament, 1, 1), *[(150, 110), (140, 120), (130, 130)] * 4)
    return tournament


def signed_in(round_: Round) -> Client:
    boss = organiser(round_.stage.tournament.club)
    client = Client(headers={"Accept-Language": "es"})
    assert boss.user is not None
    client.force_login(boss.user)
    return client


def page(client: Client, path: str) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return re.sub(r"\s+", " ", response.content.decode())


def spanish() -> Client:
    return Client(headers={"Accept-Language": "es"})


# --- A round at play ------------------------------------------------------------------------------


def test_the_progress_asks_again_until_all_is_played(bot_round: Round) -> None:
    path = f"/t/{bot_round.stage.tournament.slug}/rounds/1/"
    before = page(spanish(), f"{path}progress/")
    assert 'hx-trigger="every 2s"' in before
    assert "Los bots están jugando." in before
    for match in bot_round.matches.all():
        play_match(match.pk)
    after = page(spanish(), f"{path}progress/")
    assert "hx-get" not in after
    assert "Los bots han jugado las 2 partidas." in after
    assert "hx-get" not in page(spanish(), path)


def test_a_match_that_was_voided_is_not_said_to_be_at_play_nor_never_to_have_been(
    bot_round: Round,
) -> None:
    first, other = bot_round.matches.all()
    boss = organiser(bot_round.stage.tournament.club)
    play_match(first.pk)
    correct_result(boss, other, Score(1, 0, 0, 0), reason="a power cut")
    progress = f"/t/{bot_round.stage.tournament.slug}/rounds/1/progress/"
    assert "A los bots no les queda nada por jugar." in page(spanish(), progress)
    dispute = dispute_result(boss, first, reason="the wrong cards")
    rule_on_dispute(boss, dispute, "void", reason="to be played")
    assert '<span role="status"> 1 partida queda para el árbitro. </span>' in page(
        spanish(), progress
    )
    assert "Los bots ya no juegan esta partida por sí solos" in page(
        spanish(), f"/matches/{first.pk}/"
    )


def test_bots_are_shown_no_code_to_scan(bot_round: Round) -> None:
    text = page(signed_in(bot_round), f"/matches/{bot_round.matches.all()[0].pk}/")
    assert "Corregir el resultado" in text
    assert "Código QR para los jugadores" not in text


def test_a_record_of_bots_was_handed_in_by_the_service_in_the_language_of_the_page(
    bot_round: Round,
) -> None:
    match = bot_round.matches.all()[0]
    play_match(match.pk)
    assert 'data-label="Entregada por">el servicio</td>' in page(spanish(), f"/matches/{match.pk}/")
    record = match.records.get()
    assert "Entregada por el servicio, " in page(spanish(), f"/records/{record.pk}/")


def test_a_worker_that_was_stopped_is_said_in_the_language_of_the_page(bot_round: Round) -> None:
    match = bot_round.matches.get(table=1)
    set_draining()
    try:
        play_match(match.pk)
    finally:
        set_draining(leaving=False)
    text = page(signed_in(bot_round), f"/matches/{match.pk}/")
    assert "jugado en parte" in text
    assert "se detuvo el trabajador" in text
    assert "was stopped" not in text


def test_nothing_is_sent_again_that_the_browser_has_seen(bot_round: Round) -> None:
    path = f"/t/{bot_round.stage.tournament.slug}/rounds/1/progress/"
    first = spanish().get(path)
    assert first["HX-Trigger"] == "board", "the list of matches is not known to be there"
    occurrences = dict(re.findall(r"[?;](seen|board)=([^&\"]+)", first.content.decode()))
    assert spanish().get(path, occurrences).status_code == 204
    assert "HX-Trigger" not in spanish().get(path, {**occurrences, "seen": "other"})
    claim_match(bot_round.matches.order_by("pk")[0].pk)
    changed = spanish().get(path, occurrences)
    assert (changed.status_code, changed["HX-Trigger"]) == (200, "board")


def test_the_organiser_pauses_the_bots_and_lets_them_go_on(bot_round: Round) -> None:
    client, path = signed_in(bot_round), f"/t/{bot_round.stage.tournament.slug}/rounds/1/"
    assert "Pausar los bots" in page(client, path)
    assert "Pausar los bots" not in page(spanish(), path)
    html = client.post(f"{path}bots/pause/", follow=True).content.decode()
    assert "Los bots de esta ronda están en pausa." in html
    assert "Reanudar" in html
    html = client.post(f"{path}bots/pause/", follow=True).content.decode()
    assert "Los bots ya están en pausa." in html, "somebody else was quicker"
    html = client.post(f"{path}bots/resume/", follow=True).content.decode()
    assert "Los bots siguen jugando." in html
    assert client.post(f"{path}bots/dance/").status_code == 404


# --- The comparison -------------------------------------------------------------------------------


def test_a_tournament_of_bots_has_a_comparison_and_one_of_people_has_none(
    bot_tournament: Tournament,
) -> None:
    assert f'href="/t/{bot_tournament.slug}/arena/"' in page(
        spanish(), f"/t/{bot_tournament.slug}/"
    )
    people = the_liguilla(bot_tournament.club, published=1)
    assert "/arena/" not in page(spanish(), f"/t/{people.slug}/")
    assert "Aún no hay nada que comparar" in page(spanish(), f"/t/{people.slug}/arena/")


def test_an_individual_of_bots_offers_no_comparison_and_says_why(db: None) -> None:
    bots = [house_bot("random", n) for n in range(4)]
    match = played(a_bot_match(*bots, stages=[{"format": "individual"}]))
    assert match.state == "accepted"
    slug = match.tournament.slug
    assert "/arena/" not in page(spanish(), f"/t/{slug}/")
    text = page(spanish(), f"/t/{slug}/arena/")
    assert "cada bot tiene una pareja nueva en cada ronda" in text
    assert "Aún no hay nada que comparar" not in text


def test_the_comparison_shows_figures_with_their_intervals(bot_tournament: Tournament) -> None:
    text = page(spanish(), f"/t/{bot_tournament.slug}/arena/")
    assert "+10,0" in text
    assert "± 5,4" in text, "Student's t with 11 degrees of freedom, 2.201 * 8.53 / sqrt(12)"
    assert "decidida a favor de 5" in text
    assert "LLR 18, entre −2,94 y 2,94" in text
    assert f"/t/{bot_tournament.slug}/arena/1/2/" in text
    figures = re.findall(r'<td class="number figure">(.*?)</td>', text)
    assert len(figures) == 6
    assert all("±" in figure for figure in figures if "–" not in figure), figures
    assert re.search(r"Va por delante [^:]+: \+[\d,]+ ± [\d,]+ tantos por partida", text)
    assert "style=" not in text


def test_the_matches_of_two_bots_are_listed(bot_tournament: Tournament) -> None:
    text = page(spanish(), f"/t/{bot_tournament.slug}/arena/2/1/")
    assert "−10,0" in text
    assert "Ronda 1, mesa 1" in text
    assert "decidida a favor de 5" in text
    assert Client().get(f"/t/{bot_tournament.slug}/arena/1/9/").status_code == 404


def test_the_comparison_is_had_as_csv(bot_tournament: Tournament) -> None:
    Entry.objects.filter(tournament=bot_tournament, number=1).update(name="=SUMA(A1)")
    cache.clear()
    response = Client().get(f"/t/{bot_tournament.slug}/arena/bots.csv")
    assert response["Content-Type"].startswith("text/csv")
    head, first, _ = csv.reader(io.StringIO(response.content.decode()))
    row = dict(zip(head, first, strict=True))
    assert (row["number"], row["name"], row["sets"]) == ("1", "'=SUMA(A1)", "12")
    assert float(row["margin"]) == pytest.approx(10)
    assert row["rating"] == ""
    pairs = Client().get(f"/t/{bot_tournament.slug}/arena/pairs.csv").content.decode()
    head, row_ = csv.reader(io.StringIO(pairs))
    pair = dict(zip(head, row_, strict=True))
    assert (pair["one"], pair["other"], pair["test"]) == ("1", "2", "high")
    assert Client().get(f"/t/{bot_tournament.slug}/arena/cards.csv").status_code == 404


def test_without_deal_sets_the_words_are_about_matches() -> None:
    tournament = a_bot_liguilla(to=1)
    correct_result(SYSTEM, the_match(tournament, 1, 1), Score(1, 0, 80, 50), reason="acta")
    text = page(spanish(), f"/t/{tournament.slug}/arena/")
    assert "Tantos por partida" in text
    assert "Series de repartos" not in text


# --- The room -------------------------------------------------------------------------------------


def test_everybody_sees_what_plays_and_only_the_staff_switches_it(bot_round: Round) -> None:
    claim_match(bot_round.matches.order_by("pk")[0].pk)
    text = page(spanish(), "/arena/")
    assert "Liga de bots, Ronda 1" in text
    assert "Pausar todos los bots" not in text
    assert Client().post("/arena/switch/pause/").status_code == 302
    assert signed_in(bot_round).post("/arena/switch/pause/").status_code == 403
    assert not Arena.objects.exists()
    staff = spanish()
    staff.force_login(user_named("sara", is_staff=True))
    assert "Pausar todos los bots" in page(staff, "/arena/")
    assert 'href="/arena/"' in page(staff, "/")
    html = staff.post("/arena/switch/pause/", follow=True).content.decode()
    assert "Aún se está acabando 1 partida." in html
    assert "Reanudar todos los bots" in html
    html = staff.post("/arena/switch/pause/", follow=True).content.decode()
    assert "Los bots ya están en pausa." in html
    staff.post("/arena/switch/resume/")
    assert Arena.objects.get().paused_at is None
    assert staff.post("/arena/switch/dance/").status_code == 404


def test_the_moving_part_of_the_room_is_sent_when_it_has_changed(bot_round: Round) -> None:
    first = page(spanish(), "/arena/board/")
    pattern_match = re.search(r"seen=([0-9a-f]+)", first)
    assert pattern_match is not None
    assert spanish().get("/arena/board/", {"seen": pattern_match[1]}).status_code == 204
    pause_arena(SYSTEM)
    assert "(el servicio)" in page(spanish(), f"/arena/board/?seen={pattern_match[1]}")


def test_nothing_plays_that_nobody_has_asked_for() -> None:
    a_bot_liguilla()
    assert "Ahora mismo no juega ningún bot." in page(spanish(), "/arena/")
