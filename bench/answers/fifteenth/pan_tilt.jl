# camera head, p is a named tuple
M11(theta, p) = p.J1 + p.Ix*sin(theta)^2 + (p.Iz + p.m*p.e^2)*cos(theta)^2
M12(theta, p) = 0
M22(theta, p) = p.Iy + p.m*p.e^2
G1(theta, p) = 0
G2(theta, p) = p.m*p.g*p.e*cos(theta)
