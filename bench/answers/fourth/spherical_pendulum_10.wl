p = {l Sin[th] Cos[ph], l Sin[th] Sin[ph], -l Cos[th]};
J = {{l Cos[th] Cos[ph], -l Sin[th] Sin[ph]}, {l Cos[th] Sin[ph], l Sin[th] Cos[ph]}, {-l Sin[th], 0}};
(* th = theta, ph = phi *)
