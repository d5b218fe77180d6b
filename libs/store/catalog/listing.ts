import type { Queryable } from '@catalog/store/db.ts'
import {
  CENTS,
  CURRENCY,
  columns,
  conditions,
  firstSeqSince,
  ITEM,
  median,
  NAME_KEY,
  names,
  type Parameter,
  parameters,
  place,
  REGIONAL_CENTS,
  REGIONAL_CURRENCY,
  type Selection,
  selections,
  soldIn,
  sortKeys,
  UNIT,
} from '@catalog/store/lists/filters.ts'
import type { ItemRow, ItemsPage, ItemsQuery } from '@catalog/store/lists/items-query.ts'
import { hasParts, isByPrice, isBySeq, pageByPrice, partsOf, placeOf, priceBounds } from '@catalog/store/lists/order.ts'

/**
 * Pages of items by any filters, at a cost that does not grow with the catalog. Law: a walk by `next` meets every item
 * that matches throughout. In the order by id it meets the item exactly once, in the order by change at least once,
 * whatever is published meanwhile.
 */

/** Cost limits of a page. */
export const PAGE_BOUNDS = {
  /** A filter that matches at most this many items is read from its own index; its items are fetched and sorted. */
  narrowMax: 2_000,
  /** Items tested in page order before trying a narrow filter. */
  examinedFirst: 1_000,
  /**
   * Without a narrow filter, the page ends after this many tested items, however few matched. Of 1,000,000 items, a
   * page of 50 is then full wherever one in 200 matches, and holds ten where one in 1,000 does.
   */
  examinedMax: 10_000,
}

/** Active items that match, at most `limit`. */
export async function readItems(db: Queryable, question: ItemsQuery, bounds = PAGE_BOUNDS): Promise<ItemsPage> {
  if (!isByPrice(question.order)) return readPart(db, question, bounds)
  const parts = pageByPrice(question)
  let part = parts.next()
  while (!part.done) part = parts.next(await readPart(db, part.value, bounds))
  return part.value
}

async function readPart(db: Queryable, question: ItemsQuery, bounds: typeof PAGE_BOUNDS): Promise<ItemsPage> {
  const narrowing = selections(question)
  const [first] = narrowing
  if (question.itemIds !== undefined && first !== undefined) {
    const page = await gather(db, question, { selection: first, narrowMax: question.itemIds.length })
    if (page !== 'wide') return page
  }
  if (narrowing.length > 0) {
    const page = await walk(db, question, bounds.examinedFirst)
    if (page.next === null || page.rows.length === question.limit) return page
  }
  for (const selection of narrowing) {
    const page = await gather(db, question, { selection, narrowMax: bounds.narrowMax })
    if (page !== 'wide') return page
  }
  return await walk(db, question, bounds.examinedMax)
}

/** Walks the catalog, or the part that an index holds in order, and tests each item for the other filters. */
async function walk(db: Queryable, question: ItemsQuery, examinedMax: number): Promise<ItemsPage> {
  const { values, $ } = parameters()
  const { table, item, key, where, orderBy, rest } = streamOf(question, $)
  const inOrder = `where ${where} order by ${orderBy} limit`
  const limit = $(question.limit + 1)
  const tests = conditions(rest, $)
  if (tests.length === 0 && !hasParts(question.order)) {
    // The fast path: nearly every tested item is on the page.
    const rows = await db.query<ItemRow>(
      `select i.item_id, i.seq, i.item_json, ${median(question, $)} as median_json, ${names(question)} as names_json
         from ${table} ${item} where i.state = 'active' and ${where} order by ${orderBy} limit ${limit}`,
      values,
    )
    return pageOf(rows, question)
  }
  // Also returns the position of the last tested item, where the next page begins. One statement, so that the position
  // belongs to the very items that were tested.
  //
  // No outer `order by`: the planner would prepare for it by reading the whole inner query, whose rows already come in
  // order. It would also do so if it thought the filters selective; it assumes nothing of a `case`.
  // The planner would sort all rows to skip so many of them, unless it does not know how many.
  const skipped = hasParts(question.order) ? `(select ${examinedMax - 1})` : examinedMax - 1
  const rows = await db.query<ItemRow & { end: string | null }>(
    `(select item_id, seq, item_json, median_json, ${names(question)} as names_json, ${place(question)} as place, null as end
        from (select ${columns(rest, $)} from ${table} ${item} ${inOrder} ${examinedMax}) i
       where case when ${[`state = 'active'`, ...tests].join(' and ')} then true end limit ${limit})
     union all
     (select null, null, null, null, null, null, ${key}::text from ${table} ${inOrder} 1 offset ${skipped})
     limit ${limit}`,
    values,
  )
  const page = pageOf(
    rows.filter(({ end }) => end === null),
    question,
  )
  const end = rows.at(-1)?.end ?? null
  return { ...page, next: page.next ?? (end !== null && hasParts(question.order) ? placeOf(end) : end) }
}

