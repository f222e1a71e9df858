"""The four suits' pips, the index numerals and the frame with its *pinta*."""

from __future__ import annotations

from tools.deck.ink import (
    BLUE,
    GOLD,
    GOLD_DARK,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    INK,
    LEAF,
    NAVY,
    RED,
    RED_DARK,
    STEEL,
    WOOD,
    attributes,
    beads,
    circle,
    drawn,
    ellipse,
    group,
    path,
    petals,
    plain,
)

WIDTH, HEIGHT = 200, 308

INDEX_COLOUR = {"o": "#94600a", "c": "#b3211f", "e": "#1d4a8c", "b": "#1f5e22"}

# Number of gaps in the frame at the top and at the bottom: the *pinta*, which shows the suit of a
# Spanish hand that is not spread.
PINTA = {"o": 0, "c": 1, "e": 2, "b": 3}

#: Centre lines of the numerals in a box 24 wide and 40 high.
NUMERALS = {
    "0": "M12 3.5C6 3.5 3.5 10 3.5 20S6 36.5 12 36.5 20.5 30 20.5 20 18 3.5 12 3.5Z",
    "1": "M4.5 11.5 13 3.5V36.5",
    "2": "M4 12C4.6 6.6 7.8 3.5 12 3.5 16.8 3.5 20 7 20 12 20 20 8 25.5 4 36.5H20.5",
    "3": "M4 9.5C5.5 5.5 8.4 3.5 12 3.5 16.6 3.5 19.5 6.6 19.5 11 19.5 15.8 16 18.7 10 18.7"
    " 17 18.7 20.5 22.2 20.5 27.5 20.5 33 17 36.5 12 36.5 7.8 36.5 5 34.6 3.5 30.8",
    "4": "M15.5 36.5V3.5L3.5 27H21",
    "5": "M19 3.5H6.5L5 18.6C7 16.5 9.4 15.4 12 15.4 17.2 15.4 20.5 19.5 20.5 25.8 20.5 32.4 17"
    " 36.5 11.6 36.5 8 36.5 5.2 35 3.5 32",
    "6": "M18.6 6.4C17 4.4 15 3.5 12.8 3.5 6.6 3.5 3.5 11 3.5 23.5 3.5 31.6 6.6 36.5 12 36.5 17"
    " 36.5 20.5 32.4 20.5 26.4 20.5 20.3 17 16.3 12 16.3 7.6 16.3 4.4 19.4 3.6 24.6",
    "7": "M3.5 3.5H20.5C14 13 10.4 24 9.6 36.5",
}


def numeral(text: str, x: float, y: float, scale: float, colour: str) -> str:
    """The index ``text`` with its upper left corner at (x, y); two digits are set closer."""
    digits = []
    offset = 0.0
    for digit in text:
        digits.append(path(NUMERALS[digit], transform=f"translate({offset:g})" if offset else None))
        offset += 19.5 if digit == "1" else 24.5
    return group(
        digits,
        transform=f"translate({x:g} {y:g}) scale({scale:g})",
        stroke=colour,
        stroke_width=6.6,
        stroke_linecap="round",
        stroke_linejoin="round",
        fill="none",
    )


def frame(suit: str) -> str:
    """The line round the card, with the gaps of the suit at top and bottom."""
    left, right, top, bottom, round_, gap = 8.0, 192.0, 8.0, 300.0, 9.0, 15.0
    breaks = PINTA[suit]
    step = (right - left) / (breaks + 1)
    centres = [left + step * (index + 1) for index in range(breaks)]
    if breaks == 2:
        centres = [76.0, 124.0]
    elif breaks == 3:
        centres = [62.0, 100.0, 138.0]

    def edge(y: float) -> str:
        marks = "".join(f"H{x - gap / 2:g}M{x + gap / 2:g} {y:g}" for x in centres)
        return f"M{left + round_:g} {y:g}{marks}H{right - round_:g}"

    sides = (
        f"M{right - round_:g} {top:g}a9 9 0 0 1 9 9V{bottom - round_:g}a9 9 0 0 1-9 9"
        f"M{left + round_:g} {bottom:g}a9 9 0 0 1-9-9V{top + round_:g}a9 9 0 0 1 9-9"
    )
    return path(edge(top) + edge(bottom) + sides, stroke=NAVY, stroke_width=2.6)


