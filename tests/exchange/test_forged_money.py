"""What records, money, tickets, prizes, seasons and merges say, changed with SQL, is named."""

import hashlib
import io
import json
from collections.abc import Callable

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from tests.audited import assert_history_is_complete
from tests.clubs import SYSTEM, arbiter, organiser, user
from tests.exchange.test_forged_rows import sql, two_rounds_recorded
from tests.signup.test_signing_up import a_posted, ask, own
from tests.support.scene_rows import reuse_rows
from tournaments.domain.trail.rows import PRIVATE, content_digest
from tournaments.exchange.queries.contradictions import NOT_COMPARED, check_tournament
from tournaments.exchange.queries.trails import check_club_rows
from tournaments.exchange.services.checkpoints import write_checkpoint
from tournaments.models import (
    AuditEvent,
    CashEntry,
    Player,
    Record,
    Season,
    SignUpPerson,
    SignUpRequest,
    Tournament,
)
from tournaments.people.services.clubs import import_players
from tournaments.profiles.services.erasing import erase_player, erase_sign_up
from tournaments.profiles.services.merging import merge_player, separate_player
from tournaments.signup.services.closing import close_sign_up
from tournaments.signup.services.money import pay, reverse
from tournaments.signup.services.requests import (
    change_name,
    change_request,
    join,
    leave,
    part,
    set_sign_up,
    take_off,
)
from tournaments.standings.services.prizes import NewPrize, set_prizes, set_season_prizes
from tournaments.standings.services.seasons import add_tournament, create_season, set_season_rules

pytestmark = pytest.mark.django_db


@reuse_rows({}, {"entered": False})
def with_money(entered: bool = True) -> Tournament:
    """A posted tournament with tickets, cash and prizes, in a season; a player is merged."""
    tournament = a_posted(places=4, fee_cents=2000, singles=True)
    named = (("Ana Gil", "Luis Sanz"), ("Marta Sol", "Pedro Cano"), ("Inés Rey", "Juan Polo"))
    first, second, third = (ask(tournament, *names) for names in named)
    pay(SYSTEM, first, note="en mano")
    reverse(SYSTEM, pay(SYSTEM, second), "era de otro")
    change_name(own(third), third, 1, "Irene Rey")
    leave(own(third), third)
    single, other = ask(tournament, "Eva"), ask(tournament, "Rosa")
    join(SYSTEM, single, other)
    lines = [NewPrize(1, 1, cents=24000), NewPrize(2, 2, text="Un jamón")]
    set_prizes(SYSTEM, tournament, lines)
    season = create_season(SYSTEM, tournament.club, name="Temporada")
    add_tournament(SYSTEM, season, tournament)
    set_season_prizes(SYSTEM, season, [NewPrize(1, 1, text="Una copa")])
    if entered:
        close_sign_up(SYSTEM, tournament)
    import_players(SYSTEM, tournament.club, "id,nombre\nX1,Ana Uno\nX2,Ana Dos\n")
    ana, again = (Player.objects.get(code=code) for code in ("X1", "X2"))
    merge_player(SYSTEM, again, ana)
    write_checkpoint(tournament.club_id)
    assert_history_is_complete()
    return tournament


def other_seats(change: Callable[[list[str]], list[str]]) -> Callable[[], None]:
    """Return what changes the names at the seats in the text of a record."""

    def forge() -> None:
        record = Record.objects.filter(state="accepted").earliest("pk")
        document = json.loads(record.text)
        document["seats"] = change(document["seats"])
        text = json.dumps(document, ensure_ascii=False)
        assert text != record.text
        sql("UPDATE tournaments_record SET text = %s WHERE id = %s", text, record.pk)

    return forge


def text_and_hash() -> None:
    """Change a name in a text, and its hash with it."""
    other_seats(lambda seats: ["Nadie", *seats[1:]])()
    for record in Record.objects.all():
        Record.objects.filter(pk=record.pk).update(sha256=_hash(record.text))


