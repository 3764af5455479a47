"""What programs that write code, such as coding agents, may ask of a workspace: everything but to approve.

`desk` answers, `telling` holds what an answer may tell, `server` speaks MCP, `jupyter` is for a Jupyter server.
"""
