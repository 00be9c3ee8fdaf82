"""Torque laws: functions of (t, q, q̇), with or without a declared state, how they are called, traced and sampled."""
