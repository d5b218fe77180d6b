import { canonicalJson, idSuffix, type JsonValue, sha256Hex } from '@catalog/core/digest.ts'
import { z } from 'zod'

/**
 * Every event of the three topics, and the ids that they carry. Money is integer minor units with an ISO 4217 code,
 * instants are UTC in ISO 8601 with `Z`, what is not known is null or absent, never guessed.
 */
export const TOPICS = {
  observations: 'vendor.observations',
  decisions: 'catalog.decisions',
  items: 'catalog.items',
} as const
export type Topic = (typeof TOPICS)[keyof typeof TOPICS]

/** Partitions of vendor.observations unless configured; the other topics always have one. */
export const OBSERVATION_PARTITIONS = 4

/** Regions a source may be marked with, beside ISO 3166 alpha-2 codes of EU members: SPEC §4.1, and UY. */
export const REGIONS = ['ES', 'US', 'AR', 'MX', 'CL', 'CO', 'PE', 'BR', 'UY', 'GB', 'EU', 'LATAM'] as const
export type Region = (typeof REGIONS)[number]

/** XML 1.0 cannot carry these, and one such name would break a whole feed: they are refused at the edge. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
export const NOT_XML = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/
const text = (max: number) =>
  z
    .string()
    .min(1)
    .max(max)
    .refine((value) => value.isWellFormed() && !NOT_XML.test(value), 'holds a character that XML cannot carry')

/** UTC instant in ISO 8601 with `Z`; milliseconds only when they are not zero, so one instant has one spelling. */
const Instant = z
  .string()
  .regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{3})?Z$/, 'expected UTC as YYYY-MM-DDTHH:MM:SSZ')
  .refine(isOneSpelling, 'not an instant in its one spelling')

/** Given the form, whether {@link instant} spells it so: a real day (no 30 February), no hour 24, no milliseconds of zero. */
function isOneSpelling(value: string): boolean {
  const date = new Date(value)
  const isReal = date.getUTCDate() === Number(value.slice(8, 10)) && date.getUTCHours() === Number(value.slice(11, 13))
  return isReal && !value.endsWith('.000Z')
}

/** Exact decimal as text: digits, optional point and sign, no exponent. */
export const Decimal = z.string().regex(/^-?\d{1,18}(\.\d{1,18})?$/, 'expected a plain decimal')

const Currency = z.string().regex(/^[A-Z]{3}$/, 'expected an ISO 4217 code')
const Cents = z.int().min(Number.MIN_SAFE_INTEGER).max(Number.MAX_SAFE_INTEGER)

/** What kind of price it is: a shop's list price, a net price, a bid in a tender, an entry of a price bank. */
const PriceKind = z.enum(['list', 'net', 'bid', 'bank'])
/** What kind of source it is; fixes validity and fence (DESIGN §4). */
export const SourceKind = z.enum(['shop', 'bid', 'bank'])
export type SourceKind = z.infer<typeof SourceKind>
/** Days for which a price of a source keeps its vote, by kind, unless the source registered another number. */
export const VALIDITY_DAYS: Readonly<Record<SourceKind, number>> = { shop: 30, bid: 180, bank: 400 }
export const TRUST_DEFAULT = 50

export const SourceRef = z.object({
  id: text(80),
  name: text(200),
  region: z
    .string()
    .regex(/^[A-Z]{2}$|^LATAM$/)
    .nullable(),
  url: z.url().max(2000).nullable(),
})
export type SourceRef = Readonly<z.infer<typeof SourceRef>>

/**
 * A price as it was seen: `cents` minor units (the currency's own exponent) for `per_quantity` units. A price finer than
 * the minor unit is carried exactly by a larger per_quantity (1.2345 EUR per kg = 12345 cents per 100 kg).
 */
const Price = z.object({
  cents: Cents,
  currency: Currency,
  kind: PriceKind,
  min_quantity: Decimal.optional(),
  per_quantity: z.int().min(1).max(1_000_000_000_000_000),
  tax: z.object({ included: z.boolean().nullable(), rate: Decimal.optional() }),
})

/** Contents of one sold unit: a bag of 25 kg is { quantity: "25", unit: "kg" } beside unit "bag". */
const Pack = z.object({ quantity: Decimal, unit: text(40) })

const envelope = { v: z.literal(1), event_id: text(100), recorded_at: Instant }

