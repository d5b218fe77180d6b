import type { PublicState } from '@catalog/core/events/items.ts'
import { legalVendorOf } from '@catalog/core/median/source-settings.ts'
import { foldText } from '@catalog/core/text.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type {
  Point,
  ReplicatedBasis,
  ReplicatedCategory,
  ReplicatedItem,
  ReplicatedPoints,
  ReplicatedRun,
} from '@catalog/store/replica/items.ts'
import type { ReplicatedSku, ReplicatedSource } from '@catalog/store/replica/prices.ts'
import { type VendorObservation, vendorObservation } from './vendor-price.ts'

/** Writes of a replica. Law: each is idempotent, and an older state never replaces a newer one. */

export function writeItems(tables: Tables, items: readonly ReplicatedItem[]): void {
  for (const item of items) {
    const { item_id: id } = item
    const active = tables.get<{ seq: number }>('select seq from items where item_id = ?', id)
    const former = active
      ? undefined
      : tables.get<{ seq: number }>('select seq from former_items where item_id = ?', id)
    const known = active ?? former
    if (known !== undefined && BigInt(known.seq) >= item.seq) continue
    if (active !== undefined) {
      tables.run('delete from item_regions where item_id = ?', id)
      tables.run('delete from item_markets where item_id = ?', id)
    }
    if (item.public_state === null) {
      if (active !== undefined) tables.run('delete from items where item_id = ?', id)
      tables.run('insert or replace into former_items values (?, ?, ?)', id, item.seq, item.merged_into)
    } else {
      if (former !== undefined) tables.run('delete from former_items where item_id = ?', id)
      writeActive(tables, item.seq, JSON.parse(item.public_state) as PublicState)
    }
  }
}

function writeActive(tables: Tables, seq: bigint, { item, markets, regions, names, kind }: PublicState): void {
  tables.run(
    'insert or replace into items values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
    item.id,
    seq,
    // The state is canonical JSON, so that its parts are.
    JSON.stringify(item),
    names === undefined ? null : JSON.stringify(names),
    foldText(item.name),
    item.category_id,
    kind ?? null,
    item.unit,
    item.median_price?.currency ?? null,
    item.median_price?.cents ?? null,
    Date.parse(item.updated_at),
    item.cpv,
    JSON.stringify(regions),
  )
  for (const region of regions) tables.run('insert or replace into item_regions values (?, ?)', region, item.id)
  for (const { region, median_price } of markets) {
    tables.run(
      'insert or replace into item_markets values (?, ?, ?, ?, ?)',
      item.id,
      region,
      median_price && JSON.stringify(median_price),
      median_price?.currency ?? null,
      median_price?.cents ?? null,
    )
  }
}

/** Writes bases and the SKUs of their items, whose prices must follow. */
export function writeBases(tables: Tables, bases: readonly ReplicatedBasis[]): void {
  for (const { item_id, basis, vendor_sku_ids } of bases) {
    tables.run('insert or replace into bases values (?, ?)', item_id, basis)
    tables.run('delete from item_skus where item_id = ?', item_id)
    for (const [place, sku] of vendor_sku_ids.entries())
      tables.run('insert into item_skus values (?, ?, ?)', item_id, place, sku)
  }
}

/** Puts points in the place of those at the same instants or later. */
export function writePoints(tables: Tables, years: readonly ReplicatedPoints[]): void {
  for (const { item_id, market, year, points } of years) {
    const key = [item_id, market, year]
    const known = tables.get<{ points: string }>(
      'select points from price_points where item_id = ? and market = ? and year = ?',
      ...key,
    )
    const all = known === undefined ? points : withLater(known.points, points)
    tables.run('insert or replace into price_points values (?, ?, ?, ?)', ...key, all)
  }
}

function withLater(known: string, later: string): string {
  const added: Point[] = JSON.parse(later)
  const fromUs = added[0]?.[0] ?? Number.POSITIVE_INFINITY
  return JSON.stringify([...(JSON.parse(known) as Point[]).filter(([atUs]) => atUs < fromUs), ...added])
}

/** Replaces SKUs; one without a present price shows none. */
export function writeSkus(tables: Tables, skus: readonly ReplicatedSku[]): void {
  for (const { vendor_sku_id: id, source_id, observations, seen } of skus) {
    const texts = seen.length === 0 ? [null, null, null, null] : textsOf(vendorObservation(seen))
    tables.run('insert or replace into skus values (?, ?, ?, ?, ?, ?, ?)', id, source_id, ...texts, observations)
  }
}

/** JSON before and after the source, that of the source, and its legal vendor. */
function textsOf({ vendor_sku_id, source, ...shown }: VendorObservation): string[] {
  const before = `{"vendor_sku_id":${JSON.stringify(vendor_sku_id)},"source":`
  return [before, `,${JSON.stringify(shown).slice(1)}`, JSON.stringify(source), legalVendorOf(source)]
}

/**
 * The sources that changed and whose SKUs must be read again: of a source that is not registered, or was not, each SKU holds
 * the name and address that its observation says.
 */
export function staleSources(tables: Tables, sources: readonly ReplicatedSource[]): string[] {
  return sources.flatMap((source) => {
    const known = tables.get<{ fields: string; source_json: string | null }>(
      'select fields, source_json from sources where source_id = ?',
      source.source_id,
    )
    const isStale = known?.fields !== fieldsOf(source) && (!source.is_registered || known?.source_json == null)
    return isStale ? [source.source_id] : []
  })
}

export function writeSources(tables: Tables, sources: readonly ReplicatedSource[]): void {
  for (const source of sources) {
    const { source_id, is_registered, name, region, url, trust_score, voice } = source
    const json = is_registered ? JSON.stringify({ name, region, trust_score, url }) : null
    const vendor = voice === null ? null : legalVendorOf({ name: voice })
    tables.run('insert or replace into sources values (?, ?, ?, ?)', source_id, fieldsOf(source), json, vendor)
  }
}

const fieldsOf = ({ is_registered, name, region, url, trust_score }: ReplicatedSource) =>
  JSON.stringify([is_registered, name, region, url, trust_score])

export function writeCategories(tables: Tables, categories: readonly ReplicatedCategory[]): void {
  for (const { category_id, parent_id, name } of categories)
    tables.run('insert or replace into categories values (?, ?, ?)', category_id, parent_id, name)
}

export function writeRuns(tables: Tables, runs: readonly ReplicatedRun[]): void {
  for (const { offset, as_of, seq, gone_from } of runs) {
    tables.run('insert or replace into runs values (?, ?, ?, ?)', offset, as_of, Date.parse(as_of), seq)
    if (gone_from !== null) removePoints(tables, gone_from)
  }
}

function removePoints(tables: Tables, from: string): void {
  tables.run(
    `update price_points set points = (
       select json_group_array(json(value) order by key) from json_each(points) where json_extract(value, '$[0]') < ?)
     where year >= ?`,
    Date.parse(from) * 1_000,
    new Date(from).getUTCFullYear(),
  )
  tables.run(`delete from price_points where points = '[]'`)
}
