"""Which operations of a migration the release before survives.

While a new release starts, the one before still reads and writes. It names the columns that it
knows: a new one has to be null or have a default *in the database*, since Django's own default is
not there when another release inserts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.db.migrations.operations import (
    AddConstraint,
    AddField,
    AddIndex,
    AlterField,
    AlterModelManagers,
    AlterModelOptions,
    AlterModelTable,
    CreateModel,
    RemoveConstraint,
    RemoveIndex,
    RenameField,
    RenameModel,
    RunPython,
    RunSQL,
    SeparateDatabaseAndState,
)
from django.db.models import BaseConstraint, CheckConstraint, Field, Q

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator, Mapping

    from django.db.migrations import Migration
    from django.db.migrations.operations.base import Operation
    from django.db.migrations.state import ProjectState

HARMLESS = (
    *(CreateModel, AddIndex, RemoveIndex, RemoveConstraint),
    *(AlterModelOptions, AlterModelManagers),
)


def faults(
    migrations: list[Migration], state: ProjectState, allowed: Collection[tuple[str, str]] = ()
) -> Iterator[str]:
    """Name what the release before would not survive, in migrations that follow a state."""
    fields_by_key = {key: frozenset(model.fields) for key, model in state.models.items()}
    for migration in migrations:
        for operation in migration.operations:
            description = operation.describe()
            wrong = fault_of(operation, state, migration.app_label, fields_by_key)
            operation.state_forwards(migration.app_label, state)
            if isinstance(operation, RenameModel):
                app = migration.app_label
                columns = fields_by_key.pop((app, operation.old_name_lower), frozenset())
                fields_by_key[app, operation.new_name_lower] = columns
            if wrong and (migration.name, description) not in allowed:
                yield f"{migration.name}: {description}: {wrong}"


def fault_of(
    operation: Operation,
    state: ProjectState,
    app: str,
    texts: Mapping[tuple[str, str], Collection[str]],
) -> str:
    """Return what is wrong with an operation; ``texts`` are the columns of the release before.

    It writes none of the others, so that they have what the database gives them.
    """
    if isinstance(operation, HARMLESS):
        return ""
    if only_in_python(operation, state, app):
        return ""
    if isinstance(operation, RunPython):
        return "" if operation.reversible else "cannot be taken back"
    if isinstance(operation, RunSQL | SeparateDatabaseAndState):
        return "goes around Django: nobody can tell what the release before would meet"
    text = getattr(operation, "model_name", getattr(operation, "name", "")).lower()
    if (app, text) not in texts:
        return ""  # the release before has never seen the table
    if isinstance(operation, AddField):
        return added(operation.field)
    if isinstance(operation, AlterField):
        before = state.models[app, text].fields[operation.name]
        return altered(before, operation.field)
    if isinstance(operation, AddConstraint):
        return constrained(operation.constraint, texts[app, text])
    return "takes away or renames what it uses"


def only_in_python(operation: Operation, state: ProjectState, app: str) -> bool:
    """Return whether an operation names a model or field otherwise, and nothing in the database."""
    if isinstance(operation, AlterModelTable):
        return operation.table == f"{app}_{operation.name_lower}"
    if isinstance(operation, RenameModel):
        return "db_table" in state.models[app, operation.old_name_lower].options
    if isinstance(operation, RenameField):
        model = state.models[app, operation.model_name_lower]
        return model.fields[operation.old_name].db_column is not None
    return False


def constrained(constraint: BaseConstraint, texts: Collection[str]) -> str:
    """Return what is wrong with a new constraint: nothing, if it asks for new columns alone."""
    if isinstance(constraint, CheckConstraint) and isinstance(constraint.condition, Q):
        fields = constraint.condition.referenced_base_fields
        return "refuses rows that it may write" if fields & set(texts) else ""
    return "refuses rows that it may write"


def added(field: Field[Any, Any]) -> str:
    """Return what is wrong with a new column of a table that the release before writes."""
    if field.many_to_many or field.null or field.has_db_default():
        return "would refuse two rows alike" if field.unique and not field.null else ""
    return "is neither null nor has a default in the database (db_default)"


def altered(before: Field[Any, Any], after: Field[Any, Any]) -> str:
    """Return what is wrong with a change of a column; wider is right, other words are."""
    if type(before) is not type(after):
        return "changes the type"
    if before.null and not after.null:
        return "no longer takes what it writes: null"
    if after.unique and not before.unique:
        return "becomes unique"
    if before.has_db_default() and not after.has_db_default() and not after.null:
        return "loses the default that its rows need"
    lengths = (getattr(before, "max_length", None), getattr(after, "max_length", None))
    if lengths[1] is not None and (lengths[0] is None or lengths[1] < lengths[0]):
        return "becomes shorter"
    return ""
