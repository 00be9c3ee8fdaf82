from sympy import *
t = symbols('t')
J0, m, r, l, g = symbols('J0 m r l g', positive=True)
alpha, beta = Function('alpha')(t), Function('beta')(t)
da, db = alpha.diff(t), beta.diff(t)
M = Matrix([[J0 + m*r**2 + m*l**2*sin(beta)**2, -m*r*l*cos(beta)],
            [-m*r*l*cos(beta), m*l**2]])
C = Matrix([[m*l**2*sin(beta)*cos(beta)*db, m*l**2*sin(beta)*cos(beta)*da + m*r*l*sin(beta)*db],
            [-m*l**2*sin(beta)*cos(beta)*da, 0]])
G = Matrix([0, m*g*l*sin(beta)])
