"""The examples of the library's page do what they show."""

import doctest
from types import ModuleType


def test_the_examples_of_the_library_page_run() -> None:
    result = doctest.testfile("docs/programs/library.md", module_relative=False)
    assert result.attempted > 20
    assert result.failed == 0


def test_every_public_name_can_be_imported() -> None:
    import engine

    names = dir(engine)
    assert len(names) > 100
    for name in names:
        # A public name that is also a module's would change its meaning with the first import.
        assert not isinstance(getattr(engine, name), ModuleType)


def test_the_example_of_the_package_runs() -> None:
    import engine

    assert doctest.testmod(engine).failed == 0
