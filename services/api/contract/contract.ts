import { ERRORS } from '@catalog/api/http/errors.ts'
import { CrawlOutcome } from '@catalog/core/events/crawls.ts'
import { REGIONS } from '@catalog/core/events/sources.ts'
import { instant } from '@catalog/core/time.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { z } from 'zod'

/**
 * Every shape on the wire, once: requests are validated, answers are tested and the OpenAPI document is made from these.
 * Names and fields are the specification's; what is additive says so.
 */

const Id = (prefix: string, what: string) =>
  z.string().meta({
    description: `${what}: \`${prefix}\` and a unique suffix`,
    examples: [`${prefix}4pkz6qjxw2h7mtd3ruvy5cnaeo`],
  })
const Instant = z.iso.datetime()
const Count = z.int().min(0)
const Currency = z.string().meta({ description: 'ISO 4217 code', examples: ['EUR'] })
const Cents = z.int().meta({ description: 'Minor units of the currency' })

// Resources (SPEC §2) -------------------------------------------------------------------------------------------------

export const CanonicalItem = z
  .strictObject({
    id: Id('ci_', 'Item id'),
    name: z.string(),
    unit: z
      .string()
      .nullish()
      .meta({ description: 'Unit of measure with its pack', examples: ['25 kg'] }),
    cpv: z.string().nullish().meta({ description: 'EU procurement code; present only when a source gave one' }),
    category_id: z.string().nullish(),
    vendor_count: Count,
    observation_count: Count,
    median_price: z
      .strictObject({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
      .nullish()
      .meta({ description: 'Trust-weighted median, recomputed nightly; null while no price is eligible' }),
    updated_at: Instant,
  })
  .meta({ id: 'CanonicalItem' })

export const VendorObservation = z
  .strictObject({
    vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
    source: z.strictObject({
      name: z.string(),
      region: z.string().nullable(),
      trust_score: z.int().min(0).max(100),
      url: z.string().nullable(),
    }),
    price: z.strictObject({ cents: Cents, currency: Currency }),
    unit: z
      .string()
      .nullable()
      .meta({ description: 'What the price buys, as observed', examples: ['bag', '100 m'] }),
    observed_at: Instant,
  })
  .meta({ id: 'VendorObservation' })

export const PriceHistoryPoint = z
  .strictObject({ recorded_at: Instant, price_cents: Cents, currency: Currency })
  .meta({ id: 'PriceHistoryPoint' })

export const PublicApiMeta = z
  .strictObject({
    tier: z.enum(['anon', 'public_dev', 'org']),
    rate_limit_per_min: z.int().meta({ description: 'The per-minute limit of the caller' }),
  })
  .meta({ id: 'PublicApiMeta' })

export const ErrorBody = z
  .strictObject({
    error: z.string().meta({
      description: `A stable code: ${Object.entries(ERRORS)
        .map(([code, { status, meaning }]) => `\`${code}\` (${status}, ${meaning})`)
        .join('; ')}`,
      examples: ['invalid_parameter'],
    }),
    details: z.string().optional().meta({ description: 'For a person: what was found and what is allowed' }),
    retry_after_seconds: z.int().min(1).optional().meta({ description: 'Equal to the header Retry-After' }),
  })
  .meta({ id: 'Error' })

export const PricingTier = z
  .strictObject({
    tier: z.enum(['free']),
    display_name: z.string(),
    price_usd_month: z.number(),
    rate_limit_per_min: z.int(),
    monthly_request_cap: z.int(),
    features: z.array(z.string()),
  })
  .meta({ id: 'PricingTier' })

/** Additive: one node of the category tree. */
export const Category = z
  .strictObject({
    id: Id('cat_', 'Category id'),
    name: z.string(),
    parent_id: z.string().nullable().meta({ description: 'null for a root' }),
    item_count: Count.meta({ description: 'Items in the category and in all below it' }),
  })
  .meta({ id: 'Category' })

const categoryShape = Category.shape

/** Additive: a category and where it stands in the tree. */
export const CategoryDetail = z
  .strictObject({
    ...categoryShape,
    path: z.array(z.strictObject({ id: categoryShape.id, name: z.string() })).meta({
      description: 'From the root to the parent; empty for a root',
    }),
    children: z.array(Category).meta({ description: 'The first 100, by id' }),
    children_cursor: z
      .string()
      .nullable()
      .meta({ description: 'For `/categories?parent=` with this id, where there are more; null where there are not' }),
  })
  .meta({ id: 'CategoryDetail' })

const ofSkus = (description: string) =>
  Count.nullable().meta({ description: `${description}; null when it was not compared` })
const share = z.number().min(0).max(1).nullable()

/**
 * Additive: how one crawl of a source went. It has no name in the document: its place there is older than it is, and a
 * reference in the place of a shape is a change of type to those who generate clients.
 */
export const Crawl = z.strictObject({
  id: z.string().meta({ description: 'Crawl id' }),
  started_at: Instant.nullable().meta({ description: 'When fetching began; null for a file, which is not fetched' }),
  finished_at: Instant.meta({
    description: 'When its end was recorded; of one that a person accepted or dropped, when that was',
  }),
  outcome: z.enum(CrawlOutcome.options).meta({
    description:
      'recorded: what it read counts. unchanged: the vendor’s server said that nothing changed. failed: nothing could be ' +
      'fetched. held: it looks unlike the crawls before and waits for a person. dropped: it waited and was let go',
  }),
  complete: z.boolean().meta({ description: 'false: it did not come to its end, or too many documents did not come' }),
  partial: z.boolean().meta({ description: 'true: only what changed since the last complete crawl was fetched' }),
  read: Count.meta({
    description:
      'Candidate observations: appended, duplicates and parked together. For one that is held or was dropped all four ' +
      'say what recording it would have given',
  }),
  appended: Count.meta({ description: 'Those that were recorded' }),
  duplicates: Count.meta({ description: 'Those that repeat another of the crawl in everything' }),
  parked: Count.meta({ description: 'Those that could not be recorded' }),
  parse_rate: share.meta({ description: '(appended + duplicates) / read; null when nothing was read' }),
  missed: Count.meta({ description: 'Documents that did not come' }),
  known: ofSkus('SKUs of the complete crawl that it was compared with'),
  vanished: ofSkus('Those of the known SKUs that did not come again'),
  changed: ofSkus('Those of the known SKUs that came again with another price'),
  changed_share: share.meta({ description: 'changed / (known - vanished); null when no known SKU came again' }),
  drift: share.meta({
    description:
      'Greatest fall of the share of records that have one field, since the crawl that it was compared with: 0 when the ' +
      'layout is what it was; null when it was not compared',
  }),
  problems: z.array(z.string()).meta({
    description: 'Codes of what was found wrong, each once; empty when nothing was',
    examples: [['NOT_FETCHED']],
  }),
})

/** Additive: whose prices are observed. */
export const Source = z
  .strictObject({
    id: Id('src_', 'Source id'),
    name: z.string(),
    region: z.string().nullable(),
    url: z.string().nullable(),
    kind: z.enum(['shop', 'bid', 'bank']).meta({ description: 'A shop, bids in tenders, or a price bank' }),
    trust_score: z.int().min(0).max(100).meta({ description: 'The weight of its votes at present' }),
    validity_days: z.int().min(1).meta({ description: 'Days for which an observation keeps its vote' }),
    enabled: z.boolean().meta({ description: 'false: it has no votes' }),
    vendor_sku_count: Count,
    observation_count: Count.meta({ description: 'All that were recorded, those taken back since too' }),
    last_observed_at: Instant.nullable().meta({
      description: 'How fresh its prices are; counts are a minute old at most',
    }),
    last_crawl: Crawl.nullable().meta({ description: 'The newest one, however it ended; null when there was none' }),
    last_complete_crawl: Crawl.nullable().meta({
      description:
        'The newest one that was recorded with everything that the source has to say; null when there was none',
    }),
    held_crawl: z
      .string()
      .nullable()
      .meta({ description: 'The newest crawl that waits for a person to accept or drop it; null when none waits' }),
  })
  .meta({ id: 'Source' })

const SingleVoter = z.boolean().meta({ description: 'true: the price rests on one vendor alone' })
const MoneyAmount = z.strictObject({ cents: Cents, currency: Currency })
const Run = z.string().meta({ description: 'Run id' })

/** Additive: the median of each region. */
export const ItemMarketsResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    run_id: Run,
    as_of: Instant.meta({ description: 'Of the run that published the item last; later ones found no difference' }),
    markets: z.array(
      z.strictObject({
        region: z.string(),
        median_price: z
          .strictObject({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
          .nullable()
          .meta({ description: 'In the currency that carries most trust there; null while no price is eligible' }),
        vendor_count: Count.meta({ description: 'Vendors that sell it there, with an eligible price or without' }),
        voters: Count.meta({ description: 'Vendors whose prices make the median' }),
        single_voter: SingleVoter,
      }),
    ),
  })
  .meta({ id: 'ItemMarketsResponse' })

/** The reasons that the median gives, and what each means to a reader. */
const EXCLUSIONS = {
  SOURCE_DISABLED: 'the source is switched off',
  NO_TRUST: 'the source has a trust of 0',
  EXPIRED: 'older than the source’s prices are valid',
  OTHER_CURRENCY: 'not in the currency of the headline; it may decide a market',
  UNIT_MISMATCH: 'its unit does not convert to the item’s',
  PRICE_FENCE: 'too far from the price of the same SKU before',
  QUARANTINED: 'a person excluded it',
  NOT_POSITIVE: 'no price above zero',
  PRICE_OUT_OF_RANGE: 'too large to be a price per unit of the item',
}

const named = {
  vendor_ref: z.string().nullable().meta({ description: 'The vendor’s own reference; null when it is not known' }),
  vendor_sku_name: z.string().nullable().meta({ description: 'What the vendor calls it' }),
  source_id: z.string().nullable(),
  source_name: z.string().nullable(),
}

/** Additive: what a median rests on. The command `catalog explain` prints the same. */
export const ItemBasisResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    name: z.string(),
    unit: z.string().nullable(),
    merged_into: z.string().nullable(),
    run_id: Run.nullable().meta({ description: 'The run that found this; null for what no run has found' }),
    as_of: Instant,
    median: MoneyAmount.nullable(),
    markets: z.array(z.strictObject({ region: z.string(), median: MoneyAmount.nullable(), vendor_count: Count })),
    vendor_sku_ids: z.array(z.string()),
    basis: z.strictObject({
      method_version: z.string().meta({ examples: ['twm/1'] }),
      currency: Currency.nullable(),
      voters: Count.meta({ description: 'Votes in the headline' }),
      single_voter: SingleVoter,
      note: z.string().nullable().meta({ description: 'For a person: what to keep in mind of the price' }),
      trust_total: Count.meta({ description: 'The trust of the voters together' }),
      p25: Cents.nullable(),
      p75: Cents.nullable(),
      last_observed_at: Instant.nullable(),
      votes: z.array(
        z.strictObject({
          vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
          ...named,
          observation_id: z.string().meta({ description: 'SHA-256 of what was observed, hexadecimal' }),
          price: z.string().meta({
            description: 'Exact minor units per unit of the item, net of tax where its rate is known',
            examples: ['48500/121'],
          }),
          price_cents: Cents.meta({ description: 'The same, rounded' }),
          currency: Currency,
          trust: z.int().min(0).max(100).meta({ description: 'The weight of the vote' }),
          observed_at: Instant,
          markets: z.array(z.string()).meta({ description: 'Regions whose median it takes part in' }),
        }),
      ),
      excluded: z.array(
        z.strictObject({
          id: z.string().meta({ description: 'Of an observation, or of a vendor SKU' }),
          reason: z.string().meta({
            description: `Why it has no vote: ${Object.entries(EXCLUSIONS)
              .map(([reason, meaning]) => `\`${reason}\` (${meaning})`)
              .join('; ')}`,
            examples: ['EXPIRED'],
          }),
          vendor_sku_id: z.string().nullable(),
          ...named,
        }),
      ),
    }),
  })
  .meta({ id: 'ItemBasisResponse' })
export type ItemBasis = z.infer<typeof ItemBasisResponse>

/** Exact, as text: FIEBDC's prices have more decimals than cents, and no float has passed them. */
const DecimalText = z.string().meta({ description: 'Plain decimal', examples: ['2.06'] })

const LinkedItem = z.strictObject({
  id: Id('ci_', 'Item id'),
  name: z.string(),
  unit: z.string().nullish(),
  median_price: CanonicalItem.shape.median_price,
})

/** Additive: one line of a recipe, and below an auxiliary those of its own. */
const DecompositionLine = z
  .strictObject({
    position: Count.meta({ description: 'In its recipe, from 1' }),
    kind: z.enum(['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']).meta({
      description: 'auxiliary: has a recipe of its own; percentage: of the amounts before it',
    }),
    code: z.string().meta({ description: 'The vendor’s own reference', examples: ['M001'] }),
    name: z.string(),
    unit: z.string().nullable(),
    factor: DecimalText,
    yield: DecimalText.meta({ description: 'For one unit of what the recipe makes' }),
    quantity: DecimalText.meta({
      description: 'For the asked quantity of the item; of a percentage its rate per 1',
    }),
    unit_price: DecimalText.nullable().meta({ description: 'In the currency of the recipe; null where none is known' }),
    price_basis: z
      .enum(['file', 'recipe'])
      .nullable()
      .meta({ description: 'file: as the file has it; recipe: computed from what is below, since the file has none' }),
    base_amount: DecimalText.nullable().meta({ description: 'Of a percentage: what it is a part of' }),
    amount: DecimalText.nullable(),
    item: LinkedItem.nullable().meta({ description: 'The item that the component is matched with' }),
    now: z
      .strictObject({
        basis: z.enum(['item', 'components']).meta({
          description:
            'item: by the item’s median, converted to the line’s unit; components: by those of what is below',
        }),
        unit_price: DecimalText.nullable(),
        amount: DecimalText,
      })
      .nullable()
      .meta({ description: 'What it costs today; null where no median tells' }),
    get children() {
      return z.array(DecompositionLine)
    },
    omitted: z.enum(['depth', 'size', 'cycle']).nullable().meta({
      description: 'Why an auxiliary is shown without its lines: deeper than `depth`, too many, or inside of itself',
    }),
  })
  .meta({ id: 'DecompositionLine' })
export type DecompositionLine = z.infer<typeof DecompositionLine>

const RecipeHead = z
  .strictObject({
    vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
    vendor_ref: z.string(),
    unit: z.string().nullable().meta({ description: 'What the recipe makes one of' }),
    currency: Currency,
    declared_price: DecimalText.nullable().meta({ description: 'null: the file leaves the price to its recipe' }),
    observed_at: Instant,
    source: z.strictObject({
      id: Id('src_', 'Source id'),
      name: z.string(),
      region: z.string().nullable(),
      trust_score: z.int().min(0).max(100),
      url: z.string().nullable(),
    }),
  })
  .meta({ id: 'RecipeHead' })

const amountsByKind = {
  labor: DecimalText,
  machinery: DecimalText,
  material: DecimalText,
  auxiliary: DecimalText,
  percentage: DecimalText,
  waste: DecimalText,
  unclassified: DecimalText,
}

/** Additive: what an item is made of. */
export const DecompositionResponse = z
  .strictObject({
    item: LinkedItem,
    recipe: RecipeHead,
    alternatives: z.array(RecipeHead).meta({ description: 'Other recipes of the item: `source` chooses one' }),
    region: z.string().nullable(),
    quantity: DecimalText,
    lines: z.array(DecompositionLine),
    totals: z
      .strictObject({
        ...amountsByKind,
        indirect: DecimalText.meta({ description: 'Indirect cost on the lines, and what rounding the total adds' }),
        total: DecimalText,
      })
      .meta({ description: 'Of the lines, by kind, for the asked quantity' }),
    resources: z.strictObject(amountsByKind).meta({
      description:
        'The lines with auxiliaries resolved into what they are made of, without indirect cost; `auxiliary` is what could not be',
    }),
    computed_price: DecimalText.nullable().meta({
      description: 'Of one unit, by its lines and the rule; null where one has no price',
    }),
    difference: DecimalText.nullable().meta({ description: 'computed_price − declared_price' }),
    reconciles: z.boolean().nullable().meta({
      description: 'Whether the declared price is that of the recipe, within one unit of its last decimal',
    }),
    rule: z.string().meta({
      description:
        'How the price is computed: by the rule that most recipes of the file are found to follow. Decimals of the lines, then, where there are such, indirect cost in per cent, other decimals of the total, percentages that are prices',
      examples: ['line_rounded_2', 'line_rounded_2_with_ci_5_total_0', 'unrounded'],
    }),
    now: z
      .strictObject({
        total: DecimalText.meta({ description: 'At today’s medians, other lines at the file’s prices' }),
        at_file_prices: DecimalText.meta({ description: 'The part of the total that is still at the file’s prices' }),
        priced_lines: Count.meta({ description: 'Lines, percentages aside, that a median prices, at least in part' }),
        lines: Count.meta({ description: 'Lines, percentages aside' }),
      })
      .nullable()
      .meta({ description: 'In the currency of the recipe; null where no median prices any line' }),
    warnings: z.array(z.string()).meta({ description: 'For a person: what to keep in mind of the numbers' }),
    truncated: z.boolean().meta({ description: 'Some lines are left out: see `omitted`' }),
  })
  .meta({ id: 'Decomposition' })
export type Decomposition = z.infer<typeof DecompositionResponse>

// Envelopes (SPEC §2.7) -----------------------------------------------------------------------------------------------

const NextCursor = z.string().nullable().meta({ description: 'Opaque; null when no page follows' })

export const ListItemsResponse = z
  .strictObject({ items: z.array(CanonicalItem), cursor: NextCursor, meta: PublicApiMeta })
  .meta({ id: 'ListItemsResponse' })

export const ItemDetailResponse = z
  .strictObject({
    item: CanonicalItem,
    vendors: z.array(VendorObservation).meta({ description: 'The latest price of each vendor, live' }),
    price_history: z.array(PriceHistoryPoint).meta({ description: '90 days of medians, ascending' }),
  })
  .meta({ id: 'ItemDetailResponse' })
export type ItemDetail = z.infer<typeof ItemDetailResponse>

export const SEARCH_MODES = ['vector', 'fallback_no_ai', 'vector_no_match', 'empty_embedding'] as const

const SearchResult = CanonicalItem.extend({ score: z.number().min(0) }).meta({ id: 'SearchResult' })
export const SearchResponse = z
  .strictObject({
    query: z.string(),
    results: z.array(SearchResult),
    mode: z.enum(SEARCH_MODES),
  })
  .meta({ id: 'SearchResponse' })

const LineEvidence = z
  .strictObject({
    words: z.number().min(0).max(1).meta({ description: 'Share of the words that the name has, in whatever language' }),
    meaning: z.number().min(0).max(1).meta({ description: 'Likeness in meaning; 0 where it was found by words alone' }),
    sizes: z.enum(['equal', 'unknown', 'none']).meta({
      description: 'Every size of the line is the item’s; the item says nothing of one; the line has none',
    }),
    unit: z.enum(['equal', 'convertible', 'unknown']).meta({ description: 'Of the line, beside the item’s' }),
  })
  .meta({ id: 'LineEvidence' })

export const LINE_STATUSES = ['matched', 'ambiguous', 'unmatched'] as const
export const LINE_REASONS = ['nothing_near', 'size_differs', 'designation_differs', 'unit_differs'] as const

/** Additive: lines of a list of materials with the items that they mean. */
export const MatchResponse = z
  .strictObject({
    lines: z.array(
      z.strictObject({
        text: z.string(),
        status: z.enum(LINE_STATUSES).meta({
          description: 'ambiguous: `item` is the first of several that fit alike, or leaves a size or unit open',
        }),
        reason: z.enum(LINE_REASONS).nullable().meta({ description: 'Of an unmatched line: what the nearest lacks' }),
        item: SearchResult.nullable().meta({ description: 'Its score is 0 to 1: how sure the match is' }),
        evidence: LineEvidence.nullable(),
        cost: z.strictObject({ cents: Cents, currency: Currency }).nullable().meta({
          description: 'Of the quantity at the median price; null where quantity, price or the units do not tell',
        }),
        alternatives: z.array(z.strictObject({ item: SearchResult, evidence: LineEvidence })),
      }),
    ),
    matched: Count,
    ambiguous: Count,
    unmatched: Count,
    mode: z.enum(['vector', 'fallback_no_ai']).meta({ description: 'fallback_no_ai: found by words alone' }),
  })
  .meta({ id: 'MatchResponse' })
export type MatchResponse = z.infer<typeof MatchResponse>

export const PricingResponse = z
  .strictObject({ tiers: z.array(PricingTier), plan_url: z.string(), note: z.string(), docs: z.string() })
  .meta({ id: 'PricingResponse' })

export const UsageResponse = z
  .strictObject({
    tier: z.string(),
    rate_limit_per_min: z.int(),
    monthly_cap: z.int(),
    monthly_used: z.int().meta({ description: 'Of an organization key: by all keys of its workspace' }),
    monthly_remaining: z.int(),
    reset_at: Instant.meta({ description: 'The first of the next month, UTC' }),
    upgrade_url: z.string(),
  })
  .meta({ id: 'UsageResponse' })

export const CreateDeveloperKeyResponse = z
  .strictObject({
    key: z.string().meta({
      description: 'The key, shown this once',
      examples: ['svc_pub_7Jq2XbT0c9LmZrV4kYpWn8sGdHf1aE3eo2Bq'],
    }),
    rate_limit_per_min: z.int(),
    tier: z.string(),
    docs: z.string(),
    note: z.string(),
  })
  .meta({ id: 'CreateDeveloperKeyResponse' })

export const RevokeKeyResponse = z
  .strictObject({ revoked: z.boolean(), id: z.string().meta({ description: 'The key’s id' }) })
  .meta({ id: 'RevokeKeyResponse' })

/** Additive: the price of an item over all time, or some of it. */
export const ItemHistoryResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    price_region: z.string().nullable().meta({ description: 'null: the headline' }),
    points: z
      .array(z.strictObject({ recorded_at: Instant, price_cents: Cents.nullable(), currency: Currency.nullable() }))
      .meta({ description: 'Where the median changed, ascending; null: from then on there was no price' }),
    cursor: NextCursor,
  })
  .meta({ id: 'ItemHistoryResponse' })

export const ListSourcesResponse = z
  .strictObject({ sources: z.array(Source), cursor: NextCursor })
  .meta({ id: 'ListSourcesResponse' })

export const ListCategoriesResponse = z
  .strictObject({ categories: z.array(Category), cursor: NextCursor })
  .meta({ id: 'ListCategoriesResponse' })

const Seq = Count.meta({ description: 'Number of a change within its scope' })
const Sha256 = z.string().meta({ description: 'SHA-256, hexadecimal' })
const Address = z.string().meta({ description: 'Relative to the address of state.json' })

/** Additive: where the feeds stand, for whoever keeps a copy of the catalog. */
export const FeedStateResponse = z
  .strictObject({
    protocol: z.literal('ccm/1'),
    gen: z.string().meta({ description: 'Generation of all numbers and chains; another one says nothing of it' }),
    page_size: z.int().min(1).meta({ description: 'Changes on a closed page' }),
    updated: Instant.nullable().meta({ description: 'Of the newest change; null before the first' }),
    scopes: z
      .record(
        z.string(),
        z.strictObject({
          head: Seq,
          chain: Sha256,
          floor: Count.meta({ description: 'Changes up to this number are no longer kept' }),
          closed: Count.meta({ description: 'Closed pages' }),
          subscription: Address,
          archive: z.string().meta({ description: 'The address of a closed page, with its number for {page}' }),
        }),
      )
      .meta({ description: '`items`, and `region/ES` and so on for every region' }),
    digest: z
      .strictObject({
        mark: Seq,
        scopes: z.record(z.string(), z.strictObject({ seq: Seq, state_root: Sha256, url: Address })),
      })
      .nullable()
      .meta({ description: 'At the end of the newest run that has one' }),
    snapshot: z
      .strictObject({
        seq: Seq,
        created_at: Instant,
        count: Count,
        bytes: Count,
        url: Address,
        sha256: Sha256.meta({ description: 'Of the bytes of the manifest' }),
      })
      .nullable()
      .meta({ description: 'The newest' }),
  })
  .meta({ id: 'FeedState' })

/** Additive: the state of a scope in 256 hashes. */
export const DigestResponse = z
  .strictObject({
    protocol: z.literal('ccm/1'),
    gen: z.string(),
    scope: z.string().meta({ examples: ['items', 'region/ES'] }),
    seq: Seq,
    count: Count.meta({ description: 'Items in the scope' }),
    state_root: Sha256.meta({ description: 'SHA-256 of all bucket hashes, one after another' }),
    buckets: z.array(Sha256).meta({
      description:
        'Of bucket 0 to 255: SHA-256 over its ids in ascending byte order of (id, 0x00, SHA-256 of the state)',
    }),
  })
  .meta({ id: 'FeedDigest' })

/** Additive: the snapshots that are kept. */
export const SnapshotIndexResponse = z
  .strictObject({
    protocol: z.literal('ccm/1'),
    snapshots: z.array(
      z.strictObject({
        gen: z.string(),
        seq: Seq,
        created_at: Instant,
        edition: z
          .string()
          .nullable()
          .meta({ description: 'The month whose first it is: kept for ever', examples: ['2026-11'] }),
        count: Count.meta({ description: 'Items in it' }),
        bytes: Count.meta({ description: 'Of its shards together' }),
        url: z.string().meta({ description: 'Of its manifest, relative to the address of this list' }),
        sha256: Sha256.meta({ description: 'Of the bytes of the manifest' }),
      }),
    ),
  })
  .meta({ id: 'SnapshotIndex' })

// Parameters (SPEC §4); what is not named here is ignored ---------------------------------------------------------------

/** In any case of letters; documented in the specification's. */
const Region = (description: string) => {
  const expected = `expected one of ${REGIONS.join(', ')}`
  return z
    .string(expected)
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(REGIONS, expected))
    .meta({ description, enum: [...REGIONS] })
}

const IntegerIn = ({ min, max }: { min: number; max: number }) => {
  const expected = `expected an integer from ${min} to ${max}`
  return z.coerce.number(expected).int(expected).min(min, expected).max(max, expected)
}
const Integer = ({ ifAbsent, ...range }: { min: number; max: number; ifAbsent: number }) =>
  IntegerIn(range).default(ifAbsent)

/** Length in code points, as JSON Schema counts. */
const Text = ({ min, max, description }: { min: number; max: number; description: string }) => {
  const expected = `expected ${min} to ${max} characters`
  return z
    .string(expected)
    .refine((value) => {
      const length = [...value].length
      return length >= min && length <= max
    }, expected)
    .meta({ description, minLength: min, maxLength: max })
}

const CURRENCY_EXPECTED = 'expected an ISO 4217 code such as EUR'
const Cursor = z.string('expected one cursor').optional().meta({ description: 'The `cursor` of the page before' })

/** Parameters arrive as text; an empty one is no number. */
const WholeNumber = ({ max, description }: { max: number; description: string }) => {
  const expected = `expected an integer from 0 to ${max}`
  return z
    .string(expected)
    .refine((value) => /^\d{1,16}$/.test(value) && Number(value) <= max, expected)
    .transform(Number)
    .meta({ description, type: 'integer', minimum: 0, maximum: max })
}
const CentsParameter = (description: string) => WholeNumber({ max: PRICE_CENTS_MAX, description })
/** More than any price, and exact as a number. */
const PRICE_CENTS_MAX = 1_000_000_000_000_000
/** More changes than there will be, and exact as a number. */
const SEQ_MAX = 1_000_000_000_000_000

/** Any instant of ISO 8601 with its offset; those outside of the years 1 to 9999 count as their edges. */
const InstantParameter = (description: string) => {
  const expected = 'expected an instant such as 2026-11-01T00:00:00Z'
  return z.iso
    .datetime({ offset: true, error: expected })
    .transform((value) => instant(new Date(Math.min(Math.max(Date.parse(value), YEAR_1_MS), YEAR_9999_MS))))
    .meta({ description, format: 'date-time', examples: ['2026-11-01T00:00:00Z'] })
}
const YEAR_1_MS = Date.parse('0001-01-01T00:00:00Z')
const YEAR_9999_MS = Date.parse('9999-12-31T23:59:59Z')

const Flag = (description: string) =>
  z
    .enum(['true', 'false'], 'expected true or false')
    .optional()
    .transform((value) => value === 'true')
    .meta({ description, type: 'boolean', enum: [true, false] })

/** U+0000, which Postgres cannot take and no id or unit holds, becomes another such letter. */
const Key = (description: string) =>
  Text({ min: 1, max: 100, description }).transform((value) => value.replaceAll('\0', '\uffff'))

const priceRegion = Region('Additive: put the median of this region into `median_price`, or null').optional()

export const ListItemsQuery = z
  .object({
    region: Region('Only items that are sold in this region').optional(),
    q: Text({ min: 2, max: 64, description: 'Text filter: every word stands in the name' }).optional(),
    cursor: Cursor,
    limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
    price_region: priceRegion,
    sort: z.enum(['id', 'updated'], 'expected id or updated').default('id').meta({
      description: 'Additive: `id` meets every item once; `updated` ascends by change, for following the catalog',
    }),
    category_id: Key('Additive: only items in this category, or in any below it').optional(),
    unit: Key('Additive: only items sold in this unit; `m2` finds `m²`')
      .transform((value) => soldUnit({ unit: value }).label ?? value)
      .optional(),
    currency: z
      .string(CURRENCY_EXPECTED)
      .regex(/^[A-Za-z]{3}$/, CURRENCY_EXPECTED)
      .transform((value) => value.toUpperCase())
      .meta({
        description: 'Additive: only items whose `median_price` as shown is in this currency',
        examples: ['EUR'],
      })
      .optional(),
    source: Key('Additive: only items that have a vendor SKU of the source of this id').optional(),
    price_min: CentsParameter('Additive: the lowest `median_price.cents` as shown; needs `currency`').optional(),
    price_max: CentsParameter('Additive: the highest `median_price.cents` as shown; needs `currency`').optional(),
    updated_since: InstantParameter('Additive: only items whose `updated_at` is this instant or later').optional(),
  })
  .superRefine(({ currency, price_min, price_max }, context) => {
    const refuse = (name: string, message: string) => context.addIssue({ code: 'custom', path: [name], message })
    if (currency === undefined) {
      if (price_min !== undefined) refuse('price_min', 'expected a currency beside it')
      else if (price_max !== undefined) refuse('price_max', 'expected a currency beside it')
    } else if (price_min !== undefined && price_max !== undefined && price_max < price_min) {
      refuse('price_max', `expected at least price_min, ${price_min}`)
    }
  })
export type ListItemsQuery = z.infer<typeof ListItemsQuery>

export const ItemQuery = z.object({ price_region: priceRegion })

const QUANTITY_EXPECTED = 'expected a decimal such as 12.5, of at most 9 digits before the point and 6 behind'
export const DecompositionQuery = z.object({
  depth: Integer({ min: 1, max: 50, ifAbsent: 10 }).meta({ description: 'Levels of lines' }),
  region: Region('Recipes of this region first, and its medians').optional(),
  quantity: z
    .string(QUANTITY_EXPECTED)
    .regex(/^[0-9]{1,9}(\.[0-9]{1,6})?$/, QUANTITY_EXPECTED)
    .default('1')
    .meta({ description: 'How much of the unit of the recipe', examples: ['12.5'] }),
  source: Key('Id of a source: its recipe').optional(),
})

export const ItemHistoryQuery = z
  .object({
    price_region: Region('The median of this region; absent: the headline').optional(),
    from: InstantParameter('Inclusive; the price in force then is dated then. Absent: from the beginning').optional(),
    to: InstantParameter('Inclusive; absent: to the present').optional(),
    cursor: Cursor,
    limit: Integer({ min: 1, max: 1000, ifAbsent: 365 }),
  })
  .superRefine(({ from, to }, context) => {
    if (from !== undefined && to !== undefined && Date.parse(to) < Date.parse(from)) {
      context.addIssue({
        code: 'custom',
        path: ['to'],
        message: `expected an instant that is not before from, ${from}`,
      })
    }
  })
export const IdParams = z.object({ id: z.string() })

export const SearchQuery = z.object({
  q: Text({ min: 2, max: 256, description: 'What is looked for, in any language' }),
  limit: Integer({ min: 1, max: 50, ifAbsent: 10 }),
  region: Region('Additive: only items that are sold in this region').optional(),
  category: Key('Additive: id of a category; only items in it, or in any below it').optional(),
  price_region: priceRegion,
})

/** Of fuse.ts, for readers. */
export const SCORE_MEANING =
  'A `score` compares results of one answer: 10 and more where the query says the GTIN or the reference of the item’s ' +
  'manufacturer, 3 to 7 where the item has a code of the query, and below 3 the likeness in meaning (0 to 1) and up to ' +
  '1.05 for words, sizes and spelling in common.'

export const ListCategoriesQuery = z.object({
  parent: z.string('expected one category id').optional().meta({ description: 'Id of a category; absent: the roots' }),
  tree: Flag('true: all levels below, by id; each names its parent'),
  cursor: Cursor,
  limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
})

export const ListSourcesQuery = z.object({
  cursor: Cursor,
  limit: Integer({ min: 1, max: 100, ifAbsent: 50 }),
})

export const RegionParams = z.object({
  region: z.string().meta({ description: 'In any case of letters', enum: [...REGIONS], examples: ['ES'] }),
})

/** Changes of one answer to `since`, at most: a megabyte or so. */
export const SINCE_CHANGES_MAX = 1_000

/** Additive: everything after a number. */
export const FeedQuery = z.object({
  since: WholeNumber({
    max: SEQ_MAX,
    description: 'Additive: the changes after this number of the feed, ascending; 304 where there is none',
  }).optional(),
  gen: Text({
    min: 1,
    max: 100,
    description: 'Additive, with `since`: the generation of that number; 409 where another one began since',
  }).optional(),
  limit: IntegerIn({ min: 1, max: SINCE_CHANGES_MAX })
    .optional()
    .meta({ description: `Additive, with \`since\`: at most so many changes; absent: ${SINCE_CHANGES_MAX}` }),
})

