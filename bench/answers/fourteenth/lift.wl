M = {{m1 + m2, m2 e Cos[phi]}, {m2 e Cos[phi], J + m2 e^2}}
h = {-m2 e Sin[phi] phidot^2, 0}
G = {(m1 + m2) g, m2 g e Cos[phi]}
