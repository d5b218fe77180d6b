import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import { type DecisionEvent, subjectOf } from '@catalog/core/events/events.ts'
import type { PairsProposed, ReferenceReused, SkusKeptApart } from '@catalog/core/events/matching.ts'
import type { SourceRegistered } from '@catalog/core/events/sources.ts'
import { emptyMembership, type Founding, keepApart, type Membership } from '@catalog/core/matching/membership.ts'
import { type Queryable, queryRows, rowsParameter } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import { ensureSkus } from './row-keys.ts'

/** Stores decisions unchanged; folds at a past position or as_of read them again. */
export async function insertDecisions(tx: Queryable, records: readonly LoggedEvent<DecisionEvent>[]): Promise<void> {
  await queryRows(
    tx,
    `insert into decisions ("offset", type, subject, decided_at, payload)
     select * from jsonb_to_recordset($1::jsonb)
       as batch ("offset" bigint, type text, subject text, decided_at timestamptz, payload text)`,
    records.map(({ event, offset }) => ({
      offset,
      type: event.type,
      subject: subjectOf(event),
      decided_at: event.decided_at,
      payload: canonicalJson(event as unknown as JsonValue),
    })),
  )
}

/** The registration with the smallest offset wins. */
export async function registerSources(tx: Queryable, records: readonly LoggedEvent<SourceRegistered>[]): Promise<void> {
  for (const { event, offset } of records) {
    const { source } = event
    await tx.query(
      `insert into sources as present (source_id, registered_offset, name, region, url, trust_score, validity_days, validity, kind, enabled)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       on conflict (source_id) do update set registered_offset = excluded.registered_offset, name = excluded.name,
         region = excluded.region, url = excluded.url, trust_score = excluded.trust_score,
         validity_days = excluded.validity_days, validity = excluded.validity, kind = excluded.kind, enabled = excluded.enabled
       where present.registered_offset is null or present.registered_offset > excluded.registered_offset`,
      [
        source.id,
        offset,
        source.name,
        source.region,
        source.url,
        event.trust_score,
        event.validity_days,
        event.validity ?? null,
        event.kind,
        event.enabled,
      ],
    )
  }
}

/** Names the articles of references that decisions tell apart. */
export async function insertReferenceUses(
  tx: Queryable,
  records: readonly LoggedEvent<ReferenceReused>[],
): Promise<void> {
  for (const { event } of records) {
    const { first_sku_id, vendor_sku_id, source_id, vendor_ref } = event
    const keys = await ensureSkus(
      tx,
      [first_sku_id, vendor_sku_id].map((vsku) => ({ vsku, source_id, vendor_ref })),
    )
    await tx.query(`update vendor_skus set reference = $1 where vendor_sku_id = any($2) and reference is null`, [
      keys.get(first_sku_id),
      [first_sku_id, vendor_sku_id],
    ])
  }
}

/** A SKU that a decision puts into an item, beside at most one of its source. */
export type Place = Readonly<{ skuId: string; itemId: string; sourceId: string }>

/**
 * The part of the membership that these places touch: the items, where the SKUs are now, and the SKUs in the places. Returns null
 * where a fold needs more, because an item was merged or a person keeps one of the SKUs apart.
 */
export async function loadPlaces(tx: Queryable, places: readonly Place[]): Promise<Membership | null> {
  const state = emptyMembership()
  const skuIds = places.map(({ skuId }) => skuId)
  if (await isAnyKeptApart(tx, skuIds)) return null
  type Found = Founding & Readonly<{ place: bigint; isMerged: boolean; heldBy: string | null }>
  type Row = Found | { [Key in keyof Found]: Key extends 'place' ? bigint : null }
  const rows = await tx.query<Row & Readonly<{ at: string | null }>>(
    // An item has hundreds of members: a place finds its own by both columns of the index.
    `select place, ${FOUNDING}, i.merged_into is not null as "isMerged", here.item_id as at, held.vendor_sku_id as "heldBy"
     from rows from (unnest($1::text[]), unnest($2::text[]), unnest($3::text[])) with ordinality places (id, in_item, source_id, place)
     left join sources s using (source_id)
     left join lateral (${itemBy('item_id = in_item')}) i on true
     left join lateral (${skuBy('sku = i.founder')}) founder on true
     left join lateral (${skuBy('vendor_sku_id = places.id')}) k on true
     left join lateral (select item from memberships where memberships.sku = k.sku offset 0) present on true
     left join lateral (${itemBy('item_keys.item = present.item')}) here on true
     left join lateral (
       select sku from memberships where memberships.item = i.item and memberships.source = s.source offset 0
     ) m on true
     left join lateral (${skuBy('vendor_skus.sku = m.sku')}) held on true`,
    [skuIds, places.map(({ itemId }) => itemId), places.map(({ sourceId }) => sourceId)],
  )
  for (const { place, at, ...found } of rows) {
    const { skuId, sourceId } = places[Number(place) - 1] as Place
    if (at !== null) hold(state, { itemId: at, sourceId, skuId })
    if (found.itemId === null) continue
    const { isMerged, heldBy, ...founding } = found
    if (isMerged) return null
    state.foundings.set(founding.itemId, founding)
    if (heldBy !== null) hold(state, { itemId: founding.itemId, sourceId, skuId: heldBy })
  }
  return state
}

