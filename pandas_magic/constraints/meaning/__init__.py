"""What rules mean, row by row in plain Python: slow, obviously right, and apart from the code rendered from them."""
