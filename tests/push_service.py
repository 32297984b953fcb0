"""A push service on this machine, as browsers' makers run one: it checks who sends, and what devices can decrypt."""

import base64
import contextlib
import datetime
import json
import queue
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from sarai.web.push.endpoints import Endpoints
from sarai.web.push.subscribe_and_send import PushSettings

DAY = 86_400


def encode(data):
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def decode(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def hkdf(salt, info, length, secret):
    return HKDF(hashes.SHA256(), length, salt, info).derive(secret)


class Device:
    """A browser's keys, and what a subscription says of them."""

    def __init__(self, endpoint):
        self.endpoint, self.auth = endpoint, bytes(range(16))
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.point = self.key.public_key().public_bytes(
            serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
        )

    @property
    def subscription(self):
        keys = {"p256dh": encode(self.point), "auth": encode(self.auth)}
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def decrypt(self, body):
        """Return the text of a message (RFC 8188, 8291)."""
        salt, length = body[:16], body[20]
        sender, secret_text = body[21 : 21 + length], body[21 + length :]
        shared = self.key.exchange(ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), sender))
        secret = hkdf(self.auth, b"WebPush: info\0" + self.point + sender, 32, shared)
        key, nonce = (
            hkdf(salt, b"Content-Encoding: %b\0" % name, length, secret)
            for name, length in ((b"aes128gcm", 16), (b"nonce", 12))
        )
        padded = AESGCM(key).decrypt(nonce, secret_text, None).rstrip(b"\0")
        assert padded[-1] == 2, "the last record"
        return padded[:-1]


def sender_of(authorization, origin):
    """Return the public key of who signed a request to an origin (RFC 8292)."""
    scheme, _, rest = authorization.partition(" ")
    parts = dict(part.strip().split("=", 1) for part in rest.split(","))
    head, claims, signature = parts["t"].split(".")
    assert scheme == "vapid" and json.loads(decode(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = decode(signature)
    ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), decode(parts["k"])).verify(
        encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:])),
        f"{head}.{claims}".encode(),
        ec.ECDSA(hashes.SHA256()),
    )
    said = json.loads(decode(claims))
    assert said["aud"] == origin and time.time() < said["exp"] <= time.time() + DAY
    assert said["sub"].startswith(("mailto:", "https://"))
    return parts["k"]


class Handler(BaseHTTPRequestHandler):
    """Answers as the first part of the path says: `/gone/…`, `/slow/…`; with 201 otherwise."""

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        service, how = self.server.service, self.path.split("/")[1]
        service.requests.put((self.path, dict(self.headers), body))
        if how == "slow":
            service.closing.wait(60)
        status = {"gone": 410, "missing": 404, "busy": 503, "forbidden": 403, "redirect": 307}.get(how, 201)
        if how == "once" and self.path not in service.tried:
            service.tried.add(self.path)
            status = 429
        self.send_response(status)
        if how == "redirect":
            self.send_header("location", service.endpoint("secret"))
        if how == "headers":
            self._flood(b"x-flood: " + b"x" * 4000 + b"\r\n")
        if how == "body":
            self.end_headers()
            self._flood(b"x" * 65536)
        self.send_header("content-length", "0")
        self.end_headers()

    def _flood(self, data):
        """Send for ever, until the other side has enough of it."""
        self.flush_headers()
        try:
            while not self.server.service.closing.is_set():
                self.wfile.write(data)
                self.server.service.flooded += len(data)
        except OSError:
            self.close_connection = True

    def handle(self):
        with contextlib.suppress(OSError):  # who asked may have gone
            super().handle()

    def log_message(self, *_):
        pass


class PushService:
    """The service while the block runs, with a certificate of its own."""

    def __init__(self):
        self.requests, self.tried, self.flooded = queue.Queue(), set(), 0
        self.closing = threading.Event()
        self.devices = {}

    def endpoint(self, *parts):
        return "/".join((self.origin, *map(str, parts)))

    def device(self, how="ok"):
        """Return a new device; `how` is what the service does with messages to it."""
        device = Device(self.endpoint(how, len(self.devices)))
        self.devices[device.endpoint] = device
        return device

    def settings(self, **more):
        """Return settings of a house that may post to this machine."""
        endpoints = Endpoints(lambda address: address == ip_address("127.0.0.1") or address.is_global, ports=None)
        return PushSettings("mailto:ann@example.org", endpoints, self.trust, **{"grace": 0.1, **more})

    def next_message(self, seconds=20):
        """Return the next message: what it says, its headers, its device; who sent it is checked."""
        path, headers, body = self.requests.get(timeout=seconds)
        device = self.devices[self.origin + path]
        headers = {name.lower(): value for name, value in headers.items()}
        headers["sender"] = sender_of(headers["authorization"], self.origin)
        return json.loads(device.decrypt(body)), headers, device

    def __enter__(self):
        key = ec.generate_private_key(ec.SECP256R1())
        name, today = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "localhost")]), datetime.datetime.now()
        certificate = (
            x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
            .not_valid_before(today - datetime.timedelta(days=2))
            .not_valid_after(today + datetime.timedelta(days=2))
            .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), False)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), True)
            .sign(key, hashes.SHA256())
            .public_bytes(serialization.Encoding.PEM)
        )
        self.trust = ssl.create_default_context(cadata=certificate.decode())
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.service = self
        self.origin = f"https://localhost:{self.server.server_address[1]}"
        self.server.socket = with_tls(self.server.socket, key, certificate)
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05})
        self.thread.start()
        return self

    def __exit__(self, *error):
        self.closing.set()
        self.server.shutdown()
        self.server.server_close()
        self.thread.join(60)


def with_tls(listening, key, certificate):
    """Return a socket that speaks TLS; each connection shakes hands in its own thread."""
    import tempfile

    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    private = key.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    with tempfile.NamedTemporaryFile() as file:
        file.write(private + certificate)
        file.flush()
        context.load_cert_chain(file.name)
    return context.wrap_socket(listening, server_side=True, do_handshake_on_connect=False)
