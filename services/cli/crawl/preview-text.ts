import { table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import { countOf } from '@catalog/core/text.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { CrawlPreview } from '@catalog/crawler/ingest/preview.ts'
import { columnsOf } from '@catalog/formats/mapping/columns.ts'
import { STEP_NAMES, type StepName } from '@catalog/formats/steps/tally.ts'
import { percentText, priceText } from '@catalog/operations/price-change.ts'
import type { Moves } from '@catalog/operations/what-if/records.ts'
import { movesText } from '@catalog/operations/what-if/words.ts'
import { problemLines } from './crawl-problems.ts'
import { totalsOf } from './preview-json.ts'

/** Characters of a text in a table. */
const TEXT_CHARS = 60
/** Files whose detected format a preview shows. */
const FILES_SHOWN_MAX = 5

/** A preview for people: how the files were read, totals of the records, what would move, and the first records. */
export function previewText(preview: CrawlPreview, moves: Moves | null = null): string {
  const { detected, observations, parked, figures, problems } = preview
  const { sources, currencies, units, taxes: tax } = figures
  return [
    ...detected
      .slice(0, FILES_SHOWN_MAX)
      .flatMap((file) => [detectedText(file), ...stepLines(file), ...findingLines(file)]),
    '',
    totalsText(preview),
    ...problems.flatMap(problemLines).map((line) => `  ${line}`),
    ...Object.entries({ sources, currencies, units, tax }).map(
      ([what, count]) => `  ${what}: ${countsText(count) || 'none'}`,
    ),
    ...movesLines(moves),
    ...rowsOf('Would be recorded, first', observations.map(observationRow)),
    ...rowsOf('Would be parked, first', parked.map(parkedRow)),
  ].join('\n')
}

/** The same of a source: its problems and documents come first. */
export function sourcePreviewText({ documents, problems, preview }: SourcePreview, moves: Moves | null = null): string {
  return [
    ...problems.map(({ code, detail }) => `${code}: ${detail}`),
    ...documents.map(
      ({ name, contentType, bytes }) => `${name}: ${bytes} bytes${contentType ? ` of ${contentType}` : ''}`,
    ),
    preview === null ? 'no readable document' : previewText(preview, moves),
  ].join('\n')
}

/** The next step after previews, as `Terminal.next` tells it. */
export function nextAfterPreview(previews: readonly (CrawlPreview | null)[]): string {
  const found = previews.filter((preview) => preview !== null)
  if (found.some(({ observations }) => observations.length > 0)) return 'the same command without --preview'
  const isUndated = found.some(({ figures }) => (figures.parked.NO_DATE ?? 0) > 0)
  return `${isUndated ? 'the same command with --observed-at YYYY-MM-DD' : 'the same command with what the reasons ask for'}; nothing would be recorded now`
}

/** "20 records read, 2 would be recorded, 18 parked: NO_COLUMN 18". */
function totalsText(preview: CrawlPreview): string {
  const { records, recorded, parked } = totalsOf(preview)
  if (records === 0) return `nothing would be recorded: ${emptyText(preview)}`
  const read = `${preview.figures.isWhole ? '' : 'the first '}${countOf(records, 'record')} read`
  const reasons = countsText(preview.figures.parked)
  return `${read}, ${recorded === 0 ? 'nothing' : recorded} would be recorded, ${parked} parked${reasons && `: ${reasons}`}`
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

type Detected = CrawlPreview['detected'][number]

/** "  prices.csv: csv, an export of shopify, encoding utf-8, name ← Title". */
function detectedText(file: Detected): string {
  const { format, shop_system, columns, constants, rows_not_sold, sheets_passed_over, members_passed_over, hidden } =
    file
  const settings = Object.entries({
    encoding: file.encoding?.used,
    delimiter: file.delimiter && JSON.stringify(file.delimiter),
    decimal: file.decimal,
    ...constants,
  })
  const read = Object.entries(columns).map(([key, spec]) => [key, columnsOf(spec).join(' + ')] as const)
  const parts = [
    format ?? 'unknown format',
    ...(shop_system === null ? [] : [`an export of ${shop_system}`]),
    ...settings.flatMap(([key, value]) => (value == null ? [] : [`${key} ${value}`])),
    // Leave out columns that already have our names.
    ...read.flatMap(([key, column]) => (column === key ? [] : [`${key} ← ${column}`])),
    ...(rows_not_sold === 0 ? [] : [`rows that sell nothing: ${rows_not_sold}`]),
    ...(sheets_passed_over.length === 0 ? [] : [`not read: sheets ${sheets_passed_over.map(cut).join(', ')}`]),
    ...(hidden.rows + hidden.columns === 0
      ? []
      : [`not read: ${hidden.rows} hidden rows, ${hidden.columns} hidden columns`]),
    ...(members_passed_over.length === 0 ? [] : [`not read: files ${members_passed_over.map(cut).join(', ')}`]),
  ]
  return `  ${file.file}: ${parts.join(', ')}`
}

/** What the steps of the mapping changed in a file: "  rows dropped: 1, for example line 12, code: 'TOTAL'". */
function stepLines({ steps }: Detected): readonly string[] {
  return STEP_NAMES.flatMap((name) => {
    const done = steps[name]
    return done === undefined ? [] : [`  ${STEPS_TOLD[name]}: ${done.count}, for example ${done.example}`]
  })
}

const STEPS_TOLD: Readonly<Record<StepName, string>> = {
  short_rows: 'short rows filled with blanks',
  replace: 'cells replaced',
  lookup: 'cells looked up',
  parents: 'rows below another',
  unpivot: 'prices from columns',
  blanks: 'blank prices left out',
  rows: 'rows dropped',
  round: 'prices rounded',
}

/** Each selector of the source with its finding on a page: "  selector price: 1 element, '12,50 €'". */
function findingLines({ selectors }: Detected): readonly string[] {
  return Object.entries(selectors ?? {}).map(([field, { elements, texts }]) => {
    const found =
      elements === 0
        ? 'nothing found'
        : `${countOf(elements, 'element')}, ${texts.map((text) => `'${cut(text)}'`).join(', ') || 'no text'}`
    return `  selector ${field}: ${found}`
  })
}

function observationRow(observation: CrawlPreview['observations'][number]) {
  const { vendor_ref, name, unit, price, observed_at, edition } = observation
  const { cents, currency, per_quantity, tax } = price
  return {
    ref: cut(vendor_ref),
    name: cut(name),
    unit: cut(unit ?? ''),
    price: `${formatMoney(cents, currency)}${per_quantity === 1 ? '' : ` for ${per_quantity}`}`,
    tax: tax.included === null ? '' : tax.included ? 'included' : 'excluded',
    seen: observed_at,
    ...(edition !== undefined && { edition }),
  }
}

const parkedRow = ({ position, reason, detail }: CrawlPreview['parked'][number]) => ({
  position: cut(position),
  reason,
  detail,
})

/** What would move, with the largest changes; nothing without a catalog. */
export function movesLines(moves: Moves | null): readonly string[] {
  if (moves === null) return []
  return ['', `Would move: ${movesText(moves)}`, ...rowsOf('Largest changes', moves.largest.map(moveRow))]
}

const moveRow = ({ name, unit, market, before, after, relative }: Moves['largest'][number]) => ({
  item: cut(name),
  unit: cut(unit ?? ''),
  market: market ?? 'all',
  before: priceText(before),
  after: priceText(after),
  change: percentText(relative),
})

const rowsOf = (title: string, rows: Parameters<typeof table>[0]) =>
  rows.length === 0 ? [] : ['', title, '', table(rows)]

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name === '' ? '(none)' : cut(name)} ${count}`)
    .join(', ')

const cut = (text: string) => (text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS - 1)}…` : text)