/** The part of the membership that these SKUs and items touch: enough to fold events that name only them. */
export async function loadMembership(
  tx: Queryable,
  { vendorSkuIds, itemIds }: { vendorSkuIds: readonly string[]; itemIds: readonly string[] },
): Promise<Membership> {
  const state = emptyMembership()
  const items = await tx.query<Founding & { item: number; into: string | null }>(
    `with recursive named (item) as (
       select item from item_keys where item_id = any($1)
       union select item from memberships join vendor_skus using (sku) where vendor_sku_id = any($2)
       union select merged_into from item_keys join named using (item) where merged_into is not null
     )
     select i.item, ${FOUNDING}, target.item_id as into
     from named join item_keys i using (item) join vendor_skus founder on founder.sku = i.founder
     left join item_keys target on target.item = i.merged_into`,
    [itemIds, vendorSkuIds],
  )
  for (const { itemId, founderId, n, unit, pack, into } of items) {
    state.foundings.set(itemId, { itemId, founderId, n, unit, pack })
    if (into !== null) state.mergedInto.set(itemId, into)
  }
  const members = await tx.query<Place>(
    `select item_id as "itemId", source_id as "sourceId", vendor_sku_id as "skuId"
     from memberships join item_keys using (item) join vendor_skus using (sku)
     join sources on sources.source = memberships.source where item = any($1)`,
    [items.map(({ item }) => item)],
  )
  for (const member of members) hold(state, member)
  const skuIds = [...new Set([...vendorSkuIds, ...state.itemOf.keys()])]
  for (const pair of await keptApartAmong(tx, skuIds)) keepApart(state, pair)
  return state
}

function hold(state: Membership, { itemId, sourceId, skuId }: Place): void {
  state.itemOf.set(skuId, itemId)
  const skus = state.skusOf.get(itemId) ?? new Map<string, string>()
  state.skusOf.set(itemId, skus.set(sourceId, skuId))
}

const FOUNDING = `i.item_id as "itemId", founder.vendor_sku_id as "founderId", i.founding_n as n, i.unit,
  case when i.pack_unit is not null then json_build_object('quantity', i.pack_quantity::text, 'unit', i.pack_unit) end as pack`

/** Walks an index for each row: after a first import the planner knows no sizes, and would read all rows for each batch. */
const itemBy = (condition: string) => `select * from item_keys where ${condition} offset 0`
const skuBy = (condition: string) => `select * from vendor_skus where ${condition} offset 0`

async function isAnyKeptApart(tx: Queryable, skuIds: readonly string[]): Promise<boolean> {
  const [row] = await tx.query<{ is: boolean }>(
    'select exists (select from kept_apart where sku_a = any($1) or sku_b = any($1)) as is',
    [skuIds],
  )
  return row?.is === true
}

export type KeptApart = Readonly<{ a: string; b: string; since: string; reason: string }>

/** The pairs among these SKUs that a person keeps apart. */
export async function keptApartAmong(store: Queryable, skuIds: readonly string[]): Promise<KeptApart[]> {
  return store.query(
    `select sku_a as a, sku_b as b, since, reason from kept_apart
     where sku_a = any($1::text[]) and sku_b = any($1::text[]) order by sku_a, sku_b`,
    [skuIds],
  )
}

/** Pairs that a person keeps apart; the first decision about a pair wins. */
export async function insertKeptApart(tx: Queryable, records: readonly LoggedEvent<SkusKeptApart>[]): Promise<void> {
  if (records.length === 0) return
  await queryRows(
    tx,
    `insert into kept_apart (sku_a, sku_b, since, reason)
     select distinct on (a, b) a, b, since, reason
     from jsonb_to_recordset($1::jsonb) as batch (a text, b text, since timestamptz, reason text, "offset" bigint)
     order by a, b, "offset" on conflict do nothing`,
    records.map(({ event, offset }) => ({
      a: event.vendor_sku_ids[0],
      b: event.vendor_sku_ids[1],
      since: event.decided_at,
      reason: event.reason,
      offset,
    })),
  )
}

