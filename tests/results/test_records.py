"""Submitting records: what is accepted, what is refused, in which order, and what is kept."""

import json
from collections.abc import Callable
from typing import Any

import pytest

import engine
from tests.clubs import (
    NOBODY,
    SYSTEM,
    a_bot_liguilla,
    a_club,
    a_draft,
    arbiter,
    club_night_lines,
    csv,
    disputed_lines,
    link_player,
    organiser,
    program,
    record,
    stranger,
    submitted,
    text,
    the_match,
    the_round,
    user,
)
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import import_entries
from tournaments.director.services.tournaments import close_round, publish_round
from tournaments.domain.scores import Score
from tournaments.models import (
    AuditEvent,
    Dispute,
    Hand,
    Match,
    Record,
    Result,
    Tournament,
)
from tournaments.results.services.matches import correct_result, rule_on_dispute
from tournaments.results.services.submission import SubmissionOutcome
from tournaments.results.services.submit import Source, submit_record, submit_to_tournament
from tournaments.standings.queries.standings import standings_page

pytestmark = pytest.mark.django_db


def submit_document(match: Match, document: object, actor: Actor = SYSTEM) -> SubmissionOutcome:
    return submit_record(actor, match, text(document))


def changed(change: Callable[[dict[str, Any]], Any], index: int = 0) -> dict[str, Any]:
    document = record(index)
    change(document)
    return document


def assert_nothing_changed(match: Match) -> None:
    """The match waits as before: no result, no accepted record, the first version."""
    current_match = Match.objects.get(pk=match.pk)
    assert (
        current_match.state,
        current_match.results.count(),
        current_match.records.accepted().count(),
    ) == ("pending", 0, 0)
    assert Tournament.objects.get(pk=match.tournament.pk).version == match.tournament.version


# --- Accepted -----------------------------------------------------------------------------------


def test_a_valid_record_becomes_hands_and_a_result(match: Match) -> None:
    answer = submit_record(SYSTEM, match, club_night_lines()[0], source=Source.IMPORT)
    assert (answer.outcome, answer.status, answer.code, answer.message) == (
        "accepted",
        201,
        "",
        "",
    )
    stored_record = Record.objects.get()
    assert answer.record == stored_record
    assert (stored_record.state, stored_record.source, stored_record.home_side) == (
        "accepted",
        "import",
        "AC",
    )
    assert stored_record.text == club_night_lines()[0]
    assert stored_record.digest == answer.verdict.digest
    result = Result.objects.get()
    assert (result.home_hands, result.away_hands) == (0, 3)
    assert (result.home_points, result.away_points) == (129, 301)
    assert (result.winner, result.live, result.version, result.record) == (
        "away",
        True,
        1,
        stored_record,
    )
    assert [hand.points for hand in Hand.objects.order_by("number")] == [
        {"AC": 54, "BD": 96},
        {"AC": 48, "BD": 82},
        {"AC": 27, "BD": 123},
    ]
    assert Match.objects.get(pk=match.pk).state == "accepted"


def test_an_accepted_record_moves_the_version_on_and_is_an_event(match: Match) -> None:
    before = match.tournament.version
    submit_record(organiser(match.tournament.club), match, club_night_lines()[0])
    assert Tournament.objects.get().version == before + 1
    event = AuditEvent.objects.get(verb="record.accepted")
    assert event.actor == "olga"
    assert event.facts["score"]["away_points"] == 301
    assert event.facts["digest"] == Record.objects.get().digest


def test_home_may_sit_at_either_side_and_partners_either_way(match: Match) -> None:
    def turn(document: dict[str, Any]) -> None:
        a, b, c, d = document["seats"]
        document["seats"] = [d, c, b, a]

    answer = submit_document(match, changed(turn))
    assert answer.outcome == "accepted"
    assert Record.objects.get().home_side == "BD"
    result = Result.objects.get()
    assert (result.home_hands, result.away_hands, result.home_points) == (3, 0, 301)


