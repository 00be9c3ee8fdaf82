"""Simulates one motion with several values of the damping or of a symbol, in `qddot simulate --compare`."""

from __future__ import annotations

import argparse
import json
from typing import TYPE_CHECKING, Any, NamedTuple

from qddot.apps.cli.output import DONE, FALSE, show, table
from qddot.apps.cli.values import numbers, pairs
from qddot.apps.cli.words import sentence
from qddot.base.errors import SimulationError
from qddot.base.words.message import Told, say
from qddot.robot.model import Model

if TYPE_CHECKING:
    from qddot.faces.run import Run
    from qddot.motion.simulate.runs.trust import Trust

OPTION, DAMPING = "--compare", "damping"
OF_ONE = ("plot", "plot-phase", "movie", "frames", "output", "store")  # what is written of a single run
COLUMNS = tuple(map(Told, map(say, ("title-energy-at-start", "title-energy-at-end", "title-end"))))


class Compared(NamedTuple):
    """These are values of the damping, or of a symbol, with which the same motion is simulated."""

    name: str
    values: list[float]

    def batch(self, q0: Any, qd0: Any, damping: Any, symbols: dict[str, Any]) -> tuple[Any, Any, Any, dict[str, Any]]:
        """Returns the start, the damping and the symbols' values of a batch with an arm for each value."""
        import numpy as np

        start, rates = (None if each is None else np.tile(each, (len(self.values), 1)) for each in (q0, qd0))
        if self.name == DAMPING:
            n = len(q0 if qd0 is None else qd0)
            return start, rates, np.outer(self.values, np.ones(n)), symbols
        return start, rates, damping, {**symbols, self.name: np.array(self.values)}

    def show(self, runs: Run, trust: Trust | None, chosen: argparse.Namespace) -> int:
        """Prints the energies at both ends of each run and its trust, draws them, and returns the exit code."""
        from qddot.papers.draw import plot

        name = sentence("damping") if self.name == DAMPING else self.name
        labels = [f"{name} {value:g}" for value in self.values]
        rows = [_ends(runs, arm) for arm in range(len(labels))]
        check = runs.energy.check()
        if chosen.plot_energy:
            plot.save(runs.plot_energies(labels, chosen.lang), chosen.plot_energy, overwrite=chosen.overwrite)
        if chosen.json:
            print(json.dumps(self._content(rows, trust), indent=2))
        else:
            cells = [[label, *map("{:.6g}".format, row)] for label, row in zip(labels, rows, strict=True)]
            show(table("", *COLUMNS, rows=cells))
            show(sentence("energy", balance=check.residual))
            for label, verdict in zip(labels, trust.verdicts, strict=True) if trust else ():
                show(sentence("trust-of", label=label, verdict=verdict))
            for line in (*runs.stops, *runs.notes):
                show(str(line))
            if chosen.plot_energy:
                show(sentence("wrote", path=chosen.plot_energy))
        return DONE if check else FALSE

    def _content(self, rows: list[tuple[float, float, float]], trust: Trust | None) -> dict[str, dict[str, Any]]:
        """Returns the energies and the trust of each run as plain data."""
        import numpy as np

        content: dict[str, dict[str, Any]] = {
            f"{self.name} {value:g}": dict(zip(COLUMNS, row, strict=True))
            for value, row in zip(self.values, rows, strict=True)
        }
        if trust is not None:
            horizons = np.atleast_1d(trust.horizon)
            for run, horizon, verdict in zip(content.values(), horizons, trust.verdicts, strict=True):
                run.update(horizon=float(horizon), trust=verdict)
        return content


def compared(chosen: argparse.Namespace, model: Model) -> Compared:
    """Returns what is compared. raises QddotError: another form, fewer than two values, or no such symbol"""
    for option in OF_ONE:
        if getattr(chosen, option.replace("-", "_")):
            raise SimulationError("plot-energy", option=OPTION, option2=option)
    ((name, text),) = pairs([chosen.compare], OPTION, f"{DAMPING}=0,1,5 or SYMBOL=V,…").items()
    values = numbers(text, OPTION)
    if len(values) < 2:
        raise SimulationError("two-values-more-commas", option=OPTION, compare=chosen.compare)
    if name == DAMPING and chosen.damping is not None:
        raise SimulationError("both-them", damping=DAMPING, option=OPTION)
    if name != DAMPING and name not in model.symbols:
        from qddot.robot.symbol_values import unknown_symbol

        raise unknown_symbol(name, model, error=SimulationError)
    return Compared(name, values)


def _ends(runs: Run, arm: int) -> tuple[float, float, float]:
    """Returns a run's energy at its start and at its end, and the time of the end."""
    import numpy as np

    energies = runs.energy.E[arm]
    last = int(np.flatnonzero(np.isfinite(energies))[-1])
    return float(energies[0]), float(energies[last]), float(runs.time[last])
