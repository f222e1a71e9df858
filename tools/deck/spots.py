"""The cards from one to seven: the positions of the pips, and the four ornate aces."""

from __future__ import annotations

from typing import TYPE_CHECKING

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
    WHITE,
    beads,
    circle,
    drawn,
    ellipse,
    path,
    petals,
    placed,
    plain,
    rays,
    use,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

#: The drawing, then x, y, scale and turn of one pip.
Spot = tuple[str, float, float, float, float]


def _grid(
    name: str, columns: Sequence[float], rows: Sequence[float], scale: float
) -> tuple[Spot, ...]:
    """Pips in columns and rows; swords and clubs below the middle point down."""
    standing = name[-1] in "oc"
    return tuple(
        (name, x, y, scale, 0.0 if standing or y < 154 else 180.0) for y in rows for x in columns
    )


def places(suit: str, count: int) -> tuple[Spot, ...]:
    """The positions of the pips of a card from 2 to 7, as in the Castilian pattern."""
    return {"o": _coins, "c": _cups}.get(suit, _long)(suit, count)


def _coins(suit: str, count: int) -> tuple[Spot, ...]:
    name = f"pip-{suit}"
    if count in (2, 3):
        return _grid(
            name, [100], [86, 222] if count == 2 else [70, 154, 238], 1.72 - 0.35 * (count - 2)
        )
    if count in (4, 6):
        return _grid(name, [68, 132], [82, 226] if count == 4 else [73, 154, 235], 1.08)
    if count == 5:
        return (*_grid(name, [68, 132], [76, 232], 1.08), (name, 100, 154, 1.08, 0))
    return (*_grid(name, [68, 132], [58, 154, 250], 0.96), (name, 100, 106, 0.96, 0))


def _cups(suit: str, count: int) -> tuple[Spot, ...]:
    name = f"pip-{suit}"
    if count == 2:
        return _grid(name, [100], [88, 222], 1.72)
    if count == 3:
        return ((name, 100, 86, 1.45, 0), *_grid(name, [62, 138], [206], 1.3))
    if count in (4, 6):
        return _grid(name, [70, 130], [84, 226] if count == 4 else [68, 154, 240], 1.06)
    if count == 5:
        return (*_grid(name, [70, 130], [72, 238], 1.06), (name, 100, 155, 1.06, 0))
    return (*_grid(name, [63, 137], [58, 154, 250], 0.88), (name, 100, 106, 0.8, 0))


def _long(suit: str, count: int) -> tuple[Spot, ...]:
    name, tall = f"pip-{suit}", f"long-{suit}"
    if count == 2:
        return ((tall, 72, 154, 1.16, 0), (tall, 128, 154, 1.16, 180))
    if count == 3:
        return ((tall, 56, 154, 1, 0), (tall, 100, 154, 1.22, 0), (tall, 144, 154, 1, 0))
    if count == 4:
        return _grid(name, [68, 132], [86, 222], 1.06)
    if count == 5:
        return (*_grid(name, [60, 140], [86, 222], 0.98), (tall, 100, 154, 1, 0))
    if count == 6:
        return _grid(name, [60, 100, 140], [87, 221], 0.96)
    return (*_grid(name, [60, 100, 140], [82, 226], 0.88), (name, 100, 154, 0.98, 90))


def spots(suit: str, count: int) -> str:
    """The pips of a card from 2 to 7."""
    return "".join(use(*place) for place in places(suit, count))


def ace(suit: str) -> str:
    """The one large pip of an ace."""
    return {"o": ace_of_coins, "c": ace_of_cups, "e": ace_of_swords, "b": ace_of_clubs}[suit]()


def laurel() -> str:
    """Half a laurel wreath, growing from the origin to the left and upwards."""
    leaves = []
    for index in range(5):
        x, y = -9 - index * 9.5, -index * index * 0.95
        tilt, scale = -72 + index * 9, 1 - index * 0.03
        leaves.append(placed(path("M0 0C-6-6-5-15 0-21 5-15 6-6 0 0Z", GREEN), x, y, scale, tilt))
        leaves.append(
            placed(path("M0 0C-5-5-4-12 0-17 4-12 5-5 0 0Z", LEAF), x, y, scale, tilt - 76)
        )
    return drawn(leaves, 1.2, GREEN_DARK)


def ribbon(colour: str, shade: str) -> str:
    """A scroll about the origin, 116 wide."""
    return drawn(
        [
            path("M-58-2-44-8V12L-58 18-52 8ZM58-2 44-8V12L58 18 52 8Z", shade),
            path("M-46-10Q0-22 46-10V10Q0-2-46 10Z", colour),
            path("M-38-8Q0-18 38-8M-38 4Q0-6 38 4", stroke=GOLD_LIGHT, stroke_width=1.4),
        ]
    )


