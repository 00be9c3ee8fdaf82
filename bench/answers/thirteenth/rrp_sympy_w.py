import sympy as sp
theta, phi, r = sp.symbols('theta phi r')            # turn, elevation, reach
thetad, phid, rd = sp.symbols('thetad phid rd')
m, J1, g = sp.symbols('m J1 g')

v2 = rd**2 + r**2*phid**2 + r**2*sp.sin(phi)**2*thetad**2
K = J1*thetad**2/2 + m*v2/2
P = m*g*r*sp.sin(phi)
