import { documentsJson, parkedJson } from '@catalog/cli/crawl/preview-json.ts'
import { findingLines } from '@catalog/cli/crawl/preview-text.ts'
import { table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { CrawlPreview } from '@catalog/crawler/ingest/preview.ts'
import { resolveMapping } from '@catalog/formats/headings/resolve-mapping.ts'
import { columnsOf } from '@catalog/formats/mapping/columns.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'

/** Records of a source in a preview. */
export const RECORDS_SHOWN = 3
/** Characters of a text in a table. */
const CELL_CHARS_MAX = 60
/** Files whose detected format a preview shows. */
const FILES_SHOWN_MAX = 5

/** A preview for machines. */
export function previewJson({ documents, problems, preview }: SourcePreview) {
  const { detected = [], observations = [], parked = [], figures } = preview ?? {}
  return {
    documents: documentsJson(documents),
    problems,
    detected,
    observations,
    parked: parked.map(parkedJson),
    totals: { ...totalsOf(preview), parked: figures?.parked ?? {}, is_whole: figures?.isWhole ?? true },
  }
}

/** Records of a preview, those of them that would be recorded, and those that would not. */
export function totalsOf(preview: CrawlPreview | null) {
  const { records = 0, parked: reasons = {} } = preview?.figures ?? {}
  const parked = Object.values(reasons).reduce((sum, count) => sum + count, 0)
  return { records, recorded: records - parked, parked }
}

/** "20 records read, 2 would be recorded, 18 parked: NO_COLUMN 18". */
function totalsText(preview: CrawlPreview): string {
  const { records, recorded, parked } = totalsOf(preview)
  if (records === 0) return `nothing would be recorded: ${emptyText(preview)}`
  const read = `${preview.figures.isWhole ? '' : 'the first '}${records} records read`
  const reasons = Object.entries(preview.figures.parked).map(([reason, count]) => `${reason} ${count}`)
  const why = reasons.length === 0 ? '' : `: ${reasons.join(', ')}`
  return `${read}, ${recorded === 0 ? 'nothing' : recorded} would be recorded, ${parked} parked${why}`
}

/** Why a preview has no record: the rows that the mapping leaves out, by step with an example; otherwise the list is empty. */
function emptyText({ detected }: CrawlPreview): string {
  const left = detected.flatMap(({ steps }) =>
    LEAVING_STEPS.flatMap(({ step, told }) => {
      const done = steps[step]
      return done === undefined ? [] : [`${told} ${done.count}, for example ${done.example}`]
    }),
  )
  return left.length === 0
    ? 'the documents have no records, such as an empty list'
    : `the mapping leaves out every row. ${left.slice(0, FILES_SHOWN_MAX).join('; ')}`
}
const LEAVING_STEPS = [
  { step: 'rows', told: 'Its rows drop' },
  { step: 'blanks', told: 'Blank prices:' },
] as const

/** A preview for people: the documents, the totals, the first records, and the dead letters. */
export function previewText({ documents, problems, preview }: SourcePreview): string {
  const fetchedChild = documents.map(
    ({ name, contentType, bytes }) => `${name}: ${bytes} bytes${contentType ? ` of ${contentType}` : ''}`,
  )
  const parts = [...problems.map(({ code, detail }) => `${code}: ${detail}`), ...fetchedChild]
  if (preview === null) return [...parts, 'no readable document'].join('\n')
  const { detected, observations, parked } = preview
  for (const file of detected.slice(0, FILES_SHOWN_MAX)) parts.push(detectedLine(file), ...findingLines(file))
  parts.push('', totalsText(preview), '')
  if (observations.length > 0) parts.push('Would be recorded, first', '', table(observations.map(observationLine)), '')
  if (parked.length > 0) parts.push('Would be parked, first', '', table(parked.map(parkedLine)), '')
  return parts.join('\n').trimEnd()
}

type Detected = CrawlPreview['detected'][number]

function detectedLine({ file, format, encoding, delimiter, decimal, columns, constants }: Detected): string {
  const said = Object.entries({
    format,
    encoding: encoding?.used,
    delimiter: delimiter && JSON.stringify(delimiter),
    decimal,
    ...Object.fromEntries(Object.entries(columns).map(([key, of]) => [key, columnsOf(of).join(' + ')])),
    ...constants,
  })
  // Leave out columns that already have our names.
  const told = said.flatMap(([key, value]) => (value == null || value === key ? [] : [`${key} ${value}`]))
  return `${file}: ${told.join(', ')}`
}

type Observation = CrawlPreview['observations'][number]

function observationLine({ vendor_ref, name, unit, price, observed_at, edition }: Observation) {
  const { cents, currency, per_quantity, tax } = price
  const per = per_quantity === 1 ? '' : ` for ${per_quantity}`
  return {
    ref: shown(vendor_ref),
    name: shown(name),
    unit: unit ?? '',
    price: `${formatMoney(cents, currency)}${per}`,
    tax: tax.included === null ? '' : tax.included ? 'included' : 'excluded',
    seen: observed_at,
    ...(edition !== undefined && { edition }),
  }
}

const parkedLine = ({ position, reason, detail }: CrawlPreview['parked'][number]) => ({
  position: shown(position),
  reason,
  detail,
})

const shown = (text: string) => (text.length > CELL_CHARS_MAX ? `${text.slice(0, CELL_CHARS_MAX - 1)}…` : text)

/** The headings of a table without any recognised column; null otherwise. */
export function unknownColumns({ preview }: SourcePreview): readonly string[] | null {
  const broken = preview?.parked.find(({ reason }) => reason === 'NO_COLUMN')
  return broken === undefined || preview?.observations.length !== 0 ? null : broken.raw.split(' | ')
}

/** A mapping file to fill in, with guesses from the headings. */
export function mappingSkeleton(columns: readonly string[]): string {
  const { resolved } = resolveMapping({}, columns)
  const keys = [...new Set<MappingKey>(['vendor_ref', 'name', 'unit', 'price', ...resolved.guessed])]
  const lines = keys.map((key) => {
    const guessed = resolved.columns[key]
    return guessed === undefined ? `  # ${key}: "..."` : `  ${key}: ${JSON.stringify(columnsOf(guessed)[0])}`
  })
  return [`# columns: ${columns.map((column) => JSON.stringify(column)).join(', ')}`, 'columns:', ...lines].join('\n')
}
