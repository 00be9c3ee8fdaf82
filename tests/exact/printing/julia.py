"""Julia, a language that exists only in tests: one module makes it known everywhere."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.algebra.expressions.identifiers import compatible
from qddot.exact.printing.source_text import ProgramWriter, SourceText
from qddot.exact.printing.tree import Sum


class Julia(SourceText):
    """Expressions of Julia."""

    to_the = "^"

    def spelled(self, name: str) -> str:
        return compatible(name)

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        written = [self.write(entry) for entry in entries]
        if not shape:
            return f"{name} = {written[0]}"
        return f"{name} = reshape([{', '.join(written)}], {', '.join(map(str, reversed(shape)))})'"


WRITER = ProgramWriter("statements of Julia", Julia, ["# Julia"])
