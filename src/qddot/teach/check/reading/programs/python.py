"""Parses Python programs to the form of all programs; what has errors is parsed statement by statement."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator, Sequence
from types import EllipsisType
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.interpreter import Interpreter
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

LONGEST = 200_000  # characters
BLOCK = "if True:\n"  # before indented code, which is no program by itself
START = re.compile(r"^(?=[^\s)\]}#])(?!(?:else|elif|except|finally)\b)", re.MULTILINE)
SIGNS: dict[type[ast.AST], str] = {
    ast.Add: "+",
    ast.Sub: "-",
    ast.Mult: "*",
    ast.Div: "/",
    ast.FloorDiv: "//",
    ast.Mod: "%",
    ast.Pow: "**",
    ast.MatMult: "@",
    ast.Eq: "==",
    ast.NotEq: "!=",
    ast.Lt: "<",
    ast.LtE: "<=",
    ast.Gt: ">",
    ast.GtE: ">=",
    ast.In: "in",
    ast.NotIn: "not in",
    ast.Is: "is",
    ast.IsNot: "is not",
    ast.And: "and",
    ast.Or: "or",
    ast.USub: "-",
    ast.UAdd: "+",
    ast.Not: "not",
}


def of_python(written: Written, variables: dict[str, Any] | None = None) -> Written:
    """Returns a program in Python as equations; ^ is a power, as in Sage. variables: those of earlier cells"""
    written = Rewriting(written).sub(r"\^", "**").done()
    return Interpreter(program_of(written.text), written).run(variables)


def program_of(text: str) -> form.Program:
    """Returns the statements of a program in Python."""
    whole = _parsed(text, 0)
    if whole is not None:
        return form.Program(form.PYTHON, whole)
    starts = [each.start() for each in START.finditer(text)] or [0]
    pieces = zip(starts, [*starts[1:], len(text)], strict=True)
    return form.Program(form.PYTHON, tuple(each for start, end in pieces for each in _piece(text[start:end], start)))


def _piece(text: str, start: int) -> Sequence[form.Statement]:
    """Returns the statements of a piece of a program, or the piece itself if it is not understood."""
    statements = _parsed(text, start)
    if statements is None:
        return (form.Unparsed(text, "this is no statement of Python", (start, start + len(text))),)
    return statements


def _parsed(text: str, start: int) -> tuple[form.Statement, ...] | None:
    """Returns statements, or None if they have errors."""
    if len(text) > LONGEST:
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            is_indented = text.lstrip("\n")[:1].isspace()  # a block of code in a list
            body = ast.parse(f"{BLOCK}{text}" if is_indented else text).body
        return Parser(text, start, BLOCK * is_indented).statements(body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class Parser:
    """This writes the tree of a program in Python in the form of all programs. before: a line that is no part of it"""

    def __init__(self, text: str, start: int, before: str = "") -> None:
        self.lines = (
            (before + text).splitlines(keepends=True) if text.isascii() else re.split(r"(?<=\n)", before + text)
        )
        self.starts = [start - len(before)]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def statements(self, body: Sequence[ast.stmt]) -> tuple[form.Statement, ...]:
        return tuple(each for statement in body for each in self._statement(statement))

    def _span(self, node: ast.stmt | ast.expr) -> form.Span:
        first = self._offset(node.lineno, node.col_offset)
        return first, self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        return self.starts[line - 1] + (column if text.isascii() else len(text.encode()[:column].decode()))

    def _statement(self, node: ast.stmt) -> Iterator[form.Statement]:
        span = self._span(node)
        match node:
            case ast.Assign(value=ast.Constant(value=EllipsisType())):  # a slot to be filled in
                yield form.Unparsed(ast.unparse(node), "nothing is assigned", span)
            case ast.Assign():
                yield form.Assign(tuple(map(self._of, node.targets)), self._of(node.value), "", span)
            case ast.AnnAssign() if node.value is not None:
                yield form.Assign((self._of(node.target),), self._of(node.value), "", span)
            case ast.AnnAssign() | ast.Pass() | ast.Assert() | ast.Global() | ast.Nonlocal():
                return
            case ast.AugAssign():
                yield form.Assign((self._of(node.target),), self._of(node.value), SIGNS[type(node.op)], span)
            case ast.For():
                yield form.For(self._of(node.target), self._of(node.iter), self.statements(node.body), span)
            case ast.While():
                yield form.While(self._of(node.test), self.statements(node.body), (), span)
            case ast.If():
                yield form.If(self._of(node.test), self.statements(node.body), self.statements(node.orelse), span)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield form.Function(node.name, self._parameters(node.args), self.statements(node.body), (), span)
            case ast.ClassDef():
                yield form.Class(node.name, self.statements(node.body), span)
            case ast.Return():
                yield form.Return(None if node.value is None else self._of(node.value), span)
            case ast.Break() | ast.Continue():
                yield form.Jump(type(node).__name__.lower(), span)
            case ast.Raise():
                yield form.Return(None, span)
            case ast.Import():
                names = ((each.asname or each.name.split(".")[0], each.name) for each in node.names)
                yield form.Import(tuple(names), span)
            case ast.ImportFrom():
                own = ((each.asname or each.name, f"{node.module or ''}.{each.name}") for each in node.names)
                yield form.Import(tuple(own), span)
            case ast.Delete():
                yield form.Delete(tuple(map(self._of, node.targets)), span)
            case ast.Expr():
                yield form.Stated(self._of(node.value), span)
            case ast.With():
                yield from self.statements(node.body)
            case ast.Try():
                fails = self.statements([each for handler in node.handlers for each in handler.body])
                does = self.statements([*node.body, *node.orelse])
                is_changed = any(isinstance(each, form.Assign) for each in fails)
                yield from [form.If(form.Name("failed", span), fails, does, span)] if is_changed else does
                yield from self.statements(node.finalbody)
            case _:
                yield form.Unparsed(ast.unparse(node), "this statement is not read", span)

    def _parameters(self, arguments: ast.arguments) -> tuple[form.Parameter, ...]:
        names = [*arguments.posonlyargs, *arguments.args]
        defaults = [*[None] * (len(names) - len(arguments.defaults)), *arguments.defaults]
        pairs = [*zip(names, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        return tuple(form.Parameter(name.arg, None if value is None else self._of(value)) for name, value in pairs)

    def _of(self, node: ast.expr) -> form.Expression:
        span = self._span(node)
        match node:
            case ast.Constant(value=bool() | None):
                return form.Name(str(node.value), span)
            case ast.Constant(value=int() | float()):
                return form.Number(self._text(span), isinstance(node.value, int), span)
            case ast.Constant(value=str() as text):
                return form.String(text, span)
            case ast.Name():
                return form.Name(node.id, span)
            case ast.UnaryOp() if type(node.op) in SIGNS:
                return form.Unary(SIGNS[type(node.op)], self._of(node.operand), span)
            case ast.BinOp() if type(node.op) in SIGNS:
                return form.Binary(SIGNS[type(node.op)], self._of(node.left), self._of(node.right), span)
            case ast.BoolOp():
                return self._folded([SIGNS[type(node.op)]] * len(node.values), node.values, span)
            case ast.Compare(ops=[only]):
                return form.Binary(SIGNS[type(only)], self._of(node.left), self._of(node.comparators[0]), span)
            case ast.Compare():
                sides = [node.left, *node.comparators]
                pairs = zip(node.ops, sides, sides[1:], strict=False)
                parts = [form.Binary(SIGNS[type(op)], self._of(a), self._of(b), span) for op, a, b in pairs]
                whole: form.Expression = parts[0]
                for part in parts[1:]:
                    whole = form.Binary("and", whole, part, span)
                return whole
            case ast.IfExp():
                return form.Choice(self._of(node.test), self._of(node.body), self._of(node.orelse), span)
            case ast.Call():
                by_name = tuple((each.arg or "", self._of(each.value)) for each in node.keywords)
                return form.Call(self._of(node.func), tuple(map(self._of, node.args)), by_name, span)
            case ast.Subscript():
                inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return form.Index(self._of(node.value), tuple(map(self._of, inside)), span)
            case ast.Slice():
                first, last, step = (
                    None if each is None else self._of(each) for each in (node.lower, node.upper, node.step)
                )
                return form.Slice(first, last, step, span)
            case ast.Attribute():
                return form.Attribute(self._of(node.value), node.attr, span)
            case ast.List() | ast.Tuple() | ast.Set():
                return form.Listed(tuple(map(self._of, node.elts)), isinstance(node, ast.Tuple), False, span)
            case ast.Starred():
                return form.Starred(self._of(node.value), span)
            case ast.Dict():
                pairs_ = zip(node.keys, node.values, strict=True)
                return form.Table(tuple((self._of(k), self._of(v)) for k, v in pairs_ if k is not None), span)
            case ast.Lambda():
                return form.Lambda(self._parameters(node.args), self._of(node.body), span)
            case ast.ListComp() | ast.GeneratorExp() | ast.SetComp():
                return form.Comprehension(self._of(node.elt), self._each(node.generators), None, span)
            case ast.DictComp():
                key = self._of(node.key)
                return form.Comprehension(self._of(node.value), self._each(node.generators), key, span)
            case ast.JoinedStr():
                return form.Call(form.Name("str"), tuple(map(self._of, node.values)), (), span)
            case ast.FormattedValue():
                return self._of(node.value)
        return form.Call(form.Name("unread"), (), (), span)

    def _folded(self, signs: Sequence[str], values: Sequence[ast.expr], span: form.Span) -> form.Expression:
        whole = self._of(values[0])
        for sign, value in zip(signs[1:], values[1:], strict=True):
            whole = form.Binary(sign, whole, self._of(value), span)
        return whole

    def _each(self, generators: Sequence[ast.comprehension]) -> tuple[form.Each, ...]:
        return tuple(
            form.Each(self._of(each.target), self._of(each.iter), tuple(map(self._of, each.ifs))) for each in generators
        )

    def _text(self, span: form.Span) -> str:
        return "".join(self.lines)[span[0] - self.starts[0] : span[1] - self.starts[0]]
