"""Plants a small mistake in right answers, and lists each of these mutants that `check` accepts though it is wrong.

python bench/answers/mutants.py [count] [seed]

A mutant has one change of one formula of an answer that its author calls right: a sign, a digit, an index, sine for
cosine, a term dropped. formulas.py finds the formulas and evaluates them before and after the change, with a drawn
number for each name; a change is kept if the value changes by more than LEAST. Neither uses the checker or its reader.
A mutant may be accepted only if a note says of its line that it is not judged, or of an energy that it differs by a
constant.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

HERE = Path(__file__).parent
sys.path += [str(HERE.parent), str(HERE)]

import blind  # noqa: E402
import check  # noqa: E402  # bench/check.py
from formulas import FRACTIONS, MINUS, SPOKEN, TIMES, Formula, Token, formulas, value_of  # noqa: E402

KINDS = ("sign", "digit", "index", "function", "dropped")
LEAST = 0.02  # of the value: more than any rounding that the checker allows
OPERATIONS = ("+", "/", *TIMES, *MINUS, *FRACTIONS, "^", "**", "<sup>")
TYPES = ("double", "float", "int", "Real", "real", "let", "const", "var", "symbols")
PROGRAMS = (".py", ".m", ".jl", ".c", ".cpp", ".js", ".rs", ".f90", ".wl", ".nb", ".mac", ".mpl", ".mo", ".json")
TOLD = ("is left out", "not read", "that nothing uses", "is corrected", "as a sentence", "the generalized force")
# the lines of functions that differentiate numerically by small steps, which are no claims
NO_CLAIMS = {"eleventh/mls2r_np.py": range(16, 20)}
CONSTANT = ("your P differs by", "your L differs by")  # energies are right up to a constant
PROGRAM = "program"
FILES = {".tex": "LaTeX", ".txt": "text", ".md": "Markdown", ".ipynb": "notebook", ".html": "HTML"}


class Change(NamedTuple):
    """This replaces a part of a text by another."""

    kind: str
    start: int
    end: int
    new: str


class Mutant(NamedTuple):
    """This is a right answer with one change of a formula: the line, and the formula before and after."""

    answer: check.Answer
    kind: str
    line: int
    before: str
    after: str
    text: str

    def __str__(self) -> str:
        place = f"{self.answer.file.relative_to(HERE)}:{self.line}"
        return f"{place}: {self.kind}: {self.before} -> {self.after}"


def changes(formula: Formula) -> Iterator[Change]:
    """Yields the changes of a formula."""
    for place, token in enumerate(formula.tokens):
        if token.text in ("+", *MINUS):
            yield Change("sign", token.start, token.end, "-" if token.text == "+" else "+")
            end = _end_of_term(formula.tokens, place)
            if end > place + 1:
                yield Change("dropped", token.start, formula.tokens[end - 1].end, "")
        elif token.kind == "number":
            yield Change("digit", token.start, token.start + 1, _other_digit(token.text[0]))
        elif token.function in ("sin", "cos"):
            yield Change("function", token.start, token.end, _exchanged(token.text))
        elif index := re.search(r"\d", token.text) if token.kind == "name" else None:
            digit = token.start + index.start()
            yield Change("index", digit, digit + 1, _other_digit(index[0]))


def _end_of_term(tokens: tuple[Token, ...], place: int) -> int:
    """Returns where the term ends that begins with the sign at a place."""
    depth = 0
    for end in range(place + 1, len(tokens)):
        text = tokens[end].text
        depth += (text in ("(", "[", "{", "<sup>", "<sub>")) - (text in (")", "]", "}", "</sup>", "</sub>"))
        if depth < 0 or (depth == 0 and text in ("+", *MINUS)):
            return end
    return len(tokens)


def _other_digit(digit: str) -> str:
    return {"1": "2", "2": "1", "3": "2", "0": "1", "9": "8"}.get(digit, str(int(digit) + 1))


def _exchanged(function: str) -> str:
    pairs = {"sin": "cos", "cos": "sin", "Sin": "Cos", "Cos": "Sin"}
    return re.sub("|".join(pairs), lambda name: pairs[name[0]], function)


def changed_formulas(text: str, suffix: str) -> list[tuple[Formula, Change, str]]:
    """Returns the changes of a text's formulas that change their values, with the formulas that they lead to."""
    changed = []
    for formula in formulas(text, suffix):
        if not _is_stated(text, formula, suffix):
            continue
        old = text[formula.start : formula.end]
        value = value_of(old)
        for change in changes(formula):
            new = old[: change.start - formula.start] + change.new + old[change.end - formula.start :]
            other = value_of(new)
            if value is not None and other is not None and abs(other - value) > LEAST * max(abs(value), abs(other)):
                changed.append((formula, change, new))
    return changed


