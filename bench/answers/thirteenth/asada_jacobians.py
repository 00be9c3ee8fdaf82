import sympy as sp
th1, th2 = sp.symbols('theta1 theta2')
m1, m2, l1, lc1, lc2, I1, I2 = sp.symbols('m1 m2 l1 lc1 lc2 I1 I2')
# Jacobians of the two centroids (linear) and of the links' rotation (angular)
JL1 = sp.Matrix([[-lc1*sp.sin(th1), 0],
                 [lc1*sp.cos(th1), 0]])
JL2 = sp.Matrix([[-l1*sp.sin(th1) - lc2*sp.sin(th1 + th2), -lc2*sp.sin(th1 + th2)],
                 [l1*sp.cos(th1) + lc2*sp.cos(th1 + th2), lc2*sp.cos(th1 + th2)]])
JA1 = sp.Matrix([[1, 0]])
JA2 = sp.Matrix([[1, 1]])
M = m1*JL1.T*JL1 + I1*JA1.T*JA1 + m2*JL2.T*JL2 + I2*JA2.T*JA2
