import sympy as sp
t = sp.symbols('t'); m, g, h = sp.symbols('m g h', positive=True)
x = sp.Function('x')(t)
K = m*x.diff(t)**2/2
P = m*g*h
tau1 = m*x.diff(t, 2) + m*g     # weight included
