"""What people confuse in a description: each confusion is a change with its sentence, for all who look for mistakes."""
