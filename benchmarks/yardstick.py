"""The C yardstick: compiled here, fed with hands as small ints, run as a program."""

from __future__ import annotations

import shutil
import struct
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    import engine

SOURCE = Path(__file__).with_name("yardstick.c")
SUITS, STRENGTH = "oceb", "24567SCR31"
SAYINGS = ["40", "20o", "20c", "20e", "20b", "tuteR", "tuteC"]
MAX_TOKENS = 85
HAND = struct.Struct(f"40s3B{MAX_TOKENS}s")


@dataclass(frozen=True)
class Reading:
    """Hands a second, and the sums of one pass that show the work was done."""

    rate: float
    points: tuple[int, int]
    won: int
    forfeited: int


def compiler() -> str | None:
    """The path of a C compiler, if this machine has one."""
    return next((path for name in ["cc", "gcc", "clang"] if (path := shutil.which(name))), None)


def build(compiler: str, folder: Path, hands: Iterable[engine.HandRecord]) -> list[str]:
    """Compiles the program and writes its hands; the words of the command that runs it."""
    program, data = folder / "yardstick", folder / "hands.bin"
    flags = ["-O2", "-std=c11", "-D_POSIX_C_SOURCE=200809L"]
    subprocess.run([compiler, *flags, "-o", program, SOURCE], check=True)
    data.write_bytes(b"".join(packed(hand) for hand in hands))
    return [str(program), str(data)]


def measure(command: list[str], seconds: float) -> Reading:
    """One run of the given seconds. Raises `CalledProcessError` when a hand was not legal."""
    run = subprocess.run([*command, str(seconds)], check=True, capture_output=True, text=True)
    rate, first_points, second_points, won, forfeited = run.stdout.split()
    return Reading(float(rate), (int(first_points), int(second_points)), int(won), int(forfeited))


def packed(hand: engine.HandRecord) -> bytes:
    """One `struct hand` of yardstick.c."""
    if hand.deal is None or hand.trump is None or hand.play is None:
        raise ValueError("only hands that were dealt and played can be measured")
    holder = bytearray(40)
    for seat, cards in hand.deal.items():
        for card in cards.split():
            holder[number(card)] = "ABCD".index(seat)
    tokens = bytes(token_number(token) for token in hand.play.split())
    leader = ("ABCD".index(hand.dealer) + 1) % 4
    trump = SUITS.index(hand.trump[1])
    return HAND.pack(bytes(holder), trump, leader, len(tokens), tokens)


def number(card: str) -> int:
    """A card as suit * 10 + strength."""
    return SUITS.index(card[1]) * 10 + STRENGTH.index(card[0])


def token_number(token: str) -> int:
    """A card, or 40 and more for who declares what."""
    if ":" not in token:
        return number(token)
    seat, saying = token.split(":")
    return 40 + "ABCD".index(seat) * len(SAYINGS) + SAYINGS.index(saying)
