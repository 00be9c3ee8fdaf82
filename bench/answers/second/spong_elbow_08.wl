(* inertia matrix of the elbow manipulator *)
mass = Block[{a, b, d},
  a = I1 + I2 + m1 lc1^2 + m2 (l1^2 + lc2^2);
  b = m2 l1 lc2;
  d = I2 + m2 lc2;
  {{a + 2 b Cos[q2[t]], d + b Cos[q2[t]]}, {d + b Cos[q2[t]], d}}];
M = mass;
