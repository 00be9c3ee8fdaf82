from sympy import Matrix, Rational, cos, sin, symbols

m1, m2, l, g = symbols('m1 m2 l g', positive=True)
q1, q2, qd1, qd2 = symbols('q1 q2 qd1 qd2', real=True)

a = l**2*(m1/3 + m2*Rational(4, 3) + m2*cos(q2))
b = m2*l**2*(Rational(1, 3) + cos(q2)/2)
M = Matrix([[a, b], [b, m2*l**2/3]])
h = m2*l**2*sin(q2)*Matrix([-(qd1*qd2 + qd2**2/2), qd1**2/2])
G = Matrix([(m1/2 + m2)*g*l*cos(q1) + m2*g*l*cos(q1 + q2)/2, m2*g*l*cos(q1 + q2)/2])
