from sympy import *
alpha = I1 + m1*r1**2 + (m2 + m3 + m4)*l1**2
beta = I2 + I3 + I4 + (m3 + m4)*l2**2 + m2*r2**2
gamma = l1*l2*(m3 + m4) + l1*r2*m2
delta = I3 + I4
c2 = cos(theta2)
M = Matrix([[alpha + beta + 2*gamma*c2, beta + gamma*c2, delta, 0],
            [beta + gamma*c2, beta, delta, 0],
            [delta, delta, delta, 0],
            [0, 0, 0, m4]])
