"""Endpoints are what users send us: which we may post to, and the addresses of their hosts, checked."""

from __future__ import annotations

import asyncio
import re
import socket
import time
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from ipaddress import IPv4Address, IPv6Address, IPv6Network, ip_address
from typing import NamedTuple

from sarai.table.refusals import Refused

LONGEST = 1024
# a name, never a number: no user, no fragment, nothing that two parsers could read in two ways
ENDPOINT = re.compile(
    r"https://((?:[a-z0-9-]{1,63}\.)*[a-z][a-z0-9-]{0,62})(?::([0-9]{1,5}))?/[a-z0-9._~!$&'()*+,;=:@%/?-]*",
    re.ASCII | re.IGNORECASE,
)
HTTPS = 443
LOOKUPS = 4  # at once, so that names that are slow to look up hold up nothing but each other
LOOKUP_SECONDS = 5.0
KNOWN_SECONDS, MOST_KNOWN = 300.0, 1000  # how long, and of how many hosts, addresses are remembered
NAT64 = IPv6Network("64:ff9b::/96")

Address = IPv4Address | IPv6Address


def is_public(address: Address) -> bool:
    """Say whether an address belongs to the public Internet, and to a single machine there."""
    if isinstance(address, IPv6Address):
        if address in NAT64:
            return is_public(IPv4Address(int(address) & 0xFFFFFFFF))
        if address.ipv4_mapped or address.sixtofour or address.teredo or address.is_site_local or address.scope_id:
            return False
    return address.is_global and not (address.is_multicast or address.is_reserved or address.is_unspecified)


class Target(NamedTuple):
    """The host and the port of an endpoint."""

    host: str
    port: int

    @property
    def origin(self) -> str:
        """The origin, as a signature names it."""
        return f"https://{self.host}" + ("" if self.port == HTTPS else f":{self.port}")


class Endpoints:
    """The check of endpoints; tests allow addresses and ports that a house never does."""

    def __init__(
        self, is_allowed: Callable[[Address], bool] = is_public, ports: Collection[int] | None = (HTTPS,)
    ) -> None:
        self._is_allowed, self._ports = is_allowed, ports
        self._threads = ThreadPoolExecutor(LOOKUPS, "sarai-lookup")
        self._known: dict[str, tuple[float, list[str]]] = {}

    def target(self, endpoint: str) -> Target:
        """Return where an endpoint is; Refused if it has not the form that we post to."""
        found = ENDPOINT.fullmatch(endpoint) if len(endpoint) <= LONGEST else None
        if found is None:
            raise Refused("push_endpoint")
        target = Target(found[1].lower(), int(found[2] or HTTPS))
        if self._ports is not None and target.port not in self._ports:
            raise Refused("push_endpoint")
        return target

    async def addresses(self, host: str) -> list[str]:
        """Return all addresses of a host; Refused if there is none, or if any of them may not be connected to."""
        until, known = self._known.get(host, (0.0, []))
        if time.monotonic() < until:
            return known
        looking = asyncio.get_running_loop().run_in_executor(self._threads, look_up, host)
        try:
            found = await asyncio.wait_for(looking, LOOKUP_SECONDS)
            is_allowed = bool(found) and all(self._is_allowed(ip_address(address)) for address in found)
        except (OSError, ValueError):  # a time that is over is an OSError too
            is_allowed = False
        if not is_allowed:
            raise Refused("push_endpoint")  # not why: nobody learns here which names this network knows
        if len(self._known) >= MOST_KNOWN:
            self._known.clear()
        self._known[host] = time.monotonic() + KNOWN_SECONDS, found
        return found


def look_up(host: str) -> list[str]:
    """Return the addresses of a host, without repetition; OSError if it is not known."""
    found = socket.getaddrinfo(host, HTTPS, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(place[0]) for *_, place in found))
