"""The four caballos: a rider on a prancing horse, facing left."""

from __future__ import annotations

from dataclasses import dataclass

from tools.deck.faces import (
    beard,
    bob,
    fist,
    fringe,
    head,
    helmet,
    in_fist,
    long_hair,
    plumed_hat,
    ruff,
    turban,
)
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
    circle,
    drawn,
    path,
    placed,
)


@dataclass(frozen=True)
class Outfit:
    """The colours of a rider and the horse."""

    coat: str
    far_coat: str
    mane: str
    tack: str
    cloth: str
    cloth_trim: str
    tunic: str
    shade: str
    sleeve: str
    hose: str
    boot: str
    cape: str
    hair: str


RIDERS = {
    "o": Outfit(
        "#f1ece2",
        "#cfc6b6",
        "#d8a94a",
        RED,
        RED,
        GOLD,
        BLUE,
        NAVY,
        BLUE,
        GOLD,
        "#6b3a1a",
        RED,
        "#7a4420",
    ),
    "c": Outfit(
        "#a8622f",
        "#7c4420",
        "#3a211a",
        BLUE,
        BLUE,
        GOLD,
        RED,
        RED_DARK,
        RED,
        WHITE,
        NAVY,
        GREEN,
        "#d9a441",
    ),
    "e": Outfit(
        "#8f9aa6",
        "#66717d",
        "#3a424c",
        RED,
        GOLD,
        RED,
        STEEL,
        NAVY,
        STEEL,
        BLUE,
        "#3f566e",
        RED,
        "#3a2a22",
    ),
    "b": Outfit(
        "#4b3328",
        "#33221b",
        "#1c1411",
        GOLD,
        RED,
        GOLD,
        GREEN,
        GREEN_DARK,
        GREEN,
        GOLD,
        RED_DARK,
        GOLD,
        "#3a2a22",
    ),
}

HAND = {"o": (152, 108), "c": (152, 116), "e": (152, 132), "b": (152, 124)}


def knight(suit: str) -> str:
    """The figure of a caballo."""
    look = RIDERS[suit]
    return "".join(
        [
            _ground(),
            _tail(look),
            _far_legs(look),
            _cape(look),
            _horse(look),
            _mane(look),
            _bridle(look),
            _saddle(suit, look),
            _leg(look),
            _torso(suit, look),
            _arms(suit, look),
            placed(_head(suit, look), 100, 68, 0.94),
        ]
    )


def _ground() -> str:
    tufts = "".join(
        f"M{x} 290q-1-6-4-8M{x} 290q0-6 1-10M{x} 290q2-5 5-7" for x in (34, 50, 90, 134)
    )
    return drawn(
        [
            path("M20 292Q34 283 60 285 92 279 118 285 136 284 142 292Z", LEAF),
            path(tufts, stroke_width=1.4),
        ],
        1.5,
        GREEN_DARK,
    )


def _tail(look: Outfit) -> str:
    return drawn(
        [
            path(
                "M150 170C168 164 180 176 177 194 175 204 178 210 174 219 169 214 168 221 161"
                " 218 163 208 159 202 160 194 160 187 154 183 148 183Z",
                look.mane,
            ),
            path(
                "M161 176Q172 182 169 200 167 208 169 213", stroke=look.far_coat, stroke_width=1.4
            ),
        ],
        1.8,
    )


def _far_legs(look: Outfit) -> str:
    return drawn(
        [
            # far foreleg, on the ground
            path(
                "M66 204C66 224 70 234 69 246L66 270H78C78 256 82 244 82 232L86 206Z", look.far_coat
            ),
            path("M66 269 62 283H81L79 269Z", INK),
            # far hind leg
            path(
                "M118 204C112 222 106 230 106 240L100 270H112C114 258 120 248 124 240 130 230"
                " 136 220 138 210Z",
                look.far_coat,
            ),
            path("M100 269 95 283H114L112 269Z", INK),
        ],
        1.9,
    )


def _cape(look: Outfit) -> str:
    return drawn(
        [
            path(
                "M112 98C132 102 150 130 164 162Q154 172 144 166 136 174 124 168L110 120Z",
                look.cape,
            ),
            path("M120 112Q136 138 144 166M116 118Q124 146 125 168", stroke_width=1.2),
        ],
        1.9,
    )


