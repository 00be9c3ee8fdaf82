eq = m l^2 theta''[t] + b theta'[t] + m g l Sin[theta[t]] == tau
