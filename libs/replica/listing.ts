import type { SQLInputValue } from 'node:sqlite'
import { foldText } from '@catalog/core/text.ts'
import { type ItemRow, type ItemsPage, type ItemsQuery, PAGE_BOUNDS } from '@catalog/store/catalog/listing.ts'
import type { Tables } from './tables.ts'

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
}>

/** SQL with its values, in the order of their places in the text. */
type Sql = Readonly<{ text: string; values: readonly SQLInputValue[] }>
const sql = (parts: readonly string[], ...values: readonly (SQLInputValue | Sql)[]): Sql => ({
  text: parts.map((part, i) => part + (i < values.length ? textOf(values[i] as SQLInputValue | Sql) : '')).join(''),
  values: values.flatMap((value) => (isSql(value) ? value.values : [value])),
})
const isSql = (value: SQLInputValue | Sql): value is Sql =>
  typeof value === 'object' && value !== null && 'text' in value
const textOf = (value: SQLInputValue | Sql) => (isSql(value) ? value.text : '?')
const raw = (text: string): Sql => ({ text, values: [] })
const all = (conditions: readonly Sql[]): Sql =>
  conditions.length === 0
    ? raw('true')
    : { text: conditions.map(({ text }) => text).join(' and '), values: conditions.flatMap(({ values }) => values) }

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
  const narrowing = selections(tables, question)
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
  const { from, key, where, rest } = streamOf(tables, question)
  const tests = conditions(tables, rest)
  const fields = columns(question)
  if (tests.length === 0) {
    return pageOf(
      rowsOf(tables, sql`select ${fields} from ${from} where ${where} order by ${key} limit ${question.limit + 1}`),
      question,
    )
  }
  const rows = rowsOf(
    tables,
    sql`select ${fields} from (select i.* from ${from} where ${where} order by ${key} limit ${examinedMax}) i
        where ${all(tests)} limit ${question.limit + 1}`,
  )
  const page = pageOf(rows, question)
  if (page.next !== null) return page
  const [end] = rowsOf<{ end: string | number }>(
    tables,
    sql`select ${key} as end from ${from} where ${where} order by ${key} limit 1 offset ${examinedMax - 1}`,
  )
  return { ...page, next: end === undefined ? null : String(end.end) }
}

type Stream = Readonly<{ from: Sql; key: Sql; where: Sql; rest: ItemsQuery }>

/** The stream of a walk, after the previous page, and the filters that it does not already guarantee. */
function streamOf(tables: Tables, question: ItemsQuery): Stream {
  const { order, after, categoryIds, unit, kind, region, updatedSince } = question
  const items = { from: raw('items i'), rest: question }
  if (order === 'seq') {
    const where = [
      ...(updatedSince === undefined ? [] : [sql`i.seq > ${firstSeqSince(tables, updatedSince)}`]),
      ...(after === undefined ? [] : [sql`i.seq > ${BigInt(after)}`]),
    ]
    return { ...items, key: raw('i.seq'), where: all(where) }
  }
  const key = raw('i.item_id')
  const beyond = sql`i.item_id > ${after ?? ''}`
  if (categoryIds?.length === 1) {
    const where = all([sql`i.category_id = ${categoryIds[0] as string}`, beyond])
    return { ...items, key, where, rest: { ...question, categoryIds: undefined } }
  }
  if (unit !== undefined)
    return { ...items, key, where: all([sql`i.unit = ${unit}`, beyond]), rest: { ...question, unit: undefined } }
  if (region !== undefined) {
    return {
      from: raw('item_regions r join items i using (item_id)'),
      key: raw('r.item_id'),
      where: all([sql`r.region = ${region}`, sql`r.item_id > ${after ?? ''}`]),
      rest: { ...question, region: undefined },
    }
  }
  if (kind !== undefined)
    return { ...items, key, where: all([sql`i.kind = ${kind}`, beyond]), rest: { ...question, kind: undefined } }
  return { ...items, key, where: after === undefined ? raw('true') : beyond }
}

