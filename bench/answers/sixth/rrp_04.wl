(* thetad, phid, rd are the time derivatives of theta, phi, r *)
L = 1/2 (J1 + m r^2 Cos[phi]^2) thetad^2 + 1/2 m r^2 phid^2 + 1/2 m rd^2 - m g r Sin[phi]
