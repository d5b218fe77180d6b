import { sourceMeant } from '@catalog/cli/shared/naming.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { instant } from '@catalog/core/time.ts'
import { acceptHeld, dropHeld } from '@catalog/crawler/crawls/held-crawls.ts'
import { previewSource, type SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { SourceCrawlDeps } from '@catalog/crawler/crawls/source-crawl-deps.ts'
import { withoutSecrets } from '@catalog/crawler/fetch/document-name.ts'
import { nextDue } from '@catalog/crawler/sources/schedule.ts'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { readSources, sourcesReader } from '@catalog/crawler/sources/sources-reader.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { type SourceAt, sourcesAt } from '@catalog/store/vendor/as-of-queries.ts'
import {
  type CrawlRow,
  heldSourceIds,
  parseRateOf,
  readCrawls,
  type SourceCrawls,
} from '@catalog/store/vendor/crawls.ts'
import { answerReports } from '@catalog/cli/crawl/crawl-inputs.ts'
import { type Crawling, chosenSources, leased, openSourceCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { previewJson, previewText, RECORDS_SHOWN } from './source-preview.ts'

/** `catalog sources`: the sources of the file, what became of them, and what a person says to it. */

const NO_CRAWLS: SourceCrawls = { last: null, whole: null, fetched: null, held: null }

/** Every source of the file, with how its crawls went and what of it the catalog has otherwise. */
export async function listSources({ catalog, env, terminal }: Crawling): Promise<void> {
  const { sources } = await readSources(env)
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
  const held = listed.find(({ crawls }) => crawls.held !== null)
  terminal.next(held === undefined ? 'catalog sources test' : `catalog sources accept ${held.spec.id}`)
}

type Listed = Readonly<{
  spec: SourceSpec
  crawls: SourceCrawls
  /** Null of a source that is crawled by hand only; not later than now when it is due. */
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

/** What the file says and the catalog has otherwise; `command` makes the catalog follow, where there is one. */
type Difference = Readonly<{ key: string; file: string | number; catalog: string | number; command: string | null }>

function differencesOf({ id, ...spec }: SourceSpec, source: SourceAt): readonly Difference[] {
  const command = `catalog trust ${id} ${spec.trust} --reason "..."`
  const both: Difference[] = [
    { key: 'trust', file: spec.trust ?? source.trust, catalog: source.trust, command },
    { key: 'kind', file: spec.kind, catalog: source.kind, command: null },
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
  const { id, name, region, kind, trust, validityDays, schedule, enabled, line } = spec
  return {
    source_id: id,
    name,
    region,
    kind,
    trust: trust ?? null,
    validity_days: validityDays ?? null,
    schedule,
    enabled,
    line,
    next_due: nextDue && instant(nextDue),
    last_crawl: last && crawlJson(last),
    last_complete_crawl: whole && crawlJson(whole),
    held_crawl: held && crawlJson(held),
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

/** Of the SKUs that came again; null where there are none, or the crawl was not compared with another. */
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
    ...problems.map(({ code, detail }) => `${name}: ${code}: ${detail}`),
    ...(held === null
      ? []
      : [`${name}: ${held.crawl_id} waits for catalog sources accept ${id}, or drop ${id} --reason "..."`]),
    ...differences.map(({ key, file, catalog, command }) => {
      const how = command === null ? 'the first registration holds' : `to change it: ${command}`
      return `${name}: ${key} is ${catalog} in the catalog and ${file} in the file; ${how}`
    }),
  ]
}

/**
 * Fetches a little of each source that is enabled, or of those that are named, and shows what a crawl would record;
 * answers whether all could be read.
 */
export async function testSources(crawling: Crawling, { names }: { names: readonly string[] }): Promise<boolean> {
  const { env, terminal } = crawling
  const file = await readSources(env)
  const specs = chosenSources(file, names.length === 0 ? undefined : names)
  const deps = openSourceCrawler(crawling, file)
  const tested: { spec: SourceSpec; tried: SourcePreview }[] = []
  for (const spec of specs) tested.push({ spec, tried: await previewSource(spec, deps, { count: RECORDS_SHOWN }) })
  const sources = tested.map(({ spec: { id, name }, tried }) => ({ source_id: id, name, ...previewJson(tried) }))
  terminal.answer({ sources }, () =>
    tested.map(({ spec: { id, name }, tried }) => `${name} (${id})\n\n${previewText(tried)}`).join('\n\n'),
  )
  terminal.next('catalog crawl')
  return sources.every(({ observations }) => observations.length > 0)
}

/** Records what was held back of a source. */
export async function acceptCrawl(crawling: Crawling, given: string): Promise<void> {
  const report = await deciding(crawling, given, (held, deps) => acceptHeld(held, deps))
  answerReports(crawling.terminal, [report])
}

/** Nothing of what was held back of a source is ever recorded. */
export async function dropCrawl(
  crawling: Crawling,
  { given, reason: typed }: { given: string; reason: string },
): Promise<void> {
  // An event that cannot carry it would not be taken, and the crawl would wait for ever with nothing left of it.
  const reason = withoutSecrets(typed).trim()
  if (reason === '') throw new Error(`--reason '${typed}': expected why, in a few words`)
  const { source_id, crawl_id } = await deciding(crawling, given, async (held, deps) => {
    await dropHeld(held, { reason }, deps)
    return held
  })
  crawling.terminal.answer({ source_id, crawl_id, outcome: 'dropped', reason }, () => `dropped ${crawl_id}`)
  crawling.terminal.next('catalog sources')
}

/** What a person decides of a crawl that waits, while nothing else crawls its source. */
async function deciding<T>(
  crawling: Crawling,
  given: string,
  decide: (held: CrawlRow, deps: SourceCrawlDeps) => Promise<T>,
): Promise<T> {
  const { catalog } = crawling
  await catalog.catchUp()
  const { crawl } = await heldMeant(crawling, given)
  const decided = await leased(crawling, { id: crawl.source_id }, async (signal) => {
    await catalog.catchUp()
    const held = (await readCrawls(catalog.store, [crawl.source_id])).get(crawl.source_id)?.held
    if (held?.crawl_id !== crawl.crawl_id) throw new Error(`crawl ${crawl.crawl_id}: it waits no longer`)
    return decide(held, { ...openSourceCrawler(crawling), signal })
  })
  await catalog.catchUp()
  return decided
}

/** The crawl that waits under this id, or of this source. Throws an error that says which there are. */
async function heldMeant({ catalog, env }: Crawling, given: string) {
  const crawls = await readCrawls(catalog.store, await heldSourceIds(catalog.store))
  const known = await sourcesAt(catalog.store, { asOf: instant(catalog.now()), positions: null })
  // A file that is broken names nothing; what is held can be told by ids.
  const file = await sourcesReader(env)().catch(() => null)
  const nameOf = (id: string) => file?.sources.find((spec) => spec.id === id)?.name ?? known.get(id)?.name ?? id
  const held = [...crawls.values()].flatMap(({ held }) =>
    held === null ? [] : [{ crawl: held, sourceId: held.source_id, name: nameOf(held.source_id) }],
  )
  return held.find(({ crawl }) => crawl.crawl_id === given) ?? sourceMeant(held, { option: 'held crawl of', given })
}