const ArchivePage = WholeNumber({ max: SEQ_MAX, description: 'Of closed pages, from 0 on: `closed` in state.json' })
const Generation = z.string().meta({ description: '`gen` in state.json', examples: ['5f0c1a2b3d4e6f70'] })
export const ArchiveParams = z.object({ gen: Generation, page: ArchivePage })
export const RegionArchiveParams = z.object({ gen: Generation, region: RegionParams.shape.region, page: ArchivePage })

const MarkSeq = WholeNumber({ max: SEQ_MAX, description: 'As state.json gives it for the scope' })
export const DigestParams = z.object({ gen: Generation, seq: MarkSeq })
export const RegionDigestParams = z.object({ gen: Generation, region: RegionParams.shape.region, seq: MarkSeq })
export const SnapshotFileParams = z.object({
  gen: Generation.regex(/^[A-Za-z0-9_-]{1,100}$/, 'expected letters, digits, - and _'),
  seq: WholeNumber({ max: SEQ_MAX, description: 'Of the snapshot: `seq` in state.json' }),
  file: z.string().meta({ description: '`manifest.json`, or a name that it gives', examples: ['manifest.json'] }),
})

// Bodies (SPEC §2.7) --------------------------------------------------------------------------------------------------

const EMAIL_CHARS_MAX = 255
/** What the format leaves to RFC 5321 and RFC 1035: 64 characters before the @, 63 a label, which ends in no hyphen. */
const EMAIL_LENGTHS = /^[^@]{1,64}@([^.]{0,62}[^.-]\.)+[^.]{1,63}$/

