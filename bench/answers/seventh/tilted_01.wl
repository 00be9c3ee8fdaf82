(* two uniform rods, gravity points along +x0, q1 and q2 joint angles *)
T = 1/2 (1/3 m1 L1^2) q1'[t]^2 + 1/2 m2 (L1^2 q1'[t]^2 + 1/3 L2^2 (q1'[t] + q2'[t])^2 +
     L1 L2 Cos[q2[t]] q1'[t] (q1'[t] + q2'[t]));
V = -m1 g L1/2 Cos[q1[t]] - m2 g (L1 Cos[q1[t]] + L2/2 Cos[q1[t] + q2[t]]);
L = T - V;
G1 = (m1/2 + m2) g L1 Sin[q1[t]] + 1/2 m2 g L2 Sin[q1[t] + q2[t]];
G2 = 1/2 m2 g L2 Sin[q1[t] + q2[t]];
