"""The examples of the page on movements do what they show."""

import doctest


def test_the_examples_of_the_page_on_movements_run() -> None:
    result = doctest.testfile("docs/clubs/movements.md", module_relative=False)
    assert result.attempted >= 3
    assert result.failed == 0
