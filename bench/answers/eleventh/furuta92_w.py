from sympy import symbols, sin, cos, Matrix

J0, m, r, l, g, alpha, beta = symbols("J0 m r l g alpha beta")

M = Matrix([[J0 + m*r**2 + m*l**2*sin(beta)**2, -m*r*l*cos(beta)],
            [-m*r*l*cos(beta), m*l**2]])
G = Matrix([0, m*g*l*sin(beta)])