export const CreateDeveloperKeyRequest = z
  .object(
    {
      email: z
        .string('expected an e-mail address')
        .trim()
        .max(EMAIL_CHARS_MAX, `expected at most ${EMAIL_CHARS_MAX} characters`)
        .check(z.email('expected an e-mail address'))
        .refine((value) => EMAIL_LENGTHS.test(value), 'expected an e-mail address')
        .meta({
          description: 'Not verified; it limits how many keys are given out',
          examples: ['a@example.org'],
        }),
      name: Text({ min: 0, max: 200, description: 'What the key is for' }).optional(),
    },
    'expected a JSON object',
  )
  .meta({ id: 'CreateDeveloperKeyRequest' })

/** Lines of one request, and those that count as one search. */
export const LINES_MAX = 500
export const LINES_PER_SEARCH = 10
/** More than anybody builds with, and exact to the millionth. */
const QUANTITY_MAX = 1_000_000_000

const LineRegion = Region('Only items that are sold in this region; of a line, before that of the request').nullish()
export const MatchRequest = z
  .object(
    {
      lines: z
        .array(
          z.object(
            {
              text: Text({ min: 1, max: 512, description: 'As it was written' }).meta({ examples: ['cement 25 kg'] }),
              unit: Text({ min: 0, max: 100, description: 'Of the quantity' }).nullish(),
              quantity: z
                .number('expected a number above 0')
                .positive('expected a number above 0')
                .max(QUANTITY_MAX, `expected at most ${QUANTITY_MAX}`)
                .nullish(),
              region: LineRegion,
            },
            'expected an object with text',
          ),
          `expected an array of 1 to ${LINES_MAX} lines`,
        )
        .min(1, `expected 1 to ${LINES_MAX} lines`)
        .max(LINES_MAX, `expected 1 to ${LINES_MAX} lines`),
      region: LineRegion,
      price_region: Region('Price the items by the median of this region').nullish(),
      alternatives: z
        .int('expected an integer from 0 to 10')
        .min(0, 'expected an integer from 0 to 10')
        .max(10, 'expected an integer from 0 to 10')
        .optional()
        .meta({ description: 'How many other items are shown of a line, at most; absent: 3' }),
    },
    'expected a JSON object',
  )
  .meta({ id: 'MatchRequest' })