def _horse(look: Outfit) -> str:
    return drawn(
        [
            # raised near foreleg
            path(
                "M58 196C46 204 34 210 31 220 29 230 36 242 41 254L51 250C47 240 44 232 46 226"
                " 52 222 66 222 74 214Z",
                look.coat,
            ),
            path("M41 253 36 262Q44 270 53 266L52 249Z", INK),
            # near hind leg
            path(
                "M128 204C132 222 138 230 137 240L126 270H138C142 256 152 246 153 238 156 224"
                " 164 210 162 196Z",
                look.coat,
            ),
            path("M126 269 121 283H140L138 269Z", INK),
            # body, neck and head
            path(
                "M56 110C60 103 60 99 64 96 68 102 70 106 70 110 84 120 92 140 98 156 116 166"
                " 134 160 148 166"
                " 164 172 168 190 162 206 156 220 142 222 128 216 112 222 92 224 78 216 62 216"
                " 54 206 54 194"
                " 54 184 60 176 60 168 60 160 58 156 56 152 50 158 46 160 44 166 40 176 30 178"
                " 26 172"
                " 22 166 27 158 32 150 38 138 46 118 56 110Z",
                look.coat,
            ),
            path(
                "M60 168Q64 158 62 148M56 152Q60 148 61 142M142 214Q154 206 156 192M70 214Q64"
                " 206 64 198",
                stroke_width=1.3,
            ),
            # ear, eye, nostril, mouth
            path("M55 111C52 104 52 98 54 93 60 98 63 104 63 110Z", look.coat),
            path("M45 131Q49 126 54 129 51 134 45 131Z", WHITE, stroke_width=1.2),
            circle(49.6, 130.4, 1.9, INK, stroke="none"),
            path(
                "M31 163Q33 160 35 162M28 172Q34 173 38 168",
                stroke_width=1.5,
                stroke_linecap="round",
            ),
        ],
        2,
    )


def _mane(look: Outfit) -> str:
    return drawn(
        [
            path(
                "M58 107C62 101 68 104 71 108 86 114 96 132 100 152 94 150 94 158 88 152 88 160"
                " 80 156 80 148"
                " 76 152 72 146 74 138 69 140 67 134 70 128 64 128 63 122 66 118 62 118 58 114"
                " 58 107Z",
                look.mane,
            ),
            path(
                "M58 106C50 106 46 112 45 120 49 118 51 120 52 116 54 118 56 116 57 112Z",
                look.mane,
                stroke_width=1.5,
            ),
            path(
                "M72 114Q84 128 90 148M70 122Q78 132 81 146", stroke=look.far_coat, stroke_width=1.3
            ),
        ],
        1.8,
    )


def _bridle(look: Outfit) -> str:
    return drawn(
        [
            path(
                "M30 152Q38 154 45 161M57 118Q52 136 54 152M36 145 55 137",
                stroke=look.tack,
                stroke_width=3.4,
            ),
            path("M45 161Q66 158 86 148", stroke=look.tack, stroke_width=2.4),
            path("M55 186Q66 196 88 190", stroke=look.tack, stroke_width=4.4),
            circle(43, 160, 3.2, GOLD, stroke_width=1.2),
            circle(62, 192.4, 3.2, GOLD, stroke_width=1.2),
            circle(76, 193, 3.2, GOLD, stroke_width=1.2),
        ],
        1.6,
    )


def _saddle(suit: str, look: Outfit) -> str:
    hem = {
        "o": "L128 216 118 210 108 218 98 210 84 214",
        "c": "Q120 222 114 214 106 224 100 214 92 222 84 213",
        "e": "V216H84V212",
        "b": "L126 222 121 212 114 222 108 212 101 222 95 212 88 222 84 212",
    }[suit]
    motif = {
        "o": "M118 186l5 7-5 7-5-7Z",
        "c": "M118 186c5 0 5 6 0 7 5 1 5 7 0 7-5 0-5-6 0-7-5-1-5-7 0-7Z",
        "e": "M112 188h12l-6 13Z",
        "b": "M118 185q8 7 0 15-8-8 0-15Z",
    }[suit]
    return drawn(
        [
            path(f"M88 158Q110 170 132 160L136 210{hem}Z", look.cloth),
            path("M85.6 204Q110 210 135.4 202", stroke=look.cloth_trim, stroke_width=3),
            path(motif, look.cloth_trim, stroke_width=1),
            path(
                "M84 154C86 146 92 150 96 154 106 160 118 160 126 154 132 148 138 150 136 160"
                " 124 170 98 170 84 154Z",
                "#7b4a21",
            ),
        ],
        1.9,
    )


