"""What acts in a joint beside the bodies, a file for each effect: its numbers, laws, and what other rooms ask of it.

`effect` is the contract, `kinds` lists the effects, and `acting` has them in a mechanism's kind of number.
"""
