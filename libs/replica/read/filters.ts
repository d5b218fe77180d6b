import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import { foldText } from '@catalog/core/text.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import type { ItemsQuery } from './items-query.ts'
import { isByPrice, isBySeq, partsOf, priceBounds } from './order.ts'
import { all, joined, raw, type Sql, sql } from './sql.ts'

/** The filters and orders of lists as SQL of SQLite. */

export const inOrder = (keys: readonly Sql[], order: ItemsQuery['order']): Sql =>
  joined(order.startsWith('-') ? keys.map((key) => sql`${key} desc`) : keys, ', ')
export const jsonArray = (keys: readonly Sql[]): Sql => sql`json_array(${joined(keys, ', ')})`

/** `source` is the table that holds `keys`, the values that order its items, and what `where` compares. */
type Stream = Readonly<{ source: Sql; from: Sql; keys: readonly Sql[]; where: Sql; rest: ItemsQuery }>

/** The stream of a walk, after the previous page, and the filters that it does not already guarantee. */
export function streamOf(tables: Tables, question: ItemsQuery): Stream {
  const { order, after, categoryIds, unit, kind, region, updatedSince } = question
  const items = { source: raw('items i'), from: raw('items i'), rest: question }
  if (isBySeq(order)) {
    const where = [
      ...(updatedSince === undefined ? [] : [sql`i.seq > ${firstSeqSince(tables, updatedSince)}`]),
      ...beyondKey(question, raw('i.seq')),
    ]
    return { ...items, keys: [raw('i.seq')], where: all(where) }
  }
  if (order === 'name') {
    const keys = [raw('i.name_key'), raw('i.item_id')]
    return { ...items, keys, where: within(question, keys) }
  }
  if (isByPrice(order)) return priceStream(question)
  const keys = [raw('i.item_id')]
  const beyond = sql`i.item_id > ${after ?? ''}`
  if (categoryIds?.length === 1) {
    const where = all([sql`i.category_id = ${categoryIds[0] as string}`, beyond])
    return { ...items, keys, where, rest: { ...question, categoryIds: undefined } }
  }
  if (unit !== undefined)
    return { ...items, keys, where: all([sql`i.unit = ${unit}`, beyond]), rest: { ...question, unit: undefined } }
  if (region !== undefined) {
    return {
      source: raw(`${soldIn(region)} r`),
      from: raw(`${soldIn(region)} r join items i using (item_id)`),
      keys: [raw('r.item_id')],
      where: all([sql`r.region = ${region}`, sql`r.item_id > ${after ?? ''}`]),
      rest: { ...question, region: undefined },
    }
  }
  if (kind !== undefined)
    return { ...items, keys, where: all([sql`i.kind = ${kind}`, beyond]), rest: { ...question, kind: undefined } }
  return { ...items, keys, where: after === undefined ? raw('true') : beyond }
}

/** The items with a price along the index of prices, which holds the currency and the range of the question. */
function priceStream(question: ItemsQuery): Stream {
  const { priceRegion } = question
  const rest = { ...question, currency: undefined, priceMin: undefined, priceMax: undefined }
  const table = raw(priceRegion === undefined ? 'i' : 'm')
  const keys = [sql`${table}.currency`, sql`${table}.cents`, sql`${table}.item_id`]
  if (priceRegion === undefined) {
    const items = raw('items i')
    return { source: items, from: items, keys, where: within(question, keys), rest }
  }
  return {
    source: raw('item_markets m'),
    // A cross join keeps the order of the tables.
    from: raw('item_markets m cross join items i on i.item_id = m.item_id'),
    keys,
    where: sql`m.region = ${priceRegion} and ${within(question, keys)}`,
    rest,
  }
}

/** Whether keys lie after the previous page and, in an order by price, within the currency and range of the question. */
export function within(question: ItemsQuery, keys: readonly Sql[]): Sql {
  const rowOf = (values: readonly (string | number)[]) =>
    sql`(${joined(
      values.map((value) => sql`${value}`),
      ', ',
    )})`
  const row = sql`(${joined(keys, ', ')})`
  if (question.order === 'name')
    return sql`${row} > ${rowOf(question.after === undefined ? ['', ''] : partsOf(question.after))}`
  const { lower, upper } = priceBounds(question)
  return sql`${row} > ${rowOf(lower)} and ${row} < ${rowOf(upper)}`
}

/** Whether a key lies after the previous page, in an order by one. */
export function beyondKey({ order, after }: ItemsQuery, key: Sql): Sql[] {
  if (after === undefined) return []
  const place = isBySeq(order) ? BigInt(after) : after
  return [order === '-seq' ? sql`${key} < ${place}` : sql`${key} > ${place}`]
}

