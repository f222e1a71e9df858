"""Tables of bots, in tests: their matches, whatever the rules, and the programs that sit there."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from django.utils import timezone

from tests.clubs import SYSTEM, a_club, new_tournament, the_match
from tournaments.arena.services.comparisons import compare_versions, stop_comparison
from tournaments.arena.services.dispatch import play_round
from tournaments.arena.services.playing import play_match
from tournaments.director.services.draws import draw
from tournaments.director.services.entries import enter_newcomers
from tournaments.director.services.tournaments import create_tournament, publish_round
from tournaments.models import (
    Bot,
    BotVersion,
    Club,
    Match,
    Round,
    Tournament,
    VersionComparison,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

FORMAT: Final[Mapping[str, str]] = {"arrastrado": "threes"}
"""The format of a ruleset, where it is not a liguilla."""

TESTS: Final = Path(__file__).parents[1]

ILLEGAL: Final = (TESTS / "engine/bots/zoo/illegal_card.py").read_text()
"""The text of a program that always plays what it was not offered."""


PERL: Final = r"""
$| = 1;
while (<STDIN>) {
    if (/"type":\s*"hello"/) {
        my ($protocol) = /"protocol":\s*"([^"]+)"/;
        print qq({"type":"ready","protocol":"$protocol"}\n);
    } elsif (/"type":\s*"ask"/) {
        my ($id) = /"id":\s*(\d+)/;
        my ($legal) = /"legal":\s*\[([^\]]*)\]/;
        my @legal = $legal =~ /"([^"]*)"/g;
        print qq({"id":$id,"say":"CHOICE"}\n);
    } elsif (/"type":\s*"bye"/) { last }
}
"""
"""The text of a program that starts in milliseconds."""


def the_club() -> Club:
    """Return the club of these tables."""
    return Club.objects.first() or a_club()


def house_bot(kind: str, number: int = 1) -> Bot:
    """Return a bot of the house under a name of its own."""
    slug = f"{kind}-{number}"
    fields = {"name": slug.title(), "kind": kind}
    return Bot.objects.get_or_create(slug=slug, defaults=fields)[0]


def a_program(text: str, name: str = "Programa") -> Bot:
    """Return a program of the club with a version that has passed its check."""
    bot, _ = Bot.objects.get_or_create(
        slug=name.lower(), defaults={"name": name, "kind": Bot.Kind.PROGRAM, "club": the_club()}
    )
    BotVersion.objects.create(
        bot=bot,
        number=bot.versions.count() + 1,
        language=BotVersion.Language.PYTHON,
        source=text,
        sha256=f"{abs(hash(text)):064x}",
        state=BotVersion.State.READY,
        made_by="ada",
    )
    return bot


def a_perl_program(choice: str) -> Bot:
    """Return a program with a version that has passed its check, and answers as stated."""
    bot = a_program(PERL.replace("CHOICE", choice))
    bot.versions.update(language=BotVersion.Language.PERL)
    return bot


def two_versions() -> Bot:
    """Return a program whose versions answer with the first and with the last legal token."""
    a_perl_program("$legal[0]")
    return a_perl_program("$legal[-1]")


def a_comparison(bot: Bot) -> VersionComparison:
    """Return a comparison of two versions of a program that was stopped before it began."""
    bot.versions.update(state=BotVersion.State.READY)
    before = bot.versions.get()
    newest = BotVersion.objects.get(pk=before.pk)
    newest.pk, newest.number = None, 2
    newest.save()
    comparison = compare_versions(SYSTEM, bot, newest, before, ruleset="cuatro")
    comparison = stop_comparison(SYSTEM, comparison)
    comparison.ended_at = timezone.now()  # not the database's: recordings have a clock of their own
    comparison.save()
    return comparison


def text_of_example(name: str) -> str:
    """Return the text of an example bot."""
    return (TESTS.parent / "examples/bots" / name).read_text()


def a_bot_round(
    *bots: Bot,
    ruleset: str = "parejas-online",
    options: Mapping[str, Any] | None = None,
    **more: Any,
) -> Round:
    """Return the first round of a tournament of bots, published and asked for."""
    more.setdefault("stages", [{"format": FORMAT.get(ruleset, "liguilla")}])
    tournament = create_tournament(
        SYSTEM,
        the_club(),
        "Liga de bots",
        new_tournament(
            ruleset=ruleset, options={"deals": 1} if options is None else options, **more
        ),
    )
    enter_newcomers(SYSTEM, tournament, bots or _as_many_as_sit(tournament))
    draw(SYSTEM, tournament)
    round_ = the_match(tournament, 1, 1).round
    publish_round(SYSTEM, round_)
    return play_round(SYSTEM, round_)


def a_bot_match(*bots: Bot, **more: Any) -> Match:
    """Return the match at the first table of a round of bots, asked for."""
    return afresh(a_bot_round(*bots, **more).matches.get(table=1))


def afresh(match: Match) -> Match:
    """Read a match again, with its names."""
    return Match.objects.with_names().get(pk=match.pk)


def played(match: Match, times: int = 1) -> Match:
    """Play a match, in `times` messages, and read it again."""
    for _ in range(times):
        play_match(match.pk)
    return afresh(match)


def _as_many_as_sit(tournament: Tournament) -> Sequence[Bot]:
    seats = tournament.stages.get().kind.seats
    return [house_bot("simple" if n % 2 else "random", n + 1) for n in range(seats)]
