"""Sets the prizes of a tournament or season, and notes what was handed out and taken back."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, Final

from django.db import transaction
from django.utils.translation import gettext

from tournaments.core.audit import Deleted, write_event, write_tournament_event
from tournaments.core.errors import Reason, Refusal
from tournaments.core.find import lock_tournament, not_found_unless
from tournaments.core.names import validate_name, validate_remark
from tournaments.core.permissions import Actor, may_arbitrate, may_manage, refuse_unless
from tournaments.director.queries.state import refuse_closed, tournament_facts
from tournaments.models import CashEntry, Entry, PrizeLine, Season, Tournament
from tournaments.models.tournaments import MAX_LINE_LENGTH
from tournaments.signup.queries.places import seats_of
from tournaments.signup.services.money import request_of_entry, store_reversal
from tournaments.signup.services.requests import MAX_CENTS
from tournaments.standings.queries.prizes import CeremonyRow, ceremony_rows, prize_list
from tournaments.standings.services.seasons import MAX_RESULTS, lock_season

MAX_LINES: Final = 60
"""Lines of a list of prizes, at most; chosen: an A4 poster has no room for more."""

MAX_PLACE: Final = 999
"""The last place that can have a prize."""

UNITS: Final = (100, 500, 1000)
"""Units to which amounts are rounded down, in cents."""


@dataclass(frozen=True, slots=True)
class NewPrize:
    """A line of a list of prizes (`PrizeLine`)."""

    first: int
    last: int
    stage: int | None = None
    per: str = PrizeLine.Per.ENTRY.value
    cents: int | None = None
    percent: int | None = None
    times: int = 0
    raffled: bool = False
    text: str = ""


# --- The list -------------------------------------------------------------------------------------


@transaction.atomic
def set_prizes(
    actor: Actor,
    tournament: Tournament,
    lines: Sequence[NewPrize],
    *,
    meant_for: int | None = None,
    scale_up: bool = False,
    unit: int = UNITS[0],
) -> Tournament:
    """Set the list of prizes of a tournament, in its order; sent again it changes nothing.

    Amounts meant for ``meant_for`` entries become smaller with fewer and with ``scale_up`` larger
    with more, in steps of ``unit`` cents. A line of which something was handed out stays.
    Refuses FORBIDDEN, BAD_PRIZE, PRIZE_HANDED_OUT, BAD_REASON.
    """
    refuse_unless(may_manage(actor, tournament.club), actor)
    tournament = lock_tournament(tournament)
    refuse_closed("set_prizes", tournament_facts(tournament))
    if unit not in UNITS or not 1 <= (meant_for or 1) <= MAX_PLACE:
        raise Refusal(Reason.BAD_PRIZE, why=gettext("entries or unit are out of range"))
    if any(line.times for line in lines):
        raise Refusal(Reason.BAD_PRIZE, why=gettext("only in a season one comes several times"))
    stages = frozenset(tournament.stages.values_list("number", flat=True))
    lines = _clean(lines, stages, seats_of(tournament))
    before = (tournament.prizes_meant_for, tournament.prizes_scale_up, tournament.prizes_unit)
    if before == (meant_for, scale_up, unit) and _is_stored({"tournament": tournament}, lines):
        return tournament
    tournament.prizes_meant_for = meant_for
    tournament.prizes_scale_up, tournament.prizes_unit = scale_up, unit
    tournament.save(update_fields=["prizes_meant_for", "prizes_scale_up", "prizes_unit"])
    rows = _replace({"tournament": tournament}, lines)
    facts: dict[str, Any] = {"meant_for": meant_for, "scale_up": scale_up, "unit": unit}
    facts["lines"] = [asdict(line) for line in lines]
    write_tournament_event(actor, "prizes.set", tournament, tournament, **facts, rows=rows)
    return tournament


@transaction.atomic
def set_season_prizes(actor: Actor, season: Season, lines: Sequence[NewPrize]) -> Season:
    """Set the list of prizes of a season, by place in its table; sent again it changes nothing.

    Refuses FORBIDDEN, SEASON_CLOSED, BAD_PRIZE, BAD_REASON.
    """
    season = lock_season(actor, season, "set_prizes")
    if any(line.raffled for line in lines):
        raise Refusal(Reason.BAD_PRIZE, why=gettext("only a tournament knows who is present"))
    if any(line.percent or line.stage for line in lines):
        raise Refusal(Reason.BAD_PRIZE, why=gettext("a season has no takings and no stages"))
    lines = _clean(lines, frozenset(), seats=1)
    if _is_stored({"season": season}, lines):
        return season
    rows = _replace({"season": season}, lines)
    facts: dict[str, Any] = {"lines": [asdict(line) for line in lines], "rows": rows}
    write_event(actor, "season.prizes_set", season, club=season.club, **facts)
    return season


def _clean(lines: Sequence[NewPrize], stages: frozenset[int], seats: int) -> list[NewPrize]:
    """Return the lines as they are stored. Refuses BAD_PRIZE, BAD_REASON."""
    if len(lines) > MAX_LINES:
        raise Refusal(Reason.BAD_PRIZE, why=gettext("it has too many lines"))
    cleaned = []
    for number, line in enumerate(lines, 1):
        text = " ".join(validate_remark(line.text).split())
        values = asdict(line) | {"text": text, "per": str(line.per), "cents": line.cents or None}
        cleaned.append(NewPrize(**values))
        if (fault := _fault(cleaned[-1], stages)) is not None:
            why = gettext("line %(number)d: %(fault)s") % {"number": number, "fault": fault}
            raise Refusal(Reason.BAD_PRIZE, why=why)
    shares = sum((line.percent or 0) * _count(line, seats) for line in cleaned)
    if shares > 100:
        raise Refusal(Reason.BAD_PRIZE, why=gettext("it gives more than 100 per cent"))
    return cleaned


def _count(line: NewPrize, seats: int) -> int:
    people = seats if line.per == PrizeLine.Per.PERSON else 1
    return (line.last - line.first + 1) * people


def _fault(line: NewPrize, stages: frozenset[int]) -> str | None:
    """Return why a line cannot be used, if so."""
    is_for_all = line.first == line.last == 0
    is_money = line.cents is not None or line.percent is not None
    if not is_for_all and not 1 <= line.first <= line.last <= MAX_PLACE:
        return gettext("the places are not in order")
    if line.stage is not None and line.stage not in stages:
        return gettext("there is no such stage")
    if line.cents is not None and not 1 <= line.cents <= MAX_CENTS:
        return gettext("the amount is out of range")
    if line.percent is not None and (line.cents is not None or not 1 <= line.percent <= 100):
        return gettext("it is an amount, or 1 to 100 per cent")
    if not is_money and not line.text:
        return gettext("it names no prize")
    if line.raffled and (not is_for_all or is_money or line.stage is not None):
        return gettext("what is raffled is goods, without a place")
    if is_for_all and is_money:
        return gettext("what everybody gets is goods, and no money")
    if not 0 <= line.times <= MAX_RESULTS or (line.times and not is_for_all):
        return gettext("who came so many times gets it without a place")
    if line.per not in PrizeLine.Per.values or len(line.text) > MAX_LINE_LENGTH:
        return gettext("the text is too long, or who gets it is unknown")
    return None


def _is_stored(owner: dict[str, Tournament | Season], lines: Sequence[NewPrize]) -> bool:
    names = [field.name for field in fields(NewPrize)]
    stored = PrizeLine.objects.filter(**owner).order_by("order").values_list(*names)
    return list(stored) == [astuple(line) for line in lines]


def _replace(
    owner: dict[str, Tournament | Season], lines: Iterable[NewPrize]
) -> list[PrizeLine | Deleted]:
    """Store a list in place of the one before; equal lines keep their rows, which cash names.

    Returns the rows that were written and those that were deleted.
    """
    rows = list(PrizeLine.objects.filter(**owner))
    changed: list[PrizeLine | Deleted] = []
    for order, line in enumerate(lines, 1):
        values = asdict(line)
        same = (row for row in rows if all(getattr(row, k) == v for k, v in values.items()))
        row = next(same, None)
        if row is None:
            changed.append(PrizeLine.objects.create(**owner, **values, order=order))
            continue
        rows.remove(row)
        if row.order != order:
            row.order = order
            row.save(update_fields=["order"])
            changed.append(row)
    for row in rows:
        if row.cash_entries.exists():
            text = row.text or f"{row.first}–{row.last}"
            raise Refusal(Reason.PRIZE_HANDED_OUT, text=text)
        changed.append(Deleted("prizeline", row.pk))
        row.delete()
    return changed


# --- The ceremony ---------------------------------------------------------------------------------


@transaction.atomic
def hand_out(
    actor: Actor, entry: Entry, *, cents: int, stage: int | None = None, payee: str = ""
) -> tuple[CashEntry, ...]:
    """Note that an entry was given what is left of its prize, to ``payee`` (empty: to the entry).

    ``stage`` is that of a prize for places of a stage. ``cents`` is the money that was shown as
    left: one row notes it, and one each goods; a result that was corrected meanwhile refuses it.
    Refuses FORBIDDEN, PRIZE_CHANGED, BAD_NAME.
    """
    refuse_unless(may_arbitrate(actor, entry.tournament.club), actor)
    payee = validate_name(payee) if payee.strip() else ""
    tournament = lock_tournament(entry.tournament)
    refuse_closed("hand_out", tournament_facts(tournament))
    rows = ceremony_rows(tournament, prize_list(tournament))
    keyed = {(row.recipient.number, row.recipient.stage): row for row in rows}
    row = keyed.get((entry.number, stage))
    if row is None or not row.is_open or row.cents_left != cents:
        raise Refusal(Reason.PRIZE_CHANGED, text=entry.shown_name)
    request = request_of_entry(actor, entry)
    given = [
        CashEntry.objects.create(
            tournament=tournament,
            request=request,
            prize_id=line,
            payee=payee or entry.shown_name,
            kind=CashEntry.Kind.PRIZE,
            cents=-amount,
            made_by=actor.label,
        )
        for line, amount in _rows_of(row)
    ]
    write_tournament_event(
        actor,
        "prize.handed_out",
        tournament,
        tournament,
        ticket=request.ticket,
        place=row.recipient.place,
        rows=given,
    )
    return tuple(given)


def _rows_of(row: CeremonyRow) -> list[tuple[int, int]]:
    """Return the line and amount of each row of the cash book: the money left, and goods."""
    goods = [(line, 0) for line, _text in row.goods_left]
    if row.cents_left <= 0:
        return goods
    return [(row.recipient.money_line, row.cents_left), *goods]


@transaction.atomic
def take_back(actor: Actor, note: CashEntry) -> CashEntry:
    """Reverse the note that something was handed out, by a second row.

    Refuses FORBIDDEN, NOT_FOUND, ALREADY_TAKEN_BACK.
    """
    refuse_unless(may_arbitrate(actor, note.tournament.club), actor)
    tournament = lock_tournament(note.tournament)
    refuse_closed("take_back", tournament_facts(tournament))
    is_note = note.kind == CashEntry.Kind.PRIZE and note.reverses_id is None
    not_found_unless(is_note)
    if CashEntry.objects.filter(reverses=note).exists():
        raise Refusal(Reason.ALREADY_TAKEN_BACK)
    reversal = store_reversal(actor, note)
    ticket = None if note.request is None else note.request.ticket
    write_tournament_event(
        actor, "prize.taken_back", tournament, tournament, ticket=ticket, rows=[reversal]
    )
    return reversal
