"""The four kings: crowned, bearded, in robe and mantle, their pip in the raised hand."""

from __future__ import annotations

from dataclasses import dataclass

from tools.deck.faces import beard, crown, fist, head, in_fist, long_hair
from tools.deck.ink import (
    BLUE,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    INK,
    NAVY,
    RED,
    RED_DARK,
    STEEL,
    WHITE,
    circle,
    drawn,
    path,
    placed,
    plain,
)


@dataclass(frozen=True)
class Wardrobe:
    """The colours of a king's clothes."""

    mantle: str
    lining: str
    robe: str
    robe_shade: str
    panel: str
    pattern: str
    sleeve: str
    cuff: str
    hair: str


KINGS = {
    "o": Wardrobe(RED, GOLD_LIGHT, BLUE, NAVY, GOLD, RED, BLUE, GOLD, "#7a4420"),
    "c": Wardrobe(BLUE, STEEL, RED, RED_DARK, GOLD_LIGHT, GREEN, RED, GOLD, "#e9e2d0"),
    "e": Wardrobe(GREEN, "#cfe3a8", "#d98f2b", "#9a5a10", STEEL, NAVY, "#d98f2b", RED, "#2f2420"),
    "b": Wardrobe(RED_DARK, "#eab8a8", GREEN, GREEN_DARK, GOLD, RED, GREEN, GOLD, "#b4511c"),
}

#: Height of the hand that holds the pip: under a coin or a cup, at the hilt, at the club's middle.
HAND = {"o": (150, 132), "c": (150, 138), "e": (151, 196), "b": (151, 172)}


def king(suit: str) -> str:
    """The figure of a king."""
    wear = KINGS[suit]
    return "".join(
        [
            _mantle(wear),
            _shoes(wear),
            _robe(suit, wear),
            _resting_arm(wear),
            _raised_arm(suit, wear),
            placed(long_hair(wear.hair), 94, 84, 1.04),
            _collar(suit),
            placed(head(wear.hair) + beard(suit, wear.hair), 94, 84, 1.04),
            placed(crown(suit), 94, 68, 1.06),
        ]
    )


def _mantle(wear: Wardrobe) -> str:
    return drawn(
        [
            path(
                "M72 118C48 124 40 172 30 276Q42 286 58 281L76 282H114L132 281Q140 284 144 240"
                "C146 180 140 124 116 118Z",
                wear.lining,
            ),
            path("M72 118C48 124 40 172 30 276Q40 284 52 281C60 220 62 170 78 124Z", wear.mantle),
            path(
                "M116 118C140 124 148 180 143 236 141 262 139 278 134 282Q130 284 126 281C126"
                " 220 124 170 110 124Z",
                wear.mantle,
            ),
            path("M58 140Q46 190 40 270M132 150Q140 190 136 262", stroke_width=1.3),
        ],
        2,
    )


def _shoes(wear: Wardrobe) -> str:
    shoe = path("M-14 6C-16 0-6-6 6-6L10 6Z", wear.pattern)
    return drawn([placed(shoe, 78, 285), placed(shoe, 110, 285, flip=True)], 1.8)


