function tau = cyl_inverse(theta, z, r, thetad, zd, rd, thetadd, zdd, rdd)
    global m2 m3 I1 I2 I3 g
    tau1 = (I1 + I2 + I3 + m3*r^2)*thetadd + 2*m3*r*rd*thetad;
    tau2 = (m2 + m3)*zdd;
    tau3 = m3*rdd - m3*r*thetad^2;
    tau = [tau1; tau2; tau3];
end
