import sympy as sym

th1, th2 = sym.symbols('theta1 theta2', real=True)
m1, m2, a1, l1, l2, I1, I2, J1, J2, g = sym.symbols('m1 m2 a1 l1 l2 I1 I2 J1 J2 g', positive=True)

B = sym.zeros(2, 2)
B[0, 0] = I1 + m1*l1**2 + J1 + I2 + m2*(a1**2 + l2**2 + 2*a1*l2*sym.cos(th2))
B[0, 1] = I2 + m2*(l2**2 + a1*l2*sym.cos(th2))
B[1, 0] = B[0, 1]
B[1, 1] = I2 + m2*l2**2 + J2

G = sym.zeros(2, 1)
G[0] = (m1*l1 + m2*a1)*g*sym.cos(th1) + m2*l2*g*sym.cos(th1 + th2)
G[1] = m2*l2*g*sym.cos(th1 + th2)
