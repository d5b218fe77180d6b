import { rootOf, sha256Bytes } from '@catalog/core/digest.ts'
import { instant } from '@catalog/core/time.ts'
import type { Queryable, Store, WriteRefusal } from '@catalog/store/db.ts'

export type Counts = Readonly<{
  sources: number
  vendor_skus: number
  observations: number
  items: number
  items_priced: number
  parked: number
  quarantined: number
}>

/** Present counts: unretracted observations, active items, open dead letters. */
export async function readCounts(store: Queryable): Promise<Counts> {
  const [row] = await store.query<Counts>(
    `select (select count(*)::int from sources) as sources,
       (select count(*)::int from vendor_skus where vendor_ref is not null) as vendor_skus,
       ((select count(*) from observations) - (select count(*) from hidden_observations('{}')))::int as observations,
       (select count(*)::int from items where state = 'active') as items,
       (select count(*)::int from items where state = 'active' and item_json::jsonb->'median_price' <> 'null') as items_priced,
       (select count(*)::int from open_parked) as parked,
       (select count(*)::int from items, jsonb_array_elements(basis::jsonb->'excluded') excluded
         where state = 'active'
           and excluded->>'reason' in ('PRICE_FENCE', 'QUARANTINED', 'FIRST_PRICE_QUARANTINED')) as quarantined`,
  )
  return row as Counts
}

/** Whether the store takes no writes now: a standby, or a primary that a failover left read-only. */
export async function isReadOnly(store: Queryable): Promise<boolean> {
  const [row] = await store.query<{ is: boolean }>(`select current_setting('transaction_read_only') = 'on' as is`)
  return row?.is === true
}

/** Why the store takes no writes now, as far as is known without one; undefined: it takes them. */
export async function readWriteRefusal(store: Store): Promise<WriteRefusal | undefined> {
  return store.refusedWrite?.() ?? ((await isReadOnly(store)) ? 'read_only' : undefined)
}

/** The highest assigned seq; 0 before the first change. */
export async function readSeq(store: Queryable): Promise<bigint> {
  const [row] = await store.query<{ rseq: bigint }>(`select rseq from scope_heads where scope = 'items'`)
  return row?.rseq ?? 0n
}

/** The state root at head: over (item id, SHA-256 of its public state) of every active item. */
export async function catalogRoot(store: Queryable): Promise<string> {
  return rootOfBuckets(
    await store.query(
      `select get_byte(sha256(convert_to(item_id, 'UTF8')), 0) as bucket,
         sha256(string_agg(convert_to(item_id, 'UTF8') || '\\x00'::bytea || state_sha, ''::bytea
           order by item_id collate "C")) as hash
       from items where state = 'active' group by bucket`,
    ),
  )
}

/** The same construction over (observation id in hex, SHA-256 of its payload) of unretracted observations. */
export async function vendorRoot(store: Queryable): Promise<string> {
  return rootOfBuckets(
    await store.query(
      `with hidden as materialized (select observation from hidden_observations('{}')),
       live as (
         select encode(observation_id, 'hex') as id, payload from observations
         where not exists (select from hidden where hidden.observation = observations.observation)
       )
       select get_byte(sha256(convert_to(id, 'UTF8')), 0) as bucket,
         sha256(string_agg(convert_to(id, 'UTF8') || '\\x00'::bytea || sha256(convert_to(payload, 'UTF8')), ''::bytea
           order by id collate "C")) as hash
       from live group by bucket`,
    ),
  )
}

function rootOfBuckets(rows: readonly object[]): string {
  const buckets = Array.from({ length: 256 }, () => sha256Bytes())
  for (const { bucket, hash } of rows as { bucket: number; hash: Buffer }[]) buckets[bucket] = hash
  return rootOf(buckets)
}

export type ParkedRecord = Readonly<{
  parked_id: string
  origin: 'crawler' | 'projector'
  source_id: string | null
  crawl_id: string | null
  position: string | null
  reason: string
  detail: string
  raw: string
  /** Of the whole record, where `raw` is only its beginning. */
  raw_sha256: string | null
  /** {@link ReadAs} as JSON, where a person can correct the record. */
  read_as: string | null
  recorded_at: string | null
  topic: string
}>

