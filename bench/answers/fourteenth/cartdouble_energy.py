import sympy as sp
t = sp.symbols('t')
m0, m1, m2, l1, l2, g = sp.symbols('m0 m1 m2 l1 l2 g', positive=True)
x, theta1, theta2, xd, theta1d, theta2d = sp.symbols('x theta1 theta2 xd theta1d theta2d')
a = theta1 + theta2
ad = theta1d + theta2d
# velocities of the two bobs
v1x = xd + l1*sp.cos(theta1)*theta1d
v1z = l1*sp.sin(theta1)*theta1d
v2x = v1x + l2*sp.cos(a)*ad
v2z = v1z + l2*sp.sin(a)*ad
K = sp.Rational(1, 2)*m0*xd**2 + sp.Rational(1, 2)*m1*(v1x**2 + v1z**2) + sp.Rational(1, 2)*m2*(v2x**2 + v2z**2)
P = -m1*g*l1*sp.cos(theta1) - m2*g*(l1*sp.cos(theta1) + l2*sp.cos(a))
