from types import SimpleNamespace
from sympy import symbols, cos

q1, q2, q3 = symbols('q1 q2 q3')
p = SimpleNamespace(**{n: s for n, s in zip(('m2', 'm3', 'l1', 'r1', 'r2', 'Ix2', 'Ix3'),
                                            symbols('m2 m3 l1 r1 r2 Ix2 Ix3'))})
M33 = p.Ix3 + p.m3*p.r2**2
M23 = M33 + p.m3*p.l1*p.r2*cos(q3)
M22 = p.Ix2 + p.Ix3 + p.m2*p.r1**2 + p.m3*(p.l1**2 + p.r2**2 + p.l1*p.r2*cos(q3))
