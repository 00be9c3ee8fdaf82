from sympy import *
M, m, g = symbols('M m g', positive=True)
x, theta, r, xdot, thetadot, rdot = symbols('x theta r xdot thetadot rdot')

# load: X = x + r sin(theta), Z = - r cos(theta)
Xdot = xdot + rdot*sin(theta) + r*thetadot*cos(theta)
Zdot = -rdot*cos(theta) + r*thetadot*sin(theta)
T = M*xdot**2/2 + m*(Xdot**2 + Zdot**2)/2
V = -m*g*r*sin(theta)
