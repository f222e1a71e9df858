"""A long history, written quickly: one tournament that was really played, copied in the database.

Every copy is whole: entries, rounds, matches, records, hands, results, ratings, events. Ten
tournaments make a club, whose people are the same in all of them. Numbers of events go on; their
digests are copies, so the chain of a copied club does not prove itself. PostgreSQL only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from collections.abc import Sequence

A_CLUB: Final = 10
"""Tournaments of a club."""

BY_CLUB: Final = ("Club", "AuditCounter", "Player", "Pair", "Membership", "Rating")
BY_TOURNAMENT: Final = (
    "Tournament",
    "Entry",
    "Stage",
    "Round",
    "Match",
    "Record",
    "Hand",
    "Result",
    "AuditEvent",
    "RatedMatch",
    "RatingChange",
)
CHUNK: Final = 50
"""Copies that a statement makes."""


class History:
    """The copies of the rows that are in the database when it is made: one club's tournament."""

    def __init__(self) -> None:
        from tournaments import models

        self.clubs = [getattr(models, name) for name in BY_CLUB]
        self.tournaments = [getattr(models, name) for name in BY_TOURNAMENT]
        self.steps = {model: step_of(model) for model in (*self.clubs, *self.tournaments)}
        first = f"(k % {A_CLUB})"
        self.on = {
            (models.AuditEvent, "sequence"): (first, models.AuditEvent.objects.count()),
            (models.RatedMatch, "number"): ("k", models.RatedMatch.objects.count()),
            (models.RatingChange, "number"): (first, models.RatingChange.objects.count()),
        }
        self.count = 1

    def grow(self, count: int) -> None:
        """Write copies until there are `count` tournaments, and update the planner's statistics."""
        from django.db import connection

        existing_clubs = -(-self.count // A_CLUB)
        needed_clubs = -(-count // A_CLUB)
        with connection.cursor() as cursor:
            for model in self.clubs:
                self.copy(cursor, model, existing_clubs, needed_clubs - 1, by_club=True)
            for first in range(self.count, count, CHUNK):
                last = min(first + CHUNK, count) - 1
                for model in self.tournaments:
                    self.copy(cursor, model, first, last, by_club=False)
            for model in self.steps:
                table, key = model._meta.db_table, model._meta.pk.column
                if key == "id":
                    cursor.execute(
                        f"SELECT setval(pg_get_serial_sequence('{table}', 'id'), "  # noqa: S608
                        f"(SELECT max(id) FROM {table}))"
                    )
            cursor.execute(
                "UPDATE tournaments_auditcounter SET last = top, chained = top FROM (SELECT "
                "club_id AS of, max(sequence) AS top FROM tournaments_auditevent GROUP BY 1) AS t "
                "WHERE club_id = of"
            )
            cursor.execute("VACUUM ANALYZE")
        self.count = count

    def copy(self, cursor: Any, model: Any, first: int, last: int, *, by_club: bool) -> None:
        """Write the copies ``first`` to ``last`` of the rows of a model."""
        if first > last:
            return
        fields = model._meta.concrete_fields
        columns = ", ".join(f'"{field.column}"' for field in fields)
        values = ", ".join(self.value(model, field, by_club=by_club) for field in fields)
        table, key = model._meta.db_table, model._meta.pk.column
        cursor.execute(
            f"INSERT INTO {table} ({columns}) SELECT {values} FROM {table} AS row, "  # noqa: S608
            f"generate_series({first}, {last}) AS k WHERE row.{key} < {self.steps[model]}"
        )

    def value(self, model: Any, field: Any, *, by_club: bool) -> str:
        """Return what a column is in copy ``k``, in SQL."""
        club = "k" if by_club else f"(k / {A_CLUB})"
        column = f'row."{field.column}"'
        about = field.related_model if field.is_relation else None
        if about is None and field.primary_key:
            about = model
        if about in self.steps:
            number = club if about in self.clubs else "k"
            return f"{column} + {number} * {self.steps[about]}"
        if field.column in {"slug", "name", "code"} and model.__name__ in {"Club", "Tournament"}:
            return f"{column} || '-' || k"
        if (model, field.column) in self.on:
            number, many = self.on[model, field.column]
            return f"{column} + {number} * {many}"
        return self.subject(column) if field.column == "subject_pk" else column

    def subject(self, column: str) -> str:
        """Return what the subject of an event is."""
        kinds = " ".join(
            f"WHEN '{model._meta.model_name}' THEN {step} * k"
            for model, step in self.steps.items()
            if model in self.tournaments
        )
        return f"{column} + CASE row.subject_type {kinds} ELSE 0 END"


def step_of(model: Any) -> int:
    """Return a number greater than every key of a model."""
    last: int | None = model.objects.order_by("-pk").values_list("pk", flat=True).first()
    return (last or 0) + 1000


def played(pairs: int, left: int) -> tuple[Any, str, Sequence[Any], list[str]]:
    """Play a tournament of `pairs` pairs, all against all, but for the last ``left`` tables.

    Returns it, a token of its club, the tables that are left, and their records.
    """
    from django.core.management import call_command
    from django.test import Client

    from benchmarks import submissions
    from tournaments.models import Match

    tables = (pairs - 1) * (pairs // 2)
    scopes = ("games:submit", "games:read")
    tournament, token = submissions.prepared(pairs, tables, scopes)
    texts = submissions.records(tournament)
    client = Client(headers={"authorization": f"Bearer {token}"})
    path = f"/api/v1/tournaments/{submissions.SLUG}/records/bulk/"
    for start in range(0, tables - left, submissions.LINES):
        body = "\n".join(texts[start : min(tables - left, start + submissions.LINES)])
        submissions.seconds_of_request(
            client, path, body, "application/x-ndjson", f"played-{start}"
        )
    call_command("rebuild_ratings", verbosity=0)
    matches = Match.objects.filter(round__stage__tournament=tournament)
    open_ = list(matches.order_by("round__number", "table"))[tables - left :]
    return tournament, token, open_, texts[tables - left :]
