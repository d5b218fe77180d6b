"""Made by `npm run judge -- renew` from the OpenAPI document with this SHA-256 d74ec491e49e3d1d29c85c807f0986a2ceb18318a4733c37db529c3231eee2ca."""

from __future__ import annotations

from typing import Literal, NotRequired, TypedDict


class Error(TypedDict):
    error: str
    """
    A stable code of a closed list; the header Link leads to its explanation
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
    Minor units of the currency: 485 of EUR are 4.85 euros
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
    edition: NotRequired[str]
    """
    Edition of the price list: a year, a month or a day; absent where the source states none
    """
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
    Reasons to review it:

    - `FIRST_PRICE_FAR`: the only price of its SKU, far from the others
    - `TAX_UNKNOWN`: it includes tax at an unknown rate, and none was removed
    - `TIER_ONLY`: it holds from a larger quantity on; the source has none for one
    """


class ItemBasisResponseBasisExcludedItem(TypedDict):
    id: str
    """
    Id of an observation, or of a vendor SKU
    """
    reason: str
    """
    Why it has no vote:

    - `SOURCE_DISABLED`: the source is switched off
    - `NO_TRUST`: the source has a trust of 0
    - `EXPIRED`: older than the source’s prices are valid
    - `SUPERSEDED`: the source has a newer edition of its price list
    - `DISCONTINUED`: the vendor no longer sells the goods
    - `OTHER_CURRENCY`: not in the currency of the headline; it may decide a market
    - `UNIT_UNKNOWN`: nobody knows its unit; catalog units unknown lists such units
    - `UNIT_MISMATCH`: its unit does not convert to the item’s
    - `PRICE_FENCE`: too far from the price of the same SKU before
    - `QUARANTINED`: a person excluded it
    - `NOT_POSITIVE`: no price above zero
    - `PRICE_OUT_OF_RANGE`: too large to be a price per unit of the item
    - `QUANTITY_TIER`: holds from a larger quantity on, and the source has a price for one
    - `SAME_PUBLISHER`: decides the market of its subdivision; another price of its publisher votes in the country
    - `SAME_VENDOR`: another spelling of its vendor votes with a later price
    - `FIRST_PRICE_QUARANTINED`: a first price far from the others; it waits for a second crawl or a person
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
    Send it as `cursor` for the next page; null when no page follows
    """


class CategoryNode(TypedDict):
    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    name: str
    names: dict[str, str]
    """
    Its names by language (ISO 639-1); empty for a category of an earlier tree
    """
    item_count: int
    """
    Items in the category and in all categories below it
    """
    children: list[CategoryNode]
    """
    Categories directly below it, by id; empty for a leaf
    """


class CategoryTreeResponse(TypedDict):
    categories: list[CategoryNode]
    """
    The roots, by id
    """
    count: int
    """
    Categories in the tree
    """


class CategoryChangesResponseCategory(TypedDict):
    id: str
    """
    Category id: `cat_` and a unique suffix
    """
    compared_count: int
    """
    Its items, and those of all categories below it, with a median in one currency at both ends; one that tripled, or fell to a third, is left out
    """
    rise_count: int
    """
    Those whose median is higher now
    """
    fall_count: int
    """
    Those whose median is lower now
    """
    change_percent: float | None
    """
    The geometric mean over these items of later / earlier, less 1, in percent (the Jevons index); null for fewer than 3 items
    """


class CategoryChangesResponse(TypedDict):
    days: int
    price_region: str | None
    """
    null: the headlines
    """
    since: str | None
    """
    The earlier instant; null before the first run
    """
    until: str | None
    """
    The instant of the newest run; null before the first
    """
    categories: list[CategoryChangesResponseCategory]
    """
    Categories with an item to compare, by id
    """


class CanonicalItemMedianPrice(TypedDict):
    """
    Trust-weighted median, recomputed nightly; null while no price is eligible
    """

    cents: int
    """
    Minor units of the currency: 485 of EUR are 4.85 euros
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
    edition: NotRequired[str]
    """
    Edition of the price list: a year, a month or a day; absent where the source states none
    """


class PriceHistoryPoint(TypedDict):
    recorded_at: str
    price_cents: int
    """
    Minor units of the currency: 485 of EUR are 4.85 euros
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
    Minor units of the currency: 485 of EUR are 4.85 euros
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
    Send it as `cursor` for the next page; null when no page follows
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
    A decimal number as text, exact
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
    A decimal number as text, exact
    """
    machinery: str
    """
    A decimal number as text, exact
    """
    material: str
    """
    A decimal number as text, exact
    """
    auxiliary: str
    """
    A decimal number as text, exact
    """
    percentage: str
    """
    A decimal number as text, exact
    """
    waste: str
    """
    A decimal number as text, exact
    """
    unclassified: str
    """
    A decimal number as text, exact
    """
    indirect: str
    """
    Indirect cost of the lines, and the rounding of the total
    """
    total: str
    """
    A decimal number as text, exact
    """


class DecompositionResources(TypedDict):
    """
    The lines with auxiliaries resolved into their components, without indirect cost; `auxiliary` holds the unresolved ones
    """

    labor: str
    """
    A decimal number as text, exact
    """
    machinery: str
    """
    A decimal number as text, exact
    """
    material: str
    """
    A decimal number as text, exact
    """
    auxiliary: str
    """
    A decimal number as text, exact
    """
    percentage: str
    """
    A decimal number as text, exact
    """
    waste: str
    """
    A decimal number as text, exact
    """
    unclassified: str
    """
    A decimal number as text, exact
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
    A decimal number as text, exact
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


