import { isSubdivision } from '@catalog/core/median/subdivisions.ts'
import { foldText } from '@catalog/core/text.ts'
import type { ItemsQuery } from './items-query.ts'
import { hasParts, isByPrice, isBySeq, NAME_KEY_CHARS } from './order.ts'

/** The filters and orders of lists as SQL of PostgreSQL. */

/** Adds a value to the parameters of a statement, and returns its placeholder. */
export type Parameter = (value: unknown) => string

export function parameters(): { values: unknown[]; $: Parameter } {
  const values: unknown[] = []
  return { values, $: (value) => `$${values.push(value)}` }
}

/** Spelled as in the indexes. */
export const UNIT = `(item_json::jsonb->>'unit')`
export const CURRENCY = `(item_json::jsonb->'median_price'->>'currency')`
export const CENTS = `((item_json::jsonb->'median_price'->>'cents')::bigint)`
const CPV = `((item_json::jsonb->>'cpv') collate "C")`
export const NAME_KEY = `(left(folded_name, ${NAME_KEY_CHARS}) collate "C")`
export const REGIONAL_CURRENCY = `(median_json::jsonb->>'currency')`
export const REGIONAL_CENTS = `((median_json::jsonb->>'cents')::bigint)`

/** One item. `offset 0` keeps the look-up separate, so that no plan reads all items to join them. */
export const ITEM = (itemId: string) => `select * from items where items.item_id = ${itemId} offset 0`

/** Ids of the items that one filter selects, read along the filter's own index, at least `most` of them. */
export type Selection = ($: Parameter, most: number) => string

/** The filters that may be narrow and that no other index holds in the order of the page. */
export function selections({ order, ...filters }: ItemsQuery): Selection[] {
  const { categoryIds, sourceId, currency, priceMin, priceMax, priceRegion, updatedSince, unit, kind, region } = filters
  const { cpv, itemIds } = filters
  const chosen: Selection[] = []
  if (itemIds !== undefined) chosen.push(($) => `select unnest(${$(itemIds)}::text[]) as item_id`)
  // Each `order by` follows an index: a plan that reads the table instead would have to sort.
  if (sourceId !== undefined) {
    chosen.push(
      ($) =>
        `select (select item_id from item_keys where item_keys.item = m.item) as item_id
           from memberships m where source = ${keyOf($(sourceId))} order by source, item`,
    )
  }
  if (categoryIds !== undefined && (categoryIds.length > 1 || order !== 'id')) {
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
  if (cpv !== undefined)
    chosen.push(($) => `select item_id from items where ${beginsWith(CPV, cpv, $)} order by ${CPV}`)
  if (!isBySeq(order) && updatedSince !== undefined) {
    chosen.push(($) => `select item_id from items where seq > ${firstSeqSince($(updatedSince))} order by seq`)
  }
  if (order !== 'id' && kind !== undefined) {
    chosen.push(($) => `select item_id from items where kind = ${$(kind)} order by kind, item_id`)
  }
  if (order !== 'id' && unit !== undefined) {
    chosen.push(($) => `select item_id from items where ${UNIT} = ${$(unit)} order by ${UNIT}, item_id`)
  }
  if (order !== 'id' && region !== undefined) {
    chosen.push(($) => `select item_id from ${soldIn(region)} where region = ${$(region)} order by region, item_id`)
  }
  return chosen
}

/** The median of item i that replaces the headline. */
export function median({ priceRegion }: ItemsQuery, $: Parameter): string {
  if (priceRegion === undefined) return 'null'
  return `(select m.median_json from item_markets m where m.item_id = i.item_id and m.region = ${$(priceRegion)})`
}

/** The names of item i, for a reader who asked for the name of a market or language. */
export function names({ priceRegion, isNamed }: Pick<ItemsQuery, 'priceRegion' | 'isNamed'>): string {
  return priceRegion !== undefined || isNamed ? NAMES : 'null'
}
/** The names in the public state of item i, as JSON; null where all are its name. */
export const NAMES = `(i.public_state::jsonb->>'names')`

/** The displayed and tested columns of item i. `document` parses the JSON once for all tests. */
export function columns(question: ItemsQuery, $: Parameter): string {
  const { order, priceRegion, unit, currency, updatedSince, cpv, isUnpriced = false } = question
  const isPriceTested = currency !== undefined || isUnpriced || isByPrice(order)
  const isTested =
    unit !== undefined || updatedSince !== undefined || cpv !== undefined || (isPriceTested && !priceRegion)
  return `i.item_id, i.seq, i.item_json, i.state, i.folded_name, i.category_id, i.kind, ${median(question, $)} as median_json,
    i.public_state, ${isTested ? 'i.item_json::jsonb' : 'null::jsonb'} as document`
}

/** Conditions on item i, as {@link columns} provide it, besides being active; cheap tests first. */
export function conditions(question: ItemsQuery, $: Parameter): string[] {
  const { region, q, categoryIds, kind, unit, currency, priceMin, priceMax, priceRegion } = question
  const { sourceId, updatedSince, cpv, isUnpriced } = question
  const shown = shownMedian(priceRegion)
  const all: string[] = []
  if (categoryIds !== undefined) all.push(`category_id = any(${$(categoryIds)}::text[])`)
  for (const pattern of q === undefined ? [] : wordPatterns(q)) all.push(`folded_name like ${$(pattern)}`)
  if (kind !== undefined) all.push(`kind = ${$(kind)}`)
  if (unit !== undefined) all.push(`document->>'unit' = ${$(unit)}`)
  if (cpv !== undefined) all.push(beginsWith(`((document->>'cpv') collate "C")`, cpv, $))
  if (isUnpriced) all.push(`${shown}->>'currency' is null`)
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
      `(select true from ${soldIn(region)} r where r.region = ${$(region)} and r.item_id = i.item_id limit 1) is not null`,
    )
  }
  if (sourceId !== undefined) {
    const item = `(select k.item from item_keys k where k.item_id = i.item_id collate "default")`
    all.push(`(select true from memberships m where m.source = ${keyOf($(sourceId))} and m.item = ${item}) is not null`)
  }
  return all
}

