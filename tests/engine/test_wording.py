"""Every code can be said in English, Spanish and German."""

import string

import pytest

import engine
from engine import wording, wording_german
from engine.bots import failures
from engine.wording import _SENTENCES, explain
from tests.engine.codes import CODES


def test_every_code_of_the_ruleset_has_a_sentence_in_each_language() -> None:
    codes = {code.split()[0] for of_ruleset in CODES.values() for code in of_ruleset}
    assert codes <= set(_SENTENCES)


TABLES = {
    "sentences": wording._SENTENCES,
    "hints": wording._HINTS,
    "what is explained": wording._EXPLAINED,
    "what is shown": wording._SHOWN,
    "failures of bots": failures.TEXTS,
}


@pytest.mark.parametrize("table", TABLES)
def test_each_language_tells_the_same_facts(table: str) -> None:
    for code, (english, spanish, german) in TABLES[table].items():
        assert fields(english) == fields(spanish) == fields(german), code
        alike = code == "play" or english.startswith("{place}: {reason}")
        assert len({english, spanish, german}) == (1 if alike else 3), code


def test_the_reasons_in_german_tell_what_those_in_spanish_tell() -> None:
    for code, (_english, spanish, german) in wording._REASONS.items():
        assert fields(spanish) == fields(german), code


@pytest.mark.parametrize(
    "name", ["SENTENCES", "HINTS", "WHERE", "EXPLAINED", "REASONS", "SHOWN", "WHAT"]
)
def test_no_german_is_kept_for_what_nobody_says(name: str) -> None:
    assert set(getattr(wording_german, name)) == set(getattr(wording, f"_{name}"))


def test_a_fault_and_a_hint_are_said_in_german() -> None:
    fault = engine.Fault("deal.missing", "R1.0", facts={"cards": ["1o", "3o"]})
    assert explain(fault, "de") == "Niemandem gegeben: 1o, 3o"
    hint = engine.Hint("missing", (4,), write="7b", also=("6",))
    assert engine.explain_hint(hint, "de") == "Vielleicht fehlt 7b (vor Zug 4 oder 6)"


def test_a_failure_of_a_bot_is_said_in_german_and_in_english_to_whom_no_words_are_for() -> None:
    failure = failures.BotFailure(failures.OUTPUT_FLOOD, limit=9, what="line")
    assert failure.words("de") == "schrieb mehr als die 9 Bytes, die eine Zeile haben darf"
    assert failure.words("ca") == failure.words("en")


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no words in 'ca'"):
        explain(engine.Fault("match.over", "R7.4"), "ca")


def fields(sentence: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(sentence) if name}
