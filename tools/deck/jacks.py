"""The four sotas: young pages on foot, in cap, doublet and hose."""

from __future__ import annotations

from dataclasses import dataclass

from tools.deck.faces import bob, cap, fist, fringe, head, in_fist, ruff
from tools.deck.ink import (
    BLUE,
    GOLD,
    GOLD_LIGHT,
    GREEN,
    GREEN_DARK,
    LEAF,
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
    """The colours of a page's clothes."""

    doublet: str
    shade: str
    trim: str
    sleeve: str
    slash: str
    left_hose: str
    right_hose: str
    shoe: str
    cape: str
    hat: str
    hat_band: str
    feather: str
    hair: str


PAGES = {
    "o": Wardrobe(
        RED,
        RED_DARK,
        GOLD,
        RED,
        GOLD_LIGHT,
        GOLD,
        BLUE,
        RED_DARK,
        BLUE,
        BLUE,
        NAVY,
        GOLD_LIGHT,
        "#8a4b1d",
    ),
    "c": Wardrobe(
        BLUE, NAVY, GOLD, BLUE, WHITE, RED, RED, NAVY, RED, RED, RED_DARK, WHITE, "#d9a441"
    ),
    "e": Wardrobe(
        GOLD,
        "#a86f10",
        BLUE,
        GREEN,
        GOLD_LIGHT,
        GREEN,
        STEEL,
        RED_DARK,
        RED,
        GREEN,
        GREEN_DARK,
        RED,
        "#3a2a22",
    ),
    "b": Wardrobe(
        GREEN,
        GREEN_DARK,
        GOLD,
        RED,
        GOLD_LIGHT,
        RED,
        GOLD,
        GREEN_DARK,
        RED,
        GREEN_DARK,
        RED,
        GOLD,
        "#b4511c",
    ),
}

#: The lower edge of the doublet, from right to left.
HEMS = {
    "o": "Q94 216 58 206",
    "c": "Q122 217 112.5 214 106 222 97 216 88 222 79 214 68 218 58 206",
    "e": "L121 220 112 211 103 223 94 213 85 223 76 211 67 220 58 206",
    "b": "Q124 216 117 217 112 208 108 209 106 220 98 220 92 210 88 211 86 221 78 220 72 209"
    " 68 211 64 218 58 206",
}

HAND = {"o": (149, 140), "c": (149, 146), "e": (150, 198), "b": (150, 174)}


def jack(suit: str) -> str:
    """The figure of a sota."""
    wear = PAGES[suit]
    return "".join(
        [
            _ground(),
            _cape(wear),
            _legs(wear),
            _doublet(suit, wear),
            _resting_arm(wear),
            _raised_arm(suit, wear),
            placed(bob(wear.hair), 92, 88),
            ruff(92, 108),
            placed(head(wear.hair) + fringe(wear.hair), 92, 88),
            placed(cap(wear.hat, wear.hat_band, wear.feather), 92, 74),
        ]
    )


def _ground() -> str:
    tufts = "".join(
        f"M{x} 288q-1-6-4-8M{x} 288q0-6 1-10M{x} 288q2-5 5-7" for x in (42, 92, 100, 132)
    )
    return drawn(
        [
            path("M28 290Q44 280 70 282 100 276 122 282 138 282 141 290Z", LEAF),
            path(tufts, stroke=GREEN_DARK, stroke_width=1.4),
        ],
        1.5,
        GREEN_DARK,
    )


def _cape(wear: Wardrobe) -> str:
    return drawn(
        [
            path("M74 116C54 124 40 160 34 222Q44 232 54 226 62 232 72 226L82 140Z", wear.cape),
            path("M60 140Q48 176 45 226M70 148Q60 186 58 226", stroke_width=1.3),
            path(
                "M34.6 216Q44 225 54 219 62 225 73 219L72 226Q62 232 54 226 44 232 34 222Z",
                wear.trim,
                stroke_width=1.3,
            ),
        ],
        2,
    )


def _legs(wear: Wardrobe) -> str:
    return drawn(
        [
            path(
                "M94 204C96 226 104 242 103 256L106 278H118C118 262 124 246 122 226L123 204Z",
                wear.right_hose,
            ),
            path("M106 278C104 284 108 288 116 288H138C138 283 128 281 118 276Z", wear.shoe),
            path(
                "M62 204C62 226 66 240 66 254L70 280H82C82 262 88 244 90 226L92 204Z",
                wear.left_hose,
            ),
            path("M82 278C84 285 80 289 72 289H50C50 284 60 282 70 277Z", wear.shoe),
            path("M72 224Q74 244 75 270M113 222Q114 244 112 268", stroke_width=1.2),
            path(
                "M64.4 234Q77 240 88.6 233L88 239Q77 246 65.2 240ZM99.4 234Q111 240 122.6"
                " 233L122.8 239Q112 246 101.2 240Z",
                wear.trim,
                stroke_width=1.2,
            ),
        ],
        2,
    )


def _doublet(suit: str, wear: Wardrobe) -> str:
    ornament = {
        "o": [
            path(
                "M82 116 80 168H88L89 114ZM96 114 97 168H105L103 116Z", wear.trim, stroke_width=1.2
            ),
            path(
                "M74 180 68 207 78 209 82 181ZM90 182 88 211H98L96 182ZM104 181 108 209 118 207"
                " 112 180Z",
                wear.trim,
                stroke_width=1.2,
            ),
        ],
        "c": [
            path("M92 112V168", stroke_width=1.4),
            *(circle(92, y, 2.6, wear.trim, stroke_width=1.1) for y in (118, 129, 140, 151, 162)),
            path(
                "M80 124q-5 12-1 26M104 124q5 12 1 26",
                stroke=wear.slash,
                stroke_width=3.4,
                stroke_linecap="round",
            ),
            path(
                "M76 184 70 208M87 184 85 212M98 184 100 212M109 184 115 208",
                stroke=wear.shade,
                stroke_width=1.8,
            ),
        ],
        "e": [
            plain(
                [
                    path(
                        "M92 112 101 126 92 140 83 126ZM92 140 101 154 92 168 83 154Z"
                        "M74 124 83 138 75 152 72 140ZM110 124 101 138 109 152 112 140Z"
                        "M76 184 84 197 75 210 66 200ZM92 184 101 198 92 212 83 198ZM109 184 118"
                        " 199 110 210 101 197Z",
                        wear.trim,
                    )
                ]
            ),
        ],
        "b": [
            path("M86 112 90 168H95L99 112Z", wear.slash, stroke_width=1.2),
            path(
                "M87 120 98 127M98 120 87 127M88 133 97 140M97 133 88 140M89 146 96 153M96 146"
                " 89 153",
                stroke_width=1.3,
            ),
            path(
                "M74 184 66 210M84 184 80 214M92 184V210M100 184 104 214M110 184 118 210",
                stroke=wear.shade,
                stroke_width=1.8,
            ),
        ],
    }[suit]
    return drawn(
        [
            path(
                f"M70 114Q92 104 114 114C119 134 116 154 113 172L126 206{HEMS[suit]}L71 172C67"
                " 154 65 134 70 114Z",
                wear.doublet,
            ),
            *ornament,
            path("M69 168Q92 177 115 168L115.6 178Q92 187 68.4 178Z", wear.trim, stroke_width=1.6),
            path("M86 171.6H98V184.6H86Z", GOLD_LIGHT, stroke_width=1.4),
            path("M92 174 96 178 92 182 88 178Z", wear.doublet, stroke_width=0.9),
        ],
        2,
    )


def _puff(wear: Wardrobe, x: float, y: float, flip: bool) -> str:
    """A slashed puff at the shoulder."""
    return placed(
        drawn(
            [
                path("M10-14C-6-18-18-6-16 10-14 20 0 22 8 16 14 6 14-6 10-14Z", wear.sleeve),
                path(
                    "M2-13Q-6 0-3 17M-7-9Q-13 2-9 14",
                    stroke=wear.slash,
                    stroke_width=3,
                    stroke_linecap="round",
                ),
            ],
            1.9,
        ),
        x,
        y,
        flip=flip,
    )


def _resting_arm(wear: Wardrobe) -> str:
    return (
        drawn(
            [
                path(
                    "M58 130C44 146 38 160 44 168 50 178 62 180 72 178L72 166C64 164 60 162 60"
                    " 158 62 150 68 144 72 138Z",
                    wear.sleeve,
                ),
                path(
                    "M50 150Q48 160 54 168",
                    stroke=wear.slash,
                    stroke_width=2.2,
                    stroke_linecap="round",
                ),
                path("M64 163 73 164 73 180 63 180Z", wear.slash, stroke_width=1.5),
            ],
            2,
        )
        + fist(78, 173, 176)
        + _puff(wear, 66, 126, False)
    )


def _raised_arm(suit: str, wear: Wardrobe) -> str:
    x, y = HAND[suit]
    if y > 160:
        arm = [
            path(
                f"M116 132C130 140 142 {y - 22} {x + 5} {y - 10}L{x - 9} {y + 9}C126 {y - 2} 112"
                " 160 108 140Z",
                wear.sleeve,
            ),
            path(
                f"M{x - 4} {y - 17}L{x + 7} {y - 5} {x - 6} {y + 13} {x - 15} {y + 4}Z",
                wear.slash,
                stroke_width=1.5,
            ),
        ]
    else:
        arm = [
            path(
                f"M112 128C126 138 136 152 138 162L{x - 7} {y + 8} {x + 8} {y + 8}C158 176 150"
                " 192 138 188 124 180 112 160 106 142Z",
                wear.sleeve,
            ),
            path(
                "M122 152Q128 170 138 178",
                stroke=wear.slash,
                stroke_width=2.4,
                stroke_linecap="round",
            ),
            path(
                f"M{x - 9} {y + 4}H{x + 10}L{x + 11} {y + 15}H{x - 11}Z",
                wear.slash,
                stroke_width=1.5,
            ),
        ]
    return drawn(arm, 2) + in_fist(suit, x, y) + _puff(wear, 117, 126, True)
