import type { Queryable, Store } from '@catalog/store/db.ts'
import type { Visibility } from './as-of-queries.ts'
import { articleAt, FIRST_OF_K } from './row-keys.ts'

/** Reads of the matcher besides texts: SKUs matched since the last run, and SKUs that share a key. */

/** A vendor SKU that a rule put into an item and that no run has processed yet. */
export type PendingSku = Readonly<{
  /** Offset of the decision. */
  offset: bigint
  skuId: string
  sourceId: string
  /** The item that the rule chose or founded; `itemId` is the item that holds the SKU now. */
  givenItemId: string
  founded: boolean
  itemId: string
  /** A SKU of its item had its very text before. */
  hasKnownText: boolean
  /** The smallest of its block keys, which similar SKUs mostly share. Null without block keys, and where its text is known. */
  firstBlock: string | null
}>

/**
 * The decisions in catalog.decisions that no run has processed: those after the last RunStarted, and rules' decisions
 * for an instant after that run's. A killed run leaves the latter when the next run has an earlier instant.
 */
export type PendingDecisions = Readonly<{
  lastRunOffset: bigint
  lastRunAsOf: string | null
  firstOffset: bigint
  /** Behind the last decision of the log. */
  endOffset: bigint
}>

export async function pendingDecisions(store: Queryable): Promise<PendingDecisions> {
  const [last] = await store.query<{ offset: bigint; asOf: string }>(
    `select "offset", decided_at as "asOf" from decisions where type = 'RunStarted' order by "offset" desc limit 1`,
  )
  const [end] = await store.query<{ offset: bigint }>(
    `select coalesce(max("offset") + 1, 0) as "offset" from decisions`,
  )
  const endOffset = end?.offset as bigint
  if (last === undefined) return { lastRunOffset: -1n, lastRunAsOf: null, firstOffset: 0n, endOffset }
  const [ahead] = await store.query<{ offset: bigint | null }>(
    `select min("offset") as "offset" from decisions
     where type in ('SkuMatched', 'ItemsMerged') and decided_at > $1 and "offset" < $2 and payload::jsonb->>'by' = 'rule'`,
    [last.asOf, last.offset],
  )
  return {
    lastRunOffset: last.offset,
    lastRunAsOf: last.asOf,
    firstOffset: ahead?.offset ?? last.offset + 1n,
    endOffset,
  }
}

/** SKUs that a rule decided for an instant up to `asOf` and that no run has processed, of so many decisions from an offset on, in log order. */
export async function pendingSkus(
  store: Store,
  {
    pendingDecisions,
    asOf,
    from,
    count,
  }: { pendingDecisions: PendingDecisions; asOf: string; from: bigint; count: number },
): Promise<PendingSku[]> {
  return store.transaction(async (tx) => {
    if (pendingDecisions.endOffset - from > WHOLE_TABLES_MIN) {
      // Right after a first import the planner knows no sizes, and would look up each SKU by three indexes.
      await tx.query('set local enable_nestloop = off')
      await tx.query('set local enable_mergejoin = off')
    }
    return tx.query<PendingSku>(
      `select d."offset", d.subject as "skuId", payload->>'source_id' as "sourceId", payload->>'item_id' as "givenItemId",
         payload ? 'founding' as founded, item_id as "itemId", has_known_text as "hasKnownText",
         case when not has_known_text then (
           select min(key collate "C") from jsonb_array_elements_text(payload->'keys') key where key like 'b:%'
         ) end as "firstBlock"
       from (
         select "offset", subject, payload, coalesce(payload->'evidence' ? 'same_text', false) as has_known_text from (
           select "offset", subject, decided_at, payload::jsonb as payload from decisions
           where type = 'SkuMatched' and "offset" between $1 and $1 + $2 - 1 and decided_at <= $3
             and ("offset" > $4 or decided_at > $5) offset 0
         ) parsed where payload->>'by' = 'rule'
       ) d join vendor_skus on vendor_sku_id = d.subject join memberships using (sku) join item_keys using (item)
       order by d."offset"`,
      [from, count, asOf, pendingDecisions.lastRunOffset, pendingDecisions.lastRunAsOf],
    )
  })
}

/** From so many decisions on, reading whole tables costs less than walking indexes. */
const WHOLE_TABLES_MIN = 10_000n

