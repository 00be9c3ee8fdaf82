import sympy as sp

th1, th2, w1, w2 = sp.symbols('theta1 theta2 theta1d theta2d')
m1, m2, l1, l2, g = sp.symbols('m1 m2 l1 l2 g', positive=True)

# energies of the two point masses
K = sp.Rational(1, 2)*m1*l1**2*w1**2 + sp.Rational(1, 2)*m2*(l1**2*w1**2 + l2**2*(w1 + w2)**2
    + 2*l1*l2*sp.cos(th2)*w1*(w1 + w2))
P = (m1 + m2)*g*l1*sp.sin(th1) + m2*g*l2*sp.sin(th1 + th2)

# result
M = sp.Matrix([[(m1 + m2)*l1**2 + m2*l2**2 + 2*m2*l1*l2*sp.cos(th2), m2*l2**2 + m2*l1*l2*sp.cos(th2)],
               [m2*l2**2 + m2*l1*l2*sp.cos(th2), m2*l2**2]])
G = sp.Matrix([(m1 + m2)*g*l1*sp.cos(th1) + m2*g*l2*sp.cos(th1 + th2), m2*g*l2*sp.cos(th1 + th2)])
