import { z } from 'zod'
import { Cents, Count, Currency, Edition, event, Instant, text } from './fields.ts'

// Keys stand in alphabetical order, here and where the aggregator makes them: canonical JSON then needs no sorted copy.
const PublicMoney = z.object({ cents: Cents, currency: Currency, recorded_at: Instant.nullable() })
/** CanonicalItem of the public API, exactly its fields. */
export const PublicItem = z.object({
  category_id: z.string().nullable(),
  cpv: z.string().nullable(),
  id: z.string(),
  median_price: PublicMoney.nullable(),
  name: z.string(),
  observation_count: Count,
  unit: z.string().nullable(),
  updated_at: Instant,
  vendor_count: Count,
})
export type PublicItem = Readonly<z.infer<typeof PublicItem>>

/**
 * What a price is paid for: goods; a person's time; time of a machine that its owner runs or whose driver is not
 * stated; rental, by the time, of something that the tenant runs; work done, priced by its measure.
 */
export const KINDS = ['material', 'labour', 'machinery', 'hire', 'work'] as const
export type Kind = (typeof KINDS)[number]

/**
 * A name by which vendors call an item. The first of a language is the name of the language; see libs/core/names.
 * `lang` is ISO 639-1, null where nothing tells it.
 */
export const ItemName = z.object({
  lang: z.string().nullable(),
  /** The markets in which most trust of this language uses it, while most of all uses a name of another language. */
  minor_regions: z.array(z.string()).optional(),
  name: z.string(),
  /** The markets in which most trust uses this name. */
  regions: z.array(z.string()),
})
export type ItemName = Readonly<z.infer<typeof ItemName>>

/** `text` is the vendor's path or name that says the category most clearly; the confidence is in percent. */
export const ItemCategory = z.object({
  by: z.enum(['vendor_path', 'name', 'kind']),
  confidence_percent: z.int().min(0).max(100),
  text: z.string(),
})
export type ItemCategory = Readonly<z.infer<typeof ItemCategory>>

/**
 * An item as lists, feeds, index and mirrors show it. Arrays are sorted; markets by region, names by language and trust.
 */
export const PublicState = z.object({
  /** What told its category, and how sure that is; absent without a category, and from items of runs before the tree. */
  category: ItemCategory.optional(),
  /** The editions of price lists that the headline's votes state, sorted; absent where none does. */
  editions: z.array(Edition).optional(),
  item: PublicItem,
  /** What its SKUs are; absent where their texts do not say, and from items of runs before kinds were read. */
  kind: z.enum(KINDS).optional(),
  /** The median of each region in that region's settlement currency; null while it has no eligible vote. */
  markets: z.array(z.object({ median_price: PublicMoney.nullable(), region: z.string(), vendor_count: Count })),
  merged_into: z.string().nullable(),
  /** The names by language and market; absent without one, and from items of runs before names were kept. */
  names: z.array(ItemName).optional(),
  regions: z.array(z.string()),
  state: z.enum(['active', 'merged', 'gone']),
})
export type PublicState = Readonly<z.infer<typeof PublicState>>

/** What an observation says of its tax: a gross price without a usable rate, and no statement at all, are states too. */
export const TaxState = z.enum(['net', 'gross_with_rate', 'gross_without_rate', 'not_stated'])
export type TaxState = z.infer<typeof TaxState>

/**
 * The tax of a vote. `rate` is the fraction that was removed ("0.21"), null where none was; `by` says whose rate or
 * statement it is: the vendor's, the market's standard rate, or that of the majority.
 */
export const VoteTax = z.object({
  by: z.enum(['vendor', 'standard_rate', 'majority']).nullable(),
  rate: z.string().nullable(),
  state: TaxState,
})
export type VoteTax = Readonly<z.infer<typeof VoteTax>>

/** A reason for a person to review an observation that votes. */
export const VoteFlag = z.enum(['FIRST_PRICE_FAR', 'TAX_UNKNOWN', 'TIER_ONLY'])
export type VoteFlag = z.infer<typeof VoteFlag>

/** Headline votes by tax state. */
const TaxCounts = z.object({
  gross_with_rate: Count,
  gross_without_rate: Count,
  net: Count,
  not_stated: Count,
})

/** A vote behind a median. `price` is the exact price per item unit, net of tax, as a fraction "n/d" of minor units. */
const BasisVote = z.object({
  currency: Currency,
  /** Of the price list; absent where the observation states none. */
  edition: Edition.optional(),
  /** From methods with guarded votes (twm/3) alone, as its tax. */
  flags: z.array(VoteFlag).optional(),
  markets: z.array(z.string()),
  observation_id: z.string(),
  observed_at: Instant,
  price: z.string(),
  source_id: z.string(),
  tax: VoteTax.optional(),
  trust: z.int(),
  vendor_sku_id: z.string(),
  /** The canonical source of its vendor, where another one than its own: then the trust is its trust. */
  voice_id: z.string().optional(),
})
export const Basis = z.object({
  currency: Currency.nullable(),
  /** Observations (or SKUs) without a vote, each with the reason. */
  excluded: z.array(z.object({ id: z.string(), reason: z.string() })),
  last_observed_at: Instant.nullable(),
  method_version: z.string(),
  /** Weighted quartiles of the headline votes, in minor units; null without a median. */
  p25: z.int().nullable(),
  p75: z.int().nullable(),
  /** From methods with guarded votes (twm/3) alone. */
  tax: TaxCounts.optional(),
  trust_total: Count,
  voters: Count,
  votes: z.array(BasisVote),
})
export type Basis = Readonly<z.infer<typeof Basis>>

type HeadlineVote = Readonly<{ currency: string; observation_id: string }>
/** What of a basis, also as the API shows it, tells which votes count. */
type VotesOf<Vote> = Readonly<{
  currency: string | null
  votes: readonly Vote[]
  excluded: readonly Readonly<{ id: string; reason: string }>[]
}>

/** The votes in the headline of a basis. */
export function headlineVotes<Vote extends HeadlineVote>({
  currency,
  votes,
  excluded,
}: VotesOf<Vote>): readonly Vote[] {
  const below = new Set(excluded.filter(({ reason }) => reason === SAME_PUBLISHER).map(({ id }) => id))
  return votes.filter((vote) => vote.currency === currency && !below.has(vote.observation_id))
}

/** The votes in the median of a region, or in the headline. */
export const votesIn = <Vote extends HeadlineVote & Readonly<{ markets: readonly string[] }>>(
  basis: VotesOf<Vote>,
  region: string | undefined,
): readonly Vote[] =>
  region === undefined ? headlineVotes(basis) : basis.votes.filter(({ markets }) => markets.includes(region))

/** Why a vote decides its subdivision alone: another one of its publisher votes in the country. */
export const SAME_PUBLISHER = 'SAME_PUBLISHER'

/** The full public state of one item, and the basis of its medians. */
export const ItemPublished = event('ItemPublished', {
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
