L = 1/2 m l^2 (\[Theta]'[t]^2 + Sin[\[Theta][t]]^2 \[Phi]'[t]^2) + m g l Cos[\[Theta][t]]
