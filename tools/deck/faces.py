"""Heads, hair, beards, hats, hands and held objects: shared by the twelve figures."""

from __future__ import annotations

from tools.deck.ink import (
    BLUE,
    BLUSH,
    GOLD,
    GREEN,
    INK,
    RED,
    SKIN,
    WHITE,
    circle,
    drawn,
    ellipse,
    path,
    placed,
    plain,
    use,
)


def features() -> str:
    """A face without brows, 34 wide and 44 high about the origin, looking a little to the right."""
    return drawn(
        [
            path("M-16-8C-17-24 17-24 16-8 17 6 13 22 0 23-13 22-17 6-16-8Z", SKIN),
            plain([ellipse(-10, 7, 4, 2.8, BLUSH), ellipse(11, 7, 3.6, 2.8, BLUSH)]),
            path("M-10.6-1.2Q-6.8-4.6-3-1.2-6.8 1.6-10.6-1.2Z", WHITE, stroke_width=1),
            path("M4.6-1.2Q8.4-4.6 12-1.2 8.4 1.6 4.6-1.2Z", WHITE, stroke_width=1),
            plain([circle(-6.2, -1.3, 1.7, INK), circle(8.8, -1.3, 1.7, INK)]),
            path("M2-3C1.6 1 4.6 4.6 4.4 7Q2 9-1 7.6", stroke_width=1.2),
            path("M-4.6 13Q-1 11.4 1 12.4 3 11.4 6 13 1 17-4.6 13Z", RED, stroke_width=0.9),
        ],
        1.6,
    )


def head(hair: str) -> str:
    """A face with brows in the colour of the hair."""
    brows = "M-11.6-5.6Q-7.5-9.6-2.6-6.4M4.4-6.4Q9-9.6 12.4-5.6"
    return use("face", 0, 0) + path(brows, stroke=hair, stroke_width=2.1, stroke_linecap="round")


def long_hair(colour: str) -> str:
    """Curls to the shoulders, behind the head."""
    return drawn(
        [
            path(
                "M-15-14C-26-10-22 2-25 8-29 14-25 20-27 26-24 34-13 33-11 26L11 26C13 33 24 34"
                " 27 26"
                " 25 20 29 14 25 8 22 2 26-10 15-14Z",
                colour,
            ),
            path("M-20 2Q-23 10-19 16-22 22-18 28M20 2Q23 10 19 16 22 22 18 28", stroke_width=1.1),
        ],
        1.6,
    )


def bob(colour: str) -> str:
    """A page's hair, cut at the jaw: behind the head."""
    return drawn(
        [
            path("M-17-14C-27-6-26 14-24 22Q-18 27-12 20H12Q18 27 24 22C26 14 27-6 17-14Z", colour),
        ],
        1.6,
    )


def fringe(colour: str) -> str:
    """Hair over the brow."""
    return drawn(
        [
            path(
                "M-17-4C-20-22-8-26 0-25 8-26 20-22 17-4 14-8 13-12 12-15"
                " 4-11-6-11-12-15-13-11-14-8-17-4Z",
                colour,
            )
        ],
        1.4,
    )


BEARDS = {
    "o": "M-16-2C-18 14-14 30-6 36-3 32-1 32 0 38 2 32 4 32 7 36 15 30 18 14 16-2 14 6 12 9 8 9.6"
    " 4 8 2 9 1 10-1 9-3 8-6 9.6-11 9-14 6-16-2Z",
    "c": "M-16-2C-19 16-16 36-9 46-7 40-5 41-4 50-1 44 2 44 4 52 6 42 8 41 10 46 16 36 19 16 16-2"
    " 14 6 12 9 8 9.6 4 8 2 9 1 10-1 9-3 8-6 9.6-11 9-14 6-16-2Z",
    "e": "M-16-2C-17 14-10 28 0 42 10 28 17 14 16-2 14 6 12 9 8 9.6 4 8 2 9 1 10-1 9-3 8-6 9.6"
    "-11 9-14 6-16-2Z",
    "b": "M-16-2C-21 8-18 18-20 24-14 24-14 30-11 34-7 30-5 34-1 38 3 34 6 31 11 34 14 30 14 24"
    " 20 24 18 18 21 8 16-2 14 6 12 9 8 9.6 4 8 2 9 1 10-1 9-3 8-6 9.6-11 9-14 6-16-2Z",
}