export type MatchRequest = z.infer<typeof MatchRequest>

// Answers --------------------------------------------------------------------------------------------------------------

export const Feed = z.string().meta({ description: 'An Atom or RSS document' })
export const Changes = z.string().meta({ description: 'One change a line, ascending, each a JSON object' })
const Bytes = z.string().meta({ format: 'binary' })
/** The files of a snapshot by their types. */
export const BulkFile = {
  'application/json': z.looseObject({}).meta({ description: 'The manifest' }),
  'application/gzip': Bytes,
  'application/vnd.apache.parquet': Bytes,
}
export const PriceBook = Bytes.meta({ format: 'binary', description: 'A file of FIEBDC-3/2020 (BC3), windows-1252' })
export const Markdown = z.string().meta({ description: 'The item for language models' })

/** The answers of an operation: what it says when all is well, and the errors it may give. */
export function answers(
  description: string,
  content: Readonly<Record<string, z.ZodType>>,
  errors: readonly number[] = [],
  { status = 200 }: { status?: 200 | 201 } = {},
) {
  const error = (meaning: string) => ({ description: meaning, content: { 'application/json': { schema: ErrorBody } } })
  return {
    [status]: {
      description,
      content: Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }])),
    },
    ...Object.fromEntries(
      [...new Set([...errors, ...ERRORS_OF_ALL])].map((status) => [
        status,
        error(ERROR_DESCRIPTIONS[status] as string),
      ]),
    ),
  }
}

