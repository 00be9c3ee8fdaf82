"""Handles torque laws, functions of (t, q, q̇) and perhaps a declared state: calls, traces and samples them."""
