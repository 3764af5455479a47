"""The list that people edit and the registry, as one truth."""
