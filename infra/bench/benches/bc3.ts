import { createReadStream, mkdtempDisposableSync, statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { type Bench, interleaved } from '@catalog/bench/harness/report.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import type { PriceBook } from '@catalog/formats/bc3/price-book/price-book.ts'
import { buildPriceBook } from '@catalog/formats/bc3/price-book/price-book-builder.ts'
import { reprice } from '@catalog/formats/bc3/price-book/reprice.ts'
import type { ByteSource } from '@catalog/formats/bytes/record.ts'

/** Reads and reprices a price bank; the peer only splits its bytes into lines. */
export const bc3Bench: Bench = {
  title: 'a generated BC3 price bank, read and repriced, beside plain line splitting of the same bytes',
  async run(say, { isBrief = false, items: [recipes = isBrief ? BRIEF_RECIPES : RECIPES] = [] } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-bc3-'))
    const path = join(folder.path, 'bank.bc3')
    await writeBank(path, recipes)
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
const LINES_PER_RECIPE = 5
const RECIPES_PER_CHAPTER = 50
/** Length of the long text in present banks. */
const TEXT_CHARS = 400
const BATCH = 500

/** Writes a bank of resources, work units with texts and recipes, and chapters. All recipes add up by rounded lines. */
async function writeBank(path: string, recipes: number): Promise<void> {
  await using file = await open(path, 'w')
  const put = (records: readonly string[]) => file.write(`${records.join('\r\n')}\r\n`, null, 'latin1')
  await put(['~V|Bench|FIEBDC-3/2016\\20112026|bench|\\|ANSI|', '~C|%CI|%|Costes indirectos|0||%|'])
  await put(
    [...Array(RESOURCES).keys()].map(
      (n) => `~C|R${n}|kg|Resource number ${n}|${centsText(centsOf(n))}|201126|${1 + (n % 3)}|`,
    ),
  )
  for (let from = 0; from < recipes; from += BATCH) {
    const units = [...Array(Math.min(BATCH, recipes - from)).keys()].map((i) => unitOf(from + i))
    await put(units.flat())
  }
  const chapters = Math.ceil(recipes / RECIPES_PER_CHAPTER)
  for (let chapter = 0; chapter < chapters; chapter++) await put(chapterOf(chapter, recipes))
  const all = [...Array(chapters).keys()].map((chapter) => `CH${chapter}\\\\1\\`).join('')
  await put(['~C|ROOT##||The whole bank|||0|', `~D|ROOT|${all}|`])
}

const centsOf = (resource: number) => 100 + ((resource * 7_919) % 9_000)
const centsText = (cents: number) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

function unitOf(n: number): string[] {
  const lines = [...Array(LINES_PER_RECIPE).keys()].map((i) => ({
    resource: (n * 31 + i * 397) % RESOURCES,
    thousandths: 1 + ((n * 131 + i * 17) % 5_000),
  }))
  // Whole thousandths of a cent show halves exactly.
  const amounts = lines.map(({ resource, thousandths }) => Math.trunc((centsOf(resource) * thousandths + 500) / 1_000))
  const sum = amounts.reduce((total, cents) => total + cents, 0)
  const price = sum + Math.trunc((sum * 3 + 50) / 100)
  const recipe = lines.map(({ resource, thousandths }) => `R${resource}\\1\\${(thousandths / 1_000).toFixed(3)}\\`)
  return [
    `~C|U${n}|m2|Unidad de obra número ${n}|${centsText(price)}|201126|0|`,
    `~T|U${n}|${`Unidad de obra número ${n}, ejecución según planos. `.repeat(TEXT_CHARS / 50)}|`,
    `~D|U${n}|${recipe.join('')}%CI\\1\\0.03\\|`,
  ]
}

function chapterOf(chapter: number, recipes: number): string[] {
  const first = chapter * RECIPES_PER_CHAPTER
  const units = [...Array(Math.min(RECIPES_PER_CHAPTER, recipes - first)).keys()].map((i) => first + i)
  return [
    `~C|CH${chapter}#||Chapter ${chapter}|||0|`,
    `~D|CH${chapter}|${units.map((n) => `U${n}\\\\${1 + (n % 90)}.25\\`).join('')}|`,
    ...units.map(
      (n, i) =>
        `~M|CH${chapter}\\U${n}|${chapter + 1}\\${i + 1}\\|${1 + (n % 90)}.25|\\Planta\\1\\${1 + (n % 90)}.25\\\\\\|`,
    ),
  ]
}

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
