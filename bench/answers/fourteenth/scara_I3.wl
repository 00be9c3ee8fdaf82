(* SCARA, q = {q1, q2, d3} *)
M11 = I1 + I2 + I3 + m1 r1^2 + m2 (a1^2 + r2^2 + 2 a1 r2 Cos[q2]) + m3 (a1^2 + a2^2 + 2 a1 a2 Cos[q2]);
M12 = I2 + I3 + m2 (r2^2 + a1 r2 Cos[q2]) + m3 (a2^2 + a1 a2 Cos[q2]);
M22 = I2 + I3 + m3 a2^2;
M = {{M11, M12, 0}, {M12, M22, 0}, {0, 0, m3}};
