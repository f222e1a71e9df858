"""Bad bots: each gets its own code, and nothing of it outlives its match (faults 17 to 21)."""

import resource
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import engine
from engine.bots import failures, sandbox
from engine.bots.failures import BotFailure
from engine.bots.limits import Limits
from engine.bots.process import ProcessBot
from tests.engine.bots.census import living, nobody
from tests.engine.bots.conftest import Take
from tests.engine.bots.tables import RULES, play, views

pytestmark = pytest.mark.slow

PATIENT = Limits(hang_wall=60.0, start_wall=60.0, end_wall=0.3)
"""So patient that a busy machine is never taken for a bad bot."""

ANIMALS = [
    ("illegal_card", failures.ILLEGAL_PLAY, {}),
    ("loudmouth", failures.ILLEGAL_PLAY, {}),
    ("babbler", failures.MALFORMED_ANSWER, {}),
    ("chatterbox", failures.MALFORMED_ANSWER, {}),
    ("stammerer", failures.MALFORMED_ANSWER, {}),
    ("latin", failures.MALFORMED_ANSWER, {}),
    ("deep", failures.MALFORMED_ANSWER, {}),
    ("silent_type", failures.MALFORMED_ANSWER, {}),
    ("stranger", failures.WRONG_ID, {}),
    ("echo", failures.WRONG_ID, {}),
    ("spinner", failures.TIMEOUT_CPU, {"move_cpu": 0.2, "bank_cpu": 0.2}),
    ("spender", failures.TIMEOUT_CPU, {"move_cpu": 0.1, "bank_cpu": 0.5}),
    ("sleeper", failures.HANG, {"hang_wall": 0.5}),
    ("late", failures.HANG, {"hang_wall": 0.5}),
    ("deaf", failures.HANG, {"hang_wall": 0.5}),
    ("quitter", failures.CRASH, {}),
    ("segfault", failures.CRASH, {}),
    ("mute", failures.CRASH, {"hang_wall": 5.0}),
    ("forker", failures.CRASH, {}),
    ("stillborn", failures.DIED_AT_START, {}),
    ("slow_start", failures.SLOW_START, {"start_wall": 3.0}),
    ("endless_line", failures.OUTPUT_FLOOD, {}),
    ("flood", failures.OUTPUT_FLOOD, {"stdout": 300_000}),
    ("glutton", failures.MEMORY, {}),
    ("creeper", failures.MEMORY, {"memory": 64 << 20}),
    ("crowd", failures.THREADS, {}),
    ("ancient", failures.PROTOCOL_VERSION, {}),
]


