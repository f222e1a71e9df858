"""The recorder: the table of a match, and the next legal actions in a draft of its record.

A page keeps the draft on its device: ``order`` (one of the ways to sit), ``hands``, and ``at``,
the index of the token of the last hand before which it looks.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

import engine
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import find_match
from tournaments.core.languages import active_language
from tournaments.core.permissions import Actor
from tournaments.director.queries.state import refuse_unless_open
from tournaments.domain.entry_progress import Followed, Phase, follow, lacking
from tournaments.domain.hand_entry import DECLARED, DUTY, SHOWN, TAKEN, Moment, Table, Why, Written
from tournaments.models import Match
from tournaments.results.queries.matches import MatchPage, match_page

MOST_HANDS: Final = 100  # of a draft
MOST_TOKENS: Final = 200  # of a hand, which has 40 cards
PAIRS: Final = 4  # players at a table of two pairs
LENGTHS: Final = ("to", "deals")  # options that the deals of a duplicate table replace


@dataclass(frozen=True, slots=True)
class RecorderPage:
    """The start of the recorder: ``orders`` are the ways to sit, names in playing order."""

    match: MatchPage
    rules: engine.Ruleset
    orders: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Draft:
    """An unfinished record from a device."""

    order: int
    hands: tuple[Written, ...]
    at: int | None = None


def recorder_page(pk: int, viewer: Actor) -> RecorderPage:
    """Return the page to record the hands of a match: a match page's queries and one.

    Refuses NOT_FOUND, and SIGN_IN or FORBIDDEN to people who may not submit a record.
    """
    page = match_page(pk, viewer)
    refuse_unless_open(page.may, "submit", viewer)
    match = find_match(pk, viewer)
    return RecorderPage(page, table_of(match, 0).rules, orders_of(match))


def orders_of(match: Match) -> tuple[tuple[str, ...], ...]:
    """Return the ways to sit at a table in playing order, home first: two, or one for two players.

    The dealer is recorded separately, so rotations count as one way.
    """
    sides = match.names
    if sum(map(len, sides)) == PAIRS:
        (first, third), (second, fourth) = sides
        return (first, second, third, fourth), (first, fourth, third, second)
    names = tuple(name for side in sides for name in side)
    return (names,) if len(names) < PAIRS - 1 else (names, (names[0], names[2], names[1]))


def table_of(match: Match, order: int) -> Table:
    """Return the rules and seats of the match. Refuses NOTHING_TO_PLAY, BAD_DRAFT."""
    if match.away is None:
        raise Refusal(Reason.NOTHING_TO_PLAY)
    orders = orders_of(match)
    if not 0 <= order < len(orders):
        raise Refusal(Reason.BAD_DRAFT, text="order")
    tournament = match.tournament
    options = dict(tournament.options)
    if match.boards:
        options = {name: value for name, value in options.items() if name not in LENGTHS}
        options["deals"] = len(match.boards)
    return Table(tournament.ruleset, options, orders[order])


def read_draft(body: bytes) -> Draft:
    """Read a draft; refuses BAD_DRAFT with the name of the faulty part."""
    try:
        document = engine.read_json(body)
    except engine.RecordError as error:
        raise Refusal(Reason.BAD_DRAFT, text=error.reason) from error
    draft = _of(document, dict, "draft")
    hands = _of(draft.get("hands"), list, "hands")
    if len(hands) > MOST_HANDS:
        raise Refusal(Reason.BAD_DRAFT, text="hands")
    at = draft.get("at")
    return Draft(
        _of(draft.get("order"), int, "order"),
        tuple(_parse_hand(_of(hand, dict, "hands")) for hand in hands),
        None if at is None else max(0, _of(at, int, "at")),
    )


def _parse_hand(hand: Mapping[str, Any]) -> Written:
    tokens = _of(hand.get("tokens", []), list, "tokens")
    if len(tokens) > MOST_TOKENS or not all(_is_word(token) for token in tokens):
        raise Refusal(Reason.BAD_DRAFT, text="tokens")
    return Written(
        _of(hand.get("dealer", ""), str, "dealer"),
        _of(hand.get("trump", ""), str, "trump"),
        _cards_by_seat(hand, "deal"),
        _of(hand.get("stock", ""), str, "stock"),
        _cards_by_seat(hand, "rest"),
        tuple(tokens),
    )


def _cards_by_seat(hand: Mapping[str, Any], name: str) -> dict[str, str]:
    by_seat = _of(hand.get(name, {}), dict, name)
    return {seat: _of(cards, str, name) for seat, cards in by_seat.items()}


def _is_word(token: Any) -> bool:
    return isinstance(token, str) and 0 < len(token) < 9 and len(token.split()) == 1


def _of(value: Any, kind: type[Any], name: str) -> Any:
    if not isinstance(value, kind) or (kind is int and isinstance(value, bool)):
        raise Refusal(Reason.BAD_DRAFT, text=name)
    return value


def record_of(match: Match, draft: Draft) -> str | None:
    """Return the record of a draft, the same text every time; ``None`` while it is undecided."""
    table = table_of(match, draft.order)
    followed = follow(table, draft.hands)
    if not followed.is_decided:
        return None
    round_ = match.round
    tags = {
        "event": match.tournament.name,
        "round": str(round_.number),
        "table": str(match.table),
    }
    return json.dumps(table.record(followed.documents, tags=tags), ensure_ascii=False)


def answer(match: Match, draft: Draft) -> dict[str, Any]:
    """Return the state of a draft for the page: the score so far, and what may come next.

    The first ``good`` tokens of the hand ``index`` are legal; ``cursor`` is the current token.
    ``whys`` are the reasons that ``barred`` (seat, then card) points at.
    """
    table = table_of(match, draft.order)
    followed = follow(table, draft.hands, draft.at)
    hand, verdict = followed.hand, followed.verdict
    state: dict[str, Any] = {
        "index": followed.index,
        "done": [
            {"points": dict(done.points or {}), "winner": done.winner} for done in verdict.hands
        ],
        "score": dict(verdict.score or {}),
        "winner": verdict.winner,
        "decided": followed.is_decided,
        "dealers": list(followed.dealers),
        "phase": hand.phase,
        "fits": hand.fits,
        "good": hand.good,
        "cursor": hand.good if draft.at is None else min(draft.at, hand.good),
        "fault": _fault(table, followed),
    }
    if hand.moment is not None:
        state |= _moment(table, hand.moment)
    if hand.phase is Phase.REST and hand.end is not None:
        state["rest"] = _rest(table, hand.end)
    return state


def _moment(table: Table, moment: Moment) -> dict[str, Any]:
    state, seats = moment.state, moment.seats
    whys: list[Why] = []
    barred: dict[str, dict[str, int]] = {}
    for seat in state.players:
        unseen = moment.unseen(seat)
        for card, why in moment.barred[seat].items():
            if card in unseen:
                if why not in whys:
                    whys.append(why)
                barred.setdefault(seats[seat], {})[card] = whys.index(why)
    return {
        "players": [seats[seat] for seat in state.players],
        "turn": None if state.over else seats[state.turn],
        "speaks": seats[state.to_speak[0]] if state.to_speak else None,
        "trick": state.trick,
        "table": [list(played) for played in moment.table],
        "last": [list(played) for played in moment.last],
        "won": moment.won,
        "points": dict(zip(state.rules.sides, state.points, strict=True)),
        "cards": sorted(moment.cards()),
        "calls": list(moment.calls()),
        "known": [seats[n] for n, held in enumerate(state.hands) if held is not None],
        "barred": barred,
        "whys": [_why(table, why) for why in whys],
    }


def _rest(table: Table, end: Moment) -> dict[str, Any]:
    return {
        seat: {
            "count": count,
            "sure": sorted(end.sure[end.seats.index(seat)] - set(end.dealt[end.seats.index(seat)])),
        }
        for seat, count in lacking(table, end).items()
    }


def _fault(table: Table, followed: Followed) -> dict[str, Any] | None:
    """Return the fault of the token at the cursor, or of the hand."""
    if followed.hand.why is not None:
        return _why(table, followed.hand.why) | {"here": followed.hand.good}
    fault = followed.fault
    if fault is None:
        return None
    words = engine.explain(fault, active_language())
    state = {"words": words, "token": fault.token, "trick": fault.trick, "legal": list(fault.legal)}
    return state | {"here": fault.token}


def _why(table: Table, why: Why) -> dict[str, Any]:
    """Return why a card is impossible as text, with the token to go back to and the legal cards."""
    name = table.seats[table.rules.seats.index(why.seat)] if why.seat else ""
    said = engine.explain(why.fault, active_language()) if why.fault else ""
    sentences = {
        DUTY: _("In trick %(trick)s %(name)s played another card. %(words)s"),
        DECLARED: _("%(name)s declared with this card in trick %(trick)s."),
        SHOWN: _("It is the card that %(name)s showed for trumps."),
        TAKEN: _("%(name)s exchanged for this card."),
    }
    words = sentences.get(why.kind, "%(words)s")
    return {
        "words": words % {"trick": why.trick, "name": name, "words": said},
        "token": why.token if why.kind in sentences else None,
        "trick": why.trick,
        "legal": list(why.fault.legal) if why.fault else [],
    }
