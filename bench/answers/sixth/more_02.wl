In[12]:= tau2 = D[D[T, th2'[t]], t] - D[T, th2[t]] // Simplify
Out[12]= l2 m2 (l1 Cos[th2[t]] th1''[t] + l2 (th1''[t] + th2''[t]) + l1 Sin[th2[t]] th1'[t]^2)
