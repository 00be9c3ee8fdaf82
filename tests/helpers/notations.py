"""Helpers write one entry of an arm in a drawn notation: a language, names, products without signs, words around it."""

from __future__ import annotations

import re
from fractions import Fraction
from random import Random
from typing import NamedTuple

from qddot.algebra.numbers.polynomials.exact import Polynomial
from qddot.exact.equations.quantities import Quantities

SUFFIXES = {"latex": ".tex", "markdown": ".md", "text": ".txt", "unicode": ".txt", "python": ".py", "matlab": ".m"}
SUFFIXES |= {"julia": ".jl", "c": ".c", "maxima": ".mac", "mathematica": ".wl", "typst": ".typ"}
TIMES = {
    "latex": ("", r"\,", r"\cdot "),
    "markdown": ("", " ", r"\cdot "),
    "text": ("*", " "),
    "unicode": ("", "·", " "),
}
TIMES |= {"mathematica": (" ", "*"), "typst": (" ",)}
LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
RAISED = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
AROUND = {
    "text": (
        "The entry is {}.",
        "Hence {}, which was to be shown.",
        "So we get\n\n  {}\n\nas in the lecture.",
        "{}   [kg m^2]",
        "{}   (as in the lecture)",
        "(a) {}",
        "Result: {}  <- final answer",
        "Damit folgt {}.",
        "由此得 {}。",
        "{}, where the symbols are those of the task.",
    ),
    "latex": (
        r"Hence \[ {}. \]",
        r"We find ${}$.",
        "\\begin{{align*}}\n{}\n\\end{{align*}}",
        r"\( {} \)\quad (result)",
    ),
    "markdown": ("- **Answer:** ${}$", "$$\n{}\n$$", "## Result\nThus ${}$, as expected."),
    "typst": ("Therefore $ {} $ holds.", "$ {} $"),
    "c": ("double {};",),
}
AROUND["unicode"] = AROUND["text"]
Factors = list[tuple[str, str, int]]  # kind, name and exponent
Terms = list[tuple[Fraction, Factors]]


class Notation(NamedTuple):
    """A notation: a language, a letter for joints called q1, q2, …, a sign for products, and a letter of M."""

    language: str
    angle: str
    times: str
    letter: str


def drawn(rng: Random) -> Notation:
    """Returns a notation that people use."""
    language = rng.choice(tuple(SUFFIXES))
    angle = rng.choice(("q", "theta", "th") if language not in ("latex", "markdown", "typst") else ("q", "theta"))
    return Notation(language, angle, rng.choice(TIMES.get(language, ("*",))), rng.choice("MMDH"))


def terms_of(entry: Polynomial) -> Terms:
    """Returns the terms of an entry."""
    generators = entry.ring.generators
    return [
        (coefficient, [(generators[k].kind, generators[k].name, power) for k, power in powers.items()])
        for powers, coefficient in entry.powers()
    ]


def changed(terms: Terms, rng: Random) -> Terms:
    """Returns the terms with one of them changed: its sign, its number, or a cosine into a sine."""
    k = rng.randrange(len(terms))
    coefficient, factors = terms[k]
    circular = [j for j, (kind, _, _) in enumerate(factors) if kind in ("cos", "sin")]
    how = rng.choice(("sign", "number", "function") if circular else ("sign", "number"))
    if how == "function":
        j = rng.choice(circular)
        kind, name, power = factors[j]
        factors = [*factors[:j], ("sin" if kind == "cos" else "cos", name, power), *factors[j + 1 :]]
    coefficient *= {"sign": Fraction(-1), "number": Fraction(3, 2)}.get(how, Fraction(1))
    return [*terms[:k], (coefficient, factors), *terms[k + 1 :]]


def answer(eq: Quantities, quantity: str, place: tuple[int, ...], terms: Terms, how: Notation, rng: Random) -> str:
    """Returns the text of an answer that has one entry."""
    writer = _Writer(how, eq.model.coordinates, rng)
    letter = how.letter if quantity == "M" else quantity
    name = writer.symbol(letter + "".join(str(k + 1) for k in place))
    equal = ": " if how.language == "maxima" else " = "
    equation = f"{name}{equal}{writer.sum(terms)}"
    equation += {"maxima": "$", "mathematica": ";", "matlab": ";"}.get(how.language, "")
    return rng.choice(AROUND.get(how.language, ("{}",))).format(equation)


