(* two-link arm, angles q1[t], q2[t] *)
mm = {{I1 + I2 + m1 lc1^2 + m2 (l1^2 + lc2^2 + 2 l1 lc2 Cos[q2[t]]), I2 + m2 (lc2^2 + l1 lc2 Cos[q2[t]])},
      {I2 + m2 (lc2^2 + l1 lc2 Cos[q2[t]]), I2 + m2 lc2^2}};
M = mm;
h = {-m2 l1 lc2 Sin[q2[t]] (2 q1'[t] q2'[t] + q2'[t]^2), m2 l1 lc2 Sin[q2[t]] q1'[t]^2};
