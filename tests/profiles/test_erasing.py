"""A player is erased: the name is nowhere, and nothing else has changed."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from typing import TYPE_CHECKING

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.db import connection
from django.urls import reverse

from tests.audited import assert_history_is_complete
from tests.clubs import (
    SYSTEM,
    a_club,
    a_draft,
    arbiter,
    club_night_lines,
    csv,
    link_player,
    organiser,
    the_match,
    the_round,
    user,
)
from tests.results.test_concurrency import at_once
from tests.support.refusals import refusal
from tests.support.scene_rows import reuse_rows
from tournaments.accounts.services.accounts import store_unconfirmed_address
from tournaments.accounts.services.invitations import invite, issue_token
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.snapshot import rows_of
from tournaments.director.services.absences import withdraw
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.restore_points import store_restore_point
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain import verification
from tournaments.domain.file.proofs import bundle_from_bytes
from tournaments.exchange.queries.exports import export_of
from tournaments.exchange.queries.proofs import proof_file
from tournaments.exchange.queries.trails import check_club, installation_key, trail_of_club
from tournaments.exchange.services.imports import import_tournament
from tournaments.models import (
    AuditEvent,
    Club,
    Entry,
    Erasure,
    Pair,
    Player,
    Rating,
    Record,
    Tournament,
)
from tournaments.people.services.clubs import import_pairs, import_players
from tournaments.profiles.services.erasing import (
    erase_account,
    erase_player,
    erasure_list,
    list_path,
    read_list,
    repeat_erasures,
    write_list,
)
from tournaments.ratings.services import rebuild_ratings
from tournaments.results.services.matches import dispute_result
from tournaments.results.services.submit import submit_record, submit_to_tournament
from tournaments.standings.queries.standings import standings_page

if TYPE_CHECKING:
    from pathlib import Path

    from django.test import Client

pytestmark = pytest.mark.django_db

NAME = "Xylóphana Žižkov"
PAIR = "Žižkov y compañía"
TOKEN = 'name="csrfmiddlewaretoken"'
WORDS = ("xyl", "ophana", "zizkov", "ižkov", "phana", "\\u017e")
ROUNDS = 2


def planted(text: str) -> str:
    """The club night with a player of an unusual name in it."""
    return text.replace("Pilar Martínez", NAME).replace("Las Cuarenta", PAIR)


def the_night() -> Tournament:
    """Two rounds of the club night, and all kinds of rows in which a name can stand."""
    club = a_club()
    tournament = a_draft(club)
    players = planted(csv("players.csv").decode()).encode()
    import_entries(SYSTEM, tournament, players, planted(csv("pairs.csv").decode()).encode())
    draw(SYSTEM, tournament)
    for number in range(1, ROUNDS + 1):
        publish_round(SYSTEM, the_round(tournament, number))
        for line in club_night_lines()[4 * (number - 1) : 4 * number]:
            submission_outcome = submit_to_tournament(SYSTEM, tournament, planted(line))
            assert submission_outcome.outcome == "accepted"
        if number == 1:
            close_round(SYSTEM, the_round(tournament, 1))
    return Tournament.objects.get(pk=tournament.pk)


def name_everywhere(tournament: Tournament) -> None:
    """Name the player in evidence, reasons, restore points, invitations and in the history."""
    match = the_match(tournament, 2, 1)
    wrong = json.loads(planted(club_night_lines()[4]))
    wrong["seats"] = [NAME, "Nadie", "Ninguno", "Otro"]
    wrong["tags"] = {"event": f"a casa de {NAME.upper()}"}
    for indent in (None, 1):  # two texts that are one when the name is out of them
        text = json.dumps(wrong, ensure_ascii=indent is None, indent=indent)
        assert submit_record(SYSTEM, match, text, idempotency_key=f"k{indent}").record is not None
    assert submit_record(SYSTEM, match, f"{{}} {NAME}").record is None
    dispute_result(SYSTEM, match, reason=f"{NAME.casefold()} no estaba")
    store_restore_point(SYSTEM, tournament, "round.drawn", 3)
    player = Player.objects.get(name=NAME)
    invite(organiser(tournament.club), tournament.club, role="player", player=player, note=NAME)


def over(tournament: Tournament) -> Tournament:
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.FINISHED)
    return Tournament.objects.get(pk=tournament.pk)


def dump() -> str:
    """Every row of every table, as text."""
    tables = connection.introspection.table_names()
    quote = connection.ops.quote_name
    texts = []
    with connection.cursor() as cursor:
        for table in tables:
            cursor.execute(f"SELECT * FROM {quote(table)}")  # noqa: S608 - names of tables
            texts += [f"{table}: {row!r}" for row in cursor.fetchall()]
    return "\n".join(texts)


def lines_with(text: str, *words: str) -> list[str]:
    """The lines that hold one of the words, in whatever case, but for what chance has written."""
    lowered = [word.casefold() for word in words or WORDS]
    lines = (line for line in text.splitlines() if TOKEN not in line)
    return [line for line in lines if any(w in line.casefold() for w in lowered)]


def holds(club: Club) -> bool:
    assert_history_is_complete()
    return check_club(club, {installation_key()}).holds


@pytest.fixture
def night() -> Tournament:
    return the_night_is_over()


@reuse_rows()
def the_night_is_over() -> Tournament:
    tournament = the_night()
    name_everywhere(tournament)
    return over(tournament)


def the_player() -> Player:
    return Player.objects.select_related("club").get(code="J01")


def test_the_name_of_an_erased_player_is_in_no_table(night: Tournament) -> None:
    assert len(lines_with(dump())) > 10
    erase_player(organiser(night.club), the_player())
    assert lines_with(dump()) == []
    assert the_player().name == f"NN {Erasure.objects.get().number}"


def test_what_was_played_is_the_same_to_the_last_byte_but_for_the_name(night: Tournament) -> None:
    rebuild_ratings(night.ruleset)
    before = repr(standings_page(night.slug, SYSTEM).groups)
    rows, ratings = rows_of(night), list(Rating.objects.values("player", "mu", "variance"))
    digests = list(Record.objects.accepted().values_list("pk", "digest", "home_side"))
    player = erase_player(organiser(night.club), the_player())
    pair = Entry.objects.get(pair__first=player).name
    assert pair == f"{player.name} y compañía"
    after = repr(standings_page(night.slug, SYSTEM).groups)
    assert after == before.replace(PAIR, pair).replace(NAME, player.name)
    assert rows_of(night).stages == rows.stages
    rebuild_ratings(night.ruleset)
    assert list(Rating.objects.values("player", "mu", "variance")) == ratings
    assert list(Record.objects.accepted().values_list("pk", "digest", "home_side")) == digests


def test_the_history_still_proves_itself_and_its_redactions_name_nobody(night: Tournament) -> None:
    erase_player(organiser(night.club), the_player())
    assert holds(night.club)
    # one for the tournament's events, one for those of the club alone
    assert AuditEvent.objects.filter(verb="audit.redacted").count() == 2
    with trail_of_club(night.club.slug, organiser(night.club)).file as trail:
        assert lines_with(trail.read().decode()) == []


def test_the_proof_of_the_tournament_verifies_without_the_name(night: Tournament) -> None:
    erase_player(organiser(night.club), the_player())
    bundle = proof_file(night)
    assert lines_with(bundle.decode()) == []
    findings = verification.verify(bundle_from_bytes(bundle))
    assert verification.all_hold(findings)
    assert len(findings) > 3


def test_a_tournament_without_the_name_goes_to_another_place(night: Tournament) -> None:
    erase_player(organiser(night.club), the_player())
    document = export_of(night.slug, organiser(night.club))
    assert lines_with(document.decode()) == []
    Tournament.objects.filter(pk=night.pk).update(slug="el-de-antes")
    assert import_tournament(SYSTEM, a_club("Otra"), document).entries.count() == 8


def test_a_record_says_that_a_name_was_taken_out_and_is_still_replayed(night: Tournament) -> None:
    before = set(Record.objects.values_list("pk", "sha256"))
    player = erase_player(organiser(night.club), the_player())
    left = Record.objects.filter(redacted_at__isnull=False)
    assert left.filter(state="accepted").count() == ROUNDS
    assert all(player.name in record.text for record in left)
    assert len(left) == ROUNDS + 2
    assert set(Record.objects.filter(redacted_at=None).values_list("pk", "sha256")) < before
    assert not set(left.values_list("pk", "sha256")) & before


def test_a_restore_point_brings_no_name_back(night: Tournament) -> None:
    player = erase_player(organiser(night.club), the_player())
    rows = json.loads(night.restore_points.latest("pk").snapshot["rows"])
    entries = [row["fields"] for row in rows if row["model"] == "tournaments.entry"]
    (entry_fields,) = [entry for entry in entries if player.name in entry["name"]]
    assert entry_fields["folded"] == entry_fields["name"].casefold()


@pytest.mark.slow
def test_no_page_and_no_answer_names_who_was_erased(night: Tournament, client: Client) -> None:
    olga = organiser(night.club)
    player = erase_player(olga, the_player())
    assert olga.user is not None
    match = the_match(night, 2, 1)
    pair = Entry.objects.get(pair__first=player).pair_id
    record = match.records.first()
    assert record is not None
    slug, club = [night.slug], [night.club.slug]
    pages = [
        *(reverse(name, args=slug) for name in ("tournament", "crosstable", "history", "entries")),
        *(reverse(name, args=slug) for name in ("proof", "tournament-file", "fide-report")),
        *(
            reverse(name, args=slug)
            for name in ("tournament-feed", "restore-points", "desk", "export")
        ),
        *(reverse(name, args=club) for name in ("club", "ratings", "members", "statistics")),
        *(reverse(name, args=[match.pk]) for name in ("match", "match-history")),
        *(reverse("round", args=[night.slug, n]) for n in (1, 2)),
        reverse("player", args=[player.pk]),
        reverse("pair", args=[pair]),
        reverse("record", args=[record.pk]),
        reverse("download-record", args=[record.pk]),
        reverse("print-standings", args=slug),
        f"/api/v1/tournaments/{night.slug}/",
        f"/api/v1/tournaments/{night.slug}/standings/",
        f"/api/v1/tournaments/{night.slug}/records/",
        f"/api/v1/matches/{match.pk}/",
    ]
    for signed_in in (False, True):
        if signed_in:
            client.force_login(olga.user)
        for page in pages:
            response = client.get(page)
            body = b"".join(response) if response.streaming else response.content
            assert response.status_code < 500, page
            assert lines_with(body.decode("utf-8", "replace")) == [], page


def test_a_nickname_goes_with_the_name_where_it_is_given(night: Tournament) -> None:
    dispute = the_match(night, 2, 1).disputes.get()
    dispute.reason = "habló La Xilo, dice"
    dispute.save(update_fields=["reason"])
    player = erase_player(organiser(night.club), the_player(), also=["La Xilo", " "])
    dispute.refresh_from_db()
    assert dispute.reason == f"habló {player.name}, dice"


def test_a_person_with_the_same_word_in_their_name_keeps_it(night: Tournament) -> None:
    Player.objects.filter(code="J02").update(name=f"{NAME} hija", folded=f"{NAME} hija".casefold())
    Record.objects.filter(match__round__number=1).update(submitter=f"{NAME} hija")
    erase_player(organiser(night.club), the_player())
    assert Record.objects.filter(submitter=f"{NAME} hija").count() == 4


def test_who_is_at_play_is_not_erased_before_they_withdraw() -> None:
    tournament = the_night()
    with refusal(Reason.STILL_PLAYS):
        erase_player(organiser(tournament.club), the_player())
    entry = Entry.objects.select_related("tournament__club").get(pair__first=the_player())
    withdraw(SYSTEM, entry)
    erase_player(organiser(tournament.club), the_player())
    assert lines_with(dump()) == []


def test_only_the_organisers_erase_a_player_and_only_once(night: Tournament) -> None:
    with refusal(Reason.FORBIDDEN):
        erase_player(arbiter(night.club), the_player())
    erase_player(organiser(night.club), the_player())
    with refusal(Reason.ALREADY_ERASED):
        erase_player(organiser(night.club), the_player())


def test_a_list_of_the_club_brings_no_erased_name_back(night: Tournament) -> None:
    player = the_player()
    pair, name = Pair.objects.get(first=player), player.name
    lists = (
        f"id,nombre\n{player.code},{name}\n",
        f"pareja,nombre,jugador1,jugador2\n{pair.code},{name},{player.code},{pair.second.code}\n",
    )
    erase_player(organiser(night.club), player)
    for load, source in zip((import_players, import_pairs), lists, strict=True):
        with refusal(Reason.IMPORT_REFUSED) as refused:
            load(SYSTEM, night.club, source)
        assert [fault.code for fault in refused.value.errors] == ["was_erased"]
    assert lines_with(dump()) == []


def test_two_pairs_whose_names_are_the_same_without_the_erased_name_stay_apart() -> None:
    club = a_club()
    import_players(SYSTEM, club, "id,nombre\n1,Antonio Marco\n2,Elena\n")
    for line in ("P1,Antonio y Elena,1,2", "P2,Marco y Elena,1,2"):
        import_pairs(SYSTEM, club, f"pareja,nombre,jugador1,jugador2\n{line}\n")
    erase_player(organiser(club), club.players.select_related("club").get(code="1"))
    names = list(club.pairs.order_by("code").values_list("name", flat=True))
    number = Erasure.objects.get().number
    assert names == [f"NN {number} y Elena", f"NN {number} y Elena*"]


# --- accounts ------------------------------------------------------------------------------------

USER, MAIL = "xylophana", "ophana@zizkov.example"


def an_account(club: Club) -> Actor:
    """An organiser with everything that an account can have, who plays as well."""
    actor = organiser(club, USER)
    assert actor.user is not None
    actor.user.set_password("correct horse")
    actor.user.email, actor.user.last_name = MAIL, "Žižkov"
    actor.user.save()
    store_unconfirmed_address(actor.user, f"other-{MAIL}")
    issue_token(actor, club, actor.user, name="marcador", scopes=["games:read"])
    link_player(organiser(club), the_player(), actor.user)
    return Actor.for_user(User.objects.get(username=USER))


def test_the_name_of_an_erased_account_is_in_no_table(
    night: Tournament, client: Client, django_capture_on_commit_callbacks: object
) -> None:
    actor = an_account(night.club)
    open_name = {"username": USER, "password": "correct horse"}
    client.post(reverse("login"), open_name)
    client.get(reverse("account"))
    client.post(reverse("login"), {"username": USER, "password": "wrong"})
    assert Session.objects.count() == 1
    erase_account(actor, "correct horse")
    assert lines_with(dump(), USER, MAIL, *WORDS) == []
    assert not User.objects.filter(username=USER).exists()
    assert Session.objects.count() == 0
    assert holds(night.club)
    assert Erasure.objects.count() == 2


def test_an_account_can_go_and_leave_the_player_their_name(night: Tournament) -> None:
    erase_account(an_account(night.club), "correct horse", players=False)
    assert the_player().name == NAME
    assert the_player().user is None
    assert lines_with(dump(), USER) == []


@pytest.mark.django_db(transaction=True)
def test_of_two_erasures_of_an_account_at_once_one_finds_it() -> None:
    accounts = [Actor.for_user(user("ana")), Actor.for_user(User.objects.get(username="ana"))]
    for account in accounts:
        assert account.user is not None
        account.user.set_password("correct horse")
        account.user.save()
    answers = at_once(*(partial(erase_account, one, "correct horse") for one in accounts))
    assert answers.count("not_found") == 1
    assert Erasure.objects.count() == 1


def test_the_only_organiser_of_a_club_stays(night: Tournament) -> None:
    lone = organiser(a_club("Otra"), "sola")
    assert lone.user is not None
    lone.user.set_password("correct horse")
    lone.user.save()
    with refusal(Reason.LAST_ORGANISER):
        erase_account(lone, "correct horse")
    with refusal(Reason.WRONG_PASSWORD):
        erase_account(lone, "wrong")


def test_the_last_superuser_of_the_service_stays(night: Tournament) -> None:
    ruler = User.objects.create_superuser("root", password="correct horse")
    with refusal(Reason.LAST_SUPERUSER):
        erase_account(Actor.for_user(ruler), "correct horse")
    User.objects.create_superuser("other")
    erase_account(Actor.for_user(ruler), "correct horse")
    assert not User.objects.filter(username="root").exists()


def test_mails_that_lie_in_files_go(
    night: Tournament, settings: object, tmp_path: Path, django_capture_on_commit_callbacks: object
) -> None:
    settings.VAR = tmp_path  # type: ignore[attr-defined]
    (tmp_path / "mail").mkdir()
    (tmp_path / "mail" / "1.log").write_text(f"To: {MAIL}\n\nHola {USER}\n", encoding="utf-8")
    (tmp_path / "mail" / "2.log").write_text("To: other@club.example\n", encoding="utf-8")
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        erase_account(an_account(night.club), "correct horse")
    assert [path.name for path in (tmp_path / "mail").iterdir()] == ["2.log"]


# --- backups -------------------------------------------------------------------------------------


def test_who_comes_back_with_a_backup_is_erased_again_under_their_number(
    night: Tournament, settings: object, tmp_path: Path, django_capture_on_commit_callbacks: object
) -> None:
    settings.VAR = tmp_path  # type: ignore[attr-defined]
    actor = an_account(night.club)
    assert actor.user is not None
    key, joined = actor.user.pk, actor.user.date_joined
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        erase_account(actor, "correct horse")
    documents = [json.loads(line) for line in list_path().read_text(encoding="ascii").splitlines()]
    assert documents == erasure_list()
    called = the_player().name
    Erasure.objects.all().delete()
    Player.objects.filter(code="J01").update(name=NAME, folded=NAME.casefold())
    User.objects.create(pk=key, username=USER, date_joined=joined)
    assert repeat_erasures(documents) == 2
    assert lines_with(dump(), USER, *WORDS) == []
    assert the_player().name == called
    assert erasure_list() == documents
    assert repeat_erasures(documents) == 0


def test_nobody_is_erased_where_the_list_of_the_erased_cannot_be_written(
    night: Tournament, tmp_path: Path, settings: object
) -> None:
    settings.VAR = tmp_path  # type: ignore[attr-defined]
    own = an_account(night.club)
    for damaged in ('{"number": 1001, "player"\n', "[" * 100_000, "ñ"):
        list_path().write_text(damaged, encoding="utf-8")
        with refusal(Reason.NOT_LISTED):
            erase_player(organiser(night.club), the_player())
        with refusal(Reason.NOT_LISTED):
            erase_account(own, "correct horse")
        assert list_path().read_text(encoding="utf-8") == damaged
    assert the_player().name == NAME
    assert not Erasure.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_list_of_the_erased_is_written_by_several_at_once(
    tmp_path: Path, settings: object
) -> None:
    settings.VAR = tmp_path  # type: ignore[attr-defined]
    Erasure.objects.create(number=1001, player_key=1)

    def write(_: int) -> None:
        with closing(connection):
            write_list()

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(write, range(40)))
    assert read_list(list_path()) == erasure_list()


def test_an_account_made_after_an_erasure_is_another_person_s(night: Tournament) -> None:
    actor = an_account(night.club)
    assert actor.user is not None
    key = actor.user.pk
    erase_account(actor, "correct horse", players=False)
    fields = erasure_list()
    Erasure.objects.all().delete()
    User.objects.create(pk=key, username="nueva")
    assert repeat_erasures(fields) == 0
    assert User.objects.filter(username="nueva").exists()