/** One price as one crawl saw it. Its keys stand in order, here and inside: what is parsed is then canonical as it is. */
export const ObservationRecorded = z.object({
  type: z.literal('ObservationRecorded'),
  ...envelope,
  crawl_id: text(100),
  category_path: z.array(text(300)).min(1).max(12).optional(),
  cpv: z
    .string()
    .regex(/^\d{8}(-\d)?$/)
    .optional(),
  description: text(20_000).optional(),
  gtin: z
    .string()
    .regex(/^\d{8,14}$/)
    .optional(),
  lang: z
    .string()
    .regex(/^[a-z]{2}$/)
    .optional(),
  manufacturer_ref: text(200).optional(),
  name: text(2000),
  observed_at: Instant,
  pack: Pack.optional(),
  price: Price,
  source: SourceRef,
  unit: text(100).nullable(),
  url: z.url().max(2000).optional(),
  vendor_ref: text(300),
})
export type ObservationRecorded = Readonly<z.infer<typeof ObservationRecorded>>

/** Takes back one observation, all that one crawl delivered for a source, or all of a source: exactly one of the three. */
export const ObservationRetracted = z.object({
  type: z.literal('ObservationRetracted'),
  ...envelope,
  source_id: text(80),
  vendor_ref: text(300).optional(),
  target: z.discriminatedUnion('scope', [
    z.object({ scope: z.literal('observation'), observation_id: text(100) }),
    z.object({ scope: z.literal('crawl'), crawl_id: text(100) }),
    z.object({ scope: z.literal('source') }),
  ]),
  reason: text(1000),
})
export type ObservationRetracted = Readonly<z.infer<typeof ObservationRetracted>>

/** Raw text kept of a parked record, at most. */
export const RAW_BYTES_MAX = 65_536

/** A record that could not be recorded: why, where it stands in its input, and its raw text. */
export const RecordParked = z.object({
  type: z.literal('RecordParked'),
  ...envelope,
  source_id: text(80),
  crawl_id: text(100),
  /** Where in the input: "prices.csv line 17". */
  position: text(600),
  /** Upper snake case code: SKU_CONFLICT, UNKNOWN_CURRENCY, BAD_PRICE ... */
  reason: text(80),
  /** What was found and what was expected, for a person. */
  detail: z.string().max(2000),
  raw: z.string().max(RAW_BYTES_MAX),
})
export type RecordParked = Readonly<z.infer<typeof RecordParked>>

export const ParkedResolved = z.object({
  type: z.literal('ParkedResolved'),
  ...envelope,
  source_id: text(80),
  parked_id: text(100),
  resolution: z.enum(['recorded', 'dropped']),
  reason: text(1000),
})
export type ParkedResolved = Readonly<z.infer<typeof ParkedResolved>>

const count = z.int().min(0)
/** How a crawl of one source ended. */
export const CrawlOutcome = z.enum([
  /** What it read was appended. */
  'recorded',
  /** The vendor's server said that nothing changed since the crawl before; nothing was read. */
  'unchanged',
  /** It could not be fetched. */
  'failed',
  /** It was fetched and waits for a person: nothing is appended unless one accepts it. */
  'held',
  /** What was held was let go, by a person or by a later crawl. */
  'dropped',
])
export type CrawlOutcome = z.infer<typeof CrawlOutcome>

/** Problems that one report of a crawl tells, at most. */
export const PROBLEMS_MAX = 20
/** Upper snake case code: NOT_FETCHED, PARSE_RATE_FELL ...; and what was found and what was expected, for a person. */
const CrawlProblem = z.object({ code: text(80).regex(/^[A-Z][A-Z0-9_]*$/), detail: text(500) })
export type CrawlProblem = Readonly<z.infer<typeof CrawlProblem>>

/** Fields that a layout names, at most: more than a record has. */
const LAYOUT_FIELDS_MAX = 100
/** What a crawl brought, beside the last whole crawl of its source; counts are of SKUs. */
const CrawlHealth = z
  .object({
    /** SKUs of the crawl that it was compared with; 0 when there was none. */
    known: count,
    /** Those of them that did not come. */
    vanished: count,
    /** Those of them that came with another price. */
    changed: count,
    /** Median of new price / old price over the SKUs of both crawls; left out when they have none in common. */
    price_ratio: z.number().min(0).optional(),
    /**
     * Greatest fall of a share of the layout since that crawl, 0 when none fell; left out when the layout of that crawl is not
     * known.
     */
    drift: z.number().min(0).max(1).optional(),
    /** Field → share of the records that have it. */
    layout: z
      .record(text(40), z.number().min(0).max(1))
      .refine(
        (layout) => Object.keys(layout).length <= LAYOUT_FIELDS_MAX,
        `expected ${LAYOUT_FIELDS_MAX} fields at most`,
      ),
  })
  .refine(({ known, vanished, changed }) => vanished + changed <= known, 'counts more SKUs than were known')
