from sympy import *
alpha, beta, J0, m, r, l, g = symbols('alpha beta J0 m r l g')
M11 = J0 + m*r**2 + m*l**2*sin(beta)**2
M12 = -m*r*l*cos(beta)
M22 = m*r**2
raise SystemExit
M22 = m*l**2