class ItemDiffResponseFrom(TypedDict):
    at: str | None
    """
    The instant that was asked for; null: now
    """
    run_id: str | None
    """
    The last finished run up to it; null: there was none yet
    """
    as_of: str | None
    """
    Instant of that run
    """
    state: Literal["active", "merged", "gone", "absent", "not_kept"]
    """
    `absent`: not yet published; `gone`: no longer sold; `not_kept`: dropped by retention, but for medians
    """
    merged_into: str | None
    """
    The item that a merged one became part of
    """


ItemDiffResponseField = TypedDict(
    "ItemDiffResponseField",
    {
        "field": str,
        "from": str | float | list[str] | None,
        "to": str | float | list[str] | None,
    },
)


ItemDiffResponseMarketMedian = TypedDict(
    "ItemDiffResponseMarketMedian",
    {
        "from": ItemBasisResponseMedian | None,
        "to": ItemBasisResponseMedian | None,
    },
)


ItemDiffResponseMarketVendorCount = TypedDict(
    "ItemDiffResponseMarketVendorCount",
    {
        "from": int | None,
        "to": int | None,
    },
)


class ItemDiffResponseMarket(TypedDict):
    region: str | None
    """
    null: the headline
    """
    median: ItemDiffResponseMarketMedian
    change_percent: float | None
    """
    Of the median, with two decimals; null between two currencies, and where one is missing
    """
    vendor_count: ItemDiffResponseMarketVendorCount
    """
    Vendors that sell it there; null: not kept
    """


ItemDiffResponse = TypedDict(
    "ItemDiffResponse",
    {
        "item_id": str,
        "from": ItemDiffResponseFrom,
        "to": ItemDiffResponseFrom,
        "kept_since": str | None,
        "fields": list[ItemDiffResponseField],
        "markets": list[ItemDiffResponseMarket],
    },
)


class ListEditionsResponseEdition(TypedDict):
    edition: str
    """
    A month, UTC
    """
    id: str
    """
    What a citation names: `ccc:` and the month; with an item, `:` and its id
    """
    as_of: str
    """
    Instant of the last run of the month
    """
    count: int
    """
    Items in it
    """
    sha256: str
    """
    SHA-256 of the manifest, hexadecimal
    """
    url: str
    """
    Absolute address of the manifest
    """
    cite_as: str


class ListEditionsResponse(TypedDict):
    editions: list[ListEditionsResponseEdition]


class EditionLicence(TypedDict):
    """
    Licence of the data when the edition was frozen; null: not stated
    """

    name: str
    url: str | None


class Edition(TypedDict):
    edition: str
    """
    A month, UTC
    """
    id: str
    """
    What a citation names: `ccc:` and the month; with an item, `:` and its id
    """
    run_id: str
    """
    Run id
    """
    as_of: str
    """
    Instant of the last run of the month
    """
    method: str | None
    """
    Method of pricing of the run
    """
    seq: int
    """
    Newest change of the catalog that is part of it
    """
    count: int
    """
    Items in it
    """
    state_root: str
    """
    SHA-256 of all bucket hashes, one after another
    """
    buckets: list[str]
    """
    For each bucket from 0 to 255: SHA-256 over (id, 0x00, SHA-256 of the state), by id in byte order
    """
    licence: EditionLicence | None
    """
    Licence of the data when the edition was frozen; null: not stated
    """


class EditionItemResponseState(TypedDict):
    """
    The public state; its canonical JSON (RFC 8785) hashes to `state_sha256`
    """

    item: CanonicalItem
    regions: list[str]
    state: Literal["active"]


