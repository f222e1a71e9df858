"""``python -m tools.deck``: draws the Spanish deck that the pages show.

The same code always writes the same bytes.
"""

from pathlib import Path

from tools.deck.sheet import deck

SPRITE = Path(__file__).parents[2] / "tournaments" / "static" / "cards" / "deck.svg"


def main() -> None:
    """Write the file with the forty cards and their back, and print its size."""
    drawing = deck().encode()
    SPRITE.write_bytes(drawing)
    print(f"{SPRITE.name}: {len(drawing):,} bytes")


if __name__ == "__main__":
    main()
