import { existsSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { openReuseCheck } from '@catalog/aggregator/matching/reused-references.ts'
import { parseInstant } from '@catalog/cli/shared/instants.ts'
import { longWork, type Terminal, table } from '@catalog/cli/shared/terminal.ts'
import { wholeNumber } from '@catalog/cli/shared/whole-number.ts'
import { isSourceRegion, regionsExpected } from '@catalog/core/median/regions.ts'
import { instant } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import type { CrawlInput, InputOptions } from '@catalog/crawler/ingest/inputs.ts'
import type { CrawlProgress } from '@catalog/crawler/ingest/parsed-input.ts'
import { type CrawlPreview, preview } from '@catalog/crawler/ingest/preview.ts'
import type { CrawlReport } from '@catalog/crawler/ingest/report.ts'
import { openParser } from '@catalog/crawler/parse/parser.ts'
import { ReusedReferences } from '@catalog/crawler/quality/reused-references.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { regionOf } from '@catalog/formats/mapping/record-source.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { withSourceLease } from '@catalog/operations/source-lease.ts'
import { type Moves, movesIfAny } from '@catalog/operations/what-if/records.ts'
import { openFollower } from '@catalog/runtime/follower.ts'
import { keepHeapSmall } from '@catalog/runtime/heap.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import type { Progress } from '@catalog/store/work.ts'
import { heldNext, problemLines } from './crawl-problems.ts'
import { inputPreviewJson, movesJson } from './preview-json.ts'
import { nextAfterPreview, previewText } from './preview-text.ts'

export type CrawlOptions = Readonly<{
  source?: string
  region?: string
  trust?: string
  kind?: string
  validity?: string
  validityDays?: string
  format?: string
  mapping?: string
  newSources?: boolean
  currency?: string
  observedAt?: string
  lang?: string
}>

/** The inputs and their options. Throws an error that names the option and its expectation. */
export function inputsOf(paths: readonly string[], options: CrawlOptions): CrawlInput[] {
  for (const path of paths) if (!existsSync(path)) throw new Error(`input '${path}': no such file or folder`)
  const shared = inputOptions(options)
  return paths.map((path) => ({ path, options: shared }))
}

/** The options of all inputs; throws as {@link inputsOf}. */
export function inputOptions(options: CrawlOptions): InputOptions {
  const { mapping, format, observedAt, trust, validityDays, region, ...rest } = options
  return {
    ...rest,
    ...(region === undefined ? {} : { region: sourceRegion(region) }),
    ...(format === undefined ? {} : { format }),
    ...(mapping === undefined ? {} : { mapping: parseMapping(readFileSync(mapping, 'utf8'), mapping) }),
    ...(observedAt === undefined ? {} : { observedAt: parseInstant(observedAt, '--observed-at') }),
    ...(trust === undefined ? {} : { trust: wholeNumber(trust, { option: '--trust', min: 0, max: 100 }) }),
    ...(validityDays === undefined
      ? {}
      : { validityDays: wholeNumber(validityDays, { option: '--validity-days', min: 1, max: 3_650 }) }),
  } as InputOptions
}

/** The region of an operator's word; throws for one in which nothing votes. */
function sourceRegion(written: string): string {
  const region = regionOf(written)
  if (!isSourceRegion(region)) throw new Error(`--region '${written}': ${regionsExpected(region)}`)
  return region
}

/** `catalog crawl`: appends the records of the inputs and updates the read models. */
export async function crawlInputs(
  catalog: Catalog,
  terminal: Terminal,
  inputs: readonly CrawlInput[],
  signal?: AbortSignal,
): Promise<readonly CrawlReport[]> {
  keepHeapSmall()
  const crawling = (show: (at: Progress) => void) =>
    withSourceLease({ catalog, signal }, { id: `files ${catalog.aggregator.holder}` }, async (signal, note) => {
      const tell = (at: Progress) => {
        note(at)
        show(at)
      }
      // The crawl must know earlier registrations before it decides what to register.
      await catalog.catchUp()
      const stageOf = crawlStages()
      // The tables follow while the crawl appends.
      await using tables = openFollower(catalog.aggregator.catchUp)
      const reports = await crawl(inputs, {
        ...crawlerPorts(catalog),
        signal,
        onProgress(progress) {
          tell(stageOf(progress))
          if (progress.work === 'append') tables.follow()
        },
      })
      await tables.settled()
      await catalog.catchUp((done) => tell({ stage: 'records projected', done, total: null }))
      return reports
    })
  return longWork({ terminal, signal, next: CRAWL_AGAIN }, crawling)
}
export const CRAWL_AGAIN = 'the same catalog crawl goes on, and records nothing twice'

/** What a crawl does, all inputs together: it counts bytes until the first of them appends, then records. */
export function crawlStages(): (at: CrawlProgress) => Progress {
  const inputs = { read: new Map<string, CrawlProgress>(), append: new Map<string, CrawlProgress>() }
  return (at) => {
    inputs[at.work].set(at.input, at)
    const known = [...(inputs.append.size > 0 ? inputs.append : inputs.read).values()]
    const sumOf = (key: 'done' | 'total') => known.reduce((sum, input) => sum + input[key], 0)
    const stage = inputs.append.size > 0 ? 'records appended' : 'bytes read'
    return { stage, done: sumOf('done'), total: sumOf('total') }
  }
}

/** Each process that reads takes up to 200 MB, and this one appends no faster than some read. */
const READ_AT_ONCE = Math.min(availableParallelism(), 4)
/** A further process starts in the processor time that reading two megabytes takes, so it is worth its start from a multiple on. */
const BESIDE_BYTES_MIN = 16 * 1024 ** 2
/** Reads vendors' files in processes of their own, so that no file takes the memory or the time of this one. */
export const PARSER = openParser({ keptMax: READ_AT_ONCE })

/** The ports of the crawler. */
export function crawlerPorts(catalog: Catalog) {
  return {
    log: catalog.log,
    now: catalog.now,
    newCrawlId: catalog.newCrawlId,
    spoolDir: catalog.spoolDir,
    readFile: PARSER.readFile,
    readAtOnce: (bytes: number) => (bytes < BESIDE_BYTES_MIN ? 1 : READ_AT_ONCE),
    registeredSources: (ids: readonly string[]) => registeredSources(catalog.store, ids),
    openReuseCheck: () => openReuseCheck(catalog.store, instant(catalog.now())),
  }
}

export function answerReports(terminal: Terminal, reports: readonly CrawlReport[]): void {
  const inputs = reports.map(({ crawlId, sources, ...report }) => ({
    crawl_id: crawlId,
    sources: sources.map(({ sourceId, name }) => ({ source_id: sourceId, name })),
    ...report,
  }))
  terminal.answer({ inputs }, () =>
    table(
      reports.map(({ input, crawlId, read, appended, duplicates, parked, recipes, complete, outcome }) => ({
        input,
        read,
        appended,
        duplicates,
        parked: Object.values(parked).reduce((sum, count) => sum + count, 0),
        reasons: reasonsOf(parked),
        // Only price books have recipes.
        ...(reports.some(({ recipes }) => recipes.read > 0) && { recipes: recipesOf(recipes) }),
        complete: complete ? 'yes' : 'NO',
        // Only fetched sources have another outcome.
        ...(reports.some(({ outcome }) => outcome !== 'recorded') && { outcome }),
        crawl_id: crawlId,
      })),
    ),
  )
  for (const { input, problems, forbidden } of reports) {
    if (forbidden > 0)
      terminal.note(`${input}: robots.txt forbids ${forbidden} links, which are no documents of the source`)
    for (const line of problems.flatMap(problemLines)) terminal.note(`${input}: ${line}`)
  }
  const held = reports.filter(({ outcome }) => outcome === 'held')
  if (held.length > 0) {
    terminal.next(heldNext(held.map(({ crawlId }) => crawlId)))
    return
  }
  const conflicting = reports.find(({ parked }) => (parked.SKU_CONFLICT ?? 0) > 0)
  if (conflicting !== undefined) {
    terminal.next(
      `catalog parked names the mapping; then catalog retract --crawl ${conflicting.crawlId} --reason "...", and crawl again`,
    )
  } else terminal.next(reports.some(({ appended }) => appended > 0) ? 'catalog aggregate' : 'catalog status')
}

function recipesOf({ appended, refused }: CrawlReport['recipes']): string {
  const reasons = reasonsOf(refused)
  return reasons === '' ? String(appended) : `${appended} (refused: ${reasons})`
}

function reasonsOf(counts: Readonly<Record<string, number>>): string {
  return Object.entries(counts)
    .map(([reason, count]) => `${reason} ${count}`)
    .join(', ')
}

/** Records of each input in a preview. */
const PREVIEW_RECORDS = 5

/**
 * `catalog crawl --preview`: the first records as a crawl would record them, and what would move; appends nothing. Returns whether
 * a crawl would read all of them whole.
 */
export async function previewInputs(
  { catalog, terminal }: Readonly<{ catalog: Catalog | null; terminal: Terminal }>,
  inputs: readonly CrawlInput[],
): Promise<boolean> {
  const previews: { shown: CrawlPreview; moves: Moves | null }[] = []
  for (const input of inputs) {
    const shown = await preview(input, { now: () => new Date(), readFile: PARSER.readFile }, PREVIEW_RECORDS)
    previews.push({ shown, moves: await movesIfAny(catalog, shown) })
    const reused = new ReusedReferences(catalog ? crawlerPorts(catalog).openReuseCheck : undefined)
    for (const { content } of shown.recordable) reused.add(() => content)
    await reused.compare()
    for (const line of reused.problems().flatMap(problemLines)) terminal.note(`${input.path}: ${line}`)
  }
  const answered = previews.map(({ shown, moves }) => ({ ...inputPreviewJson(shown), moves: movesJson(moves) }))
  terminal.answer({ inputs: answered }, () =>
    previews.map(({ shown, moves }) => `${shown.input}\n${previewText(shown, moves)}`).join('\n\n'),
  )
  terminal.next(nextAfterPreview(previews.map(({ shown }) => shown)))
  return previews.every(({ shown }) => shown.isComplete && shown.problems.length === 0)
}
