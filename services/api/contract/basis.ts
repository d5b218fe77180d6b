import { Cents, Count, Currency, EditionStated, Id, Instant, MoneyAmount } from '@catalog/api/contract/shared/fields.ts'
import { MEANINGS } from '@catalog/api/contract/shared/meanings.ts'
import { ItemCategory, ItemName, KINDS, TaxState, VoteFlag, VoteTax } from '@catalog/core/events/items.ts'
import { GRADES } from '@catalog/core/kinds/kind-of.ts'
import { APART_RATIO } from '@catalog/core/matching/dispersion.ts'
import { z } from 'zod'

/** The basis of a median: its votes and exclusions. */

const SingleVoter = z.boolean().meta({ description: 'true: the price depends on a single vendor' })
export const Run = z.string().meta({ description: 'Run id' })

/** The reasons that exclude a price from the median, explained for readers. */
export const EXCLUSIONS = MEANINGS.exclusions

/** The flags of a vote, explained for readers. */
const FLAGS: Readonly<Record<VoteFlag, string>> = MEANINGS.flags

const meanings = (table: Readonly<Record<string, string>>) =>
  Object.entries(table)
    .map(([name, meaning]) => `\n- \`${name}\`: ${meaning}`)
    .join('')

const taxOfVote = z
  .strictObject({
    state: TaxState,
    rate: VoteTax.shape.rate.meta({ description: 'The fraction that was removed', examples: ['0.21'] }),
    by: VoteTax.shape.by.meta({
      description:
        '`vendor`: the rate that the vendor states; `standard_rate`: the region’s standard rate of that day, where ' +
        'the operator enabled it; `majority`: as those of the region that state their tax',
    }),
  })
  .nullable()
  .meta({
    description: 'What the vendor says of the tax, and what was removed; null when the observation is not stored',
  })

const dispersion = z
  .strictObject({
    ratio: z.number().nullable().meta({ description: 'Highest over lowest vote of one market, where it is greatest' }),
    region: z.string().nullable().meta({ description: 'The market with that ratio' }),
    markets: z.array(z.strictObject({ region: z.string(), voters: Count, ratio: z.number() })),
    apart: z.boolean().meta({
      description: `true: the vendors of a market stand more than ${APART_RATIO} times apart, so the item may mix two products`,
    }),
    groups: z.array(z.array(z.string())).nullable().meta({
      description:
        'While they stand apart: the vendor SKUs of that market in groups of like prices, the cheapest first',
    }),
  })
  .meta({ description: 'How far the vendors of one market stand apart' })

/** What the texts of a vendor SKU say of its kind. */
const SkuKind = z.strictObject({
  kind: z.enum(KINDS).nullable().meta({ description: 'null: its texts do not say' }),
  grade: z.enum(GRADES).nullable().meta({ description: 'Of labour; `officer` is a first or a second' }),
  trades: z.array(z.string()).meta({ description: 'Of labour', examples: [['electrician']] }),
  action: z
    .string()
    .nullable()
    .meta({ description: 'Of a work', examples: ['supply and install', 'remove'] }),
  operator: z.enum(['with', 'without']).nullable().meta({ description: 'Whether a person runs the machine' }),
  evidence: z.array(
    z.strictObject({
      about: z.enum(['kind', 'grade', 'trade', 'action', 'operator']),
      value: z.string(),
      by: z.enum(['word', 'unit', 'category', 'structure']),
      text: z.string().meta({ description: 'The folded words, the unit or the category that said so' }),
    }),
  ),
})
export type SkuKind = z.infer<typeof SkuKind>

const named = {
  vendor_ref: z.string().nullable().meta({ description: 'The vendor’s own reference; null when unknown' }),
  vendor_sku_name: z.string().nullable().meta({ description: 'The name that the vendor gives it' }),
  vendor_category_path: z
    .array(z.string())
    .nullable()
    .meta({ description: 'Where the vendor files it, from its own root; null where it says nothing' }),
  source_id: z.string().nullable(),
  source_name: z.string().nullable(),
}

/** The basis of a median. The command `catalog explain` prints the same. */
export const ItemBasisResponse = z
  .strictObject({
    item_id: Id('ci_', 'Item id'),
    name: z.string(),
    unit: z.string().nullable(),
    kind: z.enum(KINDS).nullable().meta({ description: 'What the item is; null where its texts do not say' }),
    category: z
      .strictObject({ id: Id('cat_', 'Category id'), path: z.array(z.string()), ...ItemCategory.shape })
      .nullable()
      .meta({
        description:
          'Its category in the catalog’s tree, from the root, with the vendor’s path or the name that says so and ' +
          'how sure that is; null without one',
      }),
    names: z.array(ItemName).meta({
      description:
        'What vendors call it, by market and language: `price_region` and `lang` choose among these. The first of a ' +
        'language is the one that most trust uses',
    }),
    merged_into: z.string().nullable(),
    run_id: Run.nullable().meta({ description: 'The run that published this; null when no run did' }),
    as_of: Instant,
    median: MoneyAmount.nullable(),
    markets: z.array(
      z.strictObject({
        region: z.string(),
        median: MoneyAmount.nullable(),
        vendor_count: Count,
        voters: Count.meta({ description: 'Votes in this median; vendor_count includes vendors without one' }),
      }),
    ),
    vendor_sku_ids: z.array(z.string()),
    basis: z.strictObject({
      method_version: z.string().meta({ examples: ['twm/1'] }),
      currency: Currency.nullable(),
      voters: Count.meta({ description: 'Votes in the headline' }),
      single_voter: SingleVoter,
      note: z.string().nullable().meta({ description: 'For people: a caveat of the price' }),
      trust_total: Count.meta({ description: 'Sum of the trust of all voters' }),
      p25: Cents.nullable(),
      p75: Cents.nullable(),
      last_observed_at: Instant.nullable(),
      dispersion,
      tax: z
        .strictObject({ net: Count, gross_with_rate: Count, gross_without_rate: Count, not_stated: Count })
        .meta({ description: 'Votes in the headline by what the vendor says of the tax' }),
      votes: z.array(
        z.strictObject({
          vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
          ...named,
          alias_of: z.string().nullable().meta({
            description: 'The source that speaks for its legal vendor, and whose trust it has; null: the source itself',
          }),
          observation_id: z.string().meta({ description: 'SHA-256 of the observation, hexadecimal' }),
          price: z.string().meta({
            description: 'Exact minor units per unit of the item, net of tax where its rate is known',
            examples: ['48500/121'],
          }),
          price_cents: Cents.meta({ description: 'The same, rounded' }),
          currency: Currency,
          trust: z.int().min(0).max(100).meta({ description: 'The weight of the vote' }),
          observed_at: Instant,
          edition: EditionStated.optional(),
          markets: z.array(z.string()).meta({ description: 'Regions whose median includes it' }),
          kind: z.string().nullable().meta({
            description: '`list`, `net`, `bid` or `bank`: a list price, a net price, a bid, an entry of a price bank',
          }),
          min_quantity: z.string().nullable().meta({ description: 'The quantity from which the price holds' }),
          tax: taxOfVote,
          sku_kind: SkuKind.nullable().meta({
            description: 'The kind of the vendor SKU with its evidence; null when the observation is not stored',
          }),
          flags: z.array(VoteFlag).meta({ description: `Reasons to review it:\n${meanings(FLAGS)}` }),
        }),
      ),
      excluded: z.array(
        z.strictObject({
          id: z.string().meta({ description: 'Id of an observation, or of a vendor SKU' }),
          reason: z.string().meta({
            description: `Why it has no vote:\n${meanings(EXCLUSIONS)}`,
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