class EditionItemResponse(TypedDict):
    id: str
    """
    What a citation names: `ccc:` and the month; with an item, `:` and its id
    """
    edition: str
    """
    A month, UTC
    """
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
    Instant of the last run of the month
    """
    method: str | None
    state: EditionItemResponseState
    """
    The public state; its canonical JSON (RFC 8785) hashes to `state_sha256`
    """
    state_sha256: str
    """
    SHA-256, hexadecimal
    """
    edition_sha256: str
    """
    SHA-256 of the manifest of the edition
    """
    licence: EditionLicence | None
    """
    Licence of the data when the edition was frozen; null: not stated
    """
    url: str
    """
    Absolute address of this record
    """
    cite_as: str
    """
    A line for a list of references, with the median and its currency
    """


class EditionItemsResponse(TypedDict):
    edition: str
    """
    A month, UTC
    """
    states: list[EditionItemResponseState]
    cursor: str | None
    """
    Send it as `cursor` for the next page; null when no page follows
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


class ListFacetsCategory(TypedDict):
    id: str
    name: str
    count: int
    """
    Items with it, on all pages
    """


class ListFacetsKind(TypedDict):
    kind: str
    count: int
    """
    Items with it, on all pages
    """


class ListFacetsUnit(TypedDict):
    unit: str
    count: int
    """
    Items with it, on all pages
    """


class ListFacetsCurrency(TypedDict):
    currency: str
    count: int
    """
    Items with it, on all pages
    """
    price_min: int
    """
    Minor units of the currency: 485 of EUR are 4.85 euros
    """
    price_max: int
    """
    Minor units of the currency: 485 of EUR are 4.85 euros
    """


class ListFacetsRegion(TypedDict):
    region: str
    count: int
    """
    Items with it, on all pages
    """


class ListFacets(TypedDict):
    """
    The most frequent values first, at most 20 of each
    """

    count: int
    """
    Items that are counted here
    """
    exact: bool
    """
    false: the numbers are at least so large
    """
    categories: list[ListFacetsCategory]
    kinds: list[ListFacetsKind]
    units: list[ListFacetsUnit]
    currencies: list[ListFacetsCurrency]
    """
    Of the prices as shown, with the lowest and the highest in cents
    """
    regions: list[ListFacetsRegion]


class ListItemsResponseTotal(TypedDict):
    """
    With `total`: the items of all pages
    """

    count: int
    exact: bool
    """
    false: the numbers are at least so large
    """


class ListItemsResponseMergedItem(TypedDict):
    id: str
    merged_into: str


class ListItemsResponse(TypedDict):
    items: list[CanonicalItem]
    cursor: str | None
    """
    Send it as `cursor` for the next page; null when no page follows
    """
    meta: PublicApiMeta
    total: NotRequired[ListItemsResponseTotal]
    """
    With `total`: the items of all pages
    """
    facets: NotRequired[ListFacets]
    """
    With `facets`
    """
    not_found: NotRequired[list[str]]
    """
    With `ids`: those of no item, and of items that are gone
    """
    merged: NotRequired[list[ListItemsResponseMergedItem]]
    """
    With `ids`: those of merged items; the item into which they were merged is in `items`
    """


class FeedStateScopes(TypedDict):
    head: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
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
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
    """
    chain: NotRequired[str]
    """
    Chain of the scope at `seq`, with which a mirror goes on in a later generation
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
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
    """
    scopes: dict[str, FeedStateDigestScopes]


class FeedStateSnapshot(TypedDict):
    """
    The newest snapshot
    """

    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
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


class FeedStateSignature(TypedDict):
    key: str
    """
    Id of a key: the first 32 hex digits of the SHA-256 of its public key
    """
    signature: str
    """
    Ed25519, base64url
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
    catalog: NotRequired[str]
    """
    Id of this catalog, the same at every address and after every restore
    """
    signatures: NotRequired[list[FeedStateSignature]]
    """
    Signatures over the canonical JSON of the other members: docs/mirror-protocol.md
    """
    generated_at: NotRequired[str]
    """
    When this was said: at the last change, or at the begin of the hour
    """
    valid_until: NotRequired[str]
    """
    Who still gets this document then reads a stopped copy
    """
    keys: NotRequired[str]
    """
    Relative to the address of state.json
    """


class FeedKeysKey(TypedDict):
    id: str
    """
    Id of a key: the first 32 hex digits of the SHA-256 of its public key
    """
    public_key: str
    """
    Ed25519: 32 bytes, base64url
    """
    created_at: str
    signs_until: str | None
    """
    When it stops to sign; null for the present key
    """
    endorsements: list[FeedStateSignature]
    """
    Signatures over the canonical JSON of the other members: docs/mirror-protocol.md
    """


class FeedKeys(TypedDict):
    protocol: Literal["ccm/1"]
    catalog: str
    """
    Id of this catalog, the same at every address and after every restore
    """
    keys: list[FeedKeysKey]


class FeedDigest(TypedDict):
    protocol: Literal["ccm/1"]
    gen: str
    scope: str
    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
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
    catalog: NotRequired[str]
    """
    Id of this catalog, the same at every address and after every restore
    """
    signatures: NotRequired[list[FeedStateSignature]]
    """
    Signatures over the canonical JSON of the other members: docs/mirror-protocol.md
    """


