from sympy import symbols, sin, cos, Rational

q1, q2, dq1, dq2 = symbols('q1 q2 dq1 dq2')
m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g')

half = Rational(1, 2)
w2 = dq1 + dq2                       # absolute rate of link 2

T1 = half*m1*lc1**2*dq1**2 + half*I1*dq1**2
v2_squared = l1*dq1**2 + lc2**2*w2**2 + 2*l1*lc2*cos(q2)*dq1*w2
T2 = half*m2*v2_squared + half*I2*w2**2
K = T1 + T2
P = m1*g*lc1*sin(q1) + m2*g*(l1*sin(q1) + lc2*sin(q1 + q2))
