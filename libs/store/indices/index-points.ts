import { type IndexFrequency, type IndexRecorded, indexIdOf } from '@catalog/core/events/indices.ts'
import type { Licence } from '@catalog/core/events/sources.ts'
import { type Queryable, queryRows } from '@catalog/store/db.ts'
import type { LoggedEvent } from '@catalog/store/logged-event.ts'
import { COVERS_POINT } from '@catalog/store/vendor/retraction.ts'
import { LICENCE } from '@catalog/store/vendor/sources.ts'

/** Official price indices: their points as the log has them, and what readers see of them. */

/** Law: commutative and idempotent, like all writes of the vendor side. */
export async function insertIndexPoints(tx: Queryable, records: readonly LoggedEvent<IndexRecorded>[]): Promise<void> {
  if (records.length === 0) return
  await queryRows(
    tx,
    `insert into index_points (event_id, index_id, source_id, publisher, url, series, title, region, base, frequency, period,
       value, crawl_id, observed_at, recorded_at, partition, "offset")
     select event_id, index_id, source_id, publisher, url, series, title, region, base, frequency, period, value, crawl_id,
       observed_at, recorded_at, partition, "offset"
     from jsonb_to_recordset($1::jsonb) as batch (event_id text, index_id text, source_id text, publisher text, url text,
       series text, title text, region text, base text, frequency text, period text, value text, crawl_id text,
       observed_at timestamptz, recorded_at timestamptz, partition int, "offset" bigint)
     order by event_id on conflict do nothing`,
    records.map(({ event: { type: _t, v: _v, ...event }, partition, offset }) => ({
      ...event,
      index_id: indexIdOf(event.source_id, event.series),
      partition,
      offset,
    })),
  )
}

/** Whether index point p is unretracted. */
const STANDS = `not exists (select from retractions t where ${COVERS_POINT})`

/** The value in force comes first among those of a period. */
const LATEST_FIRST = 'observed_at desc, recorded_at desc, event_id desc'

export type IndexRow = Readonly<{
  index_id: string
  source_id: string
  publisher: string
  url: string | null
  series: string
  title: string
  region: string | null
  base: string | null
  frequency: IndexFrequency
  /** Periods that have a value. */
  points: number
  first_period: string
  last_period: string
  /** The value in force of the last period, an exact decimal. */
  last_value: string
  /** When that value was stated, or read. */
  observed_at: string
  /** On which terms its publisher gives it away; null where nobody stated them. */
  licence: Licence | null
}>

/**
 * Indices by id, those after a given one or a single one, as their latest point describes them; of a country also those of its
 * subdivisions. An index whose every point was
 * retracted is none.
 */
export async function readIndices(
  db: Queryable,
  page: { after: string | undefined; limit: number; region?: string | undefined } | { indexId: string },
): Promise<IndexRow[]> {
  const [isChosen, parameters] =
    'indexId' in page
      ? ['p.index_id = $1', [page.indexId, null, 1]]
      : ['p.index_id > $1', [page.after ?? '', page.region ?? null, page.limit]]
  const rows = await db.query<Omit<IndexRow, 'licence'> & { licence: string | null }>(
    `with held as (
       select distinct on (index_id, period) p.* from index_points p
        where ${isChosen} and ${STANDS} order by index_id, period, ${LATEST_FIRST}
     ), described as (
       select distinct on (index_id) h.*, h.period as last_period, h.value as last_value,
         (count(*) over whole)::int as points, min(h.period) over whole as first_period
       from held h window whole as (partition by index_id) order by index_id, period desc, frequency
     )
     select index_id, source_id, publisher, url, series, title, region, base, frequency, points, first_period, last_period,
       last_value, observed_at, ${LICENCE} as licence
     from described s where $2::text is null or region = $2 or starts_with(region, $2 || '-')
     order by index_id limit $3`,
    parameters,
  )
  return rows.map((row) => ({ ...row, licence: row.licence === null ? null : JSON.parse(row.licence) }))
}

export type IndexPoint = Readonly<{
  period: string
  /** The value in force, an exact decimal. */
  value: string
  observed_at: string
  /** How often its publisher changed the value. */
  revisions: number
  /** Of the value in force; retractions name it. */
  point_id: string
}>

/**
 * The points of an index by period, from the period `from` to the end of `to` where given: at most one for each month, quarter and
 * year of four centuries. With `until` as they were stated by then.
 */
export function readIndexPoints(
  db: Queryable,
  indexId: string,
  { from, to, until }: { from?: string | undefined; to?: string | undefined; until?: string | undefined } = {},
): Promise<IndexPoint[]> {
  return db.query(
    `with seen as (
       select p.*, p.value is distinct from lag(p.value) over (partition by period order by observed_at, recorded_at, event_id)
           as "isNew"
       from index_points p
       where index_id = $1 and period >= $2 and period <= $3 and observed_at <= coalesce($4::timestamptz, 'infinity')
         and ${STANDS}
     )
     select distinct on (period) period, value, observed_at, event_id as point_id,
       (count(*) filter (where "isNew") over (partition by period) - 1)::int as revisions
     from seen order by period, ${LATEST_FIRST}`,
    // A year ends with its last month.
    [indexId, from ?? '', `${to ?? ''}~`, until ?? null],
  )
}

/** The publishers of indices, each by the latest name that its points state. */
export const readPublishers = (db: Queryable): Promise<{ sourceId: string; name: string }[]> =>
  db.query(
    `select distinct on (source_id) source_id as "sourceId", publisher as name from index_points
     order by source_id, recorded_at desc, event_id desc`,
  )
