"""Static files as they are collected: under the hash of their content, scripts with imports too."""

from __future__ import annotations

import re
from pathlib import Path

from django.contrib.staticfiles import finders
from django.core.files.storage import FileSystemStorage

from tournaments.core.static import ModuleStaticFilesStorage

HASHED = re.compile(r"\.\.?/((recorder|tute)/)?[a-z]+\.[0-9a-f]{12}\.js")


def collected(folder: Path) -> dict[str, str]:
    """Collect our scripts; return each by its name, as it is served."""
    source = finders.find("js")
    assert isinstance(source, str)
    source_storage = FileSystemStorage(Path(source).parent)
    storage = ModuleStaticFilesStorage(location=folder, base_url="/static/")
    paths = {}
    for path in Path(source).rglob("*.js"):
        name = str(path.relative_to(Path(source).parent))
        paths[name] = (source_storage, name)
        with source_storage.open(name) as text:
            storage.save(name, text)
    assert all(is_done for _name, _hashed, is_done in storage.post_process(paths))
    return {name: (folder / storage.stored_name(name)).read_text() for name in paths}


def test_a_script_imports_others_under_the_names_that_they_are_served_by(tmp_path: Path) -> None:
    scripts = collected(tmp_path)
    imported = {
        (name, path)
        for name, text in scripts.items()
        for path in re.findall(r'^(?:import .*|\}) ?(?:from )?"(\./[^"]+)";', text, re.MULTILINE)
    }
    assert len({name for name, _path in imported}) > 5
    for name, path in imported:
        assert HASHED.fullmatch(path), (name, path)
        assert (tmp_path / name).parent.joinpath(path).is_file(), (name, path)
