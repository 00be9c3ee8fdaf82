from sympy import symbols, cos
from sympy.physics.mechanics import dynamicsymbols

m, g, l = symbols("m g l", positive=True)
q = dynamicsymbols("q")
qd = dynamicsymbols("q", 1)

tau = m*l**2*qd + m*g*l*cos(q)
print(tau)
