"""Good rows and bad rows in files of their own: no row lost, no value altered, each in its order."""
