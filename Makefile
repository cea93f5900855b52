# Two commands on a fresh machine: `make run` plays the demo, `make test` passes the tests. Both set everything up.

VENV ?= .venv
export TALLYTRAY_VENV := $(VENV)
BIN := $(VENV)/bin

.PHONY: run test check slow oldest soak lock screenshots newcomer installed train screens clean

run:
	@scripts/setup run
	@$(BIN)/tallytray demo

test:
	@scripts/setup dev
	@$(BIN)/pytest -n 2 --dist worksteal

# Formatting, lint, types and the one-way rule between the rooms.
check:
	@scripts/setup dev
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

# The tests that take minutes: whole recorded games, killed processes. Those of the device run alone: they measure time.
slow:
	@scripts/setup dev
	@$(BIN)/pytest -m slow -n 2 --dist worksteal tests/test_[!d]*.py tests/test_display_*.py
	@$(BIN)/pytest -m slow tests/test_device_*.py

# The vision room on the oldest OpenCV allowed.
oldest:
	@scripts/oldest_opencv

# The tests that take hours. The first go on where they were stopped and print one line for each figure (`out/soak`).
soak:
	@scripts/setup dev
	@$(BIN)/python tests/soak.py
	@$(BIN)/pytest -m soak --timeout 0 -s

# Take the newest allowed versions of every package, for every Python and machine at once (needs uv).
lock:
	uv pip compile pyproject.toml --universal --python-version 3.11 --generate-hashes --no-emit-index-url \
	    --upgrade --custom-compile-command "make lock" -o requirements/run.lock
	uv pip compile pyproject.toml --extra dev -c requirements/run.lock --universal --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --upgrade --custom-compile-command "make lock" -o requirements/dev.lock
	uv pip compile pyproject.toml -c requirements/picamera2-bookworm.txt --python-version 3.11 \
	    --generate-hashes --no-emit-index-url --upgrade --custom-compile-command "make lock" \
	    -o requirements/picamera2-bookworm.lock

# The screens kept in fixtures/screens, drawn anew: look at what changed before it is committed.
screens:
	@scripts/setup dev
	SDL_VIDEODRIVER=dummy $(BIN)/python -m display --gallery fixtures/screens --golden
	$(BIN)/python tests/first_box.py fixtures/screens/first-box

# The pictures in the README.
SCREENS := new-game-800x480-sv play-asked-800x480-en play-trippel-maxi-800x480-en result-800x480-en
screenshots:
	@scripts/setup run
	$(BIN)/python -m display --gallery out/screens
	$(BIN)/python -m display --gallery out/screens --size 800x480
	$(BIN)/python -m display --gallery out/screens --size 800x480 --language sv
	mkdir -p docs/screens
	cp $(SCREENS:%=out/screens/%.png) docs/screens/
	$(BIN)/tallytray demo --off-screen >/dev/null
	cp out/demo/002-read.png docs/screens/demo-read.png

# A newcomer's path in bare Debian roots (root and debootstrap needed).
newcomer:
	scripts/newcomer bookworm
	scripts/newcomer trixie

# The installer's whole path in bare Debian roots (root and debootstrap needed).
installed:
	scripts/installed bookworm
	scripts/installed trixie

# The second reader from nothing, on synthetic scenes: about six hours on two cores, goes on where it was interrupted.
train:
	scripts/train

clean:
	rm -rf $(VENV) out .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
