"""Parses sums over links or joints: Σ_{i=1}^{n} m_i g h_i is m_1 g h_1 + … + m_n g h_n."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import product

from qddot.teach.check.reading.grammar.rules import Rules
from qddot.teach.check.reading.signs.lexemes import Lexeme, word_of
from qddot.teach.check.reading.signs.nesting import nested
from qddot.teach.check.reading.signs.sums import Bounds, letters_of_indices, with_number
from qddot.teach.check.reading.syntax import Name, Node, Number, Sum, walk

MOST_TERMS = 2_000  # of a sum with all sums inside it
OUTER = ("=", ",", ";", "&", "row", "end", "prose")  # signs that end a sum
OPERATORS = ("+", "-", "*", "/")
OF_ALL = ("n", "N")  # the number of joints
WITHOUT_BOUNDS = ("i", "j", "k")


def summed(rules: Rules, sign: Lexeme) -> Node:
    """Parses what follows the sign of a sum, as a sum with each number in place of the index.

    Without bounds the numbers are those of all joints. The sum goes on as long as its terms have its index.
    """
    cursor, bounds = rules.cursor, sign.data
    terms = list(_terms(cursor.lexemes[cursor.next :]))
    letters = bounds.letters or _only_letter(terms[0])
    if not letters:
        raise cursor.error("sum-without-index")
    count = 1 + sum(1 for _ in _with_index(terms[1:], letters))
    body = [lexeme for term in terms[:count] for lexeme in term]
    numbers = _numbers(rules, bounds)
    inside = sum(lexeme.kind == "sum" for lexeme in body)
    if len(numbers) ** (len(letters) + inside) > MOST_TERMS:
        raise cursor.error("sum-too-long", most=MOST_TERMS)
    cursor.next += len(body)
    nodes = [_of_numbers(rules, body, letters, each) for each in product(numbers, repeat=len(letters))]
    if any(isinstance(tree, Name) and tree.meaning.kind == "drive" for node in nodes for tree in walk(node)):
        # T_i in T = Σ T_i is an energy
        raise cursor.error("sum-of-torques")
    span = (sign.start, cursor.end())
    return Sum(span, tuple((1, node) for node in nodes)) if nodes else Number(span, Fraction(0))


def _of_numbers(rules: Rules, body: Sequence[Lexeme], letters: Sequence[str], numbers: Sequence[int]) -> Node:
    for letter, number in zip(letters, numbers, strict=True):
        body = [_with_number(lexeme, letter, number) for lexeme in body]
    return rules.inside(body).whole()


def _with_number(lexeme: Lexeme, letter: str, number: int) -> Lexeme:
    """Returns a lexeme with a number in place of an index."""
    if lexeme.kind == "sum":
        return lexeme._replace(data=lexeme.data.with_number(letter, number))
    if lexeme.kind != "word":
        return lexeme
    if word_of(lexeme) == letter:
        return lexeme._replace(kind="number", data=Fraction(number))
    return lexeme._replace(data=with_number(lexeme.data, letter, number))


def _numbers(rules: Rules, bounds: Bounds) -> Sequence[int]:
    joints = rules.vocabulary.names.numbered
    last = str(len(joints)) if bounds.last in ("", *OF_ALL) else bounds.last
    first = bounds.first or "1"
    if not (first.isdigit() and last.isdigit()):
        raise rules.cursor.error("sum-bounds", first=first, last=last)
    return range(int(first), int(last) + 1)


def _terms(signs: Sequence[Lexeme]) -> Iterator[list[Lexeme]]:
    """Yields the terms at the beginning of some lexemes, each with its sign."""
    term, before = list[Lexeme](), ""
    for depth, lexeme in nested(signs):
        if depth < 0 or (not depth and lexeme.kind in OUTER):
            break
        if not depth and lexeme.kind in ("+", "-") and before not in ("", *OPERATORS):
            yield term
            term = []
        term.append(lexeme)
        before = lexeme.kind if lexeme.kind != "newline" else before
    yield term


def _with_index(terms: Sequence[Sequence[Lexeme]], letters: Sequence[str]) -> Iterator[Sequence[Lexeme]]:
    """Yields the first terms that have an index of a sum and are not sums over it."""
    for term in terms:
        binding = {letter for lexeme in term if lexeme.kind == "sum" for letter in lexeme.data.letters}
        if not (_letters(term) - binding) & set(letters):
            return
        yield term


def _letters(signs: Sequence[Lexeme]) -> set[str]:
    return {letter for each in signs if each.kind == "word" for letter in letters_of_indices(each.data)}


def _only_letter(term: Sequence[Lexeme]) -> tuple[str, ...]:
    """Returns the letter over which a term is summed if Σ has none, or nothing if there are several."""
    letters = _letters(term) & set(WITHOUT_BOUNDS)
    return tuple(letters) if len(letters) == 1 else ()
