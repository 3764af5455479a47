"""Frames and values across the wall: Arrow in by open files, Arrow out through one strict reader."""
