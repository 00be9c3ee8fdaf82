from sympy import Matrix, Rational, cos, sin, symbols
m1, m2, L1, L2, g, q1, q2 = symbols("m1 m2 L1 L2 g q1 q2")
half, third = Rational(1, 2), Rational(1, 3)
M = Matrix([[third*m1*L1**2 + m2*(L1**2 + third*L2**2 + L1*L2*cos(q2)), m2*(third*L2**2 + half*L1*L2*cos(q2))],
            [m2*(third*L2**2 + half*L1*L2*cos(q2)), third*m2*L2**2]])
G = Matrix([(half*m1 + m2)*g*L1*sin(q1) + half*m2*g*L2*sin(q1 + q2), half*m2*g*L2*sin(q1 + q2)])
