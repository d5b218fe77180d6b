import type { Heads, ItemRow, ScopeEntry } from '@catalog/core/changes/change.ts'
import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import type { Cells, CellType } from '@catalog/store/binary-copy.ts'
import { type Queryable, queryRows, rowsParameter, type Transaction } from '@catalog/store/db.ts'
import COLUMNS from './columns.json' with { type: 'json' }
import { CHAINS_BEGIN, chainsBeginIn } from './generation.ts'

/** Bulk writes of the item side. The caller holds the checkpoint lock, so no other process moves heads or rows. */
export async function loadHeads(tx: Queryable): Promise<Heads> {
  const scopes = await tx.query<{ scope: string; rseq: bigint; chain: Buffer }>(
    `select scope, rseq, chain from scope_heads`,
  )
  const [last] = await tx.query<{ gen: string; begins: string | null; updatedUs: bigint | null }>(
    `select (select value from meta where key = 'gen') as gen, (select value from meta where key = $1) as begins,
       (select updated_us from changes order by seq desc limit 1) as "updatedUs"`,
    [CHAINS_BEGIN],
  )
  return {
    gen: last?.gen as string,
    updatedUs: last?.updatedUs ?? 0n,
    scopes: new Map(scopes.map(({ scope, rseq, chain }) => [scope, { rseq, chain }])),
    begins: chainsBeginIn(last?.begins),
  }
}

export type StoredItem = ItemRow & { readonly publicState: string }

export async function loadItems(tx: Queryable, itemIds: readonly string[]): Promise<Map<string, StoredItem>> {
  const rows = await tx.query<StoredItem & { itemId: string }>(
    `select item_id as "itemId", version, seq, state_sha as "stateSha", material_sha as "materialSha",
       public_state as "publicState",
       array(select region from item_regions where item_regions.item_id = items.item_id order by region) as regions
     from items where item_id = any($1)`,
    [itemIds],
  )
  return new Map(rows.map(({ itemId, ...row }) => [itemId, row]))
}

/** The state of an item after a batch. */
export type ItemWrite = Readonly<{
  item_id: string
  version: number
  seq: bigint
  state: string
  merged_into: string | null
  public_state: string
  item_json: string
  state_sha: string
  material_sha: string
  name: string
  category_id: string | null
  kind: string | null
  vendor_sku_ids: readonly string[]
  basis: string
  run_id: string
  as_of: string
  /** Of the event in catalog.items. */
  offset: bigint
  regions: readonly string[]
  markets: readonly { readonly region: string; readonly median_json: string | null }[]
}>
export type BasisWrite = Pick<ItemWrite, 'item_id' | 'vendor_sku_ids' | 'basis' | 'run_id' | 'as_of' | 'offset'>
export type ChangeWrite = Readonly<{
  seq: bigint
  item_id: string
  op: string
  version: number
  updated_us: bigint
  state_sha: string
  state: string | null
  merged_into: string | null
  /** Canonical JSON of the median before this change; null where there was none. */
  former_median: string | null
  scopes: readonly ScopeEntry[]
}>
export type PointWrite = Readonly<{
  item_id: string
  market: string
  recorded_at: string
  cents: number | null
  currency: string | null
}>
export type CategoryWrite = Readonly<{ category_id: string; parent_id: string | null; name: string; depth: number }>

/** The row that a publication leaves, with the numbers that evolve() assigned. */
export function itemWrite(
  { event, offset }: { event: ItemPublished; offset: bigint },
  row: ItemRow,
  publicState: string,
): ItemWrite {
  const { item, markets, state, merged_into, kind = null } = event.state
  return {
    ...basisOf(event, offset),
    version: row.version,
    seq: row.seq,
    state,
    merged_into,
    public_state: publicState,
    item_json: canonicalJson(item as unknown as JsonValue),
    state_sha: row.stateSha.toString('hex'),
    material_sha: row.materialSha.toString('hex'),
    name: item.name,
    category_id: item.category_id,
    kind,
    regions: row.regions,
    markets: markets.map(({ region, median_price }) => ({
      region,
      median_json: median_price && canonicalJson(median_price as unknown as JsonValue),
    })),
  }
}

/** The part of a publication that may change without a change of the item. */
export function basisOf(event: ItemPublished, offset: bigint): BasisWrite {
  return {
    item_id: event.item_id,
    vendor_sku_ids: event.vendor_sku_ids,
    basis: canonicalJson(event.basis as unknown as JsonValue),
    run_id: event.run_id,
    as_of: event.as_of,
    offset,
  }
}

export async function saveItems(
  tx: Transaction,
  batch: {
    readonly items: readonly ItemWrite[]
    readonly basisOnly: readonly BasisWrite[]
    readonly changes: readonly ChangeWrite[]
    readonly points: readonly PointWrite[]
    readonly categories: readonly CategoryWrite[]
    readonly heads: Heads
  },
): Promise<void> {
  if (batch.basisOnly.length > 0) await updateBasis(tx, batch.basisOnly)
  if (batch.changes.length === 0) return
  await replaceItems(tx, batch.items)
  await upsertPoints(tx, batch.points)
  await insertCategories(tx, batch.categories)
  await insertChanges(tx, batch.changes)
  await moveHeads(tx, batch.heads)
}

