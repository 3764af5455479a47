"""What people decide about a check: that its code may run, that it rests for a while, which rows it may find."""
