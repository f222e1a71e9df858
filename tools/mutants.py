"""Changes the rules in one place at a time, and asks whether the conformance suite notices.

``python -m tools.mutants`` draws mutants of the modules below from a seed, runs the suite on each
in a process of its own, and writes ``tools/mutants.md``. A mutant is found when an answer is
another, fails or takes too long. Those whose answers never differ are in `EQUIVALENT`.
"""

import argparse
import ast
import os
import random
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec
from importlib.util import spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Final

ROOT: Final = Path(__file__).parents[1]
MODULES: Final = ("engine.rules", "engine.state", "engine.scoring", "engine.deals")
REPORT: Final = ROOT / "tools" / "mutants.md"
COUNT: Final = 300
SEED: Final = "mutants/1"
SECONDS: Final = 60  # of processor time; the suite takes 6
QUICK_FIRST: Final = (
    *("legal", "calls", "try", "record", "text", "write", "digest", "perft", "sheet"),
)
"""The kinds of cases, those that take seconds last."""

FACTS: Final = "facts serve messages, which the specification leaves open (docs/spec/verdict.md)"
ASIDE: Final = "the card aside is then missing and in surplus, which are compared; else " + FACTS
GIVEN: Final = "a default that the core never uses: records and positions give the value"
ONE_BY_ONE: Final = "what may not be said is refused one by one after this"
SHORTCUT: Final = "a shortcut: without a couple nothing is omitted"
EQUIVALENT: Final = {
    "engine.rules:28 `0` → `1`": "the core gives the stock; the solver alone leaves it out",
    "engine.state:82 `1` → `2`": GIVEN,
    "engine.rules:164 `'13RCS'` → `'13RCS~'`": "not a rank",
    "engine.state:145 `'none'` → `'none~'`": ONE_BY_ONE,
    "engine.state:297 `zip(…)` without `strict`": "both have a place for each seat of the side",
    "engine.state:145 `calls.exchanges if self.rules.exchange != 'none' else ()` → "
    "`calls.exchanges`": ONE_BY_ONE,
    "engine.state:416 `self.rules.race_to and there is None and (self.capote is None)` → "
    "`there is None and self.capote is None`": "only a race asks for the side that was first there",
    "engine.state:147 `calls.supports if self.to_speak else ()` → `calls.supports`": ONE_BY_ONE,
    "engine.state:224 `0` → `1`": "of a hand that is not known every unseen card is legal",
    "engine.state:292 `hand & hand << 1 & RANK_MASKS[REY]` → "
    "`hand & hand << 1 | RANK_MASKS[REY]`": SHORTCUT,
    "engine.state:292 `hand & hand << 1` → `hand | hand << 1`": SHORTCUT,
    "engine.state:292 `if not any((hand & hand << 1 & RANK_MASKS[REY] for hand in hands)):` → "
    "`if False:`": SHORTCUT,
    "engine.state:425 `return 0` → `return None`": "each declaration is then refused by itself",
    "engine.state:416 `self.rules.race_to and there is None and (self.capote is None)` → "
    "`self.rules.race_to and there is None`": "a capote decides the hand, whoever is there first",
    "engine.state:417 `self.carried[side] if self.carried else 0` → `self.carried[side]`": GIVEN,
    "engine.deals:11 `'stock'` → `'stock~'`": FACTS,
    "engine.deals:45 `hand.trump is None or bool(trump & dealt[SEATS.index(hand.dealer)])` → "
    "`bool(trump & dealt[SEATS.index(hand.dealer)])`": (
        "a hand without its trump has no play, and no fault is found in its deal"
    ),
    "engine.deals:57 `if rules.trump_shown == 'stock':` → `if True:`": (
        "a hand without a stock has no field `stock`: the pile is empty"
    ),
    "engine.deals:66 `''` → `'~'`": "neither is a card",
    "engine.deals:66 `hand.trump or ''` → `''`": ASIDE,
    "engine.deals:66 `hand.trump or ''` → `hand.trump and ''`": ASIDE,
    "engine.deals:66 `hand.trump or ''` → `hand.trump`": "neither is a card",
    "engine.deals:79 `'seats'` → `'seats~'`": FACTS,
    "engine.deals:89 `'expected'` → `'expected~'`": FACTS,
    "engine.deals:91 `'card'` → `'card~'`": FACTS,
}
"""Mutants whose every answer is that of the original, and why."""