def _robe(suit: str, wear: Wardrobe) -> str:
    motif = {
        "o": "M94 {0}l6 8-6 8-6-8Z",
        "c": "M94 {0}c6 0 6 7 0 8 6 1 6 8 0 8-6 0-6-7 0-8-6-1-6-8 0-8Z",
        "e": "M94 {0}l4 5h4l-3 4 2 6-7-3-7 3 2-6-3-4h4Z",
        "b": "M94 {0}q9 6 0 16-9-10 0-16Z",
    }[suit]
    motifs = "".join(motif.format(y) for y in (150, 174, 210, 234, 258))
    folds = (
        "M64 214Q58 246 57 280M73 214Q69 250 69 283M124 214Q130 246 131 280M115 214Q119 250 119 283"
    )
    return drawn(
        [
            path(
                "M74 120C66 150 68 176 69 196 60 226 56 254 54 280Q94 292 134 280C132 254 128"
                " 226 119 196 120 176 122 150 114 120Z",
                wear.robe,
            ),
            path(folds, stroke=wear.robe_shade, stroke_width=2),
            path(
                "M84 122 81 196 76 285Q94 288 112 285L107 196 104 122Z",
                wear.panel,
                stroke_width=1.6,
            ),
            plain([path(motifs, wear.pattern)]),
            path("M54 274Q94 286 134 274L134.4 282Q94 294 53.6 282Z", GOLD, stroke_width=1.5),
            path("M67 192Q94 202 121 192L121.4 201Q94 211 66.6 201Z", GOLD, stroke_width=1.5),
            path("M94 197 99 202 94 207 89 202Z", wear.pattern, stroke_width=1),
            *(
                circle(x, 199 + dy, 1.8, WHITE, stroke_width=0.8)
                for x, dy in ((76, 0.6), (83, 2), (105, 2), (112, 0.6))
            ),
        ],
        2,
    )


def _resting_arm(wear: Wardrobe) -> str:
    """The arm on the left of the card, its hand at the belt."""
    return drawn(
        [
            path(
                "M66 126C50 138 44 168 48 190 54 200 66 196 76 190L72 176Q68 150 76 134Z",
                wear.sleeve,
            ),
            path(
                "M60 142Q54 162 57 180M68 146Q63 164 65 182",
                stroke=wear.robe_shade,
                stroke_width=1.8,
            ),
            path("M68 178 78 176 83 191 73 197Z", wear.cuff, stroke_width=1.6),
        ],
        2,
    ) + fist(84, 185, 172)


def _raised_arm(suit: str, wear: Wardrobe) -> str:
    """The arm on the right of the card, up to the hand that holds the pip."""
    x, y = HAND[suit]
    if y > 160:
        arm = [
            path(
                f"M120 124C138 130 148 {y - 24} {x + 6} {y - 12}L{x - 8} {y + 12}C128 {y + 8}"
                " 114 160 112 136Z",
                wear.sleeve,
            ),
            path(f"M124 138Q132 160 {x - 10} {y - 4}", stroke=wear.robe_shade, stroke_width=1.8),
            path(
                f"M{x - 3} {y - 16}L{x + 8} {y - 4} {x - 6} {y + 14} {x - 15} {y + 6}Z",
                wear.cuff,
                stroke_width=1.6,
            ),
        ]
    else:
        arm = [
            path(
                f"M118 124C132 124 140 146 138 160L{x - 8} {y + 8} {x + 10} {y + 8}C166 172 154"
                " 196 140 194 122 190 112 164 110 138Z",
                wear.sleeve,
            ),
            path(
                f"M122 140Q126 166 140 178M{x - 1} {y + 18}Q154 176 142 182",
                stroke=wear.robe_shade,
                stroke_width=1.8,
            ),
            path(
                f"M{x - 10} {y + 4}H{x + 11}L{x + 12} {y + 17}H{x - 12}Z",
                wear.cuff,
                stroke_width=1.6,
            ),
        ]
    return drawn(arm, 2) + in_fist(suit, x, y)


def _collar(suit: str) -> str:
    """Ermine over the shoulders."""
    tails = "".join(
        f"M{x} {y}l1.6 6-1.6 2-1.6-2Z"
        for x, y in ((68, 126), (80, 133), (94, 137), (108, 133), (120, 126))
    )
    return drawn(
        [
            path(
                "M64 118Q70 104 94 104T124 118Q132 130 126 142 110 154 94 154T62 142Q56 130 64"
                " 118Z",
                WHITE,
            ),
            plain([path(tails, INK)]),
            path("M94 148 100 156 94 164 88 156Z", RED if suit != "c" else BLUE, stroke_width=1.4),
            circle(94, 156, 2, GOLD, stroke_width=0.8),
        ],
        1.9,
    )