/** The answer of 206 where a file can be asked for in parts. */
export const filePart = () => ({
  206: {
    description: 'The part that Range asked for',
    content: Object.fromEntries(Object.entries(BulkFile).map(([type]) => [type, { schema: Bytes }])),
  },
})

/** What any operation may answer. */
const ERRORS_OF_ALL = [401, 406, 429, 503]
const ERROR_DESCRIPTIONS: Readonly<Record<number, string>> = {
  400: 'A parameter is missing or out of bounds',
  401: 'The key that was presented is not valid',
  404: 'Not found',
  409: 'The number is beyond the newest change, or of another generation',
  410: 'These changes are no longer kept, or are of another generation',
  406: 'The Accept headers exclude everything that there is',
  412: 'The file is another than the one that the request names',
  413: 'The body is too large',
  415: 'The body is not JSON',
  416: 'The file ends before the range',
  429: 'A limit is exceeded',
  503: 'Temporarily unavailable, or too busy',
}

type HeaderDoc = Readonly<{ description: string; schema: Readonly<{ type: 'string' | 'integer' }> }>
const text = (description: string): HeaderDoc => ({ description, schema: { type: 'string' } })
const integer = (description: string): HeaderDoc => ({ description, schema: { type: 'integer' } })

const ALWAYS: Readonly<Record<string, HeaderDoc>> = {
  'X-Request-Id': text('Identifies this request in the log of the service'),
  'X-RateLimit-Limit': integer('Of the bucket that the request counts in, or of the one that refused it: its limit'),
  'X-RateLimit-Remaining': integer('Requests left in its window, as far as the answering process knows'),
  'X-RateLimit-Reset': integer('When its next window begins, in seconds since 1970'),
  'RateLimit-Policy': text('The same limit, and the month where there is one, as the IETF draft spells them'),
  RateLimit: text('What is left of each, and for how many seconds'),
}
const CACHED: Readonly<Record<string, HeaderDoc>> = {
  'Cache-Control': text('What caches may do'),
  Vary: text('The request headers that the answer depends on'),
}
const CODED = { 'Content-Encoding': text('br or gzip, where Accept-Encoding takes it and the body is long enough') }
const TAGGED: Readonly<Record<string, HeaderDoc>> = {
  ...CACHED,
  ETag: text('Strong entity tag of the body in this coding; send it back in If-None-Match'),
}
const CONDITIONAL: Readonly<Record<string, HeaderDoc>> = {
  ...TAGGED,
  ...CODED,
  'Last-Modified': text('Since when this is the answer; send it back in If-Modified-Since where a tag cannot be kept'),
}
const NEXT = { Link: text('rel="next", absolute; absent on the last page') }
const SURVIVOR = { 'Content-Location': text('Of the surviving item, when the asked one was merged into it') }

