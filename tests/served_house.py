"""The app on a real socket, in a thread with a loop of its own: quicker to start than a process, with quick bots."""

import asyncio
import threading

from quick_bots import QuickBots
from sarai.table.service.house import House
from sarai.web.app import make_app, make_site
from sarai.web.connection_limits import server_config
from sarai.web.serve import listen


class ServedHouse(threading.Thread):
    """A house that is open while the block runs; `address` is where."""

    def __init__(self, folder, port=0, proxies=(), **settings):
        super().__init__()
        self.proxies = list(proxies)
        self.folder, self.port, self.settings, self.ready = folder, port, settings, threading.Event()

    def run(self):
        asyncio.run(self._serve())

    async def _serve(self):
        import uvicorn

        self.house = house = await House.open(f"sqlite:///{self.folder}/house.db", QuickBots())
        opened = listen("127.0.0.1", self.port)
        self.port = opened.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.site = await make_site(house, **self.settings)
        self.site.limits.refused_seconds = 0.0
        app = make_app(self.site)
        self.server = uvicorn.Server(server_config(app, self.proxies))
        self.ready.set()
        await self.server.serve(sockets=[opened])
        await house.close()

    def __enter__(self):
        self.start()
        assert self.ready.wait(60)
        return self

    def __exit__(self, *error):
        self.server.should_exit = True
        self.join(60)
