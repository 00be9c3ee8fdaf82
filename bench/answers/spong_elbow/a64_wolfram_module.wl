elbowM = Module[{c2 = Cos[q2]},
  {{m1 lc1^2 + m2 (l1^2 + lc2^2 + 2 l1 lc2 c2) + I1 + I2, m2 (lc2^2 + l1 lc2 c2) + I2},
   {m2 (lc2^2 + l1 lc2 c2) + I2, m2 lc2^2 + I2}}];
M = elbowM;
