"""Two people talk by reactions, ask each other in the status line, and end a game; the winner is celebrated."""

from playwright.sync_api import expect

from browsing import begin, make_table, sit_down


def test_people_react_ask_each_other_and_the_winner_is_celebrated_unless_motion_is_off(visitor, server):
    server.wait_for("sixnimmt")
    ann, bo = visitor(), visitor(viewport={"width": 360, "height": 740})
    ann.emulate_media(reduced_motion="no-preference")
    sit_down(bo, make_table(ann, "sixnimmt", 2, 0, rounds="1"), "Bo")
    begin(ann)
    bo.get_by_role("button", name="Well played!").click()
    expect(ann.locator("#chat-lines .said")).to_have_text("Well played!")
    bo.get_by_role("button", name="End without a result").click()
    expect(bo.locator("#status").get_by_role("button", name="No longer ask")).to_be_visible()
    expect(ann.locator("#status")).to_contain_text("Bo would like to end the game without a result. Do you agree?")
    ann.locator("#status").get_by_role("button", name="No, play on").click()
    expect(bo.locator("#status")).to_contain_text("Ann wants to play on.")
    assert bo.evaluate("() => document.documentElement.scrollWidth") <= 360
    bo.once("dialog", lambda question: question.accept())
    bo.get_by_role("button", name="Give up").click()
    expect(bo.locator("#result .place")).to_have_text("You gave up.")
    expect(ann.locator("#result-title")).to_have_text("You win!")
    expect(ann.locator("#result .confetti")).to_be_visible()
    ann.emulate_media(reduced_motion="reduce")
    expect(ann.locator("#result .confetti")).to_be_hidden()
    ann.emulate_media(reduced_motion="no-preference")
    ann.reload()
    expect(ann.locator("#result-title")).to_have_text("You win!")
    expect(ann.locator("#result .confetti")).to_be_hidden()  # it is over
    ann.goto("/mine?show=over")
    expect(ann.locator(".table-list a").first).to_contain_text("You came first of two.")
