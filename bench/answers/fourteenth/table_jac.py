from sympy import symbols, sin, cos, Matrix, simplify

m1, m2, a, I2 = symbols('m1 m2 a I2', positive=True)
x, phi = symbols('x phi')

Jv1 = Matrix([[1, 0], [0, 0]])
Jv2 = Matrix([[1, -a*sin(phi)], [0, a*cos(phi)]])
Jw2 = Matrix([[0, 1]])

M = m1*Jv1.T*Jv1 + m2*Jv2.T*Jv2 + I2*Jw2.T*Jw2
M = simplify(M)
# M = [[m1 + m2, -m2*a*sin(phi)], [-m2*a*sin(phi), I2 + m2*a**2]]