/** Ids of the items that one filter selects, read along the filter's own index. */
export function selections(tables: Tables, { order, ...filters }: ItemsQuery): Sql[] {
  const { categoryIds, currency, priceMin, priceMax, priceRegion, updatedSince, unit, kind, region } = filters
  const { cpv, itemIds, sourceId } = filters
  const chosen: Sql[] = []
  if (itemIds !== undefined) chosen.push(sql`select value as item_id from json_each(${JSON.stringify(itemIds)})`)
  if (sourceId !== undefined) chosen.push(sql`select distinct m.item_id ${SOLD} where k.source_id = ${sourceId}`)
  if (categoryIds !== undefined && (categoryIds.length > 1 || order !== 'id'))
    chosen.push(
      sql`select item_id from items where category_id in (select value from json_each(${JSON.stringify(categoryIds)}))`,
    )
  if (currency !== undefined) {
    const range = all([
      sql`currency = ${currency}`,
      ...(priceMin === undefined ? [] : [sql`cents >= ${priceMin}`]),
      ...(priceMax === undefined ? [] : [sql`cents <= ${priceMax}`]),
    ])
    chosen.push(
      priceRegion === undefined
        ? sql`select item_id from items where ${range}`
        : sql`select item_id from item_markets where region = ${priceRegion} and ${range}`,
    )
  }
  if (cpv !== undefined) chosen.push(sql`select item_id from items where ${beginsWith(raw('cpv'), cpv)}`)
  if (!isBySeq(order) && updatedSince !== undefined)
    chosen.push(sql`select item_id from items where seq > ${firstSeqSince(tables, updatedSince)}`)
  if (order !== 'id' && kind !== undefined) chosen.push(sql`select item_id from items where kind = ${kind}`)
  if (order !== 'id' && unit !== undefined) chosen.push(sql`select item_id from items where unit = ${unit}`)
  if (order !== 'id' && region !== undefined)
    chosen.push(sql`select item_id from ${raw(soldIn(region))} where region = ${region}`)
  return chosen
}

/** The values that order item i. */
export function sortKeys({ order, priceRegion }: ItemsQuery): readonly Sql[] {
  if (isBySeq(order)) return [raw('i.seq')]
  const id = raw('i.item_id')
  if (order === 'name') return [raw('i.name_key'), id]
  return isByPrice(order) ? [shownPrice('currency', priceRegion), shownPrice('cents', priceRegion), id] : [id]
}

/** Of the shown median of item i. */
export const shownPrice = (field: 'currency' | 'cents', priceRegion: string | undefined): Sql =>
  priceRegion === undefined
    ? raw(`i.${field}`)
    : sql`(select ${raw(field)} from item_markets m where m.item_id = i.item_id and m.region = ${priceRegion})`

/** Whether a CPV code begins so: digits, and a hyphen, come before the colon. */
const beginsWith = (column: Sql, cpv: string): Sql => sql`${column} >= ${cpv} and ${column} < ${`${cpv}:`}`

/** Conditions on item i; cheap tests first. */
export function conditions(tables: Tables, question: ItemsQuery): Sql[] {
  const { region, q, categoryIds, kind, unit, currency, priceMin, priceMax, priceRegion, updatedSince, sourceId } =
    question
  const { cpv, isUnpriced } = question
  const shown = (field: 'currency' | 'cents') => shownPrice(field, priceRegion)
  const tests: Sql[] = []
  if (categoryIds !== undefined)
    tests.push(sql`i.category_id in (select value from json_each(${JSON.stringify(categoryIds)}))`)
  for (const word of q === undefined ? [] : foldText(q).split(' '))
    if (word !== '') tests.push(sql`instr(i.folded_name, ${word}) > 0`)
  if (kind !== undefined) tests.push(sql`i.kind = ${kind}`)
  if (unit !== undefined) tests.push(sql`i.unit = ${unit}`)
  if (cpv !== undefined) tests.push(beginsWith(raw('i.cpv'), cpv))
  if (isUnpriced) tests.push(sql`${shown('currency')} is null`)
  if (currency !== undefined) tests.push(sql`${shown('currency')} = ${currency}`)
  if (priceMin !== undefined) tests.push(sql`${shown('cents')} >= ${priceMin}`)
  if (priceMax !== undefined) tests.push(sql`${shown('cents')} <= ${priceMax}`)
  if (updatedSince !== undefined) {
    const sinceMs = Date.parse(updatedSince)
    tests.push(sql`i.seq > ${firstSeqSince(tables, updatedSince)}`, sql`i.updated_ms >= ${sinceMs}`)
  }
  if (region !== undefined)
    tests.push(
      sql`exists (select 1 from ${raw(soldIn(region))} r where r.region = ${region} and r.item_id = i.item_id)`,
    )
  if (sourceId !== undefined)
    tests.push(sql`exists (select 1 ${SOLD} where m.item_id = i.item_id and k.source_id = ${sourceId})`)
  return tests
}

/** SKUs k of items m. */
const SOLD = raw('from item_skus m join skus k using (vendor_sku_id)')

/** The table of the items of a market: a subdivision is a market of prices alone, which no feed has. */
const soldIn = (region: string): 'item_markets' | 'item_regions' =>
  isSubdivision(region) ? 'item_markets' : 'item_regions'

/** Runs go forward: items numbered before the end of an earlier run changed before the instant. */
function firstSeqSince(tables: Tables, instant: string): number {
  return (
    tables.get<{ seq: number }>(
      'select seq from runs where as_of_ms < ? order by offset desc limit 1',
      Date.parse(instant),
    )?.seq ?? 0
  )
}
