"""The functions of an arm as programs: the physics over graph nodes; `choice`: how the frames are set, and by which
algorithm; `reference` computes a function of an arm in balls, without a program, for the self-tests of exports.
"""
