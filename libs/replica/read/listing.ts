import type { Tables } from '@catalog/replica/tables.ts'
import { beyondKey, conditions, inOrder, jsonArray, selections, sortKeys, streamOf, within } from './filters.ts'
import type { ItemRow, ItemsPage, ItemsQuery } from './items-query.ts'
import { hasParts, isByPrice, isBySeq, pageByPrice, placeOf } from './order.ts'
import { all, raw, rowsOf, type Sql, sql } from './sql.ts'

/**
 * Pages of items by any filters, at a cost that does not grow with the catalog. Law: a walk by `next` meets every item
 * that matches throughout. In the order by id it meets the item exactly once, in the order by change at least once,
 * whatever is published meanwhile.
 */

/** Cost limits of a page. */
const PAGE_BOUNDS = {
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
  const read = (part: ItemsQuery) => readPart(tables, part, bounds)
  return isByPrice(question.order) ? pageByPrice(question, read) : read(question)
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
