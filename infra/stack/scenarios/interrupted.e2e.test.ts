import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { writePriceLists } from '@catalog/stack/path/vendor-lists.ts'
import { answerOf, startCatalog } from '@catalog/stack/servers/command.ts'
import { copiedDatabase, emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { openStore } from '@catalog/store/db.ts'
import { readWork } from '@catalog/store/work.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

/** Commands of minutes that a person, or a machine that stops, ends early. */

const missing = unavailable('postgres')
const PRODUCTS = 400
const ENDS_WITHIN_MS = 5_000
const EXIT_CODES = { SIGINT: 130, SIGTERM: 143 } as const

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-interrupted-'))
afterAll(() => folder.remove())

const mapping = join(folder.path, 'mapping.json')
let crawl: readonly string[]
const RUN = ['aggregate', '--as-of', '2026-09-01T12:00:00Z']
let [crawled, whole] = ['', '']

beforeAll(async () => {
  if (missing !== null) return
  const fields = { vendor_ref: 'ref', name: 'name', unit: 'unit', price: 'price', source: 'vendor' }
  const constants = { currency: 'EUR', lang: 'es', region: 'ES' }
  writeFileSync(mapping, JSON.stringify({ columns: fields, constants, sources: { allow: 'any' } }))
  const lists = writePriceLists(folder.path, { products: PRODUCTS, night: 0 })
  crawl = ['crawl', ...lists, '--mapping', mapping, '--new-sources', '--observed-at', '2026-09-01']
  crawled = await emptyDatabase()
  await answerOf(crawl, optionsOf(crawled))
  const unbroken = await copiedDatabase(crawled)
  await answerOf(RUN, optionsOf(unbroken))
  whole = await rootsOf(unbroken)
})

const optionsOf = (url: string) => {
  const data = join(folder.path, new URL(url).pathname)
  mkdirSync(data, { recursive: true })
  return { data, env: { DATABASE_URL: url } }
}
const rootsOf = async (url: string) =>
  JSON.stringify(((await answerOf(['status'], optionsOf(url))) as { roots: object }).roots)

/** Sends the signal when the command says that it has begun the stage; returns how it ended, and what readers saw of it. */
async function interrupted(
  url: string,
  { words, stage, by }: { words: readonly string[]; stage: string; by: 'SIGINT' | 'SIGTERM' },
) {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  await using command = startCatalog([...words, '--json'], optionsOf(url))
  await expect.poll(() => command.output(), { timeout: 60_000, interval: 5 }).toContain(`{"stage":"${stage}"`)
  // The command says it, and writes it down for others a moment later; it may have gone on meanwhile.
  await expect.poll(() => readWork(store), { timeout: 5_000, interval: 5 }).toHaveLength(1)
  const [seen] = await readWork(store)
  expect(command.output()).toContain(`{"stage":"${seen?.stage}"`)
  expect(command.kill(by)).toBe(true)
  const begun = performance.now()
  const { code, stdout } = await command.finished
  const ms = performance.now() - begun
  return { code, ms, seen, answer: JSON.parse(stdout), left: await store.query('select name from leases') }
}

test.skipIf(missing !== null).each([
  ['match', 'SIGTERM'],
  ['join', 'SIGINT'],
  ['publish', 'SIGTERM'],
] as const)(
  `${missing ?? ''}a run that is in its stage '%s' at a %s ends soon and says how it goes on; the next run publishes the same`,
  async (stage, by) => {
    const url = await copiedDatabase(crawled)
    const { code, ms, seen, answer, left } = await interrupted(url, { words: RUN, stage, by })
    expect(seen).toMatchObject({ name: 'aggregator', stale: false })
    expect([code, left]).toEqual([EXIT_CODES[by], []])
    expect(ms).toBeLessThan(ENDS_WITHIN_MS)
    expect(answer).toEqual({
      error: 'Interrupted',
      details: expect.stringMatching(/stopped in stage '\w+' .* goes on/),
      causes: ['the process was asked to stop'],
    })
    await answerOf(RUN, optionsOf(url))
    expect(await rootsOf(url)).toBe(whole)
  },
)

test.skipIf(missing !== null)(
  `${missing ?? ''}a crawl that is stopped ends soon, and the same crawl goes on without recording anything twice`,
  async () => {
    const url = await emptyDatabase()
    const { code, ms, seen, left } = await interrupted(url, { words: crawl, stage: 'records appended', by: 'SIGTERM' })
    expect(seen).toMatchObject({ name: expect.stringMatching(/^crawl /), stale: false })
    expect([code, left]).toEqual([143, []])
    expect(ms).toBeLessThan(ENDS_WITHIN_MS)
    await answerOf(crawl, optionsOf(url))
    await answerOf(RUN, optionsOf(url))
    expect(await rootsOf(url)).toBe(whole)
  },
)
