eq1 = (m1 + m2) l1^2 q1''[t] + m2 l2^2 (q1''[t] + q2''[t]) + m2 l1 l2 Cos[q2[t]] (2 q1''[t] + q2''[t]) -
   m2 l1 l2 Sin[q2[t]] q2'[t] (2 q1'[t] + q2'[t]) + (m1 + m2) g l1 Sin[q1[t]] + m2 g l2 Sin[q1[t] + q2[t]] == tau1;

eq2 = m2 l2^2 (q1''[t] + q2''[t]) + m2 l1 l2 Cos[q2[t]] q1''[t] + m2 l1 l2 Sin[q2[t]] q1'[t]^2 +
   m2 g l2 Sin[q1[t] + q2[t]] == tau2;
