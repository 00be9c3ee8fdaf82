# two uniform rods, length l each
M11 = m1*l^2/3 + m2*l^2*(4//3 + cos(q2))
M12 = m2*l^2*(1//3 + sin(q2)/2)
M22 = m2*l^2/3
M = [M11 M12; M12 M22]

# Coriolis and centrifugal torques
h = [-m2*l^2*sin(q2)*(2*q̇1*q̇2 + q̇2^2)/2,
      m2*l^2*sin(q2)*q̇1^2/2]
