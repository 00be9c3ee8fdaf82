h1 = m*l^2*sin(2*beta)*dalpha*dbeta;
h2 = -0.5*m*l^2*sin(2*beta)*dalpha^2;