/** Items that a rule or a person merged and that no run has processed since, with their targets. */
export async function pendingMerges(
  store: Queryable,
  { lastRunOffset, lastRunAsOf, firstOffset }: PendingDecisions,
): Promise<readonly { readonly from: string; readonly into: string; readonly byRule: boolean }[]> {
  return store.query(
    `select d.subject as "from", payload::jsonb->>'into_item_id' as "into",
       payload::jsonb->>'by' is not distinct from 'rule' as "byRule"
     from decisions d join item_keys on item_id = d.subject
     where d.type = 'ItemsMerged' and d."offset" >= $1 and item_keys.merged_into is not null
       and (d."offset" > $2 or (decided_at > $3 and payload::jsonb->>'by' = 'rule')) order by d."offset"`,
    [firstOffset, lastRunOffset, lastRunAsOf],
  )
}

/** The SKUs (private keys) that each of these keys finds, of an exact key one of each item; none of a key that more than `max` find. */
export async function skusByKeys(
  store: Queryable,
  keys: readonly string[],
  max: number,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { blocks = [], exact = [] } = Object.groupBy(keys, (key) => (key.startsWith('b:') ? 'blocks' : 'exact'))
  const rows = await store.query<{ key: string; skus: string }>(
    `select wanted.key, found.skus
     from unnest($1::text[]) wanted (key), lateral (
       select string_agg(sku::text, ',') as skus, count(*) as count
       from (select sku from match_keys where match_keys.key = wanted.key limit $3) few
     ) found
     where found.count between 1 and $3 - 1
     union all
     select key, string_agg(sku::text, ',') from (
       select distinct on (key, item) key, sku from match_keys join memberships using (sku) join vendor_skus using (sku)
       where key = any($2) order by key, item, vendor_sku_id collate "C"
     ) firsts group by key having count(*) < $3`,
    [blocks, exact, max + 1],
  )
  return new Map(rows.map(({ key, skus }) => [key, skus.split(',').map(Number)]))
}

/** A matched SKU, by its private key. */
export type MatchedSku = Readonly<{ sku: number; skuId: string; sourceId: string; itemId: string }>

export async function matchedSkus(store: Queryable, skus: readonly number[]): Promise<MatchedSku[]> {
  return store.query(
    `select sku, vendor_sku_id as "skuId", source_id as "sourceId", item_id as "itemId"
     from memberships join vendor_skus using (sku) join sources on sources.source = memberships.source
     join item_keys using (item) where sku = any($1::int[])`,
    [skus],
  )
}

/** Items with their founders and their present SKUs. */
export type MatchedItem = Readonly<{
  itemId: string
  founderId: string
  members: readonly { readonly skuId: string; readonly sourceId: string }[]
}>

export async function matchedItems(store: Queryable, itemIds: readonly string[]): Promise<MatchedItem[]> {
  return store.query(
    `select item_id as "itemId", founder.vendor_sku_id as "founderId", coalesce((
       select json_agg(json_build_object('skuId', vendor_sku_id, 'sourceId', source_id))
       from memberships join vendor_skus using (sku) join sources on sources.source = memberships.source
       where memberships.item = item_keys.item), '[]') as members
     from item_keys join vendor_skus founder on founder.sku = item_keys.founder where item_id = any($1::text[])`,
    [itemIds],
  )
}

/** The items of these SKUs, by SKU; leaves out SKUs without one. */
export async function itemIdsOfSkus(store: Queryable, skuIds: readonly string[]): Promise<Map<string, string>> {
  const rows = await store.query<{ skuId: string; itemId: string }>(
    `select vendor_sku_id as "skuId", item_id as "itemId" from vendor_skus
     join memberships using (sku) join item_keys using (item) where vendor_sku_id = any($1)`,
    [skuIds],
  )
  return new Map(rows.map(({ skuId, itemId }) => [skuId, itemId]))
}

/** Items that hold a SKU of one of these sources, the first ones by id. */
export async function itemIdsOfSources(
  store: Queryable,
  sourceIds: readonly string[],
  limit: number,
): Promise<readonly string[]> {
  const rows = await store.query<{ itemId: string }>(
    `select distinct item_id as "itemId" from sources join memberships using (source) join item_keys using (item)
     where source_id = any($1) order by item_id limit $2`,
    [sourceIds, limit],
  )
  return rows.map(({ itemId }) => itemId)
}

/** A vendor SKU in its item, with the item's founder. */
export type PlacedSku = Readonly<{
  skuId: string
  sourceId: string
  itemId: string
  founderId: string
  /** The rule that placed the SKU last, or 'person'. */
  placedBy: string
}>

