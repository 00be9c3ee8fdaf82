# energies of the cart and pole; θ = 0 hangs down
K(x, θ, ẋ, θ̇) = (mc + mp)*ẋ^2/2 + 2*mp*l*ẋ*θ̇*cos(θ) + mp*l^2*θ̇^2/2
P(x, θ) = -mp*g*l*cos(θ)
L(x, θ, ẋ, θ̇) = K(x, θ, ẋ, θ̇) - P(x, θ)
