import sympy as sp

t = sp.symbols('t')
m, g, l = sp.symbols('m g l', positive=True)
theta = sp.Function('theta')(t)
phi = sp.Function('phi')(t)
thd, phd = theta.diff(t), phi.diff(t)

K = m*l**2/2*(thd**2 + sp.sin(theta)**2*phd**2)
P = -m*g*l*sp.cos(theta)

# the equations of motion, worked out by hand
eq1 = sp.Eq(m*l**2*thd.diff(t) - m*l**2*sp.sin(theta)*sp.cos(theta)*phd**2 + m*g*l*sp.sin(theta), 0)
eq2 = sp.Eq(m*l**2*sp.sin(theta)**2*phd.diff(t) + 2*m*l**2*sp.sin(theta)*sp.cos(theta)*thd*phd, 0)