def coin() -> str:
    """A gold coin of radius 29 with a beaded edge and a rosette, about the origin."""
    return drawn(
        [
            circle(0, 0, 29, GOLD),
            circle(0, 0, 25.6, GOLD_LIGHT, stroke=GOLD_DARK, stroke_width=1),
            beads(22.6, 24, 3.6, GOLD_DARK),
            circle(0, 0, 19.4, GOLD, stroke_width=1.2),
            path(petals(8, 4, 17.6, 44, 22.5), BLUE, stroke_width=0.7),
            path(petals(8, 3, 17.6, 46), RED, stroke_width=0.9),
            circle(0, 0, 5, GOLD_LIGHT, stroke_width=1.2),
            circle(0, 0, 1.7, RED, stroke="none"),
        ],
        1.8,
    )


def cup() -> str:
    """A red and gold goblet, 54 wide and 68 high, about the origin."""
    return drawn(
        [
            path(
                "M-18 34Q-18 28-10 26.2-4 24.6-3.6 14H3.6Q4 24.6 10 26.2 18 28 18 34Z",
                GOLD,
            ),
            path("M-18 34Q-18 30.8-14.6 29H14.6Q18 30.8 18 34Z", RED, stroke_width=1.2),
            path("M-26-26C-26-5-16 11 0 11S26-5 26-26Z", RED),
            path(
                "M-20-3.4Q-14.6-4-12-.6-8-4.6-4.4.4 0-4 4.4.4 8-4.6 12-.6 14.6-4 20-3.4 14.4 11"
                " 0 11S-14.4 11-20-3.4Z",
                GOLD,
                stroke_width=1.2,
            ),
            path(
                "M-12-.6Q-10 6-4.6 10M-4.4.4Q-3.6 7-2 10.8M4.4.4Q3.6 7 2 10.8M12-.6Q10 6 4.6 10",
                stroke_width=1,
            ),
            path("M-25.8-22Q0-10 25.8-22L25-15.5Q0-3.5-25-15.5Z", GOLD_LIGHT, stroke_width=1.1),
            path(
                "M-17-16.6-14-13-17.6-10.8-20.2-14.6ZM0-13 3.2-9.6 0-6.2-3.2-9.6Z",
                BLUE,
                stroke_width=0.8,
            ),
            path("M17-16.6 14-13 17.6-10.8 20.2-14.6Z", BLUE, stroke_width=0.8),
            ellipse(0, 15, 8, 4.6, RED, stroke_width=1.4),
            ellipse(0, -26, 26, 7.4, GOLD),
            ellipse(0, -26, 21, 4.6, RED_DARK, stroke_width=1.1),
        ],
        1.8,
    )