/** Whether a CPV code begins so: digits, and a hyphen, come before the colon. */
const beginsWith = (column: string, cpv: string, $: Parameter) =>
  `${column} >= ${$(cpv)} and ${column} < ${$(`${cpv}:`)}`

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
export const firstSeqSince = (instant: string) =>
  `coalesce((select seq from run_marks where as_of < ${instant} order by "offset" desc limit 1), 0)`

/** The values that order item i, as {@link columns} provide it. */
export function sortKeys({ order, priceRegion }: ItemsQuery): readonly string[] {
  if (isBySeq(order)) return ['seq']
  if (order === 'name') return [NAME_KEY, 'item_id']
  if (!isByPrice(order)) return ['item_id']
  const shown = shownMedian(priceRegion)
  return [`(${shown}->>'currency')`, `((${shown}->>'cents')::bigint)`, 'item_id']
}

export const place = (question: ItemsQuery) =>
  hasParts(question.order) ? `json_build_array(${sortKeys(question).join(', ')})::text` : 'null'

/** The shown median of item i, as {@link columns} provide it. */
const shownMedian = (priceRegion: string | undefined) =>
  priceRegion === undefined ? `(document->'median_price')` : '(median_json::jsonb)'

/** Look up private keys in the statement that uses them: the next statement may read another build. */
const keyOf = (sourceId: string) => `(select source from sources where source_id = ${sourceId})`

/** The table of the items of a market: a subdivision is a market of prices alone, which no feed has. */
export const soldIn = (region: string): 'item_markets' | 'item_regions' =>
  isSubdivision(region) ? 'item_markets' : 'item_regions'
