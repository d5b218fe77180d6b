"""The client against answers that each test chooses."""

import json
from collections.abc import Callable
from datetime import datetime, timezone
from itertools import product

import httpx
import pytest
from construction_cost_catalog import Catalog, CatalogError, Position, RetryLimits
from construction_cost_catalog.errors import retry_after_of
from construction_cost_catalog.retry import next_wait

BASE = "https://catalog.test/v1"
Answer = httpx.Response | Exception


class Server:
    """Gives its answers in turn and keeps what was asked and waited."""

    def __init__(self, *answers: Answer) -> None:
        self.answers = list(answers)
        self.asked: list[httpx.Request] = []
        self.waits: list[float] = []

    def __call__(self, request: httpx.Request) -> httpx.Response:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    def catalog(self, retry: RetryLimits = RetryLimits()) -> Catalog:
        return Catalog(
            BASE, key="svc_pub_test", retry=retry, transport=httpx.MockTransport(self), sleep=self.waits.append
        )

    def paths(self) -> list[str]:
        return [str(request.url).removeprefix(BASE) for request in self.asked]


def limited(seconds: int) -> httpx.Response:
    return httpx.Response(429, json={"error": "rate_limited_minute"}, headers={"retry-after": str(seconds)})


def ndjson(*numbers: int, **headers: str) -> httpx.Response:
    lines = "".join(json.dumps({"seq": seq, "op": "upsert", "id": f"ci_{seq}"}) + "\n" for seq in numbers)
    return httpx.Response(200, text=lines, headers=headers)


def fails(ask: Callable[[], object]) -> CatalogError:
    with pytest.raises(CatalogError) as caught:
        ask()
    return caught.value


def test_walks_page_after_page_with_the_key() -> None:
    server = Server(
        httpx.Response(200, json={"items": [{"id": "ci_a"}], "cursor": "one"}),
        httpx.Response(200, json={"items": [], "cursor": "two"}),
        httpx.Response(200, json={"items": [{"id": "ci_b"}], "cursor": None}),
    )
    items = list(server.catalog().items(region="ES", price_region="ES"))
    assert [item["id"] for item in items] == ["ci_a", "ci_b"]
    first = "/items?limit=100&region=ES&price_region=ES"
    assert server.paths() == [first, f"{first}&cursor=one", f"{first}&cursor=two"]
    assert {request.headers["authorization"] for request in server.asked} == {"Bearer svc_pub_test"}


def test_walks_a_search_by_the_header_link_at_whatever_address_the_client_asks() -> None:
    link = {"link": '<https://public.test/v1/search?cursor=one>; rel="next"'}
    server = Server(
        httpx.Response(200, json={"results": [{"id": "ci_a"}]}, headers=link),
        httpx.Response(200, json={"results": [{"id": "ci_b"}]}),
    )
    assert [found["id"] for found in server.catalog().results(q="cement")] == ["ci_a", "ci_b"]
    assert server.paths()[1].endswith("&cursor=one")


def test_an_item_needs_an_id() -> None:
    server = Server()
    with pytest.raises(ValueError, match="item: '' is no id"):
        server.catalog().item("")
    assert server.asked == []


def test_pages_that_lead_back_to_themselves_are_an_error() -> None:
    page = {"items": [], "cursor": "one"}
    server = Server(httpx.Response(200, json=page), httpx.Response(200, json=page))
    assert fails(lambda: list(server.catalog().items())).code == "cursor_repeated"


def test_waits_as_long_as_it_is_told() -> None:
    server = Server(limited(7), limited(3), httpx.Response(201, json={"key": "svc_pub_new"}))
    assert server.catalog().post("/keys/signup", {"email": "you@example.org"})["key"] == "svc_pub_new"
    assert server.waits == [7, 3]
    assert {request.content for request in server.asked} == {server.asked[0].content}


@pytest.mark.parametrize(
    ("answers", "asked", "waits"),
    [([limited(3600)], 1, []), ([limited(40), limited(40)], 2, [40]), ([limited(1) for _ in range(4)], 4, [1, 1, 1])],
    ids=["the wait is longer than its bound", "its waits are together", "its attempts are used up"],
)
def test_stops_when(answers: list[httpx.Response], asked: int, waits: list[float]) -> None:
    server = Server(*answers)
    error = fails(lambda: server.catalog().item("ci_a"))
    assert (error.status, error.code, len(server.asked), server.waits) == (429, "rate_limited_minute", asked, waits)


def test_asks_again_after_a_failed_connection_but_not_for_what_may_have_been_done() -> None:
    broken = httpx.ConnectError("connection refused")
    reading = Server(broken, httpx.ReadTimeout("late"), httpx.Response(200, json={"lines": []}))
    assert reading.catalog().match({"lines": [{"text": "cement 25 kg"}]}) == {"lines": []}
    writing = Server(broken)
    error = fails(lambda: writing.catalog().post("/keys/signup", {"email": "you@example.org"}))
    assert (error.status, error.code, error.details) == (None, "unreachable", "connection refused")
    assert isinstance(error.__cause__, httpx.ConnectError)


