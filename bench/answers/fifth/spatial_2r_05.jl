# m1 = m2 = 10 kg, Ia = 5 kg m², L = 2 m, g = 9.81 m/s²
M11(q2) = 15 + 40*(1 + cos(q2)/2)^2 + 2.5*sin(q2)^2 + 5*cos(q2)^2
M22     = 15
G1(q1, q2) = 294.3*sin(q1) + 98.1*sin(q1)*cos(q2)
G2(q1, q2) = -98.1*cos(q1)*sin(q2)
