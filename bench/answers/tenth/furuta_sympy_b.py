from sympy import Matrix, cos, sin, symbols
from sympy.physics.mechanics import dynamicsymbols

theta1, theta2 = dynamicsymbols("theta1 theta2")
theta1d, theta2d = dynamicsymbols("theta1 theta2", 1)
m1, m2, J1, J2, g, L1, l1, l2 = symbols("m1 m2 J1 J2 g L1 l1 l2")
J2h = J2 - m2*l2**2
h = Matrix([
    J2h*sin(2*theta2)*theta1d*theta2d - m2*L1*l2*sin(theta2)*theta2d**2,
    -J2h*sin(theta2)*cos(theta2)*theta1d**2,
])
G = Matrix([0, m2*g*l2*sin(theta2)])
