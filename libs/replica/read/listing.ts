import { foldText } from '@catalog/core/text.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { PAGE_BOUNDS } from '@catalog/store/catalog/listing.ts'
import { soldIn } from '@catalog/store/lists/filters.ts'
import type { ItemRow, ItemsPage, ItemsQuery } from '@catalog/store/lists/items-query.ts'
import { hasParts, isByPrice, isBySeq, pageByPrice, partsOf, placeOf, priceBounds } from '@catalog/store/lists/order.ts'
import { all, joined, raw, rowsOf, type Sql, sql } from './sql.ts'

/**
 * Pages of items, as libs/store/catalog/listing.ts reads them from PostgreSQL: the same walks, the same bounds, the same pages.
 * A replica knows no memberships, so it takes no `sourceId`.
 */

type Row = Readonly<{
  item_id: string
  seq: number
  item_json: string
  median_json: string | null
  names_json: string | null
  place?: string
}>

/** The items of a page as one JSON text without its brackets, for a reader who asks for no market, language or filter. */
export function readPlainPage(
  tables: Tables,
  { after = '', limit }: Pick<ItemsQuery, 'after' | 'limit'>,
): Readonly<{ json: string; next: string | null }> {
  const rows = tables.arrays<[itemId: string, json: string]>(
    'select item_id, item_json from items where item_id > ? order by item_id limit ?',
    after,
    limit + 1,
  )
  const shown = rows.length > limit ? rows.slice(0, limit) : rows
  const last = rows.length > limit ? (shown.at(-1)?.[0] ?? null) : null
  return { json: shown.map(([, json]) => json).join(','), next: last }
}

/** Active items that match, at most `limit`. */
export function readItems(tables: Tables, question: ItemsQuery, bounds = PAGE_BOUNDS): ItemsPage {
  if (!isByPrice(question.order)) return readPart(tables, question, bounds)
  const parts = pageByPrice(question)
  let part = parts.next()
  while (!part.done) part = parts.next(readPart(tables, part.value, bounds))
  return part.value
}

function readPart(tables: Tables, question: ItemsQuery, bounds: typeof PAGE_BOUNDS): ItemsPage {
  const narrowing = selections(tables, question)
  const [first] = narrowing
  if (question.itemIds !== undefined && first !== undefined) {
    const page = gather(tables, question, { selection: first, narrowMax: question.itemIds.length })
    if (page !== 'wide') return page
  }
  if (narrowing.length > 0) {
    const page = walk(tables, question, bounds.examinedFirst)
    if (page.next === null || page.rows.length === question.limit) return page
  }
  for (const selection of narrowing) {
    const page = gather(tables, question, { selection, narrowMax: bounds.narrowMax })
    if (page !== 'wide') return page
  }
  return walk(tables, question, bounds.examinedMax)
}

/** Walks the catalog, or the part that an index holds in order, and tests each item for the other filters. */
function walk(tables: Tables, question: ItemsQuery, examinedMax: number): ItemsPage {
  const { order, limit } = question
  const { source, from, keys, where, rest } = streamOf(tables, question)
  const tests = conditions(tables, rest)
  const fields = columns(question)
  const orderBy = inOrder(keys, order)
  if (tests.length === 0) {
    return pageOf(
      rowsOf<Row>(tables, sql`select ${fields} from ${from} where ${where} order by ${orderBy} limit ${limit + 1}`),
      question,
    )
  }
  const rows = rowsOf<Row>(
    tables,
    sql`select ${fields} from (select i.* from ${from} where ${where} order by ${orderBy} limit ${examinedMax}) i
        where ${all(tests)} limit ${limit + 1}`,
  )
  const page = pageOf(rows, question)
  if (page.next !== null) return page
  const end = hasParts(order) ? jsonArray(keys) : (keys[0] as Sql)
  const [last] = rowsOf<{ end: string | number }>(
    tables,
    sql`select ${end} as end from ${source} where ${where} order by ${orderBy} limit 1 offset ${examinedMax - 1}`,
  )
  if (last === undefined) return { ...page, next: null }
  return { ...page, next: hasParts(order) ? placeOf(String(last.end)) : String(last.end) }
}

