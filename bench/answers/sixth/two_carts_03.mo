model TwoCarts "s: stretch between the carts"
  Real x, s, v = der(x), u = der(s);
  input Real tau1, tau2;
equation
  (ma + mb)*der(v) + mb*der(u) + d2*v + k1*x = tau1;
  mb*der(v) + mb*der(u) + d2*u + k2*s = tau2;
end TwoCarts;
