"""Sentences and terms that commands print in Chinese."""
