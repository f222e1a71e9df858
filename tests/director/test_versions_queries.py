"""What a process has at hand of a version of a tournament."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction

from tests.clubs import NOBODY, SYSTEM, submitted, the_liguilla, the_match
from tests.support.counting import again, count_queries
from tournaments.director.queries import snapshot
from tournaments.director.queries.snapshot import rows_of, tournament_snapshot
from tournaments.director.queries.tournaments import tournament_head
from tournaments.domain.scores import Score
from tournaments.models import Tournament
from tournaments.results.services.matches import correct_result
from tournaments.standings.queries.standings import entry_sums

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def liguilla() -> Tournament:
    """Give the club night with its first match played, and nothing at hand."""
    cache.clear()
    snapshot.cached_snapshots.clear()
    tournament = the_liguilla(published=1)
    submitted(tournament, 0)
    tournament.refresh_from_db()
    return tournament


def points_of(tournament: Tournament) -> list[int]:
    """Return the points that each entry has made, as what is at hand has it."""
    tournament.refresh_from_db()
    tally = tournament_snapshot(tournament).tally(1)
    return [sum(game.points for game in tally.games(n)) for n in tally.ledger.entrants]


def corrected(tournament: Tournament, points: int) -> None:
    """Give the first match another result."""
    match = the_match(tournament, 1, 1)
    correct_result(SYSTEM, match, Score(3, 0, points, 0), reason="Acta del revés.")


def test_one_who_asks_for_the_same_version_gets_what_was_read(liguilla: Tournament) -> None:
    again_ = Tournament.objects.get(pk=liguilla.pk)
    assert tournament_snapshot(liguilla).rows is tournament_snapshot(again_).rows


def test_the_next_version_is_read_again(liguilla: Tournament) -> None:
    before = points_of(liguilla)
    corrected(liguilla, 401)
    assert 401 in points_of(liguilla)
    assert points_of(liguilla) != before


def test_what_a_transaction_undoes_was_never_at_hand(liguilla: Tournament) -> None:
    version = liguilla.version
    with transaction.atomic():
        corrected(liguilla, 401)
        assert 401 in points_of(liguilla)
        transaction.set_rollback(True)
    corrected(liguilla, 402)
    won = points_of(liguilla)
    assert liguilla.version == version + 1
    assert 402 in won
    assert 401 not in won


def test_a_transaction_reads_for_itself(liguilla: Tournament) -> None:
    snapshot = tournament_snapshot(liguilla)
    with transaction.atomic():
        assert tournament_snapshot(liguilla) is not snapshot
    assert tournament_snapshot(liguilla) is snapshot


def test_a_late_reader_of_an_older_version_does_not_displace_the_newer(
    liguilla: Tournament,
) -> None:
    late = Tournament.objects.get(pk=liguilla.pk)
    corrected(liguilla, 401)
    liguilla.refresh_from_db()
    newer = tournament_snapshot(liguilla)
    assert tournament_snapshot(late) is not newer
    assert tournament_snapshot(liguilla) is newer


def test_another_tournament_with_the_same_number_is_another(liguilla: Tournament) -> None:
    snapshot = tournament_snapshot(liguilla)
    other = Tournament.objects.get(pk=liguilla.pk)
    other.created_at = liguilla.created_at.replace(year=2001)
    assert tournament_snapshot(other) is not snapshot
    assert tournament_snapshot(other).tournament is other


def test_only_a_few_tournaments_are_at_hand(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(snapshot, "MAX_CACHED", 2)
    for number in range(1, 4):
        tournament_snapshot(Tournament(pk=number, created_at=liguilla.created_at))
        tournament_snapshot(Tournament(pk=1, created_at=liguilla.created_at))
    assert list(snapshot.cached_snapshots) == [3, 1]


def test_one_reads_a_version_while_the_others_wait_for_it(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    reading, go_on, read = threading.Event(), threading.Event(), list[Any]()
    rows = rows_of(liguilla)

    def slow(*_: object, **__: object) -> Any:
        read.append(rows)
        reading.set()
        assert go_on.wait(60)
        return rows

    monkeypatch.setattr(snapshot, "entries_of", lambda _: ())
    monkeypatch.setattr(snapshot, "rows_of", slow)
    newest, snapshots = tournament_snapshot(liguilla), list[Any]()
    threads = [threading.Thread(target=lambda: snapshots.append(newest.rows)) for _ in range(3)]
    for thread in threads:
        thread.start()
    assert reading.wait(60)
    go_on.set()
    for thread in threads:
        thread.join(60)
    assert snapshots == [rows] * 3
    assert len(read) == 1


def test_a_reading_that_failed_is_tried_again(
    liguilla: Tournament, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(snapshot, "rows_of", lambda *_, **__: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            _ = tournament_snapshot(liguilla).rows
    assert tournament_snapshot(liguilla).rows.entrants


def test_the_sums_of_another_entry_take_the_heads_queries_and_one(liguilla: Tournament) -> None:
    head = count_queries(lambda: tournament_head(liguilla.slug, NOBODY))[1]
    entry_sums(liguilla.slug, 1, NOBODY)
    for number in range(1, 9):
        assert again(lambda number=number: entry_sums(liguilla.slug, number, NOBODY)) <= head + 1  # type: ignore[misc]