class _Writer:
    """This writes expressions in one notation."""

    def __init__(self, how: Notation, coordinates: tuple[str, ...], rng: Random) -> None:
        self.how, self.coordinates, self.rng = how, coordinates, rng
        self.is_tex = how.language in ("latex", "markdown")

    def sum(self, terms: Terms) -> str:
        """Returns the terms in any order."""
        text = ""
        for coefficient, factors in self.rng.sample(terms, len(terms)):
            sign = "-" if coefficient < 0 else "+" if text else ""
            text += (
                f" {sign} {self.product(abs(coefficient), factors)}"
                if text
                else sign + self.product(abs(coefficient), factors)
            )
        return text

    def product(self, number: Fraction, factors: Factors) -> str:
        """Returns a product with its number in front, below a line, or behind a slash."""
        written = [
            self.power(*factor) for factor in sorted(factors, key=lambda each: (each[0] != "symbol", self.rng.random()))
        ]
        if number == 1 and written:
            return self.how.times.join(written)
        top, below = str(number.numerator), str(number.denominator)
        if self.is_tex:
            front = (
                top
                if below == "1"
                else self.rng.choice((rf"\frac{{{top}}}{{{below}}}", rf"\tfrac{{{top}}}{{{below}}}"))
            )
            return self.how.times.join([front, *written])
        if below == "1":
            return (self.how.times or " ").join([top, *written])
        if self.rng.random() < 0.5 and written and self.how.language != "c":
            product = self.how.times.join([*([top] if top != "1" else []), *written])
            return f"({product})/{below}"
        front = f"{top}.0/{below}.0" if self.how.language == "c" else f"({top}/{below})"
        return (self.how.times or " ").join([front, *written])

    def power(self, kind: str, name: str, power: int) -> str:
        """Returns a factor."""
        base = {"symbol": self.symbol, "cos": self.cosine, "sin": self.sine, "qd": self.rate, "q": self.coordinate}[
            kind
        ](name)
        if power == 1:
            return base
        language = self.how.language
        if language == "c":
            return "*".join([base] * power)
        if kind in ("cos", "sin") or (language in ("julia", "typst") and kind == "qd"):
            base = f"({base})"
        if language == "unicode":
            return base + str(power).translate(RAISED)
        return f"{base}{'**' if language == 'python' else '^'}{power}"

    def symbol(self, name: str) -> str:
        """Returns a name with its index set low, where the language can."""
        match = re.fullmatch(r"([A-Za-z])(\w+)", name)
        if match is None:
            return name
        letter, index = match.groups()
        if self.is_tex:
            return f"{letter}_{index}" if len(index) == 1 and self.rng.random() < 0.5 else f"{letter}_{{{index}}}"
        if self.how.language == "unicode" and index.isdigit():
            return letter + index.translate(LOWERED)
        if self.how.language == "typst":
            return f"{letter}_{index}" if index.isdigit() else f'{letter}_"{index}"'
        return name

    def coordinate(self, name: str) -> str:
        """Returns a joint's coordinate."""
        language, angle = self.how.language, self.how.angle
        if not re.fullmatch(r"q\d", name):
            return (
                {"latex": rf"\{name}", "markdown": rf"\{name}"}.get(language, name)
                if len(name) > 2
                else self.symbol(name)
            )
        k = int(name[1:])
        if self.is_tex:
            return f"\\{angle}_{k}" if angle != "q" else f"q_{k}"
        if language == "unicode":
            return {"theta": "θ", "th": "θ"}.get(angle, angle) + str(k).translate(LOWERED)
        if language in ("matlab", "julia", "c") and angle == "q":
            return {"matlab": f"q({k})", "julia": f"q[{k}]", "c": f"q[{k - 1}]"}[language]
        return f"{angle}_{k}" if language == "typst" else f"{angle}{k}"

    def rate(self, name: str) -> str:
        """Returns the rate of a joint's coordinate."""
        language = self.how.language
        letters, digits = re.fullmatch(r"(\D+)(\d*)", name).groups()  # type: ignore[union-attr]
        letters = self.how.angle if re.fullmatch(r"q\d", name) else letters
        if self.is_tex:
            index = f"_{digits}" if digits else ""
            return rf"\dot{{{letters if len(letters) == 1 else chr(92) + letters}}}{index}"
        if language == "typst":
            return f"dot({letters})" + (f"_{digits}" if digits else "")
        if language == "unicode":
            return {"theta": "θ", "th": "θ", "phi": "φ"}.get(letters, letters) + "\u0307" + digits.translate(LOWERED)
        if language == "mathematica":
            return f"{letters}{digits}'[t]"
        if language == "maxima":
            return f"diff({letters}{digits}, t)"
        return self.rng.choice((f"{letters}d{digits}", f"d{letters}{digits}", f"{letters}{digits}_dot"))

    def cosine(self, name: str) -> str:
        """Returns the cosine of a joint's angle."""
        return self._circular("cos", name)

    def sine(self, name: str) -> str:
        """Returns the sine of a joint's angle."""
        return self._circular("sin", name)

    def _circular(self, function: str, name: str) -> str:
        angle, language = self.coordinate(name), self.how.language
        if self.is_tex:
            return self.rng.choice((rf"\{function}({angle})", rf"\{function}{{{angle}}}", rf"\{function} {angle}"))
        if language == "mathematica":
            return f"{function.capitalize()}[{angle}]"
        return f"{function}({angle})"