/** Ids of the items that one filter selects, read along the filter's own index. */
function selections(tables: Tables, { order, ...filters }: ItemsQuery): Sql[] {
  const { categoryIds, currency, priceMin, priceMax, priceRegion, updatedSince, unit, kind, region } = filters
  const chosen: Sql[] = []
  if (categoryIds !== undefined && (categoryIds.length > 1 || order === 'seq'))
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
  if (order === 'id' && updatedSince !== undefined)
    chosen.push(sql`select item_id from items where seq > ${firstSeqSince(tables, updatedSince)}`)
  if (order === 'seq' && kind !== undefined) chosen.push(sql`select item_id from items where kind = ${kind}`)
  if (order === 'seq' && unit !== undefined) chosen.push(sql`select item_id from items where unit = ${unit}`)
  if (order === 'seq' && region !== undefined)
    chosen.push(sql`select item_id from item_regions where region = ${region}`)
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
  const key = question.order === 'id' ? raw('i.item_id') : raw('i.seq')
  const after =
    question.after === undefined
      ? []
      : [question.order === 'id' ? sql`i.item_id > ${question.after}` : sql`i.seq > ${BigInt(question.after)}`]
  return pageOf(
    rowsOf(
      tables,
      sql`select ${columns(question)} from items i where i.item_id in (${selection}) and ${all([
        ...after,
        ...conditions(tables, question),
      ])} order by ${key} limit ${question.limit + 1}`,
    ),
    question,
  )
}

function rowsOf<R = Row>(tables: Tables, { text, values }: Sql): R[] {
  return tables.all<R>(text, ...values)
}

function pageOf(found: readonly Row[], { order, limit }: ItemsQuery): ItemsPage {
  const rows: readonly ItemRow[] = found.slice(0, limit).map((row) => ({ ...row, seq: BigInt(row.seq) }))
  const last = rows.at(-1)
  const next =
    found.length > rows.length && last !== undefined ? (order === 'id' ? last.item_id : String(last.seq)) : null
  return { rows, next }
}

/** Item i as a list shows it. */
function columns({ priceRegion, isNamed }: ItemsQuery): Sql {
  const names = raw(priceRegion !== undefined || isNamed ? 'i.names_json' : 'null as names_json')
  const median =
    priceRegion === undefined
      ? raw('null')
      : sql`(select m.median_json from item_markets m where m.item_id = i.item_id and m.region = ${priceRegion})`
  return sql`i.item_id, i.seq, i.item_json, ${names}, ${median} as median_json`
}

/** Conditions on item i; cheap tests first. */
function conditions(tables: Tables, question: ItemsQuery): Sql[] {
  const { region, q, categoryIds, kind, unit, currency, priceMin, priceMax, priceRegion, updatedSince, sourceId } =
    question
  if (sourceId !== undefined) throw new Error('a replica does not know which source sells an item')
  const shown = (field: 'currency' | 'cents') =>
    priceRegion === undefined
      ? raw(`i.${field}`)
      : sql`(select ${raw(field)} from item_markets m where m.item_id = i.item_id and m.region = ${priceRegion})`
  const tests: Sql[] = []
  if (categoryIds !== undefined)
    tests.push(sql`i.category_id in (select value from json_each(${JSON.stringify(categoryIds)}))`)
  for (const word of q === undefined ? [] : foldText(q).split(' '))
    if (word !== '') tests.push(sql`instr(i.folded_name, ${word}) > 0`)
  if (kind !== undefined) tests.push(sql`i.kind = ${kind}`)
  if (unit !== undefined) tests.push(sql`i.unit = ${unit}`)
  if (currency !== undefined) tests.push(sql`${shown('currency')} = ${currency}`)
  if (priceMin !== undefined) tests.push(sql`${shown('cents')} >= ${priceMin}`)
  if (priceMax !== undefined) tests.push(sql`${shown('cents')} <= ${priceMax}`)
  if (updatedSince !== undefined) {
    const sinceMs = Date.parse(updatedSince)
    tests.push(sql`i.seq > ${firstSeqSince(tables, updatedSince)}`, sql`i.updated_ms >= ${sinceMs}`)
  }
  if (region !== undefined)
    tests.push(sql`exists (select 1 from item_regions r where r.region = ${region} and r.item_id = i.item_id)`)
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
