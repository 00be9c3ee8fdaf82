In[1]:= px = x[t] + l Sin[theta[t]];
        py = -l Cos[theta[t]];

In[3]:= T = 1/2 mc x'[t]^2 + 1/2 mp (D[px, t]^2 + D[py, t]^2) // Simplify

Out[3]= 1/2 (mc x'[t]^2 + mp (x'[t]^2 + 2 l Cos[theta[t]] x'[t] theta'[t] + l^2 theta'[t]^2))

In[4]:= V = mp g py

Out[4]= -g l mp Cos[theta[t]]

In[5]:= eq1 = (mc + mp) x''[t] + mp l Cos[theta[t]] theta''[t] - mp l Sin[theta[t]] theta'[t]^2 == tau1

In[6]:= eq2 = mp l Cos[theta[t]] x''[t] + mp l^2 theta''[t] + mp g l Sin[theta[t]] == tau2

In[7]:= M = {{mc + mp, mp l Cos[theta]}, {mp l Cos[theta], mp l^2}}
