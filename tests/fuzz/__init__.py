"""Every operation of the running app, tried with what nobody would send."""