/** Unresolved dead letters, by reason and id. */
export async function openDeadLetters(
  store: Queryable,
  {
    id,
    reason,
    sourceId,
    after,
    limit,
  }: {
    id?: string
    reason?: string | undefined
    sourceId?: string | undefined
    after?: string | undefined
    limit: number
  },
): Promise<ParkedRecord[]> {
  return store.query(
    `select parked_id, origin, source_id, crawl_id, position, reason, detail, raw, raw_sha256, read_as, recorded_at, topic from open_parked
     where ($1::text is null or reason = $1) and ($2::text is null or parked_id > $2)
       and ($4::text is null or source_id = $4) and ($5::text is null or parked_id = $5)
     order by parked_id limit $3`,
    [reason ?? null, after ?? null, limit, sourceId ?? null, id ?? null],
  )
}

/** Unresolved dead letters of one reason and one source, with one of them as an example. */
export type ParkedGroup = Readonly<{
  reason: string
  source_id: string | null
  count: number
  parked_id: string
  position: string | null
  detail: string
}>

/** The largest groups of unresolved dead letters, most records first. */
export async function deadLetterGroups(store: Queryable, limit: number): Promise<ParkedGroup[]> {
  return store.query(
    `select reason, source_id, count::int as count, example.parked_id, example.position, example.detail
     from (
       select reason, source_id, count(*) as count, min(parked_id) as first from open_parked
       group by reason, source_id
       order by count(*) desc, reason, source_id limit $1
     ) groups join lateral (select parked_id, position, detail from parked where parked_id = first) example on true
     order by count desc, reason, source_id`,
    [limit],
  )
}

/** The registered ones of these sources. */
export async function registeredSources(store: Queryable, sourceIds: readonly string[]): Promise<Set<string>> {
  const rows = await store.query<{ source_id: string }>(
    `select source_id from sources where source_id = any($1) and registered_offset is not null`,
    [sourceIds],
  )
  return new Set(rows.map(({ source_id }) => source_id))
}

/** Complete crawls whose id begins with the prefix. */
export async function finishedCrawlIds(store: Queryable, prefix: string): Promise<string[]> {
  const rows = await store.query<{ crawl_id: string }>(
    `select distinct crawl_id from crawl_reports where complete and outcome = 'recorded' and starts_with(crawl_id, $1) order by crawl_id`,
    [prefix],
  )
  return rows.map(({ crawl_id }) => crawl_id)
}

/** What the status of the service says of runs, snapshots and search. */
export type ServiceFacts = Readonly<{
  /** The last finished run; null before the first. `finished_at` is null for one of an earlier release. */
  run: { readonly id: string; readonly as_of: string; readonly finished_at: string | null } | null
  /** The newest kept snapshot of this generation. */
  snapshot: { readonly seq: number; readonly created_at: string } | null
  /** The newest change in the search index of this identity. */
  searchSeq: number
}>

export async function readServiceFacts(db: Queryable, searchIdentity: string): Promise<ServiceFacts> {
  const [row] = await db.query<{
    run_id: string | null
    as_of: string
    finished_at: string | null
    snapshot_seq: bigint | null
    created_at: string
    search_next: bigint | null
  }>(
    `select r.run_id, r.as_of, r.finished_at, s.seq as snapshot_seq, s.created_at,
            (select next from search_indexes where identity = $1) as search_next
       from (select 1) one
       left join lateral (select run_id, as_of, finished_at from run_marks order by "offset" desc limit 1) r on true
       left join lateral (select seq, created_at from snapshots where gen = (select value from meta where key = 'gen')
                           order by seq desc limit 1) s on true`,
    [searchIdentity],
  )
  const { run_id = null, snapshot_seq = null, search_next = null } = row ?? {}
  const at = (time: string) => instant(new Date(time))
  return {
    run:
      run_id === null || row === undefined
        ? null
        : { id: run_id, as_of: at(row.as_of), finished_at: row.finished_at && at(row.finished_at) },
    snapshot:
      snapshot_seq === null || row === undefined ? null : { seq: Number(snapshot_seq), created_at: at(row.created_at) },
    // Changes are numbered from 1, and `next` is the first that the index lacks.
    searchSeq: search_next === null ? 0 : Math.max(0, Number(search_next) - 1),
  }
}
