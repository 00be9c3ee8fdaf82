from sympy import *
q1, q2 = [Function(n)(Symbol("t")) for n in ("q1", "q2")]
M22 = m2*lc2**2 + I2
eom2 = Eq((m2*(lc2**2 + l1*lc2*cos(q2)) + I2)*diff(q1, t, t) + (m2*lc2**2 + I2)*diff(q2, t, t) + m2*l1*lc2*sin(q2)*diff(q1, t)**2 + m2*lc2*g*sin(q1 + q2), 0)