class SnapshotIndexSnapshot(TypedDict):
    gen: str
    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
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


class MirrorsResponseMirrorLag(TypedDict):
    changes: int | None
    """
    Changes that it lacks, of the feed that lacks most; null: of another generation, or never seen
    """
    seconds: int | None
    """
    For how long it has been seen to lack any: 0 while it lacks none; null: nobody can tell
    """


class MirrorsResponseMirrorDigest(TypedDict):
    """
    The newest digest that it names, of its first feed
    """

    scope: str
    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
    """
    state_root: str
    """
    SHA-256, hexadecimal
    """
    is_equal: bool | None
    """
    True where our root at that number is the same; null where we no longer keep ours
    """


class MirrorsResponseMirrorLastError(TypedDict):
    """
    The newest failure to read it, also where it answered since; null: none
    """

    at: str
    details: str


class MirrorsResponseMirror(TypedDict):
    url: str
    """
    Base address, for `catalog mirror`: of an API with its /v1, or of a copy as plain files
    """
    gen: str | None
    """
    Generation that it is of; null before its first answer
    """
    scopes: list[str]
    """
    The feeds that it holds
    """
    lag: MirrorsResponseMirrorLag
    digest: MirrorsResponseMirrorDigest | None
    """
    The newest digest that it names, of its first feed
    """
    last_seen_at: str | None
    """
    When it last answered as the protocol says; null: never. The rest is as it was then
    """
    last_error: MirrorsResponseMirrorLastError | None
    """
    The newest failure to read it, also where it answered since; null: none
    """


class MirrorsResponse(TypedDict):
    checked_at: str | None
    """
    When they were last asked: some five minutes ago at most; null: not yet, or nobody can tell now
    """
    mirrors: list[MirrorsResponseMirror]


class JsonFeedItem(TypedDict):
    id: str
    url: NotRequired[str]
    title: str
    content_html: str
    date_modified: str
    tags: list[str]


class JsonFeed(TypedDict):
    """
    A JSON Feed 1.1
    """

    version: Literal["https://jsonfeed.org/version/1.1"]
    title: str
    home_page_url: str
    feed_url: str
    items: list[JsonFeedItem]


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
    Minor units of the currency: 485 of EUR are 4.85 euros
    """
    price_max: int
    """
    Minor units of the currency: 485 of EUR are 4.85 euros
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
    """
    Compares results of one answer:
    - 10 and more: the query says the GTIN or the reference of the item’s manufacturer
    - 3 to 7: the item has a code of the query
    - below 3: likeness in meaning, 0 to 1, and up to 1.05 for words, sizes and spelling in common
    """
    page_url: str
    """
    The page of the item for people, with the same prices
    """
    why: NotRequired[SearchReason]
    """
    Why it was found; with `explain`
    """


class SearchResponse(TypedDict):
    query: str
    results: list[FoundItem]
    mode: Literal["vector", "fallback_no_ai", "vector_no_match", "empty_embedding"]
    cursor: NotRequired[str]
    """
    Send it as `cursor` for the next page; absent at the end
    """
    facets: NotRequired[SearchFacets]
    """
    Values to filter by next; with `facets`
    """
    interpreted: NotRequired[Interpretation]
    """
    What the question was read as; with `explain`
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
    Minor units of the currency: 485 of EUR are 4.85 euros
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


