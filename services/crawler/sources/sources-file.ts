import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import type { Licence, SourceKind, UNTIL_SUPERSEDED } from '@catalog/core/events/sources.ts'
import type { Politeness } from '@catalog/crawler/fetch/host-queue.ts'
import type { HeaderFrom } from '@catalog/crawler/fetch/own-headers.ts'
import type { HealthLimits } from '@catalog/crawler/ingest/health.ts'
import type { QualityThresholds } from '@catalog/crawler/quality/quality-limits.ts'
import type { Format } from '@catalog/formats/format.ts'
import { Mapping } from '@catalog/formats/mapping/mapping.ts'
import { joinedUnits } from '@catalog/formats/mapping/unit-names.ts'
import type { Selectors } from '@catalog/formats/pages/selectors.ts'
import type { z } from 'zod'
import { isTemplate, LOOKBACK_DEFAULT, type Period, templateProblem } from './address-template.ts'
import {
  Address,
  ENTRY_POINTS_MAX,
  File,
  PAGINGS,
  POINT_KEYS,
  POINTS,
  type PointKey,
  SOURCES_MAX,
  Source,
} from './sources-schema.ts'
import { appendToList } from './yaml-append.ts'
import { type Path, readYamlFile, type YamlFile } from './yaml-file.ts'

/** `catalog.sources.yaml`: the sources, their schedules, and where their prices are. */
export type SourcesFile = Readonly<{
  /** The address of a page or of mail where shops reach the operator; null when the file names none. */
  contact: string | null
  /** The file's values, which replace the fetcher's. */
  politeness: Readonly<Partial<Pick<Politeness, 'perSecond' | 'atOnce'>>>
  sources: readonly SourceSpec[]
}>

export type SourceSpec = Readonly<{
  /** Safe as a file name. */
  id: string
  name: string
  region: string | null
  kind: SourceKind
  /** From 0 to 100. */
  trust?: number
  validity?: typeof UNTIL_SUPERSEDED
  validityDays?: number
  /** The vendor's address; by default the origin of the first entry point. */
  url: string | null
  /** Five cron fields in UTC; null for a source that is crawled by hand only. */
  schedule: string | null
  enabled: boolean
  currency?: string
  /** Two letters of ISO 639. */
  lang?: string
  /** At least one. */
  entryPoints: readonly EntryPoint[]
  mapping: Mapping | undefined
  /** Where pages have their price and other fields in the text; without it prices come from markup alone. */
  selectors?: Selectors
  /** By name: where the values of the operator's headers stand. */
  headers?: Readonly<Record<string, HeaderFrom>>
  /** A crawl sends back the cookies that its hosts set; by default it keeps none. */
  cookies?: boolean
  /** Documents of one crawl. */
  pagesMax: number
  /** Replaces limits of the source's kind. */
  health: Partial<HealthLimits>
  licence?: Licence
  /** A crawl that exceeds one is held. */
  quality?: QualityThresholds
  /** The line in the file where the source begins. */
  line: number
}>

/**
 * The beginning of a crawl. Addresses are http or https, without credentials and fragment. globs.ts defines the globs. An
 * empty `include` takes every address, an empty `follow` follows the links of every page, and `exclude` comes first.
 */
export type EntryPoint =
  | Readonly<{ kind: 'document'; url: string; format?: Format; editions?: Editions }>
  | Readonly<{ kind: 'sitemap'; url: string; include: readonly string[]; exclude: readonly string[] }>
  | Readonly<{
      kind: 'site'
      url: string
      follow: readonly string[]
      include: readonly string[]
      exclude: readonly string[]
    }>
  /** A file of the operator; `url` names it, and nobody requests it. */
  | Readonly<{ kind: 'file'; path: string; url: string; format?: Format }>
  /** JSON; `records` is the path to its list, such as data.items. */
  | Readonly<{ kind: 'api'; url: string; records?: string; paging?: Paging }>

/** The address has parts for the edition: the newest that exists counts, of so many before the present one. */
export type Editions = Readonly<{ period: Period; lookback: number }>

