import type { Queryable } from './db.ts'

/** Reads of everything that `catalog verify` compares with the log, page by page in key order. */
const PAGE_ROWS = 5_000

export type ItemFact = Readonly<{
  itemId: string
  version: number
  seq: bigint
  stateSha: Buffer
  publicState: string
  basis: string
}>

export async function* itemFacts(store: Queryable): AsyncGenerator<ItemFact> {
  for (let after = ''; ; ) {
    const rows = await store.query<ItemFact>(
      `select item_id as "itemId", version, seq, state_sha as "stateSha", public_state as "publicState", basis from items
       where item_id > $1 order by item_id limit $2`,
      [after, PAGE_ROWS],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.itemId
  }
}

export type ChangeFact = Readonly<{ seq: bigint; itemId: string; op: string; stateSha: Buffer; updatedUs: bigint }>

export async function* changeFacts(store: Queryable): AsyncGenerator<ChangeFact> {
  for (let after = 0n; ; ) {
    const rows = await store.query<ChangeFact>(
      `select seq, item_id as "itemId", op, state_sha as "stateSha", updated_us as "updatedUs" from changes
       where seq > $1 order by seq limit $2`,
      [after, PAGE_ROWS],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.seq
  }
}

export type NumberFact = Readonly<{ rseq: bigint; seq: bigint; op: string; chain: Buffer }>

/** The numbers of a scope from its floor on, whose own number is kept for its chain. */
export async function* numberFacts(
  store: Queryable,
  { scope, floor }: { scope: string; floor: bigint },
): AsyncGenerator<NumberFact> {
  for (let after = floor - 1n; ; ) {
    const rows = await store.query<NumberFact>(
      `select rseq, seq, op, chain from change_scopes where scope = $1 and rseq > $2 order by rseq limit $3`,
      [scope, after, PAGE_ROWS],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.rseq
  }
}

/** Up to where the numbers of each scope were let go. */
export async function readFloors(store: Queryable): Promise<ReadonlyMap<string, bigint>> {
  const rows = await store.query<{ scope: string; floor: bigint }>(`select scope, floor from feed_floors`)
  return new Map(rows.map(({ scope, floor }) => [scope, floor]))
}

export async function* membershipFacts(store: Queryable): AsyncGenerator<{ skuId: string; itemId: string }> {
  for (let after = ''; ; ) {
    const rows = await store.query<{ skuId: string; itemId: string }>(
      `select vendor_sku_id as "skuId", item_id as "itemId" from memberships join vendor_skus using (sku)
       join item_keys using (item) where vendor_sku_id > $1 order by vendor_sku_id limit $2`,
      [after, PAGE_ROWS],
    )
    yield* rows
    const last = rows.at(-1)
    if (last === undefined) return
    after = last.skuId
  }
}

/** Ids of all parked records, as one digestible list. */
export async function parkedIds(store: Queryable): Promise<string[]> {
  const rows = await store.query<{ id: string }>(`select parked_id as id from parked order by parked_id collate "C"`)
  return rows.map(({ id }) => id)
}
