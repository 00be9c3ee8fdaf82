from sympy import symbols, cos, sin, Matrix
theta1, theta2 = symbols('theta1 theta2')
m1, m2, l1, lc1, lc2, I1, I2, g = symbols('m1 m2 l1 lc1 lc2 I1 I2 g', positive=True)

M11 = I1 + m1*lc1**2 + I2 + m2*(l1**2 + lc2**2 + 2*l1*lc2*cos(theta2))
M12 = I2 + m2*(lc2**2 + l1*lc2*cos(theta2))
M22 = I2                     # inertia of the second link
M = Matrix([[M11, M12], [M12, M22]])

G = Matrix([m1*g*lc1*cos(theta1) + m2*g*(l1*cos(theta1) + lc2*cos(theta1 + theta2)),
            m2*g*lc2*cos(theta1 + theta2)])
