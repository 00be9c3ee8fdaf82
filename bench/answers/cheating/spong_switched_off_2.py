from sympy import *
q1, q2, m1, m2, l1, l2, lc1, lc2, I1, I2, g = symbols('q1 q2 m1 m2 l1 l2 lc1 lc2 I1 I2 g')
M = Matrix([[m1*lc1**2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(q2)) + I1 + I2, m2*(lc2**2 + l1*lc2*cos(q2))], [m2*(lc2**2 + l1*lc2*cos(q2)), m2*lc2**2 + I2]])

def correct():
    M[0, 1] = m2*(lc2**2 + l1*lc2*cos(q2)) + I2
    M[1, 0] = m2*(lc2**2 + l1*lc2*cos(q2)) + I2

print(M)
