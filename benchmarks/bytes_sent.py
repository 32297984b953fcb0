"""How many bytes a first visit and a step of every game take, before compression and on the wire.

Run it with `python benchmarks/bytes_sent.py`: it starts `sarai serve` on data of its own, looks at the front page as a
browser with an empty cache does, plays at a table of each game, and prints the figures. Headers are counted.
"""

import argparse
import asyncio
import gzip
import random
import re
import statistics
from itertools import groupby

import sarai
from clients import HOST, Browser, Table, start_table, wait_for_games
from sarai.web.create_table import usual_players
from servers import served

SETTLED = 0.5  # seconds after which everything has arrived


async def fetch(port: int, path: str, cookie: str = "") -> tuple[str, int, int]:
    """Return the text of an answer, and its bytes before compression and on the wire, both with headers."""
    reader, writer = await asyncio.open_connection(HOST, port)
    about = f"Host: {HOST}:{port}\r\nAccept-Encoding: gzip\r\nConnection: close\r\nCookie: {cookie}"
    writer.write(f"GET {path} HTTP/1.1\r\n{about}\r\n\r\n".encode())
    answer = await reader.read()
    writer.close()
    headers, _, body = answer.partition(b"\r\n\r\n")
    plain = gzip.decompress(body) if b"content-encoding: gzip" in headers else body
    return plain.decode(), len(headers) + 4 + len(plain), len(answer)


async def first_visit(port: int) -> tuple[int, int, int]:
    """Load the front page and all that it names; return how many answers there are, and their bytes."""
    waiting, known, plain, wire = ["/"], {"/"}, 0, 0
    while waiting:
        text, *sizes = await fetch(port, waiting.pop())
        plain, wire = plain + sizes[0], wire + sizes[1]
        found = set(re.findall(r"/static/[\w.-]+", text)) - known
        waiting += found
        known |= found
    return len(known), plain, wire


async def play(play: Table, moves: int, rng: random.Random) -> None:
    """Make random moves, each when all have seen the one before."""
    for _ in range(moves):
        movers = [person for person in play.people if person.moves]
        if not movers or movers[0].over:
            return
        mover = rng.choice(movers)
        move, mover.moves = rng.choice(mover.moves), []
        status, said = await mover.ask(
            "POST",
            f"/api/tables/{play.id}/act",
            {"command": {"type": "Move", "move": move}, "number": mover.number},
        )
        assert status == 200, said
        while any(person.number < said["number"] for person in play.people):
            await asyncio.sleep(0.002)


async def steps(port: int, game: str, moves: int) -> list[tuple[int, int]]:
    """Play at a table; return the bytes of every step for every player, before compression and on the wire."""
    laid = await start_table([Browser(port) for _ in range(usual_players(game))], game, "Player")
    for person in laid.people:
        person.sizes = []
    listening = [asyncio.create_task(person.listen(laid.id)) for person in laid.people]
    while not all(person.sizes for person in laid.people):
        await asyncio.sleep(0.01)
    await asyncio.sleep(SETTLED)
    for person in laid.people:
        person.sizes.clear()  # the whole table
    await play(laid, moves, random.Random(game))
    await asyncio.sleep(SETTLED)
    for task in listening:
        task.cancel()
    await asyncio.gather(*listening, return_exceptions=True)
    found = []
    for person in laid.people:
        for _, events in groupby(person.sizes, key=lambda event: event[0]):
            sizes = [(plain, wire) for _, plain, wire in events]
            found.append((sum(plain for plain, _ in sizes), sum(wire for _, wire in sizes)))
    return found


async def measure(port: int, moves: int) -> None:
    """Print all figures."""
    await wait_for_games(port)
    answers, plain, wire = await first_visit(port)
    print(f"the first visit: {answers} answers, {plain:,} bytes, {wire:,} on the wire\n")
    print("| game, players | table's page | on the wire | step, median | on the wire | largest | on the wire |")
    print("|---|---:|---:|---:|---:|---:|---:|")
    for game in sarai.game_ids():
        laid = await start_table([Browser(port) for _ in range(usual_players(game))], game, "Player")
        _, *page = await fetch(port, f"/tables/{laid.id}", laid.people[0].cookie)
        sent = await steps(port, game, moves)
        columns = list(zip(*sent, strict=True))
        figures = [*page, *map(round, map(statistics.median, columns)), *map(max, columns)]
        cells = " | ".join(f"{number:,}" for number in figures)
        print(f"| {game}, {usual_players(game)} | {cells} |", flush=True)


def main() -> None:
    """Start a server, measure it, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--moves", type=int, default=100, help="moves that are made at a table of each game")
    wishes = parser.parse_args()
    with served() as (server, _):
        asyncio.run(measure(server.port, wishes.moves))


if __name__ == "__main__":
    main()
