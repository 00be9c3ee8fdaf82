(* q1[t], q2[t] *)
τ1 = l^2 (m1/3 + 4 m2/3 + m2 Cos[q2[t]]) q1''[t] + m2 l^2 (1/3 + Cos[q2[t]]/2) q2''[t] - 
   m2 l^2 Sin[q2[t]] (q1'[t] q2'[t] + q2'[t]^2/2) + (m1/2 + m2) g l Cos[q1[t]] + m2 g l/2 Cos[q1[t] + q2[t]]
τ2 = m2 l^2 ((1/3 + Cos[q2[t]]/2) q1''[t] + q2''[t]/3) + m2 l^2/2 Sin[q2[t]] q1'[t]^2 + m2 g l/2 Cos[q1[t] + q2[t]]