class SourceLicence(TypedDict):
    """
    On which terms its publisher gives the prices away; null where nobody stated them
    """

    name: str | None
    """
    SPDX identifier, or the name that the publisher uses; null where none is named
    """
    terms: str | None
    """
    What the publisher says
    """
    url: str | None
    """
    Where that stands
    """
    redistribution: Literal["yes", "no", "unknown"]
    """
    Whether the terms allow passing the prices on; unknown: they do not say
    """
    commercial_use: Literal["yes", "no", "unknown"]
    """
    Whether the terms allow commercial use; unknown: they do not say
    """
    attribution: str | None
    """
    The words to show beside the prices
    """
    checked_on: str
    """
    The day on which a person read the terms
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
    validity: NotRequired[Literal["until_superseded"]]
    """
    Its prices hold until a newer edition of its list or a newer price; absent: by days alone
    """
    validity_days: int
    """
    Days for which an observation keeps its vote at most
    """
    enabled: bool
    """
    false: it has no votes
    """
    licence: SourceLicence | None
    """
    On which terms its publisher gives the prices away; null where nobody stated them
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
    Send it as `cursor` for the next page; null when no page follows
    """


class ListIndicesResponseIndicePublisher(TypedDict):
    """
    The office that publishes it; it need not be a source of prices
    """

    id: str
    name: str
    url: str | None


class ListIndicesResponseIndiceLast(TypedDict):
    period: str
    """
    A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
    """
    value: str
    """
    Exact decimal, as its publisher stated it
    """
    observed_at: str
    """
    When its publisher stated the value, or when it was read
    """


class ListIndicesResponseIndiceLicence(TypedDict):
    """
    On which terms its publisher gives it away; null where nobody stated them
    """

    name: str | None
    """
    SPDX identifier, or the name that the publisher uses; null where none is named
    """
    terms: str | None
    """
    What the publisher says
    """
    url: str | None
    """
    Where that stands
    """
    redistribution: Literal["yes", "no", "unknown"]
    """
    Whether the terms allow passing the prices on; unknown: they do not say
    """
    commercial_use: Literal["yes", "no", "unknown"]
    """
    Whether the terms allow commercial use; unknown: they do not say
    """
    attribution: str | None
    """
    The words to show beside the prices
    """
    checked_on: str
    """
    The day on which a person read the terms
    """


class ListIndicesResponseIndice(TypedDict):
    id: str
    """
    Index id: `idx_` and a unique suffix
    """
    publisher: ListIndicesResponseIndicePublisher
    """
    The office that publishes it; it need not be a source of prices
    """
    series: str
    """
    The publisher’s own code of the series
    """
    title: str
    region: str | None
    """
    A country, a subdivision of one (ISO 3166-2), EU or LATAM
    """
    base: str | None
    """
    The base, as its publisher writes it
    """
    frequency: Literal["month", "quarter", "year"]
    point_count: int
    """
    Periods that have a value
    """
    first_period: str
    """
    A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
    """
    last: ListIndicesResponseIndiceLast
    licence: ListIndicesResponseIndiceLicence | None
    """
    On which terms its publisher gives it away; null where nobody stated them
    """


class ListIndicesResponse(TypedDict):
    indices: list[ListIndicesResponseIndice]
    cursor: str | None
    """
    Send it as `cursor` for the next page; null when no page follows
    """


class IndexDetailPoint(TypedDict):
    period: str
    """
    A month, a quarter or a year: `2026-09`, `2026-Q3` or `2026`
    """
    value: str
    """
    Exact decimal, as its publisher stated it
    """
    observed_at: str
    """
    When its publisher stated the value, or when it was read
    """
    revisions: int
    """
    How often its publisher changed the value
    """
    point_id: str
    """
    SHA-256 of what was recorded, hexadecimal
    """


class IndexDetail(TypedDict):
    index: ListIndicesResponseIndice
    points: list[IndexDetailPoint]
    """
    By period; all of them, unless `from` or `to` chooses some
    """


class Incident(TypedDict):
    id: str
    title: str
    text: str | None
    """
    What happened, in plain text
    """
    impact: Literal["none", "degraded", "down"]
    """
    While it is open, the state is this at least
    """
    began_at: str
    ended_at: str | None
    """
    null: it is not over
    """


class StatusResponseDatabase(TypedDict):
    answers: bool
    away_seconds: int
    """
    For how long it has not answered; 0 while it does
    """


class StatusResponseCatalogRun(TypedDict):
    """
    The last finished run, which computed the medians; null before the first
    """

    id: str | None
    """
    null while only the copy knows of it
    """
    as_of: str
    finished_at: str | None
    """
    null: unknown
    """


class StatusResponseCatalogSnapshot(TypedDict):
    """
    The newest snapshot; null: there is none, or it is unknown
    """

    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
    """
    created_at: str


class StatusResponseCatalog(TypedDict):
    """
    While the database is away: as it was when it answered last
    """

    seq: int | None
    """
    Number of the newest change, as in the feeds; null: unknown
    """
    run: StatusResponseCatalogRun | None
    """
    The last finished run, which computed the medians; null before the first
    """
    snapshot: StatusResponseCatalogSnapshot | None
    """
    The newest snapshot; null: there is none, or it is unknown
    """


class StatusResponseProjections(TypedDict):
    """
    How far the tables are behind the log of recorded prices and decisions
    """

    records: int | None
    """
    Records that are missing; null: nobody can tell now
    """
    seconds: int | None
    """
    For how long this server has seen any missing: 0 while none is; null: nobody can tell now
    """


class StatusResponseReplicaLag(TypedDict):
    """
    How far it is behind the database
    """

    records: int | None
    """
    Records that are missing; null: nobody can tell now
    """
    seconds: int | None
    """
    For how long this server has seen any missing: 0 while none is; null: nobody can tell now
    """


class StatusResponseReplica(TypedDict):
    """
    The copy from which this server answers public reads; null: it has none
    """

    seq: int
    """
    Number of a change within its feed: 1, 2, 3 and so on, without a gap
    """
    lag: StatusResponseReplicaLag
    """
    How far it is behind the database
    """


class StatusResponseSearchLag(TypedDict):
    """
    How far it is behind the catalog
    """

    records: int | None
    """
    Records that are missing; null: nobody can tell now
    """
    seconds: int | None
    """
    For how long this server has seen any missing: 0 while none is; null: nobody can tell now
    """


