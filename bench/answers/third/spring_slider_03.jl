# block on a spring and a damper, actuator force tau
function block!(du, u, p, t)
    m, b, k, tau = p
    x, xd = u
    xdd = (tau - b*xd - k*x)/m
    du[1] = xd
    du[2] = xdd
end
