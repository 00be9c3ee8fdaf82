"""Lists the variables of a ring of polynomials: the angles, coordinates, symbols and roots of a model."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

from qddot.algebra.expressions.angles import ONCE, Angle
from qddot.algebra.expressions.derivative import derivative
from qddot.algebra.expressions.expression import Applied, Expression, Root
from qddot.algebra.expressions.names import rate_name
from qddot.algebra.expressions.turning import Combination, TurningAngles
from qddot.algebra.freedoms import Freedoms
from qddot.algebra.numbers.polynomials.angle_bases import AngleBases
from qddot.algebra.numbers.polynomials.generators import QUASI, SCALAR, Generator, is_sine


class Variables:
    """These are the variables of a ring.

    turning: the angles whose sines and cosines are variables: coordinates, or combinations of coordinates by name
    plain: coordinates that occur outside sines and cosines
    extra: further symbols, for derivations that need auxiliary quantities
    signs: coordinates with Coulomb friction; their sgn q̇ is a variable
    freedoms: those of joints with quasi-velocities; the velocities' names are among the coordinates
    functions: of coordinates, in addition to sines and cosines of angles; with each one are those of its derivatives
    time: the name of the symbol that is the time, if one is
    """

    def __init__(
        self,
        coordinates: Sequence[str],
        turning: Iterable[str] | Mapping[str, Combination] = (),
        plain: Iterable[str] = (),
        symbols: Iterable[str] = (),
        angles: Iterable[Angle] = (),
        roots: bool = False,
        extra: Iterable[str] = (),
        signs: Iterable[str] = (),
        freedoms: Iterable[Freedoms] = (),
        functions: Iterable[Applied] = (),
        time: str = "",
    ) -> None:
        self.coordinates = tuple(coordinates)
        combinations = turning if isinstance(turning, Mapping) else {}
        self.turning = TurningAngles({name: combinations.get(name, ((name, ONCE),)) for name in turning})
        self.plain = tuple(plain)
        self.symbols = tuple(symbols)
        self.angles = tuple(sorted(set(angles), key=str))
        self.roots = roots
        self.extra = tuple(extra)
        self.signs = tuple(signs)
        self.freedoms = tuple(freedoms)
        self.functions = tuple(functions)
        self.time = time
        self.bases = AngleBases(self.angles)

    @classmethod
    def of(cls, model: Any) -> Variables:
        """Returns the variables in which the equations of a model are written, in the angles of its joints."""
        atoms = set(model.atoms())
        angles = model.constant_angles()
        irrational = any(isinstance(atom, Root) for atom in atoms) or any(
            AngleBases([angle]).split(angle)[0] % 6 for angle in angles
        )
        outside = model.plain_coordinates()
        plain = [name for name in model.coordinates if name in outside]
        signs = [str(body.joint.coordinate) for body in model.moving() if body.joint.uses("sign")]
        symbols = [*model.symbols, *(["pi"] if "pi" in atoms else [])]
        names = [*model.coordinates, *map(rate_name, model.coordinates), model.time]
        own = model.coordinates, model.turning_angles, plain, symbols, angles
        functions = _with_derivatives(model.functions(), names)
        return cls(*own, irrational, (), signs, model.freedoms, functions, model.time)

    def with_(self, **parts: Any) -> Variables:
        """Returns these variables with some parts replaced."""
        own = ("coordinates", "turning", "plain", "symbols", "angles", "roots", "extra", "signs", "freedoms")
        names = (*own, "functions", "time")
        return Variables(**{name: getattr(self, name) for name in names} | parts)

    def joined(self, other: Variables) -> Variables:
        """Returns the variables of both."""
        merged: dict[str, Any] = {
            part: tuple(dict.fromkeys((*getattr(self, part), *getattr(other, part))))
            for part in ("coordinates", "plain", "symbols", "angles", "extra", "signs", "freedoms", "functions")
        }
        own, more = self.turning, other.turning.items()
        # each coordinate keeps these angles, since angles that depend on each other have no normal form
        new = {angle: of for angle, of in more if not {name for name, _ in of} & own.coordinates}
        # one ring's angles may be combinations of the other's, which may need √2 and √3
        roots = self.roots or other.roots or bool(merged["angles"])
        return Variables(**merged, turning={**own, **new}, roots=roots, time=self.time or other.time)

    @cached_property
    def generators(self) -> tuple[Generator, ...]:
        """Returns all variables, in the order that sorts the terms."""
        quasi = {name for freedoms in self.freedoms for name in freedoms.velocities}
        scalars = [freedoms.quaternion[0] for freedoms in self.freedoms]
        others = [name for freedoms in self.freedoms for name in freedoms.positions if name not in scalars]

        turning = tuple(name for name in self.coordinates if name in self.turning.coordinates)

        def rates(kind: str) -> list[Generator]:
            return [Generator(kind, name, role=QUASI if name in quasi else "") for name in self.coordinates]

        return (
            *(Generator("q", name, role=SCALAR) for name in scalars),
            *(Generator("sin", name, of=of) for name, of in self.turning.items()),
            *(Generator("sin", angle=base) for base in self.bases.bases),
            *(Generator("root", name) for name in ("2", "3") if self.roots),
            *(Generator("cos", name, of=of) for name, of in self.turning.items()),
            *(Generator("cos", angle=base) for base in self.bases.bases),
            *(Generator("q", name) for name in (*self.plain, *others)),
            *(
                Generator("function", str(atom), applied=atom, coordinates=self.coordinates, turning=turning)
                for atom in sorted(self.functions, key=is_sine, reverse=True)  # cosines after sines, as above
            ),
            *(Generator("symbol", name) for name in (*self.symbols, *self.extra)),
            *rates("qd"),
            *rates("qdd"),
            *(Generator("sgn", name) for name in self.signs),
        )


def _with_derivatives(functions: set[Applied], names: Sequence[str]) -> list[Applied]:
    """Returns functions and those that occur in their derivatives, in alphabetical order.

    names: those of coordinates, of rates and of the time
    """
    every, new = set[Applied](), functions
    while new:
        every |= new
        slopes = (derivative(Expression.of(each), name) for each in new for name in names)
        cosines = {replace(each, function="cos") for each in new if is_sine(each)}
        new = cosines.union(atom for slope in slopes for atom in slope.atoms() if isinstance(atom, Applied)) - every
    return sorted(every, key=str)
