"""Criteria of an entrant's own rounds: sums of scores, and FIDE C.07, article 7 (type B)."""

from collections.abc import Callable
from fractions import Fraction
from typing import Final

from tournaments.domain.ledger import VOLUNTARY, Game, Number, RoundKind, simplify
from tournaments.domain.rows import Penalty
from tournaments.domain.tiebreaks.base import Addends, Criterion, Family, Tally, Term, Terms

HALF: Final = Fraction(1, 2)
DROPPED: Final = "dropped"
"""Why a term of one of the worst rounds does not count (`StageRules.drop_rounds`)."""


def sum_lines(
    value_of: Callable[[Game], Number], deduction: Callable[[Penalty], Number]
) -> Addends:
    """Add up something of every line and take the penalties off, without the dropped rounds."""

    def terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
        del tied_group
        cuts = dict.fromkeys(tally.dropped(entrant), DROPPED)
        lines = [
            Term(
                game.round,
                game.opponents,
                value_of(game),
                game.kind,
                cut=cuts.get(game.round, ""),
            )
            for game in tally.games(entrant)
        ]
        lines += [
            Term(penalty.round, (), -deduction(penalty), "penalty", cut=cuts.get(penalty.round, ""))
            for penalty in tally.penalties(entrant)
            if deduction(penalty)
        ]
        return tuple(lines)

    return terms


def count_rounds(value_of: Callable[[Tally, Game], Number]) -> Addends:
    """Count the rounds that are worth something, without the dropped ones."""

    def terms(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
        del tied_group
        cuts = dict.fromkeys(tally.dropped(entrant), DROPPED)
        return tuple(
            Term(game.round, game.opponents, amount, game.kind, cut=cuts.get(game.round, ""))
            for game in tally.games(entrant)
            if (amount := value_of(tally, game))
        )

    return terms


def win(tally: Tally, game: Game) -> Number:
    """7.1: as many points as for a win, with or without playing."""
    if game.kind is RoundKind.PLAYED:
        return int(game.won)
    return int(game.match_points >= tally.rules.scale.win)


def won(tally: Tally, game: Game) -> Number:
    """7.2: won at the table. A forfeit is not, in a fixed schedule either."""
    del tally
    return int(game.kind is RoundKind.PLAYED and game.won)


def elected(tally: Tally, game: Game) -> Number:
    """7.6: any round but half byes, zero byes and forfeit losses."""
    del tally
    return int(game.kind not in VOLUNTARY)


def standard_points(tally: Tally, game: Game) -> Number:
    """7.7: 1 for more than the opponent, a half for as much; without opponent than a draw."""
    other = game.opposed if game.opponents else tally.rules.scale.tie
    if game.match_points == other:
        return HALF
    return int(game.match_points > other)


def progressive(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """7.5: the score after each round, added up; a penalty counts from its round on."""
    del tied_group
    lines: list[Term] = []
    score: Number = 0
    games = {game.round: game for game in tally.games(entrant)}
    penalties = list(tally.penalties(entrant))
    for round_ in tally.ledger.rounds:
        game = games.get(round_)
        score += game.match_points if game else 0
        while penalties and penalties[0].round <= round_:
            score -= simplify(penalties.pop(0).match_points)
        opponents = game.opponents if game else ()
        lines.append(Term(round_, opponents, score, "score_so_far"))
    return tuple(lines)


def best_round(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Return the most card points that were made in one round at the table."""
    del tied_group
    played = [game for game in tally.games(entrant) if game.kind is RoundKind.PLAYED]
    if not played:
        return ()
    best = max(played, key=lambda game: game.points)
    return (Term(best.round, best.opponents, best.points, best.kind),)


def points_a_hand(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Return the mean of the card points over the hands that were played at the tables.

    A result whose hands were not stated counts as one hand. Dropped rounds count for nothing.
    """
    del tied_group
    cuts = tally.dropped(entrant)
    games = [game for game in tally.games(entrant) if game.kind is RoundKind.PLAYED]
    hands = sum(game.hands_played or 1 for game in games if game.round not in cuts)
    lines = [
        Term(
            game.round,
            game.opponents,
            Fraction(game.points) / hands,
            "part_of_mean",
            cut=DROPPED if game.round in cuts else "",
        )
        for game in games
        if hands
    ]
    lines += [
        Term(
            penalty.round,
            (),
            Fraction(-penalty.points) / hands,
            "penalty",
            cut=DROPPED if penalty.round in cuts else "",
        )
        for penalty in tally.penalties(entrant)
        if penalty.points and hands
    ]
    return tuple(lines)


def mean_match_points(tally: Tally, entrant: int, tied_group: tuple[int, ...]) -> Terms:
    """Return the mean of the match points of all matches, played or awarded: byes are none.

    A penalty is taken from their sum.
    """
    del tied_group
    games = [game for game in tally.games(entrant) if game.opponents]
    lines = [
        Term(game.round, game.opponents, Fraction(game.match_points) / len(games), "part_of_mean")
        for game in games
    ]
    lines += [
        Term(penalty.round, (), -penalty.match_points / len(games), "penalty")
        for penalty in tally.penalties(entrant)
        if penalty.match_points and games
    ]
    return tuple(lines)


def _own(code: str, terms: Addends, acronym: str = "", article: str = "") -> Criterion:
    return Criterion(code, Family.OWN, terms, acronym, article)


def _difference(code: str, terms: Addends, *, of_points: bool = False) -> Criterion:
    return Criterion(code, Family.OWN, terms, is_difference=True, of_points=of_points)


MATCH_POINTS: Final = _own(
    "match_points",
    sum_lines(lambda game: game.match_points, lambda penalty: simplify(penalty.match_points)),
    "PTS",
)

CRITERIA: Final = (
    MATCH_POINTS,
    _own("mean_match_points", mean_match_points),
    _own("wins", count_rounds(win), "WIN", "7.1"),
    _own("won", count_rounds(won), "WON", "7.2"),
    _own("tables_won", count_rounds(won)),
    _own("progressive", progressive, "PS", "7.5"),
    _own("rounds_elected", count_rounds(elected), "REP", "7.6"),
    _own("standard_points", count_rounds(standard_points), "STD", "7.7"),
    _own(
        "match_points_v_game_points",
        sum_lines(lambda game: game.hands, lambda penalty: penalty.hands),
        "MPvGP",
        "13.1",
    ),
    _difference(
        "hand_difference",
        sum_lines(lambda game: game.hands - game.hands_against, lambda penalty: penalty.hands),
    ),
    _own("hands_for", sum_lines(lambda game: game.hands, lambda penalty: penalty.hands)),
    _difference(
        "point_difference",
        sum_lines(lambda game: game.points - game.points_against, lambda penalty: penalty.points),
        of_points=True,
    ),
    Criterion(
        "points_for",
        Family.OWN,
        sum_lines(lambda game: game.points, lambda penalty: penalty.points),
        of_points=True,
    ),
    Criterion("points_a_hand", Family.OWN, points_a_hand, of_points=True),
    Criterion("best_round", Family.OWN, best_round, of_points=True),
)
