(* telescope arm: theta[t] angle from the horizontal, r[t] reach *)
lag = 1/2 (J + m r[t]^2) theta'[t]^2 + 1/2 m r'[t]^2 - m g r[t] Sin[theta[t]];
L = lag
