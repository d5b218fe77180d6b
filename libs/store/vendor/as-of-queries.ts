import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { Positions, TaxRuleChanged } from '@catalog/core/events/runs.ts'
import { TRUST_DEFAULT, VALIDITY_DAYS } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { MEMBERSHIP_EVENTS, type MembershipEvent } from '@catalog/core/matching/membership.ts'
import type { Method } from '@catalog/core/median/median.ts'
import { knownMethod, METHOD_FIRST } from '@catalog/core/median/methods.ts'
import type { VotingSource } from '@catalog/core/median/source-settings.ts'
import type { TaxRules } from '@catalog/core/median/tax-rules.ts'
import { openMemo } from '@catalog/core/memo.ts'
import { instant } from '@catalog/core/time.ts'
import { type UnitAlias, type UnitAliases, unitAliases } from '@catalog/core/units/unit-aliases.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { articleAt } from './row-keys.ts'

/**
 * The facts that a run may see: observations and people's decisions up to `asOf`, and records below the positions
 * (null: all).
 */
export type Cut = Readonly<{ asOf: string; positions: Positions | null }>

/**
 * A cut in the form that queries of observations use: the instant, the few earlier observations that do not count, and
 * the positions beyond which deliveries do not. `isWhole` when no retraction exists and nothing lies beyond.
 */
export type Visibility = Readonly<{
  asOf: string
  hidden: readonly bigint[]
  positions: Readonly<Record<string, string>>
  /** The offset of catalog.decisions at which the cut ends; null: none. */
  decisions: string | null
  isWhole: boolean
}>

/** Reads once per run which observations are hidden at its cut; see hidden_observations in read-models/tables.sql. */
export async function visibilityAt(store: Queryable, { asOf, positions }: Cut): Promise<Visibility> {
  const next = positions?.[TOPICS.observations] ?? {}
  const cut = JSON.stringify(next)
  // Most runs end here: no retraction exists, and no delivery lies after the cut.
  const [found] = await store.query<{ any: boolean }>(
    `select exists (select from retractions) or exists (
       select from jsonb_each_text($1::jsonb) cut (partition, next), lateral (
         select from deliveries_from(cut.partition::int, next::bigint) limit 1
       ) later
     ) as any`,
    [cut],
  )
  const decisions = decisionPosition({ asOf, positions })
  if (!found?.any) return { asOf, hidden: [], positions: next, decisions, isWhole: true }
  // In a run of the past, most deliveries after its positions were observed after it, so their date already hides them.
  const rows = await store.query<{ observation: bigint }>(
    `select observation from hidden_observations($1::jsonb) join observations using (observation)
     where observed_at <= $2`,
    [cut, asOf],
  )
  return { asOf, hidden: rows.map(({ observation }) => observation), positions: next, decisions, isWhole: false }
}

/** The offset of catalog.decisions at which the cut ends; null: none. */
export const decisionPosition = ({ positions }: Cut) => positions?.[TOPICS.decisions]?.['0'] ?? null

export type SourceAt = VotingSource & Readonly<{ url: string | null }>

/**
 * Every source at the cut. Trust and the enabled flag come from the latest TrustChanged and SourceSwitched with
 * decided_at ≤ asOf, or else from the registration.
 */
