"""``{% load seasons %}``: words and rows of a season's table."""

from django import template
from django.utils.translation import get_language

from tournaments.domain.messages import message
from tournaments.standings.queries.seasons import SeasonResult, SeasonStanding, SeasonTournament

register = template.Library()


@register.filter
def season_word(code: str) -> str:
    """``"wins"`` → "events won"."""
    return message(get_language(), f"season.{code}")


@register.filter
def with_tournaments(
    line: SeasonStanding, tournaments: tuple[SeasonTournament, ...]
) -> list[tuple[SeasonTournament, SeasonResult]]:
    """Pair the tournaments that count with a line's results, without those it did not play."""
    pairs = zip(tournaments, line.taken, strict=True)
    return [(tournament, result) for tournament, result in pairs if result.rank]
