"""The second reader's school: synthetic scenes, the two small nets, their training, export and measure.

Nothing here runs on the appliance. `python -m vision.training --help` tells the commands; torch is needed by
`train` and `export` only (extra `[studio]`)."""
