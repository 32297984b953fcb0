"""What one observer saw happen in a game, as paragraphs for the terminal."""

from collections.abc import Mapping, Sequence

from sarai.core.event_sentences import EventSentences
from sarai.core.events import Event
from sarai.core.game import Game
from sarai.core.language import ENGLISH, Language, find_language
from sarai.core.messages import Name, Said, Say
from sarai.core.options import Value


class EventLog:
    """What an observer (None: a spectator) saw: a paragraph for every player's move and the chance that follows it."""

    def __init__(
        self,
        game: Game,
        names: Sequence[str],
        observer: int | None = None,
        options: Mapping[str, Value] | None = None,
        language: Language | None = None,
    ) -> None:
        self.language = language or find_language(ENGLISH)
        self.sentences = EventSentences(game, len(names), options or {}, self.language, in_notation=True)
        self.names = [Name(name) for name in names]
        self.observer = observer
        self.paragraphs: list[list[str]] = []
        self.shown = 0  # paragraphs that `news` has returned

    def add(self, events: list[Event], by_chance: bool, is_over: bool = False) -> None:
        """Add what was seen of a move; what options conceal from others is told when the game is over."""
        if not by_chance or len(self.paragraphs) == self.shown:
            self.paragraphs.append([])
        for event in events:
            text = self.sentences.sentence(event, self.names, self.observer, is_over, says_you=False)
            if event.key not in self.sentences.grouped or self.paragraphs[-1][-1:] != [text]:
                self.paragraphs[-1].append(text)

    def news(self) -> list[str]:
        """Return the paragraphs that were not shown yet."""
        new, self.shown = self.paragraphs[self.shown :], len(self.paragraphs)
        return [paragraph(sentences, self.language.say) for sentences in new if sentences]

    def all(self) -> list[str]:
        """Return every paragraph."""
        return [paragraph(sentences, self.language.say) for sentences in self.paragraphs if sentences]


def paragraph(sentences: Sequence[str], say: Say) -> str:
    """Let sentences follow one another, counting those that are repeated."""
    shown: list[str] = []
    times = 0
    for number, text in enumerate(sentences):
        times += 1
        if number + 1 == len(sentences) or sentences[number + 1] != text:
            shown.append(text if times == 1 else repeated(text, times, say))
            times = 0
    return " ".join(shown)


def repeated(sentence: str, times: int, say: Say) -> str:
    """Say a sentence once, and how often it holds."""
    return say("{sentence} ({n, plural, one {# time} other {# times}})", sentence=Said(sentence), n=times)
