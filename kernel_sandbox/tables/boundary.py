"""What cannot cross the wall, or must not be believed when it did."""


class NotRepresentable(ValueError):
    """A column, label or index that cannot cross, or a table that must not be believed."""
