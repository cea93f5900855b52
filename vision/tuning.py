"""Every threshold of the reader, with its unit and its reason.

Lengths are told in the unit that the quantity scales with: the pip's radius, half the side of a face, or the
side of a die; pixels appear only where the sensor itself sets the limit. Levels are grey levels of 0–255.
"""

import math

# The working picture, in read.py
WORK_SIDE = 960  # px, long side: a 45 px die of a 1280 px frame keeps pips of 3 px radius; more only costs time
ENLARGE_BELOW = 740  # px: smaller pictures hold dice of 25–45 px, whose pips are only found when enlarged
ENLARGE_AT_MOST = 1.6  # times: more only enlarges the compression blocks
BY_LINES = 0.67  # times: smaller than that lines alone skip what lies between them
SMALLEST_SIDE = 24  # px: no die that could be read fits into less

# Pips, in pips.py
OCTAVES = 5  # halvings of the working picture: pip radii from 1.5 to 60 px
BLOB_SIGMA = 1.25  # px: answers most to discs of radius 2.2; the octaves between them take all sizes
BLOB_RATIO = 1.6  # outer to inner Gaussian: the usual approximation of the Laplacian
BLOB_LEVELS = 2  # levels of response: a pip of 12 levels' contrast gives about 3
SPOT_LIFT = 6  # levels that a spot stands out from six of the eight points around it
BLOBS_PER_OCTAVE = 150  # of each polarity, those that stand out most: bounds the work on carpet and felt
RAYS = 16  # directions in which a pip's edge is sought: enough for an ellipse and its wobble
PIP_CONTRAST = 14  # levels between pip and body, strongest channel: below it noise looks like pips
FAINT = (14, 42)  # levels: pips so faint are believed little at the first, like any other from the second
PIP_RADIUS = 1.6  # px of the working picture: smaller spots have no shape, and cloth is full of them
PIP_ASPECT = 0.38  # minor to major axis: flatter ones belong to faces seen at more than 67°
PIP_WOBBLE = 0.22  # r.m.s. distance of the edge from the ellipse, in radii: carpet and letters are rougher
FIRST_RISE = 9  # levels between inside and outside in the first fit: blurred pips reach it, most of cloth does not
FIRST_WOBBLE = 0.36  # the same after the first fit, which starts off the middle and with the wrong size
RAGGED = 0.06  # the same, from which a pip is fitted once more: the fit may still be on its way to the middle
PIP_RING = 0.5  # share of the ring around a pip that has the body's colour: the rest may be edge or neighbour
PIPS_AT_MOST = 200  # candidates handed on: 7 dice with three visible faces have fewer than 110
SAME_PIP = 0.75  # radii: two answers nearer than this are one pip

# Faces, in lattice.py
SMALLEST_DIE = (15, 24)  # px of the working picture, side of the face: unreadable below the first, fair from the second
ALIKE_RADIUS = 1.55  # largest to smallest radius of the pips of one face
ALIKE_CONTRAST = 0.42  # smallest to largest contrast of the pips of one face: a lamp's glare halves it
SHADOW_CONTRAST = 0.22  # the same where a shadow's edge lies across it: one lamp and little else lights the tray
SHADOW_ALIKE = 0.7  # smallest to largest contrast there, each over the brightest level of pip and body
SHADOW_COLOUR = 0.25  # of those levels: what lights a shadow has another colour
SHADOW_STEP = 0.5  # of the weakest pip's contrast, by which the body is brighter in the light
PAIR_NEAREST = 2.1  # radii: tightly packed pips nearly touch
PAIR_FARTHEST = 15.0  # radii: the diagonal of a face with tiny pips
NEIGHBOURS = 14  # nearest alike pips looked at per pip: its own face has 5, the side faces show a few more
PAIRS_AT_MOST = 700  # bounds the lattice on carpet
SPOT = 0.17  # of the half diagonal: how far a pip may be from its place in the lattice
SPOT_PX = 0.5  # px: added, since centres of tiny pips are no better than this
FACE_PER_LATTICE = 1.92  # side of the face over the distance between its corner pips; 1.6–2.2 among real dice
DIAGONAL_SHORTEST = 3.4  # radii between the outer pips of a two or three of a usual make
NARROW = (0.42, 0.75)  # of the face's side, as foretold by the pips of narrow twos and threes
PIP_PER_SIDE = (0.040, 0.20)  # radius of a pip over the side of its face
TRUSTED_RADIUS = 4.0  # px: from here on the ellipse of a pip tells the tilt of its face
SIX_NARROW = 2.6  # longer to shorter side of the rectangle of a six: narrow columns exist
SQUARE = (1.5, 1.8)  # the same for 4 and 5 where the ellipses of the pips are trusted, and where not
FACES_AT_MOST = (0, 30, 40, 24, 20, 16, 16)  # hypotheses of each value whose body is looked at