/** Every SKU that is in an item, in ascending id order after `after`. */
export async function placedSkus(
  store: Queryable,
  { after, limit }: { after: string; limit: number },
): Promise<PlacedSku[]> {
  return store.query(
    `select v.vendor_sku_id as "skuId", source_id as "sourceId", item_id as "itemId", founder.vendor_sku_id as "founderId",
       coalesce((select case when type = 'SkuSplit' then 'person' else payload::jsonb->>'rule_version' end from decisions
         where subject = v.vendor_sku_id and type in ('SkuMatched', 'SkuSplit') order by "offset" desc limit 1), '')
         as "placedBy"
     from vendor_skus v join memberships m using (sku) join sources on sources.source = m.source
     join item_keys using (item) join vendor_skus founder on founder.sku = item_keys.founder
     where v.vendor_sku_id > $1 order by v.vendor_sku_id limit $2`,
    [after, limit],
  )
}

/** The items that a person put together or confirmed by an own decision: no rule takes them apart. */
export async function itemsOfPersons(store: Queryable): Promise<ReadonlySet<string>> {
  const rows = await store.query<{ itemId: string }>(
    `with recursive decided (item_id) as (
       select payload::jsonb->>'into_item_id' from decisions
       where type = 'ItemsMerged' and not payload::jsonb ? 'rule_version'
       union select payload::jsonb->>'item_id' from decisions
       where type = 'SkuMatched' and payload::jsonb->>'rule_version' = 'person'
       union select subject from decisions where type = 'ItemConfirmed'
     ), items (item) as (
       select item from item_keys join decided using (item_id)
       union select merged_into from item_keys join items using (item) where merged_into is not null
     )
     select item_id as "itemId" from items join item_keys using (item)`,
  )
  return new Set(rows.map(({ itemId }) => itemId))
}

/** An item with its SKUs, and with what its founding fixed. */
export type ItemMembers = Readonly<{
  itemId: string
  unit: string | null
  pack: { readonly quantity: string; readonly unit: string } | null
  mergedInto: string | null
  skuIds: readonly string[]
}>

export async function itemMembers(store: Queryable, itemIds: readonly string[]): Promise<ItemMembers[]> {
  const rows = await store.query<Omit<ItemMembers, 'skuIds'> & { skuIds: string | null }>(
    `with named as materialized (select * from item_keys where item_id = any($1)),
     members as (
       select item, string_agg(vendor_sku_id, E'\x1f' order by vendor_sku_id) as ids
       from named join memberships using (item) join vendor_skus using (sku) group by item
     )
     select named.item_id as "itemId", named.unit,
       case when named.pack_unit is not null then
         json_build_object('quantity', named.pack_quantity::text, 'unit', named.pack_unit) end as pack,
       (select item_id from item_keys target where target.item = named.merged_into) as "mergedInto",
       members.ids as "skuIds"
     from named left join members using (item)
     order by named.item_id collate "C"`,
    [itemIds],
  )
  return rows.map((row) => ({ ...row, skuIds: row.skuIds?.split('\u001f') ?? [] }))
}

/** SKUs without an item, in ascending id order after `after`; a few may have no observation in sight. */
export async function unmatchedSkuIds(
  store: Queryable,
  { few, after, limit }: { few: Unmatched['few'] | undefined; after: string; limit: number },
): Promise<string[]> {
  const rows = await store.query<{ id: string }>(
    `select vendor_sku_id as id from vendor_skus k
     where vendor_sku_id > $1 and not exists (select from memberships where memberships.sku = k.sku offset 0)
       ${few ? 'and vendor_sku_id = any($3::text[])' : ''}
     order by vendor_sku_id limit $2`,
    [after, limit, ...(few ? [few] : [])],
  )
  return rows.map(({ id }) => id)
}

/** How many those are. `few` are their ids, null where they are many. */
export type Unmatched = Readonly<{ count: number; few: readonly string[] | null }>

/** Reads the SKUs without an item by one join: where they are few, that takes a fifth of a walk past all others. */
export async function unmatchedSkus(store: Queryable): Promise<Unmatched> {
  const [found] = await store.query<Unmatched>(
    `select count(*)::int as count, case when count(*) <= $1 then coalesce(array_agg(vendor_sku_id), '{}') end as few
     from vendor_skus k where not exists (select from memberships m where m.sku = k.sku)`,
    [FEW_MAX],
  )
  return found as Unmatched
}
const FEW_MAX = 10_000

/** How a SKU that stands beside a silent one came into its item: `with` is the SKU whose key a rule joined it by. */
export type BesideSilent = Readonly<{ skuId: string; itemId: string; with: string | null; isSilent: boolean }>

/**
 * The SKUs of every item that holds a SKU which says nothing beside one that does: of one of these sources, or without an
 * observation in sight because of retractions.
 */
