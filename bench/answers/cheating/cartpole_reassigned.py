from sympy import *
x, theta, mc, mp, l, g = symbols('x theta mc mp l g')
M = Matrix([[mc + mp, mp*l*cos(theta)], [mp*l*cos(theta), mp*l**2]])
M[0, 1] = M[1, 0] = mp*l*sin(theta)