export type CrawlHealth = Readonly<z.infer<typeof CrawlHealth>>

/**
 * End of a crawl of one source. Candidate observations: read = appended + duplicates + parked; of one that is held, or was
 * dropped, what accepting it would record, or would have recorded. A crawl may be reported again: the report that was
 * recorded last holds, of two at one time the one with the greater event id.
 */
export const CrawlFinished = z.object({
  type: z.literal('CrawlFinished'),
  ...envelope,
  source_id: text(80),
  crawl_id: text(100),
  /** Everything that the source has to say was read, or with `partial` everything that changed. */
  complete: z.boolean(),
  etag: text(1000).optional(),
  last_modified: text(200).optional(),
  read: count,
  appended: count,
  duplicates: count,
  parked: count,
  /** Left out by crawls of files, which are recorded or not reported. */
  outcome: CrawlOutcome.optional(),
  /** When fetching began. */
  started_at: Instant.optional(),
  /** Only documents that changed since the last whole crawl were fetched. */
  partial: z.boolean().optional(),
  /** Documents that did not come. */
  missed: count.optional(),
  problems: z.array(CrawlProblem).max(PROBLEMS_MAX).optional(),
  health: CrawlHealth.optional(),
})
export type CrawlFinished = Readonly<z.infer<typeof CrawlFinished>>

const Decimals = z.int().min(0).max(12).nullable()
const RecipeComponent = z.object({
  position: count,
  kind: z.enum(['labor', 'machinery', 'material', 'auxiliary', 'percentage', 'waste', 'unclassified']),
  vendor_ref: text(300),
  name: z.string().max(2000),
  unit: text(100).nullable(),
  factor: Decimal,
  yield: Decimal,
  price: Decimal.nullable(),
  /** References of the percentages that apply to the line, where the recipe names them; else their masks tell. */
  percentages: z.array(text(300)).max(100).optional(),
})

/** How the program of a file comes from the lines of its recipes to their prices. */
export const RecipeRule = z.object({
  /** A percentage is a share of lines before it; or, with one converter, price × yield as any other line. */
  percentages: z.enum(['share', 'price']),
  /** Decimals of each line; null: not rounded. */
  line_decimals: Decimals,
  /** Indirect cost on the sum of the lines: 0.05 for 5 %. */
  indirect_rate: Decimal,
  /** Decimals of the price; null: not rounded. */
  total_decimals: Decimals,
})
export type RecipeRule = Readonly<z.infer<typeof RecipeRule>>

export const RecipeRecorded = z.object({
  type: z.literal('RecipeRecorded'),
  ...envelope,
  source: SourceRef,
  vendor_ref: text(300),
  unit: text(100).nullable(),
  components: z.array(RecipeComponent).max(10_000),
  declared_price: Decimal.nullable(),
  /** The one that was found for the whole file; left out where nothing in it tells. */
  rule: RecipeRule.optional(),
  currency: Currency,
  observed_at: Instant,
  crawl_id: text(100),
  /** Where in its file the recipe stands. */
  position: text(600),
})
export type RecipeRecorded = Readonly<z.infer<typeof RecipeRecorded>>

const decision = { ...envelope, decided_at: Instant }

/** Appended by the crawl that first meets a source; outranks what observations say of the source. */
export const SourceRegistered = z.object({
  type: z.literal('SourceRegistered'),
  ...decision,
  source: SourceRef,
  trust_score: z.int().min(0).max(100),
  validity_days: z.int().min(1).max(3650),
  kind: SourceKind,
  enabled: z.boolean(),
})
export type SourceRegistered = Readonly<z.infer<typeof SourceRegistered>>

const TrustChanged = z.object({
  type: z.literal('TrustChanged'),
  ...decision,
  source_id: text(80),
  trust_score: z.int().min(0).max(100),
  reason: text(1000),
})
export type TrustChanged = Readonly<z.infer<typeof TrustChanged>>