class StatusResponseSearch(TypedDict):
    answers: bool
    seq: int | None
    """
    The newest change that it finds; null: unknown
    """
    lag: StatusResponseSearchLag
    """
    How far it is behind the catalog
    """


class StatusResponse(TypedDict):
    state: Literal["ok", "degraded", "down"]
    """
    ok; degraded: reads answer, and something does not; down: reads do not answer
    """
    problems: list[Literal["database_away", "database_read_only", "nothing_to_read", "replica_behind", "projections_behind", "search_away", "search_behind", "incident"]]
    """
    `database_away` (the database does not answer; what the copy of this server holds is served from there); `database_read_only` (the database takes no writes, so nothing new is recorded; reads go on); `nothing_to_read` (neither the database nor a copy of it answers); `replica_behind` (the copy of this server does not follow; the database answers instead); `projections_behind` (recorded prices wait for a long time until they show); `search_away` (search does not answer); `search_behind` (search does not find what changed lately); `incident` (the operator reports an incident that is not over)
    """
    checked_at: str
    """
    Some seconds ago at most
    """
    database: StatusResponseDatabase
    catalog: StatusResponseCatalog
    """
    While the database is away: as it was when it answered last
    """
    projections: StatusResponseProjections
    """
    How far the tables are behind the log of recorded prices and decisions
    """
    replica: StatusResponseReplica | None
    """
    The copy from which this server answers public reads; null: it has none
    """
    search: StatusResponseSearch
    incidents: list[Incident]
    """
    The newest first, at most 20
    """


class ListItemsQuery(TypedDict):
    """
    List canonical items
    """

    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    q: NotRequired[str]
    """
    Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning
    """
    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    limit: NotRequired[int]
    """
    Most items on a page, 1 to 100: more on a page need fewer requests. Absent: 50
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    lang: NotRequired[str]
    """
    Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline
    """
    sort: NotRequired[Literal["id", "updated", "-updated", "name", "price", "-price"]]
    """
    Order a list: `id` lists every item once, to copy the list; `updated` ascends by change, to follow it, and `-updated` shows the latest changes first. `name` orders by the name in the headline, without case and accents, by its first 100 characters. `price` and `-price` order by `median_price` as shown, within each currency, and need `currency` or `price_region`; items without a price come last. Equal ones are in the order of their ids, descending under `-updated` and `-price`
    """
    category_id: NotRequired[str]
    """
    Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none
    """
    unit: NotRequired[str]
    """
    Compare like with like: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Compare or sort prices: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids
    """
    price_min: NotRequired[int]
    """
    Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    price_max: NotRequired[int]
    """
    Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    updated_since: NotRequired[str]
    """
    Read only what is new since your last visit: items whose `updated_at` is this instant or later
    """
    gtin: NotRequired[str]
    """
    Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter
    """
    manufacturer_ref: NotRequired[str]
    """
    Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter
    """
    cpv: NotRequired[str]
    """
    Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none
    """
    ids: NotRequired[str]
    """
    Read many items in one request: these, at most 100 ids separated by commas: all on one page, in the order of the ids, each once. Merged items answer as the item into which they were merged (`merged`); ids of no item stand in `not_found`. No filter, `sort`, `cursor` or count beside it; `limit` does not matter
    """
    fields: NotRequired[str]
    """
    Read less: only these fields of each item, separated by commas. `id`, `name`, `vendor_count`, `observation_count`, `updated_at` are always there
    """
    total: NotRequired[Literal["true", "false", "1", "0"]]
    """
    Count first: also how many items the filters select, on all pages
    """
    facets: NotRequired[Literal["true", "false", "1", "0"]]
    """
    Offer filters: also how many of them are of each category, kind, unit, currency and region
    """
    category: NotRequired[str]
    """
    Shorter to type: another name of `category_id`
    """


class GetItemQuery(TypedDict):
    """
    Read one item with its vendors and prices
    """

    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    lang: NotRequired[str]
    """
    Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline
    """


class ExportItemsCsvQuery(TypedDict):
    """
    Items as a CSV file
    """

    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    q: NotRequired[str]
    """
    Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning
    """
    after: NotRequired[str]
    """
    Continue after this item: `Export-After`, `after` of the last line, or the last `id` that arrived whole. Exports ascend by `id`
    """
    limit: NotRequired[int]
    """
    Take a part: end after so many items. Absent: all
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    lang: NotRequired[str]
    """
    Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline
    """
    category_id: NotRequired[str]
    """
    Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none
    """
    unit: NotRequired[str]
    """
    Compare like with like: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Compare or sort prices: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids
    """
    price_min: NotRequired[int]
    """
    Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    price_max: NotRequired[int]
    """
    Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    updated_since: NotRequired[str]
    """
    Read only what is new since your last visit: items whose `updated_at` is this instant or later
    """
    gtin: NotRequired[str]
    """
    Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter
    """
    manufacturer_ref: NotRequired[str]
    """
    Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter
    """
    cpv: NotRequired[str]
    """
    Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none
    """
    category: NotRequired[str]
    """
    Shorter to type: another name of `category_id`
    """


