import type { DecisionEvent } from '@catalog/core/events/events.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { MethodChanged, Positions } from '@catalog/core/events/runs.ts'
import type { SourceKind, SourceSwitched, TrustChanged } from '@catalog/core/events/sources.ts'
import { TRUST_DEFAULT, VALIDITY_DAYS } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { MEMBERSHIP_EVENTS, type MembershipEvent } from '@catalog/core/matching/membership.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { knownMethod, METHOD_FIRST } from '@catalog/core/median/methods.ts'
import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'

/** What a run may see: observations and people's decisions up to `asOf`, facts below the positions; null: everything. */
export type Cut = Readonly<{ asOf: string; positions: Positions | null }>

/** A cut as queries of observations use it: the instant, and the few observations before it that do not count. */
export type Sight = Readonly<{ asOf: string; hidden: readonly bigint[] }>

/** Reads once for a run what is hidden at its cut; see hidden_observations in the first migration. */
export async function sightAt(store: Queryable, { asOf, positions }: Cut): Promise<Sight> {
  const cut = JSON.stringify(positions?.[TOPICS.observations] ?? {})
  // Nothing was ever taken back, nor does anything lie after the cut: most runs need not look further.
  const [found] = await store.query<{ any: boolean }>(
    `select exists (select from retractions) or exists (
       select from jsonb_each_text($1::jsonb) cut (partition, next), lateral (
         select from deliveries_from(cut.partition::int, next::bigint) limit 1
       ) later
     ) as any`,
    [cut],
  )
  if (!found?.any) return { asOf, hidden: [] }
  // Of a run of the past, most of what lies behind its positions was observed after it, and is out of sight by its date.
  const rows = await store.query<{ observation: bigint }>(
    `select observation from hidden_observations($1::jsonb) join observations using (observation)
     where observed_at <= $2`,
    [cut, asOf],
  )
  return { asOf, hidden: rows.map(({ observation }) => observation) }
}

const decisionPosition = ({ positions }: Cut) => positions?.[TOPICS.decisions]?.['0'] ?? null

export type SourceAt = Readonly<{
  sourceId: string
  name: string
  region: string | null
  url: string | null
  trust: number
  validityDays: number
  kind: SourceKind
  enabled: boolean
}>

/**
 * Every source at the cut, its trust as the latest TrustChanged with decided_at ≤ asOf has it, and whether it has a say as
 * the latest such SourceSwitched has it; else both as it was registered.
 */
export async function sourcesAt(store: Queryable, cut: Cut): Promise<Map<string, SourceAt>> {
  const rows = await store.query<{ [K in keyof SourceAt]: SourceAt[K] | null } & { sourceId: string }>(
    `select s.source_id as "sourceId", coalesce(s.name, seen.source->>'name', s.source_id) as name,
       case when s.registered_offset is null then seen.source->>'region' else s.region end as region,
       case when s.registered_offset is null then seen.source->>'url' else s.url end as url,
       coalesce(changed.trust, s.trust_score) as trust, s.validity_days as "validityDays", s.kind,
       coalesce(switched.enabled, s.enabled) as enabled
     from sources s
     left join lateral (
       select (payload::jsonb->>'trust_score')::int as trust from decisions
       where type = 'TrustChanged' and subject = s.source_id and decided_at <= $1
         and ($2::bigint is null or "offset" < $2)
       order by decided_at desc, "offset" desc limit 1
     ) changed on true
     left join lateral (
       select (payload::jsonb->>'enabled')::boolean as enabled from decisions
       where type = 'SourceSwitched' and subject = s.source_id and decided_at <= $1
         and ($2::bigint is null or "offset" < $2)
       order by decided_at desc, "offset" desc limit 1
     ) switched on true
     left join lateral (
       select payload::jsonb->'source' as source from observations join vendor_skus using (sku)
       where vendor_skus.source = s.source and s.registered_offset is null
       order by observed_at desc, observation_id desc limit 1
     ) seen on true`,
    [cut.asOf, decisionPosition(cut)],
  )
  return new Map(
    rows.map((row) => {
      const kind = row.kind ?? 'shop'
      const source: SourceAt = {
        sourceId: row.sourceId,
        name: row.name ?? row.sourceId,
        region: row.region,
        url: row.url,
        trust: row.trust ?? TRUST_DEFAULT,
        validityDays: row.validityDays ?? VALIDITY_DAYS[kind],
        kind,
        enabled: row.enabled ?? true,
      }
      return [source.sourceId, source]
    }),
  )
}