def beard(suit: str, colour: str) -> str:
    """A beard with its moustache, cut differently in every suit."""
    return drawn(
        [
            path(BEARDS[suit], colour),
            path("M-5 13.4Q-1 11.6 1 12.6 3 11.6 7 13.4 1 17.4-5 13.4Z", RED, stroke_width=0.9),
            path("M-9 18Q-8 26-5 31M9 18Q9 26 6 31M1 20V31", stroke_width=1),
        ],
        1.4,
    )


def crown(suit: str) -> str:
    """A crown that sits on a brow at the origin, 52 wide and 34 high."""
    lining = {"o": RED, "c": GREEN, "e": RED, "b": BLUE}[suit]
    points = {
        "o": "M-22-2-27-27-14-15-8-33 0-17 8-33 14-15 27-27 22-2Z",
        "c": "M-22-2-26-24Q-18-22-16-14-12-20-10-29 0-31 10-29 12-20 16-14 18-22 26-24L22-2Z",
        "e": "M-22-2-25-28-17-21-12-31-6-22 0-33 6-22 12-31 17-21 25-28 22-2Z",
        "b": "M-22-2-28-20Q-20-22-14-14-10-26 0-34 10-26 14-14 20-22 28-20L22-2Z",
    }[suit]
    tips = {
        "o": [(-27, -28), (-8, -34), (8, -34), (27, -28)],
        "c": [(-26, -25), (0, -32), (26, -25)],
        "e": [(-25, -29), (-12, -32), (0, -34), (12, -32), (25, -29)],
        "b": [(-28, -21), (0, -35), (28, -21)],
    }[suit]
    jewel = {"o": BLUE, "c": RED, "e": GREEN, "b": RED}[suit]
    return drawn(
        [
            path("M-19-6Q-15-24 0-25 15-24 19-6Z", lining),
            path(points, GOLD),
            path("M-23-4Q0-10 23-4L22 5Q0-1-22 5Z", GOLD),
            *(circle(x, y, 3.2, WHITE, stroke_width=1.2) for x, y in tips),
            path("M0-8 4.6-3.4 0 1.2-4.6-3.4Z", jewel, stroke_width=1),
            circle(-13, -2, 2.3, WHITE, stroke_width=0.9),
            circle(13, -2, 2.3, WHITE, stroke_width=0.9),
        ],
        1.7,
    )


def cap(colour: str, shade: str, feather: str) -> str:
    """A page's flat cap with a feather, on a brow at the origin."""
    return drawn(
        [
            path(
                "M10-14C20-36 38-38 46-28 40-30 38-26 42-22 35-24 33-19 36-15 28-18 24-14 20-6Z",
                feather,
            ),
            path("M14-12Q26-28 42-29", stroke_width=1.1),
            path("M-24-4C-32-22-10-32 4-28 20-30 32-16 24-4Z", colour),
            path(
                "M-10-27Q-16-16-13-8M4-28Q2-16 4-9M16-24Q20-16 17-8", stroke=shade, stroke_width=1.5
            ),
            path("M-26-4Q0-12 26-4 27 2 24 4 0-4-24 4-27 2-26-4Z", shade),
            circle(14, -4.4, 3.6, GOLD, stroke_width=1.2),
        ],
        1.6,
    )


