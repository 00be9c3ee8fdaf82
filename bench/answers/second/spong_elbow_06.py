from sympy import symbols, sin, cos, Matrix, simplify
from sympy.physics.mechanics import dynamicsymbols

m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g', positive=True)
q1, q2 = dynamicsymbols('q1 q2')

# inertia matrix, by hand
M = Matrix([
    [I1 + I2 + m1*lc1**2 + m2*(l1**2 + lc2**2 + l1*lc2*cos(q2)), I2 + m2*(lc2**2 + l1*lc2*cos(q2))],
    [I2 + m2*(lc2**2 + l1*lc2*cos(q2)), I2 + m2*lc2**2],
])
# gravity vector
G = Matrix([(m1*lc1 + m2*l1)*g*cos(q1) + m2*g*lc2*cos(q1 + q2), m2*g*lc2*cos(q1 + q2)])
print(simplify(M), simplify(G))
