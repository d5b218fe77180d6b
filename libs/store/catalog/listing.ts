import { foldText } from '@catalog/core/text.ts'
import type { Queryable } from '@catalog/store/db.ts'

/**
 * Pages of items by any filters, at a cost that does not grow with the catalog. Law: a walk by `next` meets every item
 * that matches throughout. In the order by id it meets the item exactly once, in the order by change at least once,
 * whatever is published meanwhile.
 */

/** `median_json` is the median of the requested price region; null without a region, or without a vote there. */
/** `names_json` are its names by language and market; null where all are its name, and where the name is not asked for. */
export type ItemRow = Readonly<{
  item_id: string
  seq: bigint
  item_json: string
  median_json: string | null
  names_json: string | null
}>

export type ItemFilters = Readonly<{
  region?: string | undefined
  /** Every word must occur in the folded name. */
  q?: string | undefined
  /** The item is in one of these categories; see readCategoriesBelow. */
  categoryIds?: readonly string[] | undefined
  /** Material, labour, machinery, hire or work, as the public state says. */
  kind?: string | undefined
  /** As items show it. */
  unit?: string | undefined
  /** Currency of the displayed median. The price range (inclusive) needs it. */
  currency?: string | undefined
  priceMin?: number | undefined
  priceMax?: number | undefined
  /** A source with a SKU in the item, as matched now. */
  sourceId?: string | undefined
  /** Changed at or after this instant. */
  updatedSince?: string | undefined
}>

export type ItemsQuery = ItemFilters &
  Readonly<{
    /** Ascending by id, which publications cannot move, or by the number of the item's last change. */
    order: 'id' | 'seq'
    /** Exclusive start position; undefined: from the beginning. */
    after?: string | undefined
    /** At least 1. */
    limit: number
    priceRegion?: string | undefined
    /** Reads the names, as a price region does. */
    isNamed?: boolean
  }>

/** `next` is the position after which to continue; null at the end. A page before the end can be short, even empty. */
export type ItemsPage = Readonly<{ rows: readonly ItemRow[]; next: string | null }>

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
  const narrowing = selections(question)
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

/** Adds a value to the parameters of a statement, and returns its placeholder. */
type Parameter = (value: unknown) => string

export function parameters(): { values: unknown[]; $: Parameter } {
  const values: unknown[] = []
  return { values, $: (value) => `$${values.push(value)}` }
}

/** Spelled as in the indexes. */
const UNIT = `(item_json::jsonb->>'unit')`
const CURRENCY = `(item_json::jsonb->'median_price'->>'currency')`
const CENTS = `((item_json::jsonb->'median_price'->>'cents')::bigint)`
const REGIONAL_CURRENCY = `(median_json::jsonb->>'currency')`
const REGIONAL_CENTS = `((median_json::jsonb->>'cents')::bigint)`

