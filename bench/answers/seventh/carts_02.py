import sympy as sm
import sympy.physics.mechanics as me

ma, mb, k1, k2, d1, d2 = sm.symbols('ma mb k1 k2 d1 d2')
x, s = me.dynamicsymbols('x s')       # first cart, stretch between the carts
xd, sd = me.dynamicsymbols('x s', 1)
xdd, sdd = me.dynamicsymbols('x s', 2)

tau1 = (ma + mb)*xdd + mb*sdd + d1*xd + k1*x
tau2 = mb*xdd + mb*sdd + d2*sd + k2*s