def ace_of_coins() -> str:
    """A coin the width of the card, in a sunburst, with a face in its rosette."""
    medal = drawn(
        [
            path(rays(32, 64, 79), GOLD),
            path(rays(32, 62, 71, 5.625), RED, stroke_width=1),
            circle(0, 0, 62, GOLD, stroke_width=2.4),
            circle(0, 0, 56, GOLD_LIGHT, stroke=GOLD_DARK, stroke_width=1.4),
            beads(50.4, 36, 5.6, GOLD_DARK),
            circle(0, 0, 45, BLUE, stroke_width=2),
            path(petals(16, 24, 44, 19, 11.25), GOLD, stroke_width=1),
            path(petals(16, 20, 43, 20), RED, stroke_width=1.1),
            circle(0, 0, 24, GOLD, stroke_width=2),
            circle(0, 0, 20.6, GOLD_LIGHT, stroke=GOLD_DARK, stroke_width=1),
        ],
        2,
    )
    face = drawn(
        [
            path("M-10-4Q-6.5-8.5-2.6-4.6M10-4Q6.5-8.5 2.6-4.6", stroke_width=1.5),
            path(
                "M-9.4-1.6Q-6.4-4-3.4-1.6-6.4.6-9.4-1.6ZM9.4-1.6Q6.4-4 3.4-1.6 6.4.6 9.4-1.6Z",
                WHITE,
                stroke_width=0.9,
            ),
            circle(-6.3, -1.6, 1.3, INK, stroke="none"),
            circle(6.3, -1.6, 1.3, INK, stroke="none"),
            path("M-1-2-2 5.4Q0 7 2.4 5.4", stroke_width=1.1),
            path("M-5 10Q0 7.6 5 10 0 14.4-5 10Z", RED, stroke_width=0.9),
            circle(-11.6, 5, 2.6, "#ee9d5c", stroke="none"),
            circle(11.6, 5, 2.6, "#ee9d5c", stroke="none"),
        ],
        1.2,
    )
    sprays = "".join(
        use("laurel", 100, y, 0.9, turn, flip)
        for y, turn in ((264, 0), (44, 180))
        for flip in (False, True)
    )
    knots = drawn([circle(100, 264, 7, RED), circle(100, 44, 7, RED)])
    return sprays + knots + placed(medal + face, 100, 154)


def ace_of_cups() -> str:
    """A great covered goblet with handles and jewels."""
    return drawn(
        [
            # foot
            path("M52 272Q54 252 78 246 93 240 93 206H107Q107 240 122 246 146 252 148 272Z", GOLD),
            path("M50 276Q50 268 56 266H144Q150 268 150 276V284H50Z", RED),
            path("M50 284H150V276H50Z", GOLD_LIGHT, stroke_width=1.4),
            path("M72 262Q82 252 92 250M128 262Q118 252 108 250M100 246V264", stroke_width=1.4),
            ellipse(100, 222, 17, 9, RED),
            ellipse(100, 222, 6, 5, GOLD, stroke_width=1.3),
            ellipse(100, 207, 11, 5, GOLD),
            # handles
            path(
                "M48 118C18 112 18 168 52 172L56 164C34 160 34 128 50 128Z"
                "M152 118C182 112 182 168 148 172L144 164C166 160 166 128 150 128Z",
                GOLD,
            ),
            circle(29, 142, 5, RED, stroke_width=1.4),
            circle(171, 142, 5, RED, stroke_width=1.4),
            # bowl
            path("M44 106C44 168 66 204 100 204S156 168 156 106Z", RED, stroke_width=2.4),
            path(
                "M55 162Q63 160 69 168 76 158 84.5 167 92 158 100 167 108 158 115.5 167 124 158"
                " 131 168"
                " 137 160 145 162C134 190 120 204 100 204S66 190 55 162Z",
                GOLD,
            ),
            path(
                "M69 168Q74 190 88 202M84.5 167Q87 188 94 203M115.5 167Q113 188 106 203M131"
                " 168Q126 190 112 202"
            ),
            path(
                "M45 118Q100 144 155 118L153.6 136Q100 162 46.4 136Z", GOLD_LIGHT, stroke_width=1.6
            ),
            path("M100 134 109 144 100 154 91 144Z", BLUE, stroke_width=1.4),
            circle(73, 139, 5.6, GREEN, stroke_width=1.3),
            circle(127, 139, 5.6, GREEN, stroke_width=1.3),
            path(
                "M54 122 61 130 55 138 49.6 128ZM146 122 139 130 145 138 150.4 128Z",
                BLUE,
                stroke_width=1.2,
            ),
            # cover
            path("M42 104Q42 96 50 95H150Q158 96 158 104 100 124 42 104Z", GOLD, stroke_width=2),
            path("M52 95C54 72 78 62 100 62S146 72 148 95Q100 106 52 95Z", RED),
            path(
                "M74 98Q76 76 92 63M126 98Q124 76 108 63M100 101V62", stroke=GOLD, stroke_width=2.4
            ),
            path("M62 96Q64 82 76 72M138 96Q136 82 124 72", stroke=RED_DARK, stroke_width=1.3),
            ellipse(100, 62, 12, 5, GOLD),
            circle(100, 47, 9.6, GOLD),
            path("M96.6 40V33.6H90V27.4H96.6V20H103.4V27.4H110V33.6H103.4V40Z", GOLD),
            circle(100, 48, 3.4, BLUE, stroke_width=1.2),
        ],
        2,
    ) + beads_row(58, 142, 100.4, 10)