/** The method that prices are made by at the cut: the latest MethodChanged with decided_at ≤ asOf. Throws UnknownMethod. */
export async function methodAt(store: Queryable, cut: Cut): Promise<Method> {
  const [changed] = await store.query<{ method: string; offset: bigint }>(
    `select payload::jsonb->>'method' as method, "offset" from decisions
     where type = 'MethodChanged' and decided_at <= $1 and ($2::bigint is null or "offset" < $2)
     order by decided_at desc, "offset" desc limit 1`,
    [cut.asOf, decisionPosition(cut)],
  )
  if (changed === undefined) return METHOD_FIRST
  return knownMethod(changed.method, `MethodChanged at ${TOPICS.decisions} offset ${changed.offset}`)
}

/** What people said of observations at the cut: the latest of quarantine and release per observation id. */
export async function overridesAt(store: Queryable, cut: Cut): Promise<Map<string, 'quarantined' | 'released'>> {
  const rows = await store.query<{ subject: string; type: string }>(
    `select distinct on (subject) subject, type from decisions
     where type in ('ObservationQuarantined', 'ObservationReleased') and decided_at <= $1
       and ($2::bigint is null or "offset" < $2)
     order by subject, decided_at desc, "offset" desc`,
    [cut.asOf, decisionPosition(cut)],
  )
  return new Map(
    rows.map(({ subject, type }) => [subject, type === 'ObservationQuarantined' ? 'quarantined' : 'released']),
  )
}

/**
 * The membership events at the cut in offset order: all that rules decided, and what people had decided by asOf. Pairs that
 * people keep apart are among them whenever that was decided: what a rule was then refused never happened at any asOf.
 */
