import type { Rational } from '@catalog/core/money/rational.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'

/** Decimals of a unit price. */
const PRICE_PLACES = 4
const LEAST_PLACES = 2

/** Prices per unit of a concept, by its code, and what they stand on. */
type PresentPrices = ReadonlyMap<string, Readonly<{ price: Rational; evidence: string }>>

/** Begins the evidence behind the text of a concept. */
const EVIDENCE = 'Price evidence: '
/** The long text of a concept without the evidence of a former price. */
export const withoutEvidence = (text: string): string => text.split(EVIDENCE, 1).join('').trimEnd()
/** The long text of a concept with the evidence of its price; '' without any. */
export const textWith = (text: string, evidence: string): string =>
  [withoutEvidence(text), evidence && `${EVIDENCE}${evidence}`].filter(Boolean).join('\n')

type Given = Readonly<{ presentPrices: PresentPrices; date: string; added?: { overhead?: string; profit?: string } }>

/**
 * A file again with two prices a concept: today's and the declared one, or the declared one alone.
 *
 * - A concept with a present price loses its recipe: by the standard a recipe prevails over a price.
 * - Chapters lose their prices, which every reader sums up again.
 * - The evidence of a price stands behind the text of its concept (~T), in place of that of a former price.
 * - Everything else stays as it is.
 *
 * `log` counts records with characters that the Windows charset, which every program reads, lacks. `date` is that of today's
 * prices, YYYY-MM-DD, and `added` the percentages on the whole.
 */
export async function pricedBook(
  source: ByteSource,
  { log, ...given }: Given & { log: DiagnosticLog },
): Promise<AsyncGenerator<Uint8Array, void, undefined>> {
  const { entries } = await openBc3(source, { log: new DiagnosticLog() })
  const missing = new Map(given.presentPrices)
  async function* priced() {
    for await (const batch of entries) {
      for (const entry of batch) if (entry.letter === 'T') missing.delete(entry.code)
      yield batch.flatMap((entry) => pricedEntry(entry, given))
    }
    for (const [code, { evidence }] of missing)
      yield [{ letter: 'T', line: 1, code, suffix: '', text: textWith('', evidence) } as const]
  }
  return writeBc3(priced(), { charset: 'ANSI', log })
}

function pricedEntry(entry: Bc3Entry, { presentPrices, date, added }: Given): Bc3Entry[] {
  if (entry.letter === 'K') return [{ ...entry, ...added }]
  if (entry.letter === 'V') return [{ ...entry, header: 'Price', labels: ['Today', 'Declared'] }]
  if (entry.letter === 'raw' || !('code' in entry)) return [entry]
  const present = presentPrices.get(entry.code)
  if (entry.letter === 'T' && present !== undefined) return [{ ...entry, text: textWith(entry.text, present.evidence) }]
  if (entry.letter === 'D' || entry.letter === 'Y') return present === undefined ? [entry] : []
  if (entry.letter !== 'C') return [entry]
  if (entry.suffix !== '') return [{ ...entry, prices: [], dates: [] }]
  const declared = entry.prices[0] ?? ''
  if (present === undefined)
    return [{ ...entry, prices: declared === '' ? [] : [declared], dates: entry.dates.slice(0, 1) }]
  const now = decimalText(present.price, { places: PRICE_PLACES, least: LEAST_PLACES })
  return [{ ...entry, prices: [now, declared], dates: [date, entry.dates[0] ?? ''] }]
}
