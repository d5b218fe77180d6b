import { described, shape } from '@catalog/api/contract/shared/described.ts'
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

const taxOfVote = shape('taxOfVote', {
  state: TaxState,
  rate: VoteTax.shape.rate,
  by: VoteTax.shape.by,
})
  .nullable()
  .meta({
    description: 'What the vendor says of the tax, and what was removed; null when the observation is not stored',
  })

const dispersion = shape('dispersion', {
  ratio: z.number().nullable(),
  region: z.string().nullable(),
  markets: z.array(z.strictObject({ region: z.string(), voters: Count, ratio: z.number() })),
  apart: z.boolean().meta({
    description: `true: the vendors of a market stand more than ${APART_RATIO} times apart, so the item may mix two products`,
  }),
  groups: z.array(z.array(z.string())).nullable(),
}).meta({ description: 'How far the vendors of one market stand apart' })

/** What the texts of a vendor SKU say of its kind. */
const SkuKind = shape('SkuKind', {
  kind: z.enum(KINDS).nullable(),
  grade: z.enum(GRADES).nullable(),
  trades: z.array(z.string()),
  action: z.string().nullable(),
  operator: z.enum(['with', 'without']).nullable(),
  evidence: z.array(
    shape('SkuKind.evidence', {
      about: z.enum(['kind', 'grade', 'trade', 'action', 'operator']),
      value: z.string(),
      by: z.enum(['word', 'unit', 'category', 'structure']),
      text: z.string(),
    }),
  ),
})
export type SkuKind = z.infer<typeof SkuKind>

const named = described('named', {
  vendor_ref: z.string().nullable(),
  vendor_sku_name: z.string().nullable(),
  vendor_category_path: z.array(z.string()).nullable(),
  source_id: z.string().nullable(),
  source_name: z.string().nullable(),
})

/** The basis of a median. The command `catalog explain` prints the same. */
export const ItemBasisResponse = shape('ItemBasisResponse', {
  item_id: Id('ci_', 'Item id'),
  name: z.string(),
  unit: z.string().nullable(),
  kind: z.enum(KINDS).nullable(),
  category: z
    .strictObject({ id: Id('cat_', 'Category id'), path: z.array(z.string()), ...ItemCategory.shape })
    .nullable(),
  names: z.array(ItemName),
  merged_into: z.string().nullable(),
  run_id: Run.nullable(),
  as_of: Instant,
  median: MoneyAmount.nullable(),
  markets: z.array(
    shape('ItemBasisResponse.markets', {
      region: z.string(),
      median: MoneyAmount.nullable(),
      vendor_count: Count,
      voters: Count,
    }),
  ),
  vendor_sku_ids: z.array(z.string()),
  basis: shape('ItemBasisResponse.basis', {
    method_version: z.string(),
    currency: Currency.nullable(),
    voters: Count,
    single_voter: SingleVoter,
    note: z.string().nullable(),
    trust_total: Count,
    p25: Cents.nullable(),
    p75: Cents.nullable(),
    last_observed_at: Instant.nullable(),
    dispersion,
    tax: z.strictObject({ net: Count, gross_with_rate: Count, gross_without_rate: Count, not_stated: Count }),
    votes: z.array(
      shape('ItemBasisResponse.basis.votes', {
        vendor_sku_id: Id('vsku_', 'Vendor SKU id'),
        ...named,
        alias_of: z.string().nullable(),
        observation_id: z.string(),
        price: z.string(),
        price_cents: Cents,
        currency: Currency,
        trust: z.int().min(0).max(100),
        observed_at: Instant,
        edition: EditionStated.optional(),
        markets: z.array(z.string()),
        kind: z.string().nullable(),
        min_quantity: z.string().nullable(),
        tax: taxOfVote,
        sku_kind: SkuKind.nullable(),
        flags: z.array(VoteFlag).meta({ description: `Reasons to review it:\n${meanings(FLAGS)}` }),
      }),
    ),
    excluded: z.array(
      shape('ItemBasisResponse.basis.excluded', {
        id: z.string(),
        reason: z.string().meta({
          description: `Why it has no vote:\n${meanings(EXCLUSIONS)}`,
          examples: ['EXPIRED'],
        }),
        vendor_sku_id: z.string().nullable(),
        ...named,
      }),
    ),
  }),
}).meta({ id: 'ItemBasisResponse' })
export type ItemBasis = z.infer<typeof ItemBasisResponse>
