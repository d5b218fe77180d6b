"""Made by `npm run judge -- renew` from the OpenAPI document with this SHA-256 fcf66177a06a8ba6960319baeb97eb3e6948b366625fefbe17c34ebd842ff433."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Error(TypedDict):
    error: str
    """
    A stable code: `bad_request` (400, the request cannot be read); `invalid_parameter` (400, a parameter is missing or out of bounds; details names it); `unknown_parameter` (400, the endpoint has no such parameter; details names the nearest); `invalid_cursor` (400, the cursor was not given out for these filters); `invalid_key` (401, the Authorization header holds no valid API key); `not_found` (404, nothing is served at this path); `key_not_found` (404, the key was revoked before); `item_not_found` (404, no such item, or it is gone); `category_not_found` (404, no such category); `recipe_not_found` (404, no vendor of the item has a recipe for it, or not the asked source); `source_not_found` (404, no such source); `file_not_found` (404, no such digest or file of a snapshot, or it is no longer kept); `feed_not_found` (404, no such feed, or no such page of one; details says which there are); `method_not_allowed` (405, the path exists for the methods named in Allow); `not_acceptable` (406, the Accept headers exclude all that the endpoint has; details lists it); `future_cursor` (409, since is beyond the newest change: it is of another server or generation); `generation_changed` (409, the numbers began anew: a copy begins at the snapshot again); `changes_expired` (410, these changes are no longer kept; Link names the snapshot to begin at); `request_timeout` (408, the request did not arrive whole in time); `precondition_failed` (412, the file is not the one that If-Match or If-Unmodified-Since names); `payload_too_large` (413, the body is larger than the endpoint takes); `uri_too_long` (414, the address is longer than the server takes); `unsupported_media_type` (415, the body has a media type that is not taken here); `range_not_satisfiable` (416, the file ends before the range; Content-Range says how long it is); `rate_limited_minute` (429, the limit of requests per minute is reached); `search_rate_limited` (429, the limit of searches per minute is reached); `monthly_cap` (429, the requests of this month are used up; nothing is charged beyond them); `signup_rate_limited` (429, too many keys were asked for by this address or for this e-mail); `headers_too_large` (431, the header fields are larger than the server takes); `internal_error` (500, a fault of the service; X-Request-Id finds it in the log); `overloaded` (503, the server carries too much at present; the request was not begun); `not_ready` (503, the service is starting or stopping); `search_unavailable` (503, the index or the model that embeds queries does not answer at present); `store_unavailable` (503, the database does not answer at present)
    """
    details: NotRequired[str]
    """
    For people: the value found, and the expectation
    """
    retry_after_seconds: NotRequired[int]
    """
    Equal to the header Retry-After
    """


class ItemBasisResponseCategory(TypedDict):
    """
    Its category in the catalog’s tree, from the root, with the vendor’s path or the name that says so and how sure that is; null without one
    """

    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    path: list[str]
    by: Literal["vendor_path", "name", "kind"]
    text: str
    confidence_percent: int


class ItemBasisResponseName(TypedDict):
    lang: str | None
    name: str
    regions: list[str]
    minor_regions: NotRequired[list[str]]


class ItemBasisResponseMedian(TypedDict):
    cents: int
    """
    Minor units of the currency
    """
    currency: str
    """
    ISO 4217 code
    """


class ItemBasisResponseMarket(TypedDict):
    region: str
    median: ItemBasisResponseMedian | None
    vendor_count: int
    voters: int
    """
    Votes in this median; vendor_count includes vendors without one
    """


class ItemBasisResponseBasisDispersionMarket(TypedDict):
    region: str
    voters: int
    ratio: float


class ItemBasisResponseBasisDispersion(TypedDict):
    """
    How far the vendors of one market stand apart
    """

    ratio: float | None
    """
    Highest over lowest vote of one market, where it is greatest
    """
    region: str | None
    """
    The market with that ratio
    """
    markets: list[ItemBasisResponseBasisDispersionMarket]
    apart: bool
    """
    true: the vendors of a market stand more than 2 times apart, so the item may mix two products
    """
    groups: list[list[str]] | None
    """
    While they stand apart: the vendor SKUs of that market in groups of like prices, the cheapest first
    """


class ItemBasisResponseBasisTax(TypedDict):
    """
    Votes in the headline by what the vendor says of the tax
    """

    net: int
    gross_with_rate: int
    gross_without_rate: int
    not_stated: int


class ItemBasisResponseBasisVoteTax(TypedDict):
    """
    What the vendor says of the tax, and what was removed; null when the observation is not stored
    """

    state: Literal["net", "gross_with_rate", "gross_without_rate", "not_stated"]
    rate: str | None
    """
    The fraction that was removed
    """
    by: Literal["vendor", "standard_rate", "majority"] | None
    """
    `vendor`: the rate that the vendor states; `standard_rate`: the region’s standard rate of that day, where the operator enabled it; `majority`: as those of the region that state their tax
    """


class ItemBasisResponseBasisVoteSkuKindEvidenceItem(TypedDict):
    about: Literal["kind", "grade", "trade", "action", "operator"]
    value: str
    by: Literal["word", "unit", "category", "structure"]
    text: str
    """
    The folded words, the unit or the category that said so
    """


class ItemBasisResponseBasisVoteSkuKind(TypedDict):
    """
    The kind of the vendor SKU with its evidence; null when the observation is not stored
    """

    kind: Literal["material", "labour", "machinery", "hire", "work"] | None
    """
    null: its texts do not say
    """
    grade: Literal["foreman", "first", "second", "officer", "helper", "apprentice", "labourer"] | None
    """
    Of labour; `officer` is a first or a second
    """
    trades: list[str]
    """
    Of labour
    """
    action: str | None
    """
    Of a work
    """
    operator: Literal["with", "without"] | None
    """
    Whether a person runs the machine
    """
    evidence: list[ItemBasisResponseBasisVoteSkuKindEvidenceItem]


class ItemBasisResponseBasisVote(TypedDict):
    vendor_sku_id: str
    """
    Vendor SKU id: `vsku_` and a unique suffix
    """
    vendor_ref: str | None
    """
    The vendor’s own reference; null when unknown
    """
    vendor_sku_name: str | None
    """
    The name that the vendor gives it
    """
    vendor_category_path: list[str] | None
    """
    Where the vendor files it, from its own root; null where it says nothing
    """
    source_id: str | None
    source_name: str | None
    alias_of: str | None
    """
    The source that speaks for its legal vendor, and whose trust it has; null: the source itself
    """
    observation_id: str
    """
    SHA-256 of the observation, hexadecimal
    """
    price: str
    """
    Exact minor units per unit of the item, net of tax where its rate is known
    """
    price_cents: int
    """
    The same, rounded
    """
    currency: str
    """
    ISO 4217 code
    """
    trust: int
    """
    The weight of the vote
    """
    observed_at: str
    markets: list[str]
    """
    Regions whose median includes it
    """
    kind: str | None
    """
    `list`, `net`, `bid` or `bank`: a list price, a net price, a bid, an entry of a price bank
    """
    min_quantity: str | None
    """
    The quantity from which the price holds
    """
    tax: ItemBasisResponseBasisVoteTax | None
    """
    What the vendor says of the tax, and what was removed; null when the observation is not stored
    """
    sku_kind: ItemBasisResponseBasisVoteSkuKind | None
    """
    The kind of the vendor SKU with its evidence; null when the observation is not stored
    """
    flags: list[Literal["FIRST_PRICE_FAR", "TAX_UNKNOWN", "TIER_ONLY"]]
    """
    Reasons to review it: `FIRST_PRICE_FAR` (the only price of its SKU, far from the others); `TAX_UNKNOWN` (it includes tax at an unknown rate, and none was removed); `TIER_ONLY` (it holds from a larger quantity on; the source has none for one)
    """


class ItemBasisResponseBasisExcludedItem(TypedDict):
    id: str
    """
    Id of an observation, or of a vendor SKU
    """
    reason: str
    """
    Why it has no vote: `SOURCE_DISABLED` (the source is switched off); `NO_TRUST` (the source has a trust of 0); `EXPIRED` (older than the source’s prices are valid); `OTHER_CURRENCY` (not in the currency of the headline; it may decide a market); `UNIT_UNKNOWN` (nobody knows its unit; catalog units unknown lists such units); `UNIT_MISMATCH` (its unit does not convert to the item’s); `PRICE_FENCE` (too far from the price of the same SKU before); `QUARANTINED` (a person excluded it); `NOT_POSITIVE` (no price above zero); `PRICE_OUT_OF_RANGE` (too large to be a price per unit of the item); `QUANTITY_TIER` (holds from a larger quantity on, and the source has a price for one); `SAME_VENDOR` (another spelling of its vendor votes with a later price); `FIRST_PRICE_QUARANTINED` (a first price far from the others; it waits for a second crawl or a person)
    """
    vendor_sku_id: str | None
    vendor_ref: str | None
    """
    The vendor’s own reference; null when unknown
    """
    vendor_sku_name: str | None
    """
    The name that the vendor gives it
    """
    vendor_category_path: list[str] | None
    """
    Where the vendor files it, from its own root; null where it says nothing
    """
    source_id: str | None
    source_name: str | None


class ItemBasisResponseBasis(TypedDict):
    method_version: str
    currency: str | None
    voters: int
    """
    Votes in the headline
    """
    single_voter: bool
    """
    true: the price depends on a single vendor
    """
    note: str | None
    """
    For people: a caveat of the price
    """
    trust_total: int
    """
    Sum of the trust of all voters
    """
    p25: int | None
    p75: int | None
    last_observed_at: str | None
    dispersion: ItemBasisResponseBasisDispersion
    """
    How far the vendors of one market stand apart
    """
    tax: ItemBasisResponseBasisTax
    """
    Votes in the headline by what the vendor says of the tax
    """
    votes: list[ItemBasisResponseBasisVote]
    excluded: list[ItemBasisResponseBasisExcludedItem]


class ItemBasisResponse(TypedDict):
    item_id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: str | None
    kind: Literal["material", "labour", "machinery", "hire", "work"] | None
    """
    What the item is; null where its texts do not say
    """
    category: ItemBasisResponseCategory | None
    """
    Its category in the catalog’s tree, from the root, with the vendor’s path or the name that says so and how sure that is; null without one
    """
    names: list[ItemBasisResponseName]
    """
    What vendors call it, by market and language: `price_region` and `lang` choose among these. The first of a language is the one that most trust uses
    """
    merged_into: str | None
    run_id: str | None
    """
    The run that published this; null when no run did
    """
    as_of: str
    median: ItemBasisResponseMedian | None
    markets: list[ItemBasisResponseMarket]
    vendor_sku_ids: list[str]
    basis: ItemBasisResponseBasis


class Category(TypedDict):
    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    name: str
    names: dict[str, str]
    """
    Its names by language (ISO 639-1); empty for a category of an earlier tree
    """
    parent_id: str | None
    """
    null for a root
    """
    item_count: int
    """
    Items in the category and in all categories below it
    """


class CategoryDetailPathItem(TypedDict):
    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    name: str


class CategoryDetail(TypedDict):
    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    name: str
    names: dict[str, str]
    """
    Its names by language (ISO 639-1); empty for a category of an earlier tree
    """
    parent_id: str | None
    """
    null for a root
    """
    item_count: int
    """
    Items in the category and in all categories below it
    """
    path: list[CategoryDetailPathItem]
    """
    From the root to the parent; empty for a root
    """
    children: list[Category]
    """
    The first 100, by id
    """
    children_cursor: str | None
    """
    Cursor of the next page of `/categories?parent=` with this id; null when there are no more
    """


class ListCategoriesResponse(TypedDict):
    categories: list[Category]
    cursor: str | None
    """
    Opaque; null when no page follows
    """


class PublicApiMeta(TypedDict):
    tier: Literal["anon", "public_dev", "org"]
    rate_limit_per_min: int
    """
    The per-minute limit of the caller
    """


class PricingTier(TypedDict):
    tier: Literal["free"]
    display_name: str
    price_usd_month: float
    rate_limit_per_min: int
    monthly_request_cap: int
    features: list[str]


class PricingResponse(TypedDict):
    tiers: list[PricingTier]
    plan_url: str
    note: str
    docs: str


class UsageResponse(TypedDict):
    tier: str
    rate_limit_per_min: int
    monthly_cap: int
    monthly_used: int
    """
    For an organization key: by all keys of its workspace
    """
    monthly_remaining: int
    reset_at: str
    """
    The first of the next month, UTC
    """
    upgrade_url: str


class CreateDeveloperKeyResponse(TypedDict):
    key: str
    """
    The key, shown only this once
    """
    rate_limit_per_min: int
    tier: str
    docs: str
    note: str


class RevokeKeyResponse(TypedDict):
    revoked: bool
    id: str
    """
    The key’s id
    """


class CreateDeveloperKeyRequest(TypedDict):
    email: str
    """
    Not verified; it limits how many keys are given out
    """
    name: NotRequired[str]
    """
    What the key is for
    """


class CanonicalItemMedianPrice(TypedDict):
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """

    cents: int
    """
    Minor units of the currency
    """
    currency: str
    """
    ISO 4217 code
    """
    recorded_at: str | None


