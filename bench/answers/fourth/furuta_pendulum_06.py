import sympy as sp
theta1, theta2 = sp.symbols('theta1 theta2')
m1, m2, J1, J2, L1, l1, l2, g = sp.symbols('m1 m2 J1 J2 L1 l1 l2 g')
M = sp.Matrix([[J1 + m1*l1**2 + m2*L1**2 + (J2 + m2*l2**2)*sp.sin(theta2)**2, m2*L1*l2*sp.cos(theta2)],
               [m2*L1*l2*sp.cos(theta2), J2 + m2*l2**2]])
G = sp.Matrix([0, -m2*g*l2*sp.sin(theta2)])
