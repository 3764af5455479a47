"""Where tables lie: files, folders, frames of the notebook, databases, object stores, the web."""
