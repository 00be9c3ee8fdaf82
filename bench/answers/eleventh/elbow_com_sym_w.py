from sympy import *
t = symbols('t')
m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g', positive=True)
q1 = Function('q1')(t)
q2 = Function('q2')(t)

x1, y1 = lc1*cos(q1), lc1*sin(q1)
x2, y2 = l1*cos(q1) + lc2*cos(q1 + q2), l1*sin(q1) + lc2*sin(q1 + q2)

v1sq = simplify(diff(x1, t)**2 + diff(y1, t)**2)
v2sq = simplify(diff(x2, t)**2 + diff(y2, t)**2)

K = m1*v1sq/2 + I1*q1.diff(t)**2/2 + m2*v2sq/2 + I2*q2.diff(t)**2/2
print(expand(K))
