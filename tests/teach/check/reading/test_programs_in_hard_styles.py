"""Programs with loops, dictionaries, classes and functions are judged by the equations that they compute."""

from __future__ import annotations

from pathlib import Path

import pytest
from judged_texts import assert_twins, judged

DICTIONARY = """import numpy as np
p = {"m1": 1.0, "m2": 1.0, "l": 0.5, "g": 9.81}
def mass(q, p):
    c = np.cos(q[1])
    a = p["m2"]*p["l"]**2
    return np.array([[p["m1"]*p["l"]**2/3 + a*(4/3 + c), a*(1/3 + c/2)], [a*(1/3 + c/2), a/3]])
"""
CLASS = """import numpy as np
class Arm:
    def __init__(self, m1, m2, l, g=9.81):
        self.m1, self.m2, self.l, self.g = m1, m2, l, g
        self.a = m2*l**2
    def M(self, q):
        c = np.cos(q[1])
        b = self.a*(1/3 + c/2)
        return np.array([[self.m1*self.l**2/3 + self.a*(4/3 + c), b], [b, self.a/3]])
    def gravity(self, q):
        k, c = self.g*self.l/2, np.cos(q[0] + q[1])
        return np.array([k*(self.m1*np.cos(q[0]) + self.m2*(2*np.cos(q[0]) + c)), k*self.m2*c])
"""
ENERGIES = """import sympy as sp
from sympy.physics.mechanics import dynamicsymbols
t = sp.Symbol('t')
q = dynamicsymbols('q1 q2')
qd = [x.diff(t) for x in q]
m = sp.symbols('m1 m2')
l, g = sp.symbols('l g')
angles = [sum(q[:k + 1]) for k in range(2)]
ends = [sp.Matrix([0, 0])]
K = P = 0
for mi, th in zip(m, angles):
    u = sp.Matrix([sp.cos(th), sp.sin(th)])*l
    c = ends[-1] + u/2
    ends.append(ends[-1] + u)
    v = c.diff(t)
    K += mi*v.dot(v)/2 + mi*l**2/24*th.diff(t)**2
    P += mi*g*c[1]
"""
LAGRANGE = (
    ENERGIES
    + """L = K - P
tau1, tau2 = [sp.simplify(L.diff(w).diff(t) - L.diff(x)) for x, w in zip(q, qd)]
"""
)
CHRISTOFFEL = (
    ENERGIES
    + """n = len(q)
M = sp.Matrix(n, n, lambda i, j: sp.diff(K, qd[i], qd[j]))
def gamma(i, j, k):
    return sp.Rational(1, 2)*(M[i, j].diff(q[k]) + M[i, k].diff(q[j]) - M[j, k].diff(q[i]))
C = sp.zeros(n)
for i in range(n):
    for j in range(n):
        C[i, j] = sum(gamma(i, j, k)*qd[k] for k in range(n))
"""
)
CUMSUM = """import numpy as np
def gravity(q, m1, m2, l, g):
    c1, c12 = np.cos(np.cumsum(q[:2]))
    return np.array([g*l*(m1/2*c1 + m2*(c1 + c12/2)), g*l*m2*c12/2])
"""
STATE = """import numpy as np
def f(t, x):
    q, v = x[:2], x[2:]
    c2, s2 = np.cos(q[1]), np.sin(q[1])
    a = m2*l**2
    M = np.array([[m1*l**2/3 + a*(4/3 + c2), a*(1/3 + c2/2)], [a*(1/3 + c2/2), a/3]])
    h = a*s2*np.array([-v[0]*v[1] - v[1]**2/2, v[0]**2/2])
    G = g*l/2*np.array([(m1 + 2*m2)*np.cos(q[0]) + m2*np.cos(q[0] + q[1]), m2*np.cos(q[0] + q[1])])
    return np.concatenate([v, np.linalg.solve(M, tau - h - G)])
"""
LAMBDAS = """from math import cos
c = lambda x: cos(x)
a = m2*l**2
M11 = m1*l**2/3 + a*(4/3 + c(q2))
off = lambda q: a*(1/3 + c(q)/2)
M12 = off(q2)
M22 = a/3
"""
DATACLASS = """from dataclasses import dataclass
import numpy as np
@dataclass
class Constants:
    m1: float = 1.0
    m2: float = 1.0
    l: float = 1.0
p = Constants()
a = p.m2*p.l**2
M = np.zeros((2, 2))
M[0, 0] = p.m1*p.l**2/3
M[0, 0] += a*(4/3 + np.cos(q2))
for i, j in ((0, 1), (1, 0)):
    M[i, j] = a*(1/3 + np.cos(q2)/2)
M[1, 1] = a/3
"""
JACOBIANS = """import sympy as sp
q1, q2, m1, m2, l = sp.symbols("q1 q2 m1 m2 l")
q = sp.Matrix([q1, q2])
R = lambda a: sp.Matrix([[sp.cos(a), -sp.sin(a)], [sp.sin(a), sp.cos(a)]])
p1 = R(q1)*sp.Matrix([l/2, 0])
p2 = R(q1)*sp.Matrix([l, 0]) + R(q1 + q2)*sp.Matrix([l/2, 0])
J1, J2 = p1.jacobian(q), p2.jacobian(q)
w1, w2 = sp.Matrix([[1, 0]]), sp.Matrix([[1, 1]])
M = m1*J1.T*J1 + m2*J2.T*J2 + m1*l**2/12*w1.T*w1 + m2*l**2/12*w2.T*w2
"""


