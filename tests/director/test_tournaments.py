"""A tournament from its creation to its end."""

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
    a_swiss,
    arbiter,
    csv,
    new_tournament,
    organiser,
    play_out,
    play_the_club_night,
    program,
    submitted,
    the_liguilla,
    the_round,
    user,
)
from tests.domain.test_berger import CLUB_NIGHT as CLUB_NIGHT_ROUNDS
from tests.support.refusals import refusal
from tournaments.core.errors import Reason
from tournaments.core.permissions import Actor
from tournaments.director.queries.lists import MAX_ENTRIES
from tournaments.director.services.draws import draw, draw_next
from tournaments.director.services.entries import (
    describe_entry,
    enter_newcomers,
    import_entries,
    remove_entry,
)
from tournaments.director.services.settings import GameSettings, NewTournament
from tournaments.director.services.tournaments import (
    close_round,
    create_tournament,
    finish,
    publish_round,
)
from tournaments.models import AuditEvent, Bot, Entry, Match, Round, Tournament
from tournaments.people.services.bots import register_bot
from tournaments.people.services.clubs import import_pairs, import_players
from tournaments.results.services.matches import dispute_result

pytestmark = pytest.mark.django_db


# --- Creating -----------------------------------------------------------------------------------


def test_a_tournament_starts_as_a_draft_with_one_stage() -> None:
    club = a_club()
    tournament = create_tournament(
        organiser(club),
        club,
        "Liguilla de otoño",
        NewTournament(
            GameSettings(options={"to": 3}), stages=[{"format": "liguilla", "rules": {"turns": 2}}]
        ),
    )
    assert (tournament.slug, tournament.state) == ("liguilla-de-otono", "draft")
    stage = tournament.stages.get()
    assert (stage.format, stage.rules.turns) == ("liguilla", 2)
    assert stage.settings["places"] == "played"
    event = AuditEvent.objects.get(verb="tournament.created")
    assert event.facts["options"] == {"to": 3}
    assert event.tournament == tournament


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"ruleset": "mus"}, Reason.UNKNOWN_RULESET),
        ({"options": {"to": 0}}, Reason.BAD_OPTIONS),
        ({"options": {"to": "3"}}, Reason.BAD_OPTIONS),
        ({"options": {"to": 3, "deals": 4}}, Reason.BAD_OPTIONS),
        ({"options": {"to": 10**9}}, Reason.BAD_OPTIONS),
        ({"options": {"piedras": 40}}, Reason.BAD_OPTIONS),
        ({"stages": [{"format": "suizo"}]}, Reason.UNKNOWN_FORMAT),
        ({"stages": [{"format": "liguilla", "rules": {"turns": 0}}]}, Reason.BAD_TURNS),
        ({"stages": [{"format": "liguilla", "rules": {"turns": 5}}]}, Reason.BAD_TURNS),
    ],
)
def test_what_cannot_be_played_is_refused(fields: dict[str, object], reason: Reason) -> None:
    with refusal(reason):
        create_tournament(SYSTEM, a_club(), "Liguilla", new_tournament(**fields))
    assert not Tournament.objects.exists()


def test_what_cannot_be_a_name_is_refused() -> None:
    with refusal(Reason.BAD_NAME):
        create_tournament(SYSTEM, a_club(), "")
    with refusal(Reason.BAD_SLUG):
        create_tournament(SYSTEM, a_club("Otro"), "Liguilla", slug="-")
    assert not Tournament.objects.exists()


# --- Entering -----------------------------------------------------------------------------------


def test_entries_are_numbered_in_the_order_of_the_list() -> None:
    tournament = a_draft(a_club())
    entries = import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    assert [(entry.number, entry.name) for entry in entries][:2] == [
        (1, "Las Cuarenta"),
        (2, "Los del Coso"),
    ]
    first = Entry.objects.with_players().get(number=1)
    assert first.seat_names == ("Pilar Martínez", "Jesús Ibáñez")


def test_the_same_lists_again_enter_nobody_twice() -> None:
    tournament = a_draft(a_club())
    import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))
    assert import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv")) == ()
    assert tournament.entries.count() == 8


