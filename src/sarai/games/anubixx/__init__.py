"""Anubixx by Florian and Helmut Ortlepp and Steffen Benndorf: four coloured dice, a pyramid, an arch and a relief."""

from sarai.core.game import Game

ANUBIXX = Game(
    id="anubixx",
    title="Anubixx",
    players=range(2, 6),
    options=(),
    rules_version=1,
    num_actions=232,
    num_chance=6,
    max_moves=5_000,
    score_bounds=(0, 150),  # at most 100 by our points; other sheets may have others, and are held to this
    kit_path="sarai.games.anubixx.kit:KIT",
    reasons={
        "stone_already_marked": "{stone} is marked already.",
        "pyramid_needs_support": "{stone} needs both stones under it.",
        "column_from_the_bottom": "{stone} needs the stones under it: a column is built from the bottom up.",
        "keystone_needs_columns": "The keystone needs both columns complete.",
        "relief_takes_a_whole_turn": "A relief pair uses the whole turn, and you have marked a stone already.",
        "die_must_be_used": "A {colour} die lies in the middle and must be used for {stone}.",
        "no_such_die": "No {colour} die is there for {stone}: pay from the quarry or with a joker.",
        "no_such_quarry_stone": "No {colour} quarry stone is left for {stone}.",
        "no_joker_left": "No joker is left for {stone}.",
        "alike_stones_other_way_round": "Both stones are {colour}: write the die before the quarry stone, and that before the joker.",
    },
)