class CanonicalItem(TypedDict):
    id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: NotRequired[str | None]
    """
    Unit of measure with its pack
    """
    cpv: NotRequired[str | None]
    """
    EU procurement code; present only when a source gave one
    """
    category_id: NotRequired[str | None]
    vendor_count: int
    observation_count: int
    median_price: NotRequired[CanonicalItemMedianPrice | None]
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """
    updated_at: str


class VendorObservationSource(TypedDict):
    name: str
    region: str | None
    trust_score: int
    url: str | None


class VendorObservation(TypedDict):
    vendor_sku_id: str
    """
    Vendor SKU id: `vsku_` and a unique suffix
    """
    source: VendorObservationSource
    price: ItemBasisResponseMedian
    unit: str | None
    """
    The unit that the price buys, as observed
    """
    observed_at: str


class PriceHistoryPoint(TypedDict):
    recorded_at: str
    price_cents: int
    """
    Minor units of the currency
    """
    currency: str
    """
    ISO 4217 code
    """


class ItemMarketsResponseMarketMedianPrice(TypedDict):
    """
    In the currency with the most trust there; null while no price is eligible
    """

    cents: int
    """
    Minor units of the currency
    """
    currency: str
    """
    ISO 4217 code
    """
    recorded_at: str | None


class ItemMarketsResponseMarket(TypedDict):
    region: str
    median_price: ItemMarketsResponseMarketMedianPrice | None
    """
    In the currency with the most trust there; null while no price is eligible
    """
    vendor_count: int
    """
    Vendors that sell it there, with or without an eligible price
    """
    voters: int
    """
    Vendors whose prices are in the median
    """
    single_voter: bool
    """
    true: the price depends on a single vendor
    """


class ItemMarketsResponse(TypedDict):
    item_id: str
    """
    Item id: `ci_` and a unique suffix
    """
    run_id: str
    """
    Run id
    """
    as_of: str
    """
    Instant of the run that last published the item; later runs found no difference
    """
    markets: list[ItemMarketsResponseMarket]


class ListItemsResponse(TypedDict):
    items: list[CanonicalItem]
    cursor: str | None
    """
    Opaque; null when no page follows
    """
    meta: PublicApiMeta


class ItemDetailResponse(TypedDict):
    item: CanonicalItem
    vendors: list[VendorObservation]
    """
    The latest price of each vendor, live
    """
    price_history: list[PriceHistoryPoint]
    """
    90 days of medians, ascending
    """


class ItemHistoryResponsePoint(TypedDict):
    recorded_at: str
    price_cents: int | None
    currency: str | None


class ItemHistoryResponse(TypedDict):
    item_id: str
    """
    Item id: `ci_` and a unique suffix
    """
    price_region: str | None
    """
    null: the headline
    """
    points: list[ItemHistoryResponsePoint]
    """
    Changes of the median, ascending; null: no price from then on
    """
    cursor: str | None
    """
    Opaque; null when no page follows
    """


class DecompositionLineItem(TypedDict):
    """
    The item that the component is matched with
    """

    id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: NotRequired[str | None]
    median_price: NotRequired[CanonicalItemMedianPrice | None]
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """


