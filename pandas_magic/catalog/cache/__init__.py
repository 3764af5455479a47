"""Tables kept as columns side by side, read by memory map until their source changes."""
