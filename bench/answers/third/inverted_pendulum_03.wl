eqs = {
  (M + m) x''[t] + b x'[t] + l m (Cos[theta[t]] theta''[t] - Sin[theta[t]] theta'[t]^2) == tau1,
  l m Cos[theta[t]] x''[t] + (I + l^2 m) theta''[t] == tau2 + g l m Sin[theta[t]]
};
