"""What a simulation gives: samples, their ledger of energy, trust and stores, as data."""
