import sympy as sp

M, m, g = sp.symbols('M m g', positive=True)
x, theta, r, xd, thetad, rd = sp.symbols('x theta r xd thetad rd', real=True)

# load at (x + r*sin(theta), -r*cos(theta))
vx = xd + rd*sp.sin(theta) - r*thetad*sp.cos(theta)
vz = -rd*sp.cos(theta) + r*thetad*sp.sin(theta)
K = M*xd**2/2 + m*(vx**2 + vz**2)/2
P = -m*g*r*sp.cos(theta)
