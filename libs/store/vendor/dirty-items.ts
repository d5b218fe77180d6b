import { TOPICS } from '@catalog/core/events/topics.ts'
import { expiryMs, VOTE_CAUSES, type VoteCause } from '@catalog/core/median/eligibility.ts'
import { settingsOf, voiceAmong } from '@catalog/core/median/source-settings.ts'
import { taxRuleOf } from '@catalog/core/median/tax-rules.ts'
import { spellingKey } from '@catalog/core/text.ts'
import { instant } from '@catalog/core/time.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { allItemIds, type RunRecord } from './runs.ts'
import { type VotingFacts, votingFactsAt } from './voting-facts.ts'

type Runs = Readonly<{ from: RunRecord; to: RunRecord }>
type Compared = Runs & Readonly<{ before: VotingFacts; after: VotingFacts }>
type Between = Compared & Readonly<{ sourcesChanged: readonly string[]; unitsChanged: readonly string[] }>
/** Adds a parameter to the statement, and gives its number: "$3". */
type Parameter = (value: unknown) => string
/** Queries of the SKUs and of the items that a cause touches. */
type Touched = Readonly<{ skus?: string; items?: string }>

/**
 * The items that can differ between two runs, in id order: those that any of the causes touches, or all of them after a
 * change of method. A superset is harmless; a missing item is not.
 */
export async function dirtyItemIds(
  store: Queryable,
  { from, to }: Runs,
  causes: readonly VoteCause[] = VOTE_CAUSES,
): Promise<string[]> {
  if (from.method !== to.method) return allItemIds(store)
  const [before, after] = [await votingFactsAt(store, from), await votingFactsAt(store, to)]
  const compared = { from, to, before, after }
  const sourcesChanged = await changedSources(store, compared)
  const between = { ...compared, sourcesChanged, unitsChanged: await changedUnits(store, compared) }
  const parameters: unknown[] = []
  const parameter = (value: unknown) => `$${parameters.push(value)}`
  const touched = causes.map((cause) => FINDERS[cause](between, parameter))
  const rows = await store.query<{ id: string }>(
    `with recursive touched (sku) as (${touched.flatMap(({ skus }) => skus ?? []).join(' union ')}),
     -- An observation touches every article of its reference. The offsets here keep the planner from reading whole tables for few.
     articles (sku) as (
       select sku from touched
       union select k.sku from touched, lateral (select sku from vendor_skus where reference = touched.sku offset 0) k
     ),
     named (item_id) as (
       ${[OF_ARTICLES, ...touched.flatMap(({ items }) => items ?? [])].join(' union ')}
     ),
     -- A person may merge into an id that was merged itself: then the survivor changes.
     survivors (item_id, merged_into) as (
       select item_id, merged_into from named, lateral (
         select merged_into from item_keys where item_keys.item_id = named.item_id collate "default" offset 0
       ) merged where merged_into is not null
       union
       select k.item_id, k.merged_into from survivors, lateral (
         select item_id, merged_into from item_keys where item_keys.item = survivors.merged_into offset 0
       ) k
     )
     select item_id collate "C" as id from named union select item_id from survivors order by id`,
    parameters,
  )
  return rows.map(({ id }) => id)
}

const OF_ARTICLES = `select item_id from articles,
  lateral (select item from memberships where memberships.sku = articles.sku offset 0) held,
  lateral (select item_id from item_keys where item_keys.item = held.item offset 0) k`

