"""Endpoints of the money of a tournament, for its staff."""

from typing import Any

from rest_framework.request import Request

from tournaments.core.api.requests import actor_of
from tournaments.core.api.views import Data, read_view
from tournaments.core.find import find_tournament, not_found_unless, or_404
from tournaments.core.permissions import Actor, Scope, may_arbitrate, refuse_unless
from tournaments.director.api.directing import action_on, on_tournament
from tournaments.models import CashEntry, Tournament
from tournaments.signup import serializers
from tournaments.signup.queries.money import find_payer, money_page
from tournaments.signup.queries.places import balance_of
from tournaments.signup.services import money as services
from tournaments.signup.services.money import Payer


@read_view(serializers.Money, tag="organising", name="read_money", scope=Scope.MANAGE)
def read_money(request: Request, slug: str) -> dict[str, Any]:
    """What was taken, by day, who owes what, what is to be returned, and every line.

    Needs a token with the scope `tournaments:manage` of an organiser or arbiter.
    """
    actor = actor_of(request)
    not_found_unless(may_arbitrate(actor, find_tournament(slug, actor).club))
    page = money_page(slug, actor)
    return {
        "totals": page.totals,
        "owed": page.owed,
        "to_return": page.to_return,
        "days": [{"day": day, "totals": totals} for day, totals in page.days],
        "payers": page.payers,
        "lines": page.lines,
    }


def _payer(actor: Actor, data: Data, tournament: Tournament) -> Payer:
    """Return the request or entry of a body; refuses those who may not note money first."""
    refuse_unless(may_arbitrate(actor, tournament.club), actor)
    kind = "ticket" if "ticket" in data else "entry"
    return find_payer(tournament, kind, data.get(kind, 0))


def _money_answer(line: CashEntry) -> Data:
    """Return what is answered of a line: its number, and what the one who paid owes now."""
    payer = line.request
    balance = None if payer is None else serializers.Balance(balance_of(payer)).data
    return {"line": line.pk, "ticket": payer.ticket if payer else 0, "balance": balance}


@on_tournament(serializers.Payment, name="pay", answer=serializers.NotedMoney)
def pay(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Note what was paid; without `cents` all that is owed. More than is owed can be paid."""
    payer = _payer(actor, data, tournament)
    note, shown = data.get("note", ""), data.get("shown")
    return _money_answer(services.pay(actor, payer, data.get("cents"), note, shown=shown))


@on_tournament(serializers.Payment, name="refund", answer=serializers.NotedMoney)
def refund(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Note what was returned; without `cents` what is to be returned, or else all of it."""
    payer = _payer(actor, data, tournament)
    note, shown = data.get("note", ""), data.get("shown")
    return _money_answer(services.refund(actor, payer, data.get("cents"), note, shown=shown))


@on_tournament(serializers.Waiver, name="waive", answer=serializers.NotedMoney)
def waive(actor: Actor, data: Data, tournament: Tournament) -> Data:
    """Note that a fee need not be paid, or only a part, with the reason as `note`."""
    payer, shown = _payer(actor, data, tournament), data.get("shown")
    return _money_answer(services.waive(actor, payer, data["note"], data.get("cents"), shown=shown))


def find_line(slug: str, line: int, viewer: Actor) -> CashEntry:
    """Return a line of a cash book; refuses those who may not note money."""
    tournament = find_tournament(slug, viewer)
    refuse_unless(may_arbitrate(viewer, tournament.club), viewer)
    lines = CashEntry.objects.select_related("tournament__club")
    return or_404(lines.filter(tournament=tournament, pk=line).first())


on_line = action_on(find_line, ("slug", "line"), lambda line: line.tournament)


@on_line(serializers.Reversal, name="reverse", answer=serializers.NotedMoney)
def reverse(actor: Actor, data: Data, line: CashEntry) -> Data:
    """Add the line that reverses another: its kind and the opposite amount."""
    return _money_answer(services.reverse(actor, line, data.get("note", "")))