# Bodies, in body.py
BODY_RAYS = 32
BODY_LEVELS = (0.08, 0.16, 0.24, 0.34)  # of the pip's contrast: how far the body's colour may drift before it ends
ONE_HALF = 6.5  # radii of its pip: half the side first guessed for a one; real ones have 2.5–12
LEAST_REACH = 0.4  # half sides so guessed: the largest pips are a fifth of the side
FREE_RAYS = 6  # of 32: with fewer that do not run into a neighbour nothing is known about the outline
GROWTHS = (0.8, 1.36, 0.05)  # from, to, step in foretold sides: sizes tried on the outline, as layouts differ
BODY_STEP = 0.2  # of the pip's contrast, between neighbouring samples: glare drifts far but slowly
BODY_LEVELS_PLUS = 5  # levels: added for noise

# The joint choice, in choice.py
EVEN = 0.15  # of the pips' contrast: mean drift of a body's colour from which it may be two
SHADED = 0.4  # the same where the edge of a shadow may lie across it
UNEVEN = 0.35  # more than either: then it is not one body
CREDIT_WORTH_A_LOOK = 0.02  # of 1: below it the pips alone rule the face out

# Doubt, in doubt.py
# As `Faces.tilt`, by value: how far a flat die's face may seem off the shared foreshortening. Many pips tell it well;
# flat dice in the rendered photographs stay below 0.065 (4–6), 0.09 (2, 3) and 0.12 (1), a die leaning 20° has 0.1.
TILT_SPREAD = (0.0, 0.16, 0.14, 0.14, 0.085, 0.085, 0.085)
TILT_SIDE = 60.0  # px of the working picture: smaller faces show their tilt worse, in proportion
LEANS_MUCH = 1.6  # of TILT_SPREAD: by its pips alone a die that leans so far has no face on top
LEANS_MOST = 2.5  # the same where both readers see one face plainly: it is asked about, with its value
LEANS_BY_NET = 0.25  # slope off level (14°), as the second reader sees it: 98 of 100 level dice stay below
LEANS_BY_PIPS = 0.7  # of TILT_SPREAD: a four, five or six whose pips lie flatter does not lean
LEANS_BY_FEW = 0.3  # the same of a two or three, whose pips tell it worse: one that leaned 20 to 36° had 0.32
LEANS_LITTLE = 0.2  # slope off level, from which a die is believed to lean that does so much by its pips
LEANS_ALONE = 0.4  # slope off level (22°) from which the second reader is believed where fewer pips tell little
ASLANT_AGAIN = 0.2  # slope off level from which one look is not enough: nine of ten level dice stay below
ASLANT_SPREAD = 0.25  # slope: beyond one and a half of it a die has no more to say about how the others lie
ASLANT_MOST = 0.95  # sine: seen more from the side nothing is read
FOCALS = (math.inf, 2.0, 1.2, 0.85)  # of the picture's long side: cut out, telephoto, webcam, phone
TILT_SPREAD_OBLIQUE = 2.0  # times the shared tilt: seen from the side, perspective differs more across the picture
LEFT_OVER_CONTRAST = 0.5  # of the chosen pips' median: fainter spots are no pips of these dice
LEFT_OVER_RADIUS = (0.62, 1.55)  # of the chosen pips' median
GROUP_CONTRAST = 0.25  # of the chosen pips' median: in glare a third is left
GROUP_RING = 0.55  # share of the ring: the same for pips that lie together like those of a die, as glare is uneven
LEFT_OVER_RING = 0.75  # share of the ring: pips lie on an even body
BESIDE_PLACE = 2.0  # half sides: as far as the rest of a face lies of which only a part was taken for the whole
BESIDE_SHAPE = 0.12  # radii: so alike are the ellipses of one face; a side face's are flatter by 0.3 and more
BESIDE_RADIUS = 0.18  # natural logarithm: so alike are its radii
BESIDE_WOBBLE = 0.06  # radii more than the die's own pips have
BESIDE_COLOUR = 0.32  # of that contrast: so alike are the pips' own colours, in light and in shadow
BESIDE_BY_NET = -0.02  # logarithm: no pips beside a face make one doubtful of which the net is so certain
BESIDE_CONTRAST = 0.5  # of its weakest pip: what an edge of a shadow across the face leaves
MORE_REACH = 1.25  # half sides: the rest of a face of which a part was taken; pips of a die beside begin at 1.45
# Left over and as plain as a die's own: in 340 strangers' frames of which no die was missed nothing was
PLAIN_RING = 0.9  # share of the ring
PLAIN_ASPECT = 0.05  # below that of the dice's own flattest
PLAIN_WOBBLE = 0.05  # radii
PLAIN_RADIUS = 0.3  # natural logarithm over the median of the dice's own
SIDE_FACE_PLACE = 2.2  # half sides from a face's centre: as far as its side faces can be seen
BODY_ALIKE = 26  # levels: as far as one die's body colour may be from another's to be taken for the same dice
BODY_AREA = 0.3  # of the face's area: smaller remains of a body's colour are shadows and reflections
DARK = 24  # levels: median of the brightest channel of a die's body below which nothing is sure
STACKED_SIDE = 1.1  # of the frame's die size: with dice missing, one so large lies on another
OVERLAP = 0.96  # of the mean side: dice that touch are 1.0 apart and more, nearer centres belong to dice on one another