const FINDERS: Readonly<Record<VoteCause, (between: Between, parameter: Parameter) => Touched>> = {
  delivery: ({ from }, parameter) => ({
    skus: `select sku from ${since(from, parameter)}, lateral (select observation from deliveries_from(since.partition, next) offset 0) d,
      lateral (select sku from observations where observations.observation = d.observation offset 0) o`,
  }),
  appearance: ({ from, to }, parameter) => ({
    skus: `select sku from observations where observed_at > ${parameter(from.asOf)} and observed_at <= ${parameter(to.asOf)}`,
  }),
  expiry({ from, to, after }, parameter) {
    const days = [...after.sources.keys()].map((id) => [id, settingsOf(id, after)?.validityDays ?? 0] as const)
    const edges = ({ asOf }: RunRecord) => days.map(([, days]) => instant(new Date(expiryMs(days, Date.parse(asOf)))))
    return {
      // Sources share few periods, and each is read by its dates alone.
      skus: `select o.sku from (
          select after, until, array_agg(source_id) as source_ids from unnest(${parameter(days.map(([id]) => id))}::text[],
            ${parameter(edges(from))}::timestamptz[], ${parameter(edges(to))}::timestamptz[]) each (source_id, after, until)
          group by after, until
        ) expired, lateral (
          select sku from observations where observed_at > expired.after and observed_at <= expired.until offset 0
        ) o, lateral (select source from vendor_skus where vendor_skus.sku = o.sku offset 0) k join sources using (source)
        where source_id = any(source_ids)`,
    }
  },
  retraction({ from }, parameter) {
    const taken = `retractions r join ${since(from, parameter)} on since.partition = r.partition and r."offset" >= next`
    return {
      skus: `select o.sku from ${taken} join observations o using (observation_id) where r.scope = 'observation'
        union
        select o.sku from ${taken} join crawls using (crawl_id) join deliveries using (crawl)
          join observations o using (observation) where r.scope = 'crawl'
        union
        select sku from ${taken} join sources using (source_id) join vendor_skus using (source) where r.scope = 'source'`,
    }
  },
  settings: ({ sourcesChanged }, parameter) => ({
    skus: `select sku from sources join vendor_skus using (source) where source_id = any(${parameter(sourcesChanged)})`,
  }),
  verdict: ({ before, after }, parameter) => ({
    skus: `select sku from observations
      where observation_id in (select decode(id, 'hex') from unnest(${parameter(changedKeys(before.overrides, after.overrides))}::text[]) id)`,
  }),
  unit: ({ unitsChanged: units }, parameter) =>
    units.length === 0
      ? {}
      : {
          skus: `select sku from price_terms join observations using (terms)
            where unit = any(${parameter(units)}) or pack_unit = any(${parameter(units)})`,
        },
  membership({ from, to }, parameter) {
    const decided = `(select type, subject, payload::jsonb as decision from decisions
      where type in ('SkuMatched', 'SkuSplit', 'ItemsMerged', 'ReferenceReused')
        and ("offset" >= ${parameter(decisionsRead(from))} or (decided_at > ${parameter(from.asOf)} and decided_at <= ${parameter(to.asOf)}))) decided`
    return {
      skus: `select sku from ${decided} join vendor_skus on vendor_sku_id = subject`,
      // The former item, which no membership names any more.
      items: `select item_id from ${decided}, lateral (values (decision->>'item_id'), (decision->>'from_item_id'),
          (decision->>'into_item_id')) named (item_id) where item_id is not null
        union
        select items.item_id from ${decided} join items on items.vendor_sku_ids @> array[subject]
        where type = 'SkuSplit'
          or (type = 'SkuMatched' and (decision->>'by' = 'person' or decision->'evidence' ? 'reopened'))`,
    }
  },
  founding: () => ({
    items: `select item_id from item_keys where merged_into is null
      and not exists (select from items where items.item_id = item_keys.item_id)`,
  }),
}

/** By partition, the first offset of observations that a run did not read. */
const since = ({ positions }: RunRecord, parameter: Parameter) =>
  `(select key::int as partition, value::bigint as next
    from jsonb_each_text(${parameter(JSON.stringify(positions[TOPICS.observations] ?? {}))}::jsonb)) since`

const decisionsRead = ({ positions }: RunRecord) => positions[TOPICS.decisions]?.['0'] ?? '0'

/** The sources whose prices vote otherwise, or whose vendor is described otherwise. */
async function changedSources(store: Queryable, { from, before, after }: Compared): Promise<readonly string[]> {
  // A registration counts at every cut, also at that of the earlier run, which did not know it.
  const registered = await store.query<{ id: string }>(
    `select source_id as id from sources where registered_offset >= $1`,
    [decisionsRead(from)],
  )
  const late = new Set(registered.map(({ id }) => id))
  const settings = (id: string, facts: VotingFacts) => {
    const own = settingsOf(id, facts)
    return JSON.stringify([own, voiceAmong(facts, id), own && taxRuleOf(own.region, facts.taxRules)])
  }
  return [...after.sources.keys()].filter(
    (id) => late.has(voiceAmong(after, id)?.sourceId ?? id) || settings(id, before) !== settings(id, after),
  )
}

function changedKeys(before: ReadonlyMap<string, unknown>, after: ReadonlyMap<string, unknown>): readonly string[] {
  return [...new Set([...before.keys(), ...after.keys()])].filter((key) => before.get(key) !== after.get(key))
}

/** The spellings in the store that mean another unit. */
async function changedUnits(store: Queryable, { before, after }: Compared): Promise<readonly string[]> {
  const meanings = ({ unitAliases }: VotingFacts) =>
    new Map(unitAliases.map(({ unit, sourceId, canonical }) => [`${spellingKey(unit)}\n${sourceId}`, canonical]))
  const changed = changedKeys(meanings(before), meanings(after))
  if (changed.length === 0) return []
  const keys = new Set(changed.map((key) => key.split('\n')[0]))
  const written = await store.query<{ unit: string }>(
    `select unit from price_terms where unit is not null union select pack_unit from price_terms where pack_unit is not null`,
  )
  return written.map(({ unit }) => unit).filter((unit) => keys.has(spellingKey(unit)))
}