/** Walks the catalog, or the part that an index holds in order, and tests each item for the other filters. */
async function walk(db: Queryable, question: ItemsQuery, examinedMax: number): Promise<ItemsPage> {
  const { values, $ } = parameters()
  const { table, item, key, where, orderBy, rest } = streamOf(question, $)
  const inOrder = `where ${where} order by ${orderBy} limit`
  const limit = $(question.limit + 1)
  const tests = conditions(rest, $)
  if (tests.length === 0) {
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
  const rows = await db.query<ItemRow & { end: string | null }>(
    `(select item_id, seq, item_json, median_json, ${names(question)} as names_json, null as end
        from (select ${columns(rest, $)} from ${table} ${item} ${inOrder} ${examinedMax}) i
       where case when state = 'active' and ${tests.join(' and ')} then true end limit ${limit})
     union all
     (select null, null, null, null, null, ${key}::text from ${table} ${inOrder} 1 offset ${examinedMax - 1})
     limit ${limit}`,
    values,
  )
  const page = pageOf(
    rows.filter(({ end }) => end === null),
    question,
  )
  return { ...page, next: page.next ?? rows.at(-1)?.end ?? null }
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
function streamOf(question: ItemsQuery, $: Parameter): Stream {
  const { order, after, categoryIds, unit, kind, region, updatedSince } = question
  const items = { table: 'items i', item: '', rest: question }
  if (order === 'seq') {
    const since = updatedSince === undefined ? [] : [`i.seq > ${firstSeqSince($(updatedSince))}`]
    const where = [...since, ...(after === undefined ? [] : [`i.seq > ${$(after)}`])].join(' and ') || 'true'
    return { ...items, key: 'i.seq', where, orderBy: 'i.seq' }
  }
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
    return { table: 'item_regions r', item, ...ofOne('r.region', 'r.item_id', $(region)), rest }
  }
  if (kind !== undefined) {
    return { ...items, ...ofOne('i.kind', 'i.item_id', $(kind)), rest: { ...question, kind: undefined } }
  }
  const where = after === undefined ? 'true' : `i.item_id > ${$(after)}`
  return { ...items, key: 'i.item_id', where, orderBy: 'i.item_id' }
}

/** One item. `offset 0` keeps the look-up separate, so that no plan reads all items to join them. */
export const ITEM = (itemId: string) => `select * from items where items.item_id = ${itemId} offset 0`

/** Ids of the items that one filter selects, read along the filter's own index, at least `most` of them. */
type Selection = ($: Parameter, most: number) => string

/** The filters that may be narrow and that no other index holds in the order of the page. */
export function selections({ order, ...filters }: ItemsQuery): Selection[] {
  const { categoryIds, sourceId, currency, priceMin, priceMax, priceRegion, updatedSince, unit, kind, region } = filters
  const chosen: Selection[] = []
  // Each `order by` follows an index: a plan that reads the table instead would have to sort.
  if (sourceId !== undefined) {
    chosen.push(
      ($) =>
        `select (select item_id from item_keys where item_keys.item = m.item) as item_id
           from memberships m where source = ${keyOf($(sourceId))} order by source, item`,
    )
  }
  if (categoryIds !== undefined && (categoryIds.length > 1 || order === 'seq')) {
    chosen.push(
      ($, most) =>
        `select c.item_id from unnest(${$(categoryIds)}::text[]) as below (category_id) cross join lateral (
           select item_id from items where items.category_id = below.category_id
            order by items.category_id, item_id limit ${most}) c`,
    )
  }
  if (currency !== undefined) {
    chosen.push(($) => {
      const cents = priceRegion === undefined ? CENTS : REGIONAL_CENTS
      const range = [
        ...(priceMin === undefined ? [] : [`and ${cents} >= ${$(priceMin)}`]),
        ...(priceMax === undefined ? [] : [`and ${cents} <= ${$(priceMax)}`]),
      ].join(' ')
      return priceRegion === undefined
        ? `select item_id from items where ${CURRENCY} = ${$(currency)} ${range} order by ${CURRENCY}, ${CENTS}`
        : `select item_id from item_markets where region = ${$(priceRegion)} and ${REGIONAL_CURRENCY} = ${$(currency)} ${range}
            order by region, ${REGIONAL_CURRENCY}, ${REGIONAL_CENTS}`
    })
  }
  if (order === 'id' && updatedSince !== undefined) {
    chosen.push(($) => `select item_id from items where seq > ${firstSeqSince($(updatedSince))} order by seq`)
  }
  if (order === 'seq' && kind !== undefined) {
    chosen.push(($) => `select item_id from items where kind = ${$(kind)} order by kind, item_id`)
  }
  if (order === 'seq' && unit !== undefined) {
    chosen.push(($) => `select item_id from items where ${UNIT} = ${$(unit)} order by ${UNIT}, item_id`)
  }
  if (order === 'seq' && region !== undefined) {
    chosen.push(($) => `select item_id from item_regions where region = ${$(region)} order by region, item_id`)
  }
  return chosen
}

/** The page from the items of one filter alone; 'wide' when it selects more than `narrowMax`. */
async function gather(
  db: Queryable,
  question: ItemsQuery,
  { selection, narrowMax }: { selection: Selection; narrowMax: number },
): Promise<ItemsPage | 'wide'> {
  const { values, $ } = parameters()
  const key = question.order === 'id' ? 'item_id' : 'seq'
  const after = question.after === undefined ? '' : `and i.${key} > ${$(question.after)}`
  const rows = await db.query<{ selected: number } & { [K in keyof ItemRow]: ItemRow[K] | null }>(
    `with selected as materialized (select item_id from (${selection($, narrowMax + 1)}) s limit ${narrowMax + 1})
     select n.selected, page.*
       from (select count(*)::int as selected from selected) n
       left join lateral (
         select item_id, seq, item_json, median_json, ${names(question)} as names_json
           from (select ${columns(question, $)} from (select item_id from selected order by item_id) s
                  cross join lateral (${ITEM('s.item_id')}) i where n.selected <= ${narrowMax} ${after} offset 0) i
          where ${[`state = 'active'`, ...conditions(question, $)].join(' and ')}
          order by ${key} limit ${$(question.limit + 1)}) page on true
      order by page.${key}`,
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

const positionOf = (row: ItemRow, { order }: ItemsQuery) => (order === 'id' ? row.item_id : String(row.seq))

/** The median of item i that replaces the headline. */
function median({ priceRegion }: ItemsQuery, $: Parameter): string {
  if (priceRegion === undefined) return 'null'
  return `(select m.median_json from item_markets m where m.item_id = i.item_id and m.region = ${$(priceRegion)})`
}

/** The names of item i, for a reader who asked for the name of a market or language. */
function names({ priceRegion, isNamed }: Pick<ItemsQuery, 'priceRegion' | 'isNamed'>): string {
  return priceRegion !== undefined || isNamed ? NAMES : 'null'
}
/** The names in the public state of item i, as JSON; null where all are its name. */
export const NAMES = `(i.public_state::jsonb->>'names')`

/** The displayed and tested columns of item i. `document` parses the JSON once for all tests. */
export function columns(question: ItemsQuery, $: Parameter): string {
  const { priceRegion, unit, currency, updatedSince } = question
  const isTested = unit !== undefined || updatedSince !== undefined || (currency !== undefined && !priceRegion)
  return `i.item_id, i.seq, i.item_json, i.state, i.folded_name, i.category_id, i.kind, ${median(question, $)} as median_json,
    i.public_state, ${isTested ? 'i.item_json::jsonb' : 'null::jsonb'} as document`
}

/** Conditions on item i, as {@link columns} provide it, besides being active; cheap tests first. */
export function conditions(question: ItemsQuery, $: Parameter): string[] {
  const { region, q, categoryIds, kind, unit, currency, priceMin, priceMax, priceRegion } = question
  const { sourceId, updatedSince } = question
  const shown = priceRegion === undefined ? `document->'median_price'` : 'median_json::jsonb'
  const all: string[] = []
  if (categoryIds !== undefined) all.push(`category_id = any(${$(categoryIds)}::text[])`)
  for (const pattern of q === undefined ? [] : wordPatterns(q)) all.push(`folded_name like ${$(pattern)}`)
  if (kind !== undefined) all.push(`kind = ${$(kind)}`)
  if (unit !== undefined) all.push(`document->>'unit' = ${$(unit)}`)
  if (currency !== undefined) all.push(`${shown}->>'currency' = ${$(currency)}`)
  if (priceMin !== undefined) all.push(`(${shown}->>'cents')::bigint >= ${$(priceMin)}`)
  if (priceMax !== undefined) all.push(`(${shown}->>'cents')::bigint <= ${$(priceMax)}`)
  if (updatedSince !== undefined) {
    const since = $(updatedSince)
    all.push(`seq > ${firstSeqSince(since)} and (document->>'updated_at')::timestamptz >= ${since}`)
  }
  // Not `exists`: the planner may answer that from a hash of the whole table.
  if (region !== undefined) {
    all.push(
      `(select true from item_regions r where r.region = ${$(region)} and r.item_id = i.item_id limit 1) is not null`,
    )
  }
  if (sourceId !== undefined) {
    const item = `(select k.item from item_keys k where k.item_id = i.item_id collate "default")`
    all.push(`(select true from memberships m where m.source = ${keyOf($(sourceId))} and m.item = ${item}) is not null`)
  }
  return all
}

/**
 * One LIKE pattern per folded word. Postgres refuses U+0000 and no name holds it; another such character replaces it.
 */
function wordPatterns(q: string): string[] {
  const words = foldText(q.replaceAll('\0', '\uffff')).split(' ')
  return words.filter((word) => word !== '').map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/**
 * Runs go forward: items numbered before the end of an earlier run changed before the instant. The date of each
 * remaining item is tested.
 */
const firstSeqSince = (instant: string) =>
  `coalesce((select seq from run_marks where as_of < ${instant} order by "offset" desc limit 1), 0)`

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

/** Look up private keys in the statement that uses them: the next statement may read another build. */
const keyOf = (sourceId: string) => `(select source from sources where source_id = ${sourceId})`

export async function isSource(db: Queryable, sourceId: string): Promise<boolean> {
  return (await db.query(`select from sources where source_id = $1`, [sourceId])).length > 0
}
