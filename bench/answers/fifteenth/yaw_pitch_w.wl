(* q1 yaw, q2 pitch, point mass at the end *)
rho = a1 + a2 Cos[q2];
M = {{I0 + m rho^2, 0}, {0, m a2^2}};
h = {-m a2 Sin[q2] rho qd1 qd2, m a2 Sin[q2] rho qd1^2};
