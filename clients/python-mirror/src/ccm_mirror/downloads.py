"""GET with bounds on size, time, redirects and attempts. An origin, its caches and the way to it may do anything."""

from __future__ import annotations

import http.client
import random
import socket
import ssl
import threading
import time
import zlib
from dataclasses import dataclass
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Callable, Dict, Iterator, Optional, Tuple
from urllib.parse import SplitResult, urljoin, urlsplit

from .errors import MirrorError, Unreachable, Unsettled

REDIRECTS_MAX = 3
BACKOFF_SECONDS_MIN = 0.5
BACKOFF_SECONDS_MAX = 30.0
RETRY_AFTER_SECONDS_MAX = 300.0
CHUNK_BYTES = 65_536
CONNECTIONS_MAX = 4
REDIRECTS = (301, 302, 303, 307, 308)
ABSENT = (404, 409, 410)


@dataclass(frozen=True)
class Limits:
    """Bounds on one answer and on the attempts for one address, the first included."""

    bytes_max: int = 256 * 1024 * 1024
    stall_seconds: float = 30.0
    answer_seconds: float = 600.0
    attempts: int = 6


@dataclass(frozen=True)
class Answer:
    """A body with the headers of a later conditional request; `body` is None where nothing changed."""

    body: Optional[bytes]
    validators: Dict[str, str]


class _Refused(Exception):
    """An answer that another attempt will not mend."""


class _Transient(Exception):
    def __init__(self, message: str, wait_seconds: float = 0.0) -> None:
        super().__init__(message)
        self.wait_seconds = wait_seconds


Key = Tuple[str, str]


class Downloads:
    """Reads addresses over connections that stay open. One thread uses it."""

    def __init__(self, limits: Limits = Limits(), wait: Callable[[float], object] = time.sleep) -> None:
        self.limits = limits
        self.requests = 0
        self._wait = wait
        self._open: Dict[Key, http.client.HTTPConnection] = {}

    def get(self, url: str, fresh: bool = False, validators: Optional[Dict[str, str]] = None) -> Answer:
        """
        The answer of an address; `fresh` asks to pass by all caches. Raises Unsettled where it is missing, and
        Unreachable after all attempts.
        """
        backoff = BACKOFF_SECONDS_MIN
        for attempt in range(1, self.limits.attempts + 1):
            try:
                return self._follow(url, fresh, validators or {})
            except MirrorError:
                raise
            except _Refused as error:
                raise Unreachable(f"GET {url}: {error} (attempt {attempt})") from error
            except (_Transient, OSError, http.client.HTTPException, zlib.error) as error:
                self.close()
                asked = error.wait_seconds if isinstance(error, _Transient) else 0.0
                if attempt == self.limits.attempts or asked > RETRY_AFTER_SECONDS_MAX:
                    later = f"; it asks to come again in {asked:.0f} s" if asked else ""
                    reason = str(error) or type(error).__name__
                    raise Unreachable(f"GET {url}: {reason} (attempt {attempt}){later}") from error
                # Jitter keeps mirrors that were refused together from returning together.
                self._wait(max(asked, backoff * random.uniform(0.5, 1.0)))
                backoff = min(backoff * 2, BACKOFF_SECONDS_MAX)
        raise AssertionError("attempts: expected at least 1")

    def close(self) -> None:
        """Closes all connections."""
        for connection in self._open.values():
            connection.close()
        self._open.clear()

    def _follow(self, url: str, fresh: bool, validators: Dict[str, str]) -> Answer:
        headers = {"User-Agent": "ccm-mirror-python/1", **validators}
        # A file server may label a shard as encoded, and a proxy may unpack it: its hash is that of the file.
        headers["Accept-Encoding"] = "identity" if url.endswith(".gz") else "gzip"
        if fresh:
            headers.update({"Cache-Control": "no-cache", "Pragma": "no-cache"})
        at = url
        for _ in range(REDIRECTS_MAX + 1):
            status, location, answer = self._once(at, headers)
            if location is None:
                return answer
            to = urljoin(at, location)
            if not _is_same_site(urlsplit(at), urlsplit(to)):
                raise _Refused(f"status {status}: redirect to {to[:200]}, expected the same host")
            at = to
        raise _Refused(f"more than {REDIRECTS_MAX} redirects")

    def _once(self, url: str, headers: Dict[str, str]) -> Tuple[int, Optional[str], Answer]:
        parts = urlsplit(url)
        connection = self._connection(parts)
        # Timeouts of the socket begin again with each byte; this one ends an answer that trickles.
        watch = threading.Timer(self.limits.answer_seconds, _cut, [connection])
        watch.daemon = True
        watch.start()
        try:
            connection.request("GET", (parts.path or "/") + (f"?{parts.query}" if parts.query else ""), headers=headers)
            response = connection.getresponse()
            self.requests += 1
            location = response.getheader("location")
            if response.status in REDIRECTS and location is not None:
                self._drop(parts)
                return response.status, location, Answer(None, {})
            if response.status == 304 and ("If-None-Match" in headers or "If-Modified-Since" in headers):
                response.read()
                return 304, None, Answer(None, {})
            if response.status != 200:
                self._drop(parts)
                raise _failure(url, response)
            body = self._body(response, url)
            if response.will_close:
                self._drop(parts)
            return 200, None, Answer(body, _validators(response))
        except BaseException:
            self._drop(parts)
            raise
        finally:
            watch.cancel()

    def _connection(self, parts: SplitResult) -> http.client.HTTPConnection:
        key = (parts.scheme, parts.netloc)
        if key not in self._open:
            if len(self._open) >= CONNECTIONS_MAX:
                self.close()
            host, port, stall = parts.hostname or "", parts.port, self.limits.stall_seconds
            if parts.scheme == "https":
                context = ssl.create_default_context()
                self._open[key] = http.client.HTTPSConnection(host, port, timeout=stall, context=context)
            else:
                self._open[key] = http.client.HTTPConnection(host, port, timeout=stall)
            self._open[key].connect()
        return self._open[key]

    def _drop(self, parts: SplitResult) -> None:
        connection = self._open.pop((parts.scheme, parts.netloc), None)
        if connection is not None:
            connection.close()

    def _body(self, response: http.client.HTTPResponse, url: str) -> bytes:
        encoding = (response.getheader("content-encoding") or "identity").lower()
        packed = _chunks(response, self.limits.bytes_max)
        if encoding == "identity" or url.endswith(".gz"):
            return b"".join(packed)
        if encoding != "gzip":
            raise _Refused(f"content-encoding {encoding[:40]}: expected gzip or none")
        try:
            return b"".join(unpacked(packed, self.limits.bytes_max))
        except TooLong as error:
            raise _Refused(str(error)) from error


