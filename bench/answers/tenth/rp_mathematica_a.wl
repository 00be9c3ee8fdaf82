L = (m1 l1^2 + Izz1 + Izz2 + m2 d2[t]^2) q1'[t]^2/2 + m2 d2'[t]^2/2 - (m1 l1 + m2 d2[t]) g Sin[q1[t]]
(* D[D[L, q1'[t]], t] - D[L, q1[t]] == tau1, and the same for d2 *)
eqs = {
  (m1 l1^2 + Izz1 + Izz2 + m2 d2[t]^2) q1''[t] + 2 m2 d2[t] d2'[t] q1'[t] + (m1 l1 + m2 d2[t]) g Cos[q1[t]] == tau1,
  m2 d2''[t] - m2 d2[t] q1'[t]^2 + m2 g Sin[q1[t]] == tau2
}
