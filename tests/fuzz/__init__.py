"""Harnesses for coverage-guided fuzzing with Atheris; README.md explains how to run them."""
