import { heldNext, heldText, problemLines } from '@catalog/cli/crawl/crawl-problems.ts'
import type { Context } from '@catalog/cli/shared/context.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import { nextDue } from '@catalog/crawler/sources/schedule.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { heldCommands } from '@catalog/operations/status.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { type SourceAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import { type CrawlRow, parseRateOf, readCrawls, type SourceCrawls } from '@catalog/store/vendor/crawls.ts'
import { listKnownSources } from './known-sources.ts'

/** `catalog sources`: the sources of the file, and how their crawls went. */

const NO_CRAWLS: SourceCrawls = { last: null, whole: null, fetched: null, held: null }

/** Lists every source of the file with its crawls and its differences from the catalog. */
export async function listSources(context: Context): Promise<void> {
  const { catalog, env, terminal } = context
  const file = await sourcesReader(env)()
  if (file === null) return listKnownSources(context)
  const { sources } = file
  await catalog.catchUp()
  const now = catalog.now()
  const ids = sources.map(({ id }) => id)
  const crawlsOf = await readCrawls(catalog.store, ids)
  const registered = await registeredSources(catalog.store, ids)
  const known = await sourcesAt(catalog.store, { asOf: instant(now), positions: null })
  const listed = sources.map((spec) => {
    const crawls = crawlsOf.get(spec.id) ?? NO_CRAWLS
    const source = registered.has(spec.id) ? known.get(spec.id) : undefined
    return {
      spec,
      crawls,
      nextDue: nextDueOf(spec, { crawls, now }),
      differences: source === undefined ? [] : differencesOf(spec, source),
    }
  })
  terminal.answer({ sources: listed.map(listedJson) }, () => {
    const notes = listed.flatMap(notesOf)
    return [table(listed.map((one) => listedLine(one, now))), ...(notes.length === 0 ? [] : ['', ...notes])].join('\n')
  })
  const held = listed.filter(({ crawls }) => crawls.held !== null)
  terminal.next(held.length === 0 ? 'catalog sources test' : heldNext(held.map(({ spec }) => spec.id)))
}

type Listed = Readonly<{
  spec: SourceSpec
  crawls: SourceCrawls
  /** Null for a source that is crawled by hand only; not later than now when it is due. */
  nextDue: Date | null
  differences: readonly Difference[]
}>

const startedOf = ({ started_at, recorded_at }: CrawlRow) => new Date(started_at ?? recorded_at)

function nextDueOf(
  { schedule, enabled }: SourceSpec,
  { crawls, now }: { crawls: SourceCrawls; now: Date },
): Date | null {
  if (schedule === null || !enabled) return null
  return crawls.last === null ? now : nextDue(schedule, startedOf(crawls.last))
}

/** A setting that differs between file and catalog; `command` brings the catalog into line, where there is one. */
type Difference = Readonly<{ key: string; file: string | number; catalog: string | number; command: string | null }>

function differencesOf({ id, ...spec }: SourceSpec, source: SourceAt): readonly Difference[] {
  const command = `catalog trust ${id} ${spec.trust} --reason "..."`
  const both: Difference[] = [
    { key: 'trust', file: spec.trust ?? source.trust, catalog: source.trust, command },
    { key: 'kind', file: spec.kind, catalog: source.kind, command: null },
    { key: 'validity', file: spec.validity ?? 'days', catalog: source.validity ?? 'days', command: null },
    {
      key: 'validity_days',
      file: spec.validityDays ?? source.validityDays,
      catalog: source.validityDays,
      command: null,
    },
  ]
  return both.filter((one) => one.file !== one.catalog)
}

function listedJson({ spec, crawls: { last, whole, held }, nextDue, differences }: Listed) {
  const { id, name, region, kind, trust, validity, validityDays, schedule, enabled, line } = spec
  return {
    source_id: id,
    name,
    region,
    kind,
    trust: trust ?? null,
    ...(validity !== undefined && { validity }),
    validity_days: validityDays ?? null,
    schedule,
    enabled,
    line,
    next_due: nextDue && instant(nextDue),
    last_crawl: last && crawlJson(last),
    last_complete_crawl: whole && crawlJson(whole),
    held_crawl: held && { ...crawlJson(held), commands: heldCommands(id) },
    differences,
  }
}

function crawlJson(crawl: CrawlRow) {
  const { crawl_id: id, started_at, recorded_at: finished_at, outcome, complete, problems, health } = crawl
  const { read, appended, duplicates, parked, missed } = crawl
  return {
    id,
    started_at,
    finished_at,
    outcome,
    complete,
    read,
    appended,
    duplicates,
    parked,
    missed,
    parse_rate: parseRateOf(crawl),
    known: health?.known ?? null,
    vanished: health?.vanished ?? null,
    changed: health?.changed ?? null,
    changed_share: changedShareOf(crawl),
    problems,
  }
}

/** The share among SKUs that came again; null without any, or if the crawl was compared with none. */
function changedShareOf({ health }: CrawlRow): number | null {
  const common = health === null ? 0 : health.known - health.vanished
  return health === null || common === 0 ? null : health.changed / common
}

const share = (value: number | null | undefined) => (value == null ? '' : `${Math.round(value * 1000) / 10} %`)
const minuteOf = (at: Date) => `${instant(at).slice(0, 16)}Z`

function listedLine({ spec, crawls: { last, whole, held }, nextDue }: Listed, now: Date) {
  return {
    source: spec.name,
    region: spec.region ?? '',
    kind: spec.kind,
    trust: spec.trust ?? '',
    schedule: spec.schedule === null ? '-' : spec.enabled ? spec.schedule : `${spec.schedule} (off)`,
    next: nextDue === null ? '-' : nextDue <= now ? 'now' : minuteOf(nextDue),
    last: last === null ? 'never' : `${last.outcome} ${minuteOf(startedOf(last))}`,
    whole: whole === null ? 'never' : minuteOf(startedOf(whole)),
    parsed: whole === null ? '' : share(parseRateOf(whole)),
    changed: whole === null ? '' : share(changedShareOf(whole)),
    vanished: whole?.health?.vanished ?? '',
    held: held?.crawl_id ?? '',
  }
}

function notesOf({ spec: { id, name }, crawls: { last, held }, differences }: Listed): string[] {
  const troubled = [last, ...(held?.crawl_id === last?.crawl_id ? [] : [held])]
  const problems = troubled.flatMap((crawl) => crawl?.problems ?? [])
  return [
    ...problems.flatMap(problemLines).map((line) => `${name}: ${line}`),
    ...(held === null ? [] : [`${name}: ${heldText({ crawlId: held.crawl_id, sourceId: id })}`]),
    ...differences.map(({ key, file, catalog, command }) => {
      const how = command === null ? 'the first registration holds' : `to change it: ${command}`
      return `${name}: ${key} is ${catalog} in the catalog and ${file} in the file; ${how}`
    }),
  ]
}