@pytest.mark.parametrize(("text", "change"), [
    (DICTIONARY, ("(4/3 + c)", "(1/3 + c)")),
    (CLASS, ("self.a/3]]", "self.a/2]]")),
    (LAGRANGE, ("u/2", "u")),
    (CHRISTOFFEL, ("- M[j, k]", "+ M[j, k]")),
    (CUMSUM, ("np.cumsum(q[:2])", "q[:2]")),
    (STATE, ("tau - h - G", "tau - h + G")),
    (LAMBDAS, ("cos(x)", "cos(2*x)")),
    (DATACLASS, ("M[0, 0] +=", "M[0, 0] -=")),
    (JACOBIANS, ("[l, 0]) + R(q1 + q2)", "[l, 0]) + R(q2)")),
])  # fmt: skip
def test_what_a_program_computes_is_judged(text: str, change: tuple[str, str], tmp_path: Path) -> None:
    assert_twins("two_link", ".py", text, change, tmp_path)


@pytest.mark.parametrize(("text", "change"), [
    ("M22 = a/3\nif False:\n    M22 = 7*a", ("False", "True")),
    ("def M22():\n    return a/3\n    return 5*a", ("a/3\n    return 5*a", "5*a\n    return a/3")),
    ("b = a\nb = b/3\nM22 = b", ("b = b/3\n", "")),
    ("M22 = a/3 + 1//2*m1", ("1//2", "1/2")),
    ("n = 3\nM22 = sum(a*k for k in range(n) if k == 1)/n", ("k == 1", "k > 0")),
])  # fmt: skip
def test_python_is_read_as_python_computes_it(text: str, change: tuple[str, str], tmp_path: Path) -> None:
    assert_twins("two_link", ".py", f"import numpy as np\na = m2*l**2\n{text}\n", change, tmp_path)


@pytest.mark.parametrize("text", [
    "if flag():\n    a = a/3\nM22 = a",
    "while flag():\n    a = a/3\nM22 = a",
    "def M22():\n    if flag():\n        return a/3\n    return a",
    "for k in unknown():\n    a = a/3\nM22 = a/3",
    "del a\nM22 = a/3",
])  # fmt: skip
def test_what_depends_on_an_unknown_value_is_unread(text: str, tmp_path: Path) -> None:
    text = f"import numpy as np\na = m2*l**2\nM11 = m1*l**2/3 + a*(4/3 + np.cos(q2))\n{text}\n"
    judgement = judged(text, "two_link", tmp_path, ".py")
    assert not judgement
    assert not judgement.wrong
    assert judgement.unread