/** A source has a say from now on, or none; outranks what it was registered with. The latest decision holds. */
const SourceSwitched = z.object({
  type: z.literal('SourceSwitched'),
  ...decision,
  source_id: text(80),
  enabled: z.boolean(),
  reason: text(1000),
})
export type SourceSwitched = Readonly<z.infer<typeof SourceSwitched>>

/**
 * Prices are made by another method from now on. The latest decision holds; before the first one it is twm/1. A name that
 * this version does not know is a record all the same: it is whoever makes prices that has to know it.
 */
const MethodChanged = z.object({
  type: z.literal('MethodChanged'),
  ...decision,
  method: text(100),
  reason: text(1000),
})
export type MethodChanged = Readonly<z.infer<typeof MethodChanged>>

/** Log positions: topic → partition → next offset, as decimal text. */
export const Positions = z.record(z.string(), z.record(z.string(), z.string().regex(/^\d+$/)))
export type Positions = Readonly<z.infer<typeof Positions>>

/** Begins a run: everything that its medians depend on. */
export const RunStarted = z.object({
  type: z.literal('RunStarted'),
  ...decision,
  run_id: text(100),
  as_of: Instant,
  method: text(100),
  positions: Positions,
})
export type RunStarted = Readonly<z.infer<typeof RunStarted>>

/** What a decision rests on, for whoever asks later. */
const evidence = z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()]))

/** Puts a vendor SKU into an item. `founding` is present when the match creates the item. */
export const SkuMatched = z.object({
  type: z.literal('SkuMatched'),
  ...decision,
  vendor_sku_id: text(100),
  source_id: text(80),
  item_id: text(100),
  founding: z.object({ n: count, unit: text(100).nullable(), pack: Pack.optional() }).optional(),
  rule_version: text(100),
  /** What the matcher can find this SKU by later on: "gtin:...", "ref:...", "name:...", and "b:..." of blocking.ts. */
  keys: z.array(text(4000)).max(16),
  /** rule: a matching rule decided; person: a person did. Rule-made matches count at every as_of. */
  by: z.enum(['rule', 'person']),
  evidence,
})
export type SkuMatched = Readonly<z.infer<typeof SkuMatched>>

/** A person takes a vendor SKU out of its item; it founds an item of its own. */
export const SkuSplit = z.object({
  type: z.literal('SkuSplit'),
  ...decision,
  vendor_sku_id: text(100),
  source_id: text(80),
  item_id: text(100),
  founding: z.object({ n: count, unit: text(100).nullable(), pack: Pack.optional() }),
  reason: text(1000),
})
export type SkuSplit = Readonly<z.infer<typeof SkuSplit>>

/**
 * Two items are one. The fold parks it as MERGE_CONFLICT when both hold a SKU of one source, or SKUs that a person keeps
 * apart.
 */
export const ItemsMerged = z.object({
  type: z.literal('ItemsMerged'),
  ...decision,
  from_item_id: text(100),
  into_item_id: text(100),
  reason: text(1000),
  /** Absent where a person decided. A rule joins only what nobody has seen yet; its merges count at every as_of. */
  by: z.literal('rule').optional(),
  rule_version: text(100).optional(),
  /** Of a rule: the two SKUs that it was decided on, their score, and what spoke for it most. */
  evidence: evidence.optional(),
})
export type ItemsMerged = Readonly<z.infer<typeof ItemsMerged>>

/** The smaller id first, so that one pair has one spelling. */
const SkuPair = z.tuple([text(100), text(100)]).refine(([a, b]) => a < b, 'expected two ids, the smaller one first')

/** A person says that two vendor SKUs are two products: from now on no item holds both, whatever a rule or a merge says. */
export const SkusKeptApart = z.object({
  type: z.literal('SkusKeptApart'),
  ...decision,
  vendor_sku_ids: SkuPair,
  reason: text(1000),
})
export type SkusKeptApart = Readonly<z.infer<typeof SkusKeptApart>>

/** Pairs of one event, so that it stays small. */
export const PROPOSALS_MAX = 500
/** Vendor SKUs that a rule found alike and left to people. What it says of a pair takes the place of what was said before. */
export const PairsProposed = z.object({
  type: z.literal('PairsProposed'),
  ...decision,
  rule_version: text(100),
  pairs: z
    .array(
      z.object({
        vendor_sku_ids: SkuPair,
        score: z.number().min(0).max(1),
        /** Why the rule did not decide: 'score', and whatever else kept their items apart. */
        why: z.array(text(100)).min(1).max(10),
      }),
    )
    .min(1)
    .max(PROPOSALS_MAX),
})
export type PairsProposed = Readonly<z.infer<typeof PairsProposed>>

