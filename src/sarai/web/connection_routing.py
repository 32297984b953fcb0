"""Connections go to the worker of their table, so that one process holds, plays and renders it for everybody.

A worker that has the header of a request about another's table sends it the socket with the bytes it has read. Every
worker can answer every request, so nothing depends on that: one that cannot be reached, is late or full is not sent
any more, and the request is answered where it came in, which only costs more.

Only as many workers as there are processors are sent connections: more would take the processors' caches from each
other, and a move would cost a third more. Those beyond pass on whatever comes, and answer it when another is gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import re
import shutil
import socket
import sys
import tempfile
import time
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from zlib import crc32

from sarai.core.processor_affinity import processors
from sarai.table import metrics

FOLDER = "SARAI_HANDOVER"  # a variable of the environment: where the sockets of the workers are
REQUEST = re.compile(rb"[A-Z]{3,7} /(?:api/)?tables/([A-Za-z0-9]{10})[/? ]")
SESSION = re.compile(rb"\r\ncookie:[^\r]*?sarai=([^;\r]+)", re.IGNORECASE)
END_OF_HEADER = b"\r\n\r\n"
LARGEST = 64 * 1024  # bytes that were read of a connection that is sent
MOST_UNTAKEN = 32  # connections that were sent to a worker and that it has not taken
TOO_LATE = 1.0  # seconds; a worker that takes nothing for longer is sent nothing
RETRY = 1.0  # seconds before a worker that could not be reached, or was full, is tried again
TAKEN_AT_ONCE = 16  # connections before other tasks may run
TAKEN, FULL = b"t", b"f"  # answers to a connection that was sent: the second if there should be no more for a while
CLOSE_ON_EXEC = getattr(socket, "MSG_CMSG_CLOEXEC", 0)
log = logging.getLogger("sarai.web")


def home_of(subject: str, homes: int) -> int:
    """Return the number of the worker that connections about a table are sent to, the first of them that are homes."""
    return crc32(subject.encode()) % homes


@contextmanager
def sockets_folder() -> Iterator[dict[str, str]]:
    """Make a folder for the sockets of workers, which only this user can open; give what names it to them."""
    try:
        folder = tempfile.mkdtemp(prefix="sarai-")
    except OSError as error:
        log.warning("connections stay where they come in: %s", error.strerror)
        yield {}
        return
    try:
        yield {FOLDER: folder}
    finally:
        shutil.rmtree(folder, ignore_errors=True)


class Peer:
    """Another worker, as this one sees it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._socket: socket.socket | None = None
        self._sent: deque[float] = deque()  # when connections were sent that it has not taken yet
        self._not_before = 0.0

    def send(self, data: bytes, descriptor: int) -> bool:
        """Send a connection; say whether that could be done."""
        now = time.monotonic()
        if now < self._not_before:
            return False
        try:
            if self._socket is None:
                self._connect()
            assert self._socket is not None
            self._read_answers(self._socket)
            if now < self._not_before or len(self._sent) >= MOST_UNTAKEN:
                return False
            if self._sent and now - self._sent[0] > TOO_LATE:
                return False
            socket.send_fds(self._socket, [data], [descriptor])
        except BlockingIOError:
            return False
        except OSError:  # it is gone, or not there yet
            self.close()
            self._not_before = now + RETRY
            return False
        self._sent.append(now)
        return True

    def _connect(self) -> None:
        opened = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        opened.setblocking(False)
        try:
            opened.connect(str(self._path))
        except OSError:
            opened.close()
            raise
        self._socket = opened

    def _read_answers(self, opened: socket.socket) -> None:
        """Note what it has taken since."""
        while self._sent:
            try:
                answer = opened.recv(1)
            except BlockingIOError:
                return
            if not answer:
                raise ConnectionResetError
            self._sent.popleft()
            if answer == FULL:
                self._not_before = time.monotonic() + RETRY

    def close(self) -> None:
        """Let go of it."""
        if self._socket is not None:
            self._socket.close()
        self._socket = None
        self._sent.clear()


