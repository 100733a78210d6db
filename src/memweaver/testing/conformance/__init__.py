"""What every backend must do, as tests. Subclass a suite and say how to open the backend."""
