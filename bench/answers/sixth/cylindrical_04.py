>>> G = [V.diff(q) for q in (theta, h, r)]
>>> G1 = 0
>>> G2 = g*(m1 + m2 + m3)
>>> G3 = 0
>>> M33 = m3
