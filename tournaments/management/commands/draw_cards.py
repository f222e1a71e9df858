"""``manage.py draw_cards``: draws the Spanish deck that the pages show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand

from tournaments.management.deck.sheet import deck

SPRITE = Path(__file__).parents[2] / "static" / "cards" / "deck.svg"


class Command(BaseCommand):
    """Write the sprite; the same code always writes the same bytes."""

    help = "Draw the forty cards and their back into static/cards/deck.svg."
    requires_system_checks = ()

    def handle(self, *_args: Any, **_options: Any) -> None:
        """Write the file and print its size."""
        drawing = deck().encode()
        SPRITE.write_bytes(drawing)
        self.stdout.write(f"{SPRITE.name}: {len(drawing):,} bytes")
