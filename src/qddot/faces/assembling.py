"""Assembling is the part of a closed chain that finds its configurations: those in which all loops are closed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from qddot.base.errors import EvaluationError, shortened
from qddot.base.system.parts import installed
from qddot.base.words.message import Both, Listed, say
from qddot.faces.configurations import configuration, listed
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_chain import NumericChain
from qddot.physics.independent import Independents, of_loops
from qddot.robot.closed_model import ClosedModel
from qddot.robot.joints.refused import refuse_several
from qddot.robot.symbol_values import all_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from qddot.machine.numeric.assembly import Assembly


@named_as_written
class Assembling(NumericChain):
    """This is a closed chain that finds configurations with closed loops.

    _choice: of the independent coordinates and conditions; _near: a guess of its own configuration, or None
    """

    model: ClosedModel
    _choice: Independents
    _near: ArrayLike | Mapping[str, float] | None

    def assemble(self, guess: ArrayLike | Mapping[str, float]) -> Assembly:
        """Returns a configuration `.q` near a guess in which all loops are closed, and the proved `.radius`.

        The independent coordinates keep their values. The true configuration lies within `radius` of q in each
        coordinate, and no other one does: this is proved by Krawczyk's operator in ball arithmetic.
        guess: as many numbers as q has, or a mapping by their names, by default 0 [rad or m]. If the configuration near
        it is beyond the limits of coordinates that the mapping lacks, one within them is preferred.
        raises EvaluationError: the loops cannot be closed near the guess, or are singular there
        Source: Rump, "Verification methods", Acta Numerica 19, 2010, §13.
        """
        with installed():
            from qddot.machine.numeric.within_limits import assembled_within

        choice, q = of_loops(self.model, self._choice), configuration(self.model, guess)
        given = guess if isinstance(guess, Mapping) else self.model.tree.positions
        return assembled_within(self.model, choice, self.closure, q, all_values(self.model), given)

    def some_assembly(self) -> Assembly:
        """Returns a configuration in which all loops are closed, proved as by `assemble`; it is the same in each call.

        Of those that are found, it is one within limits if possible, with joints turned as little as possible, so that
        a drawing looks natural; of several that are turned equally little, it is the one that hangs lowest.
        raises EvaluationError: none is found within some starts of Newton's method
        """
        with installed():
            from qddot.machine.numeric.assembly import found

        return found(self.model, of_loops(self.model, self._choice), self.closure, all_values(self.model))

    def neutral(self) -> NDArray[np.float64]:
        """Returns a configuration in which the loops are closed: that of the chain, or that of `some_assembly`."""
        return self._assembled(None).q

    def assembly_modes(self, independent: ArrayLike | Mapping[str, float]) -> list[Assembly]:
        """Returns all configurations with these independent coordinates, each with its proved radius; none is missing.

        independent: an array, or a mapping by coordinates [rad or m]. The loops leave these coordinates free; with
        rolling wheels there are more of them than independent rates. A dependent angle is searched over all turns
        after which every joint that follows it is back; a slide or a screw is searched within its limits, or as far as
        the loops let it go.
        raises EvaluationError: other coordinates, a coordinate that is not given, modes that meet in one configuration,
            more than three dependent coordinates that must be found together, or one without limits and without a
            proved bound
        Source: Moore, Kearfott, Cloud, *Introduction to Interval Analysis*, 2009, §8.3.
        """
        with installed():
            from qddot.machine.numeric.assembly_modes import modes

        refuse_several(self.model.tree, say("search-for-modes"), remedy=say("assemble-finds-one"))
        choice = of_loops(self.model, self._choice)
        names = [self.model.tree.coordinates[k] for k in choice.independent]
        if not isinstance(independent, Mapping):
            independent = dict(zip(names, listed(self.name, independent, len(names)), strict=True))
        others, missing = [k for k in independent if k not in names], [k for k in names if k not in independent]
        if others or missing:
            given = shortened(others[0]) if others else Both(say("not-given", names=name) for name in missing)
            raise EvaluationError("not-the-independent-coordinates", where=self.name, given=given, names=Listed(names))
        guess = configuration(self.model, independent)
        return modes(self.model, choice, self.closure, guess, all_values(self.model))

    def _assembled(self, near: Any) -> Assembly:
        """Returns the configuration near a guess, near that of the chain, or any one."""
        near = self._near if near is None else near
        return self.some_assembly() if near is None else self.assemble(near)

    def _closed_near(self, q: NDArray[np.float64]) -> NDArray[np.float64] | None:
        """Returns the configuration with closed loops near one, or None."""
        try:
            return self.assemble(q).q
        except EvaluationError:
            return None