/** What answers of 200 carry beside {@link ALWAYS}; operations with an ETag also answer 304. */
const OF_SUCCESS: Readonly<Record<string, Readonly<Record<string, HeaderDoc>>>> = {
  listItems: { ...CONDITIONAL, ...NEXT },
  getItem: { ...CONDITIONAL, ...SURVIVOR },
  getItemMarkets: { ...CONDITIONAL, ...SURVIVOR },
  getItemBasis: { ...CONDITIONAL, ...SURVIVOR },
  getItemHistory: { ...CONDITIONAL, ...NEXT, ...SURVIVOR },
  getItemDecomposition: { ...CONDITIONAL, ...SURVIVOR },
  listCategories: { ...CONDITIONAL, ...NEXT },
  getCategory: CONDITIONAL,
  listSources: { ...CONDITIONAL, ...NEXT },
  getSource: CONDITIONAL,
  getItemsAtom: { ...CONDITIONAL, ...NEXT },
  getItemsRss: { ...CONDITIONAL, ...NEXT },
  getRegionAtom: { ...CONDITIONAL, ...NEXT },
  getFeedState: CONDITIONAL,
  getItemsArchiveAtom: CONDITIONAL,
  getItemsArchiveRss: CONDITIONAL,
  getRegionArchiveAtom: CONDITIONAL,
  getItemsDigest: CONDITIONAL,
  getRegionDigest: CONDITIONAL,
  listSnapshots: { ...TAGGED, ...CODED },
  getSnapshotFile: {
    ...TAGGED,
    'Last-Modified': text('When it was written'),
    'Accept-Ranges': text('bytes'),
  },
  getOpenApi: { ...TAGGED, ...CODED },
  search: { ...CACHED, ...CODED },
  matchLines: { 'Cache-Control': text('What caches may do') },
}
/** Whether an answer has the header only at times; all the others are always there. */
export function isOptional(header: string, status: number): boolean {
  if (status >= 400) return status === 503 && /ratelimit/i.test(header)
  return ['Link', 'Content-Location', 'Content-Encoding'].includes(header)
}

