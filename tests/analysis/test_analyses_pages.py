"""The pages that say what cards cost: beside hands and matches, of a tournament, for arbiters."""

from __future__ import annotations

import re
from dataclasses import fields, replace
from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from django.core.cache import cache
from django.test import Client
from django.utils import timezone, translation

import engine
from tests.analysing import analyse_all, analyse_hand
from tests.clubs import SYSTEM
from tests.support import scenes
from tests.support.caller import Caller
from tournaments.analysis.queries.analyses import hand_analysis
from tournaments.analysis.queries.play import season_losses
from tournaments.analysis.queries.positions import TriedCard, tried_position
from tournaments.analysis.templatetags import tried_sentence
from tournaments.models import (
    AnalysedSeat,
    Analysis,
    AuditEvent,
    Entry,
    HandAnalysis,
    Match,
    Record,
    Review,
    Round,
    Season,
    Tournament,
)
from tournaments.results.queries.matches import hand_page
from tournaments.results.services.matches import dispute_result

if TYPE_CHECKING:
    from collections.abc import Iterator

    from engine.analysis.answer import TurnJudgement

pytestmark = pytest.mark.django_db

SINCE_VERSION_4 = {
    field.name
    for field in fields(engine.CardAnalysis)
    if field.name.startswith("hand_") or field.name == "judgement"
}


@pytest.fixture
def scene(monkeypatch: pytest.MonkeyPatch) -> scenes.Scene:
    """A tournament with one match played, its analysis waiting."""
    monkeypatch.setattr(engine, "analyse_hand", analyse_hand, raising=False)
    return scenes.running()


@pytest.fixture(autouse=True)
def in_english() -> Iterator[None]:
    with translation.override("en"):
        yield


def page_of(path: str, client: Client | None = None) -> str:
    answer = (client or Client()).get(path, headers={"Accept-Language": "en"})
    assert answer.status_code == 200, answer.status_code
    return answer.content.decode()


def signed_in(scene: scenes.Scene, role: str) -> Client:
    client = Client()
    client.force_login(scene.users[role])
    return client


def hand_with_a_mark(scene: scenes.Scene) -> tuple[str, engine.CardAnalysis]:
    """Let one card of the first hand be a blunder, whatever it was."""
    analyse_all()
    match = scene.matches()[0]
    row = HandAnalysis.objects.get(hands__hand__record__match=match, hands__hand__number=1)
    told_of = row.hand_analysis
    play = next(card_analysis for card_analysis in told_of.plays if card_analysis.legal > 1)
    marked = replace(
        play,
        hand_deals=None,  # as in a race, or a hand that a tute ended
        mark="blunder",
        better=play.open_best,
        open_loss=34,
        gain=12.2,
        gain_error=0.7,
        deals=640,
    )
    plays = tuple(
        marked if card_analysis == play else card_analysis for card_analysis in told_of.plays
    )
    row.answer = replace(told_of, plays=plays).to_dict()
    row.save()
    return f"/matches/{match.pk}/hands/1/", marked


@pytest.mark.slow
def test_a_marked_card_bears_its_sign_and_says_what_was_better_and_one_cost(
    scene: scenes.Scene,
) -> None:
    path, play = hand_with_a_mark(scene)
    page = page_of(path)
    words = re.search(r'<span class="mark__words">([^<]*)</span>', page)
    assert words
    assert "Blunder: better the" in words[1]
    assert "By what could be known it cost 12.2 ± 0.7 points (640 deals)." in words[1]
    costs = re.findall(r'<td class="number">(.*?)</td>', page)
    assert '12.2 <span class="quiet">± 0.7</span>' in costs  # the same figure, and no other
    assert "34" not in costs
    assert f'<a class="mark" href="#t={play.token + 1}">' in page
    assert page.count("mark__sign--blunder") % 2 == 0  # among the tricks, and in words below


def test_the_words_of_the_marks_go_to_the_stepper_too(scene: scenes.Scene) -> None:
    path, play = hand_with_a_mark(scene)
    island = re.search(r'<script id="judged" type="application/json">(.*?)</script>', page_of(path))
    assert island
    assert f'"{play.card}": {{"sign": "??", "kind": "blunder"' in island[1]


