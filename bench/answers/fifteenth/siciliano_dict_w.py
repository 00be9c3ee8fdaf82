import sympy as sp

th1, th2, thd1, thd2 = sp.symbols('theta1 theta2 thetad1 thetad2')
m1, m2, a1, l1, l2, I1, I2, J1, J2 = sp.symbols('m1 m2 a1 l1 l2 I1 I2 J1 J2')

k = m2*a1*l2
B = {}
B[1, 1] = I1 + J1 + m1*l1**2 + I2 + m2*(a1**2 + l2**2) + 2*k*sp.cos(th2)
B[1, 2] = B[2, 1] = I2 + m2*l2**2 + k*sp.cos(th2)
B[2, 2] = I2 + J2 + m2*l2**2

C = {
    (1, 1): -k*sp.sin(th2)*thd2,
    (1, 2): -k*sp.sin(th2)*thd2,
    (2, 1): k*sp.sin(th2)*thd1,
    (2, 2): 0,
}
B = sp.Matrix(2, 2, lambda i, j: B[i + 1, j + 1])
C = sp.Matrix(2, 2, lambda i, j: C[i + 1, j + 1])
