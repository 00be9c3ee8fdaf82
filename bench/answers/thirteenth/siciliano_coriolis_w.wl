(* Coriolis matrix of the two-link planar arm *)
h = -m1 a1 l2 Sin[theta2];
Cmat = {{h thetad2, h (thetad1 + thetad2)}, {-h thetad1, 0}};
