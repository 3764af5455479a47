"""What runs inside the locks."""
