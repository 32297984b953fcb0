"""What happens is shown in the order in which it happened; however a show ends, the picture is that of a fresh page."""

from functools import cache
from random import Random

import pytest

from in_memory_table import PEOPLE, Sitting
from sarai.table.commands import Move
from sarai.table.table import FINISHED
from still_house import ServedStillHouse

PICTURE = """() => {
    const attributes = (element) => [...element.attributes].map(({name, value}) => `${name}=${value}`).sort()
    const tell = (element) => [element.nodeName, ...attributes(element),
        ...[...element.childNodes].map((child) => child.nodeType === 1 ? tell(child) : child.data)]
    return [...document.getElementById("stage").children].map(tell).flat(Infinity).join("\\n")
}"""
TURNING = """() => [...document.querySelectorAll("#show .show-item")].map((item) => {
    const card = item.firstElementChild, middle = (box) => box.x + box.width / 2
    return [card.getAnimations().length, middle(card.getBoundingClientRect()) - middle(item.getBoundingClientRect())]
})"""
SHOWN = """() => ({
    going: Boolean(document.getElementById("show")),
    says: document.querySelector("#status > .show-caption")?.textContent ?? "",
    status: document.querySelector("#status > span").textContent,
    panel: document.querySelector("#show .show-panel")?.textContent ?? "",
    pops: [...document.querySelectorAll("#show .show-pop")].map((pop) => pop.textContent),
    rings: document.querySelectorAll("#show .show-ring").length,
    items: document.querySelectorAll("#show .show-item").length,
})"""
SEED = 3  # of a game of Anubixx in which the move that ends a round wins a bonus
FAR = 10_000  # milliseconds: any show is over by then
pytestmark = pytest.mark.program


@pytest.fixture(scope="module")
def house():
    with ServedStillHouse() as served:
        yield served


class Watched:
    """A table in a still house and the pages that show it."""

    def __init__(self, house, browser, sitting, id):
        self.house, self.browser, self.sitting, self.id = house, browser, sitting, id
        self.path = house.add(sitting, id)

    def open(self, seat=None, **more):
        page, before = self.house.visit(self.browser, seat, **more), set(self.house.house.watches)
        answer = page.goto(self.path)
        assert answer is not None and answer.ok, "a page of an error never connects"
        page.wait_for_function("document.readyState === 'complete'")
        while not (new := self.house.house.watches - before) or any(news.is_set() for news in new):
            page.wait_for_timeout(10)  # a page that connects later shows the present
        return page

    def move(self, page, *moves):
        """Make moves, and wait until the page shows what happens or, if there is nothing to show, the picture."""
        self.house.play(self.id, moves)
        shown = (
            "(number) => document.getElementById('show') || document.querySelector('main').dataset.number === number"
        )
        page.wait_for_function(shown, arg=str(self.sitting.table.number))

    def fresh(self, seat=None):
        page = self.open(seat)
        picture = page.evaluate(PICTURE).split("\n")
        page.context.close()
        return picture


def step(page, milliseconds):
    """Let the browser's clock go on, and return what the show is at."""
    page.evaluate("(ms) => saraiClock.step(ms)", milliseconds)
    return page.evaluate(SHOWN)


