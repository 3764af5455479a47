"""The trusted parent of confined processes: has them born, looks at their locks, watches them, ends them, cleans up."""