/** How a crawl requests the next page. A path leads to a place in the document, such as meta.next. */
export type Paging =
  /** The address at the path, relative or absolute; the last page has none. */
  | Readonly<{ kind: 'next'; path: string }>
  /** A number that counts up; a page without records is the last. */
  | Readonly<{ kind: 'page'; parameter: string; from: number; step: number }>
  /** The value at the path becomes the parameter; the last page has none. */
  | Readonly<{ kind: 'cursor'; parameter: string; path: string }>

/** Fits 10,000 sources of 400 bytes. */
const FILE_BYTES_MAX = 4 * 1024 ** 2
const MAPPING_BYTES_MAX = 256 * 1024
const PAGES_DEFAULT = 20_000
/** Further problems mostly repeat these. */
const PROBLEMS_SHOWN_MAX = 20
const MAPPING_PROBLEMS_SHOWN_MAX = 5

/** A draft of a source, with the keys of the file. */
export type SourceDraft = Readonly<
  Omit<z.input<typeof Source>, 'entry_points' | 'mapping'> & {
    entry_points: readonly (string | z.input<(typeof POINTS)[PointKey]>)[]
    mapping?: string | z.input<typeof Mapping> | undefined
  }
>
type Reading = Readonly<{
  place: string
  readMapping: (path: string) => string
  /** The whole path of a path beside the sources file; by default from the working folder. */
  pathOf?: PathOf
}>
type PathOf = (path: string) => string

/**
 * Parses the sources of a file. `place` names the file in messages. `readMapping` returns the text of a mapping file by
 * its written path, and is called once for each. Throws BadSourcesFile with one line for every problem.
 */
export function parseSources(
  text: string,
  { place, readMapping, pathOf = (path) => resolve(path) }: Reading,
): SourcesFile {
  const bytes = Buffer.byteLength(text)
  if (bytes > FILE_BYTES_MAX) {
    throw new BadSourcesFile(`${place}: ${bytes} bytes, expected at most ${FILE_BYTES_MAX}`)
  }
  const yaml = readYamlFile(text)
  // In broken YAML the keys may not mean what their writer meant.
  if (yaml.problems().length > 0) throw badFile(yaml, place)
  const file = yaml.check(File, [])
  const mappingAt = mappingReader(yaml, readMapping)
  const count = Math.min(listAt(yaml, ['sources']).length, SOURCES_MAX)
  const sources = Array.from({ length: count }, (_, n) => readSource(yaml, ['sources', n], { mappingAt, pathOf }))
  reportDuplicateIds(yaml, sources)
  if (file === undefined || yaml.problems().length > 0) throw badFile(yaml, place)
  const { contact = null, requests_per_second: perSecond, at_once: atOnce } = file
  // Without a problem every source is defined.
  return { contact, politeness: defined({ perSecond, atOnce }), sources: sources as SourceSpec[] }
}

/**
 * Appends a source to the text and keeps its comments and layout. An empty text becomes a file. Does not read mapping
 * files. Throws BadSourcesFile where the text or the draft is invalid, or the source's id is taken.
 */
export function addSource(text: string, draft: SourceDraft): string {
  const reading: Reading = { place: 'catalog.sources.yaml', readMapping: () => '{}' }
  const yaml = readYamlFile(text)
  const isEmpty = yaml.value === null && yaml.problems().length === 0
  const isFirst = isEmpty || (isKeyed(yaml.value) && isNone(yaml.value.sources))
  if (!isFirst) parseSources(text, reading)
  const added = appendToList(text, { key: 'sources', entry: draft })
  parseSources(added, reading)
  return added
}

const isNone = (list: unknown) => list === undefined || list === null || (Array.isArray(list) && list.length === 0)

export class BadSourcesFile extends Error {
  override name = 'BadSourcesFile'
}

function badFile(yaml: YamlFile, place: string): BadSourcesFile {
  const problems = yaml.problems()
  const shown = problems.slice(0, PROBLEMS_SHOWN_MAX).map(({ line, message }) => `${place} line ${line}, ${message}`)
  const more = problems.length - shown.length
  return new BadSourcesFile([...shown, ...(more > 0 ? [`and ${more} more`] : [])].join('\n'))
}

