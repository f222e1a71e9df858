"""Criteria from the final scores of the opponents: FIDE C.07, articles 8, 9, 13.2, 14 and 16.

In a Swiss tournament (and wherever results make the pairings) an opponent's score is the *adjusted*
score (16.3): requested byes after which they were never available again count as draws. An own
unplayed round is a round against a *dummy* with one's own score (16.4). Since the edition of 1
March 2026 the dummy's score is capped: by the scheduled opponent's adjusted score after a forfeit
(16.4.1), by a draw in every round otherwise (16.4.2); "every round" are the rounds that the
standings are for. In a fixed schedule forfeits are games and a free round is nothing (15.2).
"""

from collections.abc import Callable
from fractions import Fraction
from typing import Final, NamedTuple

from tournaments.domain.ledger import FORFEITS, VOLUNTARY, Game, Number, RoundKind
from tournaments.domain.tiebreaks.base import (
    Addends,
    Criterion,
    Family,
    Measure,
    Tally,
    Term,
    Terms,
)

MIN_WIN_SHARE: Final = Fraction(33, 100)
"""No opponent counts for less (Magic tournament rules, appendix C)."""

Pick = Callable[[Tally], Measure]
Faced = tuple[tuple[int, ...], Number, str]
"""Whom a round was against, with what score, and the code of that."""


def _match(tally: Tally) -> Measure:
    return tally.match


def _hands(tally: Tally) -> Measure:
    return tally.hands


class Element(NamedTuple):
    """A term, the score of the opponent it came from, and whether from a voluntary absence."""

    term: Term
    score: Number
    voluntary: bool


def sum_opponents(
    scores: Pick, weight: Pick | None = None, *, least_cuts: int = 0, most_cuts: int = 0
) -> Addends:
    """Add up the opponents' scores, with ``weight`` each times the points taken from it."""

    def terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
        del tied_group
        elements = _elements(tally, entrant, scores(tally), weight and weight(tally))
        return _apply_cuts(elements, least_cuts, most_cuts)

    return terms


def _elements(tally: Tally, entrant: int, scores: Measure, weight: Measure | None) -> list[Element]:
    elements: list[Element] = []
    for game in tally.games(entrant):
        factor = weight.of(game) if weight else None
        voluntary = game.kind in VOLUNTARY and not tally.is_preset
        for opponents, score, note in _scores(tally, entrant, game, scores):
            amount = score if factor is None else score * factor
            factors = () if factor is None else (score, factor)
            elements.append(
                Element(Term(game.round, opponents, amount, note, factors), score, voluntary)
            )
    return elements


def _scores(tally: Tally, entrant: int, game: Game, scores: Measure) -> list[Faced]:
    """Return whom a round was against, with what score, and the code of that."""
    if game.kind is RoundKind.PLAYED or (tally.is_preset and game.opponents):
        entries: list[Faced] = []
        for opponent in game.opponents:
            score = scores.adjusted[opponent]
            note = "opponent" if score == scores.totals[opponent] else "opponent_adjusted"
            entries.append(((opponent,), score, note))
        return entries
    if tally.is_preset:
        return []
    return [_dummy(tally, entrant, game, scores)]


def _dummy(tally: Tally, entrant: int, game: Game, scores: Measure) -> Faced:
    score = scores.totals[entrant]
    if not tally.caps_dummies:
        return game.opponents, score, "dummy"
    if game.kind in FORFEITS:
        cap = min((scores.adjusted[opponent] for opponent in game.opponents), default=score)
        return game.opponents, min(score, cap), "dummy_forfeit" if cap < score else "dummy"
    cap = scores.draw * len(tally.ledger.rounds)
    return (), min(score, cap), "dummy_bye" if cap < score else "dummy"


def _apply_cuts(elements: list[Element], least_cuts: int, most_cuts: int) -> Terms:
    """Mark what the modifiers cut (14.1 to 14.4): the least first, then the most significant."""
    cuts: dict[int, str] = {}
    rest = list(range(len(elements)))
    for reason, times in (("cut_least", least_cuts), ("cut_most", most_cuts)):
        for _ in range(min(times, len(rest))):
            if reason == "cut_most":
                index, code = max(rest, key=lambda n: _significance(elements[n])), reason
            else:
                index, code = _least_game(elements, rest)
            cuts[index] = code
            rest.remove(index)
    return tuple(
        element.term._replace(cut=cuts[index]) if index in cuts else element.term
        for index, element in enumerate(elements)
    )


def _significance(element: Element) -> tuple[Number, Number]:
    """The opponent's score; of equals the contribution (14.1.1)."""
    return element.score, element.term.amount


def _least_game(elements: list[Element], rest: list[int]) -> tuple[int, str]:
    """Return the game that Cut-1 takes: a voluntary absence unless that is worth less (16.5.1)."""
    lowest = min(rest, key=lambda n: _significance(elements[n]))
    voluntary = [n for n in rest if elements[n].voluntary]
    if voluntary:
        absence = min(voluntary, key=lambda n: elements[n].term.amount)
        if elements[absence].term.amount >= elements[lowest].term.amount:
            return absence, "cut_voluntary"
    return lowest, "cut_least"


