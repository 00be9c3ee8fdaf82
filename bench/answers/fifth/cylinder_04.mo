model CylindricalArm
  import Modelica.Constants.g_n;
  parameter Real m2=6, m3=2, I1=0.4, I2=0.2, I3=0.1, g=9.81;
  Real theta, z, r, w=der(theta), vz=der(z), vr=der(r);
  input Real tau1, tau2, tau3;
equation
  tau1 = (I1 + I2 + I3 + m3*r^2)*der(w) + 2*m3*r*vr*w;
  tau2 = m2*der(vz) + m2*g;
  tau3 = m3*der(vr) - m3*r*w^2;
end CylindricalArm;
