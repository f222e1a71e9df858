"""What the check of a history found wrong."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

FAULTS: Final = {
    "edited": (
        "no dice lo que se anotó: este suceso o el anterior se han cambiado",
        "it does not say what was written: this event or the one before it was changed",
    ),
    "deleted": (
        "faltan los sucesos hasta el {until}: se han borrado",
        "the events up to {until} are missing: they were deleted",
    ),
    "inserted": (
        "se ha metido aquí un suceso que no estaba",
        "an event was put in here that was not there",
    ),
    "truncated": (
        "falta el final: había sucesos hasta el {until} ({by})",
        "the end is missing: there were events up to {until} ({by})",
    ),
    "rewritten": (
        "la historia hasta el {until} no es la que consta ({by}): se ha vuelto a escribir",
        "the history up to {until} is not the one on file ({by}): it was written anew",
    ),
    "unchained": (
        "no está en la cadena todavía: lo escribió una versión anterior",
        "it is not in the chain yet: an earlier release wrote it",
    ),
    "uncovered_redaction": (
        "sus textos se han cambiado sin que ningún suceso lo diga",
        "its texts were replaced and no event tells of it",
    ),
    "bad_redaction": (
        "dice qué textos se cambiaron, pero no se puede leer",
        "it tells which texts were replaced, and cannot be read",
    ),
    "bad_signature": (
        "la firma del punto de control {checkpoint} no es buena",
        "the signature of checkpoint {checkpoint} is not good",
    ),
    "unknown_key": (
        "el punto de control {checkpoint} lleva la firma de otra clave: {key}",
        "checkpoint {checkpoint} is signed by another key: {key}",
    ),
    "checkpoint_missing": (
        "falta el punto de control {checkpoint}",
        "checkpoint {checkpoint} is missing",
    ),
    "checkpoint_changed": (
        "el punto de control {checkpoint} no sigue al anterior",
        "checkpoint {checkpoint} does not follow the one before it",
    ),
}

FILES: Final = {
    "no_trail": ("esto no es una historia de Baza", "this is no history of Baza"),
    "cut_short": ("el fichero está cortado", "the file was cut short"),
    "changed_file": (
        "el fichero no es como se escribió: su huella o su cuenta son otras",
        "the file is not as it was written: its hash or its count differ",
    ),
    "bad_json": ("la línea no es JSON", "the line is no JSON"),
    "bad_field": (
        "falta un campo o no es de su tipo",
        "a field is missing or not of its type",
    ),
    "too_long": ("la línea es demasiado larga", "the line is too long"),
    "unknown_line": ("la línea no es de una historia", "the line is not of a history"),
}

OTHERS: Final = {
    "by_counter": ("según el contador del club", "by the club's counter"),
    "by_checkpoint": ("según el punto de control {number}", "by checkpoint {number}"),
    "holds": (
        "{club}: {last} sucesos, {checkpoints} firmas, {redacted} sin textos: todo cuadra",
        "{club}: {last} events, {checkpoints} signatures, {redacted} redacted: everything holds",
    ),
    "fails": (
        "{club}: el primer fallo está en el suceso {sequence}",
        "{club}: the first fault is at event {sequence}",
    ),
    "own_key": (
        "La clave de las firmas la da el propio fichero; compárala con la publicada: {key}",
        "The key of the signatures is from the file itself; compare it with the published: {key}",
    ),
    "unsigned": (
        "Nada está firmado todavía: un final que falte no se notaría.",
        "Nothing is signed yet: an end that is missing would not be noticed.",
    ),
}

TEXTS: Final = MappingProxyType(
    {f"trail.{code}": said for code, said in (FAULTS | FILES | OTHERS).items()}
)