async function updateBasis(tx: Queryable, basisOnly: readonly BasisWrite[]): Promise<void> {
  await tx.query(
    `update items set basis = batch.basis, run_id = batch.run_id, as_of = batch.as_of, "offset" = batch."offset",
       vendor_sku_ids = array(select jsonb_array_elements_text(batch.vendor_sku_ids))
     from jsonb_to_recordset($1::jsonb)
       as batch (item_id text, basis text, run_id text, as_of timestamptz, "offset" bigint, vendor_sku_ids jsonb)
     where items.item_id = batch.item_id`,
    [rowsParameter(basisOnly)],
  )
}

/** Writes the items anew: their rows are new, or all of their columns change. */
async function replaceItems(tx: Transaction, items: readonly ItemWrite[]): Promise<void> {
  await tx.query(
    `with of_regions as (delete from item_regions where item_id = any($1)),
       of_markets as (delete from item_markets where item_id = any($1))
     delete from items where item_id = any($1)`,
    [items.map(({ item_id }) => item_id)],
  )
  await tx.insertRows('items', ITEM_COLUMNS, rowsOf(ITEM_COLUMNS, items))
  const regions = items.flatMap(({ item_id, regions }) => regions.map((region) => [region, item_id]))
  await tx.insertRows('item_regions', { region: 'text', item_id: 'text' }, regions)
  const markets = items.flatMap(({ item_id, markets }) => {
    return markets.map(({ region, median_json }) => [item_id, region, median_json])
  })
  await tx.insertRows('item_markets', { item_id: 'text', region: 'text', median_json: 'text' }, markets)
}

type ColumnsOf<Table extends keyof typeof COLUMNS> = Readonly<Record<keyof (typeof COLUMNS)[Table], CellType>>
const ITEM_COLUMNS = COLUMNS.items as ColumnsOf<'items'>
const CHANGE_COLUMNS = COLUMNS.changes as ColumnsOf<'changes'>
const SCOPE_COLUMNS = { scope: 'text', rseq: 'int8', seq: 'int8', op: 'text', chain: 'bytea' } as const

const rowsOf = <Columns extends Readonly<Record<string, CellType>>>(
  columns: Columns,
  rows: readonly Readonly<Record<keyof Columns, Cells[number]>>[],
): Cells[] => rows.map((row) => Object.keys(columns).map((name) => row[name as keyof Columns]))

async function upsertPoints(tx: Queryable, points: readonly PointWrite[]): Promise<void> {
  await tx.query(
    `insert into price_points (item_id, market, recorded_at, cents, currency)
     select * from jsonb_to_recordset($1::jsonb)
       as batch (item_id text, market text, recorded_at timestamptz, cents bigint, currency text)
     on conflict (item_id, market, recorded_at) do update set cents = excluded.cents, currency = excluded.currency`,
    [rowsParameter(points)],
  )
}

async function insertCategories(tx: Queryable, categories: readonly CategoryWrite[]): Promise<void> {
  await tx.query(
    `insert into categories (category_id, parent_id, name, depth)
     select * from jsonb_to_recordset($1::jsonb) as batch (category_id text, parent_id text, name text, depth int)
     on conflict (category_id) do nothing`,
    [rowsParameter(categories)],
  )
}

async function insertChanges(tx: Transaction, changes: readonly ChangeWrite[]): Promise<void> {
  await tx.insertRows('changes', CHANGE_COLUMNS, rowsOf(CHANGE_COLUMNS, changes))
  const scopes = changes.flatMap(({ seq, scopes }) => {
    return scopes.map(({ scope, rseq, op, chain }) => [scope, rseq, seq, op, chain.toString('hex')])
  })
  await tx.insertRows('change_scopes', SCOPE_COLUMNS, scopes)
}

async function moveHeads(tx: Queryable, heads: Heads): Promise<void> {
  await queryRows(
    tx,
    `insert into scope_heads (scope, rseq, chain)
     select scope, rseq, decode(chain, 'hex')
     from jsonb_to_recordset($1::jsonb) as batch (scope text, rseq bigint, chain text)
     on conflict (scope) do update set rseq = excluded.rseq, chain = excluded.chain,
       moved_at = case when scope_heads.rseq = excluded.rseq then scope_heads.moved_at else clock_timestamp() end`,
    [...heads.scopes].map(([scope, { rseq, chain }]) => ({ scope, rseq, chain: chain.toString('hex') })),
  )
}

/** Dates a run that was taken back at that decision; the points of its instant and later are gone. */
export async function takeBackRunMark(
  tx: Queryable,
  mark: { runId: string; decidedAt: string; seq: bigint; offset: bigint; editions: readonly string[] },
): Promise<void> {
  await tx.query(
    `insert into run_marks (run_id, as_of, seq, "offset", items_published, taken_back, froze) values ($1, $2, $3, $4, 0, $4, $5)
     on conflict (run_id) do update set as_of = excluded.as_of, taken_back = excluded.taken_back, froze = excluded.froze`,
    [mark.runId, mark.decidedAt, mark.seq, mark.offset, mark.editions],
  )
}

export async function deletePointsFrom(tx: Queryable, from: string): Promise<void> {
  await tx.query(`delete from price_points where recorded_at >= $1`, [from])
}

export async function insertRunMark(
  tx: Queryable,
  mark: { runId: string; asOf: string; seq: bigint; offset: bigint; itemsPublished: number; finishedAt: string },
): Promise<void> {
  await tx.query(
    `insert into run_marks (run_id, as_of, seq, "offset", items_published, finished_at) values ($1, $2, $3, $4, $5, $6)
     on conflict (run_id) do nothing`,
    [mark.runId, mark.asOf, mark.seq, mark.offset, mark.itemsPublished, mark.finishedAt],
  )
}
