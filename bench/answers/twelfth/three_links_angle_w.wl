(* last column of the mass matrix *)
M13 = m3 l3^2 + m3 l2 l3 Cos[q3] + m3 l1 l3 Cos[q3];
M23 = m3 l3^2 + m3 l2 l3 Cos[q3];
M33 = m3 l3^2;