def test_names_are_compared_without_regard_to_case_or_form(match: Match) -> None:
    def shout(document: dict[str, Any]) -> None:
        document["seats"] = [
            "PILAR MARTÍNEZ",
            "teresa beltra\u0301n",
            " Jesús  Ibáñez ",
            "Julián Cortés",
        ]

    assert submit_document(match, changed(shout)).outcome == "accepted"


def test_a_record_that_states_no_length_has_the_rulesets(match: Match) -> None:
    assert submit_document(match, changed(lambda d: d.pop("options"))).outcome == "accepted"


def test_a_match_of_a_fixed_number_of_hands_can_be_tied() -> None:
    club = a_club()
    tournament = a_draft(club)
    Tournament.objects.update(options={"deals": 2})
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))

    def two_hands(document: dict[str, Any]) -> None:
        document["options"] = {"deals": 2}
        document["hands"] = document["hands"][:2]
        document |= {"score": None, "winner": None}

    outcomes = {
        submit_document(the_match(tournament, 1, n + 1), changed(two_hands, n)).outcome
        for n in range(4)
    }
    assert outcomes == {"accepted"}
    assert Result.objects.filter(winner="tie").exists()
    page = standings_page(tournament.slug, NOBODY)
    assert sum(row.match_points for row in page.rows) == 8


# --- The same again, and another one ------------------------------------------------------------


def test_the_same_record_again_is_the_one_that_is_there(match: Match) -> None:
    first = submit_record(SYSTEM, match, club_night_lines()[0])
    events = AuditEvent.objects.count()
    rewritten = json.dumps(record(0), indent=2)
    for body in (club_night_lines()[0], rewritten, text(changed(lambda d: d["tags"].clear()))):
        answer = submit_record(SYSTEM, match, body)
        assert (answer.outcome, answer.status) == ("duplicate", 200)
        assert answer.record == first.record
    assert (Record.objects.count(), Result.objects.count()) == (1, 1)
    assert AuditEvent.objects.count() == events


def another(index: int = 0) -> dict[str, Any]:
    """A valid record of the same match in which home wins with the hands of table 4."""
    document = record(3)
    document["seats"] = record(index)["seats"]
    return document


def test_another_record_of_a_decided_match_goes_to_the_arbiter(match: Match) -> None:
    first = submit_record(SYSTEM, match, club_night_lines()[0])
    version = Tournament.objects.get().version
    answer = submit_document(match, another(), arbiter(match.tournament.club))
    assert (answer.outcome, answer.status, answer.code) == ("contested", 409, "conflicting_log")
    assert answer.record is not None
    assert answer.record.state == "contested"
    dispute = Dispute.objects.get()
    assert (dispute.state, dispute.record, dispute.opened_by) == (
        "open",
        answer.record,
        "alberto",
    )
    assert Match.objects.get(pk=match.pk).state == "disputed"
    assert Record.objects.accepted().get() == first.record
    assert Result.objects.live().get().record == first.record
    assert Tournament.objects.get().version == version
    assert Result.objects.counting().get().record == first.record
    verbs = AuditEvent.objects.order_by("-sequence").values_list("verb", flat=True)[:2]
    assert list(verbs) == ["dispute.opened", "record.contested"]


def test_the_same_hands_with_the_sides_exchanged_are_another_record(match: Match) -> None:
    """The digest knows no names: by it alone the opposite result would be the same."""

    def exchange(document: dict[str, Any]) -> None:
        a, b, c, d = document["seats"]
        document["seats"] = [b, a, d, c]

    first = submit_record(SYSTEM, match, club_night_lines()[0])
    answer = submit_document(match, changed(exchange))
    assert answer.verdict.digest == first.verdict.digest
    assert answer.outcome == "contested"