def test_the_wait_keeps_all_bounds() -> None:
    statuses = (None, 200, 404, 429, 500, 502, 503, 504)
    for status, hint, waited, number, is_read, chance in product(
        statuses, (None, 0, 1, 60, 3600), (0.0, 30.0, 64.9), range(1, 6), (False, True), (0.0, 1.0)
    ):
        limits = RetryLimits()
        wait = next_wait(
            limits,
            number=number,
            status=status,
            retry_after_seconds=hint,
            waited_seconds=waited,
            is_read=is_read,
            chance=chance,
        )
        transient = status in (None, 502, 503, 504)
        if wait is None:
            continue
        assert status == 429 or (is_read and transient)
        assert number < limits.attempts_max and waited + wait <= limits.wait_seconds_max
        assert hint is None or wait == hint


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("42", 42),
        (" 0 ", 0),
        ("Wed, 25 Nov 2026 10:00:30 GMT", 30),
        ("Wed, 25 Nov 2026 09:00:00 GMT", 0),
        ("soon", None),
        ("", None),
    ],
)
def test_reads_retry_after(value: str, seconds: int | None) -> None:
    response = httpx.Response(429, headers={"retry-after": value})
    assert retry_after_of(response, datetime(2026, 11, 25, 10, tzinfo=timezone.utc)) == seconds


def test_an_error_has_what_the_answer_says() -> None:
    headers = {"x-request-id": "req_1", "retry-after": "3600"}
    said = {"error": "monthly_cap", "details": "expected at most 2 requests a month"}
    server = Server(httpx.Response(429, json=said, headers=headers))
    error = fails(lambda: server.catalog().item("ci/x"))
    assert (error.retry_after_seconds, error.request_id) == (3600, "req_1")
    assert str(error) == (
        "429 monthly_cap: expected at most 2 requests a month; come back in 3600 s (GET /items/ci%2Fx)"
    )


@pytest.mark.parametrize("status", [403, 200])
def test_an_answer_of_somebody_else_is_an_error(status: int) -> None:
    server = Server(httpx.Response(status, text="<h1>Sign in</h1>"))
    error = fails(lambda: server.catalog().get("/pricing"))
    assert (error.status, error.code) == (status, "unexpected_answer")


def test_reads_an_item_as_text() -> None:
    server = Server(httpx.Response(200, text="# Hormigón"))
    assert server.catalog().item_markdown("ci_a", lang="es") == "# Hormigón"
    assert server.asked[0].headers["accept"] == "text/markdown"


def test_changes_come_in_order_from_all_pages() -> None:
    link = '<https://catalog.test/v1/feeds/items.atom?since=2>; rel="next"'
    state = {"gen": "g1", "scopes": {"items": {"head": 3}}}
    server = Server(httpx.Response(200, json=state), ndjson(1, 2, link=link), ndjson(3))
    changes = list(server.catalog().changes())
    assert [(change["gen"], change["seq"]) for change in changes] == [("g1", 1), ("g1", 2), ("g1", 3)]
    assert server.paths()[1:] == ["/feeds/items.atom?since=0&gen=g1", "/feeds/items.atom?since=2&gen=g1"]


def test_changes_of_a_region_go_on_and_poll() -> None:
    server = Server(httpx.Response(304), ndjson(2), httpx.Response(304), ndjson(4))
    changes = server.catalog().changes(Position("g1", 1), region="ES", poll_seconds=5)
    assert next(changes)["seq"] == 2
    error = fails(lambda: next(changes))
    assert (error.code, error.details) == ("changes_missing", "expected change 3, found 4")
    assert server.waits == [5, 5, 5]
    assert server.paths()[0] == "/feeds/region/ES?since=1&gen=g1"


def test_changes_that_are_no_longer_kept_name_the_snapshot() -> None:
    link = '<https://catalog.test/v1/feeds/snapshots/g1/9/manifest.json>; rel="snapshot"'
    server = Server(httpx.Response(410, json={"error": "changes_expired"}, headers={"link": link}))
    error = fails(lambda: list(server.catalog().changes(Position("g1", 1))))
    assert (error.code, error.snapshot_url) == ("changes_expired", f"{BASE}/feeds/snapshots/g1/9/manifest.json")


def test_the_position_is_that_of_the_scope() -> None:
    state = {"gen": "g1", "scopes": {"items": {"head": 3}, "region/ES": {"head": 1}}}
    server = Server(*(httpx.Response(200, json=state) for _ in range(2)))
    catalog = server.catalog()
    assert (catalog.position(), catalog.position("ES")) == (Position("g1", 3), Position("g1", 1))
