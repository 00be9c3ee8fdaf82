import sympy as sp
th1, th2 = sp.symbols('theta1 theta2', real=True)
m1, m2, a1, l1, l2, g = sp.symbols('m1 m2 a1 l1 l2 g', positive=True)
# heights of the centres of mass
y1 = l1*sp.sin(th1)
y2 = a1*sp.sin(th1) + l2*sp.sin(th1 + th2)
U = g*(m1*y1 + m2*y2)
G = sp.Matrix([sp.diff(U, th1), sp.diff(U, th2)])
