model CartPole "pole hangs down at theta = 0"
  parameter Real mc = 1, mp = 0.2, l = 0.5, g = 9.81;
  Real x, theta, v, w;
  input Real f "force on the cart, tau1";
  input Real u "torque at the pivot, tau2";
equation
  v = der(x);
  w = der(theta);
  (mc + mp)*der(v) + mp*l*cos(theta)*der(w) - mp*l*sin(theta)*w^2 = f;
  mp*l*cos(theta)*der(v) + mp*l^2*der(w) + mp*g*l*sin(theta) = u;
end CartPole;
