(* RP arm; th is the turning angle q1, d the extension d2 *)
In[1]:= lag = 1/2 (Izz1 + m1 l1^2 + Izz2 + m2 d[t]^2) th'[t]^2 + 1/2 m2 d'[t]^2 - (m1 l1 + m2 d[t]) g Sin[th[t]];

In[2]:= tau1 = D[D[lag, th'[t]], t] - D[lag, th[t]] // Expand

Out[2]= g l1 m1 Cos[th[t]] + g m2 Cos[th[t]] d[t] + 2 m2 d[t] d'[t] th'[t] + Izz1 th''[t] + Izz2 th''[t] + l1^2 m1 th''[t] + m2 d[t]^2 th''[t]

In[3]:= tau2 = D[D[lag, d'[t]], t] - D[lag, d[t]] // Expand

Out[3]= g m2 Sin[th[t]] - m2 d[t] th'[t]^2 + m2 d''[t]
