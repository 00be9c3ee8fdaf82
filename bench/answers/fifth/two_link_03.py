from sympy import *
m1, m2, g, l = symbols("m1 m2 g l", positive=True)
t = symbols("t")
q1, q2 = Function("q1")(t), Function("q2")(t)
# x, y of the centres
x1, y1 = l/2*cos(q1), l/2*sin(q1)
x2, y2 = l*cos(q1) + l/2*cos(q1+q2), l*sin(q1) + l/2*sin(q1+q2)
T = m1*(x1.diff(t)**2+y1.diff(t)**2)/2 + m2*(x2.diff(t)**2+y2.diff(t)**2)/2 \
    + Rational(1,2)*m1*l**2/12*q1.diff(t)**2 + Rational(1,2)*m2*l**2/12*(q1.diff(t)+q2.diff(t))**2
V = m1*g*y1 + m2*g*y2
# Lagrange, with dq1 = q1', ddq1 = q1'' etc.:
tau1 = l**2*(m1/3 + 4*m2/3 + m2*cos(q2))*ddq1 + l**2*m2*(2 + 3*cos(q2))/6*ddq2 - l**2*m2*sin(q2)*dq1*dq2 - l**2*m2*sin(q2)*dq2**2/2 + g*l*(m1/2 + m2)*cos(q1) + g*l*m2*cos(q1 + q2)/2
tau2 = l**2*m2*(2 + 3*cos(q2))/6*ddq1 + l**2*m2*ddq2/3 + l**2*m2*sin(q2)*dq1**2/2 + g*l*m2*cos(q1 + q2)/2
