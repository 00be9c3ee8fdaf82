(* double pendulum, q2 relative *)
T = 1/2 (m1 + m2) l1^2 q1'[t]^2 + 1/2 m2 l2^2 (q1'[t] + q2'[t])^2 +
    m2 l1 l2 Cos[q1[t] + q2[t]] q1'[t] (q1'[t] + q2'[t]);
V = -(m1 + m2) g l1 Cos[q1[t]] - m2 g l2 Cos[q1[t] + q2[t]];
