from sympy import *
x, theta, mc, mp, l, g = symbols('x theta mc mp l g')
M = [[mc + mp, None], [None, mp*l**2]]  # TODO