def koya(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """9.2: what was taken from those with at least half of the most that can be scored.

    The most is a win in every round; in a fixed schedule, in every round with an opponent.
    """
    del tied_group
    rounds = len(tally.ledger.rounds)
    if tally.is_preset:
        games = tally.ledger.games.values()
        rounds = max(sum(bool(game.opponents) for game in entrant_games) for entrant_games in games)
    needed = tally.rules.scale.win * rounds / 2
    return tuple(
        Term(game.round, (opponent,), game.match_points, game.kind)
        for game in tally.games(entrant)
        for opponent in game.opponents
        if tally.match.totals[opponent] >= needed
    )


def opponents_partners(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """EBU individual: final scores of the opponents over final scores of the partners.

    Nothing when the partners have nothing.
    """
    del tied_group
    scores, games = tally.match.totals, tally.games(entrant)
    partners = sum(scores[partner] for game in games for partner in game.partners)
    if not partners:
        return ()
    return tuple(
        Term(
            game.round,
            (opponent,),
            Fraction(scores[opponent]) / partners,
            "over_partners",
            (scores[opponent], partners),
        )
        for game in games
        for opponent in game.opponents
    )


def opponents_points(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Add up the final scores of all scheduled opponents; a bye counts for nothing."""
    del tied_group
    return tuple(
        Term(game.round, (opponent,), tally.match.totals[opponent], "opponent")
        for game in tally.games(entrant)
        for opponent in game.opponents
    )


def _mean(score: Callable[[Tally, int], Number], note: str) -> Addends:
    """Return the terms of a mean over all opponents, one share for each meeting."""

    def terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
        del tied_group
        meetings = [
            (game.round, opponent) for game in tally.games(entrant) for opponent in game.opponents
        ]
        shares = []
        for round_, opponent in meetings:
            amount = Fraction(score(tally, opponent))
            shares.append(
                Term(round_, (opponent,), amount / len(meetings), note, (amount, len(meetings)))
            )
        return tuple(shares)

    return terms


def win_share(tally: Tally, entrant: int) -> Fraction:
    """Match points over those of a win in each round attended; never below 0.33."""
    came = sum(game.kind is not RoundKind.ZERO_BYE for game in tally.games(entrant))
    max_points = tally.rules.scale.win * came
    share = Fraction(tally.match.totals[entrant]) / max_points if max_points else MIN_WIN_SHARE
    return max(share, MIN_WIN_SHARE)


def _final_score(tally: Tally, entrant: int) -> Number:
    return tally.match.totals[entrant]


def _buchholz(code: str, acronym: str, *, least_cuts: int = 0, most_cuts: int = 0) -> Criterion:
    article = "8.1" if not least_cuts else f"14.{least_cuts + 2 * bool(most_cuts)}"
    terms = sum_opponents(_match, least_cuts=least_cuts, most_cuts=most_cuts)
    return Criterion(code, Family.OPPONENTS, terms, acronym, article, in_preset=False)


def _sonneborn_berger(
    code: str, scores: Pick, weight: Pick, acronym: str, article: str, least_cuts: int = 0
) -> Criterion:
    terms = sum_opponents(scores, weight, least_cuts=least_cuts)
    return Criterion(code, Family.OPPONENTS, terms, acronym, article)


CRITERIA: Final = (
    _buchholz("buchholz", "BH"),
    _buchholz("buchholz_cut1", "BH-C1", least_cuts=1),
    _buchholz("buchholz_cut2", "BH-C2", least_cuts=2),
    _buchholz("median_buchholz", "BH-M1", least_cuts=1, most_cuts=1),
    _buchholz("median2", "BH-M2", least_cuts=2, most_cuts=2),
    _sonneborn_berger("sonneborn_berger", _match, _match, "SB", "9.1"),
    _sonneborn_berger("sonneborn_berger_cut1", _match, _match, "SB-C1", "14.1", 1),
    Criterion("koya", Family.OPPONENTS, koya, "KS", "9.2"),
    _sonneborn_berger("emmsb", _match, _match, "EMMSB", "13.2.1"),
    _sonneborn_berger("emgsb", _match, _hands, "EMGSB", "13.2.2"),
    _sonneborn_berger("egmsb", _hands, _match, "EGMSB", "13.2.3"),
    _sonneborn_berger("eggsb", _hands, _hands, "EGGSB", "13.2.4"),
    Criterion("opponents_points", Family.OPPONENTS, opponents_points, in_preset=False),
    Criterion("opponents_partners", Family.OPPONENTS, opponents_partners, "O/P"),
    Criterion("opponent_match_wins", Family.OPPONENTS, _mean(win_share, "mean_of_shares"), "OMW%"),
    Criterion(
        "mean_table_points_of_opponents", Family.OPPONENTS, _mean(_final_score, "mean_of_scores")
    ),
)
