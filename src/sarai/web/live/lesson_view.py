"""What a page shows of a step of a lesson: the game's own board, what is told, and what became of an attempt."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

from markupsafe import Markup, escape

from sarai.core.board import Board, Scene, Tap
from sarai.core.errors import Illegal
from sarai.core.event_sentences import EventSentences
from sarai.core.events import Event
from sarai.core.game import Game
from sarai.core.lessons import LEARNER, Attempt, Lesson, Line, Step, position_of, try_answer, try_move
from sarai.core.markup import EMPTY, isolated, join, markup
from sarai.core.messages import mark
from sarai.core.refusal_sentences import say_refusal
from sarai.table.confusable_names import BOT_NAMES
from sarai.table.refusals import Refused
from sarai.web.language import Language
from sarai.web.live.animation import steps_of
from sarai.web.live.board import render
from sarai.web.live.legal_move_buttons import groups
from sarai.web.live.status_players_actions import status_line
from sarai.web.live.tap_refusals import impossible_meaning, say_reasons

if TYPE_CHECKING:
    from sarai.core.state_and_view import State

NOT_ASKED = Line(mark("The rules allow that, and you see what comes of it. Here something else was asked: try again."))
HIDDEN = "_hidden"  # ends the key of an event of which others see no more than that it happened


class LessonView:
    """A step of a lesson as somebody who reads a language is shown it, perhaps after an attempt."""

    def __init__(self, game: Game, lesson: Lesson, number: int, language: Language) -> None:
        if not 1 <= number <= len(lesson.steps):
            raise Refused("no_such_page")
        self.game, self.lesson, self.number, self.language = game, lesson, number, language
        self.step: Step = lesson.steps[number - 1]
        self.attempt: Attempt | None = None
        self.reply = ""  # what is said of the attempt
        self.is_refused = False  # by the rules: nothing happened

    @property
    def is_last(self) -> bool:
        """Whether a real game comes next."""
        return self.number == len(self.lesson.steps)

    @property
    def is_right(self) -> bool:
        """Whether the attempt was what the step wants."""
        return self.attempt is not None and self.attempt.is_right

    @cached_property
    def before(self) -> Scene:
        """What the board is rendered from before the learner does something."""
        state = position_of(self.game, self.step.position)
        return self._scene(state, [] if self.step.answers else state.legal(LEARNER))

    @cached_property
    def after(self) -> Scene:
        """… and now; after an attempt nothing can be chosen."""
        if self.attempt is None:
            return self.before
        scene = self._scene(self.attempt.after, [])
        return scene._replace(news=self.attempt.events, recent=self.attempt.events)

    def _scene(self, state: State, moves: list[int]) -> Scene:
        say = self.language.say
        names = [say("You"), *[say(name) for name in BOT_NAMES[: state.players - 1]]]
        return Scene(state.view(LEARNER).to_json(), moves, names, say)

    def said(self, line: Line) -> str:
        """Say a sentence of the step."""
        view = self.before.view if self.attempt is None else {**self.before.view, "after": self.after.view}
        return line.said(view, self.language.say)

    @property
    def told(self) -> list[str]:
        """What is told before the learner does something."""
        return [self.said(line) for line in self.step.told]

    @property
    def answers(self) -> list[str]:
        """What the learner may answer."""
        return [self.said(answer.words) for answer in self.step.answers]

    # --- attempts -------------------------------------------------------------------------------------------------

    def make_move(self, move: int) -> None:
        """Make a move; what the rules refuse is told by their reason."""
        if self.step.answers:
            raise Refused("no_such_page")
        try:
            self.attempt = try_move(self.game, self.step, move)
        except Illegal as refused:
            self.is_refused, self.reply = True, say_refusal(refused, self.language)
            return
        if self.attempt.is_right:
            self.reply = self.said(self.step.done) if self.step.done is not None else ""
        else:
            text = self.game.move_text(self.attempt.before, move)
            self.reply = self.said(self.step.wrong.get(text, self.step.otherwise or NOT_ASKED))

    def give_answer(self, number: int) -> None:
        """Answer the question, and see what happens."""
        if not 0 <= number < len(self.step.answers):
            raise Refused("no_such_page")
        answer = self.step.answers[number]
        self.attempt = try_answer(self.game, self.step, answer)
        self.reply = self.said(answer.reply)

    def why_not(self, tap: Tap) -> Markup | None:
        """Say why something that was tapped cannot be chosen, None if there is nothing to say."""
        state = position_of(self.game, self.step.position)
        meaning = None if self.step.answers else impossible_meaning(self.game, tap, self.before)
        return None if meaning is None else say_reasons(state, LEARNER, meaning, self.language)

    # --- what happened --------------------------------------------------------------------------------------------

    @cached_property
    def _sentences(self) -> EventSentences:
        state = position_of(self.game, self.step.position)
        return EventSentences(self.game, state.players, state.options, self.language)

    def _sentence(self, event: Event) -> Markup:
        names = [isolated(name) for name in self.before.names]
        return escape(self._sentences.sentence(event, names, LEARNER, is_over=False))

    @property
    def happened(self) -> list[Markup]:
        """What the learner saw happen, in sentences."""
        events = self.attempt.events if self.attempt is not None else []
        told = [event for event in events if not event.key.endswith(HIDDEN)]
        return list(dict.fromkeys(map(self._sentence, told)))

    @property
    def show(self) -> list[dict[str, Any]]:
        """What happened as steps that the page's script plays."""
        if self.attempt is None:
            return []
        return steps_of(self.game, self.attempt.events, self.before, self.after, self._sentence)

    # --- the page -------------------------------------------------------------------------------------------------

    @cached_property
    def board(self) -> Board:
        """The board as it is now."""
        return render(self.game, self.after)

    @property
    def choices(self) -> dict[str, Any]:
        """What the page's script lets people choose."""
        return {"choices": self.board.choices, "picks": {pick.id: pick.step for pick in self.board.picks}}

    @property
    def stage(self) -> Markup:
        """The board's place."""
        return markup(
            '<div id="stage" class="stage" role="group" aria-labelledby="on-table" tabindex="-1">{board}</div>',
            board=self.board.whole(),
        )

    @property
    def status(self) -> Markup:
        """The status line: what the table would say, or how the attempt went."""
        say = self.language.say
        if self.attempt is not None:
            words = say("Right!") if self.attempt.is_right else say("Not quite.")
            return status_line("over" if self.attempt.is_right else "", words, None, self.language.code)
        if self.step.answers:
            return status_line("yours", say("Choose an answer."), None, self.language.code)
        prompt = self.board.prompt
        return status_line("yours", prompt.own if prompt else say("Your turn."), None, self.language.code)

    @property
    def moves(self) -> Markup:
        """A button for each move, for people who use no script or no board."""
        if not self.before.moves or self.attempt is not None:
            return EMPTY
        state: Any = position_of(self.game, self.step.position).view(LEARNER).sample(0)
        moves = [(move, self.game.move_words(state, move, self.language.say)) for move in self.before.moves]
        return join(groups(moves, self.board))
