import sympy as sp
t = sp.symbols("t")
x, th = sp.Function("x")(t), sp.Function("theta")(t)
M, m, I, l, g = sp.symbols("M m I l g", positive=True)
L = (M + m)*x.diff(t)**2/2 + m*l*x.diff(t)*th.diff(t)*sp.cos(th) + (I + m*l**2)*th.diff(t)**2/2 - m*g*l*sp.cos(th)
