import sympy as sp
q1, q2, q3, a2, a3, d = sp.symbols('q1 q2 q3 a2 a3 d')
reach = a2*sp.cos(q2) + a3*sp.cos(q2 + q3)
p = sp.Matrix([reach*sp.cos(q1) - d*sp.sin(q1),
               reach*sp.sin(q1) + d*sp.cos(q1),
               a2*sp.sin(q2) + a3*sp.sin(q2 + q3)])
J = p.jacobian([q1, q2, q3])
tip = sp.lambdify((q1, q2, q3, a2, a3, d), p)