class DecompositionLineNow(TypedDict):
    """
    Cost today; null where no median gives one
    """

    basis: Literal["item", "components"]
    """
    item: the median of the item, converted to the unit of the line; components: the medians of the lines below
    """
    unit_price: str | None
    amount: str
    """
    Plain decimal
    """


DecompositionLine = TypedDict(
    "DecompositionLine",
    {
        "position": int,
        "kind": Literal["labor", "machinery", "material", "auxiliary", "percentage", "waste", "unclassified"],
        "code": str,
        "name": str,
        "unit": str | None,
        "factor": str,
        "yield": str,
        "quantity": str,
        "unit_price": str | None,
        "price_basis": Literal["file", "recipe"] | None,
        "base_amount": str | None,
        "amount": str | None,
        "item": DecompositionLineItem | None,
        "now": DecompositionLineNow | None,
        "children": list["DecompositionLine"],
        "omitted": Literal["depth", "size", "cycle"] | None,
    },
)


class RecipeHeadSource(TypedDict):
    id: str
    """
    Source id: `src_` and a unique suffix
    """
    name: str
    region: str | None
    trust_score: int
    url: str | None


class RecipeHead(TypedDict):
    vendor_sku_id: str
    """
    Vendor SKU id: `vsku_` and a unique suffix
    """
    vendor_ref: str
    unit: str | None
    """
    The unit that the recipe makes
    """
    currency: str
    """
    ISO 4217 code
    """
    declared_price: str | None
    """
    null: the file leaves the price to its recipe
    """
    observed_at: str
    source: RecipeHeadSource