type Stream = Readonly<{
  table: string
  item: string
  key: string
  where: string
  orderBy: string
  /** The filters that the stream does not already guarantee. */
  rest: ItemsQuery
}>

/** The stream of a walk: the key of a table in its order, after the previous page, and item i of each key. */
export function streamOf(question: ItemsQuery, $: Parameter): Stream {
  const { order, after, categoryIds, unit, kind, region, updatedSince } = question
  const items = { table: 'items i', item: '', rest: question }
  if (isBySeq(order)) {
    const since = updatedSince === undefined ? [] : [`i.seq > ${firstSeqSince($(updatedSince))}`]
    const beyond = after === undefined ? [] : [`i.seq ${order === 'seq' ? '>' : '<'} ${$(after)}`]
    const where = [...since, ...beyond].join(' and ') || 'true'
    return { ...items, key: 'i.seq', where, orderBy: order === 'seq' ? 'i.seq' : 'i.seq desc' }
  }
  if (order === 'name') {
    const keys = [NAME_KEY, 'i.item_id']
    const orderBy = keys.join(', ')
    return { ...items, key: `json_build_array(${orderBy})`, where: within(question, keys, $), orderBy }
  }
  if (isByPrice(order)) return priceStream(question, $)
  // The index of a filter for one value holds its items in id order. The condition is written as a range of that index,
  // in its order. For "equal", a planner without statistics expects few rows and would sort them.
  const ofOne = (column: string, key: string, value: string) => ({
    key,
    where: `(${column}, ${key}) > (${value}, ${$(after ?? '')}) and ${column} <= ${value}`,
    orderBy: `${column}, ${key}`,
  })
  if (categoryIds?.length === 1) {
    const rest = { ...question, categoryIds: undefined }
    return { ...items, ...ofOne('i.category_id', 'i.item_id', $(categoryIds[0])), rest }
  }
  if (unit !== undefined) {
    return { ...items, ...ofOne(UNIT, 'i.item_id', $(unit)), rest: { ...question, unit: undefined } }
  }
  if (region !== undefined) {
    const item = `cross join lateral (${ITEM('r.item_id')}) i`
    const rest = { ...question, region: undefined }
    return { table: `${soldIn(region)} r`, item, ...ofOne('r.region', 'r.item_id', $(region)), rest }
  }
  if (kind !== undefined) {
    return { ...items, ...ofOne('i.kind', 'i.item_id', $(kind)), rest: { ...question, kind: undefined } }
  }
  const where = after === undefined ? 'true' : `i.item_id > ${$(after)}`
  return { ...items, key: 'i.item_id', where, orderBy: 'i.item_id' }
}

/** The items with a price along the index of prices, which holds the currency and the range of the question. */
function priceStream(question: ItemsQuery, $: Parameter): Stream {
  const { order, priceRegion } = question
  const rest = { ...question, currency: undefined, priceMin: undefined, priceMax: undefined }
  const inOrder = (keys: readonly string[]) => keys.map((key) => (order === 'price' ? key : `${key} desc`)).join(', ')
  if (priceRegion === undefined) {
    const keys = [CURRENCY, CENTS, 'i.item_id']
    return {
      table: 'items i',
      item: '',
      key: `json_build_array(${keys.join(', ')})`,
      where: within(question, keys, $),
      orderBy: inOrder(keys),
      rest,
    }
  }
  const keys = [REGIONAL_CURRENCY, REGIONAL_CENTS, 'r.item_id']
  return {
    table: 'item_markets r',
    item: `cross join lateral (${ITEM('r.item_id')}) i`,
    key: `json_build_array(${keys.join(', ')})`,
    where: within(question, ['r.region', ...keys], $, $(priceRegion)),
    orderBy: inOrder(['r.region', ...keys]),
    rest,
  }
}

