"""What stands in the notebook's page: one hidden widget, the cells that it inserts, the parts that can be clicked."""
