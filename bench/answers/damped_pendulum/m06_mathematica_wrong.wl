eq = m l^2 theta''[t] + b theta'[t] + m g l Cos[theta[t]] == tau
