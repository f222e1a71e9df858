"""``{% load seasons %}``: the words of season tables."""

from django import template
from django.utils.translation import get_language

from tournaments.domain.messages import message
from tournaments.queries.seasons import SeasonTournament, Standing, Taken

register = template.Library()


@register.filter
def season_word(code: str) -> str:
    """``"wins"`` → "events won"."""
    return message(get_language() or "es", f"season.{code}")


@register.filter
def with_tournaments(
    line: Standing, tournaments: tuple[SeasonTournament, ...]
) -> list[tuple[SeasonTournament, Taken]]:
    """What a line took from each tournament that counts, those that it missed left out."""
    pairs = zip(tournaments, line.taken, strict=True)
    return [(tournament, taken) for tournament, taken in pairs if taken.rank]
