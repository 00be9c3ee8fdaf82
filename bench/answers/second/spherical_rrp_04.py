from sympy import *
m, g, J1 = symbols("m g J1")
theta, phi, r, thetad, phid, rd = symbols("theta phi r thetad phid rd")
# velocity in spherical coordinates
v_r = rd
v_phi = r*phid
v_theta = r*sin(phi)*thetad
K = J1*thetad**2/2 + m*(v_r**2 + v_phi**2 + v_theta**2)/2
P = m*g*r*sin(phi)
