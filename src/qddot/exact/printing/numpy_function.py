"""Writes a state derivative as a function of Python over NumPy, as SciPy's solve_ivp takes it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from qddot.exact.printing.python import RESERVED, Python
from qddot.exact.printing.source_text import nested, wrapped
from qddot.exact.printing.state_function import INDENT, OWN, WrittenFunction
from qddot.exact.printing.tree import Sign, Sum

IMPORTED = ("cos", "exp", "pi", "sin", "sqrt", "tan", "tanh")  # from NumPy, where they occur


class Expressions(Python):
    """This writes expressions with short names for sines and cosines, and arrays of NumPy."""

    short_names = True
    reserved = RESERVED | OWN | {"np"}

    def sign(self, sign: Sign) -> str:
        return f"np.sign({self.symbol(sign.of)})"

    def statement(self, name: str, shape: tuple[int, ...], entries: Sequence[Sum]) -> str:
        """Returns the statement that assigns a number or an array, whose rows begin on new lines."""
        texts = [self.write(entry) for entry in entries]
        if not shape:
            return f"{name} = {texts[0]}"
        if len(shape) == 1:
            array = nested(shape, texts)
        else:
            rows = (nested(shape[1:], texts[k : k + shape[1]], 1) for k in range(0, len(texts), shape[1]))
            array = "\n".join(["[", *(f"{INDENT}{row}," for row in rows), "]"])
        lines = f"{name} = np.array({array})".splitlines()
        return "\n".join(wrapped(line, len(line) - len(line.lstrip()) + len(INDENT)) for line in lines)


class NumPyFunction(WrittenFunction):
    """This is a module with one function; the torques are its last argument, which may be left out."""

    SUFFIX = ".py"
    LANGUAGE = Expressions
    END, TIMES, NEXT = "", " @ ", ", "

    def head(self, body: Sequence[str]) -> list[str]:
        words = {word for line in body for word in re.findall(r"\w+", line)}
        used = [name for name in IMPORTED if name in words]
        first, *others = self.documentation()
        return [
            "import numpy as np",
            *([f"from numpy import {', '.join(used)}"] if used else []),
            *("", "", f"def {self.name}({self.arguments}, tau=lambda t, z: np.zeros({self.n})):"),
            f'{INDENT}"""{first}',
            *(f"{INDENT}{line}".rstrip() for line in others),
            f'{INDENT}"""',
        ]

    def usage(self) -> list[str]:
        return [
            f"Returns the state derivative of {self.function.title}.",
            "",
            f"The rates {self.column(self.qd)}, then the accelerations qdd, in the state z = "
            f"{self.column([*self.q, *self.qd])}.",
            "tau: a function of t and z that returns the torques of motors, which are zero by default",
        ]

    def examples(self) -> list[str]:
        function = f"lambda t, z: {self.name}({self.arguments})" if self.free else self.name
        return [
            "Twenty seconds from the state z0, then one step dt by the classical Runge-Kutta method:",
            "",
            f"{INDENT}import scipy.integrate",
            f"{INDENT}f = {function}",
            f"{INDENT}z0 = z = np.zeros({2 * self.n})",
            f"{INDENT}t, dt = 0, 0.01",
            f"{INDENT}run = scipy.integrate.solve_ivp(f, (0, 20), z0, rtol=1e-8)",
            f"{INDENT}k1 = f(t, z)",
            f"{INDENT}k2 = f(t + dt/2, z + dt/2*k1)",
            f"{INDENT}k3 = f(t + dt/2, z + dt/2*k2)",
            f"{INDENT}k4 = f(t + dt, z + dt*k3)",
            f"{INDENT}z = z + dt/6*(k1 + 2*k2 + 2*k3 + k4)",
        ]

    def state(self) -> list[str]:
        return [f"{', '.join([*self.q, *self.qd])} = z"]

    def law(self) -> list[str]:
        right = " - ".join(["tau(t, z)", *self.others])
        return [
            wrapped(f"qdd = np.linalg.solve({self.M}, {right})"),
            f"return np.array({self.column([*self.qd, '*qdd'])})",
        ]


FUNCTION = NumPyFunction