def test_a_contested_record_sent_again_opens_nothing_new(match: Match) -> None:
    submit_record(SYSTEM, match, club_night_lines()[0])
    first = submit_document(match, another())
    events = AuditEvent.objects.count()
    second = submit_document(match, another())
    assert (second.outcome, second.record) == ("contested", first.record)
    assert AuditEvent.objects.count() == events
    rule_on_dispute(SYSTEM, Dispute.objects.get(), "uphold", reason="Vale la primera.")
    ruled = submit_document(match, another())
    assert (ruled.outcome, ruled.record) == ("contested", first.record)
    assert Match.objects.get(pk=match.pk).state == "accepted"
    assert Dispute.objects.count() == 1


def test_a_third_record_joins_the_open_dispute(match: Match) -> None:
    submit_record(SYSTEM, match, club_night_lines()[0])
    submit_document(match, another())
    third = record(2)
    third["seats"] = record(0)["seats"]
    assert submit_document(match, third).outcome == "contested"
    assert Dispute.objects.count() == 1
    assert Record.objects.filter(state="contested").count() == 2


# --- Refused: the record ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "status", "code", "reason"),
    [
        (b"", 400, "record.syntax", "malformed_json"),
        (b"{", 400, "record.syntax", "malformed_json"),
        (b"{} {}", 400, "record.syntax", "malformed_json"),
        (b"\xff\xfe", 400, "record.syntax", "bad_encoding"),
        (b"\xef\xbb\xbf{}", 400, "record.syntax", "bad_encoding"),
        (b'{"a": 1, "a": 2}', 400, "record.syntax", "duplicate_key"),
        (b'{"a": NaN}', 400, "record.syntax", "bad_number"),
        (b'{"a": 1e400}', 400, "record.syntax", "bad_number"),
        (b'{"a": ' + b"9" * 5000 + b"}", 400, "record.syntax", "bad_number"),
        (b'{"a": "\\ud800"}', 400, "record.syntax", "bad_character"),
        (b'{"a\\u0000": 1}', 400, "record.syntax", "bad_character"),
        (b"[" * 100_000, 400, "record.limit", "too_deep"),
        (b'{"a":' * 5000 + b"1" + b"}" * 5000, 400, "record.limit", "too_deep"),
        (b"[]", 400, "record.format", "expected_object"),
        (b'"x"', 400, "record.format", "expected_object"),
        (b"null", 400, "record.format", "expected_object"),
        (b" " * (engine.MAX_BYTES + 1), 413, "record.limit", "too_large"),
    ],
)
def test_what_is_no_json_object_is_answered_and_leaves_an_event_alone(
    match: Match, body: bytes, status: int, code: str, reason: str
) -> None:
    answer = submit_record(SYSTEM, match, body)
    assert (answer.outcome, answer.status, answer.code, answer.reason) == (
        "refused",
        status,
        code,
        reason,
    )
    assert answer.message
    assert answer.record is None
    assert not Record.objects.exists()
    event = AuditEvent.objects.get(verb="record.unreadable")
    assert event.facts["size"] == len(body)
    assert event.facts["code"] == code
    assert_nothing_changed(match)


def test_a_form_at_fault_names_line_and_column(match: Match) -> None:
    answer = submit_record(SYSTEM, match, b'{"format": "baza/1",\n "seats": [}')
    assert (answer.line, answer.column) == (2, 12)