function isKeyed(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function listAt(yaml: YamlFile, path: Path): readonly unknown[] {
  const value = yaml.at(path)
  return Array.isArray(value) ? value : []
}

/** Undefined for an invalid source, whose problems it reports. */
function readSource(
  yaml: YamlFile,
  path: Path,
  { mappingAt, pathOf }: Readonly<{ mappingAt: (path: Path) => Mapping | undefined; pathOf: PathOf }>,
): SourceSpec | undefined {
  const source = yaml.check(Source, path)
  const points = listAt(yaml, [...path, 'entry_points']).slice(0, ENTRY_POINTS_MAX)
  const entryPoints = points.flatMap((_, n) => readPoint(yaml, [...path, 'entry_points', n], pathOf) ?? [])
  const mapping = mappingAt([...path, 'mapping'])
  const [first] = entryPoints
  if (source === undefined || first === undefined) return undefined
  if (source.selectors !== undefined && !entryPoints.some(mayHavePages)) {
    yaml.report(
      [...path, 'selectors'],
      'expected only beside an entry point with pages: a sitemap, a site or an address',
    )
  }
  const { source: name, region = null, trust, validity, validity_days: validityDays, currency, lang } = source
  return {
    id: source.id ?? sourceIdOf({ name, region }),
    name,
    region,
    kind: source.kind,
    ...defined({ trust, validity, validityDays, currency, lang }),
    ...defined({
      licence: source.licence,
      headers: source.headers,
      cookies: source.cookies,
      selectors: source.selectors,
    }),
    url: source.url ?? (first.kind === 'file' ? null : new URL('/', first.url).href),
    schedule: source.schedule ?? null,
    enabled: source.enabled ?? true,
    entryPoints,
    mapping: source.units === undefined ? mapping : { ...mapping, units: joinedUnits(mapping?.units, source.units) },
    pagesMax: source.pages_max ?? PAGES_DEFAULT,
    health: limitsOf<HealthLimits>(source.health ?? {}),
    ...(source.quality && { quality: limitsOf<QualityThresholds>(source.quality) }),
    line: yaml.lineOf(path),
  }
}

function mayHavePages(point: EntryPoint): boolean {
  return (
    point.kind !== 'api' &&
    ((point.kind !== 'document' && point.kind !== 'file') || [undefined, 'html'].includes(point.format))
  )
}

/** The given limits by the names that the code uses: `recordsMin` for `records_min`. */
function limitsOf<Limits>(given: Readonly<Record<string, number | undefined>>): Partial<Limits> {
  const named = Object.entries(given).map(([key, limit]) => [
    key.replace(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
    limit,
  ])
  return defined(Object.fromEntries(named)) as Partial<Limits>
}

function readPoint(yaml: YamlFile, path: Path, pathOf: PathOf): EntryPoint | undefined {
  const value = yaml.at(path)
  if (typeof value === 'string') {
    const url = yaml.check(Address, path)
    if (url !== undefined && isTemplate(url)) yaml.report(path, templateProblem(url, undefined) ?? '')
    return url === undefined ? undefined : { kind: 'document', url }
  }
  const keys = isKeyed(value) ? Object.keys(value) : []
  const kinds = POINT_KEYS.filter((key) => keys.includes(key))
  if (kinds.length !== 1) {
    yaml.report(path, 'expected an address, or one of the keys url, sitemap, site, api and file')
    return undefined
  }
  const [kind] = kinds as [PointKey]
  // Runs before the schema, which would call such a key unknown.
  for (const key of keys) {
    const owners = POINT_KEYS.filter((owner) => Object.hasOwn(POINTS[owner].shape, key))
    if (owners.length > 0 && !owners.includes(kind)) {
      yaml.report([...path, key], `expected only beside ${owners.join(' or ')}`)
    }
  }
  switch (kind) {
    case 'url': {
      const point = yaml.check(POINTS.url, path)
      if (point === undefined) return undefined
      const { url, format, period, lookback } = point
      // Addresses without a period may have braces of their own.
      const problem = period !== undefined || isTemplate(url) ? templateProblem(url, period) : null
      if (problem !== null) yaml.report([...path, 'url'], problem)
      if (lookback !== undefined && period === undefined)
        yaml.report([...path, 'lookback'], 'expected only beside period')
      const editions = period && { period, lookback: lookback ?? LOOKBACK_DEFAULT }
      return { kind: 'document', url, ...defined({ format, editions }) }
    }
    case 'sitemap': {
      const point = yaml.check(POINTS.sitemap, path)
      return point && { kind, url: point.sitemap, include: point.include ?? [], exclude: point.exclude ?? [] }
    }
    case 'site': {
      const point = yaml.check(POINTS.site, path)
      if (point === undefined) return undefined
      const { site: url, follow = [], include = [], exclude = [] } = point
      return { kind, url, follow, include, exclude }
    }
    case 'file': {
      const point = yaml.check(POINTS.file, path)
      if (point === undefined) return undefined
      const file = pathOf(point.file)
      return { kind, path: file, url: pathToFileURL(file).href, ...defined({ format: point.format }) }
    }
    case 'api': {
      const point = yaml.check(POINTS.api, path)
      const paging = readPaging(yaml, [...path, 'paging'])
      return point && { kind, url: point.api, ...defined({ records: point.records, paging }) }
    }
  }
}

function readPaging(yaml: YamlFile, path: Path): Paging | undefined {
  const value = yaml.at(path)
  if (value === undefined) return undefined
  if (!isKeyed(value) || !('next' in value || 'parameter' in value)) {
    yaml.report(path, 'expected next: PATH, or parameter: NAME with from: NUMBER or with cursor: PATH')
    return undefined
  }
  if ('next' in value) {
    const paging = yaml.check(PAGINGS.next, path)
    return paging && { kind: 'next', path: paging.next }
  }
  if ('cursor' in value) {
    const paging = yaml.check(PAGINGS.cursor, path)
    return paging && { kind: 'cursor', parameter: paging.parameter, path: paging.cursor }
  }
  const paging = yaml.check(PAGINGS.page, path)
  return paging && { kind: 'page', parameter: paging.parameter, from: paging.from, step: paging.step ?? 1 }
}

/** Reads each mapping file once, and reports its problems at its first use. */
function mappingReader(yaml: YamlFile, readMapping: (path: string) => string): (path: Path) => Mapping | undefined {
  const known = new Map<string, Mapping | undefined>()
  return (path) => {
    const value = yaml.at(path)
    if (value === undefined) return undefined
    if (isKeyed(value)) return yaml.check(Mapping, path)
    if (typeof value !== 'string' || value === '') {
      yaml.report(path, 'expected the path of a mapping file, or what would stand in it')
      return undefined
    }
    if (!known.has(value))
      known.set(
        value,
        readMappingFile(yaml, path, () => readMapping(value)),
      )
    return known.get(value)
  }
}

function readMappingFile(yaml: YamlFile, path: Path, readText: () => string): Mapping | undefined {
  let text: string
  try {
    text = readText()
  } catch (error) {
    yaml.report(path, `expected a file that can be read: ${(error as Error).message}`)
    return undefined
  }
  if (Buffer.byteLength(text) > MAPPING_BYTES_MAX) {
    yaml.report(path, `expected a file of at most ${MAPPING_BYTES_MAX} bytes`)
    return undefined
  }
  const file = readYamlFile(text)
  const mapping = file.problems().length === 0 ? file.check(Mapping, []) : undefined
  const problems = file.problems().slice(0, MAPPING_PROBLEMS_SHOWN_MAX)
  if (problems.length === 0) return mapping
  yaml.report(path, problems.map(({ line, message }) => `line ${line}, ${message}`).join('; '))
  return undefined
}

/** Two sources with one id would retract each other's prices. */
function reportDuplicateIds(yaml: YamlFile, sources: readonly (SourceSpec | undefined)[]): void {
  const first = new Map<string, number>()
  for (const [n, source] of sources.entries()) {
    if (source === undefined) continue
    const other = first.get(source.id)
    if (other === undefined) first.set(source.id, n)
    else {
      const place = `sources[${other}] on line ${yaml.lineOf(['sources', other])}`
      const key = yaml.at(['sources', n, 'id']) === undefined ? 'source' : 'id'
      yaml.report(['sources', n, key], `expected another id than ${source.id}, which is that of ${place}`)
    }
  }
}

function defined<T extends object>(values: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as { [Key in keyof T]?: Exclude<T[Key], undefined> }
}
