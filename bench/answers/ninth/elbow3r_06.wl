M11 = Iz1 + Iy2 Sin[q2]^2 + Iz2 Cos[q2]^2 + Iy3 Sin[q2 + q3]^2 + Iz3 Cos[q2 + q3]^2 + m2 r1^2 Cos[q2]^2 + m3 r2^2 Cos[q2 + q3]^2
