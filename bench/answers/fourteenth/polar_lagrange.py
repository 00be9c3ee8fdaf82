import sympy as sp

t = sp.Symbol('t')
J, m, g = sp.symbols('J m g')
tau1, tau2 = sp.symbols('tau1 tau2')
theta = sp.Function('theta')(t)
r = sp.Function('r')(t)

L = sp.Rational(1, 2)*(J + m*r**2)*theta.diff(t)**2 + sp.Rational(1, 2)*m*r.diff(t)**2 - m*g*r*sp.sin(theta)

# after expanding d/dt(dL/dqd) - dL/dq
eq1 = sp.Eq((J + m*r**2)*theta.diff(t, 2) + 2*m*r*r.diff(t)*theta.diff(t) + m*g*r*sp.cos(theta), tau1)
eq2 = sp.Eq(m*r.diff(t, 2) - m*r*theta.diff(t)**2 + m*g*sp.sin(theta), tau2)