export async function besideSilent(
  store: Queryable,
  { silentSources, visibility }: { silentSources: readonly string[]; visibility: Visibility },
): Promise<BesideSilent[]> {
  return store.query(
    `with hidden as materialized (select unnest($3::bigint[]) as observation),
     taken as materialized (
       select distinct k.sku from hidden join observations using (observation) join vendor_skus first using (sku)
         join vendor_skus k on k.sku = ${articleAt('observed_at')}
     ),
     seen as materialized (
       select distinct k.sku from taken join vendor_skus k using (sku) join ${FIRST_OF_K}
         join observations on observations.sku = first.sku and k.sku = ${articleAt('observed_at')} left join hidden using (observation)
       where observed_at <= $2 and hidden.observation is null
     ),
     silent as materialized (
       select sku from sources join vendor_skus using (source) where source_id = any($1)
       union (select sku from taken except select sku from seen)
     ),
     touched as materialized (
       select item, m.sku, silent.sku is not null as "isSilent"
       from (select distinct item from silent join memberships using (sku)) with_silent
         join memberships m using (item) left join silent on silent.sku = m.sku
     )
     select vendor_sku_id as "skuId", item_id as "itemId", placed."with", "isSilent"
     from (select item from touched group by item having not bool_and("isSilent")) mixed
       join touched using (item) join item_keys using (item) join vendor_skus using (sku)
     left join lateral (
       select case when type = 'SkuMatched' and payload::jsonb->>'by' = 'rule' then payload::jsonb->'evidence'->>'with' end as "with"
       from decisions where subject = vendor_sku_id and type in ('SkuMatched', 'SkuSplit') order by "offset" desc limit 1
     ) placed on true
     order by vendor_sku_id collate "C"`,
    [silentSources, visibility.asOf, visibility.hidden],
  )
}

/** Items of matched SKUs with one of these keys, with the keys that they share. */
export async function itemsByKeys(
  store: Queryable,
  keys: readonly string[],
): Promise<readonly { readonly key: string; readonly itemId: string; readonly founderId: string }[]> {
  return store.query(
    `select distinct key, item_keys.item_id as "itemId", founder.vendor_sku_id as "founderId"
     from match_keys join memberships using (sku) join item_keys using (item)
     join vendor_skus founder on founder.sku = item_keys.founder
     where key = any($1)`,
    [keys],
  )
}

/** How many items each of these SKUs founded; SKUs without any are left out. */
export async function foundedCounts(store: Queryable, skuIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await store.query<{ id: string; count: number }>(
    `select vendor_sku_id as id, count(*)::int as count from item_keys join vendor_skus on sku = founder
     where vendor_sku_id = any($1) group by vendor_sku_id`,
    [skuIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

/** A pair that a rule left to people. */
export type Proposal = Readonly<{
  a: string
  b: string
  itemA: string
  itemB: string
  score: number
  why: readonly string[]
  ruleVersion: string
  decidedAt: string
}>

/**
 * Open pairs after a place of the list, highest score first: SKUs of two different items that no person keeps apart.
 */
export async function openProposals(
  store: Queryable,
  { after, limit }: { after: { score: number; a: string; b: string } | null; limit: number },
): Promise<Proposal[]> {
  return store.query(
    `with apart as (
       select ma.item as one, mb.item as other from kept_apart
       join vendor_skus a on a.vendor_sku_id = sku_a join memberships ma on ma.sku = a.sku
       join vendor_skus b on b.vendor_sku_id = sku_b join memberships mb on mb.sku = b.sku
     )
     select sku_a as a, sku_b as b, item_a.item_id as "itemA", item_b.item_id as "itemB", score, why,
       rule_version as "ruleVersion", decided_at as "decidedAt"
     from proposals
     join vendor_skus a on a.vendor_sku_id = sku_a join memberships ma on ma.sku = a.sku
     join vendor_skus b on b.vendor_sku_id = sku_b join memberships mb on mb.sku = b.sku
     join item_keys item_a on item_a.item = ma.item join item_keys item_b on item_b.item = mb.item
     where ma.item <> mb.item
       and not exists (select from apart where (one, other) in ((ma.item, mb.item), (mb.item, ma.item)))
       and ($1::double precision is null or score < $1 or (score = $1 and (sku_a, sku_b) > ($2, $3)))
     order by score desc, sku_a, sku_b limit $4`,
    [after?.score ?? null, after?.a ?? '', after?.b ?? '', limit],
  )
}

/** One key for a pair, independent of the order. */
export function skuPair(a: string, b: string): string {
  return a < b ? `${a} ${b}` : `${b} ${a}`
}
