"""The arena: the bots of a tournament compared."""

from rest_framework.request import Request

from tournaments.api.doors import reads
from tournaments.api.shapes import arena as shapes
from tournaments.api.tokens import actor_of
from tournaments.queries.arena import ArenaPage, arena_page


@reads(shapes.Arena, tag="tournaments", name="read_arena")
def comparison(request: Request, slug: str) -> ArenaPage:
    """The bots compared: each with all whom it met, and pair by pair, with 95 % intervals."""
    return arena_page(slug, actor_of(request))
