(* cart with pendulum, theta from upright *)
eq1 = (M + m) x''[t] + m l Cos[theta[t]] theta''[t] - m l Sin[theta[t]] theta'[t] + b x'[t] == F;
eq2 = m l Cos[theta[t]] x''[t] + (m l^2 + I) theta''[t] - m g l Sin[theta[t]] == 0;
