"""Confidence intervals: the textbook ones, and they hold the truth as often as they say."""

import random

import pytest

from sarai.core.statistics import STUDENT_95, Sample, student_t, wilson_interval


def sampled(numbers):
    sample = Sample()
    for number in numbers:
        sample.add(number)
    return sample


def test_students_t():
    assert student_t(1) == pytest.approx(12.7062)
    assert student_t(31) == pytest.approx(2.03951, abs=2e-4)
    assert student_t(100) == pytest.approx(1.98397, abs=2e-5)
    assert student_t(10**6) == pytest.approx(1.95997, abs=1e-5)
    values = [student_t(freedom) for freedom in range(1, 200)]
    assert values == sorted(values, reverse=True)
    assert len(STUDENT_95) == 30


def test_an_interval_of_a_mean_is_the_textbook_one():
    mean, low, high = sampled([4.0, 6.0, 8.0, 10.0]).mean()
    reach = 3.1824 * (20 / 3) ** 0.5 / 2
    assert (mean, low, high) == pytest.approx((7.0, 7.0 - reach, 7.0 + reach))
    assert sampled([4.0]).mean() == (4.0, None, None)
    assert sampled([1.0]).bounded_mean() == (1.0, None, None)


@pytest.mark.parametrize("deals", [4, 12, 60])
def test_intervals_of_means_hold_the_truth_95_times_in_100(deals):
    rng = random.Random(deals)
    held = 0
    for _ in range(2000):
        _, low, high = sampled([rng.gauss(3.0, 2.0) for _ in range(deals)]).mean()
        held += low <= 3.0 <= high
    assert 0.935 < held / 2000 < 0.965


@pytest.mark.parametrize(("share", "deals"), [(0.5, 40), (0.9, 40), (0.97, 100)])
def test_intervals_of_shares_hold_the_truth_about_95_times_in_100(share, deals):
    rng = random.Random(deals)
    held = 0
    for _ in range(2000):
        _, low, high = sampled([float(rng.random() < share) for _ in range(deals)]).bounded_mean()
        held += low <= share <= high
    assert 0.92 < held / 2000 < 0.995


def test_shares_stay_within_their_bounds_and_nothing_is_certain():
    mean, low, high = sampled([1.0] * 20).bounded_mean()
    assert mean == high == 1.0
    assert 0.7 < low < 0.9
    mean, low, high = sampled([4.0] * 20).bounded_mean(1.0, 4.0)
    assert mean == high == 4.0
    assert low < 3.9
    assert sampled([1.5] * 5).bounded_mean(1.5, 1.5) == (1.5, 1.5, 1.5)
    for numbers in ([0.0, 0.1], [1.0, 1.0, 0.9], [0.5, 0.5]):
        mean, low, high = sampled(numbers).bounded_mean()
        assert 0.0 <= low <= mean <= high <= 1.0


def test_the_interval_of_a_share_is_wilsons():
    assert wilson_interval(0.5, 100) == pytest.approx((0.4038315, 0.5961685), abs=1e-6)
    assert wilson_interval(0.0, 100) == pytest.approx((0, 0.0369935), abs=1e-6)
    assert wilson_interval(1.0, 100) == pytest.approx((0.9630065, 1), abs=1e-6)


def test_wilsons_interval_holds_the_truth_nineteen_times_in_twenty():
    rng = random.Random(4)
    met = [sum(rng.random() < 0.2 for _ in range(300)) for _ in range(400)]
    held = sum(low <= 0.2 <= high for low, high in (wilson_interval(count / 300, 300) for count in met))
    assert 365 <= held <= 394
