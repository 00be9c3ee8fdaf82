"""Knows the names that people write for the symbols, coordinates, rates and cosines of one arm."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence
from fractions import Fraction

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.identifiers import spelled
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.numbers.polynomials.exact import Ring
from qddot.teach.check.reading.syntax import MOTIONS, Meaning

CONSTANTS = {"pi": Meaning("pi"), "deg": Meaning("degree"), "Grad": Meaning("degree")}
FUNCTIONS = {"sin": "sin", "cos": "cos", "sqrt": "sqrt", "sgn": "sgn", "sign": "sgn"}
FUNCTIONS |= {name: name for name in ("tan", "cot", "sec", "csc")}
VECTORS = {
    **dict.fromkeys(("q", "theta", "Theta", "th"), "coordinate"),
    **dict.fromkeys(("qd", "dq", "qdot", "dotq", "thetad", "dtheta", "thetadot", "Thetad", "qp", "dth", "thd"), "rate"),
    **dict.fromkeys(("qdd", "ddq", "qddot", "ddotq", "thetadd", "ddtheta", "thetaddot", "Thetadd"), "acceleration"),
    **dict.fromkeys(("tau", "u", "Q", "T", "Gamma", "F"), "drive"),
}
DRIVES = ("tau", "Q", "u", "F", "f", "T", "Gamma", "force", "torque")
LONGEST_RUN = 30  # letters of names that are written without blanks
FORCES, TORQUES = ("F", "f", "u", "Q"), ("tau", "T", "u", "Q", "Gamma")
RATES = ("d{0}{1}", "{0}{1}d", "{0}{1}dot", "dot{0}{1}", "{0}d{1}", "{0}dot{1}", "{0}p{1}", "{0}{1}p", "D{0}{1}")
ACCELERATIONS = (
    *("dd{0}{1}", "{0}{1}dd", "{0}{1}ddot", "ddot{0}{1}", "{0}dd{1}", "{0}ddot{1}", "{0}pp{1}", "{0}{1}pp"),
    *("{0}dotdot{1}", "{0}{1}dotdot", "{0}{1}2dot", "d2{0}{1}", "DD{0}{1}"),
)
# short spellings of Greek letters
ABBREVIATED = {"theta": ("th", "tht", "thet"), "phi": ("ph", "fi"), "psi": ("ps",), "alpha": ("al",), "beta": ("be",)}
COSINES = re.compile(r"(cc|ss|sc|cs|[cs]|CC|SS|SC|CS|[CS])_?(\d+(?:,\d+)*)")
OF_PRODUCT = re.compile(r"[dD]_\d+[A-Za-z]")  # d_2 d_3 is a product, whereas d2d3 may be d²d3


def plain(text: str) -> str:
    """Returns a name without underscores and commas: I_zz,1 is Izz1."""
    return text.replace("_", "").replace(",", "")


def folded(text: str) -> tuple[str, str, str]:
    """Returns a key that ignores letter case, underscores and the order of letters and digits in the index.
    It is the same for I_1zz, Izz1 and izz_1.
    """
    low = plain(spelled(text)).lower()
    letters = "".join(letter for letter in low if not letter.isdigit())
    return letters[:1], letters[1:], "".join(letter for letter in low if letter.isdigit())


class ArmNames:
    """These are an arm's own names, and the usual names of its angles and their rates."""

    def __init__(self, ring: Ring, driven: Sequence[str] | None = None) -> None:
        """driven: the velocities along which torques act, by default all"""
        self.ring, self._driven = ring, ring.coordinates if driven is None else tuple(driven)
        self.symbols = [name for name in (*ring.symbols, *ring.extra) if name != "pi"]
        self.plain_symbols: dict[str, list[str]] = {}
        self._folded: dict[tuple[str, str, str], list[str]] = {}
        for name in self.symbols:
            self.plain_symbols.setdefault(plain(spelled(name)), []).append(name)
            self._folded.setdefault(folded(name), []).append(name)
        self.coordinates = tuple(name for name in ring.coordinates if name not in ring.quasi)
        self.turning = [name for name in self.coordinates if name in ring.turning.coordinates]
        self.sliding = [name for name in self.coordinates if name not in self.turning]
        self.numbered = _numbered(self.coordinates)
        self._others: dict[str, Meaning] = {
            **CONSTANTS,
            **{name: Meaning("function", f) for name, f in FUNCTIONS.items()},
        }
        self.by_place: dict[str, str] = {}  # coordinates by names of other books, whose use is reported
        self.speeds: dict[str, Meaning] = {}  # likewise for rates and accelerations
        moving = ring.coordinates
        self.exact = {plain(spelled(rate_name(name, dots) if dots else name)) for name in moving for dots in (0, 1, 2)}
        self.exact |= {plain(spelled(name)) for name in ring.quasi_positions}
        self.stated: dict[str, Meaning] = {}  # meanings of names that an answer states in words
        self._add_coordinates()
        self._drives = self._names_of_drives()

    def _add_coordinates(self) -> None:
        self._add_quasi_velocities()
        own = [(name, plain(spelled(name))) for name in self.coordinates]
        other = [(name, alias) for k, name in self.numbered.items() for alias in self._aliases(name, k)]
        for name in self.coordinates:
            self._others.setdefault(plain(spelled(rate_name(name))), Meaning("rate", name))
            self._others.setdefault(plain(spelled(rate_name(name, 2))), Meaning("acceleration", name))
        self.by_place = {alias: name for name, alias in self._by_place() if alias not in self.plain_symbols}
        further = [
            (name, alias) for alias, name in self.by_place.items() if alias not in {a for _, a in (*own, *other)}
        ]
        for name, alias in (*own, *other, *further):
            self._others.setdefault(alias, Meaning("coordinate", name))
        self.by_place = {alias: name for name, alias in further}
        self._add_speeds()
        for name, alias in (*own, *other, *further):
            stem, digits = _stem_and_digits(alias)
            for kind, forms in (("rate", RATES), ("acceleration", ACCELERATIONS)):
                for form in forms:
                    self._others.setdefault(form.format(stem, digits), Meaning(kind, name))

    def _add_quasi_velocities(self) -> None:
        """Adds the positions of free and spherical joints, their velocities, and the rates of these."""
        for name in self.ring.quasi_positions:
            self._others.setdefault(plain(spelled(name)), Meaning("coordinate", name))
        for name in self.ring.quasi:
            bare = plain(spelled(name))
            self._others.setdefault(bare, Meaning("rate", name))
            self._others.setdefault(plain(spelled(rate_name(name))), Meaning("acceleration", name))
            for form in RATES:
                self._others.setdefault(form.format(bare, ""), Meaning("acceleration", name))

    def _add_speeds(self) -> None:
        """Adds v and a of the only joint that slides, and ω of the only one that turns."""
        for joints, rates, accelerations in ((self.sliding, "v", "a"), (self.turning, "omega w", "")):
            for alias in rates.split() if len(joints) == 1 else ():
                self.speeds[alias] = Meaning("rate", joints[0])
            for alias in accelerations.split() if len(joints) == 1 else ():
                self.speeds[alias] = Meaning("acceleration", joints[0])
        for k, name in self.numbered.items():
            if name in self.sliding:
                self.speeds[f"v{k}"] = Meaning("rate", name)
        self.speeds = {alias: each for alias, each in self.speeds.items() if alias not in self.plain_symbols}
        for alias, meaning in self.speeds.items():
            self._others.setdefault(alias, meaning)

    def _aliases(self, name: str, k: int) -> list[str]:
        heads = ["q", "theta", "th", *(["d"] if name not in self.ring.turning.coordinates else [])]
        alone = heads[:3] if len(self.ring.coordinates) == 1 else []
        return [*(f"{head}{k}" for head in heads), *alone]

    def _by_place(self) -> list[tuple[str, str]]:
        """Returns (coordinate, name) for other books' names of coordinates."""
        heads = ("theta", "phi", "th", *(["q"] if len(self.ring.coordinates) == 1 else []))
        names = [(self.turning[0], alias) for alias in heads] if len(self.turning) == 1 else []
        names += [(self.sliding[0], alias) for alias in ("x", "r", "d", "y", "z")] if len(self.sliding) == 1 else []
        if len(self.sliding) > 1 and len(self.sliding) <= 3:
            names += list(zip(self.sliding, "xyz", strict=False))
        for name in self.coordinates:
            stem, digits = _stem_and_digits(plain(spelled(name)))
            names += [(name, f"{short}{digits}") for short in ABBREVIATED.get(stem, ())]
        others = ("phi", "t")[: len(self.ring.coordinates)]
        return [*names, *((name, f"{head}{k}") for head in others for k, name in self.numbered.items())]

    def _names_of_drives(self) -> dict[str, str]:
        """Returns the coordinates by the names of their torques and forces: tau1, F, Q_theta."""
        names: dict[str, str] = {}
        coordinates = self._driven
        for head in DRIVES:
            for k, name in enumerate(coordinates, 1):
                names.setdefault(f"{head}{k}", name)
                names.setdefault(f"{head}{plain(spelled(name))}", name)
        named = [(name, plain(spelled(name))) for name in coordinates]
        names |= {f"M{alias}": name for name, alias in named if not alias[-1].isdigit()}  # the moment M_θ
        for heads, kind in ((FORCES, self.sliding), (TORQUES, self.turning)):
            for head in heads if len(kind) == 1 else ():
                names.setdefault(head, kind[0])
        for head in DRIVES if len(coordinates) == 1 else ():
            names[head] = coordinates[0]
        return names

    def drive(self, text: str) -> Meaning | None:
        """Returns the torque or force that a name stands for, or None."""
        bare = plain(text)
        if bare in self.plain_symbols:
            return None
        if name := self._drives.get(bare):
            return Meaning("drive", name)
        return None

    def vector(self, text: str, dots: int) -> Meaning | None:
        """Returns the column that a name without an index stands for: q, \\ddot q, tau."""
        kind = "rate" if self.ring.quasi and spelled(text) == "nu" else VECTORS.get(plain(text))
        if self.ring.quasi and kind == "coordinate":
            return None  # the number of positions differs from that of velocities
        if kind is None or (plain(text) in self.plain_symbols and not dots):
            return None
        if dots:
            place = MOTIONS.index(kind) + dots if kind in MOTIONS else len(MOTIONS)
            starts = kind == "coordinate" or (bool(self.ring.quasi) and kind == "rate")
            kind = MOTIONS[place] if starts and place < len(MOTIONS) else None
        return Meaning("vector", kind) if kind else None

    def readings(self, text: str) -> list[Meaning]:
        """Returns all meanings of a name, which is ambiguous if there are two."""
        if text in self.symbols:
            return [Meaning("symbol", text), *self.cosines(text)]
        bare = plain(text)
        bare = bare if bare in self.plain_symbols else bare.replace("ell", "l")
        if symbols := self.plain_symbols.get(bare):
            return [*(Meaning("symbol", name) for name in symbols), *self.cosines(text)]
        other = self._others.get(plain(text)) or self.stated.get(plain(text))
        if other and not (other.kind == "acceleration" and OF_PRODUCT.match(text)):
            return [other]
        return self.cosines(text)

    def coordinate(self, text: str) -> str | None:
        """Returns the coordinate that a name without dots stands for."""
        meaning = self._others.get(plain(text)) or self.stated.get(plain(text))
        return meaning.name if meaning and meaning.kind == "coordinate" else None

    def quasi_velocity(self, text: str) -> str | None:
        """Returns the velocity that a name without dots stands for, if it is not the rate of a coordinate."""
        meaning = self._others.get(plain(text))
        return meaning.name if meaning and meaning.kind == "rate" and meaning.name in self.ring.quasi else None

    def add_inertias(self, occurring: Collection[str]) -> None:
        """Lets I1 mean the only moment or product of inertia of link 1 that occurs in the equations, such as I1zz."""
        for k in self.numbered:
            own = [name for name in self.symbols if re.fullmatch(rf"I_?(?:{k}_?[xyz]{{2}}|[xyz]{{2}}_?{k})", name)]
            alone = [name for name in own if name in occurring]
            if len(own) > 1 and len(alone) == 1:
                self._folded.setdefault(folded(f"I{k}"), alone)

    def knows(self, text: str) -> bool:
        """Returns whether a name without dots is a symbol, a coordinate, a torque or a column of the arm."""
        return bool(self.readings(text) or self.drive(text) or self.vector(text, 0))

    def likely(self, text: str) -> list[str]:
        """Returns the symbols that differ from a name only in letter case, underscores and the order of the index."""
        return self._folded.get(folded(text), [])

    def cosines(self, text: str) -> list[Meaning]:
        """Returns the readings of c1, s12, C_23, SC23, CC2 or c_theta1 as cosines and sines of sums of angles."""
        if match := COSINES.fullmatch(text):
            angles = (self._sum(numbers) for numbers in _joints(match[2], len(self.numbered)))
            return [Meaning("cosines", match[1].lower(), angle) for angle in angles if angle is not None]
        if text in ("c", "s") and text not in self.plain_symbols and len(self.turning) == 1:
            return [Meaning("cosines", text, Angle(symbols=((self.turning[0], ONCE),)))]
        angle = self.coordinate(text[1:]) if text[:1] in ("c", "s", "C", "S") else None
        turns = angle in self.ring.turning.coordinates
        return [Meaning("cosines", text[0].lower(), Angle(symbols=((angle, ONCE),)))] if angle and turns else []

    def _sum(self, numbers: Iterable[int]) -> Angle | None:
        """Returns the sum of the angles of some joints, or None if one of them does not turn."""
        total = Angle()
        for k in numbers:
            name = self.numbered.get(k)
            if name not in self.ring.turning.coordinates:
                return None
            total += Angle(symbols=((str(name), Fraction(1)),))
        return total

    def all(self) -> list[str]:
        """Returns the names to suggest."""
        rates = [rate_name(name, dots) for dots in (1, 2) for name in self.coordinates]
        quasi = [*self.ring.quasi, *map(rate_name, self.ring.quasi), *self.ring.quasi_positions]
        return [*self.symbols, *self.coordinates, *rates, *quasi]


