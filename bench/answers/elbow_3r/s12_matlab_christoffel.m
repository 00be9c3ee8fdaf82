s3 = sin(q(3));
Gamma223 = -l1*m3*r2*s3;
Gamma233 = -l1*m3*r2*s3;
Gamma322 = l1*m3*r2*s3;
