"""Moving is a part of robots and closed chains: it simulates their motion, bounds it, or makes one step of it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from qddot.base.errors import SimulationError
from qddot.base.system.parts import installed
from qddot.machine.numeric.calls import named_as_written
from qddot.machine.numeric.numeric_system import NumericSystem
from qddot.robot.symbol_values import refuse_unknown

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from qddot.faces.run import Run
    from qddot.motion.simulate.acting.forces import Given
    from qddot.motion.simulate.laws.law import Event
    from qddot.motion.simulate.motion import GivenMethod, GivenTorque, Start
    from qddot.motion.simulate.options import Options
    from qddot.motion.simulate.plant import Closed
    from qddot.motion.simulate.stepping.own_loop import Stepper
    from qddot.robot.model import Model


@named_as_written
class Moving(NumericSystem):
    """This is a system whose motion can be computed."""

    @property
    @abstractmethod
    def _robot(self) -> Callable[[Model], Any]:
        """Returns what makes the robot of a run, without loops, from its model."""

    @property
    def _loops(self) -> Closed | None:
        """Returns the conditions of loops and wheels, if there are some."""
        return None

    def simulate(
        self,
        q0: Start,
        qd0: Start | None = None,
        duration: float = 10.0,
        step: float = 1e-3,
        method: GivenMethod | None = None,
        *,
        torque: GivenTorque = None,
        damping: ArrayLike | None = None,
        forces: Given | Sequence[Given] | None = None,
        event: Event | None = None,
        limits: bool = True,
        options: Options | None = None,
        values: Mapping[str, ArrayLike] | None = None,
        **symbols: ArrayLike,
    ) -> Run:
        """Returns the motion from (q0, qd0) over `duration` seconds as a `Run`, both ends included.

        q0, qd0: a row of numbers as long as q and q̇, or N rows for N arms at once; qd0 is 0 by default.
        method: "taylor" expands the motion in series of high order, to the precision of doubles. "dop853", and "radau"
        for stiff arms, also step to a tolerance. These three choose their own steps and are sampled every `step`; a
        pair such as ("dop853", 1e-8) also sets the error of one step, as a number or as (relative, absolute).
        "rk4" on (q, q̇), and the symplectic "semi-implicit" and "midpoint" on (q, p = M q̇), have steps of the size
        `step`. The default is "taylor" if `torque` and `forces` are smooth and compiled; the joints' own dry friction
        is no obstacle. It is "rk4" if a law is called from Python or sampled, if a law or force has kinks or jumps or
        is given as (times, values), or if any function uses `qddot.rint`; `run.arrays.attrs["method"]` says which.
        torque: None; (n,) or (N, n) numbers; (times, values) of shape (K,) and (K, n), linear in between; or a
        law τ(t, q, qd) in ordinary arithmetic and functions such as `qddot.sin`, which is also compiled (`qddot.laws`
        has some). A law that cannot be traced is called from Python at every stage; `run.notes` says so. A law that
        remembers has an attribute z0, the start of its state, and is called as law(t, q, qd, z) → (τ, ż); or it is
        given as `laws.made(factory)`. `laws.sampled` samples a law.
        damping: D of a torque −D q̇ added to the model's own friction, a number, (n,) or (N, n).
        forces: external ones of `qddot.forces`: wrenches on links, springs and dampers to the world, payloads.
        event: a function of (t, q, qd); an arm's run ends when it rises above 0.
        limits: whether an arm's run also ends when a joint reaches a limit.
        options: how the run is computed and kept, `qddot.Options(record_every=10, store="run.zarr", threads=2, …)`.
        values, symbols: the arm's symbols by name, each a number, or N numbers, one for each arm; only `values` takes
        names that are also arguments, such as "step".
        Ctrl-C ends the run and keeps the samples computed so far. A state that grows without bound stops only its own
        arm.

        A closed chain has q0, qd0 and torques of all joints, such as `assemble(…).q` and `velocities(q0, u)`. It moves
        by "rk4", whose steps end with closed loops, or by "taylor", "dop853" or "radau", whose samples are closed by a
        step of Newton's method. The forces of the loops do no work, and the ledger of energy is that of the links.
        raises SimulationError: the run is impossible, or does not begin with closed loops; ModelError: no robot has the
            values of symbols; all this is checked before it begins
        """
        with installed():
            from qddot.faces.run import Run
            from qddot.motion.simulate import setup, simulation
            from qddot.motion.simulate.motion import Motion

        refuse_unknown(self.system.tree, symbols, self.simulate, SimulationError)
        motion: tuple[Any, ...] = (q0, qd0, duration, step, method, torque, damping, forces, event, limits)
        all_values = setup.joined_values(values, symbols)
        recording = simulation.simulated(self.system.tree, Motion(*motion), options, all_values, self._loops)
        return Run(recording, self._robot)

    def enclose(
        self,
        q0: Start,
        qd0: Start | None = None,
        duration: float = 1.0,
        step: float = 0.01,
        radius: float | Mapping[str, float] = 0.0,
        *,
        torque: GivenTorque = None,
        damping: ArrayLike | None = None,
        forces: Given | Sequence[Given] | None = None,
        progress: Callable[[float], None] | None = None,
        values: Mapping[str, float] | None = None,
        **symbols: float,
    ) -> Run:
        """Returns a run of one arm with bounds of the true solution at every sample: `run.lower` and `run.upper`.

        radius: half the width of the box in which the motion begins: a number for q0 and qd0, or a mapping from "q",
        "qd" and names of symbols to numbers. The bounds hold for every start and value in that box.
        The box of a closed chain has the coordinates that the loops leave free, and the rates of the independent ones,
        as they are in q0 and qd0; the other coordinates and rates are those with which the loops are closed, also with
        other lengths. That there are such is proved, as by `assemble`. If special lengths make a chain move, these have
        no radius, and the bounds are those of the motion by the conditions that are kept.
        progress: a function that is called with the completed fraction, since this takes seconds
        Otherwise as in `simulate`, but torques, forces and the joints' own friction must be smooth and traced, and no
        limit or event stops the arm.
        raises SimulationError: the run has no enclosure; this is checked before it begins
        """
        with installed():
            from qddot.faces.run import Run
            from qddot.motion.simulate import setup, simulation
            from qddot.motion.simulate.motion import Motion
            from qddot.motion.simulate.options import Options

        refuse_unknown(self.system.tree, symbols, self.enclose, SimulationError)
        report_progress = Options(progress=progress).progress  # where its type is checked
        motion: tuple[Any, ...] = (q0, qd0, duration, step, None, torque, damping, forces, None, False)
        request = setup.RunRequest(Motion(*motion), radius=radius, values=setup.joined_values(values, symbols))
        recording = simulation.run(setup.checked(self.system.tree, request, self._loops), None, report_progress)
        return Run(recording, self._robot)

    def stepper(
        self,
        step: float,
        damping: ArrayLike | None = None,
        values: Mapping[str, float] | None = None,
        **symbols: float,
    ) -> Stepper:
        """Returns a function for a loop of your own: `stepper(q, qd, tau)` gives (q, q̇) one step later, by RK4.

        step: its length [s], during which the torques are held
        damping, values, symbols: as in `simulate`; here they are constants of the compiled code
        Those of a closed chain are of all joints. A step ends with closed loops, as those of `simulate` by "rk4".
        raises SimulationError: no such step, damping or symbol; EvaluationError: energies that depend on the time
        """
        with installed():
            from qddot.motion.simulate.setup import joined_values
            from qddot.motion.simulate.stepping.own_loop import Stepper

        refuse_unknown(self.system.tree, symbols, self.stepper)
        return Stepper(self.system, step, damping, joined_values(values, symbols))