def test_deal_and_play_add_up_to_the_result_of_the_hand(scene: scenes.Scene) -> None:
    analyse_all()
    match = scene.matches()[0]
    page = page_of(f"/matches/{match.pk}/hands/1/")
    row = re.search(r'data-label="Deal">.*?</tr>', page, re.DOTALL)
    assert row
    luck, skill, result = (
        float(text.replace("−", "-")) for text in re.findall(r"<span>([+−]?[\d.]+)", row[0])
    )
    assert luck + skill == pytest.approx(result, abs=0.11)
    hand = match.records.accepted().get().hands.get(number=1)
    assert abs(result) == abs(hand.points["AC"] - hand.points["BD"])


def test_a_page_waits_for_the_analysis_and_gets_it_without_being_loaded_again(
    scene: scenes.Scene,
) -> None:
    match = scene.matches()[0]
    path = f"/matches/{match.pk}/hands/1/"
    assert f'hx-get="{path}analysis/"' in page_of(path)
    assert "This hand is being analysed" in page_of(path)
    assert Client().get(f"{path}analysis/").status_code == 204
    analyse_all()
    part = page_of(f"{path}analysis/")
    assert 'id="tricks" role="list" hx-swap-oob="true"' in part
    assert "What the cards cost" in part
    assert "hx-get" not in part
    cache.clear()  # of anonymous visitors' pages: it lasts a minute
    assert "hx-get" not in page_of(path)


def test_where_nothing_was_asked_for_the_hand_says_nothing_of_it(scene: scenes.Scene) -> None:
    Analysis.objects.all().delete()
    page = page_of(f"/matches/{scene.matches()[0].pk}/hands/1/")
    assert "analysed" not in page
    assert "What the cards cost" not in page


@pytest.mark.parametrize(
    ("state", "code", "words"),
    [
        ("nothing_to_analyse", "no_compiler", "runs without a compiler"),
        ("nothing_to_analyse", "capote", "played for a capote"),
        ("failed", "given_up", "broke off too often"),
    ],
)
def test_a_hand_that_is_not_analysed_says_why(
    scene: scenes.Scene, state: str, code: str, words: str
) -> None:
    Analysis.objects.update(state=state, code=code)
    assert words in page_of(f"/matches/{scene.matches()[0].pk}/hands/1/")


def test_a_match_is_reported_without_the_luck_of_its_deals(scene: scenes.Scene) -> None:
    match = scene.matches()[0]
    path = f"/matches/{match.pk}/"
    total = match.records.accepted().get().hands.count()
    assert f"The hands are being analysed: 0 of {total}." in page_of(path)
    analyse_all()
    cache.clear()  # of anonymous visitors' pages: it lasts five seconds
    page = page_of(path)
    assert "Without the luck of the cards" in page
    assert f"Over {total} hands." in page
    response = Client().get(f"{path}analysis/?seen=done-{total}")
    assert response.status_code == 204


def test_a_member_has_a_match_analysed_that_was_not(scene: scenes.Scene) -> None:
    Analysis.objects.all().delete()
    match = scene.matches()[0]
    path = f"/matches/{match.pk}/"
    assert "Analyse this match" not in page_of(path)
    arbiter = signed_in(scene, "arbiter")
    assert "Analyse this match" in page_of(path, arbiter)
    response = arbiter.post(f"{path}analyse/", follow=True, headers={"Accept-Language": "en"})
    assert "The match is being analysed." in response.content.decode()
    assert analyse_all() == 1
    assert "Analyse this match" not in page_of(path, arbiter)


