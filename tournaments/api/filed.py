"""The records of a tournament as a list, at the address where they are submitted."""

from __future__ import annotations

from typing import Final

from rest_framework.request import Request

from tournaments.api import filters
from tournaments.api.doors import reads, together
from tournaments.api.pages import PARAMETERS, Page, cut
from tournaments.api.records import submit_anywhere
from tournaments.api.shapes import records as shapes
from tournaments.api.tokens import actor_of
from tournaments.models import Record
from tournaments.queries.records import FiledRow, records_after

NARROWED: Final = (
    filters.one_of("state", Record.State.values, "Those in this state alone."),
    filters.one_of("source", Record.Source.values, "Those that came by this door alone."),
    filters.number("round", "Those of this round alone."),
)


@reads(
    shapes.FiledRecords,
    tag="records",
    name="list_records",
    parameters=(*PARAMETERS, *filters.described(NARROWED)),
)
def listed(request: Request, slug: str) -> Page[FiledRow]:
    """The records of a tournament, without their texts, in the order in which they came.

    Everybody sees those that count or once did. Refused and contested ones need a token with the
    scope `games:read` of a member of the club; players find their own at their matches.
    """
    viewer, said = actor_of(request), filters.wanted(request, NARROWED)

    def fetch(after: str, count: int) -> tuple[FiledRow, ...]:
        return records_after(slug, int(after or 0), count, viewer, said)

    return cut(request, fetch, lambda row: str(row.record.pk))


records = together(listed, submit_anywhere)