class DecompositionItem(TypedDict):
    id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: NotRequired[str | None]
    median_price: NotRequired[CanonicalItemMedianPrice | None]
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """


class DecompositionTotals(TypedDict):
    """
    Amounts of the lines by kind, for the requested quantity
    """

    labor: str
    """
    Plain decimal
    """
    machinery: str
    """
    Plain decimal
    """
    material: str
    """
    Plain decimal
    """
    auxiliary: str
    """
    Plain decimal
    """
    percentage: str
    """
    Plain decimal
    """
    waste: str
    """
    Plain decimal
    """
    unclassified: str
    """
    Plain decimal
    """
    indirect: str
    """
    Indirect cost of the lines, and the rounding of the total
    """
    total: str
    """
    Plain decimal
    """


class DecompositionResources(TypedDict):
    """
    The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the unresolved ones
    """

    labor: str
    """
    Plain decimal
    """
    machinery: str
    """
    Plain decimal
    """
    material: str
    """
    Plain decimal
    """
    auxiliary: str
    """
    Plain decimal
    """
    percentage: str
    """
    Plain decimal
    """
    waste: str
    """
    Plain decimal
    """
    unclassified: str
    """
    Plain decimal
    """


class DecompositionNow(TypedDict):
    """
    In the currency of the recipe; null where no median prices any line
    """

    total: str
    """
    At today’s medians, other lines at the file’s prices
    """
    at_file_prices: str
    """
    The part of the total at the file’s prices
    """
    priced_lines: int
    """
    Lines, percentages aside, that a median prices, at least in part
    """
    lines: int
    """
    Lines, percentages aside
    """


class Decomposition(TypedDict):
    item: DecompositionItem
    recipe: RecipeHead
    alternatives: list[RecipeHead]
    """
    Other recipes of the item: `source` chooses one
    """
    region: str | None
    quantity: str
    """
    Plain decimal
    """
    lines: list[DecompositionLine]
    totals: DecompositionTotals
    """
    Amounts of the lines by kind, for the requested quantity
    """
    resources: DecompositionResources
    """
    The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the unresolved ones
    """
    computed_price: str | None
    """
    Price of one unit by its lines and the rule; null when a line has no price
    """
    difference: str | None
    """
    computed_price − declared_price
    """
    reconciles: bool | None
    """
    Whether the declared price equals that of the recipe, within one unit of its last decimal
    """
    rule: str
    """
    How the price is computed: by the rule that most recipes of the file are found to follow. Decimals of the lines, then, where there are such, indirect cost in per cent, other decimals of the total, percentages that are prices
    """
    now: DecompositionNow | None
    """
    In the currency of the recipe; null where no median prices any line
    """
    warnings: list[str]
    """
    For people: caveats of the numbers
    """
    truncated: bool
    """
    Some lines are missing: see `omitted`
    """


class FeedStateScopes(TypedDict):
    head: int
    """
    Number of a change within its scope
    """
    chain: str
    """
    SHA-256, hexadecimal
    """
    floor: int
    """
    Changes up to this number are no longer kept
    """
    closed: int
    """
    Closed pages
    """
    subscription: str
    """
    Relative to the address of state.json
    """
    archive: str
    """
    The address of a closed page, with its number for {page}
    """


class FeedStateDigestScopes(TypedDict):
    seq: int
    """
    Number of a change within its scope
    """
    state_root: str
    """
    SHA-256, hexadecimal
    """
    url: str
    """
    Relative to the address of state.json
    """


class FeedStateDigest(TypedDict):
    """
    The digest at the end of the newest run that has one
    """

    mark: int
    """
    Number of a change within its scope
    """
    scopes: dict[str, FeedStateDigestScopes]


class FeedStateSnapshot(TypedDict):
    """
    The newest snapshot
    """

    seq: int
    """
    Number of a change within its scope
    """
    created_at: str
    count: int
    bytes: int
    url: str
    """
    Relative to the address of state.json
    """
    sha256: str
    """
    SHA-256 of the manifest
    """


class FeedState(TypedDict):
    protocol: Literal["ccm/1"]
    gen: str
    """
    Generation of all numbers and chains; numbers of two generations cannot be compared
    """
    page_size: int
    """
    Changes on a closed page
    """
    updated: str | None
    """
    Instant of the newest change; null before the first
    """
    scopes: dict[str, FeedStateScopes]
    """
    `items`, and `region/ES` and so on for every region
    """
    digest: FeedStateDigest | None
    """
    The digest at the end of the newest run that has one
    """
    snapshot: FeedStateSnapshot | None
    """
    The newest snapshot
    """


class FeedDigest(TypedDict):
    protocol: Literal["ccm/1"]
    gen: str
    scope: str
    seq: int
    """
    Number of a change within its scope
    """
    count: int
    """
    Items in the scope
    """
    state_root: str
    """
    SHA-256 of all bucket hashes, one after another
    """
    buckets: list[str]
    """
    For each bucket from 0 to 255: SHA-256 over (id, 0x00, SHA-256 of the state), by id in byte order
    """


class SnapshotIndexSnapshot(TypedDict):
    gen: str
    seq: int
    """
    Number of a change within its scope
    """
    created_at: str
    edition: str | None
    """
    The month that it is the first snapshot of: kept forever
    """
    count: int
    """
    Items in it
    """
    bytes: int
    """
    Size of all its shards
    """
    url: str
    """
    Address of its manifest, relative to this list
    """
    sha256: str
    """
    SHA-256 of the manifest
    """


class SnapshotIndex(TypedDict):
    protocol: Literal["ccm/1"]
    snapshots: list[SnapshotIndexSnapshot]


class SearchReason(TypedDict):
    meaning: float
    """
    Similarity in meaning; 0 when only words found it
    """
    words: float
    """
    Share of the question’s words that the item has, rare ones count more
    """
    concepts: float
    """
    Share of the question’s things that the item names, in any language
    """
    sizes: float
    """
    Overlap of sizes and packs; below 0 another size
    """
    spelling: float
    """
    Likeness in spelling
    """
    codes: int
    """
    Codes of the question that the item has
    """
    agreed: list[str]
    """
    Grades, classes, types and kinds that both state
    """
    contradicted: list[str]
    """
    Those in which the item is another one
    """


class Interpretation(TypedDict):
    thing: str
    """
    What is looked for, in plain words, folded
    """
    spelling: NotRequired[str]
    """
    The thing as the trade spells it, where the question as typed found nothing
    """
    filler: NotRequired[list[str]]
    """
    Words that say nothing of the thing
    """
    market: NotRequired[str]
    """
    The market that the question names; it filters without `region`
    """
    unit: NotRequired[str]
    """
    What one price is to buy
    """
    kind: NotRequired[str]
    short_names: NotRequired[dict[str, str]]
    """
    Short names, brands and regional words with the plain words taken for them
    """
    brands: NotRequired[list[str]]
    concepts: NotRequired[list[str]]
    attributes: NotRequired[dict[str, list[str]]]
    sizes: NotRequired[list[str]]
    pack: NotRequired[str]
    """
    The contents of a container: 25 kg
    """


class SearchFacetsCategory(TypedDict):
    id: str
    name: str
    count: int
    """
    Results with it, on all pages
    """


class SearchFacetsKind(TypedDict):
    kind: str
    count: int
    """
    Results with it, on all pages
    """


class SearchFacetsUnit(TypedDict):
    unit: str
    count: int
    """
    Results with it, on all pages
    """


class SearchFacetsCurrency(TypedDict):
    currency: str
    count: int
    """
    Results with it, on all pages
    """
    price_min: int
    """
    Minor units of the currency
    """
    price_max: int
    """
    Minor units of the currency
    """


class SearchFacetsSource(TypedDict):
    id: str
    name: str | None
    count: int
    """
    Results with it, on all pages
    """


class SearchFacets(TypedDict):
    """
    The most frequent values first, at most 20 of each
    """

    found: int
    """
    Results on all pages; a search finds at most 200
    """
    categories: list[SearchFacetsCategory]
    kinds: list[SearchFacetsKind]
    units: list[SearchFacetsUnit]
    currencies: list[SearchFacetsCurrency]
    """
    Of the prices as shown, with the lowest and the highest in cents
    """
    sources: list[SearchFacetsSource]


class SearchResult(TypedDict):
    id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: NotRequired[str | None]
    """
    Unit of measure with its pack
    """
    cpv: NotRequired[str | None]
    """
    EU procurement code; present only when a source gave one
    """
    category_id: NotRequired[str | None]
    vendor_count: int
    observation_count: int
    median_price: NotRequired[CanonicalItemMedianPrice | None]
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """
    updated_at: str
    score: float


