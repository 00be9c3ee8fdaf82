(* three masses at the ends of three massless links *)
In[4]:= pot = g (m1 l1 Sin[q1] + m2 (l1 Sin[q1] + l2 Sin[q1 + q2]) + m3 (l1 Sin[q1] + l2 Sin[q1 + q2] + l3 Sin[q1 + q2 + q3]));
In[5]:= G1 = D[pot, q1]
Out[5]= g (l1 m1 Cos[q1] + m2 (l1 Cos[q1] + l2 Cos[q1 + q2]) + m3 (l1 Cos[q1] + l2 Cos[q1 + q2] + l3 Cos[q1 + q2 + q3]))
In[6]:= G2 = D[pot, q2]
Out[6]= g (l2 m2 Cos[q1 + q2] + m3 (l2 Cos[q1 + q2] + l3 Cos[q1 + q2 + q3]))
In[7]:= G3 = D[pot, q3]
Out[7]= g l3 m3 Cos[q1 + q2 + q3]
In[8]:= xtip = l1 Cos[q1] + l2 Cos[q1 + q2] + l3 Cos[q1 + q2 + q3];
In[9]:= ytip = l1 Sin[q1] + l2 Sin[q1 + q2] + l3 Sin[q1 + q2 + q3];
