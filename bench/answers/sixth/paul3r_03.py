# print(M[1,1]), print(M[1,2]), print(M[2,2])
M22 = a2**2*m2 + a2**2*m3 + 2*a2*a3*m3*cos(q3) + a3**2*m3
M23 = a3*m3*(a2*cos(q3) + a3)
M33 = a3**2*m3