def _is_stated(text: str, formula: Formula, suffix: str) -> bool:
    """Returns whether a formula is a side of an equation, or an entry of an array in one, and no words or name."""
    line = text[text.rfind("\n", 0, formula.start) + 1 :].split("\n", 1)[0]
    is_program = suffix in PROGRAMS
    words = [token.text for token in formula.tokens if token.kind == "name" and not token.function]
    is_prose = not is_program and any(word.isalpha() and len(word) > 2 and word not in SPOKEN for word in words)
    is_declared = is_program and any(word in TYPES for word in words)
    is_item = suffix == ".md" and line.lstrip().startswith("- ") and formula.tokens[0].text == "-"
    has_operation = any(token.text in OPERATIONS or token.function for token in formula.tokens)
    has_directions = any(token.text == "\\hat" for token in formula.tokens)
    is_product = re.search(r"matrix\}\s*\\begin", line)  # of matrices, of which one may have zeros
    is_call = is_program and _calls_another(formula)
    return (
        has_operation
        and "=" in line
        and not (is_prose or is_declared or is_item or has_directions or is_product or is_call)
    )


def _calls_another(formula: Formula) -> bool:
    """Returns whether a function is called whose value is not known, such as L.diff(x)."""
    pairs = zip(formula.tokens, formula.tokens[1:], formula.tokens[2:], strict=False)
    return any(
        a.kind == "name" and not a.function and b.text == "(" and a.end == b.start and c.kind != "number"
        for a, b, c in pairs
    )


def texts(answer: check.Answer) -> list[str]:
    """Returns the texts of an answer: the sources of a notebook's cells, or the whole file."""
    raw = answer.file.read_text(encoding="utf-8")
    if answer.file.suffix != ".ipynb":
        return [raw]
    return ["".join(cell["source"]) for cell in json.loads(raw)["cells"]]


def with_text(answer: check.Answer, place: int, text: str) -> str:
    """Returns the file of an answer with another text at a place."""
    if answer.file.suffix != ".ipynb":
        return text
    notebook = json.loads(answer.file.read_text(encoding="utf-8"))
    notebook["cells"][place]["source"] = text.splitlines(keepends=True)
    return json.dumps(notebook, ensure_ascii=False)


def kind_of(answer: check.Answer) -> str:
    """Returns the kind of an answer's file."""
    return FILES.get(answer.file.suffix, PROGRAM)


@cache
def right_answers() -> dict[str, list[check.Answer]]:
    """Returns the right answers of all sets by the kinds of their files."""
    by_kind: dict[str, list[check.Answer]] = {}
    for name in blind.sets():
        for answer in check.answers_in(HERE / f"{name}.toml"):
            if answer.verdict == "right":
                by_kind.setdefault(kind_of(answer), []).append(answer)
    return by_kind


@cache
def _mutants_of(answer: check.Answer) -> list[Mutant]:
    try:
        cells = texts(answer)
    except UnicodeDecodeError:
        return []
    suffix = ".md" if answer.file.suffix == ".ipynb" else answer.file.suffix
    mutants = []
    for place, text in enumerate(cells):
        for formula, change, new in changed_formulas(text, suffix):
            whole = text[: formula.start] + new + text[formula.end :]
            line, old = text.count("\n", 0, formula.start) + 1, text[formula.start : formula.end]
            if line in NO_CLAIMS.get(answer.file.relative_to(HERE).as_posix(), ()):
                continue
            mutants.append(Mutant(answer, change.kind, line, old, new, with_text(answer, place, whole)))
    return mutants


def drawn(count: int, seed: int) -> list[Mutant]:
    """Returns mutants of all kinds of files, the same ones for a seed."""
    draw, by_kind = random.Random(seed), right_answers()
    mutants: dict[str, Mutant] = {}
    while len(mutants) < count:
        answer = draw.choice(by_kind[draw.choice(sorted(by_kind))])
        kind = draw.choice(KINDS)
        among = [each for each in _mutants_of(answer) if each.kind == kind]
        if among:
            mutant = draw.choice(among)
            mutants[mutant.text] = mutant
    return list(mutants.values())


def _said_of(mutant: Mutant, folder: Path) -> tuple[str, str]:
    """Returns the verdict on a mutant, "told" if it is accepted and its line left out, and what else is said."""
    file = folder / mutant.answer.file.name
    file.write_text(mutant.text, encoding="utf-8")
    answer = mutant.answer._replace(file=file)
    said, judgement, why = check.verdict_on(blind.equations_of(answer.arm), answer)
    notes = [note for note in (judgement.notes if judgement else ()) if any(words in note for words in TOLD)]
    is_told = any(f"{file.name}:{mutant.line}:" in note for note in notes) or any(word in why for word in CONSTANT)
    return "told" if said == "accepted" and is_told else said, why


def verdicts(mutants: Sequence[Mutant]) -> Iterator[tuple[Mutant, str, str]]:
    """Yields each mutant with the verdict on it, and what else is said."""
    with TemporaryDirectory() as folder:
        for mutant in mutants:
            yield mutant, *_said_of(mutant, Path(folder))


def main(count: int = 1200, seed: int = 1) -> None:
    counts: Counter[str] = Counter()
    for mutant, said, why in verdicts(drawn(count, seed)):
        counts[said] += 1
        if said in ("accepted", "told"):
            print(f"{said}: {mutant}\n    {why[:300]}")
    print(", ".join(f"{said} {number}" for said, number in sorted(counts.items())))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