# Moving or still, in settle.py
GLANCE_SIDE = 200  # px, long side of the picture compared: a die of 45 px in 800 is 11 px in it
CHANGED_LEVELS = 14  # levels: sensor noise after averaging stays below 6
MOVED_AREA = 0.0004  # of the picture: 9 of 200 x 112 px, a fifth of a small die's edge
IN_PLACE_LEVELS = 9  # levels, mean over a die's place: an empty place differs by 30 and more on most grounds
HAND_AREA = 0.12  # of the picture: more than six dice in a throw cover, shadows and all
HAND_FACES = 2.5  # faces of a die: a patch so large at the border is no die that rolls in
UNDER_HAND = 0.3  # of the middle of a die's place
FINGERTIP = 0.25  # faces: what a hand that has nearly left still moves at the border
DRAWN_BACK = 0.15  # seconds: dice thrown roll longer than that after the hand is gone
DIE_OF_PICTURE = 0.06  # of the picture's width: the side of a die when nothing is known of it

# Throws, in throws.py and watch.py
STILL_SECONDS = 0.09  # without movement before a first reading: a die that spins on its corner moves more often
PATIENCE_SECONDS = 0.14  # the same before an unsure or incomplete reading counts: more dice may still come
MOST_READINGS = 6  # frames of one rest read before they count as not agreeing
STAYED = 0.3  # sides: the most that reading one die twice differs
PUT_BACK = 0.12  # sides: a die thrown again hits its old place this well once in two thousand throws
NUDGED = 0.6  # sides: further than that a die does not slide by itself
BESIDE = 0.3  # sides of a die outside the tray's rim: nearer, it may lie in the tray and seem to lean over the rim
PUSHED = 1.3  # sides: how far a thrown die may push one that lies

# The tray's rim, in rim.py
RIM_SIDE = 320  # px, long side of the picture it is sought in: a wall of 1 cm is about 11 px
RIM_RAYS = 144  # from the middle of the picture
RIM_BAND = 7  # px on each side of a step whose mean colours are compared: broader than joints, narrower than walls
RIM_LEVELS = 9  # levels of CIE Lab by which they differ: the shades of one cloth differ less
RIM_BEYOND = (11, 19)  # px from the rim on both sides where the colours must differ too
RIM_NEAREST = 0.2  # of the picture's short side, from its middle: a tray so small would hold no dice worth reading
RIM_NEAR = 2.5  # px from a line: lenses bend the straight edges of a tray by less
RIM_CLOSE = 0.025  # of the radius: the same for an ellipse
RIM_TRIES = 600  # lines, and circles, drawn through chance points: one in ten lies on a rim
RIM_SKEW = 14  # degrees a side may be off the square: seen 20° from above it is 8°
RIM_FEWEST = 9  # rays with a step on one side: a wall that is seen at all has 20 and more
RIM_ROUND = 0.7  # shorter to longer axis: a round tray seen 45° from above
RIM_IN_VIEW = 0.45  # of the rays must meet the rim inside the picture
RIM_SUPPORT = 0.72  # of those must show a step there: dice and hands cover some of it

