"""Homework 4, problem 1 - planar elbow manipulator, closed form."""
from dataclasses import dataclass
import sympy as sp


@dataclass
class Link:
    m: sp.Symbol
    l: sp.Symbol
    lc: sp.Symbol
    I: sp.Symbol


class Elbow:
    def __init__(self):
        self.q1, self.q2 = sp.symbols("q1 q2", real=True)
        self.g = sp.Symbol("g", positive=True)
        self.a = Link(*sp.symbols("m1 l1 lc1 I1", positive=True))
        self.b = Link(*sp.symbols("m2 l2 lc2 I2", positive=True))

    @property
    def M(self):
        a, b = self.a, self.b
        k = b.m * a.l * b.lc * sp.cos(self.q2)
        M22 = b.m * b.lc**2 + b.I
        M12 = M22 + k
        M11 = a.m * a.lc**2 + a.I + b.m * a.l**2 + M22 + 2 * k
        return sp.Matrix([[M11, M12], [M12, M22]])

    @property
    def G(self):
        a, b, g = self.a, self.b, self.g
        G2 = b.m * b.lc * g * sp.cos(self.q1 + self.q2)
        G1 = (a.m * a.lc + b.m * a.l) * g * sp.cos(self.q1) + G2
        return sp.Matrix([G1, G2])


arm = Elbow()
M = arm.M
G = arm.G
sp.pprint(M)
sp.pprint(G)
