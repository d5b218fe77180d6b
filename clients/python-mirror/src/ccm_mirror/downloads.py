"""GET with bounds on size, time, redirects and attempts. An origin, its caches and the way to it may do anything."""

from __future__ import annotations

import http.client
import random
import socket
import threading
import time
import zlib
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Callable, Dict, Iterator, NamedTuple, Optional, Union
from urllib.parse import SplitResult, urljoin, urlsplit

from .errors import MirrorError, Unreachable, Unsettled

REDIRECTS_MAX = 3
BACKOFF_SECONDS_MIN = 0.5
BACKOFF_SECONDS_MAX = 30.0
RETRY_AFTER_SECONDS_MAX = 300.0
CHUNK_BYTES = 65_536
REDIRECTS = (301, 302, 303, 307, 308)
ABSENT = (404, 409, 410)
NO_CACHE = {"Cache-Control": "no-cache", "Pragma": "no-cache"}


class Limits(NamedTuple):
    """Bounds on one answer and on the attempts for one address, the first included."""

    bytes_max: int = 256 * 1024 * 1024
    stall_seconds: float = 30.0
    answer_seconds: float = 600.0
    attempts: int = 6


class Answer(NamedTuple):
    """A body with the headers of a later conditional request; `body` is None where nothing changed."""

    body: Optional[bytes]
    validators: Dict[str, str]


class Refused(Exception):
    """An answer that another attempt will not mend."""


class Transient(Exception):
    """An answer that another attempt may mend, after a wait where it names one."""

    wait_seconds = 0.0


class Downloads:
    """Reads addresses; `requests` counts the answers."""

    def __init__(self, limits: Limits = Limits(), wait: Callable[[float], object] = time.sleep) -> None:
        self.limits = limits
        self.requests = 0
        self._wait = wait

    def get(self, url: str, fresh: bool = False, validators: Optional[Dict[str, str]] = None) -> Answer:
        """
        The answer of an address; `fresh` asks to pass by all caches. Raises Unsettled where it is missing, and
        Unreachable after all attempts.
        """
        backoff = BACKOFF_SECONDS_MIN
        # A file server may label a shard as encoded, and a proxy may unpack it: its hash is that of the file.
        encoding = "identity" if url.endswith(".gz") else "gzip"
        headers = {"User-Agent": "ccm-mirror-python/1", "Accept-Encoding": encoding, **(validators or {})}
        headers.update(NO_CACHE if fresh else {})
        for attempt in range(1, self.limits.attempts + 1):
            try:
                return self._follow(url, headers)
            except Refused as error:
                raise Unreachable(f"GET {url}: {error} (attempt {attempt})") from error
            except (Transient, OSError, http.client.HTTPException, zlib.error) as error:
                asked = error.wait_seconds if isinstance(error, Transient) else 0.0
                if attempt == self.limits.attempts or asked > RETRY_AFTER_SECONDS_MAX:
                    later = f"; it asks to come again in {asked:.0f} s" if asked else ""
                    reason = str(error) or type(error).__name__
                    raise Unreachable(f"GET {url}: {reason} (attempt {attempt}){later}") from error
                # Jitter keeps mirrors that were refused together from returning together.
                self._wait(max(asked, backoff * random.uniform(0.5, 1.0)))
                backoff = min(backoff * 2, BACKOFF_SECONDS_MAX)
        raise MirrorError("attempts: expected at least 1")

    def _follow(self, url: str, headers: Dict[str, str]) -> Answer:
        for _ in range(REDIRECTS_MAX + 1):
            found = self._once(url, headers)
            if isinstance(found, Answer):
                return found
            to = urljoin(url, found)
            if not _is_same_site(urlsplit(url), urlsplit(to)):
                raise Refused(f"redirect to {to[:200]}, expected the same host")
            url = to
        raise Refused(f"more than {REDIRECTS_MAX} redirects")

    def _once(self, url: str, headers: Dict[str, str]) -> Union[Answer, str]:
        """An answer, or the address that it redirects to."""
        parts, limits = urlsplit(url), self.limits
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        connection = kind(parts.hostname or "", parts.port, timeout=limits.stall_seconds)
        # The timeout of the socket begins again with each byte; this one ends an answer that trickles.
        watch = threading.Timer(limits.answer_seconds, _cut, [connection])
        watch.daemon = True
        watch.start()
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("GET", path, headers={**headers, "Connection": "close"})
            response = connection.getresponse()
            self.requests += 1
            location, status = response.getheader("location"), response.status
            if status in REDIRECTS and location is not None:
                return location
            if status == 304 and ("If-None-Match" in headers or "If-Modified-Since" in headers):
                return Answer(None, {})
            if status != 200:
                raise _failure(url, response)
            return Answer(_body(response, url, limits.bytes_max), _validators(response))
        finally:
            watch.cancel()
            connection.close()


def _body(response: http.client.HTTPResponse, url: str, bytes_max: int) -> bytes:
    encoding = (response.getheader("content-encoding") or "identity").lower()
    packed = _chunks(response, bytes_max)
    if encoding == "identity" or url.endswith(".gz"):
        return b"".join(packed)
    if encoding != "gzip":
        raise Refused(f"content-encoding {encoding[:40]}: expected gzip or none")
    return b"".join(unpacked(packed, bytes_max))


def unpacked(packed: Iterator[bytes], bytes_max: int) -> Iterator[bytes]:
    """Unpacks gzip piece by piece; raises Refused past the limit, and zlib.error for what is broken or cut off."""
    decoder = zlib.decompressobj(16 + zlib.MAX_WBITS)
    size = 0
    for chunk in packed:
        while chunk:
            text = decoder.decompress(chunk, CHUNK_BYTES)
            size += len(text)
            if size > bytes_max:
                raise Refused(f"more than {bytes_max} bytes when unpacked")
            yield text
            if decoder.unused_data:
                raise zlib.error("bytes after the end")
            chunk = decoder.unconsumed_tail
    if not decoder.eof:
        raise zlib.error("cut off")


def _chunks(response: http.client.HTTPResponse, bytes_max: int) -> Iterator[bytes]:
    stated = None if response.chunked else response.length
    size = 0
    # read1 ends with what has come, so that a trickle shows; read would wait for all of it.
    for chunk in iter(lambda: response.read1(CHUNK_BYTES), b""):
        size += len(chunk)
        if size > bytes_max:
            raise Refused(f"more than {bytes_max} bytes")
        yield chunk
    if stated is not None and size != stated:
        raise Transient(f"body cut off: {size} of {stated} bytes")


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
    if status not in (408, 429) and status < 500:
        return Refused(f"status {status}")
    failure = Transient(f"status {status}")
    failure.wait_seconds = _retry_after(response.getheader("retry-after") or "0")
    return failure


def _retry_after(header: str) -> float:
    """Seconds, which come as a number or as a date."""
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
