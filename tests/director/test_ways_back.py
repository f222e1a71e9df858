"""Every verb has a way back, or the page that asks before says that it has none."""

import re

from tournaments.domain.state import RULES
from tournaments.environment import ROOT

NONE_SAID = {
    "director/draws/stage.html": "The draw before does not come back",
    "director/rounds/close.html": "A closed round is not opened again.",
    "front/finish.html": "A tournament cannot be opened again.",
    "director/tournaments/discard.html": "nothing brings it back",
    "standings/seasons/close.html": "A closed season is not opened again.",
}
"""What the pages of the verbs without a way back say."""


def test_the_table_of_the_director_has_the_way_back_of_every_verb() -> None:
    text = (ROOT / "docs/clubs/director.md").read_text(encoding="utf-8")
    section = text.partition("### The way back of each verb")[2].partition("\n## ")[0]
    rows = [line.split("|")[1:3] for line in section.splitlines() if line.startswith("| `")]
    listed = {verb for verbs, _ in rows for verb in re.findall(r"`(\w+)`", verbs)}
    assert listed == {verb for rules in RULES.values() for verb in rules}
    assert sum("none" in way for _, way in rows) == len(NONE_SAID)


def test_the_pages_of_what_has_no_way_back_say_so() -> None:
    for page, sentence in NONE_SAID.items():
        assert sentence in (ROOT / "templates" / page).read_text(encoding="utf-8"), page
