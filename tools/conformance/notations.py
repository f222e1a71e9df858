"""Cases about both notations and the digest."""

import json
from collections.abc import Iterator
from random import Random
from typing import Final

from engine.rulesets import RULESETS
from engine.text_export import write_text
from tools.conformance.hands import Json, chance, house_rules, random_table
from tools.conformance.matches import match, results
from tools.conformance.moments import Found

NOTATIONS: Final = 15
"""Records for each of the notations, and ruleset."""


def _documents(part: str, name: str) -> Iterator[tuple[Random, Json]]:
    for number in range(NOTATIONS):
        rng = chance(part, name, number)
        variants = [random_table(rng, name), *house_rules(name)]
        rules = rng.choice(variants) if number % 4 == 3 else variants[0]
        if number % 3:
            record = results(rng, rules, rng.randint(1, 2), options={"to": 2})
        else:
            record = match(rng, rules, 1)
        if rng.random() < 0.7:
            record["tags"] = rng.choice(TAGS)
        yield rng, record


TAGS: Final = (
    {"event": "Liga de otoño", "round": "3", "table": "5"},
    {"site": "Zaragoza", "date": "2026-11-20"},
    {"event": 'Copa "del Rey"', "note": "a\\b; c"},
    {"two words": "x", "Ñ": "año"},
)


def write_cases(name: str) -> Found:
    """Records, with the text that they are written as."""
    for _rng, record in _documents("write", name):
        yield ["F2"], {"record": record}
    for record in _easily_lost(name):
        yield ["F2"], {"record": record}


def text_cases(name: str) -> Found:
    """Texts as people might type them, some with errors, with the records that they say."""
    for rng, record in _documents("text", name):
        text = write_text(record)
        yield ["F2"], {"tute": rng.choice(TYPED)(rng, text)}
    for record in _easily_lost(name):
        yield ["F2"], {"tute": write_text(record)}


def _easily_lost(name: str) -> Iterator[Json]:
    """Tags that begin like the first one, and a ruleset with its version."""
    rng = chance("easily lost", name)
    record = results(rng, random_table(rng, name), 1, options={"to": 2})
    yield {**record, "tags": {"format-x": "1", "format-": "2"}}
    yield {**record, "ruleset": RULESETS[name].identity}


def _untouched(_rng: Random, text: str) -> str:
    return text


def _twice(_rng: Random, text: str) -> str:
    return f"{text}\n{text}"


def _with_comments(rng: Random, text: str) -> str:
    lines = text.splitlines()
    lines[rng.randrange(len(lines))] += " ; como se anotó"
    lines.insert(rng.randrange(len(lines)), "; revisado por la mesa")
    return "\n".join(lines)


def _with_blanks(_rng: Random, text: str) -> str:
    return "\r\n".join(f"{line}  " for line in text.splitlines())


def _on_one_line(rng: Random, text: str) -> str:
    lines = text.splitlines()
    return "\n".join([*lines[:-1], lines[-1], "", ""][rng.randrange(2) :])


def _cut(rng: Random, text: str) -> str:
    return text[: rng.randrange(len(text) // 2, len(text))]


def _garbled(rng: Random, text: str) -> str:
    at = rng.choice([n for n, sign in enumerate(text) if sign in '["]'])
    return text[:at] + rng.choice(["", "(", '"']) + text[at + 1 :]


def _with_a_strange_line(rng: Random, text: str) -> str:
    lines = text.splitlines()
    strange = ["dealer", "delar B", "points AC", '[A "Ana\\x"]', "A: 1o B:", "winner"]
    lines.insert(rng.randrange(1, len(lines)), rng.choice(strange))
    return "\n".join(lines)


TYPED: Final = (
    *(_untouched, _twice, _with_comments, _with_blanks, _on_one_line),
    *(_cut, _garbled, _with_a_strange_line, _with_a_strange_line),
)


def digest_cases(name: str) -> Found:
    """Records, and the same written differently: the digest is of the facts alone."""
    for rng, record in _documents("digest", name):
        yield ["F3"], {"record": record}
        other = json.loads(json.dumps(record))
        rng.choice(REWRITTEN)(rng, other)
        yield ["F3"], {"record": other}
    for record in _hashed_as_written(name):
        yield ["F3"], {"record": record}


def _hashed_as_written(name: str) -> Iterator[Json]:
    """The length as option and as house rule, and words in the order of their code points."""
    rng = chance("hashed as written", name)
    rules = random_table(rng, name)
    record = results(rng, rules, 1, options={"to": 5})
    yield record
    yield {**record, "options": {"target": 5}}
    words = "\U0001f600 z \uff61 Z é"  # in UTF-16 the first sorts before the third
    hand = {"dealer": rules.seats[0], "trump": "", "deal": dict.fromkeys(rules.seats, words)}
    if rules.stock_size:
        hand["stock"] = words
    yield {**record, "hands": [{**hand, "play": words}]}


def _other_names(_rng: Random, record: Json) -> None:
    record["seats"] = [seat[::-1] for seat in record["seats"]]
    record["tags"] = {"event": "otro"}


def _nothing_stated(_rng: Random, record: Json) -> None:
    for place in (record, *(hand for hand in record["hands"] if hand["play"] is not None)):
        for field in ("points", "winner", "score", "payments"):
            place.pop(field, None)


def _cards_in_another_order(rng: Random, record: Json) -> None:
    for hand in record["hands"]:
        for seat, cards in hand.get("deal", {}).items():
            hand["deal"][seat] = "  ".join(rng.sample(cards.split(), len(cards.split())))


def _another_length(_rng: Random, record: Json) -> None:
    record["options"] = {**record["options"], "to": 7}
    record["options"].pop("deals", None)


def _default_written(_rng: Random, record: Json) -> None:
    rules = RULESETS[record["ruleset"]]
    record["options"] = {"must_overtrump": rules.must_overtrump, **record["options"]}


def _another_result(rng: Random, record: Json) -> None:
    for hand in record["hands"]:
        if hand["play"] is None:
            hand["points"][rng.choice(list(hand["points"]))] += 1


REWRITTEN: Final = (
    *(_other_names, _nothing_stated, _cards_in_another_order),
    *(_another_length, _default_written, _another_result),
)
