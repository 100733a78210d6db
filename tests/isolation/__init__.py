"""Who may touch what: every operation of the running app, tried by everybody on everything."""
