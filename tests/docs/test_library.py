"""The examples of the library's page do what they show."""

import doctest


def test_the_examples_of_the_library_page_run() -> None:
    result = doctest.testfile("docs/library.md", module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_the_example_of_the_package_runs() -> None:
    import engine

    assert doctest.testmod(engine).failed == 0
