"""What a `Sandbox` is made of: the keeper that jupyter_client starts for it, the messages, and the side channel."""