/** Operations whose answer may stand at another address. */
const REDIRECTS: Readonly<Record<string, string>> = {
  getItemsArchiveAtom: 'The page is still open: it stands in the subscription',
  getItemsArchiveRss: 'The page is still open: it stands in the subscription',
  getRegionArchiveAtom: 'The page is still open: it stands in the subscription',
}
/** What an answer of 307 says, where an operation has one. */
export const redirectOf = (operationId: string): string | undefined => REDIRECTS[operationId]

const HELP = { Link: text('rel="help": what the code means') }
const HELP_AND_SNAPSHOT = { Link: text('rel="help": what the code means; rel="snapshot": where a copy begins again') }
const RETRY = { 'Retry-After': integer('Equal to retry_after_seconds') }

/** The headers that answers of an operation carry, as OpenAPI describes them. */
export function headersOf(operationId: string, status: number): Readonly<Record<string, HeaderDoc>> {
  if (status === 206) return { ...headersOf(operationId, 200), 'Content-Range': text('Which part of the file it is') }
  if (status < 300) return { ...ALWAYS, ...OF_SUCCESS[operationId] }
  if (status === 307) return { ...ALWAYS, Location: text('Of the subscription, absolute') }
  if (status === 410) return { ...ALWAYS, ...HELP_AND_SNAPSHOT }
  if (status === 304) return { ...ALWAYS, ...TAGGED, ...pick(OF_SUCCESS[operationId], 'Content-Location') }
  if (status === 416) return { ...ALWAYS, ...HELP, 'Content-Range': text('How long the file is: bytes */LENGTH') }
  if (status === 415) return { ...ALWAYS, ...HELP, Accept: text('The media type that is taken') }
  if (status === 401) return { ...ALWAYS, ...HELP, 'WWW-Authenticate': text('Bearer') }
  return { ...ALWAYS, ...HELP, ...(status === 429 || status === 503 ? RETRY : {}) }
}

function pick(headers: Readonly<Record<string, HeaderDoc>> | undefined, name: string): Record<string, HeaderDoc> {
  const header = headers?.[name]
  return header === undefined ? {} : { [name]: header }
}

export function answersConditionally(operationId: string): boolean {
  return OF_SUCCESS[operationId]?.ETag !== undefined
}