# Where something lies, in lying.py
LYING_SIDE = 320  # px, long side of the picture compared: a die of 45 px in 1280 is 11 px in it, its pips 1 px
LYING_LEVELS = 9  # levels, any channel, by which something that lies there differs sharply: JPEG and noise make 4
LYING_NOISE = 4.0  # times the noise measured on the empty tray: added
LYING_SHADE = (0.75, 1.3)  # times as bright: what the soft shadow of a person or a door does
LYING_MUCH = 45  # levels by which even an even difference is no soft shadow
LYING_WIDE = 2.5  # sides of a die: what changes more slowly than that is light
LYING_JOIN = 0.2  # sides: pips of one die on a ground of its own colour are so far apart
LYING_MARGIN = 0.4  # sides around what differs: a die's edge may be of the ground's colour
LYING_SPECK = 0.01  # of a face's area: less is noise, as a single pip has 0.03
LYING_FEWEST = 3  # px: the same for the tiniest dice
LYING_MOST = 24  # boxes: more are no dice but a changed light
LYING_AREA = 0.4  # of the picture: from there on looking at it all takes hardly longer
LIGHT_LEVELS = 12  # levels: darker pixels tell nothing about the light
LIGHT_FEWEST = 40  # pixels bright enough
LIGHT_BAND = 16  # levels that are taken to change alike
LIGHT_BENT = (0.85, 1.18)  # times the light: as far as a camera's tone curve bends it
LIGHT_UNKNOWN = 0.05  # of a few dice's area: where less is seen of the ground, its light is the same as everywhere
LIGHT_RANGE = (0.4, 2.5)  # times as bright: beyond it another lamp burns, or none

# Calibrating, in calibrating.py
CALIBRATION_FRAMES = 8  # still ones in a row: half a second, and a third of one picture's noise
CALIBRATION_DICE = 3  # clear dice of a throw that suffice to tell their size, or all when fewer are thrown
CALIBRATION_CLEAR = 0.9  # of 1: confidence in a die from which its size counts
CALIBRATION_ALIKE = 1.4  # largest to smallest of them: more is no set of dice
DIE_MM = 16.0  # mm: the usual die
SMALL_DIE = 45.0  # px: smaller ones are read worse
BURNT_LEVEL = 252  # levels, brightest channel: nothing is told apart above it
BURNT_SHARE = 0.06  # of the tray: six white dice, were they all burnt, cover 0.06
DARK_TRAY = 70  # levels that the brightest hundredth of a tray with dice in it should reach

# Whether a calibration is still true, in recheck.py
CHECK_SECONDS = 30.0  # between checks of a tray that stays empty: daylight changes more slowly
LIGHT_STEADY = 0.04  # natural logarithm of how many times as bright: no lamp is steadier
LIGHT_DRIFT = 0.25  # the same: clouds, an evening; beyond it somebody switched a lamp
MOVED_SIDE = 640  # px, long side of the pictures compared
MOVED_PX = 2.5  # px of a picture 1280 wide by which a camera shakes on its arm
MOVED_SIDES = 0.05  # sides of a die: the same
MOVED_RESPONSE = 0.06  # of 1, how sharply two pictures fall into place; chance gives 0.03
MOVED_STEEP = 60.0  # levels: a rim steeper than that says no more

