from numpy import sin, cos, array

def velocity_terms(th2, d3, w1, w2, v3, m3, d2):
    s, c = sin(th2), cos(th2)
    h1 = m3*(d2*d3*s*w2**2 - 2*d2*c*w2*v3 + 2*d3**2*s*c*w1*w2 + 2*d3*s**2*w1*v3)
    h2 = m3*d3*(2*v3*w2 - d3*s*c*w1**2)
    h3 = -m3*d3*(w2**2 + s**2*w1**2)
    return array([h1, h2, h3])
