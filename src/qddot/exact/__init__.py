"""The exact equations of motion: printed, proved to agree, and made short."""
