# planar elbow arm; angles in rad, q2 relative to link 1
function massmatrix(q1, q2)
    m11 = I1 + I2 + m1*lc1^2 + m2*(l1^2 + lc2^2 + 2l1*lc2*cos(q2))
    m12 = I2 + m2*(lc2^2 + l1*lc2*cos(q2))
    m22 = I2 + m2*lc2^2
    [m11 m12; m12 m22]
end

function bias(q1, q2, q̇1, q̇2)
    h1 = -m2*l1*lc2*sin(q2)*(2q̇1*q̇2 + q̇2^2)
    h2 = m2*l1*lc2*sin(q2)*q̇1^2
    G1 = (m1*lc1 + m2*l1)*g*cos(q1) + m2*lc2*g*cos(q1 + q2)
    G2 = m2*lc2*g*cos(q1 + q2)
    [h1 + G1, h2 + G2]
end