class ExportItemsNdjsonQuery(TypedDict):
    """
    Items as NDJSON
    """

    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    See one market: only items that are sold in this region. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    q: NotRequired[str]
    """
    Filter a list by name: every word stands in it, letter by letter. `/search` finds by meaning
    """
    after: NotRequired[str]
    """
    Continue after this item: `Export-After`, `after` of the last line, or the last `id` that arrived whole. Exports ascend by `id`
    """
    limit: NotRequired[int]
    """
    Take a part: end after so many items. Absent: all
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    lang: NotRequired[str]
    """
    Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline
    """
    category_id: NotRequired[str]
    """
    Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none
    """
    unit: NotRequired[str]
    """
    Compare like with like: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Compare or sort prices: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids
    """
    price_min: NotRequired[int]
    """
    Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    price_max: NotRequired[int]
    """
    Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    updated_since: NotRequired[str]
    """
    Read only what is new since your last visit: items whose `updated_at` is this instant or later
    """
    gtin: NotRequired[str]
    """
    Find a product by its code: only items of which a vendor says this GTIN (EAN, UPC); leading zeros do not matter
    """
    manufacturer_ref: NotRequired[str]
    """
    Find a product by its maker's code: only items of which a vendor says this manufacturer's reference, with the brand where vendors write it there; case, blanks and punctuation do not matter
    """
    cpv: NotRequired[str]
    """
    Narrow to a procurement class: only items whose `cpv` begins so: `45` a division, `4526` a class, `45262311` a category with or without its check digit. Items without a code are in none
    """
    category: NotRequired[str]
    """
    Shorter to type: another name of `category_id`
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


GetItemDiffQuery = TypedDict(
    "GetItemDiffQuery",
    {
        "from": str,
        "to": NotRequired[str],
    },
)


class GetItemDecompositionQuery(TypedDict):
    """
    Break a work down into what it is made of
    """

    depth: NotRequired[int]
    """
    See the outline or every detail: how many levels of lines to answer with
    """
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Cost the work in one market: recipes of this region go first, and medians are its own
    """
    quantity: NotRequired[str]
    """
    Cost your own amount: how much of the unit of the recipe
    """
    source: NotRequired[str]
    """
    Choose between several recipes: the one of the source of this id
    """


class SearchQuery(TypedDict):
    """
    Search items in any language
    """

    q: str
    """
    What you look for, in any language: words, a size, an article number, a GTIN or a whole question
    """
    limit: NotRequired[int]
    """
    Most results on a page, 1 to 50: more on a page need fewer requests. Absent: 10
    """
    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Search one market: only items that are sold in this region
    """
    category_id: NotRequired[str]
    """
    Narrow to a branch of the tree: only items in the category of this id, or in any below it. `/categories` lists the ids
    """
    kind: NotRequired[Literal["material", "labour", "machinery", "hire", "work"]]
    """
    Keep works out of a list of materials, or the reverse: only items of this kind. Items whose texts do not say their kind have none
    """
    unit: NotRequired[str]
    """
    Compare like with like: only items sold in this unit; `m2` finds `m²`
    """
    currency: NotRequired[str]
    """
    Compare or sort prices: only items whose `median_price` as shown is in this currency
    """
    source: NotRequired[str]
    """
    See what one vendor sells: only items that have a vendor SKU of the source of this id. `/sources` lists the ids
    """
    price_min: NotRequired[int]
    """
    Leave out cheaper items: the lowest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    price_max: NotRequired[int]
    """
    Leave out dearer items: the highest `median_price.cents` as shown, in cents of `currency`, which it needs
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Ask for the money of one market: `median_price` is the median of this region, or null where it has none, and `name` the one that its vendors use. Absent: the headline, in the currency with the most trust. Also a subdivision by ISO 3166-2, such as BR-SP, of AR, BR, CL, CO, ES, GB, IT, MX, PE, US
    """
    lang: NotRequired[str]
    """
    Show names in this language: `name` is the one that vendors use in it, in the market of `price_region` if there is one. Absent, or no such name: the headline
    """
    facets: NotRequired[Literal["true", "false", "1", "0"]]
    """
    Offer filters to your users: also counts the results by category, kind, unit, currency and source
    """
    explain: NotRequired[Literal["true", "false", "1", "0"]]
    """
    Understand a surprising result: also says what the question was read as, and why each result was found
    """
    category: NotRequired[str]
    """
    Shorter to type: another name of `category_id`
    """


class ListCategoriesQuery(TypedDict):
    """
    Browse the tree of categories
    """

    parent: NotRequired[str]
    """
    Go one level down: the categories below the one of this id. Absent: the roots
    """
    tree: NotRequired[Literal[True, False]]
    """
    Load the whole tree at once: `true` lists all levels below, by id, and each category names its parent
    """
    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    limit: NotRequired[int]
    """
    Most categories on a page, 1 to 100: more on a page need fewer requests. Absent: 50
    """


class GetCategoryChangesQuery(TypedDict):
    """
    Compare the medians of categories over time
    """

    days: NotRequired[Literal[7, 30, 90, 365]]
    """
    How far back to compare, in days. Absent: 90
    """
    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Follow one market: compare the medians of this region. Absent: the headlines
    """