const inOrder = (keys: readonly Sql[], order: ItemsQuery['order']): Sql =>
  joined(order.startsWith('-') ? keys.map((key) => sql`${key} desc`) : keys, ', ')
const jsonArray = (keys: readonly Sql[]): Sql => sql`json_array(${joined(keys, ', ')})`

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
function within(question: ItemsQuery, keys: readonly Sql[]): Sql {
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
function beyondKey({ order, after }: ItemsQuery, key: Sql): Sql[] {
  if (after === undefined) return []
  const place = isBySeq(order) ? BigInt(after) : after
  return [order === '-seq' ? sql`${key} < ${place}` : sql`${key} > ${place}`]
}

/** Ids of the items that one filter selects, read along the filter's own index. */
export function selections(tables: Tables, { order, ...filters }: ItemsQuery): Sql[] {
  const { categoryIds, currency, priceMin, priceMax, priceRegion, updatedSince, unit, kind, region } = filters
  const { cpv, itemIds } = filters
  const chosen: Sql[] = []
  if (itemIds !== undefined) chosen.push(sql`select value as item_id from json_each(${JSON.stringify(itemIds)})`)
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

/** The page from the items of one filter alone; 'wide' when it selects more than `narrowMax`. */
function gather(
  tables: Tables,
  question: ItemsQuery,
  { selection, narrowMax }: { selection: Sql; narrowMax: number },
): ItemsPage | 'wide' {
  const [counted] = rowsOf<{ selected: number }>(
    tables,
    sql`select count(*) as selected from (${selection} limit ${narrowMax + 1})`,
  )
  if ((counted?.selected ?? 0) > narrowMax) return 'wide'
  const keys = sortKeys(question)
  const beyond = hasParts(question.order) ? [within(question, keys)] : beyondKey(question, keys[0] as Sql)
  return pageOf(
    rowsOf<Row>(
      tables,
      sql`select ${columns(question)} from items i where i.item_id in (${selection}) and ${all([
        ...beyond,
        ...conditions(tables, question),
      ])} order by ${inOrder(keys, question.order)} limit ${question.limit + 1}`,
    ),
    question,
  )
}

function pageOf(found: readonly Row[], { order, limit }: ItemsQuery): ItemsPage {
  const rows: readonly ItemRow[] = found.slice(0, limit).map((row) => ({ ...row, seq: BigInt(row.seq) }))
  const last = rows.at(-1)
  if (found.length === rows.length || last === undefined) return { rows, next: null }
  return { rows, next: hasParts(order) ? placeOf(last.place ?? '') : isBySeq(order) ? String(last.seq) : last.item_id }
}

/** Item i as a list shows it. */
function columns(question: ItemsQuery): Sql {
  const { order, priceRegion, isNamed } = question
  const names = raw(priceRegion !== undefined || isNamed ? 'i.names_json' : 'null as names_json')
  const median =
    priceRegion === undefined
      ? raw('null')
      : sql`(select m.median_json from item_markets m where m.item_id = i.item_id and m.region = ${priceRegion})`
  const shown = sql`i.item_id, i.seq, i.item_json, ${names}, ${median} as median_json`
  return hasParts(order) ? sql`${shown}, ${jsonArray(sortKeys(question))} as place` : shown
}

/** The values that order item i. */
function sortKeys({ order, priceRegion }: ItemsQuery): readonly Sql[] {
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
  if (sourceId !== undefined) throw new Error('a replica does not know which source sells an item')
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
  return tests
}

/** As in PostgreSQL: items numbered before the end of an earlier run changed before the instant. */
function firstSeqSince(tables: Tables, instant: string): number {
  return (
    tables.get<{ seq: number }>(
      'select seq from runs where as_of_ms < ? order by offset desc limit 1',
      Date.parse(instant),
    )?.seq ?? 0
  )
}