def _hash(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


RECORDS: dict[str, tuple[Callable[[], None], tuple[str, str]]] = {
    "another name": (
        other_seats(lambda seats: ["Nadie", *seats[1:]]),
        ("record_text", "record"),
    ),
    "partners exchanged": (
        other_seats(lambda seats: [seats[2], seats[1], seats[0], seats[3]]),
        ("record_text", "record"),
    ),
    "seats turned": (
        other_seats(lambda seats: [*seats[1:], seats[0]]),
        ("record_text", "record"),
    ),
    "text and hash": (text_and_hash, ("row_changed", "record")),
    "hash alone": (
        lambda: sql("UPDATE tournaments_record SET sha256 = %s", "ab" * 32),
        ("row_changed", "record"),
    ),
}


@pytest.mark.parametrize("forged", RECORDS)
def test_what_a_record_says_is_bound_to_its_event(forged: str) -> None:
    tournament = two_rounds_recorded()
    forge, expected = RECORDS[forged]
    forge()
    assert expected in {(fault.code, fault.kind) for fault in check_tournament(tournament).faults}
    with pytest.raises(CommandError):
        call_command("audit", stdout=io.StringIO())


CASH = "tournament_id, payee, kind, cents, note, made_by, made_at"
IN_HAND = "FROM tournaments_cashentry WHERE note = 'en mano'"
MERGE = "UPDATE tournaments_player SET same_as_id = (SELECT MIN(id) FROM tournaments_player)"

FORGED: dict[str, tuple[str, str | tuple[str, str]]] = {
    "cash: amount": ("UPDATE tournaments_cashentry SET cents = 5", ("row_changed", "cashentry")),
    "cash: note": ("UPDATE tournaments_cashentry SET note = 'x'", ("row_changed", "cashentry")),
    "cash: ticket": (
        "UPDATE tournaments_cashentry SET request_id = NULL",
        ("row_changed", "cashentry"),
    ),
    "cash: line gone": (
        "DELETE FROM tournaments_cashentry WHERE note = 'en mano'",
        ("row_missing", "cashentry"),
    ),
    "cash: one more line": (
        f"INSERT INTO tournaments_cashentry ({CASH}) SELECT {CASH} {IN_HAND}",
        ("row_unknown", "cashentry"),
    ),
    "ticket: number": (
        "UPDATE tournaments_signuprequest SET ticket = ticket + 1000",
        ("row_changed", "signuprequest"),
    ),
    "ticket: fee": (
        "UPDATE tournaments_signuprequest SET due_cents = 1",
        ("row_changed", "signuprequest"),
    ),
    "ticket: on the list again": (
        "UPDATE tournaments_signuprequest SET left_at = NULL",
        ("row_changed", "signuprequest"),
    ),
    "ticket: parted": (
        "UPDATE tournaments_signuprequest SET joined_id = NULL",
        ("row_changed", "signuprequest"),
    ),
    "ticket: where from": (
        "UPDATE tournaments_signuprequest SET origin = 'Bar'",
        ("row_changed", "signuprequest"),
    ),
    "ticket: place in a source": (
        "UPDATE tournaments_signuprequest SET source_place = 1",
        ("row_changed", "signuprequest"),
    ),
    "ticket: which player": (
        "UPDATE tournaments_signupperson SET player_id = (SELECT min(id) FROM tournaments_player)",
        ("row_changed", "signupperson"),
    ),
    "ticket: person": (
        "UPDATE tournaments_signupperson SET name = 'Nadie'",
        ("row_changed", "signupperson"),
    ),
    "ticket: contact": (
        "UPDATE tournaments_signuprequest SET contact = '600'",
        "codes and contacts of its tickets",
    ),
    "sign-up: places": ("UPDATE tournaments_signup SET places = 2", "settings and links"),
    "prize: amount": (
        "UPDATE tournaments_prizeline SET cents = 240000 WHERE cents IS NOT NULL",
        ("row_changed", "prizeline"),
    ),
    "prize: goods": (
        "UPDATE tournaments_prizeline SET text = 'Nada' WHERE tournament_id IS NOT NULL",
        ("row_changed", "prizeline"),
    ),
    "prize: gone": (
        "DELETE FROM tournaments_prizeline WHERE tournament_id IS NOT NULL",
        ("row_missing", "prizeline"),
    ),
    "prize: scale": (
        "UPDATE tournaments_tournament SET prizes_meant_for = 4",
        "how amounts of prizes follow",
    ),
    "season: weight": (
        "UPDATE tournaments_seasonevent SET weight = 7",
        ("row_changed", "seasonevent"),
    ),
    "season: tournament gone": (
        "DELETE FROM tournaments_seasonevent",
        ("row_missing", "seasonevent"),
    ),
    "season: rules": ("UPDATE tournaments_season SET best = 3", ("row_changed", "season")),
    "season: name": ("UPDATE tournaments_season SET name = 'Otra'", ("row_changed", "season")),
    "season: prize": (
        "UPDATE tournaments_prizeline SET text = 'Nada' WHERE season_id IS NOT NULL",
        ("row_changed", "prizeline"),
    ),
    "season: closed": (
        "UPDATE tournaments_season SET state = 'closed', closed_at = created_at",
        "whether a season is closed",
    ),
    "merge: undone": (
        "UPDATE tournaments_player SET same_as_id = NULL",
        ("row_missing", "player"),
    ),
    "merge: into another": (
        f"{MERGE} WHERE same_as_id IS NOT NULL",
        ("row_changed", "player"),
    ),
    "merge: one more": (
        f"{MERGE} WHERE code = 'X1'",
        ("row_unknown", "player"),
    ),
    "pair: name": (
        "UPDATE tournaments_pair SET name = 'Otros', folded = 'otros' WHERE code = 'P001'",
        "names of pairs",
    ),
    "tournament: options": (
        "UPDATE tournaments_tournament SET options = '{\"to\": 2}'",
        ("row_changed", "tournament"),
    ),
    "tournament: state": (
        "UPDATE tournaments_tournament SET state = 'finished'",
        "state, visibility and terms",
    ),
    "tournament: visibility": (
        "UPDATE tournaments_tournament SET visibility = 'private'",
        "state, visibility and terms",
    ),
}


@pytest.mark.parametrize("forged", FORGED)
def test_what_is_forged_is_named_or_listed_as_not_compared(forged: str) -> None:
    tournament = with_money()
    statement, expected = FORGED[forged]
    sql(statement)
    tournament.refresh_from_db()
    faults = (*check_tournament(tournament).faults, *check_club_rows(tournament.club))
    named = {(fault.code, fault.kind) for fault in faults}
    output = io.StringIO()
    if isinstance(expected, str):
        assert named == set()
        assert any(expected in line for line in NOT_COMPARED)
        return
    assert named == {expected}
    with pytest.raises(CommandError):
        call_command("audit_verify", stdout=output)
    assert faults[0].words() in output.getvalue()


def test_what_the_service_changes_erases_and_merges_names_nothing() -> None:
    tournament = with_money(entered=False)
    club = tournament.club
    single = SignUpRequest.objects.get(people__name="Eva")
    change_request(SYSTEM, single, {"names": ("Eva Pons", "Rosa Gil"), "origin": "Bar Sol"})
    part(SYSTEM, single)
    late = ask(tournament, "Lola Gil", "Nuria Cano")
    change_request(SYSTEM, late, {"names": ("Lola Gil",)})
    take_off(SYSTEM, late, "no viene")
    set_sign_up(SYSTEM, tournament, {"fee_cents": 2500}, moves_due=True)
    set_prizes(SYSTEM, tournament, [NewPrize(2, 2, text="Un jamón"), NewPrize(1, 1, cents=5000)])
    season = Season.objects.get()
    set_season_rules(SYSTEM, season, best=2)
    set_season_prizes(SYSTEM, season, [])
    separate_player(SYSTEM, Player.objects.get(code="X2"))
    close_sign_up(SYSTEM, tournament)
    assert_history_is_complete()
    erase_sign_up(organiser(club), SignUpRequest.objects.get(people__name="Irene Rey"))
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    erase_player(organiser(club), Player.objects.get(name="Ana Gil"))
    merge_player(SYSTEM, Player.objects.get(code="X2"), Player.objects.get(code="X1"))
    assert_history_is_complete()


def test_a_redacted_record_is_compared_too() -> None:
    tournament = two_rounds_recorded()
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    record = Record.objects.filter(state="accepted").earliest("pk")
    erased, *_others = json.loads(record.text)["seats"]
    erase_player(organiser(tournament.club), Player.objects.get(name=erased))
    assert_history_is_complete()
    text_and_hash()
    faults = {(fault.code, fault.kind) for fault in check_tournament(tournament).faults}
    assert faults == {("row_changed", "record")}


def test_a_members_trail_of_a_tournament_has_no_digest_of_cash_or_tickets() -> None:
    """Neither of a row as it is, nor of an event that states it, nor of its redaction."""
    tournament = with_money()
    boss = organiser(tournament.club)
    pay(boss, SignUpRequest.objects.get(ticket=2))
    erase_sign_up(boss, SignUpRequest.objects.get(people__name="Irene Rey"))
    Tournament.objects.filter(pk=tournament.pk).update(state="finished")
    erase_player(boss, Player.objects.get(name="Ana Gil"), also=["olga"])
    stated = AuditEvent.objects.filter(tournament=None, subject_type="tournament")
    assert stated.filter(verb="audit.stated").exists()
    assert stated.filter(salt="").exists()
    arbiter(tournament.club)
    client = Client()
    client.force_login(user("alberto"))
    answer = client.get(f"/api/v1/tournaments/{tournament.slug}/trail/")
    trail = b"".join(answer).decode()
    shown = [json.loads(line).get("event", {}) for line in trail.splitlines()]
    for kind in PRIVATE:
        assert f'"{kind}"' not in trail
    for model in (CashEntry, SignUpRequest, SignUpPerson):
        for row in model.objects.all():
            assert content_digest(str(model._meta.model_name), row) not in trail
    digests = {
        digest
        for facts in stated.values_list("facts", flat=True)
        for rows in facts["rows"].values()
        for row in rows
        for digest in (row[1], row[-1])
        if len(row) > 1 and digest
    }
    assert digests
    assert not [digest for digest in digests if digest in trail]
    redacted = set(stated.filter(salt="").values_list("sequence", flat=True))
    covered = [
        number
        for event in shown
        if event.get("verb") == "audit.redacted"
        for number, _ in event["facts"]["events"]
    ]
    assert redacted.isdisjoint(covered)
