import { canonicalJson } from '@catalog/core/digest.ts'
import type { CrawlFinished, CrawlHealth, CrawlOutcome, CrawlProblem } from '@catalog/core/events/crawls.ts'
import { literal, type Queryable, type Store } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'

/** How crawls went: the starting point of a source's next crawl, and reports for people. */

/** One crawl of one source, as last reported. */
export type CrawlRow = Readonly<{
  crawl_id: string
  source_id: string
  outcome: CrawlOutcome
  complete: boolean
  partial: boolean
  /** Null for crawls of files. */
  started_at: string | null
  recorded_at: string
  etag: string | null
  last_modified: string | null
  /** Candidate observations: read = appended + duplicates + parked. */
  read: number
  appended: number
  duplicates: number
  parked: number
  /** Documents that could not be fetched. */
  missed: number
  problems: readonly CrawlProblem[]
  /** Null where the crawl was not compared with another. */
  health: CrawlHealth | null
}>

/** The newest crawls of one source by their start; null where there is none. */
export type SourceCrawls = Readonly<{
  /** Of any outcome. */
  last: CrawlRow | null
  /** Recorded, with all data of the source, and not retracted. */
  whole: CrawlRow | null
  /**
   * Recorded or unchanged, complete and nothing missed: it saw all changes up to its start. Excludes crawls that began
   * before a retraction of the source: "not modified" would then stand for prices that are gone.
   */
  fetched: CrawlRow | null
  /** Held for review by a person. */
  held: CrawlRow | null
}>

const STANDS = `not exists (select from retractions t where t.source_id = r.source_id
  and (t.scope = 'crawl' and t.crawl_id = r.crawl_id or t.scope = 'source' and t.recorded_at >= r.recorded_at))`
const NOTHING_TAKEN_BACK_SINCE = `not exists (select from retractions t where t.source_id = r.source_id
  and t.scope in ('crawl', 'source') and t.recorded_at >= coalesce(r.started_at, r.recorded_at))`

/** The condition of each, spelled as in its index. */
const CHOSEN: Readonly<Record<keyof SourceCrawls, string>> = {
  last: 'true',
  whole: `outcome = 'recorded' and complete and not partial and ${STANDS}`,
  fetched: `outcome in ('recorded', 'unchanged') and complete and missed = 0 and ${NOTHING_TAKEN_BACK_SINCE}`,
  held: `outcome = 'held'`,
}
const NEWEST_FIRST = `coalesce(started_at, recorded_at) desc, crawl_id collate "C" desc`

type ReportRow = Omit<CrawlRow, 'problems' | 'health' | Counted> &
  Readonly<Record<Counted, bigint>> & { readonly problems: string; readonly health: string | null }
type Counted = 'read' | 'appended' | 'duplicates' | 'parked' | 'missed'

/** The newest crawls of each of these sources, including sources that were never crawled. */
export async function readCrawls(
  db: Queryable,
  sourceIds: readonly string[],
): Promise<ReadonlyMap<string, SourceCrawls>> {
  const newest = Object.entries(CHOSEN).map(
    ([which, chosen]) =>
      `(select '${which}' as which, r.* from crawl_reports r where r.source_id = s.source_id and ${chosen}
        order by ${NEWEST_FIRST} limit 1)`,
  )
  const rows = await db.query<ReportRow & { which: keyof SourceCrawls }>(
    `select crawl.* from unnest($1::text[]) s (source_id), lateral (${newest.join(' union all ')}) crawl`,
    [[...new Set(sourceIds)]],
  )
  const crawls = new Map<string, SourceCrawls>()
  for (const id of sourceIds) crawls.set(id, { last: null, whole: null, fetched: null, held: null })
  for (const { which, ...row } of rows) {
    crawls.set(row.source_id, { ...(crawls.get(row.source_id) as SourceCrawls), [which]: crawlOf(row) })
  }
  return crawls
}

const crawlOf = (row: ReportRow): CrawlRow => ({
  crawl_id: row.crawl_id,
  source_id: row.source_id,
  outcome: row.outcome,
  complete: row.complete,
  partial: row.partial,
  started_at: row.started_at,
  recorded_at: row.recorded_at,
  etag: row.etag,
  last_modified: row.last_modified,
  read: Number(row.read),
  appended: Number(row.appended),
  duplicates: Number(row.duplicates),
  parked: Number(row.parked),
  missed: Number(row.missed),
  problems: JSON.parse(row.problems) as CrawlProblem[],
  health: row.health === null ? null : (JSON.parse(row.health) as CrawlHealth),
})

/** Ids of sources with a held crawl, ascending; includes sources without a recorded crawl. */
export async function heldSourceIds(db: Queryable): Promise<string[]> {
  const rows = await db.query<{ source_id: string }>(
    `select distinct source_id collate "C" as source_id from crawl_reports where ${CHOSEN.held} order by 1`,
  )
  return rows.map(({ source_id }) => source_id)
}

/** Share of candidate observations that could be read, from 0 to 1; null without candidates. */
export const parseRateOf = ({ read, appended, duplicates }: Pick<CrawlRow, 'read' | 'appended' | 'duplicates'>) =>
  read === 0 ? null : (appended + duplicates) / read

export type CrawlSummary = Readonly<{
  /** Sources that were ever crawled. */
  sources: number
  /** Sources whose last crawl failed. */
  failing: number
  /** Sources with a held crawl. */
  held: number
  /** Sources with a held crawl, or whose last crawl failed, met a problem or ended early. */
  troubled: number
  /** The first troubled sources by id; failing and held ones before the others. */
  trouble: readonly Readonly<{ source_id: string; name: string; crawls: SourceCrawls }>[]
}>

