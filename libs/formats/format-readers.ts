import { BC3_COLUMNS, readBc3 } from '@catalog/formats/bc3/prices.ts'
import { BMECAT_COLUMNS, readBmecat } from '@catalog/formats/bmecat/bmecat.ts'
import { decodeStream, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import type { ByteSource, RecordBatches } from '@catalog/formats/bytes/record.ts'
import { resolveMapping } from '@catalog/formats/mapping/columns.ts'
import { listOf, unfolded } from '@catalog/formats/mapping/list-columns.ts'
import type { MappingKey } from '@catalog/formats/mapping/mapping-keys.ts'
import { MERCHANT_COLUMNS, readMerchant } from '@catalog/formats/merchant/merchant.ts'
import { OFFERS_COLUMNS } from '@catalog/formats/pages/offer-products.ts'
import { readOffers } from '@catalog/formats/pages/offers.ts'
import { shownFindings } from '@catalog/formats/pages/selectors.ts'
import { readCsv } from '@catalog/formats/tables/csv.ts'
import { readJson } from '@catalog/formats/tables/json.ts'
import { readJsonl } from '@catalog/formats/tables/jsonl.ts'
import type { readXlsx } from '@catalog/formats/xlsx/xlsx.ts'
import { type Format, isJson } from './format.ts'
import type { Detected, ReadOptions } from './read-options.ts'

/** The reader of each format. */

/** Columns of formats that define the meaning of each value, and so need no mapping. */
export const DEFINED_COLUMNS = {
  bc3: BC3_COLUMNS,
  bmecat: BMECAT_COLUMNS,
  merchant: MERCHANT_COLUMNS,
  html: OFFERS_COLUMNS,
} as const satisfies Partial<Record<Format, readonly MappingKey[]>>
export type DefinedFormat = keyof typeof DEFINED_COLUMNS

export function isDefined(format: Format): format is DefinedFormat {
  return format in DEFINED_COLUMNS
}

/** Whether headings give all columns of a mapping, or those of a guess. */
export function isHeadingBy(mapping: ReadOptions['mapping']): (columns: readonly string[]) => boolean {
  return (columns) => resolveMapping(mapping ?? {}, columns).missing.length === 0
}

/** The records of a file. Sets what it finds in `detected`, and passes the headings of a table to `onColumns`. */
export function recordsOf(
  source: ByteSource,
  format: Exclude<Format, 'zip'>,
  options: ReadOptions,
  detected: Detected,
  onColumns: (columns: readonly string[]) => void = () => {},
): RecordBatches {
  const { mapping } = options
  const name = source.name
  const isHeading = isHeadingBy(mapping)
  if (isDefined(format)) return definedRecords(source, format, options, detected)
  if (format === 'xlsx') {
    return readWorkbook(source, {
      name,
      sheet: mapping?.sheet,
      isHeading,
      onHeading: ({ columns }) => onColumns(columns),
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
