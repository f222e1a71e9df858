"""The pages of the demo's club night name the card that decided each hand, or say bad luck."""

from __future__ import annotations

import re
from collections import Counter

import pytest
from django.test import Client

from tests.analysing import analyse_all
from tests.clubs import club_night_lines, submitted, the_liguilla
from tournaments.models import HandAnalysis, Match

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

WORDS = {
    "bad_luck": ("it was bad luck.", "bad luck"),
    "unclear": ("it may have been bad luck.", "perhaps bad luck"),
    "mistake": ("it was a mistake.", "a better card could be known"),
}


def text_of(path: str) -> str:
    """Return the words of a page, in English."""
    answer = Client().get(path, headers={"Accept-Language": "en"})
    assert answer.status_code == 200
    return " ".join(re.sub(r"<[^>]*>", " ", answer.content.decode()).split())


@pytest.mark.long
def test_the_pages_of_the_demo_name_the_card_that_decided_each_hand() -> None:
    liguilla = the_liguilla()
    for index in range(len(club_night_lines())):
        submitted(liguilla, index)
    while analyse_all():  # on a busy machine an attempt ends before the last hand of its record
        pass
    decided: Counter[str] = Counter()
    for match in Match.objects.filter(round__stage__tournament=liguilla):
        match_text = text_of(f"/matches/{match.pk}/")
        rows = HandAnalysis.objects.filter(hands__hand__record__match=match)
        for number, row in enumerate(rows.order_by("hands__hand__number"), 1):
            hand = row.hand_analysis
            text = text_of(f"/matches/{match.pk}/hands/{number}/")
            if hand.turn is None:
                assert hand.decided_by == "deal"
                assert "The deal: with best play by all" in text
                assert f"Hand {number} : the deal" in match_text
                decided["deal"] += 1
                continue
            turn = hand.turn
            play = next(play for play in hand.plays if play.token == turn.token)
            sentence, word = WORDS[turn.judgement]
            assert re.search(rf"What decided the hand Trick {turn.trick}, [^:]+: ", text)
            won = f"this card (wins the hand in {play.hand_wins} of |loses the hand)"
            assert re.search(rf"{won}.{{1,300}}?\. By what could be known {sentence}", text)
            assert re.search(rf"Hand {number} : Trick {turn.trick}, [^–]+ – {word}", match_text)
            decided[turn.judgement] += 1
    assert decided == {"deal": 69, "mistake": 30, "bad_luck": 11, "unclear": 7}