export async function membershipEventsAt(store: Queryable, cut: Cut): Promise<readonly MembershipEvent[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions
     where type = any($3) and ($2::bigint is null or "offset" < $2)
       and (decided_at <= $1 or type = 'SkusKeptApart' or (type <> 'SkuSplit' and payload::jsonb->>'by' = 'rule'))
     order by "offset"`,
    [cut.asOf, decisionPosition(cut), MEMBERSHIP_EVENTS],
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}

/** True when no membership decision lies beyond the cut: then the stored membership is the one at the cut. */
export async function membershipIsCurrentAt(store: Queryable, cut: Cut): Promise<boolean> {
  const [later] = await store.query(
    `select from decisions where type in ('SkuMatched', 'SkuSplit', 'ItemsMerged') and "offset" >= $2::bigint
     union all
     select from decisions where decided_at > $1 and type in ('SkuMatched', 'SkuSplit', 'ItemsMerged')
       and payload::jsonb->>'by' is distinct from 'rule'
     limit 1`,
    [cut.asOf, decisionPosition(cut)],
  )
  return later === undefined
}

/** An item with the SKUs that are in it, and what founding fixed. */
export type ItemMembers = Readonly<{
  itemId: string
  unit: string | null
  pack: { readonly quantity: string; readonly unit: string } | null
  mergedInto: string | null
  skuIds: readonly string[]
}>

export async function membersOf(store: Queryable, itemIds: readonly string[]): Promise<ItemMembers[]> {
  return store.query<ItemMembers>(
    `with named as materialized (select * from item_keys where item_id = any($1)),
     members as (
       select item, array_agg(vendor_sku_id order by vendor_sku_id) as ids
       from named join memberships using (item) join vendor_skus using (sku) group by item
     )
     select named.item_id as "itemId", named.unit,
       case when named.pack_unit is not null then
         json_build_object('quantity', named.pack_quantity::text, 'unit', named.pack_unit) end as pack,
       target.item_id as "mergedInto", coalesce(members.ids, '{}') as "skuIds"
     from named left join members using (item) left join item_keys target on target.item = named.merged_into
     order by named.item_id collate "C"`,
    [itemIds],
  )
}

/** One observation as the median sees it; decimals as text, so that nothing is rounded on the way. */
export type PriceRow = Readonly<{
  observationId: string
  observedAt: string
  cents: number
  currency: string
  perQuantity: number
  minQuantity: string | null
  taxIncluded: boolean | null
  taxRate: string | null
  unit: string | null
  pack: { readonly quantity: string; readonly unit: string } | null
  lang: string | null
}>
export type SkuPriceRows = Readonly<{ sourceId: string; observations: readonly PriceRow[] }>

/**
 * The observations of these SKUs in sight, by SKU, instant and id. A SKU comes as one row with a line an observation: for
 * rows this short the protocol's cost a field is larger than all the rest.
 */
export async function pricesAt(
  store: Queryable,
  skuIds: readonly string[],
  { asOf, hidden }: Sight,
): Promise<Map<string, SkuPriceRows>> {
  const rows = await store.query<{ skuId: string; sourceId: string; lines: string }>(
    `select vendor_sku_id as "skuId", source_id as "sourceId", string_agg(
       concat_ws(E'\x1f', encode(observation_id, 'hex'), extract(epoch from observed_at) * 1000, cents, currency,
         per_quantity, coalesce(min_quantity::text, ''), coalesce(tax_included::text, ''), coalesce(tax_rate::text, ''),
         coalesce(unit, E'\x1e'), coalesce(pack_quantity::text, ''), coalesce(pack_unit, ''), coalesce(lang, '')),
       E'\n' order by observed_at, observation_id) as lines
     from vendor_skus join sources using (source) join observations using (sku) join price_terms using (terms)
     where vendor_sku_id = any($1) and observed_at <= $2
       and not exists (select from unnest($3::bigint[]) hidden where hidden = observations.observation)
     group by vendor_sku_id, source_id`,
    [skuIds, asOf, hidden],
  )
  return new Map(
    rows.map(({ skuId, sourceId, lines }) => [skuId, { sourceId, observations: lines.split('\n').map(priceRow) }]),
  )
}

/** The separators are control characters, which no text of an event may hold. */
function priceRow(line: string): PriceRow {
  const [id, ms, cents, currency, perQuantity, minQuantity, taxIncluded, taxRate, unit, packQuantity, packUnit, lang] =
    line.split('\u001f') as [
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
      string,
    ]
  return {
    observationId: id,
    observedAt: instant(new Date(Number(ms))),
    cents: Number(cents),
    currency,
    perQuantity: Number(perQuantity),
    minQuantity: minQuantity || null,
    taxIncluded: taxIncluded === '' ? null : taxIncluded === 'true',
    taxRate: taxRate || null,
    unit: unit === '\u001e' ? null : unit,
    pack: packUnit === '' ? null : { quantity: packQuantity, unit: packUnit },
    lang: lang || null,
  }
}

export type SkuText = Readonly<{ skuId: string; sourceId: string; payload: ObservationRecorded }>

/** What each SKU's latest observation in sight says of it. SKUs without one are left out. */
export async function textsAt(
  store: Queryable,
  skuIds: readonly string[],
  { asOf, hidden }: Sight,
): Promise<SkuText[]> {
  const rows = await store.query<{ skuId: string; sourceId: string; payload: string }>(
    `select vendor_sku_id as "skuId", source_id as "sourceId", latest.payload
     from vendor_skus join sources using (source), lateral (
       select payload from observations
       where observations.sku = vendor_skus.sku and observed_at <= $2
         and not exists (select from unnest($3::bigint[]) hidden where hidden = observations.observation)
       order by observed_at desc, observation_id desc limit 1
     ) latest
     where vendor_sku_id = any($1)`,
    [skuIds, asOf, hidden],
  )
  return rows.map(({ skuId, sourceId, payload }) => ({ skuId, sourceId, payload: JSON.parse(payload) }))
}

/** SKUs without an item that have an observation in sight, in ascending id order after `after`. */
export async function unmatchedSkuIds(
  store: Queryable,
  { sight, after, limit }: { sight: Sight; after: string; limit: number },
): Promise<string[]> {
  const rows = await store.query<{ id: string }>(
    `select vendor_sku_id as id from vendor_skus
     where vendor_sku_id > $1 and not exists (select from memberships where memberships.sku = vendor_skus.sku)
       and exists (select from observations o where o.sku = vendor_skus.sku and o.observed_at <= $2
         and not exists (select from unnest($3::bigint[]) hidden where hidden = o.observation))
     order by vendor_sku_id limit $4`,
    [after, sight.asOf, sight.hidden, limit],
  )
  return rows.map(({ id }) => id)
}

/** The items that a matched SKU with one of these keys is in, with those keys. */
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

/** How many items each of these SKUs founded; 0 where it is not listed. */
export async function foundedCounts(store: Queryable, skuIds: readonly string[]): Promise<Map<string, number>> {
  const rows = await store.query<{ id: string; count: number }>(
    `select vendor_sku_id as id, count(*)::int as count from item_keys join vendor_skus on sku = founder
     where vendor_sku_id = any($1) group by vendor_sku_id`,
    [skuIds],
  )
  return new Map(rows.map(({ id, count }) => [id, count]))
}

export type RunRecord = Readonly<{
  runId: string
  asOf: string
  method: string
  positions: Positions
  /** True once RunMarked was projected. */
  finished: boolean
}>

/** Runs by the order in which they began, latest first. */
export async function latestRuns(store: Queryable, limit: number): Promise<RunRecord[]> {
  const rows = await store.query<{ payload: string; finished: boolean }>(
    `select payload, run_marks.run_id is not null as finished
     from decisions left join run_marks on run_marks.run_id = subject
     where type = 'RunStarted' order by decisions."offset" desc limit $1`,
    [limit],
  )
  return rows.map(runRecord)
}

export async function runById(store: Queryable, runId: string): Promise<RunRecord | undefined> {
  const rows = await store.query<{ payload: string; finished: boolean }>(
    `select payload, run_marks.run_id is not null as finished
     from decisions left join run_marks on run_marks.run_id = subject
     where type = 'RunStarted' and subject = $1 order by decisions."offset" limit 1`,
    [runId],
  )
  return rows.map(runRecord)[0]
}

/** The finished run that was marked last: what the next run is the difference to. */
export async function lastFinishedRun(store: Queryable): Promise<RunRecord | undefined> {
  const rows = await store.query<{ payload: string; finished: boolean }>(
    `select payload, true as finished from run_marks join decisions on type = 'RunStarted' and subject = run_id
     order by run_marks."offset" desc limit 1`,
  )
  return rows.map(runRecord)[0]
}

function runRecord({ payload, finished }: { payload: string; finished: boolean }): RunRecord {
  const { run_id, as_of, method, positions } = JSON.parse(payload)
  return { runId: run_id, asOf: as_of, method, positions, finished }
}

/**
 * What was decided after a run began, below the offset if one is given, that another run at its asOf would go by; in offset
 * order. Registrations are left out, since they count at every cut, and so is what moves no SKU.
 */
export async function decidedSince(
  store: Queryable,
  run: RunRecord,
  { before, limit }: { before: string | null; limit: number },
): Promise<DecisionEvent[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions
     where "offset" >= $1 and ($2::bigint is null or "offset" < $2)
       and type not in ('RunStarted', 'SourceRegistered', 'SkusKeptApart', 'PairsProposed')
       and (decided_at <= $3 or (type <> 'SkuSplit' and payload::jsonb->>'by' = 'rule'))
     order by "offset" limit $4`,
    [run.positions[TOPICS.decisions]?.['0'] ?? '0', before, run.asOf, limit],
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}