/** Pairs that a rule left to people; its last decision about a pair wins. */
export async function upsertProposals(tx: Queryable, records: readonly LoggedEvent<PairsProposed>[]): Promise<void> {
  if (records.length === 0) return
  await queryRows(
    tx,
    `insert into proposals (sku_a, sku_b, score, why, rule_version, decided_at)
     select distinct on (a, b) a, b, score, why, rule_version, decided_at
     from jsonb_to_recordset($1::jsonb) as batch (a text, b text, score double precision, why text[],
       rule_version text, decided_at timestamptz, "offset" bigint, at int)
     order by a, b, "offset" desc, at desc
     on conflict (sku_a, sku_b) do update set score = excluded.score, why = excluded.why,
       rule_version = excluded.rule_version, decided_at = excluded.decided_at`,
    records.flatMap(({ event, offset }) =>
      event.pairs.map(({ vendor_sku_ids: [a, b], score, why }, at) => ({
        a,
        b,
        score,
        why,
        rule_version: event.rule_version,
        decided_at: event.decided_at,
        offset,
        at,
      })),
    ),
  )
}

/** Writes the result of folding: new items, merges, and the whole membership of moved SKUs. */
export async function saveMembership(
  tx: Queryable,
  change: {
    readonly foundings: readonly Founding[]
    readonly merges: readonly { readonly from: string; readonly into: string }[]
    /** `isPlaced` when an item holds the SKU. */
    readonly moved: readonly {
      readonly skuId: string
      readonly sourceId: string
      readonly itemId: string
      readonly isPlaced: boolean
    }[]
    readonly keys: readonly { readonly skuId: string; readonly sourceId: string; readonly key: string }[]
  },
): Promise<void> {
  const named = [...change.moved, ...change.keys].map(({ skuId: vsku, sourceId: source_id }) => ({
    vsku,
    source_id,
    vendor_ref: null,
  }))
  const skus = named.length > 0 ? await ensureSkus(tx, named) : new Map<string, number>()
  const skuOf = ({ skuId }: { readonly skuId: string }) => skus.get(skuId)
  if (change.foundings.length > 0) {
    await queryRows(
      tx,
      `insert into item_keys (item_id, founder, founding_n, unit, pack_quantity, pack_unit)
       select item_id, sku, n, unit, pack_quantity, pack_unit
       from jsonb_to_recordset($1::jsonb)
         as batch (item_id text, founder text, n int, unit text, pack_quantity numeric, pack_unit text)
       join vendor_skus on vendor_sku_id = founder order by item_id`,
      change.foundings.map(({ itemId, founderId, n, unit, pack }) => ({
        item_id: itemId,
        founder: founderId,
        n,
        unit,
        pack_quantity: pack?.quantity,
        pack_unit: pack?.unit,
      })),
    )
  }
  if (change.moved.length > 0) {
    const placed = change.moved.filter(({ isPlaced }) => isPlaced)
    // Delete first, then insert: a swap between two items would violate the unique (item, source) halfway.
    if (placed.length > 0) await tx.query('delete from memberships where sku = any($1::int[])', [placed.map(skuOf)])
    await tx.query(
      `insert into memberships (sku, item, source)
       select moved.sku, item, source from unnest($1::int[], $2::text[]) moved (sku, in_item),
         lateral (${itemBy('item_id = in_item')}) i, lateral (${skuBy('vendor_skus.sku = moved.sku')}) k order by moved.sku`,
      [change.moved.map(skuOf), change.moved.map(({ itemId }) => itemId)],
    )
  }
  if (change.merges.length > 0) {
    await tx.query(
      `update item_keys set merged_into = target.item
       from jsonb_to_recordset($1::jsonb) as batch ("from" text, "into" text) join item_keys target on target.item_id = "into"
       where item_keys.item_id = "from"`,
      [rowsParameter(change.merges)],
    )
  }
  if (change.keys.length > 0) {
    await tx.query(
      `insert into match_keys (key, sku)
       select * from unnest($1::text[], $2::int[]) batch (key, sku) order by key, sku on conflict do nothing`,
      [change.keys.map(({ key }) => key), change.keys.map(skuOf)],
    )
  }
}

/** A change of the trust in a source. */
export type TrustStep = Readonly<{ decided_at: string; trust_score: number; reason: string }>

/** The changes of the trust in a source, the newest first. */
export async function trustHistory(
  store: Queryable,
  { sourceId, limit }: { sourceId: string; limit: number },
): Promise<TrustStep[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions where type = 'TrustChanged' and subject = $1 order by "offset" desc limit $2`,
    [sourceId, limit],
  )
  return rows.map(({ payload }) => JSON.parse(payload) as TrustStep)
}
