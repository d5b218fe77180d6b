import { DAY_MS } from '@catalog/core/time.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { survivorId } from './items.ts'
import { type Price, priceOf, readPoints } from './points.ts'

/** The detail of an item, with its vendors as a JSON text. */
export type ItemDetailTexts = Readonly<{
  item_id: string
  item_json: string
  kind: string | null
  /** Its names by language and market, as JSON; null where all are its name. */
  names_json: string | null
  /** The median of the requested price region; null without a region, or without a vote there. */
  median_json: string | null
  /** JSON of the votes and exclusions behind the median. */
  basis: string
  /** JSON array of the present prices of its SKUs, in their order. */
  vendors_json: string
  /** The points of the last days, ascending by time. */
  history: readonly Price[]
}>

/** `points` ascend by time. */
export type HistoryRow = Readonly<{ item_id: string; points: readonly Price[] }>

/** The detail of an item or of the survivor of its merges, with the history of some days up to the last finished run. */
export function readItemDetail(
  tables: Tables,
  { itemId, priceRegion, days }: { itemId: string; priceRegion?: string | undefined; days: number },
): ItemDetailTexts | undefined {
  const active = readActive(tables, { itemId, priceRegion, days })
  if (active !== undefined) return active
  const survivor = survivorId(tables, itemId)
  return survivor === undefined ? undefined : readActive(tables, { itemId: survivor, priceRegion, days })
}

/** Law: the counts of an item are those of the vendors beside it, whatever was published. */
const DETAIL = `
  with shown as (
    select m.place, k.json_before, coalesce(s.source_json, k.source_json) as source, k.json_after, k.observations,
      coalesce(s.vendor, k.vendor) as vendor
      from item_skus m join skus k using (vendor_sku_id) left join sources s using (source_id)
     where m.item_id = ?1 and k.json_before is not null
  ), vendors as (
    select group_concat(json_before || source || json_after, ',' order by place) as vendors,
      count(distinct vendor) as vendor_count, coalesce(sum(observations), 0) as observation_count
      from shown where source->>'$.trust_score' > 0
  )
  select i.item_id, json_replace(i.item_json, '$.vendor_count', vendor_count, '$.observation_count', observation_count) as item_json,
    i.kind, i.names_json,
    (select median_json from item_markets m where m.item_id = i.item_id and m.region = ?2) as median_json,
    (select basis from bases b where b.item_id = i.item_id) as basis, vendors
  from items i, vendors where i.item_id = ?1`

function readActive(
  tables: Tables,
  { itemId, priceRegion, days }: { itemId: string; priceRegion?: string | undefined; days: number },
): ItemDetailTexts | undefined {
  const row = tables.get<Omit<ItemDetailTexts, 'vendors_json' | 'history'> & { vendors: string | null }>(
    DETAIL,
    itemId,
    priceRegion ?? null,
  )
  if (row === undefined) return undefined
  const { vendors, ...texts } = row
  return {
    ...texts,
    vendors_json: `[${vendors ?? ''}]`,
    history: lastPoints(tables, { itemId, market: priceRegion ?? '', days }),
  }
}

/** The prices and gaps of the days up to the last finished run; a price in force at their begin is dated there. */
function lastPoints(
  tables: Tables,
  { itemId, market, days }: { itemId: string; market: string; days: number },
): readonly Price[] {
  const run = tables.get<{ as_of_ms: number }>('select as_of_ms from runs order by offset desc limit 1')
  if (run === undefined) return []
  const [fromUs, untilUs] = [(run.as_of_ms - days * DAY_MS) * 1000, run.as_of_ms * 1000]
  const points = readPoints(tables, { itemId, market, fromUs })
  const inForce = points.findLast(([atUs]) => atUs <= fromUs)
  const within = points.filter(([atUs]) => atUs > fromUs && atUs <= untilUs)
  if (inForce !== undefined && inForce[1] !== null) within.unshift([fromUs, inForce[1], inForce[2]])
  return within.map(priceOf)
}

/**
 * The price changes of an item in one market (the headline without a price region) between two instants, inclusive, at
 * most `limit`. A history from `from` begins with the value in force there, dated at `from`. `after` is exclusive: the
 * end of the previous page. Undefined when the item never existed or is gone.
 */
export function readHistory(
  tables: Tables,
  {
    itemId,
    priceRegion,
    from,
    to,
    after,
    limit,
  }: {
    itemId: string
    priceRegion?: string | undefined
    from?: string | undefined
    to?: string | undefined
    after?: string | undefined
    limit: number
  },
): HistoryRow | undefined {
  const id = survivorId(tables, itemId)
  if (id === undefined) return undefined
  const usOf = (at: string | undefined) => (at === undefined ? undefined : Date.parse(at) * 1000)
  const [fromUs = 0, toUs = Number.POSITIVE_INFINITY, afterUs = -1] = [usOf(from), usOf(to), usOf(after)]
  const all = readPoints(tables, { itemId: id, market: priceRegion ?? '', fromUs })
  const found = all.filter(([atUs]) => atUs >= fromUs && atUs > afterUs && atUs <= toUs)
  const inForce = from === undefined || after !== undefined ? undefined : all.findLast(([atUs]) => atUs <= fromUs)
  if (inForce !== undefined && inForce[0] < fromUs) found.unshift([fromUs, inForce[1], inForce[2]])
  return { item_id: id, points: found.slice(0, limit).map(priceOf) }
}