@pytest.mark.parametrize(
    ("change", "status", "code", "reason"),
    [
        (lambda d: d.clear(), 400, "record.format", "unsupported_format"),
        (lambda d: d.update(format="baza/9"), 400, "record.format", "unsupported_format"),
        (lambda d: d.update(ruleset="mus"), 422, "record.ruleset", "unknown_ruleset"),
        (lambda d: d.update(options={"to": 3.5}), 422, "record.option", "wrong_type"),
        (lambda d: d.update(options={"a": 1}), 422, "record.option", "unknown_option"),
        (lambda d: d.update(extra=1), 400, "record.field", "unknown_field"),
        (lambda d: d.update(seats=["Ana"]), 400, "record.seats", "wrong_number"),
        (lambda d: d["seats"].__setitem__(0, "Pi\u202elar"), 400, "record.seats", "bad_character"),
        (lambda d: d["hands"][0]["points"].update(AC="54"), 400, "record.field", "wrong_type"),
        (lambda d: d["hands"][0]["points"].update(AC=True), 400, "record.field", "wrong_type"),
        (lambda d: d["tags"].update(site="x" * 1001), 400, "record.limit", "too_large"),
    ],
)
def test_an_object_that_is_no_record_is_kept_as_evidence(
    match: Match, change: Callable[[dict[str, Any]], Any], status: int, code: str, reason: str
) -> None:
    answer = submit_document(match, changed(change))
    assert (answer.outcome, answer.status, answer.code) == ("refused", status, code)
    assert answer.reason == reason
    assert answer.record is not None
    stored_record = Record.objects.get()
    assert (stored_record.state, stored_record.code, stored_record.verdict["valid"]) == (
        "refused",
        code,
        False,
    )
    assert_nothing_changed(match)


@pytest.mark.parametrize("line", range(24))
def test_a_record_that_breaks_a_rule_is_kept_with_its_fault(
    liguilla: Tournament, line: int
) -> None:
    document = json.loads(disputed_lines()[line])
    match = the_match(liguilla, 1, 1)
    document["seats"] = record(0)["seats"]
    answer = submit_document(match, document)
    assert (answer.outcome, answer.status) == ("refused", 422)
    assert answer.code == answer.verdict.faults[0].code
    assert answer.record is not None
    assert answer.record.verdict["faults"][0]["code"] == answer.code
    assert_nothing_changed(match)


def test_the_same_refused_record_is_kept_once(match: Match) -> None:
    first = submit_record(SYSTEM, match, disputed_lines()[0])
    events = AuditEvent.objects.count()
    second = submit_record(SYSTEM, match, disputed_lines()[0])
    assert (second.outcome, second.record) == ("refused", first.record)
    assert AuditEvent.objects.count() == events


# --- Refused: the match -------------------------------------------------------------------------


def test_a_record_under_another_ruleset_is_not_of_this_match(match: Match) -> None:
    Tournament.objects.update(ruleset="cuatro")
    answer = submit_record(SYSTEM, match, club_night_lines()[0])
    assert (answer.status, answer.code) == (422, "ruleset_mismatch")


def test_a_record_of_another_length_is_not_of_this_match(match: Match) -> None:
    Tournament.objects.update(options={"to": 4})
    answer = submit_record(SYSTEM, match, club_night_lines()[0])
    assert (answer.status, answer.code) == (422, "options_mismatch")
    assert "to 4" in answer.message
    assert answer.record is not None


def test_a_record_of_another_match_is_not_of_this_one(match: Match) -> None:
    answer = submit_record(SYSTEM, match, club_night_lines()[1])
    assert (answer.status, answer.code) == (422, "pairing_mismatch")
    assert "Pilar Martínez" in answer.message
    assert_nothing_changed(match)


@pytest.mark.parametrize(
    "seats",
    [
        ["Pilar Martínez", "Jesús Ibáñez", "Teresa Beltrán", "Julián Cortés"],
        ["Pilar Martínez", "Teresa Beltrán", "Pilar Martínez", "Julián Cortés"],
        ["Pilar Martínez", "Teresa Beltrán", "Jesús Ibáñez", "Ana Otra"],
        ["Pilar Martinez", "Teresa Beltrán", "Jesús Ibáñez", "Julián Cortés"],
    ],
)
def test_partners_sit_opposite_and_nobody_twice(match: Match, seats: list[str]) -> None:
    answer = submit_document(match, changed(lambda d: d.update(seats=seats)))
    assert (answer.status, answer.code) == (422, "pairing_mismatch")


def test_an_unfinished_match_has_no_result(match: Match) -> None:
    def cut(document: dict[str, Any]) -> None:
        document["hands"].pop()
        document |= {"score": None, "winner": None}

    answer = submit_document(match, changed(cut))
    assert (answer.status, answer.code) == (422, "incomplete")
    assert_nothing_changed(match)


