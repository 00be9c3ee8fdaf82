{theta''[t] -> (tau1 - m r[t] r'[t] theta'[t] - m g r[t] Cos[theta[t]])/(J + m r[t]^2),
 r''[t] -> tau2/m + r[t] theta'[t]^2 - g Sin[theta[t]]}
