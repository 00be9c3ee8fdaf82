"""Parses Python programs to the form of all programs; what has errors is parsed statement by statement."""

from __future__ import annotations

import ast
import re
import warnings
from collections.abc import Iterator
from types import EllipsisType
from typing import Any

from qddot.teach.check.reading.programs import form
from qddot.teach.check.reading.programs.interpreter import Interpreter
from qddot.teach.check.reading.texts.rewriting import Rewriting
from qddot.teach.check.reading.texts.written import Written

LONGEST = 200_000  # characters
BLOCK = "if True:\n"  # before indented code, which is no program by itself
START = re.compile(r"^(?=[^\s)\]}#])(?!(?:else|elif|except|finally)\b)", re.MULTILINE)
SIGNS: dict[type[ast.AST], str] = (
    {ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**"}
    | {ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.MatMult: "@"}
    | {ast.In: "in", ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not", ast.And: "and", ast.Or: "or"}
    | {ast.USub: "-", ast.UAdd: "+", ast.Not: "not"}
)
# the form of nodes that have the same parts, with the names of these parts
FORMS: dict[type[ast.AST], tuple[Any, str]] = {
    ast.Assign: (form.Assign, "targets value"),
    ast.For: (form.For, "target iter body"),
    ast.While: (form.While, "test body"),
    ast.If: (form.If, "test body orelse"),
    ast.FunctionDef: (form.Function, "name args body"),
    ast.AsyncFunctionDef: (form.Function, "name args body"),
    ast.ClassDef: (form.Class, "name body"),
    ast.Return: (form.Return, "value"),
    ast.Expr: (form.Stated, "value"),
    ast.Name: (form.Name, "id"),
    ast.UnaryOp: (form.Unary, "op operand"),
    ast.BinOp: (form.Binary, "op left right"),
    ast.IfExp: (form.Choice, "test body orelse"),
    ast.Slice: (form.Slice, "lower upper step"),
    ast.Attribute: (form.Attribute, "value attr"),
    ast.List: (form.Listed, "elts"),
    ast.Set: (form.Listed, "elts"),
    ast.Starred: (form.Starred, "value"),
    ast.Lambda: (form.Lambda, "args body"),
    ast.ListComp: (form.Comprehension, "elt generators"),
    ast.SetComp: (form.Comprehension, "elt generators"),
    ast.GeneratorExp: (form.Comprehension, "elt generators"),
    ast.DictComp: (form.Comprehension, "value generators key"),
}


def of_python(written: Written, variables: dict[str, Any] | None = None) -> Written:
    """Returns a program in Python as equations; ^ is a power, as in Sage. variables: those of earlier cells"""
    written = Rewriting(written).sub(r"\^", "**").done()
    return Interpreter(written).run(_program_of(written.text), variables)


def _program_of(text: str) -> tuple[form.Statement, ...]:
    """Returns the statements of a program in Python, and a piece of it that is not understood as such."""
    program = _parsed(text, 0)
    if program is not None:
        return program
    starts = [each.start() for each in START.finditer(text)] or [0]
    statements = list[form.Statement]()
    for start, end in zip(starts, [*starts[1:], len(text)], strict=True):
        piece = _parsed(text[start:end], start)
        statements += (form.Unparsed((start, end)),) if piece is None else piece
    return tuple(statements)


def _parsed(text: str, start: int) -> tuple[form.Statement, ...] | None:
    """Returns statements, or None if they have errors."""
    if len(text) > LONGEST:
        return None
    is_indented = text.lstrip("\n")[:1].isspace()  # a block of code in a list
    text, start = (f"{BLOCK}{text}", start - len(BLOCK)) if is_indented else (text, start)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return tuple(_Parser(text, start).of(ast.parse(text).body))
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


class _Parser:
    """This writes the tree of a program in Python in the form of all programs."""

    def __init__(self, text: str, start: int) -> None:
        self.text, self.start = text, start
        self.lines = text.splitlines(keepends=True) if text.isascii() else re.split(r"(?<=\n)", text)
        self.starts = [0]
        for line in self.lines:
            self.starts.append(self.starts[-1] + len(line))

    def of(self, part: Any) -> Any:
        """Returns a part of the tree in the form of all programs; statements of a list may become more or fewer."""
        match part:
            case list():
                return tuple(own for each in part for own in self._each(each))
            case ast.arguments():
                return self._parameters(part)
            case ast.expr():
                return self._expression(part)
            case ast.comprehension():
                return form.Each(self.of(part.target), self.of(part.iter), self.of(part.ifs))
        return SIGNS[type(part)] if isinstance(part, ast.AST) else part

    def _each(self, part: Any) -> Iterator[Any]:
        yield from self._statement(part) if isinstance(part, ast.stmt) else (self.of(part),)

    def _span(self, node: ast.stmt | ast.expr) -> form.Span:
        first = self._offset(node.lineno, node.col_offset)
        return first, self._offset(node.end_lineno or node.lineno, node.end_col_offset or 0)

    def _offset(self, line: int, column: int) -> int:
        text = self.lines[line - 1] if line <= len(self.lines) else ""
        before = column if text.isascii() else len(text.encode()[:column].decode())
        return self.start + self.starts[line - 1] + before

    def _formed(self, node: ast.stmt | ast.expr) -> Any:
        kind, names = FORMS[type(node)]
        return kind(*(self.of(getattr(node, name)) for name in names.split()), span=self._span(node))

    def _statement(self, node: ast.stmt) -> Iterator[form.Statement]:
        span = self._span(node)
        match node:
            case ast.Assign(value=ast.Constant(value=EllipsisType())):  # a slot to be filled in
                yield form.Unparsed(span)
            case ast.AnnAssign(value=None) | ast.Pass() | ast.Assert() | ast.Global() | ast.Nonlocal():
                return
            case ast.AnnAssign():
                yield form.Assign((self.of(node.target),), self.of(node.value), "", span)
            case ast.AugAssign():
                yield form.Assign((self.of(node.target),), self.of(node.value), self.of(node.op), span)
            case ast.Delete():
                yield form.Assign(self.of(node.targets), form.called("unread", (), span), "", span)
            case ast.For() | ast.While() if node.orelse:
                yield self._formed(node)
                yield from self._after_loop(node, span)
            case ast.Break() | ast.Continue():
                yield form.Jump(type(node).__name__.lower(), span)
            case ast.Raise():
                yield form.Return(None, span)
            case ast.Import() | ast.ImportFrom():
                before = f"{node.module or ''}." if isinstance(node, ast.ImportFrom) else ""
                names = ((each.asname or each.name.split(".")[0], f"{before}{each.name}") for each in node.names)
                yield form.Import(tuple(names), span)
            case ast.With():
                yield from self.of(node.body)
            case ast.Try():
                fails = self.of([each for handler in node.handlers for each in handler.body])
                does = self.of([*node.body, *node.orelse])
                is_changed = any(isinstance(each, form.Assign) for each in fails)
                yield from [form.If(form.Name("failed", span), fails, does, span)] if is_changed else does
                yield from self.of(node.finalbody)
            case _:
                yield self._formed(node) if type(node) in FORMS else form.Unparsed(span)

    def _after_loop(self, loop: ast.For | ast.While, span: form.Span) -> tuple[form.Statement, ...]:
        """Returns what a loop does at its end, unless it is left by a break, which is not known here."""
        other: tuple[form.Statement, ...] = self.of(loop.orelse)
        may_be_left = any(isinstance(each, ast.Break) for each in ast.walk(loop))
        return (form.If(form.Name("failed", span), other, (), span),) if other and may_be_left else other

    def _parameters(self, arguments: ast.arguments) -> tuple[form.Parameter, ...]:
        names = [*arguments.posonlyargs, *arguments.args]
        defaults = [*[None] * (len(names) - len(arguments.defaults)), *arguments.defaults]
        pairs = [*zip(names, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
        return tuple(form.Parameter(name.arg, self.of(value)) for name, value in pairs)

    def _expression(self, node: ast.expr) -> form.Expression:
        span = self._span(node)
        match node:
            case ast.Constant(value=bool() | None):
                return form.Name(str(node.value), span)
            case ast.Constant(value=int() | float()):
                text = self.text[span[0] - self.start : span[1] - self.start]
                return form.Number(text, isinstance(node.value, int), span)
            case ast.Constant(value=str() as text):
                return form.String(text, span)
            case ast.BoolOp():
                return _folded(self.of(node.op), self.of(node.values), span)
            case ast.Compare():
                sides = self.of([node.left, *node.comparators])
                signs = map(self.of, node.ops)
                pairs = [form.Binary(*each, span) for each in zip(signs, sides[:-1], sides[1:], strict=True)]
                return _folded("and", pairs, span)
            case ast.Call():
                by_name = tuple((each.arg or "", self.of(each.value)) for each in node.keywords)
                return form.Call(self.of(node.func), self.of(node.args), by_name, span)
            case ast.Subscript():
                inside = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
                return form.Index(self.of(node.value), self.of(inside), span)
            case ast.Tuple():
                return form.Listed(self.of(node.elts), True, False, span)
            case ast.Dict():
                pairs_ = zip(node.keys, node.values, strict=True)
                return form.Table(tuple((self.of(k), self.of(v)) for k, v in pairs_ if k is not None), span)
            case ast.JoinedStr():
                return form.called("str", self.of(node.values), span)
            case ast.FormattedValue():
                return self._expression(node.value)
        return self._formed(node) if type(node) in FORMS else form.called("unread", (), span)


def _folded(sign: str, values: Any, span: form.Span) -> form.Expression:
    """Returns values with a sign between each two."""
    value: form.Expression = values[0]
    for each in values[1:]:
        value = form.Binary(sign, value, each, span)
    return value
