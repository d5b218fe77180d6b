import { open } from 'node:fs/promises'
import { madeUpName } from '@catalog/bench/workload/state-price-list.ts'

const LINES_PER_WORK = 5
const WORKS_PER_CHAPTER = 50
/** Length of the long text in present banks. */
const TEXT_CHARS = 400
const BATCH = 500

/** Resources and works of a bank in BC3. */
export type PriceBookSize = Readonly<{ resources: number; works: number }>

/** Writes a bank of resources, works with texts and recipes, and chapters. All recipes add up by rounded lines. */
export async function writePriceBook(path: string, { resources, works }: PriceBookSize): Promise<void> {
  await using file = await open(path, 'w')
  const put = (records: readonly string[]) => file.write(`${records.join('\r\n')}\r\n`, null, 'latin1')
  await put(['~V|Bench|FIEBDC-3/2016\\20112026|bench|\\|ANSI|', '~C|%CI|%|Costes indirectos|0||%|'])
  await put(
    [...Array(resources).keys()].map(
      (n) => `~C|R${n}|kg|INSUMO ${madeUpName(n)}|${centsText(centsOf(n))}|201126|${1 + (n % 3)}|`,
    ),
  )
  for (let from = 0; from < works; from += BATCH) {
    await put([...Array(Math.min(BATCH, works - from)).keys()].flatMap((i) => workOf(from + i, resources)))
  }
  const chapters = Math.ceil(works / WORKS_PER_CHAPTER)
  for (let chapter = 0; chapter < chapters; chapter++) await put(chapterOf(chapter, works))
  const all = [...Array(chapters).keys()].map((chapter) => `CH${chapter}\\\\1\\`).join('')
  await put(['~C|ROOT##||The whole bank|||0|', `~D|ROOT|${all}|`])
}

const centsOf = (resource: number) => 100 + ((resource * 7_919) % 9_000)
const centsText = (cents: number) => `${Math.trunc(cents / 100)}.${String(cents % 100).padStart(2, '0')}`

function workOf(n: number, resources: number): string[] {
  const lines = [...Array(LINES_PER_WORK).keys()].map((i) => ({
    resource: (n * 31 + i * 397) % resources,
    thousandths: 1 + ((n * 131 + i * 17) % 5_000),
  }))
  // Whole thousandths of a cent show halves exactly.
  const amounts = lines.map(({ resource, thousandths }) => Math.trunc((centsOf(resource) * thousandths + 500) / 1_000))
  const sum = amounts.reduce((total, cents) => total + cents, 0)
  const price = sum + Math.trunc((sum * 3 + 50) / 100)
  const name = madeUpName(n)
  const recipe = lines.map(({ resource, thousandths }) => `R${resource}\\1\\${(thousandths / 1_000).toFixed(3)}\\`)
  return [
    `~C|U${n}|m2|${name}|${centsText(price)}|201126|0|`,
    `~T|U${n}|${`${name}, ejecución según planos. `.repeat(Math.ceil(TEXT_CHARS / 75))}|`,
    `~D|U${n}|${recipe.join('')}%CI\\1\\0.03\\|`,
  ]
}

function chapterOf(chapter: number, works: number): string[] {
  const first = chapter * WORKS_PER_CHAPTER
  const codes = [...Array(Math.min(WORKS_PER_CHAPTER, works - first)).keys()].map((i) => first + i)
  return [
    `~C|CH${chapter}#||Chapter ${chapter}|||0|`,
    `~D|CH${chapter}|${codes.map((n) => `U${n}\\\\${1 + (n % 90)}.25\\`).join('')}|`,
    ...codes.map(
      (n, i) =>
        `~M|CH${chapter}\\U${n}|${chapter + 1}\\${i + 1}\\|${1 + (n % 90)}.25|\\Planta\\1\\${1 + (n % 90)}.25\\\\\\|`,
    ),
  ]
}
