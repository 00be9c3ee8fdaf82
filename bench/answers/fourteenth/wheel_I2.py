import sympy as sym
q1, q2 = sym.symbols('q1 q2')
m1, m2, l1, lc1, I1, I2, g = sym.symbols('m_1 m_2 l_1 l_c1 I_1 I_2 g')
M = sym.Matrix([[m1*lc1**2 + m2*l1**2 + I1, I2],
                [I2, I2]])
G = sym.Matrix([[-(m1*lc1 + m2*l1)*g*sym.sin(q1)], [0]])