def test_faults_of_both_lists_are_reported_and_nothing_is_entered() -> None:
    club = a_club()
    tournament = a_draft(club)
    with refusal(Reason.IMPORT_REFUSED) as refused:
        import_entries(
            SYSTEM,
            tournament,
            "id,nombre\nJ1,Ana\nJ2,\n",
            "pareja,nombre,jugador1,jugador2\nP1,Uno,J1,J9\n",
        )
    assert [(f.file, f.line, f.code) for f in refused.value.errors] == [
        ("players", 3, "name_missing"),
        ("pairs", 2, "unknown_player"),
    ]
    assert not club.players.exists()
    assert not tournament.entries.exists()


def test_a_pair_is_entered_once_and_a_player_in_one_pair() -> None:
    club = a_club()
    import_players(SYSTEM, club, "id,nombre\nJ1,Ana\nJ2,Bea\nJ3,Carmen\n")
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\nP1,Uno,J1,J2\n")
    import_pairs(SYSTEM, club, "pareja,nombre,jugador1,jugador2\nP2,Dos,J2,J3\n")
    first_pair, two = club.pairs.order_by("code")
    tournament = a_draft(club)
    enter_newcomers(organiser(club), tournament, [first_pair])
    with refusal(Reason.ALREADY_ENTERED):
        enter_newcomers(SYSTEM, tournament, [first_pair])
    with refusal(Reason.PLAYER_TWICE) as refused:
        enter_newcomers(SYSTEM, tournament, [two])
    assert "Bea" in refused.value.message
    with refusal(Reason.OTHER_CLUB):
        enter_newcomers(SYSTEM, a_draft(a_club("Otro"), "Otra"), [first_pair])


def test_bots_entered_several_times_are_numbered() -> None:
    club = a_club()
    azar = Bot.objects.get(slug="azar")
    baturro = register_bot(SYSTEM, club, name="Baturro", kind="simple")
    tournament = a_draft(club)
    enter_newcomers(organiser(club), tournament, [azar, baturro, azar])
    enter_newcomers(SYSTEM, tournament, [azar])
    names = [entry.name for entry in tournament.entries.order_by("number")]
    assert names == ["Azar 1", "Baturro", "Azar 2", "Azar 3"]
    with refusal(Reason.OTHER_CLUB):
        enter_newcomers(SYSTEM, a_draft(a_club("Otro"), "Otra"), [baturro])


@pytest.mark.parametrize(
    "stage",
    [
        {"format": "swiss", "rules": {"order": ["luck"]}},
        {"format": "liguilla", "rules": {"order": ["buchholz"]}},
        {"format": "swiss", "rules": {"rounds": "many"}},
        {"format": "swiss", "rules": {"colour": "blue"}},
    ],
)
def test_a_stage_that_cannot_be_played_or_ranked_is_refused(stage: dict[str, Any]) -> None:
    with refusal(Reason.BAD_STAGE):
        create_tournament(
            SYSTEM,
            a_club(),
            "Suizo",
            NewTournament(GameSettings(options={"to": 3}), stages=[stage]),
        )


@pytest.mark.slow
def test_a_liguilla_has_room_for_sixty_four() -> None:
    tournament = a_draft(a_club())
    azar = Bot.objects.get(slug="azar")
    enter_newcomers(SYSTEM, tournament, [azar] * 65)
    with refusal(Reason.TOO_MANY_ENTRIES):
        draw(SYSTEM, tournament)
    remove_entry(SYSTEM, tournament.entries.select_related("tournament__club").get(number=65))
    draw(SYSTEM, tournament)
    assert Match.objects.count() == 63 * 32


def test_no_tournament_has_more_entries_than_one_can_number() -> None:
    tournament = a_draft(a_club())
    with refusal(Reason.TOO_MANY_ENTRIES):
        enter_newcomers(SYSTEM, tournament, [Bot.objects.get(slug="azar")] * (MAX_ENTRIES + 1))


