import { createReadStream, mkdtempDisposableSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Bench, interleaved } from '@catalog/bench/harness/report.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'
import { writePriceBook } from './price-book.ts'

/** Reads and reprices a price bank; the peer only splits its bytes into lines. */
export const bc3Bench: Bench = {
  title: 'a generated BC3 price bank, read and repriced, beside plain line splitting of the same bytes',
  async run(say, { isBrief = false, items: [recipes = isBrief ? BRIEF_RECIPES : RECIPES] = [] } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-bc3-'))
    const path = join(folder.path, 'bank.bc3')
    await writePriceBook(path, { resources: RESOURCES, works: recipes })
    const megabytes = statSync(path).size / 1e6
    say(`${recipes} recipes in ${megabytes.toFixed(1)} MB`)
    const book = await readBook(path)
    requireAdded(book, recipes)

    let concepts = 0
    const ms = await interleaved(
      {
        lines: () => splitLines(path),
        entries: () => readEntries(path),
        book: () => readBook(path),
        reprice: () => {
          concepts = reprice(book).recipes.size
        },
      },
      { isBrief },
    )
    const perSecond = (amount: number, time: number) => Math.round(amount / (time / 1000))
    return [
      {
        stage: `${megabytes.toFixed(0)} MB into typed records`,
        beside: LINES,
        ...times(ms.entries, ms.lines),
        ratioMax: LIMIT,
      },
      {
        stage: `${megabytes.toFixed(0)} MB into a price book`,
        beside: LINES,
        ...times(ms.book, ms.lines),
        ratioMax: null,
      },
      { stage: 'split into lines', figure: perSecond(megabytes, ms.lines), unit: 'MB/s', max: null },
      { stage: 'read into typed records', figure: perSecond(megabytes, ms.entries), unit: 'MB/s', max: null },
      { stage: 'read into a price book', figure: perSecond(megabytes, ms.book), unit: 'MB/s', max: null },
      { stage: 'repriced, every rule tried', figure: perSecond(concepts, ms.reprice), unit: 'concepts/s', max: null },
    ]
  },
}

const LINES = 'node:readline, the same bytes'
const times = (oursMs: number, besideMs: number) => ({ oursMs, besideMs })
/** A quarter of the throughput of splitting lines. */
const LIMIT = 4

/** A regional bank has about 20,000. */
const RECIPES = 20_000
const BRIEF_RECIPES = 200
const RESOURCES = 2_000

function fileSource(path: string): ByteSource {
  return {
    name: path,
    open: () => createReadStream(path),
    whole: () => Promise.reject(new Error('read as a stream')),
  }
}

async function readEntries(path: string): Promise<void> {
  const { entries } = await openBc3(fileSource(path), { log: new DiagnosticLog() })
  for await (const _ of entries);
}

async function readBook(path: string): Promise<PriceBook> {
  const log = new DiagnosticLog()
  const { entries } = await openBc3(fileSource(path), { log })
  return await buildPriceBook(entries, log)
}

async function splitLines(path: string): Promise<void> {
  let count = 0
  for await (const _ of createInterface({
    input: createReadStream(path, 'latin1'),
    crlfDelay: Number.POSITIVE_INFINITY,
  }))
    count++
  if (count === 0) throw new Error(`${path}: expected lines`)
}

/** Throws unless every recipe was read and gives its price. */
function requireAdded(book: PriceBook, recipes: number): void {
  const { rule, recipes: found } = reprice(book)
  const reconciled = found.values().reduce((count, { reconciles }) => count + (reconciles === true ? 1 : 0), 0)
  if (reconciled !== recipes) throw new Error(`${reconciled} of ${recipes} recipes add up by ${rule}; expected all`)
}