def captions(page, every=50):
    """Step through a show to its end; return what it said, in order, and all that it showed."""
    said, all_shown = [], []
    shown = page.evaluate(SHOWN)
    for _ in range(6000 // every):
        if not shown["going"]:
            break
        all_shown.append(shown)
        if shown["says"] and shown["says"] not in said[-1:]:
            said.append(shown["says"])
        shown = step(page, every)
    assert not shown["going"], "a show takes four seconds at most, the last one of a game one more"
    return said, all_shown


@cache
def played(game, players, seed):
    """A whole game at random: its moves, each with what all saw of it."""
    rng, sitting, moves = Random(seed), Sitting(game, players).begin(), []
    while sitting.table.phase != FINISHED:
        seat, before = rng.choice(sitting.table.to_act), len(sitting.table.seen(None))
        move = rng.choice(sitting.table.state.legal(seat))
        sitting.move(move, seat)
        moves.append(((seat, move), [one.event for one in sitting.table.seen(None)[before:]]))
    return moves


def before_a_show(game, *wanted, without=(), players=3, seed=1):
    """Return a table before the first move of which all see what is wanted, that move, and its events."""
    moves = played(game, players, seed)
    place = next(
        place
        for place, (_, events) in enumerate(moves)
        if set(wanted) <= {event.key for event in events} and not set(without) & {event.key for event in events}
    )
    sitting = Sitting(game, players).begin()
    for (seat, move), _ in moves[:place]:
        sitting.move(move, seat)
    return sitting, *moves[place]


def test_six_nimmt_cards_turn_up_sort_go_to_their_rows_and_a_row_goes_to_its_taker(house, chromium):
    sitting, move, events = before_a_show(
        "sixnimmt", "turned_up", "joined_row", "took_full_row", without=["round_over"]
    )
    table = Watched(house, chromium, sitting, "SIXNIMMT01")
    page = table.open(0)
    status = page.evaluate(SHOWN)["status"]
    table.move(page, move)
    shown = page.evaluate(SHOWN)
    assert shown["items"] == 3 and "turns up" in shown["says"], "all cards turn up together"
    turning = page.evaluate(TURNING)
    assert len(turning) == 3 and all(turns and abs(aside) < 2 for turns, aside in turning), "each about its own middle"
    said, all_shown = captions(page)
    assert {shown["status"] for shown in all_shown} == {status}, "the status line does not run ahead of the show"
    assert page.evaluate(SHOWN)["status"] != status
    order = [event for event in events if event.key in ("joined_row", "took_full_row")]
    assert len(said) == 1 + len(order)
    for words, event in zip(said[1:], order, strict=True):
        assert words.startswith(f"{event.args['card']} "), "in the order of their numbers"
    took = next(event for event in events if event.key == "took_full_row")
    assert [f"+{took.args['heads']}"] in [shown["pops"] for shown in all_shown]
    assert max(shown["items"] for shown in all_shown) > 5, "the cards of the row go with it"
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


def test_six_nimmt_the_tenth_trick_is_held_and_the_round_is_told_before_the_next_deal(house, chromium):
    sitting, move, events = before_a_show("sixnimmt", "joined_row", "round_over")
    table = Watched(house, chromium, sitting, "SIXNIMMT02")
    page = table.open(0)
    before = page.inner_html("#middle")
    table.move(page, move)
    _, all_shown = captions(page)
    held = [shown["panel"] for shown in all_shown if shown["panel"]]
    assert len(held) >= 10, "the table of the round can be read"
    assert held[0].startswith("Round 1") and all(person.name in held[0] for person in PEOPLE[:3])
    scores = [event.args for event in events if event.key == "round_score"]
    assert all(f"+{score['heads']}{score['total']}" in held[0] for score in scores)
    assert page.inner_html("#middle") != before, "then comes the next deal"
    pieces = page.evaluate(
        "[...document.querySelectorAll('.board .piece')].flatMap((piece) => piece.getAnimations()).length"
    )
    assert pieces == 0, "F7: a card that is dealt again does not come from its old row"
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


@pytest.mark.parametrize("how", ["click", "key", "jump", "next", "reload", "hidden", "reduced", "off"])
def test_however_a_show_ends_the_picture_is_that_of_a_fresh_page(house, chromium, how):
    sitting, move, _ = before_a_show("sixnimmt", "turned_up", "joined_row")
    table = Watched(house, chromium, sitting, f"ENDS{how:X<6}"[:10])
    page = table.open(0, reduced_motion="reduce" if how == "reduced" else "no-preference")
    if how == "off":
        page.evaluate("document.documentElement.dataset.motion = 'off'")
    table.move(page, move)
    if how in ("reduced", "off"):
        assert not page.evaluate(SHOWN)["going"]
        told = page.locator("#moments li").all_inner_texts()
        assert "turns up" in told[0] and "joins row" in told[-1], "a still list tells the same"
    else:
        assert page.evaluate(SHOWN)["going"] and page.locator("#moments li").count() == 0
        step(page, 700)
    if how == "click":
        page.mouse.click(640, 20)
    elif how == "key":
        page.keyboard.press("Escape")
    elif how == "jump":
        assert not step(page, FAR)["going"], "a phone that was too slow for all of it is at the end at once"
    elif how == "next":
        rng = Random(2)
        while True:
            seat = rng.choice(sitting.table.to_act)
            until = sitting.table.show_time.until
            house.play(table.id, [(seat, rng.choice(sitting.table.state.legal(seat)))])
            if sitting.table.show_time.until != until:
                break
        page.evaluate("setInterval(() => saraiClock.step(50), 10)")
        page.wait_for_function(
            "(n) => Number(document.querySelector('main').dataset.number) === n", arg=sitting.table.number
        )
    elif how == "reload":
        page.reload()
    elif how == "hidden":
        page.evaluate("""() => { Object.defineProperty(document, "hidden", {value: true, configurable: true})
            document.dispatchEvent(new Event("visibilitychange")) }""")
    assert not page.evaluate(SHOWN)["going"]
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)
    page.context.close()


