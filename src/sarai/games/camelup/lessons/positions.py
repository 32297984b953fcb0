"""The positions of Camel Up's lesson, by edition: the same story with each box's camels."""

FIRST = {
    "start": "camelup-2014 players=3 phase=turn moves=0 leg=1 turn=0 start=0 camels=1:o,2:gw,3:by dice=- tiles=-,-,- "
    "tickets=-/-/-/-/- pyramid=0,0,0 pounds=3,3,3 cards=-",
    "riding": "camelup-2014 players=3 phase=roll moves=1 leg=1 turn=0 start=0 camels=1:o,2:gyw,3:b dice=- tiles=-,-,- "
    "tickets=-/-/-/-/- pyramid=1,0,0 pounds=3,3,3 cards=-",
    "leader": "camelup-2014 players=3 phase=turn moves=12 leg=2 turn=0 start=0 camels=4:og,6:y,7:bw dice=- "
    "tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=4,5,4 cards=-",
    "tile": "camelup-2014 players=3 phase=turn moves=14 leg=2 turn=0 start=1 camels=4:o,5:bg,6:y,8:w dice=o1.w1 "
    "tiles=-,-,11+ tickets=-/-/-/-/- pyramid=0,1,1 pounds=4,5,4 cards=-",
    "card": "camelup-2014 players=3 phase=turn moves=15 leg=2 turn=0 start=0 camels=5:o,6:yg,9:bw dice=b2.o1 "
    "tiles=-,-,- tickets=-/-/-/-/0 pyramid=1,1,0 pounds=4,5,4 cards=-",
    "leg": "camelup-2014 players=3 phase=turn moves=18 leg=2 turn=0 start=0 camels=5:o,7:g,8:y,10:bw dice=b3.o1.y2.w1 "
    "tiles=-,-,- tickets=1/-/-/2/0 pyramid=1,2,1 pounds=4,5,4 cards=-",
    "line": "camelup-2014 players=3 phase=turn moves=40 leg=4 turn=0 start=0 camels=10:o,13:g,14:y,15:bw dice=o1 "
    "tiles=-,-,- tickets=-/-/-/-/0 pyramid=0,1,0 pounds=12,14,11 "
    "cards=0ww:1o.2gw.3by:-,1wb:1o.2gw.3by:-,2lo:1o.2gw.3by:-",
}
SECOND = {
    "start": "camelup-2018 players=3 phase=turn moves=0 leg=1 turn=0 start=0 camels=1:p,2:gr,3:by,15:W,16:K dice=- "
    "tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=3,3,3 cards=-",
    "riding": "camelup-2018 players=3 phase=roll moves=1 leg=1 turn=0 start=0 camels=1:p,2:gyr,3:b,15:W,16:K dice=- "
    "tiles=-,-,- tickets=-/-/-/-/- pyramid=1,0,0 pounds=3,3,3 cards=-",
    "crazy": "camelup-2018 players=3 phase=roll moves=22 leg=2 turn=0 start=0 camels=6:p,8:yg,9:b,11:Kr,14:W dice=- "
    "tiles=-,-,- tickets=-/-/-/-/- pyramid=1,0,0 pounds=4,5,4 cards=-",
    "leader": "camelup-2018 players=3 phase=turn moves=12 leg=2 turn=0 start=0 camels=4:pg,6:y,7:br,12:W,14:K dice=- "
    "tiles=-,-,- tickets=-/-/-/-/- pyramid=0,0,0 pounds=4,5,4 cards=-",
    "tile": "camelup-2018 players=3 phase=turn moves=14 leg=2 turn=0 start=1 camels=4:p,5:bg,6:y,8:r,13:W,15:K "
    "dice=r1.p1 tiles=-,-,11+ tickets=-/-/-/-/- pyramid=0,1,1 pounds=4,5,4 cards=-",
    "card": "camelup-2018 players=3 phase=turn moves=15 leg=2 turn=0 start=0 camels=5:p,6:yg,9:br,12:W,14:K "
    "dice=b2.p1 tiles=-,-,- tickets=-/-/-/0/- pyramid=1,1,0 pounds=4,5,4 cards=-",
    "leg": "camelup-2018 players=3 phase=turn moves=18 leg=2 turn=0 start=0 camels=5:p,7:g,8:y,10:br,12:W,14:K "
    "dice=b3.y2.r1.p1 tiles=-,-,- tickets=1/2/-/0/- pyramid=1,2,1 pounds=4,5,4 cards=-",
    "line": "camelup-2018 players=3 phase=turn moves=40 leg=4 turn=0 start=0 camels=7:W,9:K,10:p,13:g,14:y,15:br "
    "dice=p1 tiles=-,-,- tickets=-/-/-/0/- pyramid=0,1,0 pounds=12,14,11 "
    "cards=0wr:1p.2gr.3by.15W.16K:-,1wb:1p.2gr.3by.15W.16K:-,2lp:1p.2gr.3by.15W.16K:-",
}
