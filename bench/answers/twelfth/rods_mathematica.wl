(* Two uniform rods of length l *)
M = {{m1 l^2/3 + 4 m2 l^2/3 + m2 l^2 Cos[q2], m2 l^2/3 + m2 l^2 Cos[q2]/2},
     {m2 l^2/3 + m2 l^2 Cos[q2]/2, m2 l^2/3}};
h = {-m2 l^2 Sin[q2] (2 qd1 qd2 + qd2^2)/2, m2 l^2 Sin[q2] qd1^2/2};
G = {g l (m1/2 + m2) Cos[q1] + g l m2 Cos[q1 + q2]/2, g l m2 Cos[q1 + q2]/2};