def test_entering_moves_the_version_on() -> None:
    tournament = a_draft(a_club())
    enter_newcomers(SYSTEM, tournament, [Bot.objects.get(slug="azar")])
    before = tournament.version
    tournament.refresh_from_db()
    assert tournament.version == before + 1


# --- Drawing, publishing, closing ---------------------------------------------------------------


def test_the_draw_is_that_of_the_club_night() -> None:
    tournament = the_liguilla(published=0)
    assert tournament.state == "running"
    for number, pairs in enumerate(CLUB_NIGHT_ROUNDS, start=1):
        matches = the_round(tournament, number).matches.select_related("home", "away")
        pairings = [(m.home.number, m.away.number) for m in matches.order_by("table") if m.away]
        assert tuple(pairings) == pairs
    assert set(Round.objects.values_list("state", flat=True)) == {"draft"}


def test_an_odd_number_of_entries_rests_by_turns() -> None:
    a_bot_liguilla(entries=5)
    byes = Match.objects.filter(state=Match.State.BYE)
    assert byes.count() == 5
    assert set(byes.values_list("away", flat=True)) == {None}
    assert Match.objects.filter(state=Match.State.PENDING).count() == 10


def test_each_round_commits_to_a_seed_of_its_own() -> None:
    tournament = the_liguilla(published=0)
    rounds = list(Round.objects.select_related("stage__tournament"))
    assert len({round_.seed for round_ in rounds}) == 7
    for round_ in rounds:
        seed = bytes.fromhex(round_.seed)
        assert len(seed) == 32
        label = f"{tournament.slug}/{round_.number}"
        assert round_.commitment == engine.commitment(label, seed)


def test_drawing_needs_two_entries_and_happens_once() -> None:
    tournament = a_draft(a_club())
    with refusal(Reason.TOO_FEW_ENTRIES):
        draw(SYSTEM, tournament)
    enter_newcomers(SYSTEM, tournament, [Bot.objects.get(slug="azar")] * 2)
    draw(SYSTEM, tournament)
    for act in (draw, lambda actor, what: enter_newcomers(actor, what, [])):
        with refusal(Reason.NOT_A_DRAFT):
            act(SYSTEM, tournament)
    with refusal(Reason.NOT_A_DRAFT):
        import_entries(SYSTEM, tournament, csv("players.csv"), csv("pairs.csv"))


def test_the_seed_is_reported_in_the_history_only_when_the_round_closes() -> None:
    tournament = a_bot_liguilla(entries=2, published=0)
    round_ = the_round(tournament, 1)
    publish_round(SYSTEM, round_)
    assert round_.seed not in str(list(AuditEvent.objects.values("facts")))
    event = AuditEvent.objects.get(verb="round.published")
    assert event.facts == {"round": 1, "commitment": round_.commitment}


def test_a_round_closes_when_all_its_matches_are_decided() -> None:
    tournament = the_liguilla()
    round_ = the_round(tournament, 1)
    for index in range(3):
        submitted(tournament, index)
    with refusal(Reason.ROUND_UNFINISHED) as refused:
        close_round(SYSTEM, round_)
    assert refused.value.params["count"] == 1
    answer = submitted(tournament, 3)
    assert answer.match is not None
    dispute_result(SYSTEM, answer.match, "Se contó mal.")
    with refusal(Reason.ROUND_UNFINISHED):
        close_round(SYSTEM, round_)


def test_a_closed_round_reveals_its_seed() -> None:
    tournament = the_liguilla()
    for index in range(4):
        submitted(tournament, index)
    round_ = close_round(organiser(tournament.club), the_round(tournament, 1))
    assert round_.state == "closed"
    assert AuditEvent.objects.get(verb="round.closed").facts["seed"] == round_.seed
    with refusal(Reason.ROUND_NOT_OPEN):
        close_round(SYSTEM, round_)
    with refusal(Reason.ROUND_NOT_DRAFT):
        publish_round(SYSTEM, round_)


