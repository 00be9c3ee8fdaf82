from sympy import *

m1, m2, L1, a1, a2, J1, J2, b1, b2, g = symbols("m1 m2 L1 a1 a2 J1 J2 b1 b2 g")
theta1, theta2, thetad1, thetad2, thetadd1, thetadd2, tau1, tau2 = symbols(
    "theta1 theta2 thetad1 thetad2 thetadd1 thetadd2 tau1 tau2")

k = m2*L1*a2
eq1 = Eq((J1 + J2 + m1*a1**2 + m2*L1**2 + m2*a2**2 + 2*k*cos(theta2))*thetadd1
         + (J2 + m2*a2**2 + k*cos(theta2))*thetadd2
         - k*sin(theta2)*(2*thetad1*thetad2 + thetad2**2) + b1*thetad1
         + g*(m1*a1 + m2*L1)*sin(theta1) + g*m2*a2*sin(theta1 + theta2), tau1)
eq2 = Eq((J2 + m2*a2**2 + k*cos(theta2))*thetadd1 + (J2 + m2*a2**2)*thetadd2
         + k*sin(theta2)*thetad1**2 + b2*thetad1 + g*m2*a2*sin(theta1 + theta2), tau2)
