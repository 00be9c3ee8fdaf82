(* Christoffel symbols of the first kind; all others vanish *)
Gamma112 = (Iy2 - Iz2 - m2 r1^2) Cos[q2] Sin[q2] + (Iy3 - Iz3) Cos[q2 + q3] Sin[q2 + q3] -
   m3 (l1 Cos[q2] + r2 Cos[q2 + q3]) (l1 Sin[q2] + r2 Sin[q2 + q3]);
Gamma113 = (Iy3 - Iz3) Cos[q2 + q3] Sin[q2 + q3] - m3 r2 Sin[q2 + q3] (l1 Cos[q2] + r2 Cos[q2 + q3]);
Gamma121 = Gamma112;
Gamma131 = Gamma113;
Gamma211 = -Gamma112;
Gamma311 = -Gamma113;
Gamma223 = -l1 m3 r2 Sin[q3];
Gamma232 = Gamma223;
Gamma233 = Gamma223;
Gamma322 = l1 m3 r2 Sin[q3];
