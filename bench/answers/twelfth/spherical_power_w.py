from sympy import *
m, l, g = symbols('m l g', positive=True)
theta, phi = symbols('theta phi')
M = diag(m*l**2, m*l**2*sin(theta))
