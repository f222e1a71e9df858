"""Old records are judged as they were: each game keeps the rules of its version (fault 35).

``tests/records/verdicts.ndjson`` says, for records of every ruleset and version, what was found
when that version came: the digest of the facts and the hash of the whole verdict but for its words.
Lines are added with a new version of a ruleset; none is ever changed. They are written by
``python -m tests.engine.test_pinned_rules``.
"""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

import engine

if TYPE_CHECKING:
    from collections.abc import Iterator

CORPUS: Final = Path("tests/records/verdicts.ndjson")
NIGHT: Final = Path("tournaments/management/commands/club_night")
SOURCES: Final = (
    *(NIGHT / f"{name}.ndjson" for name in ("records", "disputed", "sampler")),
    *sorted(CORPUS.parent.glob("golden-*.ndjson")),
)


def sources() -> Iterator[tuple[str, bytes]]:
    """Yield the records of the corpus, each with the name of its file and its line."""
    for path in SOURCES:
        for number, line in enumerate(path.read_bytes().splitlines(), start=1):
            yield f"{path.name}:{number}", line


def judged(name: str, line: bytes) -> dict[str, Any]:
    """Return what the present engine finds, as a line of the corpus."""
    verdict = engine.audit(line)
    facts = verdict.as_dict("en")
    for faults in (*facts["faults"], *facts["notices"]):
        del faults["message"]  # words may be put better
    text = json.dumps(facts, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return {
        "record": name,
        "sha256": hashlib.sha256(line).hexdigest(),
        "identity": verdict.identity,
        "valid": verdict.valid,
        "codes": [fault.code for fault in verdict.faults],
        "digest": verdict.digest,
        "verdict": hashlib.sha256(text.encode()).hexdigest(),
    }


def corpus() -> list[dict[str, Any]]:
    """Return what was found when the versions came."""
    return [json.loads(line) for line in CORPUS.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", corpus(), ids=lambda case: case["record"])
def test_an_old_record_is_judged_as_it_was(case: dict[str, Any]) -> None:
    line = dict(sources())[case["record"]]
    assert hashlib.sha256(line).hexdigest() == case["sha256"], "the record itself has changed"
    assert judged(case["record"], line) == case


def test_every_version_of_every_ruleset_has_records_that_hold_it() -> None:
    pinned = {case["identity"] for case in corpus()}
    assert pinned >= {rules.identity for rules in engine.RULESETS.values()}


def test_what_is_right_and_what_is_wrong_is_both_held() -> None:
    codes = {code for case in corpus() for code in case["codes"]}
    assert sum(case["valid"] for case in corpus()) >= 40
    assert len(codes) >= 15, sorted(codes)


def test_a_record_that_names_its_version_is_the_same_game() -> None:
    for case in corpus():
        record = json.loads(dict(sources())[case["record"]])
        versioned_record = {**record, "ruleset": case["identity"]}
        if case["valid"]:
            assert engine.audit(versioned_record).digest == case["digest"]


def main() -> None:
    """Write what is not in the corpus yet; what is stays."""
    corpus_names = {case["record"] for case in corpus()} if CORPUS.exists() else set()
    with CORPUS.open("a", encoding="utf-8") as file:
        for name, line in sources():
            if name not in corpus_names:
                file.write(json.dumps(judged(name, line)) + "\n")


if __name__ == "__main__":
    main()
