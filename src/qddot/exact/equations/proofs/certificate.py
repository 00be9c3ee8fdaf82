"""Defines the certificate: what was proved or verified about the equations of one model."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, field
from decimal import ROUND_DOWN, Context
from typing import Any, TypeAlias
from unicodedata import combining, east_asian_width

from qddot.base.errors import few
from qddot.base.records import record
from qddot.base.words.language import in_english
from qddot.base.words.message import Listed, Message, Told, Words, say

PROVED, VERIFIED = "proved", "verified"
VERDICTS = {
    PROVED: say("identity-proved"),
    VERIFIED: say("identity-verified"),
    "false": say("identity-false"),
    "undecided": say("identity-undecided"),
}
TITLES: tuple[Words, ...] = ("", *map(say, ("title-identity", "title-law", "title-verdict", "title-time")), "")
SHOWN_DIGITS = 4
Report: TypeAlias = Callable[[str], None]


@record()
class Identity:
    """An identity is one line of a certificate, with the verdict "proved", "verified", "false" or "undecided".

    relations: the certificates of differences that are zero by relations of constant angles, as `Membership.data`
    """

    name: str
    law: Told
    verdict: str
    seconds: float
    entries: int
    detail: str = ""
    relations: tuple[Mapping[str, Any], ...] = field(default=(), hash=False)

    @property
    def mark(self) -> str:
        """Returns the sign of the verdict."""
        return {PROVED: "✓", VERIFIED: "≈", "false": "✗"}.get(self.verdict, "?")

    @property
    def duration(self) -> str:
        """Returns the time that it took, in at most seven characters up to a day."""
        ms = self.seconds * 1e3
        if ms < 1e3:
            return f"{ms:.1f} ms" if ms < 9.95 else f"{ms:.0f} ms"
        return f"{self.seconds:.3g} s" if ms < 999.5e3 else f"{self.seconds:.0f} s"

    def __str__(self) -> str:
        line = f"{self.mark} {_padded(self.name, 35)} {_padded(self.law, 33)} {self.duration:>6}"
        return f"{line}\n    {self.detail}" if self.detail else line


def shown(value: float) -> str:
    """Returns the first digits of a number, with "…" after them if there are more."""
    cut = float(Context(SHOWN_DIGITS, ROUND_DOWN).create_decimal(repr(float(value))))
    short = f"{cut:.{SHOWN_DIGITS}g}" if cut else "0"
    return short if cut == value else f"{short}…"


def _padded(text: str, width: int) -> str:
    """Returns the text padded to a width on the screen, where dots over q̈ take no space, and Chinese letters two."""
    told = str(text)
    used = sum(2 if east_asian_width(letter) in "WF" else not combining(letter) for letter in told)
    return told + " " * (width - used)


@record()
class Certificate:
    """A certificate lists the identities of one model's equations; its truth value is whether all of them hold.

    If an arm's equations are too long for proofs, its identities are verified in random states modulo `primes`, all
    drawn from `seed`; a false identity passes with a probability below 2 to the power of −`certainty`. This assumes
    that no identity has coefficients of a million bits, and what `Modular` says of primes and random numbers. A proof
    has neither primes nor a seed. An arm with long runs of parallel joints is proved in the absolute `angles` of their
    links, θ = A q, and in their rates. The equations are those of a model that lacks what is `left_out` of its file.

    A closed chain's certificate is about the configurations that are closed, near one whose `configuration` it names,
    to within `radius` in each coordinate, wherever det A_d ≠ 0; there, `determinant` has the ends of a ball that
    contains det A_d. `note` says why there is no configuration if symbols without values leave none.
    """

    model: str
    model_hash: str
    routes: tuple[str, ...]
    identities: tuple[Identity, ...] = field(default_factory=tuple)
    seconds: float = 0.0
    primes: tuple[int, ...] = ()
    certainty: int = 0
    seed: str = ""
    angles: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    configuration: tuple[tuple[str, float], ...] = ()
    radius: float = 0.0
    determinant: tuple[float, ...] = ()
    note: str = ""

    def __bool__(self) -> bool:
        return all(identity.verdict in (PROVED, VERIFIED) for identity in self.identities)

    def head(self) -> list[str]:
        """Returns the lines before the identities: how many are proved, and for which configurations or primes."""
        lines: list[Words] = [self._counted()]
        if self.configuration:
            place = few([f"{name} = {shown(value)}" for name, value in self.configuration])
            near = say("closed-near", place=place, radius=f"{self.radius:.0e}")
            lines.append(near if self.radius else say("regular-such-as", place=place))
        lines += [self.note] if self.note else []
        if self.primes:
            lines.append(say("states-modulo-primes", primes=Listed(self.primes), certainty=self.certainty))
            lines.append(say("seed-of-states", seed=self.seed))
        if self.angles:
            lines.append(say("in-absolute-angles", count=len(self.angles)))
        return [str(line) for line in (*lines, *self.left_out)]

    def _counted(self) -> Message:
        """Returns how many of the identities are proved, and how many are verified."""
        proved, verified = (sum(each.verdict == kind for each in self.identities) for kind in (PROVED, VERIFIED))
        key = "identities-proved-verified" if verified else "identities-proved"
        if self.primes:
            key, verified = "identities-verified", proved + verified
        seconds = f"{self.seconds:.2f}"
        return say(key, model=self.model, proved=proved, verified=verified, all=len(self.identities), seconds=seconds)

    def __str__(self) -> str:
        return "\n".join([*self.head(), *map(str, self.identities)])

    @in_english
    def __repr__(self) -> str:
        return f"<certificate of {self.head()[0]}>"

    def _repr_html_(self) -> str:
        from qddot.base import html

        rows: list[list[Words]] = [
            [each.mark, each.name, each.law, VERDICTS[each.verdict], each.duration, each.detail]
            for each in self.identities
        ]
        return html.block(html.lines(self.head()), html.table(TITLES, rows))

    @in_english
    def to_json(self) -> str:
        """Returns the certificate as the text of a JSON object that begins with `holds`."""
        return json.dumps({"holds": bool(self), **asdict(self)}, indent=2, ensure_ascii=False)
