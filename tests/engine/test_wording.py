"""Every code can be said in Spanish and in English."""

import string

import pytest

import engine
from engine.wording import _SENTENCES, explain
from tests.engine.codes import CODES


def test_every_code_of_the_ruleset_has_a_sentence_in_both_languages() -> None:
    codes = {code.split()[0] for of_ruleset in CODES.values() for code in of_ruleset}
    assert codes <= set(_SENTENCES)


def test_english_and_spanish_tell_the_same_facts() -> None:
    for code, (english, spanish) in _SENTENCES.items():
        assert fields(english) == fields(spanish), code
        assert english != spanish or english.startswith("{place}"), code


def test_a_language_without_words_is_refused() -> None:
    with pytest.raises(ValueError, match="no words in 'ca'"):
        explain(engine.Fault("match.over", "R7.4"), "ca")


def fields(sentence: str) -> set[str]:
    return {name for _text, name, _spec, _conversion in string.Formatter().parse(sentence) if name}
