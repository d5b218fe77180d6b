import { writeWhole } from '@catalog/cli/shared/whole-file.ts'
import { decimalText } from '@catalog/core/recipes/amounts.ts'
import type { Bc3Entry } from '@catalog/formats/bc3/entries.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { writeBc3 } from '@catalog/formats/bc3/write.ts'
import type { PresentPrice } from './priced-lines.ts'
import { fileSource } from './read.ts'

/** Decimals of a unit price. */
const PRICE_PLACES = 4
const LEAST_PLACES = 2

/**
 * Writes the file again with two prices a concept: today's and the declared one, or the declared one alone.
 *
 * - A concept with a present price loses its recipe: by the standard a recipe prevails over a price.
 * - Chapters lose their prices, which every reader sums up again.
 * - Everything else stays as it is.
 *
 * `replaced` counts records with characters that the Windows charset, which every program reads, lacks. The file
 * appears whole or not at all.
 */
export async function writePriced(
  path: string,
  out: string,
  { presentPrices, date }: { presentPrices: ReadonlyMap<string, PresentPrice>; date: string },
): Promise<{ replaced: number }> {
  const { entries } = await openBc3(fileSource(path), { log: new DiagnosticLog() })
  const log = new DiagnosticLog()
  async function* priced() {
    for await (const batch of entries) yield batch.flatMap((entry) => pricedEntry(entry, presentPrices, date))
  }
  await writeWhole(out, writeBc3(priced(), { charset: 'ANSI', log }))
  return { replaced: log.counts.values().reduce((sum, count) => sum + count, 0) }
}

function pricedEntry(entry: Bc3Entry, presentPrices: ReadonlyMap<string, PresentPrice>, date: string): Bc3Entry[] {
  if (entry.letter === 'V') return [{ ...entry, header: 'Price', labels: ['Today', 'Declared'] }]
  if (entry.letter === 'D' || entry.letter === 'Y') return presentPrices.get(entry.code)?.price ? [] : [entry]
  if (entry.letter !== 'C') return [entry]
  if (entry.suffix !== '') return [{ ...entry, prices: [], dates: [] }]
  const price = presentPrices.get(entry.code)?.price
  const declared = entry.prices[0] ?? ''
  if (!price) return [{ ...entry, prices: declared === '' ? [] : [declared], dates: entry.dates.slice(0, 1) }]
  const now = decimalText(price, { places: PRICE_PLACES, least: LEAST_PLACES })
  return [{ ...entry, prices: [now, declared], dates: [date, entry.dates[0] ?? ''] }]
}
