M11 = J1 + m*r^2*sin(phi)^2
M22 = m*r^2
M33 = m
M12 = M13 = M23 = 0