def sword(length: float = 120, width: float = 12) -> str:
    """A steel sword pointing up, ``length`` long, its middle at the origin."""
    tip, guard, end = -length / 2, length / 2 - 30, length / 2
    half = width / 2
    shoulder = tip + width * 1.7
    return drawn(
        [
            path(f"M0 {tip:g}L{half:g} {shoulder:g}V{guard:g}H{-half:g}V{shoulder:g}Z", STEEL),
            plain([path(f"M0 {tip:g}L{half:g} {shoulder:g}V{guard:g}H0Z", BLUE)]),
            path(f"M0 {tip + 4:g}V{guard:g}", stroke=NAVY, stroke_width=1.1),
            path(f"M-3.6 {guard + 4:g}H3.6V{end - 8:g}H-3.6Z", RED, stroke_width=1.3),
            path(
                f"M-3.6 {guard + 11:g}l7.2-3M-3.6 {guard + 16:g}l7.2-3M-3.6 {guard + 21:g}l7.2-3",
                stroke=GOLD,
                stroke_width=1.3,
            ),
            path(
                f"M0 {guard - 3:g}C8 {guard - 3:g} 13 {guard - 1:g} 17 {guard - 6:g}"
                f"c4 3 3.4 9-1.6 10.4C9 {guard + 6.4:g} 5 {guard + 6:g} 0 {guard + 6:g}"
                f"s-9 .4-15.4-1.6c-5-1.4-5.6-7.4-1.6-10.4C-13 {guard - 1:g}-8 {guard - 3:g} 0"
                f" {guard - 3:g}Z",
                GOLD,
            ),
            circle(0, guard + 1.5, 2.6, RED, stroke_width=1),
            circle(0, end - 5, 5.4, GOLD),
            circle(0, end - 5, 1.9, RED, stroke_width=0.9),
        ],
        1.7,
    )


def club(length: float = 120) -> str:
    """A green knotted club, thick end up, ``length`` long, its middle at the origin."""
    stretch = length / 120
    body = (
        "M-12-53C-13.4-46-11.4-41-12.8-35-18-38.5-22.4-33.5-21-28.4-19.8-24-15-22.6-11.6-24.4"
        "-9.8-14-11.2-6-9.2 4-8.4 12-9 20-7.4 29-7 38-6.6 44-5.6 54-3 58.6 3 58.6 5.6 54"
        " 6.4 46 6 40 7 33 11.4 34.6 15.4 31 14.4 26.6 13.4 22.8 10 21.8 7.6 23"
        " 9 14 8.2 8 9.4 0 10.8-3 10-7 10.6-11 15.8-9 20.6-13 19.6-18.2 18.6-22.6 14.6-24 11-22.6"
        " 13.2-32 11.4-44 13-53 9-60-8-60-12-53Z"
    )
    parts = [
        path(body, GREEN),
        plain(
            [
                path(
                    "M-6.5-50C-9-30-6-14-5.6 4-5.4 20-4.8 36-2.6 53-1 40-2.6"
                    " 20-2-2-1.8-20-4.4-34-2.6-50Z",
                    LEAF,
                )
            ]
        ),
        path(
            "M5-46C8-36 4-30 6-24M4.6-8C7 0 3.6 8 5 15M3 34C4 40 2.6 46 3"
            " 52M-9-18C-7-14-8.6-8-7.4-3",
            stroke=GREEN_DARK,
            stroke_width=1.4,
            stroke_linecap="round",
        ),
        ellipse(0, -53, 12.6, 5.4, WOOD),
        ellipse(0, -53, 6.4, 2.5, "none", stroke_width=1),
        ellipse(-18.4, -30.4, 2.8, 4.2, WOOD, stroke_width=1.2, transform="rotate(24 -18.4 -30.4)"),
        ellipse(17, -15.6, 2.8, 4.2, WOOD, stroke_width=1.2, transform="rotate(-30 17 -15.6)"),
        ellipse(12.2, 28.6, 2.2, 3.4, WOOD, stroke_width=1.1, transform="rotate(-30 12.2 28.6)"),
    ]
    return group(
        parts,
        stroke=INK,
        stroke_width=1.8,
        stroke_linejoin="round",
        transform=f"scale({min(1.0, stretch * 1.12):.3f} {stretch:.3f})" if stretch != 1 else None,
    )


def blank() -> str:
    """The paper of a card, cut with round corners."""
    size = attributes(x=0.7, y=0.7, width=WIDTH - 1.4, height=HEIGHT - 1.4, rx=13)
    return f'<rect{size} fill="#fffdf6" stroke="#a3957c" stroke-width="1.4"/>'