# Places and the pip reader's closer look, in places.py and closer.py
SAME_PLACE = 0.33  # sides: what is nearer than this is meant to be the same face; touching dice are 1.0 apart
SAME_PLACE_SIZE = (0.62, 1.6)  # times: as far as two readers' sizes of one face differ
PLACE_CREDIT = 0.12  # of 1: a hypothesis with less is not worth the net's look
PLACES_BY_PIPS = 12  # at most: 7 dice have 7
UNPROPOSED = 0.03  # of 1: the net's belief in a place that it did not propose
PLAIN_CREDIT = 0.5  # of 1: when the pip reader gives so much to the value that the net sees, no closer look is needed
CLOSER_BELIEF = 0.12  # of 1: the net's belief in a place from which on it is worth a closer look
CLOSER_CREDIT = 0.3  # of 1: the pip reader's credit from which on it is
CLOSER_FACE = 68  # px: a face as wide shows pips of 5 px radius; no other width alone found as many
CLOSER_FACES = (46, 100)  # px: widths of further looks, where the first one is not plain
CONTRADICTS = 0.2  # of 1: credit from which the first look names a value; noise gets less
CLOSER_FLAT = 20  # levels: a face whose colours differ less is not stretched further
SHOWN = 0.2  # of 1: credit from which the pips of a face show how it lies
FILLED_AREA = 0.028  # of the face's area: what the rim of a large ringed pip encloses; a large pip has 0.05
FILLED_LEVELS = 8  # levels: rims that stand out are darker by more
CLOSER_ACROSS = 2.2  # faces: room for the side faces and the neighbours' edges
CLOSER_OFF = (0.4, 0.25)  # faces: from no to full credit by the distance from where the face should be
LONE = 0.45  # of 1: most credit for a one by its pip alone; the other reader must see a one there too
LONE_ASPECT = (0.55, 0.75)  # minor to major axis: two pips run together are flatter
LONE_RING = (0.6, 0.9)  # share of the ring
LONE_WOBBLE = (0.14, 0.06)  # radii
LONE_PER_SIDE = (0.04, 0.22)  # radius over the side of the face: large red ones are a fifth
LONE_OFF = (0.3, 0.15)  # faces from the middle: the pips of a two are a third of a face away from it
LONE_OWN, LONE_APART = 0.12, 0.55  # faces: nearer spots are the pip's own glint, further ones lie on a side face
LONE_FAR = 1.2  # faces: as far apart are the pips of a two on a face taken for two thirds of what it is
LONE_RIM = 1.4  # radii from a pip's centre: past its soft edge, on the body
LONE_LIKE = 0.25  # natural logarithm of the radii of two pips of one die
LONE_RADIUS = 0.5  # natural logarithm: so alike is a second pip of the face, even in a glint
CLOSER_GROWN = (0.55, 0.3)  # natural logarithm: the same by the face's size

# Both readers together, in agree.py; the weights of the safety are fitted by `python -m vision.training fit`
NET_FLOOR = 0.01  # of 1: however little the net gives to a value, it may be so
PIPS_FLOOR = 0.05  # of 1: the same for the pip reader, which misses more
PLAIN_BY_NET = -0.22  # logarithm: the net gives four fifths to the value
LEAST_BY_NET = -0.5  # logarithm: where it gives less than three fifths to the value, it does not say it
RATHER_BY_NET = -0.36  # logarithm: where it gives the value less than seven tenths, the pips must be all the plainer
RATHER_TOGETHER = 0.5  # of 1: the product of both readers' credits there; a glint over a pip of a three leaves 0.44
PLAIN_TOGETHER = 0.15  # of 1: the product of both readers' credits; none of 525 photographs was wrong even without it
HARDLY = 0.05  # of 1: the net's doubt of a face, below which it speaks for itself
VERY_PLAIN_STANDING = 2.0  # log-odds that a die lies there, from which it may
TRACE = 0.02  # of 1: least credit for the value itself
SILENT = 0.2  # of 1: credit for other values below which the pip reader contradicts nothing
SAID = 0.1  # of 1: credit from which the pip reader says a value at all
STANDING = (
    -0.8,
    2.95,
    0.58,
    0.45,
    0.6,
    1.15,
)  # of a logistic regression: constant, log-odds of the net's two looks and
# of the pip reader, logarithm of the net's value, and that both see the same one
STANDING_UNTOLD = 0.0  # log-odds from which a place rather holds a die than not, when nobody told how many there are
NOTHING = 0.85  # of 1: the net's probability of no face from which a place of little standing is a spot of the ground
STANDING_PER_SIZE = 2.5  # log-odds lost per natural logarithm that a face is smaller than the others: side faces are
SIZE_SLACK = 0.15  # natural logarithm: sizes seen a little wrong differ so much
PLAIN_STANDING = 1.0  # log-odds from which a place has a say in the size of the frame's dice
SAYS_MOST = 4.0  # log-odds: dice of more standing have no more to say about it
SAYS_KNOWN = 5.0  # as many log-odds has the size that a calibration tells: more than one die, less than two
ONE_DIE = 0.62  # of the larger side: centres nearer than this lie on one die; touching dice are 1.0 apart
NEVER = 0.005  # of 1: no reader is more certain than this
SAFETY_FEATURES = (
    "least by the net", "least by pips", "least by both", "most for another value", "least standing",
    "best standing left over", "sizes differ", "unreadable", "no face", "looks differ", "smallest die",
    "pips left over", "bodies left over",
)  # fmt: skip
SAFETY = (2.507, 3.863, 0, 0, -0.229, 0.143, -0.282, -3.786, -0.640, -1.442, 0, 0, 0, 0)
SAFETY_UNTOLD = (-2.308, 2.627, 0.056, 0, -0.374, 0.379, -0.461, -0.421, -5.032, 0, 0, 0.165, -0.892, 0)
SAFE = 2.0  # log-odds of the frame from which a reading may be sure
SAFE_UNTOLD = 2.5  # the same when nobody told how many there are