export async function sourcesAt(store: Queryable, cut: Cut): Promise<Map<string, SourceAt>> {
  const rows = await store.query<{ [K in keyof SourceAt]: SourceAt[K] | null } & { sourceId: string }>(
    `select s.source_id as "sourceId", coalesce(s.name, seen.source->>'name', s.source_id) as name,
       case when s.registered_offset is null then seen.source->>'region' else s.region end as region,
       case when s.registered_offset is null then seen.source->>'url' else s.url end as url,
       coalesce(changed.trust, s.trust_score) as trust, s.validity, s.validity_days as "validityDays", s.kind,
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
        validity: row.validity,
        validityDays: row.validityDays ?? VALIDITY_DAYS[kind],
        kind,
        enabled: row.enabled ?? true,
      }
      return [source.sourceId, source]
    }),
  )
}

/** By source id, the greatest edition that any of its observations visible at the cut states; sources without one are left out. */
export async function editionsAt(store: Queryable, cut: Cut): Promise<ReadonlyMap<string, string>> {
  const [any] = await store.query(`select from source_editions limit 1`)
  if (any === undefined) return new Map()
  const { asOf, hidden } = await visibilityAt(store, cut)
  const rows = await store.query<{ sourceId: string; edition: string }>(
    // The offsets keep the planner from reading all SKUs once for each of the terms: most editions show in the first SKU.
    `select source_id as "sourceId", max(edition) as edition from source_editions e, lateral (
       select from (
         select terms from sources join vendor_skus using (source) join observations using (sku)
         where sources.source_id = e.source_id and observed_at <= $1
           and not exists (select from unnest($2::bigint[]) hidden where hidden = observation) offset 0
       ) seen, lateral (select edition from price_terms where price_terms.terms = seen.terms offset 0) said
       where said.edition = e.edition limit 1
     ) visible group by source_id`,
    [asOf, hidden],
  )
  return new Map(rows.map(({ sourceId, edition }) => [sourceId, edition]))
}

/** The price method at the cut: the latest MethodChanged with decided_at ≤ asOf. Throws UnknownMethod. */
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

/** Whether any decision on the method was made until an instant; without one, at whatever instant. */
export async function isMethodDecided(store: Queryable, until: string | null = null): Promise<boolean> {
  const [decided] = await store.query(
    `select from decisions where type = 'MethodChanged' and decided_at <= coalesce($1::timestamptz, 'infinity') limit 1`,
    [until],
  )
  return decided !== undefined
}

/** The matching rule that the items follow at the cut: the latest MatchRuleChanged with decided_at ≤ asOf, if any. */
export async function matchRuleAt(store: Queryable, cut: Cut): Promise<string | undefined> {
  const [changed] = await store.query<{ rule: string }>(
    `select payload::jsonb->>'rule_version' as rule from decisions
     where type = 'MatchRuleChanged' and decided_at <= $1 and ($2::bigint is null or "offset" < $2)
     order by decided_at desc, "offset" desc limit 1`,
    [cut.asOf, decisionPosition(cut)],
  )
  return changed?.rule
}

/** The tax rules at the cut: per region the latest TaxRuleChanged with decided_at ≤ asOf. */
export async function taxRulesAt(store: Queryable, cut: Cut): Promise<TaxRules> {
  const rows = await store.query<{ payload: string }>(
    `select distinct on (subject) payload from decisions
     where type = 'TaxRuleChanged' and decided_at <= $1 and ($2::bigint is null or "offset" < $2)
     order by subject, decided_at desc, "offset" desc`,
    [cut.asOf, decisionPosition(cut)],
  )
  const changes = rows.map(({ payload }) => JSON.parse(payload) as TaxRuleChanged)
  return new Map(
    changes
      .filter((rule) => rule.not_stated !== 'as_is' || rule.gross_without_rate !== 'as_is')
      .map((rule) => [rule.region, { notStated: rule.not_stated, grossWithoutRate: rule.gross_without_rate }]),
  )
}

/** The aliases of units at the cut: the latest per spelling and source with decided_at ≤ asOf, without those taken back. */
export async function unitAliasesAt(store: Queryable, cut: Cut): Promise<UnitAliases> {
  return aliasesOf(await unitAliasRowsAt(store, cut))
}
export const aliasesOf = (rows: readonly UnitAliasRow[]): UnitAliases =>
  unitAliases(rows.filter(({ canonical }) => canonical !== null) as UnitAlias[])

/** The latest decision per spelling and source at the cut; canonical null: taken back. */
export async function unitAliasRowsAt(store: Queryable, cut: Cut): Promise<readonly UnitAliasRow[]> {
  return store.query(
    `select distinct on (subject) payload::jsonb->>'unit' as unit, payload::jsonb->>'source_id' as "sourceId",
       payload::jsonb->>'canonical' as canonical, decided_at as "decidedAt", payload::jsonb->>'reason' as reason
     from decisions where type = 'UnitAliased' and decided_at <= $1 and ($2::bigint is null or "offset" < $2)
     order by subject, decided_at desc, "offset" desc`,
    [cut.asOf, decisionPosition(cut)],
  )
}
export type UnitAliasRow = Readonly<{
  unit: string
  sourceId: string | null
  canonical: string | null
  decidedAt: string
  reason: string
}>

/** People's decisions about observations at the cut: the latest quarantine or release per observation id. */
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
 * The membership events at the cut in offset order: all decisions of rules, and people's decisions up to asOf. Includes
 * all pairs that people keep apart, whenever decided: a rule's decision that such a pair blocked never happened at any
 * asOf.
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

/** True when no membership decision lies beyond the cut. Then the stored membership is that of the cut. */
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

/** One observation as the median uses it. Decimals are text, so that nothing is rounded on the way. */
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
  lang?: string
  isDiscontinued: boolean
  /** Of the price list; absent where none is stated. */
  edition?: string
  /** Private keys of the crawls whose delivery counts at the cut, as text. */
  crawls: readonly string[]
  /** Of the first delivery, in milliseconds since 1970. */
  recordedAtMs: number
}>
export type SkuPriceRows = Readonly<{ sourceId: string; observations: readonly PriceRow[] }>
export type SkuText = Readonly<{ skuId: string; sourceId: string; payload: ObservationRecorded }>

/**
 * The visible observations of these SKUs, by SKU, instant and id, and the text of the latest of each. Where the reference of a SKU
 * stands for another article at the cut, the goods are no longer sold. Leaves out SKUs without an observation. Each SKU is one row
 * with a line per observation: for rows this short, the protocol's cost per field exceeds all other costs.
 */
export async function pricesAt(
  store: Queryable,
  skuIds: readonly string[],
  { asOf, hidden, positions, decisions, isWhole }: Visibility,
): Promise<{ prices: Map<string, SkuPriceRows>; texts: Map<string, SkuText> }> {
  const rows = await store.query<{ skuId: string; sourceId: string; lines: string; payload: string }>(
    `select k.vendor_sku_id as "skuId", source_id as "sourceId", seen.lines, seen.payload
     from ${WANTED_SKUS}, lateral (
       select string_agg(
         concat_ws(E'\x1f', encode(observation_id, 'hex'), extract(epoch from observed_at) * 1000, cents, currency,
           per_quantity, coalesce(min_quantity::text, ''), coalesce(tax_included::text, ''), coalesce(tax_rate::text, ''),
           coalesce(unit, E'\x1e'), coalesce(pack_quantity::text, ''), coalesce(pack_unit, ''), coalesce(lang, ''),
           ${isWhole ? DELIVERING_CRAWLS : COUNTED_CRAWLS}, extract(epoch from observations.recorded_at) * 1000,
           discontinued or k.sku <> ${articleAt('$2', '$4')}, coalesce(edition, '')),
         E'\n' order by observed_at, observation_id) as lines,
         (array_agg(payload order by observed_at desc, observation_id desc))[1] as payload
       from observations join price_terms using (terms)
       where observations.sku = first.sku and observed_at <= $2 and k.sku = ${articleAt('observed_at', '$4')}
         and not exists (select from unnest($3::bigint[]) hidden where hidden = observations.observation)
       having count(*) > 0 offset 0
     ) seen`,
    isWhole ? [skuIds, asOf, hidden, decisions] : [skuIds, asOf, hidden, decisions, JSON.stringify(positions)],
  )
  return {
    prices: new Map(
      rows.map(({ skuId, sourceId, lines }) => [skuId, { sourceId, observations: lines.split('\n').map(priceRow) }]),
    ),
    texts: textsOf(rows),
  }
}

/**
 * The SKUs $1, as `k`, each with the row of its reference. The offsets keep the planner from reading all SKUs and all observations
 * for a thousand of them.
 */
const WANTED_SKUS = `unnest($1::text[]) wanted (id), lateral (
    select sku, vendor_sku_id, reference, source from vendor_skus where vendor_sku_id = wanted.id offset 0
  ) k, lateral (
    select k.sku, k.vendor_sku_id, k.reference where k.reference is null
    union all select sku, vendor_sku_id, reference from vendor_skus where sku = k.reference
  ) first, lateral (select source_id from sources where sources.source = k.source offset 0) of_source`

/** All crawls that delivered the observation. Few observations have a second one, so this looks there alone. */
const DELIVERING_CRAWLS = `concat_ws(' ', observations.crawl,
  (select string_agg(crawl::text, ' ') from redeliveries r where r.observation = observations.observation))`
/** The crawls of deliveries below the positions $5 that no retraction covers; see hidden_observations. */
const COUNTED_CRAWLS = `coalesce((select string_agg(crawl::text, ' ')
  from deliveries d left join jsonb_each_text($5::jsonb) cut on cut.key = d.partition::text
  where d.observation = observations.observation and (cut.value is null or d."offset" < cut.value::bigint)
    and not exists (
      select from retractions t left join jsonb_each_text($5::jsonb) past on past.key = t.partition::text
      where t.source_id = of_source.source_id and (past.value is null or t."offset" < past.value::bigint)
        and (t.scope = 'source' and d.recorded_at <= t.recorded_at
          or t.scope = 'crawl' and t.crawl_id = (select crawl_id from crawls where crawls.crawl = d.crawl))
    )), '')`

type Text = string
type PriceFields = [Text, Text, Text, Text, Text, Text, Text, Text, Text, ...Text[]]

/** All prices of a crawl share a few instants. */
const INSTANTS = openMemo<string>(1_000)

/** The separators are control characters, which events must not contain. */
function priceRow(line: string): PriceRow {
  const fields = line.split('\u001f') as PriceFields
  const [id, ms, cents, currency, perQuantity, minQuantity, taxIncluded, taxRate, unit] = fields
  const last = fields.slice(9) as [Text, Text, Text, Text, Text, Text, Text]
  const [packQuantity, packUnit, lang, crawls, recordedAtMs, discontinued, edition] = last
  return {
    observationId: id,
    observedAt: INSTANTS(ms, () => instant(new Date(Number(ms)))),
    cents: Number(cents),
    currency,
    perQuantity: Number(perQuantity),
    minQuantity: minQuantity || null,
    taxIncluded: taxIncluded === '' ? null : taxIncluded === 'true',
    taxRate: taxRate || null,
    unit: unit === '\u001e' ? null : unit,
    pack: packUnit === '' ? null : { quantity: packQuantity, unit: packUnit },
    ...(lang && { lang }),
    isDiscontinued: discontinued === 't',
    ...(edition && { edition }),
    crawls: crawls === '' ? [] : crawls.split(' '),
    recordedAtMs: Number(recordedAtMs),
  }
}

/** The latest visible observation of each SKU, by SKU. Leaves out SKUs without one. */
export async function textsAt(
  store: Queryable,
  skuIds: readonly string[],
  { asOf, hidden, decisions }: Visibility,
): Promise<Map<string, SkuText>> {
  const rows = await store.query<{ skuId: string; sourceId: string; payload: string }>(
    `select k.vendor_sku_id as "skuId", source_id as "sourceId", latest.payload
     from ${WANTED_SKUS}, lateral (
       select payload from observations
       where observations.sku = first.sku and k.sku = ${articleAt('observed_at', '$4')} and observed_at <= $2
         and not exists (select from unnest($3::bigint[]) hidden where hidden = observations.observation)
       order by observed_at desc, observation_id desc limit 1
     ) latest`,
    [skuIds, asOf, hidden, decisions],
  )
  return textsOf(rows)
}

const textsOf = (rows: readonly Readonly<{ skuId: string; sourceId: string; payload: string }>[]) =>
  new Map(
    rows.map(({ skuId, sourceId, payload }) => [
      skuId,
      { skuId, sourceId, payload: JSON.parse(payload) as ObservationRecorded },
    ]),
  )
