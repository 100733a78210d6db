"""How the schema came to be, step by step, in every dialect."""
