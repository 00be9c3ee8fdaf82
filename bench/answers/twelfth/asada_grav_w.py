# th1 is the angle of link 1 above the x axis, th2 the elbow angle
from numpy import sin, cos, array

def coriolis(th1, th2, w1, w2):
    return array([-m2*l1*lc2*sin(th2)*(2*w1*w2 + w2**2),
                  m2*l1*lc2*sin(th2)*w1**2])

def gravity(th1, th2):
    return array([m1*g*lc1*sin(th1) + m2*g*(l1*sin(th1) + lc2*sin(th1 + th2)),
                  m2*g*lc2*sin(th1 + th2)])
