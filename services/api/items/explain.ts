import type { ItemBasis, SkuKind } from '@catalog/api/contract/contract.ts'
import {
  type Basis,
  headlineVotes,
  type ItemName,
  type Kind,
  type VoteTax,
  votesIn,
} from '@catalog/core/events/items.ts'
import { kindOf } from '@catalog/core/kinds/kind-of.ts'
import { dispersionOf } from '@catalog/core/matching/dispersion.ts'
import { statedTax } from '@catalog/core/median/sku-prices.ts'
import { parseRational, roundHalfEven } from '@catalog/core/money/rational.ts'
import { readSkuNames, type SkuName } from '@catalog/store/catalog/detail.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** The caveat of a median for people, in one region or in the headline; null for none. */
export function noteOf(basis: Basis, region: string | undefined): string | null {
  if (votesIn(basis, region).length === 1) return 'rests on one vendor'
  const { apart, ratio, region: widest } = dispersionOf(basis.votes)
  return apart ? `may mix two products: its vendors in ${widest} stand ${ratio} times apart` : null
}

/** How far the vendors of each market stand apart. */
function dispersionIn({ votes }: Basis): ItemBasis['basis']['dispersion'] {
  const { markets, groups, ...widest } = dispersionOf(votes)
  return { ...widest, markets: [...markets], groups: groups?.map((group) => [...group]) ?? null }
}

type Amount = Readonly<{ cents: number; currency: string }>

/** An item to explain, as published, or as the facts give it at any instant. */
export type Explained = Readonly<{
  itemId: string
  name: string
  unit: string | null
  kind: Kind | null
  names: readonly ItemName[]
  category: ItemBasis['category']
  mergedInto: string | null
  /** Null: no run published this. */
  runId: string | null
  asOf: string
  median: Amount | null
  markets: readonly Readonly<{ region: string; median: Amount | null; vendorCount: number }>[]
  vendorSkuIds: readonly string[]
  basis: Basis
}>

/** The explanation of a median, for the API and for `catalog explain`, with the names of SKUs and sources. */
export async function explanationOf(store: Queryable, explained: Explained): Promise<ItemBasis> {
  const { basis } = explained
  const ids = basis.excluded.map(({ id }) => id)
  const names = await readSkuNames(store, {
    skuIds: ids.filter((id) => !OBSERVATION_ID.test(id)),
    observationIds: [
      ...basis.votes.map(({ observation_id }) => observation_id),
      ...ids.filter((id) => OBSERVATION_ID.test(id)),
    ],
  })
  const namesOf = (id: string) => {
    const name = names.get(id)
    return {
      vendor_sku_id: name?.vendor_sku_id ?? (OBSERVATION_ID.test(id) ? null : id),
      vendor_ref: name?.vendor_ref ?? null,
      vendor_sku_name: name?.name ?? null,
      vendor_category_path: name?.category_path ? [...name.category_path] : null,
      source_id: name?.source_id ?? null,
      source_name: name?.source_name ?? null,
    }
  }
  const votes = basis.votes.map((vote) => {
    const said = names.get(vote.observation_id)
    const tax = vote.tax ?? taxOf(said)
    return {
      ...namesOf(vote.observation_id),
      vendor_sku_id: vote.vendor_sku_id,
      source_id: vote.source_id,
      alias_of: vote.voice_id ?? null,
      observation_id: vote.observation_id,
      price: vote.price,
      price_cents: centsOf(vote.price),
      currency: vote.currency,
      trust: vote.trust,
      observed_at: vote.observed_at,
      ...(vote.edition !== undefined && { edition: vote.edition }),
      markets: vote.markets,
      kind: said?.price_kind ?? null,
      min_quantity: said?.min_quantity ?? null,
      tax,
      sku_kind: said?.name ? kindIn(said) : null,
      flags: vote.flags ?? (tax?.state === 'gross_without_rate' ? ['TAX_UNKNOWN' as const] : []),
    }
  })
  const amount = (median: Amount | null) => median && { cents: median.cents, currency: median.currency }
  return {
    item_id: explained.itemId,
    name: explained.name,
    unit: explained.unit,
    kind: explained.kind,
    names: [...explained.names],
    category: explained.category,
    merged_into: explained.mergedInto,
    run_id: explained.runId,
    as_of: explained.asOf,
    median: amount(explained.median),
    markets: explained.markets.map(({ region, median, vendorCount }) => ({
      region,
      median: amount(median),
      vendor_count: vendorCount,
      voters: votesIn(basis, region).length,
    })),
    vendor_sku_ids: [...explained.vendorSkuIds],
    basis: {
      method_version: basis.method_version,
      currency: basis.currency,
      voters: basis.voters,
      single_voter: basis.voters === 1,
      note: noteOf(basis, undefined),
      trust_total: basis.trust_total,
      p25: basis.p25,
      p75: basis.p75,
      last_observed_at: basis.last_observed_at,
      dispersion: dispersionIn(basis),
      tax: basis.tax ?? taxCountsOf(votes, basis),
      votes,
      excluded: basis.excluded.map(({ id, reason }) => ({ id, reason, ...namesOf(id) })),
    },
  }
}

/** Other ids are those of vendor SKUs. */
const OBSERVATION_ID = /^[0-9a-f]{64}$/

/** An exact price "n/d" as rounded minor units. */
const centsOf = (exact: string) => Number(roundHalfEven(parseRational(exact)))

/** What the texts of the observation say of its kind, each with the word that says so. */
function kindIn({ name, lang, unit, pack, gtin, manufacturer_ref, category_path }: SkuName): SkuKind {
  const {
    isByTime: _t,
    machine: _m,
    ...reading
  } = kindOf({
    name,
    unit,
    ...(lang !== null && { lang }),
    ...(pack !== null && { pack }),
    ...(gtin !== null && { gtin }),
    ...(manufacturer_ref !== null && { manufacturerRef: manufacturer_ref }),
    ...(category_path !== null && { categoryPath: category_path }),
  })
  return { ...reading, trades: [...reading.trades], evidence: [...reading.evidence] }
}

/** The tax as the observation states it; null for an observation that is not stored. */
const taxOf = (said: SkuName | undefined): VoteTax | null =>
  said ? statedTax({ taxIncluded: said.tax_included, taxRate: said.tax_rate }) : null

/** Counts by tax state, for bases of methods that do not record them. */
function taxCountsOf(
  votes: readonly Readonly<{ vendor_sku_id: string; tax: VoteTax | null }>[],
  basis: Basis,
): NonNullable<Basis['tax']> {
  const voting = new Set(headlineVotes(basis).map(({ vendor_sku_id }) => vendor_sku_id))
  const counts = { net: 0, gross_with_rate: 0, gross_without_rate: 0, not_stated: 0 }
  for (const { vendor_sku_id, tax } of votes) if (tax !== null && voting.has(vendor_sku_id)) counts[tax.state]++
  return counts
}