const overrideOf = <T extends string>(type: T) =>
  z.object({ type: z.literal(type), ...decision, observation_id: text(100), reason: text(1000) })
/** A person excludes an observation from voting, or lets one vote that the fence excluded. The latest decision holds. */
const ObservationQuarantined = overrideOf('ObservationQuarantined')
const ObservationReleased = overrideOf('ObservationReleased')

const PublicMoney = z.object({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
/** CanonicalItem of SPEC §2.1, exactly its fields. */
export const PublicItem = z.object({
  id: z.string(),
  name: z.string(),
  unit: z.string().nullable(),
  cpv: z.string().nullable(),
  category_id: z.string().nullable(),
  vendor_count: count,
  observation_count: count,
  median_price: PublicMoney.nullable(),
  updated_at: Instant,
})
export type PublicItem = Readonly<z.infer<typeof PublicItem>>

/** What lists, feeds, index and mirrors show of an item. Arrays are sorted; markets by region. */
export const PublicState = z.object({
  item: PublicItem,
  regions: z.array(z.string()),
  /** The median of each region in that region's settlement currency; null while it has no eligible vote. */
  markets: z.array(z.object({ region: z.string(), median_price: PublicMoney.nullable(), vendor_count: count })),
  state: z.enum(['active', 'merged', 'gone']),
  merged_into: z.string().nullable(),
})
export type PublicState = Readonly<z.infer<typeof PublicState>>

/** A vote behind a median. `price` is the exact price per item unit, net of tax, as a fraction "n/d" of minor units. */
const BasisVote = z.object({
  vendor_sku_id: z.string(),
  source_id: z.string(),
  observation_id: z.string(),
  price: z.string(),
  currency: Currency,
  trust: z.int(),
  observed_at: Instant,
  markets: z.array(z.string()),
})
export const Basis = z.object({
  method_version: z.string(),
  currency: Currency.nullable(),
  votes: z.array(BasisVote),
  /** Observations (or SKUs) that were looked at and have no vote, with the reason. */
  excluded: z.array(z.object({ id: z.string(), reason: z.string() })),
  voters: count,
  trust_total: count,
  /** Weighted quartiles of the headline votes, in minor units; null without a median. */
  p25: z.int().nullable(),
  p75: z.int().nullable(),
  last_observed_at: Instant.nullable(),
})
export type Basis = Readonly<z.infer<typeof Basis>>

/** The full public state of one item, and what it rests on. */
export const ItemPublished = z.object({
  type: z.literal('ItemPublished'),
  ...envelope,
  item_id: text(100),
  state: PublicState,
  /** Rises by one with every event of the item. */
  version: z.int().min(1),
  vendor_sku_ids: z.array(z.string()),
  category_path: z.array(z.string()).nullable(),
  basis: Basis,
  run_id: text(100),
  as_of: Instant,
})
export type ItemPublished = Readonly<z.infer<typeof ItemPublished>>

/** End of a run: where snapshot and digest are cut. */
export const RunMarked = z.object({
  type: z.literal('RunMarked'),
  ...envelope,
  run_id: text(100),
  as_of: Instant,
  items_published: count,
})
export type RunMarked = Readonly<z.infer<typeof RunMarked>>

const BuildFlipped = z.object({ type: z.literal('BuildFlipped'), ...envelope, build: text(100) })

export const VendorEvent = z.discriminatedUnion('type', [
  ObservationRecorded,
  ObservationRetracted,
  RecordParked,
  ParkedResolved,
  CrawlFinished,
  RecipeRecorded,
])
export type VendorEvent = Readonly<z.infer<typeof VendorEvent>>

export const DecisionEvent = z.discriminatedUnion('type', [
  SourceRegistered,
  TrustChanged,
  SourceSwitched,
  MethodChanged,
  RunStarted,
  SkuMatched,
  SkuSplit,
  ItemsMerged,
  SkusKeptApart,
  PairsProposed,
  ObservationQuarantined,
  ObservationReleased,
])
export type DecisionEvent = Readonly<z.infer<typeof DecisionEvent>>

/** What a decision is about: the id of a source, a run, a SKU, an item or an observation, or the name of a rule. */
export function subjectOf(event: DecisionEvent): string {
  switch (event.type) {
    case 'SourceRegistered':
      return event.source.id
    case 'TrustChanged':
    case 'SourceSwitched':
      return event.source_id
    // There is one method: a later decision on it is of the same subject.
    case 'MethodChanged':
      return 'method'
    case 'RunStarted':
      return event.run_id
    case 'SkuMatched':
    case 'SkuSplit':
      return event.vendor_sku_id
    case 'ItemsMerged':
      return event.from_item_id
    case 'SkusKeptApart':
      return event.vendor_sku_ids[0]
    case 'PairsProposed':
      return event.rule_version
    case 'ObservationQuarantined':
    case 'ObservationReleased':
      return event.observation_id
  }
}

export const ItemEvent = z.discriminatedUnion('type', [ItemPublished, RunMarked, BuildFlipped])
export type ItemEvent = Readonly<z.infer<typeof ItemEvent>>

export type CatalogEvent = VendorEvent | DecisionEvent | ItemEvent

/**
 * The canonical payload of an observation: the event without type, v, event_id, recorded_at and crawl_id, absent
 * optionals left out, `|null` fields present, in canonical JSON. `observation_id` is the SHA-256 of exactly these bytes;
 * it is computed once, by the crawler, and never again after upcasting.
 */
export function observationPayload(
  event: Omit<ObservationRecorded, 'type' | 'v' | 'event_id' | 'recorded_at' | 'crawl_id'>,
): string {
  const { type: _t, v: _v, event_id: _e, recorded_at: _r, crawl_id: _c, ...payload } = event as ObservationRecorded
  return canonicalJson(payload as unknown as JsonValue)
}

export function observationId(payload: string): string {
  return sha256Hex(payload)
}

/** Deterministic id for an event that is not an observation: equal content gives an equal id, so a re-send is dropped. */
export function eventId(event: object): string {
  const { event_id: _e, recorded_at: _r, ...content } = event as { event_id?: string; recorded_at?: string }
  return sha256Hex(canonicalJson(content as JsonValue))
}

/** Text folded for comparison: lower case, no diacritics, ß æ œ ø ł đ ı spelled out, white space squeezed. */
export function fold(value: string): string {
  return value
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => FOLDED[letter] as string)
    .normalize('NFKD')
    .replace(/\p{Mn}/gu, '')
    .replace(/\s+/g, ' ')
    .trim()
}
const FOLDED: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Id of a source that was given none: hash of its folded name and region. */
export function sourceIdOf(source: { readonly name: string; readonly region: string | null }): string {
  return `src_${idSuffix(canonicalJson(['source', fold(source.name), source.region]))}`
}

/** Id of a vendor SKU: hash of its source's id and the vendor's own reference. */
export function vendorSkuIdOf(sourceId: string, vendorRef: string): `vsku_${string}` {
  return `vsku_${idSuffix(canonicalJson(['sku', sourceId, vendorRef]))}`
}

/** Id of an item: hash of its founding vendor SKU and n, the number of items that SKU founded before. */
export function itemIdOf(foundingVendorSkuId: string, n: number): `ci_${string}` {
  return `ci_${idSuffix(canonicalJson(['item', foundingVendorSkuId, n]))}`
}

/** Partition key of an event of vendor.observations. */
export function observationKey(sourceId: string, vendorRef: string): string {
  return `${sourceId}/${vendorRef}`
}

/**
 * One event of any topic from its JSON value: upcast to the current version, then checked. Throws ZodError naming the
 * field, or UnknownEvent when neither this type nor this version is known.
 */
export function parseEvent(topic: Topic, value: unknown): CatalogEvent {
  const schema = topic === TOPICS.observations ? VendorEvent : topic === TOPICS.decisions ? DecisionEvent : ItemEvent
  const { type, v } = (value ?? {}) as { type?: unknown; v?: unknown }
  const known = schema.options.some((option) => option.shape.type.value === type)
  if (!known || v !== 1) {
    throw new UnknownEvent(`type ${JSON.stringify(type)} version ${JSON.stringify(v)} is unknown on ${topic}`)
  }
  return schema.parse(value) as CatalogEvent
}

class UnknownEvent extends Error {
  override name = 'UnknownEvent'
}
