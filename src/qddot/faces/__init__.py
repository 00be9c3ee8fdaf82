"""The objects that users work with.

`Robot`, whose descriptions are changed in `described`, `ClosedChain`, what both have in common (`moving` them, and
others), `EquationsOfMotion`, `Run` and the ways to make a robot; each method calls one room; `derivation_report` and
`illustrations` gather the contents of a report. `aliases` has the functions under the names of other libraries.
"""