class FoundItem(TypedDict):
    id: str
    """
    Item id: `ci_` and a unique suffix
    """
    name: str
    unit: NotRequired[str | None]
    """
    Unit of measure with its pack
    """
    cpv: NotRequired[str | None]
    """
    EU procurement code; present only when a source gave one
    """
    category_id: NotRequired[str | None]
    vendor_count: int
    observation_count: int
    median_price: NotRequired[CanonicalItemMedianPrice | None]
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """
    updated_at: str
    score: float
    why: NotRequired[SearchReason]
    """
    Additive: with `explain`
    """


class SearchResponse(TypedDict):
    query: str
    results: list[FoundItem]
    mode: Literal["vector", "fallback_no_ai", "vector_no_match", "empty_embedding"]
    cursor: NotRequired[str]
    """
    Additive: of the next page; absent at the end
    """
    facets: NotRequired[SearchFacets]
    """
    Additive: with `facets`
    """
    interpreted: NotRequired[Interpretation]
    """
    Additive: what the question was read as; with `explain`
    """


class LineEvidence(TypedDict):
    words: float
    """
    Share of the words that the name contains, in any language
    """
    meaning: float
    """
    Similarity in meaning; 0 when only words found it
    """
    sizes: Literal["equal", "unknown", "none"]
    """
    equal: the item has every size of the line; unknown: the item lacks one; none: the line has no size
    """
    unit: Literal["equal", "convertible", "unknown"]
    """
    The unit of the line compared with the item’s
    """


class MatchResponseLineCost(TypedDict):
    """
    Cost of the quantity at the median price; null for an undecided line, and when quantity, price or units are not known
    """

    cents: int
    """
    Minor units of the currency
    """
    currency: str
    """
    ISO 4217 code
    """


class MatchResponseLineAlternative(TypedDict):
    item: SearchResult
    evidence: LineEvidence


class MatchResponseLine(TypedDict):
    text: str
    status: Literal["matched", "ambiguous", "unmatched"]
    """
    ambiguous: several items fit equally well, or a size or unit is unknown
    """
    reason: Literal["nothing_near", "size_differs", "designation_differs", "unit_differs"] | None
    """
    For an unmatched line: why the nearest item does not fit; null where a person said that it means no item
    """
    decided_by: Literal["search", "correction"]
    """
    correction: a person of the workspace said what the line means
    """
    item: SearchResult | None
    """
    Its score, 0 to 1, is the confidence of the match
    """
    evidence: LineEvidence | None
    item_units: float | None
    """
    How many of the item's units one unit of a matched line holds, to 12 digits: 1000 for a line in t and an item in kg; null where one does not convert into the other
    """
    cost: MatchResponseLineCost | None
    """
    Cost of the quantity at the median price; null for an undecided line, and when quantity, price or units are not known
    """
    alternatives: list[MatchResponseLineAlternative]


class MatchResponse(TypedDict):
    lines: list[MatchResponseLine]
    matched: int
    ambiguous: int
    unmatched: int
    mode: Literal["vector", "fallback_no_ai"]
    """
    fallback_no_ai: found by words only
    """


class MatchRequestLine(TypedDict):
    text: str
    """
    The text of the line
    """
    unit: NotRequired[str | None]
    quantity: NotRequired[float | None]
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"] | None]


class MatchRequest(TypedDict):
    lines: list[MatchRequestLine]
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"] | None]
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"] | None]
    lang: NotRequired[str | None]
    alternatives: NotRequired[int]
    """
    Most alternative items per line; absent: 3
    """


class SourceLastCrawl(TypedDict):
    """
    The newest crawl, whatever its outcome; null when there was none
    """

    id: str
    """
    Crawl id
    """
    started_at: str | None
    """
    When fetching began; null for a file, which is not fetched
    """
    finished_at: str
    """
    When it ended; for a held crawl that a person accepted or dropped, when they did
    """
    outcome: Literal["recorded", "unchanged", "failed", "held", "dropped"]
    """
    recorded: its observations count. unchanged: the vendor’s server reported no change. failed: it could fetch nothing. held: it differs from earlier crawls and waits for a person. dropped: a person discarded it
    """
    complete: bool
    """
    false: it stopped early, or missed too many documents
    """
    partial: bool
    """
    true: it fetched only changes since the last complete crawl
    """
    read: int
    """
    Candidate observations: appended, duplicates and parked together. For a held or dropped crawl, all four are the numbers that recording it would have given
    """
    appended: int
    """
    Recorded observations
    """
    duplicates: int
    """
    Observations equal to another one of the crawl
    """
    parked: int
    """
    Observations that could not be recorded
    """
    parse_rate: float | None
    """
    (appended + duplicates) / read; null when nothing was read
    """
    missed: int
    """
    Documents that could not be fetched
    """
    known: int | None
    """
    SKUs of the complete crawl used for comparison; null when nothing was compared
    """
    vanished: int | None
    """
    Known SKUs that this crawl did not find; null when nothing was compared
    """
    changed: int | None
    """
    Known SKUs that this crawl found with another price; null when nothing was compared
    """
    changed_share: float | None
    """
    changed / (known - vanished); null when it found no known SKU
    """
    drift: float | None
    """
    Largest drop in the share of records with a field, since the crawl used for comparison: 0 for an unchanged layout; null when nothing was compared
    """
    problems: list[str]
    """
    Codes of the problems found, each once; empty when there were none
    """


class SourceLastCompleteCrawl(TypedDict):
    """
    The newest recorded crawl that read the whole source; null when there was none
    """

    id: str
    """
    Crawl id
    """
    started_at: str | None
    """
    When fetching began; null for a file, which is not fetched
    """
    finished_at: str
    """
    When it ended; for a held crawl that a person accepted or dropped, when they did
    """
    outcome: Literal["recorded", "unchanged", "failed", "held", "dropped"]
    """
    recorded: its observations count. unchanged: the vendor’s server reported no change. failed: it could fetch nothing. held: it differs from earlier crawls and waits for a person. dropped: a person discarded it
    """
    complete: bool
    """
    false: it stopped early, or missed too many documents
    """
    partial: bool
    """
    true: it fetched only changes since the last complete crawl
    """
    read: int
    """
    Candidate observations: appended, duplicates and parked together. For a held or dropped crawl, all four are the numbers that recording it would have given
    """
    appended: int
    """
    Recorded observations
    """
    duplicates: int
    """
    Observations equal to another one of the crawl
    """
    parked: int
    """
    Observations that could not be recorded
    """
    parse_rate: float | None
    """
    (appended + duplicates) / read; null when nothing was read
    """
    missed: int
    """
    Documents that could not be fetched
    """
    known: int | None
    """
    SKUs of the complete crawl used for comparison; null when nothing was compared
    """
    vanished: int | None
    """
    Known SKUs that this crawl did not find; null when nothing was compared
    """
    changed: int | None
    """
    Known SKUs that this crawl found with another price; null when nothing was compared
    """
    changed_share: float | None
    """
    changed / (known - vanished); null when it found no known SKU
    """
    drift: float | None
    """
    Largest drop in the share of records with a field, since the crawl used for comparison: 0 for an unchanged layout; null when nothing was compared
    """
    problems: list[str]
    """
    Codes of the problems found, each once; empty when there were none
    """


class SourceQualityUnknownUnitsExample(TypedDict):
    unit: str
    count: int
    vendor_ref: str


class SourceQualityUnknownUnits(TypedDict):
    count: int
    """
    Latest prices in a unit that the catalog does not know
    """
    share: float | None
    """
    Their share of the latest prices; null when nothing was counted
    """
    examples: list[SourceQualityUnknownUnitsExample]
    """
    The most frequent such units, each with a reference of the vendor
    """


class SourceQualityTax(TypedDict):
    net: int
    gross_with_rate: int
    gross_without_rate: int
    not_stated: int
    """
    Latest prices that say neither net nor gross
    """
    not_stated_share: float | None
    """
    Share of not_stated; null when nothing was counted
    """


class SourceQualityParkedReason(TypedDict):
    reason: str
    count: int


class SourceQualityParked(TypedDict):
    open: int
    """
    Records that wait as dead letters
    """
    share: float | None
    """
    Share of the records that the last recorded crawl parked; null when nothing was counted
    """
    reasons: list[SourceQualityParkedReason]


class SourceQualityDispersion(TypedDict):
    """
    Ratios of its votes to the medians
    """

    compared: int
    """
    Votes on items where others vote in the same market
    """
    p10: float | None
    p50: float | None
    p90: float | None
    beyond_2_share: float | None
    """
    Share of the votes below half or above twice the median; null when nothing was counted
    """


class SourceQualitySuspectMergesExample(TypedDict):
    item_id: str
    name: str
    ratio: float


class SourceQualitySuspectMerges(TypedDict):
    count: int
    """
    Items where it stands more than 2 times from the others of the market
    """
    examples: list[SourceQualitySuspectMergesExample]


class SourceQualityStaleness(TypedDict):
    age_days: int | None
    """
    Whole days since its newest price
    """
    validity_days: int
    expired_share: float | None
    """
    Share of the SKUs whose latest price has lost its vote by age; null when nothing was counted
    """


class SourceQuality(TypedDict):
    """
    How good its data is; in the answer for a single source only
    """

    skus: int
    """
    SKUs behind these figures: the newest ones of a large source
    """
    vendor_skus: int
    """
    All SKUs of the source
    """
    unknown_units: SourceQualityUnknownUnits
    tax: SourceQualityTax
    parked: SourceQualityParked
    dispersion: SourceQualityDispersion
    """
    Ratios of its votes to the medians
    """
    suspect_merges: SourceQualitySuspectMerges
    staleness: SourceQualityStaleness
    drift: float | None
    """
    Largest drop in the share of records with a field, in the last compared crawl; null when nothing was counted
    """
    first_seen_at: str | None
    """
    Date of its oldest price
    """
    last_seen_at: str | None
    """
    Date of its newest price
    """


class Source(TypedDict):
    id: str
    """
    Source id: `src_` and a unique suffix
    """
    name: str
    region: str | None
    url: str | None
    kind: Literal["shop", "bid", "bank"]
    """
    A shop, bids in tenders, or a price bank
    """
    trust_score: int
    """
    Current weight of its votes
    """
    validity_days: int
    """
    Days for which an observation keeps its vote
    """
    enabled: bool
    """
    false: it has no votes
    """
    alias_of: str | None
    """
    The source that speaks for its legal vendor: its trust, validity and switch hold, and both cast one vote; null: itself
    """
    aliases: list[str]
    """
    The sources that are other spellings of this one, sorted
    """
    vendor_sku_count: int
    observation_count: int
    """
    All recorded observations, including retracted ones
    """
    last_observed_at: str | None
    """
    Date of its newest price; counts are at most a minute old
    """
    last_crawl: SourceLastCrawl | None
    """
    The newest crawl, whatever its outcome; null when there was none
    """
    last_complete_crawl: SourceLastCompleteCrawl | None
    """
    The newest recorded crawl that read the whole source; null when there was none
    """
    held_crawl: str | None
    """
    The newest crawl that waits for a person to accept or drop it; null when none waits
    """
    quality: NotRequired[SourceQuality]
    """
    How good its data is; in the answer for a single source only
    """


class ListSourcesResponse(TypedDict):
    sources: list[Source]
    cursor: str | None
    """
    Opaque; null when no page follows
    """


class ListItemsQuery(TypedDict):
    """
    List canonical items
    """

    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Only items that are sold in this region
    """
    q: NotRequired[str]
    """
    Text filter: the name contains every word
    """
    cursor: NotRequired[str]
    """
    The `cursor` of the page before
    """
    limit: NotRequired[int]
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name`
    """
    lang: NotRequired[str]
    """
    Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does
    """
    sort: NotRequired[Literal["id", "updated"]]
    """
    Additive: `id` lists every item once; `updated` ascends by change, to follow the catalog
    """
    category_id: NotRequired[str]
    """
    Additive: only items in this category, or in any below it
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Additive: only items of this kind; items whose texts do not say their kind are of none
    """
    unit: NotRequired[str]
    """
    Additive: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Additive: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    Additive: only items that have a vendor SKU of the source of this id
    """
    price_min: NotRequired[int]
    """
    Additive: the lowest `median_price.cents` as shown; needs `currency`
    """
    price_max: NotRequired[int]
    """
    Additive: the highest `median_price.cents` as shown; needs `currency`
    """
    updated_since: NotRequired[str]
    """
    Additive: only items whose `updated_at` is this instant or later
    """
    category: NotRequired[str]
    """
    Another name of `category_id`
    """


class GetItemQuery(TypedDict):
    """
    One item with its vendors and 90 days of price history
    """

    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name`
    """
    lang: NotRequired[str]
    """
    Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does
    """


GetItemHistoryQuery = TypedDict(
    "GetItemHistoryQuery",
    {
        "price_region": NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]],
        "from": NotRequired[str],
        "to": NotRequired[str],
        "cursor": NotRequired[str],
        "limit": NotRequired[int],
    },
)


class GetItemDecompositionQuery(TypedDict):
    """
    What an item is made of, and what that costs today
    """

    depth: NotRequired[int]
    """
    Levels of lines
    """
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Recipes of this region first, and its medians
    """
    quantity: NotRequired[str]
    """
    How much of the unit of the recipe
    """
    source: NotRequired[str]
    """
    Id of a source: its recipe
    """