class TooLong(Exception):
    """More bytes than a limit allows."""


def unpacked(packed: Iterator[bytes], bytes_max: int) -> Iterator[bytes]:
    """Unpacks gzip piece by piece; raises TooLong past the limit, and zlib.error for what is broken or cut off."""
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    size = 0
    for chunk in packed:
        while chunk:
            text = decoder.decompress(chunk, CHUNK_BYTES)
            size += len(text)
            if size > bytes_max:
                raise TooLong(f"more than {bytes_max} bytes when unpacked")
            yield text
            if decoder.eof and decoder.unused_data:
                raise zlib.error("bytes after the end")
            chunk = decoder.unconsumed_tail
    yield decoder.flush()
    if not decoder.eof:
        raise zlib.error("cut off")


def _chunks(response: http.client.HTTPResponse, bytes_max: int) -> Iterator[bytes]:
    stated = None if response.chunked else response.length
    size = 0
    while True:
        chunk = response.read1(CHUNK_BYTES)
        if not chunk:
            break
        size += len(chunk)
        if size > bytes_max:
            raise _Refused(f"more than {bytes_max} bytes")
        yield chunk
    if stated is not None and size != stated:
        raise _Transient(f"body cut off: {size} of {stated} bytes")


def _cut(connection: http.client.HTTPConnection) -> None:
    try:
        if connection.sock is not None:
            connection.sock.shutdown(socket.SHUT_RDWR)
    except OSError:
        pass  # It has closed by itself.


def _failure(url: str, response: http.client.HTTPResponse) -> Exception:
    status = response.status
    if status in ABSENT:
        return Unsettled(f"GET {url}: status {status}")
    if status in (408, 429) or status >= 500:
        return _Transient(f"status {status}", _retry_after(response.getheader("retry-after")))
    return _Refused(f"status {status}")


def _retry_after(header: Optional[str]) -> float:
    """Seconds, which come as a number or as a date."""
    if header is None:
        return 0.0
    if header.isascii() and header.isdigit():
        return float(header[:9])
    try:
        return max(0.0, (parsedate_to_datetime(header) - datetime.now(timezone.utc)).total_seconds())
    except (TypeError, ValueError):
        return 0.0


def _is_same_site(at: SplitResult, to: SplitResult) -> bool:
    is_upgrade = (at.scheme, to.scheme) == ("http", "https") and at.hostname == to.hostname
    return is_upgrade or (at.scheme, at.netloc) == (to.scheme, to.netloc)


def _validators(response: http.client.HTTPResponse) -> Dict[str, str]:
    tag, modified = response.getheader("etag"), response.getheader("last-modified")
    if tag is not None:
        return {"If-None-Match": tag}
    # Plain file servers may send no ETag.
    return {} if modified is None else {"If-Modified-Since": modified}
