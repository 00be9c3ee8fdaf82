model OverheadCrane "x trolley, theta of the rope from hanging down, r length of the rope"
  parameter Real M = 12, m = 5, g = 9.81;
  Real x, theta, r;
  Real vx, w, vr;
  input Real tau1 "force on the trolley", tau2 "torque on the rope", tau3 "force along the rope, outward";
equation
  vx = der(x);
  w = der(theta);
  vr = der(r);
  (M + m)*der(vx) + m*r*cos(theta)*der(w) + m*sin(theta)*der(vr) + 2*m*cos(theta)*vr*w - m*r*sin(theta)*w^2 = tau1;
  m*r*cos(theta)*der(vx) + m*r^2*der(w) + 2*m*r*vr*w + m*g*r*sin(theta) = tau2;
  m*sin(theta)*der(vx) + m*der(vr) - m*r*w^2 - m*g*cos(theta) = tau3;
end OverheadCrane;
