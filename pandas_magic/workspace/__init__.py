"""The workspace: a folder of tables and checks, and what is done with it."""

from pandas_magic.workspace.workspace import Workspace

__all__ = ["Workspace"]
