"""What a process does again and again: at the same moments, and never twice at once."""

from sarai.table.service import aligned_timers


def at(monkeypatch, moment):
    monkeypatch.setattr(aligned_timers, "OWN", 0.0)
    monkeypatch.setattr(aligned_timers.time, "monotonic", lambda: moment)


def test_pauses_end_at_the_same_moments_whenever_they_begin(monkeypatch):
    ends = {seconds: set() for seconds in (0.5, 1.0, 5.0)}
    for step in range(1000):
        at(monkeypatch, moment := 1000 + step * 0.0173)
        for seconds, found in ends.items():
            pause = aligned_timers.seconds_to_tick(seconds)
            assert aligned_timers.SOONEST * seconds < pause <= (1 + aligned_timers.SOONEST) * seconds
            found.add(round(moment + pause, 6))
    assert all(end % seconds == 0 for seconds, found in ends.items() for end in found)
    often, seldom = ({end for end in ends[one] if end <= 1015} for one in (0.5, 5.0))
    assert seldom < often, "a process wakes once for all of them"


def test_a_timer_that_fires_too_soon_does_not_make_a_second_beat(monkeypatch):
    at(monkeypatch, 1000.4996)
    assert round(aligned_timers.seconds_to_tick(0.5), 4) == 0.5004


def test_long_pauses_keep_their_length(monkeypatch):
    at(monkeypatch, 999_999.0)
    assert aligned_timers.seconds_to_tick(1e6) == 1e6
