% planar arm in the horizontal plane: velocity terms h = C(theta, thetadot)*thetadot
b = m2*l1*r2*sin(th2);
h = [ b*(dth2^2 - 2*dth1*dth2);
      b*dth1^2 ];
