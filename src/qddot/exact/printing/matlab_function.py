"""Writes a state derivative as a function of MATLAB and Octave, as ode45 takes it."""

from __future__ import annotations

from collections.abc import Sequence

from qddot.exact.printing.matlab import RESERVED, Matlab
from qddot.exact.printing.state_function import INDENT, OWN, WrittenFunction


class Expressions(Matlab):
    """This writes expressions with short names for sines and cosines."""

    short_names = True
    reserved = RESERVED | OWN | {"nargin"}


class MatlabFunction(WrittenFunction):
    """This is a function file; the torques are its last argument, which may be left out."""

    SUFFIX = ".m"
    LANGUAGE = Expressions
    END, TIMES, NEXT = ";", "*", "; "

    def head(self, body: Sequence[str]) -> list[str]:
        documentation = (f"{self._comment(line)}" for line in self.documentation())
        return [f"function zDot = {self.name}({self.arguments}, tau)", *documentation, ""]

    def usage(self) -> list[str]:
        return [
            f"{self.name.upper()} State derivative of {self.function.title}.",
            f"zDot = {self.name}({self.arguments}) returns [{'; '.join(self.qd)}] and the accelerations qdd",
            f"in the state z = {self.column([*self.q, *self.qd])} without torques of motors,",
            f"zDot = {self.name}({self.arguments}, tau) with the torques tau(t, z), a column.",
        ]

    def examples(self) -> list[str]:
        function = f"@(t, z) {self.name}({self.arguments})" if self.free else f"@{self.name}"
        return [
            "Twenty seconds from the state z0, then one step dt by the classical Runge-Kutta method:",
            "",
            f"{INDENT}f = {function};",
            f"{INDENT}z0 = zeros({2 * self.n}, 1);  t = 0;  z = z0;  dt = 0.01;",
            f"{INDENT}[times, states] = ode45(f, [0 20], z0, odeset('RelTol', 1e-8));",
            f"{INDENT}k1 = f(t, z);                  k2 = f(t + dt/2, z + dt/2*k1);",
            f"{INDENT}k3 = f(t + dt/2, z + dt/2*k2); k4 = f(t + dt, z + dt*k3);",
            f"{INDENT}z = z + dt/6*(k1 + 2*k2 + 2*k3 + k4);",
        ]

    def opening(self) -> list[str]:
        """Returns the statements by which the torques are zero if none are given."""
        return [f"if nargin < {3 + len(self.free)}", f"{INDENT}tau = @(t, z) zeros({self.n}, 1);", "end"]

    def state(self) -> list[str]:
        return [
            "  ".join(f"{name} = z({k});" for k, name in enumerate(names, first))
            for names, first in ((self.q, 1), (self.qd, 1 + self.n))
        ]

    def law(self) -> list[str]:
        parts = ["tau(t, z)", *(f"{INDENT}- {other}" for other in self.others)]
        right = " ...\n".join(parts)
        return [f"qdd = {self.M} \\ ({right});", f"zDot = {self.column([*self.qd, 'qdd'])};"]

    def end(self) -> list[str]:
        return ["end"]


FUNCTION = MatlabFunction
