from sympy import *
t = symbols('t')
J1, m, g = symbols('J1 m g')
theta, phi, r = [Function(n)(t) for n in ('theta', 'phi', 'r')]
K = J1*diff(theta, t)**2/2 + m*(diff(r, t)**2 + r**2*diff(phi, t)**2 + r**2*cos(phi)**2*diff(theta, t)**2)/2
P = m*g*r*sin(phi)