# Doubt about what both took, in doubt.py
READABLE = -5.0  # log-odds: a die of less standing is seen, but its value would be a guess
LEFT_OVER_STANDING = 3.0  # log-odds from which a place left over may well hold one die more than told
LEFT_OVER_STANDING_UNTOLD = -2.0  # the same when they are not told, or some are missing: it may well hold one
STANDS_UNTOLD = 3.2  # log-odds that every die of a sure reading must have when nobody told how many there are
CUT = 0.88  # of the square: as far as rounded corners reach; what leaves the picture is cut off
CUT_BY_NET = 0.8  # the same for the net, which sees sizes less well
# A place left over may be what shows of a die, where some are missing or nobody told how many there are
REST_NO_FACE = 0.5  # of 1: the net's probability of no face up to which it may
REST_STANDING = -8.0  # log-odds that a die lies there, from which it may
REST_GROWN = 0.4  # natural logarithm: as far as its size may be from the others'
CUT_BODY = 0.9  # sides: so near a pip left over at the border its die's colour is seen
CUT_PIP = 0.5  # sides from the border: a pip left over there, of a die that is missing, is of one the border cuts
CUT_NO_FACE = 0.3  # of 1: the net's probability of no face up to which a place at the border may be a cut die
CUT_GROWN = 0.35  # natural logarithm: as far as its size may be from the others'
UNREADABLE = 0.5  # of 1: the net's probability of a face that can't be read from which it isn't
PARTLY = -0.4  # natural logarithm of the size over the others': two thirds of a face, and
PARTLY_STANDING = 2.5  # log-odds: whole faces of smaller dice stand higher, mostly at 5 and more
TINY = -0.7  # natural logarithm of the size over the others': half as large no die of the same game is
SMALLER = -0.25  # natural logarithm: three quarters of a face are doubted already, and read, where they stand
SMALLER_STANDING = 2.0  # log-odds lower than that
EXTRA_BY_NET = -0.7  # logarithm: with pips beside a face's own in it, the net must give half to the value
NO_FACE = 0.85  # of 1: the net's probability of no top face; printed boards look like dice to both readers
NO_FACE_UNTOLD = 0.05  # the same where its two looks differ and nobody told how many dice there are
NO_FACE_HARDLY = 0.2  # the same where a die does not stand out either: a white button with four holes has 0.21, and
FIRM_UNTOLD = 4.2  # log-odds that a die lies there
EXPLAINED = 0.8  # sides around a face that only the net saw: what lies so near belongs to its die
TOUCHING = 1.2  # sides between centres: dice that touch are 1.0 to 1.41 apart, mostly with a side in common
BLURRED = 0.25  # sides from dark to light across the steepest edge; 0.05 in focus, 0.4 where pips run together
GLARE_LEVEL = 245  # levels of the darkest channel: the sensor is full
GLARE_BODY = 215  # levels: a body as bright as that is white, not glaring
GLARE_OTHERS = 0.7  # times as bright are the other dice, where a whole face glares
BURNT_FACE = 0.4  # of the face: so much at the sensor's end hides pips even of a white die
GLARE_SHARE = 0.06  # of the face: a glint so large covers a pip
