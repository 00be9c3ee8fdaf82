import sympy as sp
t = sp.symbols('t')
mc, mp, l, g = sp.symbols('mc mp l g')
x = sp.Function('x')(t)
th = sp.Function('theta')(t)
xd, thd = sp.diff(x, t), sp.diff(th, t)
K = sp.Rational(1, 2)*(mc + mp)*xd**2 + mp*l*sp.cos(th)*xd*thd + sp.Rational(1, 2)*mp*l**2*thd**2
P = -mp*g*l*sp.sin(th)
L = K - P