def plumed_hat(colour: str, shade: str, feather: str) -> str:
    """A rider's wide hat with a long plume blown back (to the right)."""
    return drawn(
        [
            path(
                "M4-16C12-38 34-42 46-30 54-22 56-12 52-6 50-12 46-14 44-12 45-18 40-20 37-17"
                " 36-22 30-22 26-16 20-20 14-16 10-10Z",
                feather,
            ),
            path("M8-14Q26-32 42-24 50-18 51-10", stroke_width=1.1),
            path("M-18-4C-18-26-6-32 3-31 14-31 20-22 19-4Z", colour),
            path("M-32 1C-26-10-10-9 0-9 14-9 28-9 31-2 22 3 10-1 0-1-12-1-22 4-32 1Z", shade),
            circle(12, -8, 3.6, GOLD, stroke_width=1.2),
        ],
        1.6,
    )


def helmet(colour: str, feather: str) -> str:
    """An open helmet with a crest."""
    return drawn(
        [
            path(
                "M0-28C6-46 30-48 42-34 36-36 34-32 38-28 31-30 28-25 31-20 24-24 18-18 16-12Z",
                feather,
            ),
            path(
                "M-19 4C-22-20-8-31 2-31 15-30 22-18 19 4 16-2 15-5 14-8"
                " 4-12-6-12-14-8-15-5-17-1-19 4Z",
                colour,
            ),
            path(
                "M-19 0Q-22 12-18 22L-13 20Q-16 8-14-8ZM19 0Q22 12 18 22L13 20Q16 8 14-8Z", colour
            ),
            path("M-15-9Q0-16 15-9M1-31V-13", stroke_width=1.3),
            circle(-16.6, -1, 2, GOLD, stroke_width=0.9),
            circle(16.6, -1, 2, GOLD, stroke_width=0.9),
        ],
        1.6,
    )


def turban(colour: str, band: str) -> str:
    """A wound cloth with a jewel."""
    return drawn(
        [
            path("M-23-2C-32-18-16-32 0-31 16-32 32-18 23-2 12-9-12-9-23-2Z", colour),
            path(
                "M-24-8Q-6-12 10-30M-18-26Q4-24 24-10M-26-14Q-12-16-4-30",
                stroke=band,
                stroke_width=2.2,
            ),
            path("M-24-3Q0-13 24-3L23 4Q0-5-23 4Z", band),
            path("M0-38Q7-28 0-20-7-28 0-38Z", WHITE),
            circle(0, -17, 4.6, RED, stroke_width=1.3),
        ],
        1.6,
    )


def hand() -> str:
    """A closed hand about the origin, its fingers to the left."""
    return drawn(
        [
            path("M-8-6C-10-10 5-11 8-7 11-2 10 6 6 8 0 10-7 9-8.6 6-10 3-10-3-8-6Z", SKIN),
            path("M-9-2.4H-2M-9.4 1.4H-2M-8.6 5H-2.6", stroke_width=1.1),
        ],
        1.4,
    )


def fist(x: float, y: float, turn: float = 0) -> str:
    """A closed hand about (x, y)."""
    return use("fist", x, y, turn=turn)


def in_fist(suit: str, x: float, y: float, turn: float = 0, short: bool = False) -> str:
    """The suit's pip in a fist at (x, y), over the arm; ``short`` keeps it under the frame."""
    name, middle, scale = {
        ("o", False): ("pip-o", -31, 0.98),
        ("c", False): ("pip-c", -21, 1.02),
        ("e", False): ("long-e", -82, 1.0),
        ("b", False): ("long-b", -52, 0.9),
        ("o", True): ("pip-o", -31, 0.98),
        ("c", True): ("pip-c", -21, 1.02),
        ("e", True): ("pip-e", -46, 1.06),
        ("b", True): ("pip-b", -36, 1.06),
    }[suit, short]
    return placed(use(name, 0, middle, scale), x, y, turn=turn) + fist(x, y)


def ruff(x: float, y: float) -> str:
    """A pleated white collar 40 wide, its upper edge at y."""
    return placed(
        drawn(
            [
                path(
                    "M-20 4Q-16-4-10 0-6-6 0-1 6-6 10 0 16-4 20 4 14 14 8 9 4 16 0 10-4 16-8"
                    " 9-14 14-20 4Z",
                    WHITE,
                )
            ],
            1.6,
        ),
        x,
        y,
    )