def beads_row(left: float, right: float, y: float, count: int) -> str:
    """Small pearls in a row, sagging in the middle."""
    step = (right - left) / (count - 1)
    centre = (left + right) / 2
    pearls = []
    for index in range(count):
        x = left + index * step
        sag = 8 * (1 - ((x - centre) / (centre - left)) ** 2)
        pearls.append(circle(x, y + sag, 2.4, WHITE))
    return drawn(pearls, 0.9)


def ace_of_swords() -> str:
    """A broad sword through a crown, with a ribbon and laurels."""
    blade = drawn(
        [
            path("M100 18 112 44V206H88V44Z", STEEL, stroke_width=2.2),
            plain([path("M100 18 112 44V206H100Z", BLUE)]),
            path("M96 48V196M104 48V196", stroke=NAVY, stroke_width=1.4),
            path("M100 30V206", stroke=NAVY, stroke_width=2),
            path("M88 206H112V44L100 18 88 44Z", stroke_width=2.2),
        ],
        2,
    )
    crown = drawn(
        [
            path("M68 116 60 88 78 98 84 78 100 94 116 78 122 98 140 88 132 116Z", GOLD),
            path("M66 116Q100 106 134 116V128Q100 118 66 128Z", RED),
            circle(60, 86, 4, WHITE, stroke_width=1.3),
            circle(84, 76, 4, WHITE, stroke_width=1.3),
            circle(116, 76, 4, WHITE, stroke_width=1.3),
            circle(140, 86, 4, WHITE, stroke_width=1.3),
            path("M100 111.6 105 116.8 100 122 95 116.8Z", BLUE, stroke_width=1.1),
            circle(80, 117.6, 3, GREEN, stroke_width=1.1),
            circle(120, 117.6, 3, GREEN, stroke_width=1.1),
        ],
        1.9,
    )
    hilt = drawn(
        [
            path("M92 214H108V268H92Z", RED, stroke_width=2),
            path(
                "M92 228 108 220M92 238 108 230M92 248 108 240M92 258 108 250M92 268 108 260",
                stroke=GOLD,
                stroke_width=3,
            ),
            path("M92 214H108V268H92Z", stroke_width=2),
            path(
                "M100 202C118 202 130 206 140 196 147 190 158 196 156 206 154 217 138 222 124"
                " 219 116 217 108 218"
                " 100 218S84 217 76 219C62 222 46 217 44 206 42 196 53 190 60 196 70 206 82 202"
                " 100 202Z",
                GOLD,
                stroke_width=2.2,
            ),
            circle(54, 205, 4.6, RED, stroke_width=1.4),
            circle(146, 205, 4.6, RED, stroke_width=1.4),
            path("M100 203 108 210.4 100 218 92 210.4Z", BLUE, stroke_width=1.5),
            circle(100, 276, 12, GOLD, stroke_width=2.2),
            path(petals(6, 1.5, 9, 50), RED, stroke_width=1, transform="translate(100 276)"),
        ],
        2,
    )
    sprays = use("laurel", 92, 178) + use("laurel", 108, 178, flip=True)
    return sprays + blade + placed(ribbon(RED, RED_DARK), 100, 170) + crown + hilt


def ace_of_clubs() -> str:
    """A great knotted club in leaf, tied with a ribbon."""
    leaf = path("M0 0C-14-4-20-18-15-32-3-29 6-15 0 0Z", LEAF)
    vein = path("M0 0Q-6-14-12-24", stroke_width=1.1)
    leaves = drawn(
        [
            placed(leaf + vein, 66, 104, 1.3, -40),
            placed(leaf + vein, 70, 96, 1.2, 20),
            placed(leaf + vein, 136, 136, 1.3, 100),
            placed(leaf + vein, 132, 128, 1.2, 40),
            placed(leaf + vein, 128, 232, 1.1, 110),
            placed(leaf + vein, 76, 204, 1.1, -70),
        ],
        1.5,
        GREEN_DARK,
    )
    return leaves + use("pip-b", 100, 154, 2.14) + placed(ribbon(RED, RED_DARK), 100, 196, 0.86)