class ConnectionRouting:
    """What one worker sends to the others, and takes from them; `port` is the one that people connect to.

    A worker for which `is_full` says so asks the others to keep their connections.
    """

    def __init__(self, folder: Path, number: int, workers: int, port: int, homes: int | None = None) -> None:
        self.number, self.workers, self.port = number, workers, port
        self.homes = homes or workers  # how many workers are sent tables
        self.is_full: Callable[[], bool] = lambda: False
        self._path = folder / str(number)
        self._peers = [Peer(folder / str(other)) for other in range(workers)]
        self._take: Callable[[bytes], asyncio.BaseProtocol] | None = None
        self._listener: socket.socket | None = None
        self._senders: set[socket.socket] = set()
        self._beginning: set[asyncio.Task[None]] = set()
        self._is_closed = False

    @classmethod
    def of_worker(cls, number: int, workers: int, port: int) -> ConnectionRouting | None:
        """Return that of a worker, None where connections cannot be sent, or where there is nobody to send them to."""
        folder = os.environ.get(FOLDER)
        if folder is None or workers < 2 or sys.platform != "linux":
            return None
        return cls(Path(folder), number, workers, port, min(workers, processors()))

    @property
    def processor(self) -> int | None:
        """The number of the processor on which the event loop stays, None unless there is a worker for each."""
        return self.number if self.number < self.homes == processors() else None

    def may_make(self, table_id: str) -> bool:
        """Say whether a table that is made here can have an id: one of this worker's, any if it has none."""
        return self.number >= self.homes or home_of(table_id, self.homes) == self.number

    def send(self, data: bytes, transport: asyncio.Transport, address: tuple[str, int | None] | None) -> bool:
        """Send a connection to the worker that is to answer a request; say whether that was done.

        What has been read must be the beginning of a request with its whole header, and all that was written be sent.
        Connections to another `address` than the one for people, such as that of the metrics, stay.
        """
        subject = self._subject(data, transport)
        if subject is None or len(data) > LARGEST or END_OF_HEADER not in data:
            return False
        if self._is_closed or transport.get_write_buffer_size() or address is None or address[1] != self.port:
            return False
        home = home_of(subject, self.homes)
        if home == self.number or not self._peers[home].send(data, transport.get_extra_info("socket").fileno()):
            return False
        metrics.HANDED_OVER.inc()
        return True

    def _subject(self, data: bytes, transport: asyncio.Transport) -> str | None:
        """Return by what the worker for a request is chosen, None if it is this one: the table that it is about.

        A worker that is sent nothing keeps nothing: it passes on all else by who asks, so that one worker knows them.
        """
        if (found := REQUEST.match(data)) is not None:
            return found[1].decode()
        if self.number < self.homes:
            return None
        found = SESSION.search(data)
        return found[1].decode("latin-1") if found is not None else str(transport.get_extra_info("peername"))

    # --- what the others send ---------------------------------------------------------------------------------------

    def open(self, take: Callable[[bytes], asyncio.BaseProtocol]) -> None:
        """Take connections from now on: `take` returns the protocol of one whose first bytes it is given."""
        self._take = take
        listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        try:
            self._path.unlink(missing_ok=True)  # of the process before
            listener.setblocking(False)
            listener.bind(str(self._path))
            listener.listen(self.workers)
        except OSError as error:
            listener.close()
            log.warning("connections are not taken from other workers: %s", error.strerror or error)
            return
        self._listener = listener
        asyncio.get_running_loop().add_reader(listener, self._accept)

    def _accept(self) -> None:
        """Let other workers send, those that have come."""
        assert self._listener is not None
        with contextlib.suppress(OSError):
            while True:
                sender, _ = self._listener.accept()
                sender.setblocking(False)
                self._senders.add(sender)
                asyncio.get_running_loop().add_reader(sender, self._receive, sender)

    def _receive(self, sender: socket.socket, most: int = TAKEN_AT_ONCE) -> None:
        """Take what another worker has sent."""
        for _ in range(most):
            try:
                data, descriptors, _, _ = socket.recv_fds(sender, LARGEST, 1, CLOSE_ON_EXEC)
                if not data:
                    raise ConnectionResetError
                with contextlib.suppress(BlockingIOError):
                    sender.send(FULL if self.is_full() else TAKEN)
            except BlockingIOError:
                return
            except OSError:
                self._forget(sender)
                return
            for descriptor in descriptors:
                task = asyncio.get_running_loop().create_task(self._begin(data, socket.socket(fileno=descriptor)))
                self._beginning.add(task)
                task.add_done_callback(self._beginning.discard)

    async def _begin(self, data: bytes, connection: socket.socket) -> None:
        """Go on with a connection."""
        take = self._take
        assert take is not None
        try:
            await asyncio.get_running_loop().connect_accepted_socket(lambda: take(data), connection)
        except OSError:  # the client is gone
            connection.close()

    def _forget(self, sender: socket.socket) -> None:
        asyncio.get_running_loop().remove_reader(sender)
        self._senders.discard(sender)
        sender.close()

    async def close(self) -> None:
        """Send nothing more, and take what was sent until now: after that the others keep theirs."""
        self._is_closed = True
        for peer in self._peers:
            peer.close()
        if self._listener is not None:
            asyncio.get_running_loop().remove_reader(self._listener)
            self._path.unlink(missing_ok=True)
            self._accept()
            self._listener.close()
            self._listener = None
        for sender in list(self._senders):
            with contextlib.suppress(OSError):
                sender.shutdown(socket.SHUT_RD)  # what was sent before can still be read
            self._receive(sender, MOST_UNTAKEN + 1)  # and then it is closed
        if self._beginning:
            await asyncio.wait(self._beginning)
