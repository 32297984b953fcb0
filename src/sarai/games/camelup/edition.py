"""What differs between the two boxes of Camel Up: the camels, their letters, and the names of the pieces."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from sarai.core.kernels.compile import Cell
from sarai.core.messages import mark

PILES = ("winner", "loser")
GREY_DIE = "grey"
GREY_LETTER = "x"


@dataclass(frozen=True)
class Edition:
    """An edition's camels (the crazy ones last), their letters, and its names for what both boxes contain."""

    camels: tuple[str, ...]
    letters: str
    sides: tuple[str, str]
    ticket: str
    pyramid_ticket: str
    tile: str
    card: str

    @cached_property
    def racing_camels(self) -> tuple[str, ...]:
        """The camels that run forward and can be bet on."""
        return self.camels[:5]

    @cached_property
    def has_crazy_camels(self) -> bool:
        """Whether two camels run the wrong way."""
        return len(self.camels) > 5

    @cached_property
    def dice(self) -> tuple[str, ...]:
        """The dice by their colours: one per racing camel, and the grey one where there are crazy camels."""
        return self.racing_camels + (GREY_DIE,) * self.has_crazy_camels

    @cached_property
    def dice_letters(self) -> str:
        """A letter per die."""
        return self.letters[:5] + GREY_LETTER * self.has_crazy_camels


EDITIONS = (
    Edition(
        camels=("blue", "green", "orange", "yellow", "white"),
        letters="bgoyw",
        sides=("oasis", "mirage"),
        ticket=mark("betting tile"),
        pyramid_ticket=mark("pyramid tile"),
        tile=mark("desert tile"),
        card=mark("race card"),
    ),
    Edition(
        camels=("blue", "yellow", "green", "red", "purple", "white", "black"),
        letters="bygrpWK",
        sides=("cheering", "booing"),
        ticket=mark("betting ticket"),
        pyramid_ticket=mark("pyramid ticket"),
        tile=mark("spectator tile"),
        card=mark("finish card"),
    ),
)


def edition_of(cell: Cell) -> Edition:
    """Return the edition that a state or a view belongs to."""
    return EDITIONS[int(cell["edition"][0])]


BY_CAMELS = {frozenset(edition.racing_camels): number for number, edition in enumerate(EDITIONS)}


def edition_number(racing_camels: Iterable[str]) -> int:
    """Return the number of the edition in which these camels race."""
    return BY_CAMELS[frozenset(racing_camels)]
