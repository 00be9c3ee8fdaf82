(* H and h of the planar arm *)
hh = m2 l1 lc2 Sin[theta2];
H11 = m1 lc1^2 + I1 + m2 (l1^2 + lc2^2 + 2 l1 lc2 Cos[theta2]) + I2;
H12 = m2 l1 lc2 Cos[theta2] + m2 lc2^2 + I2;
H22 = m2 lc2^2 + I2;
h1 = -hh thetad2^2 - 2 hh thetad1 thetad2;
h2 = hh thetad1^2;
