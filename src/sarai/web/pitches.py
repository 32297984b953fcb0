"""One sentence about each game, for the front page."""

PITCHES = {
    "camelup-2014": "Five camels race and ride on each other around a pyramid; bet on who is ahead before everybody knows.",
    "camelup-2018": "The race again, with two crazy camels that run the wrong way and mix everything up.",
    "sixnimmt": "Everybody plays a card at once, and whoever has to lay the sixth in a row takes them all. Nobody wants bulls.",
    "desert": "Place pastel camels from hex to hex: to the water, to the oases, around whole stretches of sand.",
    "anubixx": "Four coloured dice for everybody: build a pyramid, an arch and a relief, and be first at the symbols.",
}
