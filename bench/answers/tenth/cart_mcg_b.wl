(* cart-pole, q = {x, theta} *)
M = {{mc + mp, mp l Cos[theta[t]]}, {mp l Cos[theta[t]], mp l^2}};
CC = {{0, 0}, {-mp l Sin[theta[t]] theta'[t], 0}};
G = {0, mp g l Sin[theta[t]]};
M . {x''[t], theta''[t]} + CC . {x'[t], theta'[t]} + G == {tau1, tau2}
