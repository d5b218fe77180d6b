import { existsSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { decompositionOf } from '@catalog/api/price-books/decomposition.ts'
import { readBc3File, reportOf } from '@catalog/cli/bc3/read.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

/** Real price books along the whole path: recipes of items give the totals of the files. */
const folder = realInputsFolder()
const suite = `recipes of real BC3 files${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`
const pathOf = (name: string) => join(folder as string, 'bc3', name)

/** bc3-files.test.ts states what each of them holds. */
const FILES = [
  'murcia5.bc3',
  'test_file_05.bc3',
  'measurement_outside_chapter.bc3',
  'PUEBLA-EM.BC3',
  'salida.bc3',
  'test_file_11.bc3',
].filter((name) => folder !== null && existsSync(pathOf(name)))

/** The prices are old: one date for all, and a run within their validity. */
const OBSERVED_AT = '2025-01-05'
const AS_OF = '2025-01-06T00:00:00Z'

describe.skipIf(FILES.length === 0)(suite, () => {
  let path: Path
  beforeAll(async () => {
    path = await openPath()
  })
  afterAll(() => path?.[Symbol.asyncDispose]())

  test.each(FILES)('%s: as many items reconcile, by the same rule, as in the file', async (name) => {
    await path.reset()
    await crawlBook(pathOf(name))
    await path.run(AS_OF)
    const found = await decompositions()
    const reconciled = found.filter(({ reconciles }) => reconciles === true)
    const read = await readBc3File(pathOf(name))
    const report = reportOf(read)
    expect(reconciled.length).toBe(report.reconciled)
    expect([...new Set(found.map(({ rule }) => rule))]).toEqual([report.rule])
    // Compare recipe by recipe, not only their number.
    for (const { recipe, reconciles, computed_price } of found) {
      const ofFile = read.repriced.recipes.get(recipe.vendor_ref)
      expect([recipe.vendor_ref, reconciles]).toEqual([recipe.vendor_ref, ofFile?.reconciles])
      // A miss in a lower recipe moves the file's computed price; an item's price uses the declared prices below it.
      if (!reconciles || ofFile?.isMissed) continue
      expect([recipe.vendor_ref, Number(computed_price)]).toEqual([
        recipe.vendor_ref,
        expect.closeTo(Number(ofFile?.computed), 2),
      ])
    }
  })

  async function crawlBook(file: string): Promise<void> {
    using spool = mkdtempDisposableSync(join(tmpdir(), 'bc3-recipes-'))
    const options = {
      source: 'Price book',
      region: 'ES',
      currency: 'EUR',
      observedAt: OBSERVED_AT,
      kind: 'bank' as const,
    }
    const [report] = await crawl([{ path: file, options: { ...options, validityDays: 3_650 } }], {
      log: path.log,
      now: () => new Date(path.nowMs),
      newCrawlId: () => 'crawl',
      spoolDir: spool.path,
      registeredSources: (ids) => registeredSources(path.store, ids),
    })
    expect(report).toMatchObject({ complete: true, recipes: { refused: {} } })
    await path.project()
  }

  /** Decompositions of every item with a recipe. */
  async function decompositions() {
    const items = await path.store.query<{ item_id: string }>(
      `select distinct item_id from items join item_keys using (item_id) join memberships using (item)
         join recipes using (sku) order by item_id`,
    )
    const found = []
    for (const { item_id } of items) {
      found.push(await decompositionOf(path.store, { itemId: item_id, depth: 1, quantity: '1' }))
    }
    return found
  }
})
