model Pendulum "one link, mass at tip"
  parameter Real m = 1; parameter Real l = 1; parameter Real g = 9.81;
  Real q1(start = 0.3); Real w; Real tau1;
equation
  w = der(q1);
  m*l^2*der(w) + m*g*l*cos(q1) = tau1;
end Pendulum;
