"""The robot file: tables of TOML and back."""