def test_a_bye_does_not_hold_a_round_open() -> None:
    club = a_club()
    tournament = a_draft(club)
    enter_newcomers(SYSTEM, tournament, [Bot.objects.get(slug="azar")] * 3)
    draw(SYSTEM, tournament)
    publish_round(SYSTEM, the_round(tournament, 1))
    with refusal(Reason.ROUND_UNFINISHED) as refused:
        close_round(SYSTEM, the_round(tournament, 1))
    assert refused.value.params["count"] == 1


def test_a_tournament_ends_when_all_rounds_are_closed() -> None:
    tournament = the_liguilla()
    play_the_club_night(tournament)
    with refusal(Reason.TOURNAMENT_UNFINISHED):
        finish(SYSTEM, tournament)
    for number in range(1, 8):
        close_round(SYSTEM, the_round(tournament, number))
    assert finish(organiser(tournament.club), tournament).state == "finished"
    with refusal(Reason.NOT_RUNNING):
        finish(SYSTEM, tournament)


def test_a_swiss_does_not_end_before_its_last_round_unless_the_organiser_says_so() -> None:
    tournament = a_swiss(entries=6, rounds=4)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    with refusal(Reason.ROUNDS_LEFT):
        finish(SYSTEM, tournament)
    assert finish(SYSTEM, tournament, early=True).state == "finished"
    assert AuditEvent.objects.get(verb="tournament.finished").facts["early"]


def test_a_swiss_ends_after_its_last_round() -> None:
    tournament = a_swiss(entries=6, rounds=2)
    publish_round(SYSTEM, the_round(tournament, 1))
    play_out(the_round(tournament, 1))
    publish_round(SYSTEM, draw_next(SYSTEM, tournament, after=1))
    play_out(the_round(tournament, 2))
    with refusal(Reason.NOTHING_TO_DRAW):
        draw_next(SYSTEM, tournament, after=2)
    assert finish(SYSTEM, tournament).state == "finished"
    assert not AuditEvent.objects.get(verb="tournament.finished").facts["early"]


# --- Who ----------------------------------------------------------------------------------------


def test_only_organisers_run_a_tournament() -> None:
    tournament = the_liguilla(published=1)
    club = tournament.club
    draft = a_draft(club, "Otra")
    others = [
        NOBODY,
        Actor.for_user(user("elena")),
        arbiter(club),
        organiser(a_club("Otro"), "otto"),
        program(club, "games:submit", "games:read", of="pepa"),
        program(a_club("Más"), "tournaments:manage", of="paco"),
    ]
    for actor in others:
        reason = Reason.SIGN_IN if actor.is_anonymous else Reason.FORBIDDEN
        for act in attempts(actor, tournament, draft):
            with refusal(reason):
                act()


def attempts(
    actor: Actor, tournament: Tournament, draft: Tournament
) -> tuple[Callable[[], object], ...]:
    """All that an organiser may do, attempted by any actor."""
    return (
        lambda: create_tournament(actor, tournament.club, "Mía"),
        lambda: enter_newcomers(actor, draft, []),
        lambda: enter_newcomers(actor, draft, []),
        lambda: import_entries(actor, draft, b"", b""),
        lambda: draw(actor, draft),
        lambda: publish_round(actor, the_round(tournament, 2)),
        lambda: close_round(actor, the_round(tournament, 1)),
        lambda: finish(actor, tournament),
    )


def test_a_program_with_the_right_scope_runs_a_tournament() -> None:
    club = a_club()
    actor = program(club, "tournaments:manage")
    tournament = create_tournament(actor, club, "Del programa")
    event = AuditEvent.objects.get(verb="tournament.created")
    assert event.actor == "olga (marcador)"
    assert event.token == actor.token
    assert tournament.name == "Del programa"


def test_an_entry_described_alike_twice_is_described_once() -> None:
    draft = a_draft(a_club())
    import_entries(SYSTEM, draft, csv("players.csv"), csv("pairs.csv"))
    entry = draft.entries.get(number=1)
    for _ in range(2):
        describe_entry(SYSTEM, entry, origin="Huesca", apart=["Los Gil"])
    assert AuditEvent.objects.filter(verb="entry.described").count() == 1
