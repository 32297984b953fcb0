"""What the host of a table decided about who may come, and the seats kept for people of the game before."""

from msgspec import Struct

from sarai.table.event_types import KeptSeat

ALL, PLAYERS, NOBODY = "all", "players", "off"  # who may talk


class Access(Struct):
    """What the host decided; people are known by their ids."""

    banned: set[str] = set()
    removed: set[str] = set()  # taken off their seats: they may look and talk, but not sit
    kept: dict[int, KeptSeat] = {}  # by seat
    locked: bool = False
    watching: bool = True
    talk: str = ALL

    @property
    def is_open(self) -> bool:
        """Whether everybody may look."""
        return self.watching and not self.banned

    def is_kept_for(self, seat: int, person: str | None) -> bool:
        """Say whether a seat is kept for a person."""
        return seat in self.kept and self.kept[seat].person == person

    def seat_kept_for(self, person: str | None) -> int | None:
        """Return the seat that is kept for a person."""
        return next((seat for seat in self.kept if self.is_kept_for(seat, person)), None)

    def sat(self, seat: int, person: str) -> None:
        """Keep nothing any more for a person who sits, nor the seat."""
        self.kept = {number: kept for number, kept in self.kept.items() if number != seat and kept.person != person}
