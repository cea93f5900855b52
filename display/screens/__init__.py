"""The screens: each module lays one out on a page."""
