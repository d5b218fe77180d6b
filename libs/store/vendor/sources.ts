import {
  type Licence,
  type SourceKind,
  TRUST_DEFAULT,
  type UNTIL_SUPERSEDED,
  VALIDITY_DAYS,
} from '@catalog/core/events/sources.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { readCrawls, type SourceCrawls } from './crawls.ts'
import { UNRETRACTED } from './retraction.ts'
import { presentVoices } from './source-aliases.ts'

/** Sources of prices, as readers see them. */

/** The present trust in source s: the last decision, or else the registration. */
export const TRUST = `
  coalesce((select (t.payload::jsonb->>'trust_score')::int from decisions t
             where t.type = 'TrustChanged' and t.subject = s.source_id order by t.decided_at desc, t."offset" desc limit 1),
           s.trust_score, ${TRUST_DEFAULT})`

/** Whether source s has a vote now. */
const ENABLED = `
  coalesce((select (t.payload::jsonb->>'enabled')::boolean from decisions t
             where t.type = 'SourceSwitched' and t.subject = s.source_id order by t.decided_at desc, t."offset" desc limit 1),
           s.enabled)`

/** The licence of source s; null without one. */
export const LICENCE = `
  (select (t.payload::jsonb->'licence')::text from decisions t
    where t.type = 'SourceLicensed' and t.subject = s.source_id order by t.decided_at desc, t."offset" desc limit 1)`

export type SourceRow = Readonly<{
  source_id: string
  name: string
  region: string | null
  url: string | null
  kind: SourceKind
  trust_score: number
  /** null: days alone end its votes. */
  validity: typeof UNTIL_SUPERSEDED | null
  validity_days: number
  enabled: boolean
  /** On which terms its prices are given away; null where nobody stated them. */
  licence: Licence | null
  /** The source that speaks for its vendor; null: itself. */
  alias_of: string | null
  /** The sources for whose vendor it speaks, sorted. */
  aliases: readonly string[]
  crawls: SourceCrawls
}>

/** What tells a source from others; its region is null where it states none. */
export type SourceName = Readonly<{ id: string; name: string; region: string | null }>

/** All sources in id order, each as registered, else as one of its observations states. */
export async function readSourceNames(db: Queryable): Promise<readonly SourceName[]> {
  return db.query<SourceName>(
    `select source_id as id, coalesce(s.name, seen.source->>'name', source_id) as name,
            case when s.registered_offset is null then seen.source->>'region' else s.region end as region
       from sources s left join lateral (
         select payload::jsonb->'source' as source from vendor_skus k join observations using (sku)
          where k.source = s.source and s.registered_offset is null limit 1) seen on true
      order by source_id`,
  )
}

/**
 * Sources with their present registration and trust, by id: those after a given id, or a single one. A source that was
 * never registered takes its data from its latest unretracted observation, and has the default terms.
 */
export async function readSources(
  db: Queryable,
  page: { after: string | undefined; limit: number } | { sourceId: string },
): Promise<SourceRow[]> {
  const chosen =
    'sourceId' in page
      ? `select * from sources where source_id = $1 limit $2`
      : `select * from sources where source_id > $1 collate "C" order by source_id collate "C" limit $2`
  const parameters = 'sourceId' in page ? [page.sourceId, 1] : [page.after ?? '', page.limit]
  type Row = Omit<SourceRow, 'crawls' | 'alias_of' | 'aliases' | 'licence'>
  const rows = await db.query<{ [K in keyof Row]: Row[K] | null } & { source_id: string; licence: string | null }>(
    `select s.source_id, coalesce(s.name, seen.source->>'name', s.source_id) as name,
            case when s.registered_offset is null then seen.source->>'region' else s.region end as region,
            case when s.registered_offset is null then seen.source->>'url' else s.url end as url,
            s.kind, ${TRUST} as trust_score, s.validity, s.validity_days, ${ENABLED} as enabled, ${LICENCE} as licence
       from (${chosen}) s
       left join lateral (
         select o.payload::jsonb->'source' as source from vendor_skus k join observations o using (sku)
          where k.source = s.source and s.registered_offset is null and ${UNRETRACTED}
          order by o.observed_at desc, o.observation_id desc limit 1) seen on true
      order by s.source_id collate "C"`,
    parameters,
  )
  const crawls = await readCrawls(
    db,
    rows.map(({ source_id }) => source_id),
  )
  const voices = await presentVoices(db)
  return rows.map((row) => {
    const kind = row.kind ?? 'shop'
    return {
      ...row,
      name: row.name ?? row.source_id,
      kind,
      validity: row.validity,
      trust_score: row.trust_score ?? TRUST_DEFAULT,
      validity_days: row.validity_days ?? VALIDITY_DAYS[kind],
      enabled: row.enabled ?? true,
      licence: row.licence === null ? null : JSON.parse(row.licence),
      alias_of: voices.get(row.source_id) ?? null,
      aliases: [...voices]
        .filter(([, voice]) => voice === row.source_id)
        .map(([sourceId]) => sourceId)
        .sort(),
      crawls: crawls.get(row.source_id) as SourceCrawls,
    }
  })
}

export type SourceVolume = Readonly<{
  vendor_sku_count: number
  observation_count: number
  last_observed_at: string | null
}>

/**
 * The volume of each source, and the date of its latest unretracted observation, by id. Reads every observation once
 * along an index, and those of SKUs with a retracted one again.
 */
export async function readSourceVolumes(db: Queryable): Promise<Map<string, SourceVolume>> {
  const rows = await db.query<{ source_id: string; skus: bigint; observations: bigint; last: string | null }>(
    `with by_sku as (select sku, count(*) as observations, max(observed_at) as last from observations group by sku),
     hidden as materialized (select observation from hidden_observations('{}')),
     touched as (
       select sku, max(o.observed_at) filter (where hidden.observation is null) as last
         from observations o left join hidden using (observation)
        where sku in (select sku from hidden join observations using (observation)) group by sku)
     select s.source_id, count(k.vendor_ref) as skus, coalesce(sum(b.observations), 0)::bigint as observations,
            max(case when t.sku is null then b.last else t.last end) as last
       from sources s left join vendor_skus k using (source) left join by_sku b using (sku)
       left join touched t using (sku) group by s.source_id`,
  )
  return new Map(
    rows.map(({ source_id, skus, observations, last }) => [
      source_id,
      { vendor_sku_count: Number(skus), observation_count: Number(observations), last_observed_at: last },
    ]),
  )
}

/** The licence of one source; null where nobody stated it. */
export async function readLicence(db: Queryable, sourceId: string): Promise<Licence | null> {
  const [row] = await db.query<{ licence: string | null }>(
    `select ${LICENCE} as licence from (select $1::text as source_id) s`,
    [sourceId],
  )
  return row?.licence == null ? null : JSON.parse(row.licence)
}

export async function isSource(db: Queryable, sourceId: string): Promise<boolean> {
  return (await db.query(`select from sources where source_id = $1`, [sourceId])).length > 0
}
