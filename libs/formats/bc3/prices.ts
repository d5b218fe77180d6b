import { decodeStream, type Encoding, type EncodingReport } from '@catalog/formats/bytes/encoding.ts'
import {
  BATCH_RECORDS,
  type BrokenRecord,
  type ByteSource,
  definedRecord,
  RECORD_CHARS_MAX,
  type ReadRecord,
  type RecordBatches,
} from '@catalog/formats/bytes/record.ts'
import { parseBc3Date } from './date.ts'
import { type Bc3Header, firstOf, readBc3Header } from './header.ts'
import { isPercentage } from './percentage.ts'
import { type Bc3Record, bc3Records } from './records.ts'

/** Reads the prices of FIEBDC-3 (BC3), the Spanish exchange format of price banks, from its concepts (~C). */

export type Bc3Options = Readonly<{
  name: string
  encoding?: Encoding | undefined
  /** Currency when ~K names none. */
  currency?: string | undefined
  /** Date when neither the concept nor the file has one. */
  observedAt?: string | undefined
  onHeading?: (heading: Readonly<{ header: Bc3Header; encoding: EncodingReport }>) => void
}>

/**
 * Reads one record for each price of each concept (~C). A concept without a price is one broken record; other records
 * of the format yield nothing.
 *
 * The reference is the code. Prices of several labels are prices of different SKUs: their reference is `code@label` by
 * ~V's labels (region, epoch), or `code@2` without a label, and their name ends with "(label)" or "(2)". Broken are:
 * - chapters, the root and percentages (NOT_A_PRICE), and parametric families (PARAMETRIC);
 * - a price that is blank or 0, which FIEBDC computes from the recipe (NO_PRICE);
 * - a concept with more than {@link PRICES_MAX} prices (TOO_MANY_PRICES).
 */
export async function* readBc3(source: ByteSource, options: Bc3Options): RecordBatches {
  const header = await readBc3Header(source, options)
  options.onHeading?.({ header: header.header, encoding: header.encoding })
  const { text } = decodeStream(source.open(), header.hints)
  let found: ReadRecord[] = []
  for await (const batch of bc3Records(text)) {
    for (const record of batch) {
      if (record.letter === 'C') for (const price of prices(record, header.header, options)) found.push(price)
      if (found.length < BATCH_RECORDS) continue
      yield found
      found = []
    }
  }
  if (found.length > 0) yield found
}

function* prices(record: Bc3Record, header: Bc3Header, options: Bc3Options): Generator<ReadRecord> {
  const { fields, raw } = record
  const code = firstOf(fields[0]) ?? ''
  const unit = firstOf(fields[1]) ?? ''
  const name = (fields[2] ?? []).join(' ').trim()
  const place = `${options.name} line ${record.line} ~C ${code.slice(0, 60)}`
  const broken = (reason: string, detail: string, position = place): BrokenRecord => ({ position, raw, reason, detail })

  if (record.isCut) return yield broken('RECORD_TOO_LONG', `the record is longer than ${RECORD_CHARS_MAX} characters`)
  if (code.endsWith('#')) return yield broken('NOT_A_PRICE', 'a chapter: its price is the sum of its contents')
  if (isPercentage({ code, unit })) return yield broken('NOT_A_PRICE', 'a percentage of other lines')
  if (code.endsWith('$')) return yield broken('PARAMETRIC', 'a parametric family: its prices are computed by a program')

  const given = (fields[3] ?? []).map((price) => price.trim())
  const dates = (fields[4] ?? []).map((date) => date.trim()).filter((date) => date !== '')
  const priced = given.filter((price) => price !== '').length
  if (priced === 0) return yield broken('NO_PRICE', 'the concept has no price')
  if (priced > PRICES_MAX) {
    return yield broken('TOO_MANY_PRICES', `the concept has ${priced} prices, at most ${PRICES_MAX} are read`)
  }
  for (const [i, price] of given.entries()) {
    if (price === '') continue
    const several = priced > 1
    const position = several ? `${place} price ${i + 1}` : place
    if (/^[+-]?[0.,]*$/.test(price)) {
      yield broken('NO_PRICE', 'a price of 0: the recipe gives it', position)
      continue
    }
    const own = dates[Math.min(i, dates.length - 1)]
    const date = own === undefined ? (header.date ?? '') : parseBc3Date(own)
    if (date === undefined) {
      yield broken('BAD_DATE', `${own}: expected DDMMYYYY, DDMMYY, MMYY, YYYY or YY`, position)
      continue
    }
    const observedAt = date || options.observedAt || ''
    const label = header.labels[i] || String(i + 1)
    const values = {
      vendor_ref: code === '' || !several ? code : `${code}@${label}`,
      name: name === '' || !several ? name : `${name} (${label})`,
      unit,
      // The standard has a decimal point and no thousands; some programs write a comma.
      price: /^[^.,]*,[^.,]*$/.test(price) ? price.replace(',', '.') : price,
      currency: header.currency ?? options.currency ?? '',
      observed_at: observedAt,
    }
    yield definedRecord({ position, raw }, values)
  }
}

/** Prices of one concept; price banks have one for each of some 20 regions. */
const PRICES_MAX = 1_000
