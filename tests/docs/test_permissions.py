"""The document of permissions holds the table that the code follows."""

import ast

from tournaments.core.permissions import CLUB_RIGHTS
from tournaments.domain.rights import MARK, RIGHTS, ROLES, TABLE, rights_table
from tournaments.environment import ROOT
from tournaments.models import ApiToken, Membership

DOCUMENT = ROOT / "docs" / "operators" / "permissions.md"
BESIDE = {"see"}  # what everybody may is asked by nobody


def test_the_table_of_the_document_is_the_one_the_code_follows() -> None:
    """To write it anew: put what `domain.rights.rights_table` says between the marks."""
    before, _, rest = DOCUMENT.read_text(encoding="utf-8").partition(MARK)
    table, _, after = rest.partition(MARK)
    assert before
    assert after
    assert f"{MARK}{table}{MARK}" == rights_table()


def test_the_words_of_the_table_are_those_of_roles_and_scopes() -> None:
    assert set(Membership.Role.values) <= set(ROLES)
    assert {right.scope for right in TABLE if right.scope} == set(ApiToken.Scope.values)
    assert {role for right in TABLE for role in right.who} == set(ROLES)
    assert len(RIGHTS) == len(TABLE)


def test_every_row_is_asked_for() -> None:
    tree = ast.parse((ROOT / "tournaments" / "core" / "permissions.py").read_text(encoding="utf-8"))
    requests = {
        node.slice.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "RIGHTS"
        and isinstance(node.slice, ast.Constant)
    }
    assert requests | {right.name for right in CLUB_RIGHTS} | BESIDE == set(RIGHTS)
