from numpy import sin, cos

def accelerations(x, theta, xdot, thetadot, F, mc, mp, l, g):
    den = mc + mp*sin(theta)**2
    xddot = (F + mp*sin(theta)*(l*thetadot**2 + g*cos(theta)))/den
    thetaddot = (-F*cos(theta) - mp*l*thetadot**2*cos(theta)*sin(theta) - (mc + mp)*g*sin(theta))/(l*den)
    return xddot, thetaddot