def _leg(look: Outfit) -> str:
    return drawn(
        [
            path(
                "M98 148C84 156 80 168 86 178L90 206H104L103 180C112 176 122 170 124 158Z",
                look.hose,
            ),
            path("M88 196H105L106 218C104 226 96 228 80 228 78 222 86 220 89 214Z", look.boot),
            path("M87 192H106V199H87.6Z", GOLD_LIGHT, stroke_width=1.3),
            path(
                "M82 229H106V233H82ZM86 229Q84 216 95 208 107 214 103 229",
                stroke=GOLD_DARK,
                stroke_width=2,
            ),
        ],
        1.9,
    )


def _torso(suit: str, look: Outfit) -> str:
    ornament = {
        "o": [
            path("M97 106 94 150M105 106 106 152", stroke=GOLD, stroke_width=3.4),
        ],
        "c": [
            path("M100 104V150", stroke_width=1.3),
            *(circle(100, y, 2.4, GOLD, stroke_width=1) for y in (110, 120, 130, 140)),
            path(
                "M91 114q-3 12 0 24M110 114q4 12 2 24",
                stroke=WHITE,
                stroke_width=2.8,
                stroke_linecap="round",
            ),
        ],
        "e": [
            path(
                "M101 102V144M84 120Q101 130 119 120M85 132Q101 142 119 132",
                stroke=look.shade,
                stroke_width=1.6,
            ),
            path("M92 106Q88 114 89 122", stroke=WHITE, stroke_width=2.6, stroke_linecap="round"),
        ],
        "b": [
            path("M88 106 114 148M114 106 92 148", stroke=GOLD, stroke_width=3.2),
            circle(102, 127, 4.6, RED, stroke_width=1.2),
        ],
    }[suit]
    return drawn(
        [
            path(
                "M84 104Q101 94 118 104C122 122 120 136 120 146L128 162Q106 172 84 160L86 146C84"
                " 136 81 122 84 104Z",
                look.tunic,
            ),
            *ornament,
            path(
                "M85.6 142Q102 150 120 143L121 151Q102 159 85.6 150Z",
                GOLD if suit != "b" else RED,
                stroke_width=1.4,
            ),
        ],
        1.9,
    )


def _arms(suit: str, look: Outfit) -> str:
    x, y = HAND[suit]
    rein = drawn(
        [
            path("M88 104C76 110 70 126 70 140L82 150 88 142C86 134 92 128 98 122Z", look.sleeve),
            path("M70 137 84 147 80 154 66 145Z", GOLD_LIGHT, stroke_width=1.4),
        ],
        1.9,
    ) + fist(72, 152, -20)
    raised = drawn(
        [
            path(
                f"M110 102C124 100 134 112 138 122L{x - 8} {y + 8} {x + 7} {y + 9}C160 138 148"
                " 152 136 148 124 142 112 130 106 118Z",
                look.sleeve,
            ),
            path(
                f"M{x - 9} {y + 4}H{x + 10}L{x + 11} {y + 14}H{x - 11}Z",
                GOLD_LIGHT,
                stroke_width=1.4,
            ),
            path("M120 118Q126 134 138 140", stroke=look.shade, stroke_width=1.6),
        ],
        1.9,
    )
    return rein + raised + in_fist(suit, x, y, short=True)


def _head(suit: str, look: Outfit) -> str:
    face = ruff(0, 17) + placed(head(look.hair), 0, 0, flip=True)
    if suit == "o":
        return bob(look.hair) + face + placed(plumed_hat(RED, RED_DARK, GOLD_LIGHT), 0, -12)
    if suit == "c":
        hat = placed(plumed_hat(GREEN, GREEN_DARK, WHITE), 0, -12)
        return long_hair(look.hair) + face + fringe(look.hair) + hat
    if suit == "e":
        return face + placed(helmet(STEEL, RED), 0, -8)
    return face + beard("o", look.hair) + placed(turban(WHITE, GOLD), 0, -10)