def most_memory() -> int:
    """The most memory that these tests have had, in bytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def caught(words: list[str], limits: Limits, *, trusted: bool = False) -> BotFailure:
    bot = ProcessBot(words, RULES, "A", limits=limits, trusted=trusted)
    with pytest.raises(BotFailure) as failure:
        play({"A": bot})
    bot.close()
    return failure.value


@pytest.mark.parametrize(("name", "code", "changed"), ANIMALS, ids=[a[0] for a in ANIMALS])
def test_a_bad_bot_gets_its_own_code_and_leaves_no_process(
    name: str, code: str, changed: dict[str, Any], take: Take, is_confined: bool, tmp_path: Path
) -> None:
    if not is_confined:
        return
    failure = caught(take(name), replace(PATIENT, **changed))
    if name == "creeper" and most_memory() >= replace(PATIENT, **changed).memory:
        code = failures.CRASH  # a program smaller than the one that started it is not measured
    if name == "mute" and sandbox.capabilities().bubblewrap:
        code = failures.HANG  # bubblewrap keeps the output open as long as the bot is there
    assert failure.code == code, failure
    assert failure.is_bot_fault
    assert living(str(tmp_path)) == []
    assert "{" not in failure.message_in("en").replace(failure.evidence, "")
    assert failure.message_in("es") != failure.message_in("en")


def test_every_code_of_a_bot_is_met_in_the_zoo() -> None:
    assert {code for _name, code, _changed in ANIMALS} == set(failures.CODES) - {
        failures.INFRASTRUCTURE
    }


def test_a_failure_keeps_what_the_bot_said_and_how_it_ended(take: Take, is_confined: bool) -> None:
    if not is_confined:
        return
    failure = caught(take("quitter"), PATIENT)
    assert failure.facts == {"ending": "code 3"}
    assert failure.stderr == "I have had enough\n"
    assert failure.message_in("es") == "terminó en mitad de la partida (código de salida 3)"
    assert caught(take("segfault"), PATIENT).facts == {"ending": "signal SIGSEGV"}
    assert caught(take("babbler"), PATIENT).evidence == "%%% je ne joue pas"


def test_a_bot_that_used_up_the_time_of_its_process_is_informed(
    take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    failure = caught(take("spinner"), replace(PATIENT, match_cpu=1, move_cpu=60.0))
    assert failure.code == failures.TIMEOUT_CPU
    assert failure.facts["used"] >= failure.facts["allowed"] == 1.0


def test_a_bot_that_computes_longer_than_it_may_be_silent_does_not_hang(take: Take) -> None:
    # On a busy machine a second of CPU time takes many seconds on the clock.
    limits = replace(PATIENT, hang_wall=0.1)
    with ProcessBot(take("spender"), RULES, "A", limits=limits, trusted=True) as bot:
        assert bot.choose(views()[0])


def test_a_bot_that_uses_up_the_time_of_its_record_hangs(take: Take, is_confined: bool) -> None:
    if not is_confined:
        return
    failure = caught(take("sleeper"), replace(PATIENT, record_wall=0.5))
    assert failure.code == failures.HANG
    assert failure.message_in("en") == "took 0.5 s in all for its answers of one record"


def test_the_time_for_a_record_is_that_of_all_answers_and_of_those_before_it_at_the_seat(
    take: Take,
) -> None:
    first = views()[0]
    with ProcessBot(take("complainer"), RULES, "A", limits=PATIENT, trusted=True) as bot:
        waited = [bot.waited]
        for hand in (1, 2):
            bot.choose(replace(first, standing=replace(first.standing, hand=hand)))
            waited.append(bot.waited)
    assert 0 == waited[0] < waited[1] < waited[2]
    limits = replace(PATIENT, record_wall=waited[2])
    late = ProcessBot(take("complainer"), RULES, "A", limits=limits, trusted=True, waited=waited[2])
    with pytest.raises(BotFailure) as failure:
        late.choose(first)
    assert failure.value.code == failures.HANG
    assert not late.is_running
    assert late.ending is None, "it was not even started"


def test_the_seats_of_a_table_share_the_time_of_its_record(take: Take) -> None:
    record_walls_by_name = {
        name: ProcessBot(take("quitter"), engine.RULESETS[name], "A").limits.record_wall
        for name in ("habanero", "arrastrado", "parejas-online")
    }
    assert record_walls_by_name == {"habanero": 90, "arrastrado": 60, "parejas-online": 45}


def test_a_bot_that_complains_plays_on_and_its_last_words_are_kept(
    take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    with ProcessBot(take("complainer"), RULES, "A", limits=PATIENT) as bot:
        record = play({"A": bot})
        assert record["hands"][0]["winner"] in RULES.sides
        assert len(bot.stderr) == PATIENT.stderr_chars
        assert "after " in bot.stderr


def test_a_bot_that_failed_says_so_again_until_it_is_started_again(
    take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    bot = ProcessBot(take("quitter"), RULES, "A", limits=PATIENT)
    for _ in range(2):
        with pytest.raises(BotFailure) as failure:
            bot.choose(views()[0])
        assert failure.value is bot.failure
    bot.restart()
    assert bot.failure is None
    assert bot.is_running
    bot.close()


def test_the_bank_is_full_again_with_every_deal(take: Take, is_confined: bool) -> None:
    if not is_confined:
        return
    limits = replace(PATIENT, move_cpu=0.1, bank_cpu=0.5)
    first = views()[0]
    with ProcessBot(take("spender"), RULES, "A", limits=limits) as bot:
        for hand in range(1, 5):
            standing = replace(first.standing, hand=hand)
            assert bot.choose(replace(first, standing=standing)) in first.legal


def test_a_bot_that_will_not_go_is_ended_and_its_match_counts(
    take: Take, is_confined: bool, tmp_path: Path
) -> None:
    if not is_confined:
        return
    bot = ProcessBot(take("lingerer"), RULES, "A", limits=PATIENT)
    record = play({"A": bot})
    bot.close()
    assert bot.failure is None
    assert bot.ending is not None
    assert bot.ending.code is None
    assert living(str(tmp_path)) == []
    assert record["hands"][0]["winner"] in RULES.sides
    bot.close()  # once more does no harm


def test_the_children_of_a_trusted_bot_are_killed_with_it(take: Take, tmp_path: Path) -> None:
    with ProcessBot(take("forker"), RULES, "A", limits=PATIENT, trusted=True) as bot:
        bot.choose(views()[0])
        assert len(living(str(tmp_path))) == 2
    assert nobody(str(tmp_path))


def test_a_machine_that_cannot_run_the_reference_bot_blames_nobody(
    take: Take, is_confined: bool
) -> None:
    if not is_confined:
        return
    for name in ("stillborn", "deaf"):
        limits = replace(PATIENT, hang_wall=0.5)
        bot = ProcessBot(take(name), RULES, "A", limits=limits, reference=lambda: False)
        with pytest.raises(BotFailure) as failure:
            bot.choose(views()[0])
        assert failure.value.code == failures.INFRASTRUCTURE
        assert not failure.value.is_bot_fault
        assert bot.failure is failure.value


def test_a_bot_that_is_at_fault_itself_needs_no_reference(take: Take, is_confined: bool) -> None:
    if not is_confined:
        return

    def never() -> bool:
        raise AssertionError("the reference bot was asked")

    bot = ProcessBot(take("illegal_card"), RULES, "A", limits=PATIENT, reference=never)
    with pytest.raises(BotFailure) as failure:
        bot.choose(views()[0])
    assert failure.value.code == failures.ILLEGAL_PLAY
