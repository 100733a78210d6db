"""Workers, servers, brokers, databases and the power die while it works; nothing may be lost."""
