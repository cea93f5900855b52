"""The second reader's school: synthetic scenes, the two small nets, their training, export and measure.

Nothing here runs on the appliance; torch is needed by `train` and `export` only (extra `[studio]`). A full training,
each line going on where it was interrupted (the last two lines of a net may be repeated at any time to ship what
the run has learnt so far; `--steps 0` goes straight to the cooling):

    python -m vision.training scenes DIR/scenes
    python -m vision.training scenes DIR/other --count 300 --seed 9 --other-styles
    python -m vision.training train proposer DIR/scenes DIR/run --check DIR/other
    python -m vision.training train proposer DIR/scenes DIR/run --steps 0 --cool 4000
    python -m vision.training export proposer DIR/run vision/models/proposer.onnx
    python -m vision.training train verifier DIR/scenes DIR/run --proposer vision/models/proposer.onnx
    python -m vision.training train verifier DIR/scenes DIR/run --proposer vision/models/proposer.onnx \\
        --steps 0 --cool 8000
    python -m vision.training export verifier DIR/run vision/models/verifier.onnx
    python -m vision.training measure FOLDER…

A training whose checkpoints are gone goes on from the shipped model with `train … --begin MODEL.onnx`. The nets
shipped now went on so from those before them, which were trained for 18,800 (proposer) and 86,800 steps (verifier),
the verifier on how aslant faces are seen for the last 34,600. Both learnt from 23,000 pictures then, of seeds 7 to 10:
the proposer for 9,000 steps and 4,400 in which it cooled, the verifier, which forgets much at the whole learning rate,
gently (`--steps 0 --cool 17000 --rate 0.3`).
"""
