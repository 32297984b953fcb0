"""Position texts of Through the Desert that several tests look at: one of every phase, and some of special interest."""

BASE = (
    "desert players=2 phase=camels moves=100 oases=d3,j3,q3,b8,h11 water=123123123123123123123123023123123 "
    "caravans=li:e1g1f2,mi:b3c2,le:c11,sk:l10l9,sa:p1/li:m8n8,mi:r2,le:d10,sk:n1,sa:e8 tokens=1.0.0/0.0.0 turn=0 left=2"
)
OVER = (
    "desert players=2 phase=over ending=move_limit moves=200 oases=d3,j3,q3,b8,h11 "
    "water=123123123123123123123123123123123 "
    "caravans=li:e1g1f2,mi:b3c2,le:i13,sk:q9,sa:o10/li:m11,mi:j12,le:g13,sk:r8,sa:r2 tokens=0.0.0/0.0.0"
)
FIRST = (
    "desert players=3 phase=first moves=15 oases=d3,j3,q3,b8,h11 water=223113231231331123212112211122133 "
    "caravans=li:g13,mi:e11,le:k5,sk:f4,sa:l10/"
    "li:e1,mi:n2,le:g2,sk:c9,sa:p1/li:a3,mi:m8,le:h9,sk:g5,sa:n10 tokens=0.0.0/0.0.0/0.0.0 turn=0 left=1"
)
LEADERS = (
    "desert players=3 phase=leaders moves=2 oases=d3,j3,q3,b8,h11 water=223113231231331123212112211122133 "
    "caravans=li:n6/mi:l10/- tokens=0.0.0/0.0.0/0.0.0"
)
FIVE = (
    "desert players=5 phase=leaders moves=3 aside=lilac,mint,lemon,sky,salmon oases=d3,q3,m7,b8,s8 "
    "water=223113231231331123212112211122133323312333221 "
    "caravans=mi:n6/li:l10/sk:d10/-/- tokens=0.0.0/0.0.0/0.0.0/0.0.0/0.0.0"
)
ASIDE = (
    "desert players=5 phase=aside moves=0 aside=lilac,lemon oases=- water=- caravans=-/-/-/-/- "
    "tokens=0.0.0/0.0.0/0.0.0/0.0.0/0.0.0"
)
PALMS = "desert players=2 phase=palms moves=0 oases=d3,q3 water=- caravans=-/- tokens=0.0.0/0.0.0"
WATER = "desert players=2 phase=water moves=0 oases=d3,j3,q3,m7,b8 water=32 caravans=-/- tokens=0.0.0/0.0.0"
SHUT_IN = (
    "desert players=2 phase=camels moves=100 oases=d3,j3,q3,b8,h11 water=123100123120123123123123123123123 "
    "caravans=li:f1,mi:n1,le:a3,sk:i7,sa:r8/li:g2e2f3,mi:n3m2o2,le:b5c3c4,sk:j6i5h6,sa:p7q6p8 tokens=0.0.0/0.1.2 "
    "turn=1 left=2"
)
ENCLOSED = (  # h1 and h2, where the token was
    "desert players=2 scores=hidden phase=camels moves=40 oases=d3,j3,q3,b8,h11 "
    "water=120123123123123123123123123123123 "
    "caravans=li:g2g1i1i2h3,mi:o10,le:q9,sk:m11,sa:r8/li:g13,mi:j12,le:i13,sk:c11,sa:e8 tokens=0.0.1/0.0.0 "
    "turn=1 left=1"
)
POSITIONS = {
    "base": BASE,
    "over": OVER,
    "first": FIRST,
    "leaders": LEADERS,
    "five": FIVE,
    "aside": ASIDE,
    "palms": PALMS,
    "water": WATER,
    "shut in": SHUT_IN,
    "enclosed": ENCLOSED,
}
