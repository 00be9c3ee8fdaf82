import sympy as sp
from sympy.physics.mechanics import dynamicsymbols

alpha, beta = dynamicsymbols('alpha beta')
alphad, betad = dynamicsymbols('alpha beta', 1)
J0, m, r, l, g = sp.symbols('J0 m r l g')

sb, cb = sp.sin(beta), sp.cos(beta)
M = sp.Matrix([[J0 + m*(r**2 + l**2*sb**2), -m*r*l*cb],
               [-m*r*l*cb, m*l**2]])
h = sp.Matrix([2*m*l**2*sb*cb*alphad*betad + m*r*l*sb*betad**2,
               -m*l**2*sb*cb*alphad**2])
G = sp.Matrix([0, -m*g*l*sb])