def test_a_click_on_what_can_be_played_ends_the_show_and_plays_it(house, chromium):
    sitting, move, _ = before_a_show("sixnimmt", "turned_up", "joined_row")
    table = Watched(house, chromium, sitting, "PLAYATONCE")
    page = table.open(0)
    table.move(page, move)
    step(page, 300)
    card = next(card for card in sitting.table.state.view(0).to_json()["hands"]["0"])
    house.house.commands.clear()
    with page.expect_response("**/act") as answer:
        page.locator(f"#hand-{card}").click()
    assert len(answer.value.request.post_data) == 240, "as long whatever card it is: lengths can be seen"
    (sent,) = house.house.commands
    assert sent == (table.id, "Ada", Move(card - 1), sitting.table.number)


def test_camel_up_a_die_comes_out_camels_walk_a_tile_pays_and_sends_them_on(house, chromium):
    sitting, move, events = before_a_show(
        "camelup-2018", "die_came_out", "unit_moved", "tile_paid", without=["leg_over"]
    )
    table = Watched(house, chromium, sitting, "CAMELDICE1")
    page = table.open(0)
    table.move(page, move)
    shown = page.evaluate(SHOWN)
    assert "die comes out" in shown["says"] and shown["items"] == 1, "first the die"
    said, all_shown = captions(page)
    keys = [event.key for event in events if event.key != "took_pyramid_ticket"]
    tells = {"unit_moved": "from space", "tile_paid": "brings", "unit_sent_on": "one space further"}
    tells |= {"unit_sent_back": "one space back", "line_crossed": "the finish line"}
    assert len(said) == len(keys)
    assert all(tells[key] in words for words, key in zip(said[1:], keys[1:], strict=True))
    unit = next(event for event in events if event.key == "unit_moved").args["unit"]
    assert all_shown[-1]["items"] >= 1 + len(unit), "every camel of the unit walks"
    at_tile = [shown for shown in all_shown if "brings" in shown["says"]]
    assert at_tile and all(shown["rings"] == 1 and shown["pops"] == ["+1"] for shown in at_tile)
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


def test_camel_up_a_leg_pays_every_player_and_says_for_what(house, chromium):
    sitting, move, events = before_a_show("camelup-2014", "leg_over", "leg_begins")
    table = Watched(house, chromium, sitting, "CAMELLEG01")
    page = table.open(0)
    table.move(page, move)
    said, all_shown = captions(page)
    paid = [event.args for event in events if event.key == "leg_paid"]
    coins = [f"{'−' if args['change'] < 0 else '+'}{abs(args['change'])}" for args in paid]
    assert coins in [shown["pops"][-3:] for shown in all_shown], "coins for each player"
    panel = next(shown["panel"] for shown in all_shown if shown["panel"])
    assert panel.startswith("Leg ") and all(PEOPLE[args["seat"]].name in panel for args in paid)
    places = [
        next(at for at, words in enumerate(said) if sign in words) for sign in ("comes out", "is over", "for bets")
    ]
    assert places == sorted(places)
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


def test_camel_up_at_the_end_race_cards_turn_up_one_by_one(house, chromium):
    sitting, move, events = before_a_show("camelup-2018", "race_over", "card_shown")
    table = Watched(house, chromium, sitting, "CAMELEND01")
    page = table.open()
    table.move(page, move)
    said, all_shown = captions(page, every=20)
    cards = [event.args for event in events if event.key == "card_shown"]
    told = [words for words in said if " bet on the " in words]
    assert len(told) == len(cards) and all(
        f"{PEOPLE[args['seat']].name} bet on the {args['camel']} camel" in words
        for words, args in zip(told, cards, strict=True)
    )
    grows = [shown["items"] for shown in all_shown if " bet on the " in shown["says"]]
    assert grows == sorted(grows) and grows[-1] - grows[0] == len(cards) - 1, "one by one"
    assert page.evaluate(PICTURE).split("\n") == table.fresh()