def unaudited(document: dict[str, Any]) -> None:
    document["hands"][1]["play"] = None


def test_hands_without_their_play_are_the_clubs_to_submit(match: Match) -> None:
    player = match.tournament.club.players.get(name="Pilar Martínez")
    link_player(SYSTEM, player, user("pilar"))
    answer = submit_document(match, changed(unaudited), Actor.for_user(user("pilar")))
    assert (answer.status, answer.code) == (422, "unaudited")
    assert_nothing_changed(match)
    answer = submit_document(match, changed(unaudited), arbiter(match.tournament.club))
    assert answer.outcome == "accepted"
    hand = Hand.objects.get(number=2)
    assert (hand.play, hand.points) == (None, {"AC": 48, "BD": 82})


def test_a_bye_has_nothing_to_submit() -> None:
    tournament = a_bot_liguilla(entries=3)
    bye = Match.objects.with_names().filter(state=Match.State.BYE)[0]
    assert bye.tournament == tournament
    answer = submit_record(SYSTEM, bye, club_night_lines()[0])
    assert (answer.status, answer.code) == (409, "nothing_to_play")


def test_a_round_takes_records_while_it_is_played(liguilla: Tournament) -> None:
    early = submitted(liguilla, 4)
    assert (early.status, early.code) == (409, "round_closed")
    assert early.record is not None
    publish_round(SYSTEM, the_round(liguilla, 2))
    assert submitted(liguilla, 4).outcome == "accepted"
    for index in range(4):
        submitted(liguilla, index)
    close_round(SYSTEM, the_round(liguilla, 1))
    assert submitted(liguilla, 0).outcome == "duplicate"
    late = submit_document(the_match(liguilla, 1, 1), another())
    assert (late.outcome, late.code) == ("refused", "round_closed")


def test_what_the_arbiter_has_decided_takes_no_records(match: Match) -> None:
    correct_result(SYSTEM, match, Score(3, 0, 0, 0), reason="No se presentaron.")
    answer = submit_record(SYSTEM, match, club_night_lines()[0])
    assert (answer.status, answer.code) == (409, "settled")
    assert Result.objects.live().get().home_hands == 3


def test_the_engine_speaks_before_the_match_does(liguilla: Tournament) -> None:
    """A record at fault, of other people, for a round that is not open: the fault is named."""
    answer = submit_record(SYSTEM, the_match(liguilla, 3, 1), disputed_lines()[1])
    assert answer.code == "play.must_overtrump"


def test_the_refusal_of_a_record_never_touches_the_standings(match: Match) -> None:
    before = standings_page(match.tournament.slug, NOBODY).rows
    for body in (b"{", disputed_lines()[3], club_night_lines()[1]):
        submit_record(SYSTEM, match, body)
    assert standings_page(match.tournament.slug, NOBODY).rows == before
    assert_nothing_changed(match)


# --- By tournament ------------------------------------------------------------------------------


def test_the_match_is_found_by_the_names_at_its_seats(liguilla: Tournament) -> None:
    answer = submit_to_tournament(SYSTEM, liguilla, club_night_lines()[2])
    assert answer.outcome == "accepted"
    assert answer.match is not None
    assert (answer.match.round.number, answer.match.table) == (1, 3)


def test_strangers_and_other_pairings_find_no_match(liguilla: Tournament) -> None:
    stranger_at_c = changed(lambda d: d["seats"].__setitem__(2, "Ana Otra"))
    answer = submit_to_tournament(SYSTEM, liguilla, text(stranger_at_c))
    assert (answer.status, answer.code) == (422, "not_a_participant")
    assert "Ana Otra" in answer.message
    mixed = ["Pilar Martínez", "Teresa Beltrán", "Concha Lafuente", "Julián Cortés"]
    answer = submit_to_tournament(SYSTEM, liguilla, text(changed(lambda d: d.update(seats=mixed))))
    assert (answer.status, answer.code) == (422, "pairing_mismatch")
    assert (answer.record, answer.match) == (None, None)
    assert AuditEvent.objects.filter(verb="record.unmatched").count() == 2


