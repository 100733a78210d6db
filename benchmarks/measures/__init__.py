"""What is measured, one module each; every one runs in a process of its own."""