/** How the last crawls of all sources went, and at most `limit` sources that need attention. */
export async function readCrawlSummary(db: Queryable, { limit }: { limit: number }): Promise<CrawlSummary> {
  const [row] = await db.query<Omit<CrawlSummary, 'trouble'> & { ids: string[] | null }>(
    `with last as (
       select distinct on (source_id) source_id, outcome = 'failed' as is_failing,
         problems <> '[]' or outcome = 'recorded' and not complete as has_problem
       from crawl_reports order by source_id, ${NEWEST_FIRST}),
     held as (select distinct source_id from crawl_reports where ${CHOSEN.held}),
     known as (
       select source_id, is_failing, held.source_id is not null as is_held,
         is_failing or has_problem or held.source_id is not null as is_troubled
       from last left join held using (source_id))
     select count(*)::int as sources, (count(*) filter (where is_failing))::int as failing,
       (count(*) filter (where is_held))::int as held, (count(*) filter (where is_troubled))::int as troubled,
       (array_agg(source_id order by (is_failing or is_held) desc, source_id collate "C") filter (where is_troubled))[:$1] as ids
     from known`,
    [limit],
  )
  const { ids, ...figures } = row as typeof row & {}
  const crawls = await readCrawls(db, ids ?? [])
  const names = await db.query<{ source_id: string; name: string }>(
    `select source_id, name from sources where source_id = any($1) and name is not null`,
    [ids ?? []],
  )
  const nameOf = new Map(names.map(({ source_id, name }) => [source_id, name]))
  const trouble = [...crawls].map(([id, crawls]) => ({ source_id: id, name: nameOf.get(id) ?? id, crawls }))
  return { ...figures, trouble }
}

/** A price that a crawl delivered: `cents` minor units for `per_quantity` units. */
export type CrawledPrice = Readonly<{
  vendor_ref: string
  cents: number
  currency: string
  per_quantity: number
  /** The price holds from this quantity on, a plain decimal; null: from one. */
  min_quantity: string | null
}>

/** Prices per page: some hundred kilobytes, read in a few hundredths of a second. */
const PRICES_PAGE = 5_000

/**
 * Every price of a source that a crawl delivered, in no particular order. Includes prices that another crawl delivered
 * before, and prices that were retracted since. Empty for an unknown crawl or source.
 *
 * Reads the keys of all first, eight bytes each. An index that gives them page by page would be several times as large
 * as the index on the crawl alone, for all observations.
 */
export async function* pricesOfCrawl(
  db: Pick<Store, 'query' | 'copyOut'>,
  { sourceId, crawlId }: { sourceId: string; crawlId: string },
): AsyncGenerator<readonly CrawledPrice[]> {
  const crawl = `(select crawl from crawls where crawl_id = ${literal(crawlId)})`
  const [[keys] = []] = await db.copyOut(
    `select string_agg(int8send(observation), '' order by observation) from (
       select observation from observations where crawl = ${crawl}
       union all select observation from redeliveries where crawl = ${crawl}) brought`,
  )
  for (let at = 0; keys && at < keys.length; at += PRICES_PAGE * KEY_BYTES) {
    const page: bigint[] = []
    const end = Math.min(keys.length, at + PRICES_PAGE * KEY_BYTES)
    for (let one = at; one < end; one += KEY_BYTES) page.push(keys.readBigInt64BE(one))
    const prices = await db.query<CrawledPrice>(
      `select k.vendor_ref, o.cents::float8 as cents, t.currency, t.per_quantity::float8 as per_quantity,
         trim_scale(t.min_quantity)::text as min_quantity
       from observations o join vendor_skus k using (sku) join sources s using (source) join price_terms t using (terms)
       where o.observation in (select unnest(string_to_array($1, ',')::bigint[])) and s.source_id = $2
       order by o.observation`,
      // One text, because an array parameter is escaped element by element.
      [page.join(), sourceId],
    )
    if (prices.length > 0) yield prices
  }
}
const KEY_BYTES = 8

export async function insertCrawlReports(tx: Queryable, records: readonly LoggedEvent<CrawlFinished>[]): Promise<void> {
  // A crawl that was resumed or accepted reports twice: the latest report by (recorded_at, event_id) wins, in any order
  // of arrival.
  for (const { event } of records) {
    await tx.query(
      `insert into crawl_reports as report (crawl_id, source_id, event_id, outcome, complete, partial, etag, last_modified,
         read, appended, duplicates, parked, missed, problems, health, started_at, recorded_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)
       on conflict (crawl_id, source_id) do update set event_id = excluded.event_id, outcome = excluded.outcome,
         complete = excluded.complete, partial = excluded.partial, etag = excluded.etag,
         last_modified = excluded.last_modified, read = excluded.read, appended = excluded.appended,
         duplicates = excluded.duplicates, parked = excluded.parked, missed = excluded.missed,
         problems = excluded.problems, health = excluded.health, started_at = excluded.started_at,
         recorded_at = excluded.recorded_at
       where (excluded.recorded_at, excluded.event_id collate "C") > (report.recorded_at, report.event_id)`,
      [
        event.crawl_id,
        event.source_id,
        event.event_id,
        event.outcome ?? 'recorded',
        event.complete,
        event.partial ?? false,
        event.etag ?? null,
        event.last_modified ?? null,
        event.read,
        event.appended,
        event.duplicates,
        event.parked,
        event.missed ?? 0,
        canonicalJson(event.problems ?? []),
        event.health === undefined ? null : canonicalJson(event.health),
        event.started_at ?? null,
        event.recorded_at,
      ],
    )
  }
}