class SearchQuery(TypedDict):
    """
    Semantic search in any language
    """

    q: str
    """
    What is looked for, in any language
    """
    limit: NotRequired[int]
    cursor: NotRequired[str]
    """
    The `cursor` of the page before
    """
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Additive: only items that are sold in this region
    """
    category_id: NotRequired[str]
    """
    Additive: id of a category; only items in it, or in any below it
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Additive: only items of this kind; items whose texts do not say their kind are of none
    """
    unit: NotRequired[str]
    """
    Additive: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Additive: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    Additive: only items that have a vendor SKU of the source of this id
    """
    price_min: NotRequired[int]
    """
    Additive: the lowest `median_price.cents` as shown; needs `currency`
    """
    price_max: NotRequired[int]
    """
    Additive: the highest `median_price.cents` as shown; needs `currency`
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Additive: put the median of this region into `median_price`, or null, and the name that its vendors use into `name`
    """
    lang: NotRequired[str]
    """
    Additive: put the name that vendors use in this language into `name`, of the market of `price_region` if any; the headline where none does
    """
    facets: NotRequired[Literal["1", "true", "0", "false"]]
    """
    Additive: also how many results are of each category, kind, unit, currency and source
    """
    explain: NotRequired[Literal["1", "true", "0", "false"]]
    """
    Additive: also what the question was read as, and why each result was found
    """
    category: NotRequired[str]
    """
    Another name of `category_id`
    """


class ListCategoriesQuery(TypedDict):
    """
    Categories below a category, with item counts
    """

    parent: NotRequired[str]
    """
    Id of a category; absent: the roots
    """
    tree: NotRequired[Literal[True, False]]
    """
    true: all levels below, by id; each names its parent
    """
    cursor: NotRequired[str]
    """
    The `cursor` of the page before
    """
    limit: NotRequired[int]


class ListSourcesQuery(TypedDict):
    """
    Sources of prices
    """

    cursor: NotRequired[str]
    """
    The `cursor` of the page before
    """
    limit: NotRequired[int]


class GetItemsAtomQuery(TypedDict):
    """
    The latest changed items, Atom
    """

    since: NotRequired[int]
    """
    Additive: the changes after this number of the feed, ascending; 304 when there are none
    """
    gen: NotRequired[str]
    """
    Additive, with `since`: the generation of that number; 409 where another one began since
    """
    limit: NotRequired[int]
    """
    Additive, with `since`: at most so many changes; absent: 1000
    """


class GetItemsRssQuery(TypedDict):
    """
    The latest changed items, RSS
    """

    since: NotRequired[int]
    """
    Additive: the changes after this number of the feed, ascending; 304 when there are none
    """
    gen: NotRequired[str]
    """
    Additive, with `since`: the generation of that number; 409 where another one began since
    """
    limit: NotRequired[int]
    """
    Additive, with `since`: at most so many changes; absent: 1000
    """


class GetRegionAtomQuery(TypedDict):
    """
    The latest changed items of one region, Atom
    """

    since: NotRequired[int]
    """
    Additive: the changes after this number of the feed, ascending; 304 when there are none
    """
    gen: NotRequired[str]
    """
    Additive, with `since`: the generation of that number; 409 where another one began since
    """
    limit: NotRequired[int]
    """
    Additive, with `since`: at most so many changes; absent: 1000
    """
