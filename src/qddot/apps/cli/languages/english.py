"""These are the sentences of commands in English; what the library says itself is not among them."""

from __future__ import annotations

SENTENCES = {
    "and": ", ",
    "titled": "{name}: {title}",
    "source": "source: {source}",
    "note": "note: {note}",
    "more notes": "{number} more notes; `qddot show` lists them",
    "wrote": "wrote {path}",
    # equations
    "law": "{law}, {origin}; {meanings}",
    "route": "route {route}",
    "by Lagrange": "by Lagrange from K and P",
    "between": ", ",
    "rates": "{rate}, {second} the rates of {name}",
    "velocity": "{name} a velocity, {rate} its rate",
    "chain law": "{law}, where {velocities}",
    "rates of a chain": "q̇ = R u; u: rates of {names}",
    "velocities of a chain": "ν = R u; u: {names}",
    "short form": "textbook form, proved equal to the normal form",
    "rounded to a digit": "textbook form, proved equal to the normal form before rounding to 1 digit",
    "rounded": "textbook form, proved equal to the normal form before rounding to {digits} digits",
    "intervals": "{name}: bounds over the tolerances of its symbols; entries that are zero are left out",
    "entry": "entry",
    "at least": "at least",
    "at most": "at most",
    "to check": "check: {command}",
    # models
    "links": "links at q = 0:",
    "convention": "{sentence}:",
    "freedoms": "freedoms: {number}; independent: {names}",
    "conditions": "conditions: {number}",
    "conditions that follow": "conditions: {number}; these follow from the others: {names}",
    "closed there": "proved: exactly one closed configuration lies within {radius} of these numbers",
    "no loops": "the chain has no loops: every configuration is possible",
    "mode": "mode {number}: {q}",
    "modes": "proved: there are exactly {number}",
    "line": "line",
    # answers
    "points": "points: {marks}",
    # motions
    "energies": "energy [J]",
    "start": "start",
    "at a time": "t = {time} s",
    "at the end": "{name} at the end",
    "energy": "energy: {balance}",
    "trust": "trust: {verdict}",
    "trust of": "trust of {label}: {verdict}",
    "interrupted": "interrupted; all results above end with the last sample, at t = {time} s",
    "out of balance": "this motion is wrong, since its energy is out of balance: {balance}, allowed {allowed} J; "
    "take a smaller {option} or another --method",
}
