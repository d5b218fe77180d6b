import { table } from '@catalog/cli/shared/terminal.ts'
import { formatMoney } from '@catalog/core/money/money.ts'
import type { SourcePreview } from '@catalog/crawler/crawls/preview-source.ts'
import type { CrawlPreview } from '@catalog/crawler/ingest/preview.ts'
import { columnsOf } from '@catalog/formats/mapping/columns.ts'
import { STEP_NAMES, type StepName } from '@catalog/formats/steps/tally.ts'

/** Characters of a text in a table. */
const TEXT_CHARS = 50

/** A preview for people: how the files were read, figures of the records, and the first of them. */
export function previewText({ input, detected, observations, parked, figures }: CrawlPreview): string {
  const { records, isWhole, ...counts } = figures
  const listed = { sources: counts.sources, currencies: counts.currencies, units: counts.units, tax: counts.taxes }
  return [
    `${input}: ${isWhole ? '' : 'the first '}${records} records`,
    ...detected.flatMap((file) => [detectedText(file), ...stepLines(file), ...findingLines(file)]),
    ...Object.entries(listed).map(([what, count]) => `  ${what}: ${countsText(count) || 'none'}`),
    `  parked: ${countsText(counts.parked) || 'none'}`,
    ...(observations.length === 0
      ? []
      : [
          '',
          table(
            observations.map(({ vendor_ref, name, unit, price, observed_at }) => ({
              vendor_ref: cut(vendor_ref),
              name: cut(name),
              unit: cut(unit ?? ''),
              price: formatMoney(price.cents, price.currency),
              per: price.per_quantity,
              observed_at,
            })),
          ),
        ]),
    ...(parked.length === 0
      ? []
      : ['', table(parked.map(({ reason, position, detail }) => ({ reason, position, detail })))]),
  ].join('\n')
}

/** The next step after previews, as `Terminal.next` tells it. */
export function nextAfterPreview(previews: readonly (CrawlPreview | null)[]): string {
  const found = previews.filter((preview) => preview !== null)
  if (found.some(({ observations }) => observations.length > 0)) return 'the same command without --preview'
  const isUndated = found.some(({ figures }) => (figures.parked.NO_DATE ?? 0) > 0)
  return `${isUndated ? 'the same command with --observed-at YYYY-MM-DD' : 'the same command with what the reasons ask for'}; nothing would be recorded now`
}

/** The same of a source: its documents and their problems come first. */
export function sourcePreviewText({
  source,
  documents,
  problems,
  preview,
}: SourcePreview & { source: string }): string {
  return [
    `${source}: ${documents.length} ${documents.length === 1 ? 'document' : 'documents'}`,
    ...documents.map(({ name, contentType, bytes }) => `  ${name}: ${contentType}, ${bytes} bytes`),
    ...problems.map(({ code, detail }) => `  ${code}: ${detail}`),
    ...(preview === null ? [] : [previewText(preview)]),
  ].join('\n')
}

/** "prices.csv: csv, Shopify's export, name from 'Title'". */
function detectedText({
  file,
  format,
  shop_system,
  columns,
  rows_not_sold,
  sheets_passed_over,
  members_passed_over,
}: CrawlPreview['detected'][number]): string {
  const read = Object.entries(columns).map(([key, spec]) => `${key} ← ${columnsOf(spec).join(' + ')}`)
  const system = shop_system === null ? [] : [`an export of ${shop_system}`]
  const unsold = rows_not_sold === 0 ? [] : [`rows that sell nothing: ${rows_not_sold}`]
  const others = sheets_passed_over.length === 0 ? [] : [`not read: sheets ${sheets_passed_over.map(cut).join(', ')}`]
  const files = members_passed_over.length === 0 ? [] : [`not read: files ${members_passed_over.map(cut).join(', ')}`]
  return `  ${[`${file}: ${format ?? 'unknown format'}`, ...system, ...read, ...unsold, ...others, ...files].join(', ')}`
}

/** What the steps of the mapping changed in a file: "  rows dropped: 1, for example line 12, code: 'TOTAL'". */
function stepLines({ steps }: Pick<CrawlPreview['detected'][number], 'steps'>): readonly string[] {
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
export function findingLines({ selectors }: Pick<CrawlPreview['detected'][number], 'selectors'>): readonly string[] {
  return Object.entries(selectors ?? {}).map(([field, { elements, texts }]) => {
    const count = `${elements} ${elements === 1 ? 'element' : 'elements'}`
    const found =
      elements === 0 ? 'nothing found' : `${count}, ${texts.map((text) => `'${cut(text)}'`).join(', ') || 'no text'}`
    return `  selector ${field}: ${found}`
  })
}

const countsText = (counts: Readonly<Record<string, number>>) =>
  Object.entries(counts)
    .map(([name, count]) => `${name === '' ? '(none)' : cut(name)} ${count}`)
    .join(', ')

const cut = (text: string) => (text.length > TEXT_CHARS ? `${text.slice(0, TEXT_CHARS - 1)}…` : text)
