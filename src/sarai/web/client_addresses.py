"""The network addresses of visitors, as limits count them."""

from __future__ import annotations

import ipaddress
from functools import lru_cache

from starlette.types import Scope

from sarai.table.refusals import Refused

HERE = frozenset({"127.0.0.1", "::1"})
IPV6_NETWORK = 64  # bits; a household or a server gets that many addresses at least
IPV6_SITE = 48  # bits; the most that a site gets, with 65,536 of these networks
ADDRESSES_OF_SITE = 5  # networks of 64 bits that it counts as
UNKNOWN = "unknown"


def address_of(scope: Scope) -> str | None:
    """Return the address of a request's sender as it is counted; None for this machine itself, which is not."""
    client = scope.get("client")
    return counted_address(client[0]) if client else UNKNOWN


@lru_cache(10_000)
def counted_address(host: str) -> str | None:
    """Return an address as it is counted: of IPv6 the network of 64 bits, an IPv4 address in IPv6 as itself."""
    if host in HERE:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:  # a socket without addresses, or nonsense in a proxy's header
        return UNKNOWN
    if isinstance(address, ipaddress.IPv4Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return counted_address(str(address.ipv4_mapped))
    return str(ipaddress.IPv6Network((address, IPV6_NETWORK), strict=False))


@lru_cache(10_000)
def site_of(address: str) -> str | None:
    """Return the site that a counted address belongs to: of IPv6 the network of 48 bits, of others none."""
    return str(ipaddress.IPv6Network(address).supernet(new_prefix=IPV6_SITE)) if "/" in address else None


def site_or_address(scope: Scope) -> str | None:
    """Return the site from which a request comes, or else its counted address."""
    address = address_of(scope)
    return address and (site_of(address) or address)


def with_site(address: str | None, most: int) -> list[tuple[str, int]]:
    """Return a counted address and its site, if it has one, with how many of something each of them may have."""
    if address is None:
        return []
    site = site_of(address)
    return [(address, most)] if site is None else [(address, most), (site, ADDRESSES_OF_SITE * most)]


def read_proxies(text: str) -> list[str]:
    """Return the addresses and networks of proxies, IPv4 ones as IPv6 too; Refused if one of them is none."""
    proxies = list[str]()
    for part in filter(None, map(str.strip, text.split(","))):
        try:
            network = ipaddress.ip_network(part)
        except ValueError:
            raise Refused("bad_proxy", proxy=part) from None
        proxies.append(str(network))
        if network.version == 4:
            proxies.append(f"::ffff:{network.network_address}/{96 + network.prefixlen}")
    return proxies


class TrustedProxies:
    """The proxies whose `X-Forwarded-For` counts as the visitor's address."""

    def __init__(self, proxies: list[str]) -> None:
        self._networks = [ipaddress.ip_network(proxy) for proxy in proxies]

    def __contains__(self, host: str) -> bool:
        try:
            address = ipaddress.ip_address(host)
        except ValueError:
            return False
        return any(address in network for network in self._networks)
