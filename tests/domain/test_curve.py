"""The line of a rating: its numbers, and that it uses the height that it has."""

from hypothesis import given
from hypothesis import strategies as st

from tournaments.domain.curve import BELOW, HEIGHT, LEFT, TOP, WIDTH, draw_curve
from tournaments.domain.ratings import NEWCOMER

CURVES = st.lists(st.tuples(st.integers(-500, 3500), st.integers(1, 700)), min_size=1, max_size=40)


def points_of(path: str) -> list[tuple[float, float]]:
    texts = path.removesuffix(" Z")[1:].split(" L")
    return [(float(x), float(y)) for x, y in (text.split() for text in texts)]


@given(CURVES)
def test_a_drawing_keeps_everything_inside_its_frame(curve: list[tuple[int, int]]) -> None:
    drawing = draw_curve([(n, *point) for n, point in enumerate(curve, 1)])
    assert drawing is not None
    for path in filter(None, (drawing.band, drawing.line)):
        for x, y in points_of(path):
            assert LEFT <= x <= WIDTH
            assert TOP <= y <= HEIGHT - BELOW
    assert 2 <= len(drawing.ratings) <= 9
    assert len({line.label for line in drawing.matches}) == len(drawing.matches)


def test_the_height_is_that_of_the_ratings_and_not_of_their_margins() -> None:
    low, high = NEWCOMER.shown - 200, NEWCOMER.shown + 200
    drawing = draw_curve([(1, high, 500), (2, low, 400)])
    assert drawing is not None
    assert [(line.label, line.at) for line in drawing.ratings] == [
        (low, HEIGHT - BELOW),
        (low + 100, HEIGHT - BELOW - 37),
        (low + 200, HEIGHT - BELOW - 74),
        (low + 300, HEIGHT - BELOW - 111),
        (high, TOP),
    ]
    assert points_of(drawing.line) == [(LEFT, 82), (220, TOP), (WIDTH - 8, HEIGHT - BELOW)]
    assert drawing.band == ""  # it would fill the drawing
    narrow = draw_curve([(1, high, 100), (2, low, 50)])
    assert narrow is not None
    assert points_of(narrow.band)[1:3] == [(220, TOP), (WIDTH - 8, HEIGHT - BELOW - 18.5)]


def test_a_change_of_five_points_is_no_cliff() -> None:
    drawing = draw_curve([(1, NEWCOMER.shown + 5, 500)])
    assert drawing is not None
    (_, before), (_, after) = points_of(drawing.line)
    assert 0 < before - after < (HEIGHT - BELOW - TOP) / 10


def test_nothing_is_drawn_of_nobody() -> None:
    assert draw_curve([]) is None
