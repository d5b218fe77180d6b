import { readBc3 } from '@catalog/formats/bc3/prices.ts'
import { readBmecat } from '@catalog/formats/bmecat/bmecat.ts'
import { decodeStream, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource, RecordBatches } from '@catalog/formats/bytes/record.ts'
import { resolveMapping } from '@catalog/formats/headings/resolve-mapping.ts'
import { columnsRead } from '@catalog/formats/mapping/columns.ts'
import { listOf, unfolded } from '@catalog/formats/mapping/list-columns.ts'
import { readMerchant } from '@catalog/formats/merchant/merchant.ts'
import { readOffers } from '@catalog/formats/pages/offers.ts'
import { shownFindings } from '@catalog/formats/pages/selectors.ts'
import { cellAt } from '@catalog/formats/steps/edition.ts'
import { headingsAfter, openSteps, type Steps } from '@catalog/formats/steps/steps.ts'
import { count, type StepTally } from '@catalog/formats/steps/tally.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { readJson } from '@catalog/formats/tables/json.ts'
import { readJsonl } from '@catalog/formats/tables/jsonl.ts'
import type { TableLayout } from '@catalog/formats/tables/table.ts'
import type { readXlsx } from '@catalog/formats/xlsx/xlsx.ts'
import { readElements } from '@catalog/formats/xml/elements.ts'
import { type Format, isJson } from './format.ts'
import type { Detected, ReadOptions } from './read-options.ts'

/** The reader of each format. */

/** Formats that define the meaning of each value, and so need no mapping. */
const DEFINED = ['bc3', 'bmecat', 'merchant', 'html'] as const satisfies readonly Format[]
export type DefinedFormat = (typeof DEFINED)[number]

export function isDefined(format: Format): format is DefinedFormat {
  return DEFINED.some((defined) => defined === format)
}

/** Whether headings give all columns of a mapping after its steps, or those of a guess. */
export function isHeadingBy(mapping: ReadOptions['mapping'] = {}): (columns: readonly string[]) => boolean {
  return (written) => {
    const { columns, missing } = headingsAfter(mapping, written)
    return missing.length === 0 && resolveMapping(mapping, columns).missing.length === 0
  }
}

/** What the reader of a table tells: its columns, and the cell with the edition. */
export type FoundInTable = Readonly<{
  onColumns?: (columns: readonly string[], workbook?: Readonly<{ is1904: boolean }>) => void
  onCell?: (text: string) => void
}>

/** The layout that a mapping gives a table. */
function layoutOf({ mapping }: ReadOptions, detected: Detected, { onCell = () => {} }: FoundInTable): TableLayout {
  const { skip_rows, header_row, short_rows, edition } = mapping ?? {}
  return {
    skippedLines: skip_rows,
    headingLines: header_row === 'none' ? null : typeof header_row === 'number' ? [header_row] : header_row,
    canRowsBeShort: short_rows,
    onShortRow: (position, cells, columns) =>
      count(detected.steps, 'short_rows', () => `${position}: ${cells} fields of ${columns}`),
    cell: edition !== undefined && 'cell' in edition ? { ...cellAt(edition.cell), onText: onCell } : undefined,
  }
}

/** The steps of a mapping; they add the place of the records where the mapping reads it. */
export function stepsOf({ mapping, place }: ReadOptions, tally: StepTally): Steps {
  const isPlaceRead = columnsRead(mapping).some((column) => column === '_file' || column === '_sheet')
  return openSteps(mapping ?? {}, tally, isPlaceRead ? place : undefined)
}

/** The records of a file before the steps of the mapping. Sets what it finds in `detected`. */
export function recordsOf(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
  found: FoundInTable = {},
): RecordBatches {
  const { mapping } = options
  const name = source.name
  const isHeading = isHeadingBy(mapping)
  const { onColumns = () => {} } = found
  // A file is read for a sample first; the last reading counts.
  detected.steps = {}
  const layout = layoutOf(options, detected, found)
  if (isDefined(format)) return definedRecords(source, format, options, detected)
  if (format === 'xlsx') {
    return readWorkbook(source, {
      name,
      // Several sheets are read one by one.
      sheet: Array.isArray(mapping?.sheet) ? undefined : mapping?.sheet,
      isHeading,
      layout,
      onHeading: ({ columns, is1904 }) => onColumns(columns, { is1904 }),
      onHidden: (hidden) => {
        detected.hidden = hidden
      },
    })
  }
  if (format === 'xml') {
    return readElements(source, {
      name,
      records: mapping?.records,
      columns: columnsRead(mapping),
      encoding: mapping?.encoding,
      onEncoding: (encoding) => {
        detected.encoding = encoding
      },
    })
  }
  const { report, text } = decodeStream(source.open(), { given: mapping?.encoding, declared: options.page?.charset })
  detected.encoding = report
  if (isJson(format)) {
    const list = listOf(mapping)
    const records =
      format === 'jsonl' ? readJsonl(text, { name }) : readJson(text, { name, records: mapping?.records, isHeading })
    return list === null ? records : unfolded(records, list)
  }
  return readCsv(text, {
    name,
    delimiter: mapping?.delimiter,
    isHeading,
    layout,
    onHeading({ delimiter, columns }) {
      detected.delimiter = delimiter
      onColumns(columns)
    },
  })
}

function definedRecords(
  source: ByteSource,
  format: DefinedFormat,
  options: ReadOptions,
  detected: Detected,
): RecordBatches {
  const { mapping, defaults } = options
  const { currency, observed_at, region } = mapping?.constants ?? {}
  const onEncoding = (encoding: EncodingReport) => {
    detected.encoding = encoding
  }
  const given = {
    name: source.name,
    encoding: mapping?.encoding,
    currency: currency ?? defaults.currency,
    observedAt: observed_at ?? defaults.observedAt,
  }
  switch (format) {
    case 'bc3':
      return readBc3(source, {
        ...given,
        onHeading: ({ header, encoding }) => Object.assign(detected, { bc3: header, encoding }),
      })
    case 'bmecat':
      return readBmecat(source, { ...given, region: region ?? defaults.region })
    case 'merchant':
      return readMerchant(source, {
        ...given,
        decimal: mapping?.decimal,
        region: region ?? defaults.region,
        onEncoding,
      })
    case 'html': {
      const { url = defaults.sourceUrl, charset, expectsOffer = true, selectors } = options.page ?? {}
      return given.observedAt === undefined
        ? undated(source.name)
        : readOffers(source, {
            ...given,
            observedAt: given.observedAt,
            url,
            charset,
            expectsOffer,
            selectors,
            decimal: mapping?.decimal,
            onFindings(findings) {
              detected.selectors = shownFindings(findings)
            },
          })
    }
  }
}

/** A page does not tell when its prices were seen. */
async function* undated(position: string): RecordBatches {
  yield [
    {
      position,
      raw: '',
      reason: 'NO_DATE',
      detail: 'expected --observed-at, the day on which the page was fetched',
      endsFile: true,
    },
  ]
}

/** Loads the spreadsheet reader on demand: it takes more memory than all other readers together. */
async function* readWorkbook(...args: Parameters<typeof readXlsx>): RecordBatches {
  const xlsx = await import('@catalog/formats/xlsx/xlsx.ts')
  yield* xlsx.readXlsx(...args)
}
