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
    expect(bo.locator("#chat-lines .said")).to_have_text("Well played!")
    expect(bo.locator("#news")).to_be_hidden()  # one's own words
    bo.evaluate("() => scrollTo(0, 0)")
    for _ in range(2):
        ann.get_by_role("button", name="Thank you!").click()
    expect(bo.locator("#news")).to_contain_text("2")
    expect(bo.locator("#news")).to_contain_text("Ann")
    expect(bo.locator("#news")).to_be_in_viewport(ratio=1)
    bo.locator("#news").click()
    expect(bo.locator("#chat-lines li").last).to_be_in_viewport()
    expect(bo.locator("#news")).to_be_hidden()
    bo.evaluate("() => scrollTo(0, 0)")
    expect(bo.locator("#latest summary")).to_be_in_viewport(ratio=1)
    expect(bo.locator("#latest summary")).to_have_text(bo.locator("#log li").first.text_content())
    bo.locator("#latest summary").click()
    expect(bo.locator("#latest li").first).to_be_in_viewport(ratio=1)
    expect(ann.locator("#latest")).to_be_hidden()  # the log is in view
    bo.get_by_role("button", name="Ask to end the game").click()
    expect(bo.locator("#status").get_by_role("button", name="Withdraw the question")).to_be_visible()
    expect(ann.locator("#status")).to_contain_text("Bo would like to end the game without a result. Do you agree?")
    ann.locator("#status").get_by_role("button", name="No, play on").click()
    expect(bo.locator("#status")).to_contain_text("Ann wants to play on.")
    assert bo.evaluate("() => document.documentElement.scrollWidth") <= 360
    bo.once("dialog", lambda question: question.accept())
    bo.get_by_role("button", name="Give up").click()
    expect(bo.locator("#result .place")).to_have_text("You gave up.")
    status, headline = bo.locator("#status").bounding_box(), bo.locator("#result-title").bounding_box()
    assert status["y"] >= 0 and headline["y"] >= status["y"] + status["height"], "below the status line"
    expect(bo.get_by_role("button", name="Rematch")).to_be_in_viewport(ratio=1)
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
    ann.locator(".table-list a").first.click()  # nothing covers it
    expect(ann.locator("#result-title")).to_have_text("You win!")
