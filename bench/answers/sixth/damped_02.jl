# F: torque of the motor, ω: rate
accel(θ, ω, F) = (F - b*ω - m*g*l*sin(θ))/(m*l)