def is_run(text: str, names: ArmNames) -> bool:
    """Returns whether a text is a run of names and functions without blanks, such as cosθ or mgl."""
    ends = {0}
    for k in range(1, len(text) + 1 if len(text) <= LONGEST_RUN else 0):
        if any(names.readings(text[start:k]) for start in ends):
            ends.add(k)
    return len(text) in ends


def _stem_and_digits(name: str) -> tuple[str, str]:
    """Returns the letters of a name and the number after them."""
    letters = name.rstrip("0123456789")
    return letters, name[len(letters) :]


def _numbered(coordinates: tuple[str, ...]) -> dict[int, str]:
    """Returns the coordinates by the numbers in their names, or by their order if they have none."""
    own = [re.search(r"(\d+)$", name) for name in coordinates]
    numbers = [int(match[1]) for match in own if match]
    if len(set(numbers)) == len(coordinates):
        return dict(zip(numbers, coordinates, strict=True))
    return dict(enumerate(coordinates, 1))


def _joints(index: str, n: int) -> list[list[int]]:
    """Returns the readings of an index as numbers of joints: 12 is 1 and 2, or the twelfth joint of a long arm."""
    if "," in index:
        return [[int(k) for k in index.split(",")]]
    single = [int(k) for k in index]
    whole = [[int(index)]] if len(index) == 2 and int(index) <= n else []
    return whole if 0 in single else [single, *whole]
