from sympy import *
t = symbols('t')
m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g')
q1 = Function('q1')(t)
q2 = Function('q2')(t)
w1 = diff(q1, t)
w2 = diff(q2, t)
T = Rational(1, 2)*(m1*lc1**2 + I1)*w1**2 + Rational(1, 2)*I2*(w1 + w2)**2 \
    + Rational(1, 2)*m2*(l1**2*w1**2 + lc2**2*(w1 + w2)**2 + 2*l1*lc2*cos(q2)*w1*(w1 + w2))
V = (m1*lc1 + m2*l1)*g*sin(q1) + m2*lc2*g*sin(q1 + q2)
tau1 = (m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I1 + I2)*diff(q1, t, 2) \
    + (m2*(lc2**2 + l1*lc2*cos(q2)) + I2)*diff(q2, t, t) \
    - m2*l1*lc2*sin(q2)*(2*w1*w2 + w2**2) \
    + (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)
tau2 = (m2*(lc2**2 + l1*lc2*cos(q2)) + I2)*diff(q1, t, 2) + (m2*lc2**2 + I2)*diff(q2, t, 2) \
    + m2*l1*lc2*sin(q2)*w1**2 + m2*lc2*g*cos(q1 + q2)
