# planar 2R, params p = (; m1, m2, l1, l2, I1zz, I2zz, g)
function massmatrix(q, p)
    (; m1, m2, l1, l2, I1zz, I2zz) = p
    c2 = cos(q[2])
    M22 = I2zz + m2*l2^2/4
    M12 = M22 + m2*l1*l2*c2/2
    M11 = I1zz + m1*l1^2/4 + M22 + m2*l1^2 + m2*l1*l2*c2
    return [M11 M12; M12 M22]
end
G(q, p) = [p.m1*p.g*p.l1/2*cos(q[1]) + p.m2*p.g*(p.l1*cos(q[1]) + p.l2/2*cos(q[1]+q[2])),
           p.m2*p.g*p.l2/2*cos(q[1]+q[2])]
