eqs = {
  (mc + mp) x''[t] + mp l Cos[theta[t]] theta''[t] - mp l Sin[theta[t]] theta'[t]^2 == F[t],
  mp l Cos[theta[t]] x''[t] + mp l^2 theta''[t] + mp g l Sin[theta[t]] == 0
};
