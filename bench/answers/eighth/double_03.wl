(* double pendulum, q2 relative to the first rod *)
T = 1/2 m1 l1^2 dq1^2 + 1/2 m2 (l1^2 dq1^2 + l2^2 (dq1 + dq2)^2 + 2 l1 l2 Cos[q2] dq1 (dq1 + dq2));
V = -(m1 + m2) g l1 Cos[q1] - m2 g l2 Cos[q1 + q2];
G = {(m1 + m2) g l1 Sin[q1] + m2 g l2 Sin[q1 + q2], m2 g l2 Sin[q1 + q2]};