class ListSourcesQuery(TypedDict):
    """
    List the sources of the prices
    """

    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    limit: NotRequired[int]
    """
    Most sources on a page, 1 to 100: more on a page need fewer requests. Absent: 50
    """


class ListIndicesQuery(TypedDict):
    """
    List the official price indices
    """

    region: NotRequired[str]
    """
    See the indices of one country with those of its subdivisions, of one subdivision, or of EU or LATAM as a whole
    """
    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    limit: NotRequired[int]
    """
    Most indices on a page, 1 to 100: more on a page need fewer requests. Absent: 50
    """


GetIndexQuery = TypedDict(
    "GetIndexQuery",
    {
        "from": NotRequired[str],
        "to": NotRequired[str],
    },
)


class GetItemsAtomQuery(TypedDict):
    """
    Follow all changed items, Atom
    """

    since: NotRequired[int]
    """
    Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes
    """
    gen: NotRequired[str]
    """
    Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun
    """
    limit: NotRequired[int]
    """
    Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people
    """


class GetItemsRssQuery(TypedDict):
    """
    Follow all changed items, RSS
    """

    since: NotRequired[int]
    """
    Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes
    """
    gen: NotRequired[str]
    """
    Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun
    """
    limit: NotRequired[int]
    """
    Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people
    """


class GetRegionAtomQuery(TypedDict):
    """
    Follow the changed items of one region, Atom
    """

    since: NotRequired[int]
    """
    Continue where you stopped: the changes after this number of the feed, ascending; 304 when there are none. 0 begins at the first. Absent: the newest changes
    """
    gen: NotRequired[str]
    """
    Notice that the numbers began anew: the generation of the number in `since`, as state.json gives it; 409 when another one has begun
    """
    limit: NotRequired[int]
    """
    Read less at once. With `since`: at most so many changes, 1000 unless given. Without it: only the newest so many items, at most 100, in words for feed readers, without changes that mean nothing to people
    """


class GetItemsJsonFeedQuery(TypedDict):
    """
    Follow the newest changed items, JSON Feed
    """

    limit: NotRequired[int]
    """
    Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20
    """


class GetRegionJsonFeedQuery(TypedDict):
    """
    Follow the newest changed items of one region, JSON Feed
    """

    limit: NotRequired[int]
    """
    Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20
    """


class GetFeedStateQuery(TypedDict):
    """
    Read where all feeds stand
    """

    wait: NotRequired[int]
    """
    Hear of a change at once: with If-None-Match of the present state, the answer comes when it changes, or is 304 after so many seconds. It counts once, however long it takes. The server may answer earlier
    """


class GetItemFeedQuery(TypedDict):
    """
    The price changes of one item, Atom, RSS or JSON Feed
    """

    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    The prices of this market; absent: the headline
    """
    limit: NotRequired[int]
    """
    Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20
    """


class GetCategoryFeedQuery(TypedDict):
    """
    The last price changes in a category, Atom, RSS or JSON Feed
    """

    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    The prices of this market; absent: the headline
    """
    limit: NotRequired[int]
    """
    Most entries on a page, 1 to 100: more on a page need fewer requests. Absent: 20
    """


class ListEditionItemsQuery(TypedDict):
    """
    The items of an edition
    """

    cursor: NotRequired[str]
    """
    Read the next page: the `cursor` of the page before, with the same filters. Absent: the first page
    """
    limit: NotRequired[int]
    """
    Most items on a page, 1 to 100: more on a page need fewer requests. Absent: 50
    """


class GetEditionItemQuery(TypedDict):
    """
    An item of an edition, to be cited
    """

    price_region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Cite the median of this region; absent: the headline
    """


class GetItemDecompositionBc3Query(TypedDict):
    """
    The recipe of an item as a price book
    """

    region: NotRequired[Literal["ES", "US", "AR", "MX", "CL", "CO", "PE", "BR", "UY", "GB", "EU", "LATAM"]]
    """
    Cost the work in one market: recipes of this region go first, and medians are its own
    """
    source: NotRequired[str]
    """
    Choose between several recipes: the one of the source of this id
    """
