(* coordinates: theta about the vertical, phi elevation, r reach *)
(* thd, phd, rd are the velocities *)
M = {{J1 + m r^2 Cos[phi]^2, 0, 0}, {0, m r^2, 0}, {0, 0, m}};
h = {2 m r rd thd Cos[phi]^2 - 2 m r^2 Sin[phi] Cos[phi] thd phd,
     2 m r rd phd + m r^2 Sin[phi] Cos[phi] thd^2,
     -m r phd^2 - m r Cos[phi]^2 thd^2};
