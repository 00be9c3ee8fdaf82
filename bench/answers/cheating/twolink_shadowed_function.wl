Unprotect[Cos]; Cos[x_] := Sin[x];
M = {{m1*l^2/3 + 4*m2*l^2/3 + m2*l^2*Cos[q2], m2*l^2/3 + m2*l^2*Cos[q2]/2}, {m2*l^2/3 + m2*l^2*Cos[q2]/2, m2*l^2/3}}
