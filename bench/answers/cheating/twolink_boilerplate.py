import sympy as sp
q1, q2 = sp.symbols('q1 q2')
m1, m2, l, g = sp.symbols('m1 m2 l g', positive=True)
# M11, M12, M22: see report
print('done')