SWAPS: Final[dict[type, Any]] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.Add,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: the module, the number of the change in it, and its description."""

    module: str
    number: int
    name: str


# --- changes ------------------------------------------------------------------------------------


def changes(tree: ast.Module) -> Iterator[tuple[ast.AST, str]]:
    """Makes each change in turn; the tree is changed while its description is read.

    Annotations, decorators, docstrings and imports are left alone: nothing follows from them.
    """
    for parent, field, value in list(_fields(tree)):
        children = value if isinstance(value, list) else [value]
        for index, child in enumerate(children):
            if not isinstance(child, ast.AST):
                continue
            for other, words in _others(child):
                if isinstance(value, list):
                    value[index] = other
                else:
                    setattr(parent, field, other)
                yield child, words
                if isinstance(value, list):
                    value[index] = child
                else:
                    setattr(parent, field, child)


def _fields(node: ast.AST) -> Iterator[tuple[ast.AST, str, Any]]:
    """The fields of a node and of all below it, without annotations and decorators."""
    for field, value in ast.iter_fields(node):
        if field in ("annotation", "returns", "decorator_list"):
            continue
        yield node, field, value
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield from _fields(child)


def _others(node: ast.AST) -> Iterator[tuple[ast.AST, str]]:
    """What may be put in the place of a node, with a description."""
    for other in CHANGES.get(type(node), _nothing)(node):
        if ast.dump(other) == ast.dump(node):
            continue
        words = f"`{_source(node)}` → `{_source(other)}`"
        if isinstance(node, ast.Call) and isinstance(other, ast.Call):
            (dropped,) = {word.arg for word in node.keywords} - {w.arg for w in other.keywords}
            words = f"`{ast.unparse(node.func)}(…)` without `{dropped}`"
        yield ast.copy_location(other, node), words


def _nothing(_node: Any) -> Iterator[ast.AST]:
    return iter(())


def _compare(node: ast.Compare) -> Iterator[ast.AST]:
    for n, operator in enumerate(node.ops):
        if type(operator) in SWAPS:
            operators = [*node.ops[:n], SWAPS[type(operator)](), *node.ops[n + 1 :]]
            yield ast.Compare(node.left, operators, node.comparators)


def _and_or(node: ast.BoolOp) -> Iterator[ast.AST]:
    yield ast.BoolOp(SWAPS[type(node.op)](), node.values)
    for n in range(len(node.values)):
        operands = node.values[:n] + node.values[n + 1 :]
        yield operands[0] if len(operands) == 1 else ast.BoolOp(node.op, operands)


def _arithmetic(node: ast.BinOp) -> Iterator[ast.AST]:
    if type(node.op) in SWAPS:
        yield ast.BinOp(node.left, SWAPS[type(node.op)](), node.right)


def _added(node: ast.AugAssign) -> Iterator[ast.AST]:
    yield ast.Pass()
    if type(node.op) in SWAPS:
        yield ast.AugAssign(node.target, SWAPS[type(node.op)](), node.value)


def _unary(node: ast.UnaryOp) -> Iterator[ast.AST]:
    if isinstance(node.op, ast.Not | ast.Invert):
        yield node.operand


def _constant(node: ast.Constant) -> Iterator[ast.AST]:
    if isinstance(node.value, bool):
        yield ast.Constant(not node.value)
    elif isinstance(node.value, int):
        yield ast.Constant(node.value + 1)
    elif isinstance(node.value, str):
        yield ast.Constant(node.value + "~")


def _branch(node: ast.IfExp) -> Iterator[ast.AST]:
    yield node.body
    yield node.orelse


def _condition(node: ast.If) -> Iterator[ast.AST]:
    for value in (True, False):
        yield ast.If(ast.Constant(value), node.body, node.orelse)


def _return(node: ast.Return) -> Iterator[ast.AST]:
    if node.value is not None:
        yield ast.Return(ast.Constant(None))


def _call(node: ast.Call) -> Iterator[ast.AST]:
    for n, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield ast.Call(node.func, node.args, node.keywords[:n] + node.keywords[n + 1 :])


CHANGES: Final[dict[type, Callable[[Any], Iterator[ast.AST]]]] = {
    ast.Compare: _compare,
    ast.BoolOp: _and_or,
    ast.BinOp: _arithmetic,
    ast.AugAssign: _added,
    ast.UnaryOp: _unary,
    ast.Constant: _constant,
    ast.IfExp: _branch,
    ast.If: _condition,
    ast.Return: _return,
    ast.Call: _call,
}


def _source(node: ast.AST) -> str:
    if isinstance(node, ast.If):
        return f"if {ast.unparse(node.test)}:"
    return " ".join(ast.unparse(node).split())[:120]


def mutants_of(module: str) -> list[Mutant]:
    """All mutants of a module."""
    return [
        Mutant(module, number, f"{module}:{getattr(node, 'lineno', 0)} {words}")
        for number, (node, words) in enumerate(changes(_tree(module)))
    ]


def _tree(module: str) -> ast.Module:
    path = ROOT / f"{module.replace('.', '/')}.py"
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            node.body = [part for part in node.body if not _is_text(part)]
    return tree


def _is_text(node: ast.stmt) -> bool:
    """Whether a statement is a docstring, of an attribute too."""
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# --- trials -------------------------------------------------------------------------------------


class MutatedModule(MetaPathFinder, Loader):
    """Imports one module from a tree instead of its file."""

    def __init__(self, name: str, tree: ast.Module) -> None:
        self.name = name
        self.tree = tree

    def find_spec(
        self, fullname: str, _path: Sequence[str] | None, _target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """Answer for this module alone."""
        return spec_from_loader(fullname, self) if fullname == self.name else None

    def exec_module(self, module: ModuleType) -> None:
        """Run the tree."""
        code = compile(ast.fix_missing_locations(self.tree), self.name, "exec")
        exec(code, module.__dict__)  # noqa: S102 # nosec B102 - our own source, changed


def missed_of(mutants: Sequence[Mutant], jobs: int) -> list[Mutant]:
    """The mutants that the suite does not notice; each runs in a process of its own."""
    running: dict[int, Mutant] = {}
    missed = []
    for mutant in [*mutants, *([None] * jobs)]:
        if len(running) == jobs or (mutant is None and running):
            child, status = os.wait()
            tried = running.pop(child)
            if status == 0:
                missed.append(tried)
                print(tried.name, flush=True)
        if mutant is None:
            continue
        child = os.fork()
        if not child:
            resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
            os._exit(0 if _passes(mutant) else 1)
        running[child] = mutant
    return sorted(missed, key=mutants.index)


def _passes(mutant: Mutant) -> bool:
    tree = _tree(mutant.module)
    for number, _change in enumerate(changes(tree)):
        if number == mutant.number:
            break
    sys.meta_path.insert(0, MutatedModule(mutant.module, tree))
    try:
        from engine.conformance import answer_case, is_expected, read_cases

        # Score sheets take half of the time, and use scoring alone.
        kinds = QUICK_FIRST if mutant.module == "engine.scoring" else QUICK_FIRST[:-1]
        read = [case for case in read_cases() if case.kind in kinds]
        cases = sorted(read, key=lambda case: kinds.index(case.kind))
        return all(is_expected(case.expect, answer_case(case.kind, case.input)) for case in cases)
    except Exception:  # noqa: BLE001 - any error means that the mutant is found
        return False


# --- the report ---------------------------------------------------------------------------------


def main() -> int:
    """Try the mutants and write the report; 1 where fewer than 95 of 100 that can be found are."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutants", description=__doc__)
    parser.add_argument("--count", type=int, default=COUNT, help="mutants to draw")
    parser.add_argument("--seed", default=SEED, help="any text")
    parser.add_argument("--jobs", type=int, default=1, help="processes at a time")
    parser.add_argument("--report", type=Path, default=REPORT, metavar="FILE")
    options = parser.parse_args()
    every = [mutant for module in MODULES for mutant in mutants_of(module)]
    sample = random.Random(options.seed).sample(every, options.count)  # noqa: S311 - not a secret
    unchanged = [Mutant(module, -1, module) for module in MODULES]
    if len(missed_of(unchanged, options.jobs)) < len(MODULES):
        print("the suite does not pass without any change")
        return 2
    missed = missed_of(sample, options.jobs)
    options.report.write_text(_report(options.seed, every, sample, missed), encoding="utf-8")
    different = [mutant for mutant in missed if mutant.name not in EQUIVALENT]
    print(f"{len(sample) - len(missed)} of {len(sample)} found, {len(different)} missed")
    return int(len(different) > 0.05 * (len(sample) - len(missed) + len(different)))