@pytest.mark.parametrize("wanted", ["laid_tile", "laid_card_hidden"])
def test_camel_up_tiles_and_race_cards_of_others_come_from_their_players(house, chromium, wanted):
    sitting, move, _ = before_a_show("camelup-2014", wanted)
    table = Watched(house, chromium, sitting, f"CAMEL{wanted[5:9]:X<5}".upper())
    page = table.open((move[0] + 1) % 3)
    table.move(page, move)
    shown = page.evaluate(SHOWN)
    assert shown["items"] == 1 and f"{PEOPLE[move[0]].name} lays a " in shown["says"]
    captions(page)
    assert page.evaluate(PICTURE).split("\n") == table.fresh((move[0] + 1) % 3)


def test_desert_a_camel_comes_from_its_pile_and_an_area_fills(house, chromium):
    sitting, move, events = before_a_show("desert", "camel_placed", "area_enclosed", without=["final_score"])
    table = Watched(house, chromium, sitting, "DESERTAREA")
    page = table.open(0)
    table.move(page, move)
    shown = page.evaluate(SHOWN)
    assert " camel on " in shown["says"] and shown["items"] == 1
    said, all_shown = captions(page)
    assert len(said) == len([event for event in events if event.key != "pile_emptied"])
    area = next(event for event in events if event.key == "area_enclosed").args
    assert all_shown[-1]["items"] >= 1 + area["hexes"] and f"+{area['hexes']}" in all_shown[-1]["pops"]
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


def test_desert_links_and_water_are_pointed_out_with_their_points(house, chromium):
    for wanted in ("oasis_linked", "water_taken"):
        sitting, move, events = before_a_show("desert", wanted, without=["final_score"])
        table = Watched(house, chromium, sitting, f"D{wanted[:9].upper()}".replace("_", "X"))
        page = table.open(0)
        table.move(page, move)
        _, all_shown = captions(page)
        event = next(event for event in events if event.key == wanted)
        pointed = [shown for shown in all_shown if shown["rings"]]
        assert pointed and f"+{event.args.get('value', 5)}" in pointed[0]["pops"]
        assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


@pytest.mark.parametrize(("game", "wanted", "sources"), [("desert", "final_score", 4), ("anubixx", "rest_scored", 6)])
def test_the_end_is_counted_source_by_source(house, chromium, game, wanted, sources):
    sitting, move, events = before_a_show(game, wanted)
    table = Watched(house, chromium, sitting, f"COUNT{game}"[:10])
    page = table.open(0)
    table.move(page, move)
    _, all_shown = captions(page, every=20)
    panels = list(dict.fromkeys(shown["panel"] for shown in all_shown if shown["panel"]))
    assert len(panels) >= sources - 1, "one source after the other, those worth nothing to anybody look the same"
    totals = [event.args["total"] for event in events if event.key == wanted]
    assert all(str(total) in panels[-1] for total in totals)
    page.wait_for_function("document.querySelector('main').dataset.phase === 'over'")
    assert page.evaluate(PICTURE).split("\n") == table.fresh(0)


def test_anubixx_dice_roll_and_closing_bonuses_and_others_marks_are_pointed_out(house, chromium):
    sitting, move, events = before_a_show(
        "anubixx", "stone_marked", "bonus_won", "bonus_closed", "die_rolled", seed=SEED
    )
    table = Watched(house, chromium, sitting, "ANUBIXX001")
    viewer = (move[0] + 1) % 3
    page = table.open(viewer)
    table.move(page, move)
    shown = page.evaluate(SHOWN)
    assert " marks " in shown["says"] and shown["rings"] == 2, "the building on another player's sheet, and the sheet"
    said, all_shown = captions(page)
    order = [
        sign for words in said for sign in (" marks ", "wins a bonus", "is closed", "dice are rolled") if sign in words
    ]
    assert list(dict.fromkeys(order)) == [" marks ", "wins a bonus", "is closed", "dice are rolled"]
    closing = [shown for shown in all_shown if "is closed" in shown["says"]]
    assert closing[0]["rings"] == sum(event.key == "bonus_closed" for event in events)
    rolled = sum(event.key == "die_rolled" for event in events)
    assert [shown["items"] for shown in all_shown if "rolled" in shown["says"]][-1] >= rolled
    assert page.evaluate(PICTURE).split("\n") == table.fresh(viewer)
