(* two uniform rods of length l *)
d11 = m1 l^2/3 + 4 m2 l^2/3 + m2 l^2 Cos[q2];
d12 = m2 l^2/3 + m2 l^2 Cos[q2]/2;
d22 = m2 l^2/3;
M = {{d11, d12}, {d12, d22}};
hh = -m2 l^2 Sin[q2]/2;
CC = {{hh dq2, hh (dq1 + dq2)}, {-hh dq1, 0}};
G = {g l (m1/2 + m2) Cos[q1] + m2 g l Cos[q1 + q2]/2, m2 g l Cos[q1 + q2]/2};