def _report(
    seed: str, every: Sequence[Mutant], drawn: Sequence[Mutant], missed: Sequence[Mutant]
) -> str:
    rows = [
        f"| `{module}` | {_count(every, module)} | {_count(drawn, module)} "
        f"| {_count(drawn, module) - _count(missed, module)} |"
        for module in MODULES
    ]
    total = len(drawn) - len(missed)
    unlike = total + sum(mutant.name not in EQUIVALENT for mutant in missed)
    equivalents = [f"- {m.name}: {EQUIVALENT[m.name]}" for m in missed if m.name in EQUIVALENT]
    others = [f"- {mutant.name}" for mutant in missed if mutant.name not in EQUIVALENT]
    return "\n".join(
        [
            "# Mutants of the rules against the conformance suite",
            "",
            f"Written by `python -m tools.mutants`, seed `{seed}`.",
            "",
            f"Found: {total} of {unlike} ({100 * total / unlike:.1f} %).",
            "",
            "| module | mutants | drawn | found |",
            "|---|---|---|---|",
            *rows,
            "",
            "## Not found: no answer differs from the original's",
            "",
            *(equivalents or ["None."]),
            "",
            "## Not found, and not yet shown to be either",
            "",
            *(others or ["None."]),
            "",
        ]
    )


def _count(mutants: Sequence[Mutant], module: str) -> int:
    return sum(mutant.module == module for mutant in mutants)


if __name__ == "__main__":
    sys.exit(main())
