"""Anubixx by Florian and Helmut Ortlepp and Steffen Benndorf: four coloured dice, a pyramid, an arch and a relief."""

from sarai.core.game import Game

ANUBIXX = Game(
    id="anubixx",
    title="Anubixx",
    pitch="Four coloured dice for everybody: build a pyramid, an arch and a relief, and be first at the symbols.",
    players=range(2, 6),
    options=(),
    rules_version=2,
    num_actions=232,
    num_chance=6,
    max_moves=5_000,
    score_bounds=(0, 150),  # at most 100 by our points; other sheets may have others, and are held to this
    package=__name__,
    reasons={
        "stone_already_marked": "{stone} is marked already.",
        "pyramid_needs_support": "{stone} needs both stones under it.",
        "column_from_the_bottom": "{stone} needs the stones under it: a column is built from the bottom up.",
        "keystone_needs_columns": "The keystone needs both columns complete.",
        "relief_takes_a_whole_turn": "A relief pair uses the whole turn, and you have marked a stone already.",
        "die_must_be_used": "A die in {colour} lies in the middle and must be used for {stone}.",
        "no_such_die": "No {colour} die is there for {stone}: pay from the quarry or with a joker.",
        "no_such_quarry_stone": "No {colour} quarry stone is left for {stone}.",
        "no_joker_left": "No joker is left for {stone}.",
        "alike_stones_other_way_round": "Both stones are {colour}: "
        "write the die before the quarry stone, and that before the joker.",
        "sheets_unreadable": "The sheets cannot be read: {why}.",
        "sheets_part_missing": "The sheets have no {part}.",
        "sheets_part_unknown": "The sheets have {part}, which means nothing here.",
        "sheets_bad_value": "{part} cannot be {value!r}: {why}.",
        "sheets_row_length": "{part}, line {line}: there are {found} stones, not {wanted}.",
        "sheets_bad_colour": "{part}, line {line}: {letter!r} is no colour; colours are {letters}.",
        "sheets_quarry_colours": "Sheet {sheet}: the quarry has {colour} {found} times, not twice.",
        "sheets_alike": "Sheets {first} and {second} have the same colours everywhere.",
        "sheets_symbol_stones": "The {symbol} stands on {found} stones, not on {wanted}.",
        "sheets_symbol_place": "The {symbol} cannot stand on {stone!r}: that is no stone of the {building}.",
        "sheets_two_symbols": "{stone} has two symbols, {first} and {second}.",
        "sheets_points_falling": "{part} falls from {before} to {after}: more stones are never worth less.",
        "sheets_points_too_high": "The points may add up to {found}; {bound} is the most that a score can be.",
        "sheets_colour_count": "Sheet {sheet} has {colour} {found} times, not six or seven times.",
        "sheets_arch_levels": "Sheet {sheet} has {found} arch levels with both stones alike, more than two.",
        "sheets_relief_pairs": "Sheet {sheet} has {found} relief pairs of one colour, more than two.",
        "sheets_same_quarry": "Sheets {first} and {second} have the same quarry.",
    },
)
