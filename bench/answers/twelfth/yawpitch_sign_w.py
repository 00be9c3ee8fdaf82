import sympy as sp
q1, q2, u1, u2 = sp.symbols('q1 q2 u1 u2')   # u1, u2 are the joint velocities
I0, m, a1, a2, g = sp.symbols('I0 m a1 a2 g', positive=True)
R = a1 + a2*sp.cos(q2)
M = sp.diag(I0 + m*R**2, m*a2**2)
h = sp.Matrix([-2*m*a2*sp.sin(q2)*R*u1*u2, -m*a2*sp.sin(q2)*R*u1**2])
G = sp.Matrix([0, m*g*a2*sp.cos(q2)])