/** What was decided by which prices are made, dated after `asOf`; in the order in which it comes to hold. */
export async function ruledAfter(store: Queryable, asOf: string): Promise<RulingEvent[]> {
  const rows = await store.query<{ payload: string }>(
    `select payload from decisions where type in ('TrustChanged', 'SourceSwitched', 'MethodChanged') and decided_at > $1
     order by decided_at, "offset"`,
    [asOf],
  )
  return rows.map(({ payload }) => JSON.parse(payload))
}
/** A decision on the rule that prices are made by. */
export type RulingEvent = TrustChanged | SourceSwitched | MethodChanged

/** Every item that was ever founded, in id order. */
export async function allItemIds(store: Queryable): Promise<string[]> {
  const rows = await store.query<{ id: string }>(`select item_id as id from item_keys order by item_id collate "C"`)
  return rows.map(({ id }) => id)
}

/**
 * The items that the difference between two cuts can have touched, in id order. A superset is harmless, a missing item
 * is not: deliveries, retractions and decisions after the last positions; observations and people's decisions that came
 * into sight between the two instants; votes that crossed `as_of − validity`; items that were never published.
 */
export async function dirtyItemIds(store: Queryable, { last, cut }: { last: RunRecord; cut: Cut }): Promise<string[]> {
  const rows = await store.query<{ id: string }>(
    `with recursive since as (select key::int as partition, value::bigint as next from jsonb_each_text($1::jsonb)),
     delivered as (
       select sku from since, deliveries_from(partition, next) join observations using (observation)
     ),
     appeared as (select sku from observations where observed_at > $3 and observed_at <= $4),
     expired as (
       select o.sku from sources s join vendor_skus using (source) join observations o using (sku)
       where o.observed_at > $3::timestamptz - coalesce(s.validity_days, $5::int) * interval '1 day'
         and o.observed_at <= $4::timestamptz - coalesce(s.validity_days, $5::int) * interval '1 day'
     ),
     retracted as (
       select o.sku from retractions r join since using (partition) join observations o using (observation_id)
       where r."offset" >= since.next and r.scope = 'observation'
       union
       select o.sku from retractions r join since using (partition) join crawls using (crawl_id)
         join deliveries using (crawl) join observations o using (observation)
       where r."offset" >= since.next and r.scope = 'crawl'
       union
       select sku from retractions r join since using (partition) join sources using (source_id)
         join vendor_skus using (source)
       where r."offset" >= since.next and r.scope = 'source'
     ),
     decided as (
       select type, subject, payload from decisions
       where type <> 'RunStarted' and ("offset" >= $2 or (decided_at > $3 and decided_at <= $4))
     ),
     touched as (
       select sku from delivered union select sku from appeared union select sku from expired
       union select sku from retracted
       union select sku from decided join sources on source_id = subject join vendor_skus using (source)
         where type in ('TrustChanged', 'SourceSwitched', 'SourceRegistered')
       union select sku from decided join observations on observation_id = decode(subject, 'hex')
         where type in ('ObservationQuarantined', 'ObservationReleased')
       union select sku from decided join vendor_skus on vendor_sku_id = subject
         where type in ('SkuMatched', 'SkuSplit')
     ),
     named as (
       select item_id from touched join memberships using (sku) join item_keys using (item)
       union
       -- Splits and merges touch the item that was left as well, which no membership names any more.
       select item_id from decided, lateral (values (payload::jsonb->>'item_id'), (payload::jsonb->>'from_item_id'),
         (payload::jsonb->>'into_item_id')) named (item_id)
       where type in ('SkuMatched', 'SkuSplit', 'ItemsMerged') and item_id is not null
       union
       select items.item_id from decided join items on items.vendor_sku_ids @> array[subject]
       where type in ('SkuMatched', 'SkuSplit')
         and (type = 'SkuSplit' or payload::jsonb->>'by' = 'person')
       union
       select item_id from item_keys where not exists (select from items where items.item_id = item_keys.item_id)
         and item_keys.merged_into is null
     ),
     -- A person may merge into an id that was merged itself: what changes is the survivor.
     survivors (item_id, merged_into) as (
       select item_id, merged_into from named join item_keys using (item_id) where merged_into is not null
       union
       select k.item_id, k.merged_into from survivors join item_keys k on k.item = survivors.merged_into
     )
     select item_id collate "C" as id from named union select item_id from survivors order by id`,
    [
      JSON.stringify(last.positions[TOPICS.observations] ?? {}),
      last.positions[TOPICS.decisions]?.['0'] ?? '0',
      last.asOf,
      cut.asOf,
      VALIDITY_DAYS.shop,
    ],
  )
  return rows.map(({ id }) => id)
}

export type PriorItem = Readonly<{
  itemId: string
  version: number
  publicState: string
  vendorSkuIds: readonly string[]
  basis: string
}>

/** Published items as they stand. */
export async function priorItems(store: Queryable, itemIds: readonly string[]): Promise<Map<string, PriorItem>> {
  const rows = await store.query<PriorItem>(
    `select item_id as "itemId", version, public_state as "publicState", vendor_sku_ids as "vendorSkuIds", basis
     from items where item_id = any($1)`,
    [itemIds],
  )
  return new Map(rows.map((row) => [row.itemId, row]))
}
