import { DAY_MS, instant } from '@catalog/core/time.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { survivorId } from './items.ts'

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

export type HistoryRow = Readonly<{
  item_id: string
  /** Ascending by time. Null cents and currency: no price from then on. */
  points: readonly Readonly<{ recorded_at: string; cents: number | null; currency: string | null }>[]
}>

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

const POINT = (recordedAt: string) =>
  `'{"recorded_at":"' || ${recordedAt} || '","price_cents":' || cents || ',"currency":"' || currency || '"}'`

const DETAIL = `
  select i.item_id, i.item_json, i.kind, i.names_json,
    (select median_json from item_markets m where m.item_id = i.item_id and m.region = ?2) as median_json,
    (select basis from bases b where b.item_id = i.item_id) as basis,
    (select group_concat(k.json_before || coalesce(s.source_json, k.source_json) || k.json_after, ',' order by m.place)
       from item_skus m join skus k using (vendor_sku_id) left join sources s using (source_id)
      where m.item_id = i.item_id) as vendors,
    (select ${POINT('?5')} from price_points p
      where p.item_id = i.item_id and p.market = coalesce(?2, '') and at_us =
        (select max(at_us) from price_points l where l.item_id = i.item_id and l.market = coalesce(?2, '') and at_us <= ?3)
        and cents is not null) as in_force,
    (select group_concat(${POINT('recorded_at')}, ',' order by at_us) from price_points p
      where p.item_id = i.item_id and p.market = coalesce(?2, '') and at_us > ?3 and at_us <= ?4 and cents is not null) as within
  from items i where i.item_id = ?1`

function readActive(
  tables: Tables,
  { itemId, priceRegion, days }: { itemId: string; priceRegion?: string | undefined; days: number },
): ItemDetailTexts | undefined {
  const untilMs =
    tables.get<{ as_of_ms: number }>('select as_of_ms from runs order by offset desc limit 1')?.as_of_ms ?? null
  const edgeMs = untilMs === null ? null : untilMs - days * DAY_MS
  const row = tables.get<
    Omit<ItemDetailTexts, 'vendors_json' | 'history_json'> & {
      vendors: string | null
      in_force: string | null
      within: string | null
    }
  >(
    DETAIL,
    itemId,
    priceRegion ?? null,
    edgeMs === null ? null : edgeMs * 1000,
    untilMs === null ? null : untilMs * 1000,
    edgeMs === null ? null : instant(new Date(edgeMs)),
  )
  if (row === undefined) return undefined
  const { vendors, in_force, within, ...texts } = row
  return {
    ...texts,
    vendors_json: `[${vendors ?? ''}]`,
    history_json: `[${[in_force, within].filter((text) => text !== null).join(',')}]`,
  }
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
  const market = priceRegion ?? ''
  const usOf = (at: string | undefined) => (at === undefined ? null : Date.parse(at) * 1000)
  const [fromUs, toUs, afterUs] = [usOf(from), usOf(to), usOf(after)]
  const points = tables.all<HistoryRow['points'][number]>(
    `select recorded_at, cents, currency from price_points
     where item_id = ?1 and market = ?2 and at_us >= coalesce(?3, 0) and at_us > coalesce(?5, -1)
       and at_us <= coalesce(?4, 9223372036854775807) order by at_us limit ?6`,
    id,
    market,
    fromUs,
    toUs,
    afterUs,
    limit,
  )
  if (from === undefined || fromUs === null || after !== undefined) return { item_id: id, points }
  const begin = instant(new Date(fromUs / 1000))
  const inForce = tables.get<HistoryRow['points'][number]>(
    `select ?4 as recorded_at, cents, currency from price_points p where item_id = ?1 and market = ?2 and at_us < ?3
       and not exists (select 1 from price_points e where e.item_id = ?1 and e.market = ?2 and e.at_us = ?3)
     order by at_us desc limit 1`,
    id,
    market,
    fromUs,
    begin,
  )
  return { item_id: id, points: inForce === undefined ? points : [inForce, ...points].slice(0, limit) }
}
