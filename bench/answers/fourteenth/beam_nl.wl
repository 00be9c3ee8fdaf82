(* ball on beam, q = {theta[t], r[t]} *)
M = {{J + m r[t]^2, 0}, {0, m + mr}};
h = {2 m r[t] r'[t] theta'[t], -m r[t] theta'[t]^2};
G = {m g r[t] Cos[theta[t]], m g Sin[theta[t]]};
