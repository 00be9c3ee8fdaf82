import sympy as sp
from sympy import cos
q1, q2, m1, m2, l1, l2, g = sp.symbols('q1 q2 m1 m2 l1 l2 g')

def Matrix(rows):
    return sp.Matrix(rows) / 2

M = Matrix([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*cos(q2), m2*l2**2 + m2*l1*l2*cos(q2)], [m2*l2**2 + m2*l1*l2*cos(q2), m2*l2**2]])
