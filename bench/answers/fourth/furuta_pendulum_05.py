from sympy import *
t = Symbol('t')
m1, m2, J1, J2, L1, l1, l2, g = symbols('m1 m2 J1 J2 L1 l1 l2 g', positive=True)
th1 = Function('theta1')(t); th2 = Function('theta2')(t)
a = J1 + m1*l1**2 + m2*L1**2
b = J2 + m2*l2**2
c = m2*L1*l2
tau1 = (a + b*sin(th2)**2)*th1.diff(t, 2) + c*cos(th2)*th2.diff(t, 2) \
     + 2*b*sin(th2)*cos(th2)*th1.diff(t)*th2.diff(t) - c*sin(th2)*th2.diff(t)**2
tau2 = c*cos(th2)*th1.diff(t, 2) + b*th2.diff(t, 2) - b*sin(th2)*cos(th2)*th1.diff(t)**2 + m2*g*l2*sin(th2)
