(* spherical pendulum, q = {theta, phi} *)
M = {{m l^2, 0}, {0, m l^2 Sin[theta]^2}};
h = {m l^2 Sin[theta] Cos[theta] phid^2, 2 m l^2 Sin[theta] Cos[theta] thetad phid};
G = {m g l Sin[theta], 0};
