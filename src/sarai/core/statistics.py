"""Means and shares with 95 % confidence intervals: Student's t for means, Wilson's interval for shares."""

from dataclasses import dataclass
from math import sqrt
from typing import NamedTuple

NORMAL_95 = 1.959963984540054  # standard deviations to each side that hold 95 % of a normal distribution
# Student's t for 95 %, by degrees of freedom from 1 to 30; beyond that an expansion is as exact as these.
# fmt: off
STUDENT_95 = (
    12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.3060, 2.2622, 2.2281,
    2.2010, 2.1788, 2.1604, 2.1448, 2.1314, 2.1199, 2.1098, 2.1009, 2.0930, 2.0860,
    2.0796, 2.0739, 2.0687, 2.0639, 2.0595, 2.0555, 2.0518, 2.0484, 2.0452, 2.0423,
)
# fmt: on


def student_t(freedom: int) -> float:
    """Return how many standard errors a 95 % interval of a mean reaches to each side."""
    if freedom <= len(STUDENT_95):
        return STUDENT_95[freedom - 1]
    z = NORMAL_95
    return z + (z**3 + z) / (4 * freedom) + (5 * z**5 + 16 * z**3 + 3 * z) / (96 * freedom**2)


def wilson_interval(share: float, trials: float, deviations: float = NORMAL_95) -> tuple[float, float]:
    """Return Wilson's confidence interval of a probability that was met in a share of the trials."""
    spread = deviations * deviations / trials
    middle = (share + spread / 2) / (1 + spread)
    reach = sqrt(spread * (max(0.0, share * (1 - share)) + spread / 4)) / (1 + spread)
    return max(0.0, middle - reach), min(1.0, middle + reach)


class Estimate(NamedTuple):
    """A mean and its 95 % interval, which a single number has not."""

    mean: float
    low: float | None
    high: float | None


@dataclass
class Sample:
    """Independent numbers, added up for their mean and its interval."""

    count: int = 0
    total: float = 0.0
    squares: float = 0.0

    def add(self, number: float) -> None:
        """Add a number."""
        self.count += 1
        self.total += number
        self.squares += number * number

    @property
    def error(self) -> float:
        """The standard error of the mean."""
        spread = max(0.0, self.squares - self.total * self.total / self.count) / (self.count - 1)
        return sqrt(spread / self.count)

    def mean(self) -> Estimate:
        """Estimate the mean of unbounded numbers."""
        middle = self.total / self.count
        if self.count < 2:
            return Estimate(middle, None, None)
        reach = student_t(self.count - 1) * self.error
        return Estimate(middle, middle - reach, middle + reach)

    def bounded_mean(self, least: float = 0.0, most: float = 1.0) -> Estimate:
        """Estimate the mean of numbers between bounds, as a share of the way from one to the other.

        It is Wilson's interval for as many independent trials as would have the error found: it stays within the
        bounds, and 20 wins out of 20 are not taken for certainty.
        """
        middle = self.total / self.count
        if self.count < 2:
            return Estimate(middle, None, None)
        if (way := most - least) == 0:
            return Estimate(middle, least, most)
        share, error = (middle - least) / way, self.error / way
        trials = share * (1 - share) / error**2 if error > 1e-9 and 0 < share < 1 else float(self.count)
        low, high = wilson_interval(share, trials, student_t(self.count - 1))
        return Estimate(middle, min(middle, least + way * low), max(middle, least + way * high))
