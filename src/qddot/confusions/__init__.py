"""This is a catalogue of common confusions in descriptions; the doctor, the comparison and the checker use it."""