/** Whether keys lie after the previous page and, in an order by price, within the currency and range of the question. */
function within(question: ItemsQuery, keys: readonly string[], $: Parameter, prefix?: string): string {
  const row = (values: readonly (string | number)[]) =>
    `(${[...(prefix === undefined ? [] : [prefix]), ...values.map((value) => $(value))].join(', ')})`
  if (question.order === 'name')
    return `(${keys.join(', ')}) > ${row(question.after === undefined ? ['', ''] : partsOf(question.after))}`
  const { lower, upper } = priceBounds(question)
  return `(${keys.join(', ')}) > ${row(lower)} and (${keys.join(', ')}) < ${row(upper)}`
}

/** The page from the items of one filter alone; 'wide' when it selects more than `narrowMax`. */
async function gather(
  db: Queryable,
  question: ItemsQuery,
  { selection, narrowMax }: { selection: Selection; narrowMax: number },
): Promise<ItemsPage | 'wide'> {
  const { values, $ } = parameters()
  const { order } = question
  const keys = sortKeys(question)
  const orderBy = keys.map((key) => (order.startsWith('-') ? `${key} desc` : key)).join(', ')
  const beyond = hasParts(order)
    ? [within(question, keys, $)]
    : question.after === undefined
      ? []
      : [`${keys[0]} ${order === '-seq' ? '<' : '>'} ${$(question.after)}`]
  const rows = await db.query<{ selected: number } & { [K in keyof ItemRow]: ItemRow[K] | null }>(
    `with selected as materialized (select item_id from (${selection($, narrowMax + 1)}) s limit ${narrowMax + 1})
     select n.selected, page.*
       from (select count(*)::int as selected from selected) n
       left join lateral (
         select item_id, seq, item_json, median_json, ${names(question)} as names_json, ${place(question)} as place,
                row_number() over (order by ${orderBy}) as n
           from (select ${columns(question, $)} from (select item_id from selected order by item_id) s
                  cross join lateral (${ITEM('s.item_id')}) i where n.selected <= ${narrowMax} offset 0) i
          where ${[`state = 'active'`, ...beyond, ...conditions(question, $)].join(' and ')}
          order by ${orderBy} limit ${$(question.limit + 1)}) page on true
      order by page.n`,
    values,
  )
  if (rows[0] !== undefined && rows[0].selected > narrowMax) return 'wide'
  return pageOf(
    rows.filter((row): row is typeof row & ItemRow => row.item_id !== null),
    question,
  )
}

function pageOf(found: readonly ItemRow[], question: ItemsQuery): ItemsPage {
  const rows = found.slice(0, question.limit)
  const last = rows.at(-1)
  return { rows, next: found.length > rows.length && last !== undefined ? positionOf(last, question) : null }
}

function positionOf({ item_id, seq, place = '' }: ItemRow, { order }: ItemsQuery): string {
  if (hasParts(order)) return placeOf(place)
  return order === 'id' ? item_id : String(seq)
}

/** Ids of the category and of all categories below it; empty for an unknown id. */
export async function readCategoriesBelow(db: Queryable, categoryId: string): Promise<string[]> {
  const rows = await db.query<{ category_id: string }>(
    `with recursive below as (
       select category_id from categories where category_id = $1
       union
       select c.category_id from below b join categories c on c.parent_id = b.category_id collate "default"
     )
     select category_id from below`,
    [categoryId],
  )
  return rows.map(({ category_id }) => category_id)
}

export async function isSource(db: Queryable, sourceId: string): Promise<boolean> {
  return (await db.query(`select from sources where source_id = $1`, [sourceId])).length > 0
}
