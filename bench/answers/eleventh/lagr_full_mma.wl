ClearAll["Global`*"]
pos = r[t] {Cos[theta[t]], Sin[theta[t]]};
vel = D[pos, t];
K = Simplify[1/2 m vel . vel + 1/2 J theta'[t]^2];
P = m g r[t] Sin[theta[t]];
L = K - P;
