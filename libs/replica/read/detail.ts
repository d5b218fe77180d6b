import { DAY_MS } from '@catalog/core/time.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { survivorId } from './items.ts'
import { type Price, priceOf, readPoints } from './points.ts'

/** The detail of an item, with its vendors and history as JSON texts. */
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
  /** JSON array of the points of the last days, ascending by time. */
  history_json: string
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

const DETAIL = `
  select i.item_id, i.item_json, i.kind, i.names_json,
    (select median_json from item_markets m where m.item_id = i.item_id and m.region = ?2) as median_json,
    (select basis from bases b where b.item_id = i.item_id) as basis,
    (select group_concat(k.json_before || coalesce(s.source_json, k.source_json) || k.json_after, ',' order by m.place)
       from item_skus m join skus k using (vendor_sku_id) left join sources s using (source_id)
      where m.item_id = i.item_id and json_extract(coalesce(s.source_json, k.source_json), '$.trust_score') > 0) as vendors
  from items i where i.item_id = ?1`

function readActive(
  tables: Tables,
  { itemId, priceRegion, days }: { itemId: string; priceRegion?: string | undefined; days: number },
): ItemDetailTexts | undefined {
  const row = tables.get<Omit<ItemDetailTexts, 'vendors_json' | 'history_json'> & { vendors: string | null }>(
    DETAIL,
    itemId,
    priceRegion ?? null,
  )
  if (row === undefined) return undefined
  const { vendors, ...texts } = row
  return {
    ...texts,
    vendors_json: `[${vendors ?? ''}]`,
    history_json: JSON.stringify(lastPoints(tables, { itemId, market: priceRegion ?? '', days })),
  }
}

/** The prices of the days up to the last finished run, the first one dated at their begin. */
function lastPoints(
  tables: Tables,
  { itemId, market, days }: { itemId: string; market: string; days: number },
): Readonly<{ recorded_at: string; price_cents: number; currency: string | null }>[] {
  const run = tables.get<{ as_of_ms: number }>('select as_of_ms from runs order by offset desc limit 1')
  if (run === undefined) return []
  const [fromUs, untilUs] = [(run.as_of_ms - days * DAY_MS) * 1000, run.as_of_ms * 1000]
  const points = readPoints(tables, { itemId, market, fromUs })
  const inForce = points.findLast(([atUs]) => atUs <= fromUs)
  const begin = inForce && ([fromUs, inForce[1], inForce[2]] as const)
  const within = points.filter(([atUs]) => atUs > fromUs && atUs <= untilUs)
  return [...(begin ? [begin] : []), ...within].map(priceOf).flatMap(({ recorded_at, cents, currency }) => {
    return cents === null ? [] : [{ recorded_at, price_cents: cents, currency }]
  })
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