def test_before_the_draw_there_is_no_match_to_find() -> None:
    tournament = a_draft(a_club())
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    answer = submit_to_tournament(SYSTEM, tournament, club_night_lines()[0])
    assert (answer.outcome, answer.code) == ("refused", "pairing_mismatch")


@pytest.mark.parametrize("body", [b"{", b"[]", b"{}", b'{"seats": 3}', b'{"seats": [1]}'])
def test_what_names_no_seats_is_refused_for_its_form(liguilla: Tournament, body: bytes) -> None:
    answer = submit_to_tournament(SYSTEM, liguilla, body)
    assert answer.outcome == "refused"
    assert answer.code in {"record.syntax", "record.format"}
    assert answer.status == 400
    assert not Record.objects.exists()


def test_a_record_at_fault_is_kept_with_the_match_its_seats_name(liguilla: Tournament) -> None:
    answer = submit_to_tournament(SYSTEM, liguilla, text(changed(lambda d: d.update(extra=1))))
    assert (answer.outcome, answer.code) == ("refused", "record.field")
    assert answer.record is not None
    assert answer.record.match == the_match(liguilla, 1, 1)


def test_in_two_turns_the_tag_of_the_round_shows_which_match_is_meant() -> None:
    tournament = a_draft(a_club(), stages=({"format": "liguilla", "rules": {"turns": 2}},))
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    draw(SYSTEM, tournament)
    for number in range(1, 9):
        publish_round(SYSTEM, the_round(tournament, number))

    def played_in(round_: str) -> str:
        return text(changed(lambda d: d["tags"].update(round=round_)))

    def round_of(answer: SubmissionOutcome) -> int:
        assert answer.match is not None
        return answer.match.round.number

    assert round_of(submit_to_tournament(SYSTEM, tournament, played_in("8"))) == 8
    second = submit_to_tournament(SYSTEM, tournament, played_in("1"))
    assert (second.outcome, round_of(second)) == ("duplicate", 8)
    other = another()
    other["tags"].pop("round")
    assert round_of(submit_to_tournament(SYSTEM, tournament, text(other))) == 1


# --- Who ----------------------------------------------------------------------------------------


def test_the_club_and_the_players_of_a_match_submit(liguilla: Tournament) -> None:
    club = liguilla.club
    match = the_match(liguilla, 1, 1)
    for actor, reason in (
        (NOBODY, Reason.SIGN_IN),
        (stranger(), Reason.FORBIDDEN),
        (organiser(a_club("Otro"), "otto"), Reason.FORBIDDEN),
        (program(club, "games:read", of="pepa"), Reason.FORBIDDEN),
        (program(a_club("Más"), "games:submit", of="paco"), Reason.FORBIDDEN),
    ):
        with refusal(reason):
            submit_record(actor, match, club_night_lines()[0])
        with refusal(reason):
            submit_to_tournament(actor, liguilla, club_night_lines()[0])
    assert not Record.objects.exists()
    answer = submit_record(program(club, "games:submit"), match, club_night_lines()[0])
    assert answer.outcome == "accepted"
    assert answer.record is not None
    assert answer.record.submitter == "olga (marcador)"


def test_a_player_submits_their_own_matches_only(liguilla: Tournament) -> None:
    link_player(SYSTEM, liguilla.club.players.get(name="Pilar Martínez"), user("pilar"))
    pilar = Actor.for_user(user("pilar"))
    assert submitted(liguilla, 0, pilar).outcome == "reported"
    with refusal(Reason.FORBIDDEN):
        submitted(liguilla, 1, pilar)
    assert submit_to_tournament(pilar, liguilla, club_night_lines()[0]).outcome == "duplicate"
    with refusal(Reason.FORBIDDEN):
        submit_to_tournament(pilar, liguilla, club_night_lines()[1])
    assert Record.objects.count() == 1
