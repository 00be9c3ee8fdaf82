T = 1/2 (m1 + m2) z'[t]^2 + m2 e Cos[phi[t]] z'[t] phi'[t] + 1/2 (J + m2 e^2) phi'[t]^2;
V = (m1 + m2) g z[t] + m2 g e Sin[phi[t]];
eq1 = (m1 + m2) z''[t] + m2 e Cos[phi[t]] phi''[t] - m2 e Sin[phi[t]] phi'[t]^2 + (m1 + m2) g == tau1;
eq2 = m2 e Cos[phi[t]] z''[t] + (J + m2 e^2) phi''[t] + m2 g e Cos[phi[t]] == tau2;
