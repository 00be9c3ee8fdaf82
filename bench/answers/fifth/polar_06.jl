# C(q, q̇) of the telescope arm, thd = dθ/dt, rd = dr/dt
function coriolis(r, thd, rd)
    C11 = m*r*rd
    C12 = m*r*thd
    C21 = -m*r*thd/3
    C22 = 0
    [C11 C12; C21 C22]
end
