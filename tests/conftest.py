"""Settings for all tests: no example depends on the speed of the machine.

The examples are the same in every run; ``--hypothesis-profile long`` tries many others.
"""

from hypothesis import HealthCheck, settings

settings.register_profile(
    "default",
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.too_slow],
    print_blob=True,
)
settings.register_profile(
    "long", settings.get_profile("default"), derandomize=False, max_examples=3000
)
settings.load_profile("default")
