(* bar pendulum *)
icm = m L^2/12;
K = 1/2 icm theta'[t]^2;
P = -m g L/2 Cos[theta[t]];
eom = D[D[K - P, theta'[t]], t] - D[K - P, theta[t]] == tau