def test_with_analysis_switched_off_nobody_is_offered_it(
    scene: scenes.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    Analysis.objects.all().delete()
    monkeypatch.setattr(settings, "ENVIRONMENT", replace(settings.ENVIRONMENT, analysis=False))
    path = f"/matches/{scene.matches()[0].pk}/"
    arbiter = signed_in(scene, "arbiter")
    assert "Analyse this match" not in page_of(path, arbiter)
    assert arbiter.post(f"{path}analyse/").status_code == 404


def test_the_table_without_luck_states_how_much_is_analysed(scene: scenes.Scene) -> None:
    address = f"/t/{scene.tournament.slug}/"
    assert f'href="{address}luck/"' not in page_of(address)
    waiting = page_of(f"{address}luck/")
    assert "Nothing is analysed yet" in waiting
    count = scene.matches()[0].records.accepted().get().hands.count()
    assert f'<progress value="0" max="{count}"' in waiting
    (occurrence,) = re.findall(r"luck/\?seen=([\w-]+)", waiting)
    assert Client().get(f"{address}luck/", {"seen": occurrence}).status_code == 204
    analyse_all()
    assert Client().get(f"{address}luck/", {"seen": occurrence}).status_code == 200
    page = page_of(f"{address}luck/")
    for side in scene.matches()[0].sides:
        assert side[0].name in page
    assert "<progress" not in page
    assert f"{count} of {count} hands are analysed." in page
    dispute_result(SYSTEM, scene.matches()[0], "Faltó una baza.")
    assert f"{count} of {count} hands are analysed." in page_of(f"{address}luck/")


def test_a_players_page_says_what_their_cards_cost_by_role(scene: scenes.Scene) -> None:
    player = scene.matches()[0].home.pair
    assert player is not None
    path = f"/players/{player.first.pk}/rating/"
    assert "What the cards cost" not in page_of(path)
    analyse_all()
    page = page_of(path)
    assert "What the cards cost" in page
    assert "All hands" in page


def suspect(scene: scenes.Scene) -> int:
    """Let one player fit the hidden cards far too well in a score of hands; return the key."""
    analyse_all()
    seat = AnalysedSeat.objects.filter(seat="B").earliest("pk")
    seats = AnalysedSeat.objects.all()
    seats.exclude(pk=seat.pk).delete()
    hand = seat.hand
    for number in range(20):
        record_hand = hand.hand
        record_hand.pk, record_hand.number = None, 100 + number
        record_hand.save()
        hand.pk, hand.hand = None, record_hand
        hand.save()
        seat.pk, seat.hand, seat.choices, seat.fit = None, hand, 5, 0.5 + 0.01 * (number % 7)
        seat.save()
    assert seat.player_id is not None
    return seat.player_id


def test_arbiters_find_whose_play_fits_hidden_cards_too_well_and_how_sure_that_is(
    scene: scenes.Scene,
) -> None:
    player = scene.club.players.get(pk=suspect(scene))
    page = page_of(f"/clubs/{scene.club.slug}/review/", signed_in(scene, "arbiter"))
    assert player.name in page
    assert "not an accusation" in page
    assert "If all are honest, a player is listed here by chance 1.00 % of the time." in page
    assert page.count("/hands/") == 8


def test_where_all_play_as_chance_has_it_nobody_is_listed(scene: scenes.Scene) -> None:
    analyse_all()
    page = page_of(f"/clubs/{scene.club.slug}/review/", signed_in(scene, "arbiter"))
    assert "Nobody to review" in page


def test_an_arbiter_notes_what_they_found_and_only_arbiters_read_it(scene: scenes.Scene) -> None:
    player = suspect(scene)
    arbiter = signed_in(scene, "arbiter")
    path = f"/clubs/{scene.club.slug}/review/"
    arbiter.post(f"{path}{player}/", {"note": "Juega muy bien."})
    review = Review.objects.get()
    assert (review.player_id, review.note, review.made_by) == (player, "Juega muy bien.", "arbiter")
    page = page_of(path, arbiter)
    assert "Juega muy bien." in page
    assert "looked at" in page
    event = AuditEvent.objects.latest("sequence")
    assert (event.verb, event.tournament) == ("play.reviewed", None)
    assert "Juega muy bien." not in str(event.facts)
    assert signed_in(scene, "player").get(path).status_code == 403


def test_an_arbiter_is_not_shown_the_matches_that_they_played_in(scene: scenes.Scene) -> None:
    player = scene.club.players.get(pk=suspect(scene))
    path = f"/clubs/{scene.club.slug}/review/"
    arbiter = signed_in(scene, "arbiter")
    assert player.name in page_of(path, arbiter)
    player.user = scene.users["arbiter"]
    player.save()
    assert "Nobody to review" in page_of(path, arbiter)
    assert arbiter.post(f"{path}{player.pk}/").status_code == 404


def hand_with_a_turn(
    scene: scenes.Scene, judgement: TurnJudgement, wins: int, best_wins: int
) -> tuple[str, engine.Turn]:
    """Let a card of the first hand decide it, which wins so many of 160 deals."""
    analyse_all()
    match = scene.matches()[0]
    row = HandAnalysis.objects.get(hands__hand__record__match=match, hands__hand__number=1)
    hand = row.hand_analysis
    play = next(play for play in hand.plays if play.legal > 1)
    sign = 1 if play.seat in hand.sides[0] else -1
    turn = engine.Turn(play.token, play.trick, play.seat, play.card, sign * 10, -sign * 14)
    turn = replace(turn, judgement=judgement, loss=4.4, error=0.3, better=play.open_best, deals=160)
    loss = (best_wins - wins) / 160
    judged = replace(
        play,
        hand_loss=loss,
        hand_error=0.03,
        hand_best="3o" if loss else play.card,
        hand_wins=wins,
        hand_best_wins=best_wins,
        hand_deals=160,
        hand_every=False,
        hand_part="1b" if judgement == "mistake" else None,
        hand_part_outcome="ruffed",
        hand_part_points=9.5,
        hand_gain=12.4,
        hand_changes=40,
        judgement="" if judgement == "unclear" else judgement,
    )
    plays = tuple(judged if each is play else each for each in hand.plays)
    row.answer = replace(hand, decided_by="card", turn=turn, plays=plays).to_dict()
    row.save()
    return f"/matches/{match.pk}/", turn


@pytest.mark.parametrize(
    ("judgement", "wins", "sentence", "word"),
    [
        (
            "bad_luck",
            90,
            "90 of 160 deals, and no other in more. By what could be known it was bad luck.",
            "bad",
        ),
        ("unclear", 80, "80 of 160 deals; the best, the three of coins, in 90.", "perhaps"),
        (
            "mistake",
            40,
            "40 of 160 deals; the best, the three of coins, in 90.",
            "a better card could be",
        ),
    ],
)
def test_the_card_that_decided_the_hand_is_named_and_judged_by_the_deals_that_it_wins(
    scene: scenes.Scene, judgement: TurnJudgement, wins: int, sentence: str, word: str
) -> None:
    path, turn = hand_with_a_turn(scene, judgement, wins, 90)
    page = page_of(f"{path}hands/1/")
    decided = re.search(r"What decided the hand</h2>(.*?)</div>", page, re.DOTALL)
    assert decided
    assert f'href="#t={turn.token + 1}"' in decided[1]
    assert f"Trick {turn.trick}, " in decided[1]
    assert "would have won the hand by 10 with best play by all; from then on" in decided[1]
    assert f"With best play by all this card wins the hand in {sentence}" in decided[1]
    assert f'<td class="number">{wins} of 160' in page  # the same in the list of choices
    assert ("mark__sign--mistake" in page) == (judgement == "mistake")
    assert ("In the real deal the hand was lost by it." in page) == (judgement == "bad_luck")
    match_page = page_of(path)
    listed = re.search(r"What decided the hands</h3>(.*?)</ul>", match_page, re.DOTALL)
    assert listed
    assert f"/hands/1/#t={turn.token + 1}" in listed[1]
    assert f"– {word}" in listed[1]
    part = "the ace of clubs makes a difference of 9.5 points on average "
    assert (part in decided[1]) == (judgement == "mistake")
    outcome = "In most of these deals, after this card, the other side ruffs it."
    assert (outcome in decided[1]) == (judgement == "mistake")
    if judgement == "mistake":  # the costliest of the match
        assert f"wins {wins} of 160 deals, the best card 90" in match_page


def test_what_an_earlier_release_found_is_read_by_its_marks_until_it_is_found_again(
    scene: scenes.Scene,
) -> None:
    match_path, turn = hand_with_a_turn(scene, "mistake", 40, 90)
    path, _mark = hand_with_a_mark(scene)
    for row in HandAnalysis.objects.all():
        row.answer["plays"] = [
            {name: value for name, value in play.items() if name not in SINCE_VERSION_4}
            for play in row.answer["plays"]
        ]
        if row.answer["turn"]:
            del row.answer["turn"]["judgement"]
        row.version = engine.ANALYSIS_VERSION - 1
        row.save()
    page = page_of(path)
    assert f"Trick {turn.trick}, " in page
    assert "By what could be known it cost 12.2 ± 0.7 points (640 deals)." in page
    assert "wins the hand in" not in page
    assert "What decided the hands" in page_of(match_path)
    assert Caller().read(f"matches/{path.split('/')[2]}/hands/1/analysis/")["plays"]
    for row in HandAnalysis.objects.all():
        row.answer = {
            name: value for name, value in row.answer.items() if name not in {"turn", "decided_by"}
        }
        row.save()
    cache.clear()
    assert "What decided the hand" not in page_of(path)
    assert "What decided the hands" not in page_of(match_path)


def test_a_hand_is_shown_at_first_look_while_its_cards_are_being_judged(
    scene: scenes.Scene,
) -> None:
    path, _turn = hand_with_a_turn(scene, "", 40, 90)
    path = f"{path}hands/1/"
    for row in HandAnalysis.objects.all():
        row.answer = replace(row.hand_analysis, judged=False).to_dict()
        row.save()
    Analysis.objects.update(state="waiting")
    page = page_of(path)
    assert "The cards are being judged" in page
    assert f'hx-get="{path}analysis/?seen=judging"' in page
    assert "No card is marked" not in page
    assert '<td class="number">40 of 160' in page
    assert Client().get(f"{path}analysis/", {"seen": "judging"}).status_code == 204
    assert "The cards are being judged" in page_of(f"{path}analysis/")  # to a page that saw nothing
    for row in HandAnalysis.objects.all():
        row.answer["judged"] = True
        row.save()
    part = page_of(f"{path}analysis/?seen=judging")
    assert "hx-get" not in part
    assert 'id="words" data-spoiler hx-swap-oob="true"' in part


def test_a_position_is_tried_again_from_a_mark_and_from_the_page_of_the_match(
    scene: scenes.Scene,
) -> None:
    match_path, turn = hand_with_a_turn(scene, "mistake", 40, 90)
    row = HandAnalysis.objects.get(answer__turn__token=turn.token)
    hand = row.hand_analysis
    play = next(play for play in hand.plays if play.token == turn.token)
    others = [card for card in legal_cards(scene, turn.token) if card != play.card]
    rows = [(card, 30 - number, 2.5) for number, card in enumerate(others)]
    figures = tuple(engine.CardFigure(*each) for each in [(play.card, 12, 4.4), *rows])
    tried = replace(play, figures=figures, figure_deals=40)
    plays = tuple(tried if each is play else each for each in hand.plays)
    row.answer = replace(hand, plays=plays).to_dict()
    row.save()
    path = f"{match_path}hands/1/try/{turn.token}/"
    assert f'href="{path}"' in page_of(f"{match_path}hands/1/")
    assert f'href="{path}"' in page_of(match_path)
    page = page_of(path)
    assert page.count('<button type="button" value=') == page.count("aria-pressed") + page.count(
        " disabled>"
    )
    assert page.count('aria-pressed="false"') == len(figures)
    assert "Well chosen: by what could be known no other card was clearly better." in page
    assert "it wins the hand in 30 of 40 deals, this one in 12." in page
    assert '<td class="number">12 of 40</td>' in page
    assert Client().get(f"{match_path}hands/1/try/999/").status_code == 404
    seats = AnalysedSeat.objects.filter(hand__analysis=row)
    seats.update(judgements={"inaccuracy": 0, "mistake": 0, "decisive": 0})
    seats.filter(seat=play.seat).update(judgements={"inaccuracy": 0, "mistake": 1, "decisive": 0})
    match = scene.matches()[0]
    assert match.home is not None
    assert match.away is not None
    own, other = (
        (match.home, match.away)
        if play.seat in record_of(match).home_side
        else (match.away, match.home)
    )
    own_plays = page_by_code("/plays/", own)
    assert f'href="{path}"' in own_plays
    assert "<span data-tried hidden>" in own_plays
    assert path not in page_by_code("/plays/", other)
    week = f"/clubs/{scene.club.slug}/plays/"
    assert "No plays to try again" in page_of(week)
    closed = Round.objects.exclude(published_at=None)
    closed.update(state="closed", closed_at=timezone.now())
    assert f'href="{path}?unnamed"' in page_of(week)
    unnamed = page_of(f"{path}?unnamed")
    assert f"<h1>{play.seat} plays: which card?</h1>" in unnamed
    assert own.name not in unnamed
    Tournament.objects.update(visibility="private")
    assert "No plays to try again" in page_of(week)


def record_of(match: Match) -> Record:
    return match.records.accepted().get()


def page_by_code(path: str, entry: Entry) -> str:
    """Open a page as who has given the code of an entry."""
    client = Client()
    client.post(f"/t/{entry.tournament.slug}/come/code/", {"code": entry.code})
    return client.get(path).content.decode()


def legal_cards(scene: scenes.Scene, token: int) -> tuple[str, ...]:
    record = engine.parse_record(scene.matches()[0].records.accepted().get().text)
    return engine.frames(record, 0)[token].legal


def test_a_players_page_counts_judgements_where_there_are_any_and_else_marks(
    scene: scenes.Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = scene.matches()[0].home.pair
    assert player is not None
    analyse_all()
    seats = AnalysedSeat.objects.filter(player=player.first)
    seats.update(slips=9, mistakes=9, blunders=9)
    seats.update(judgements={"inaccuracy": 0, "mistake": 1, "decisive": 0}, hand_loss=0.034)
    by_points = seats.earliest("pk")
    by_points.judgements = None  # as in a race
    by_points.hand_loss = None
    by_points.save()
    count = seats.count() - 1
    path = f"/players/{player.first.pk}/rating/"
    page = page_of(path)
    assert f"<span>9 / {9 + count} / 9</span>" in page
    assert '<span>3.4 <span class="quiet">± 0.0</span></span>' in page  # of 100 hands
    season = Season.objects.create(club=scene.club, name="2026", slug="2026")
    season.events.create(tournament=scene.tournament, order=1)
    assert season_losses(season) == ()  # too few hands
    monkeypatch.setattr("tournaments.analysis.queries.play.LEAST_HANDS", 2)
    assert player.first.name in {row.name for row in season_losses(season)}
    assert "What the cards cost" in page_of(f"/clubs/{scene.club.slug}/seasons/2026/")


def test_where_points_judge_the_sentence_of_a_card_says_its_cost() -> None:
    best = TriedCard("1o", None, 0.0, None, is_played=False, is_good=True)
    worse = TriedCard("3o", None, 4.4, None, is_played=True, is_good=False)
    assert tried_sentence(best, best).startswith("Well chosen")
    words = "Better the ace of coins: this one costs 4.4 points on average."
    assert tried_sentence(worse, best) == words


def test_what_a_player_could_know_is_true_of_the_hands_and_shown_by_who_did_not_follow(
    scene: scenes.Scene,
) -> None:
    analyse_all()
    page = hand_page(scene.matches()[0].pk, 1, SYSTEM)
    seats = {name: seat for seat, name in page.seats.items()}
    found = set()
    for play in hand_analysis(page).plays:
        if not play.figures:
            continue
        position = tried_position(page, play.token)
        assert position.cards == page.frames[play.token].hands[play.seat]
        assert {tried.card for tried in position.tried} == set(position.legal)
        assert min(tried.open_loss for tried in position.tried if tried.open_loss is not None) == 0
        assert {len(trick) for trick in position.best.line} == {len(page.seats)}
        for name, suit in position.voids:
            held = page.frames[play.token].hands[seats[name]]
            assert not any(card.endswith(suit) for card in held)
            found.add((play.token, name, suit))
    unfollowed = {
        (page.seats[seat], trick.cards[0][1][-1])
        for trick in page.tricks[:5]
        for seat, card in trick.cards
        if card[-1] != trick.cards[0][1][-1]
    }
    assert {(name, suit) for _token, name, suit in found} & unfollowed


def test_a_hands_page_begins_with_the_hand_in_words_and_folds_its_digest(
    scene: scenes.Scene,
) -> None:
    path, turn = hand_with_a_turn(scene, "bad_luck", 90, 90)
    page = page_of(f"{path}hands/1/")
    words, rest = page.split("data-stepper", maxsplit=1)
    assert re.search(r"<strong>[^<]+ wins the hand</strong>", words)
    assert "What decided the hand</h2>" in words
    assert f'href="#t={turn.token + 1}"' in words
    assert "data-think-switch" in rest
    assert "What decided the hand</h2>" not in rest
    assert re.search(r"<summary>Fingerprint of the match</summary>\s*<p><code>sha256:", rest)
