import { mkdtempDisposableSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, loadOf, tenths } from '@catalog/bench/harness/report.ts'
import { freePort, startCatalog } from '@catalog/stack/servers/command.ts'
import { zipSync } from 'fflate'
import { writePriceBook } from './price-book.ts'

/** `--items N` makes a price book of so many concepts with a price; the preset holds back fewer than 10,000. */
export const upBench: Bench = {
  title: 'one command from a price book in BC3 to the explorer: `catalog up --preset es-bcca --file BCCA.zip`',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-up-'))
    const book = join(folder.path, 'book.bc3')
    const resources = Math.ceil(items / RESOURCE_SHARE)
    await writePriceBook(book, { resources, works: items - resources })
    const file = join(folder.path, 'BCCA.zip')
    writeFileSync(file, zipSync({ 'BCCA.bc3': readFileSync(book) }))
    const port = await freePort()
    const origin = `http://127.0.0.1:${port}`
    say(`a price book of ${items} concepts is started; load ${loadOf()} ...`)

    const begun = performance.now()
    const words = ['up', '--preset', 'es-bcca', '--file', file, '--json', '--port', String(port)]
    await using catalog = startCatalog(words, {
      data: join(folder.path, 'data'),
      env: { CATALOG_SOURCES: join(folder.path, 'catalog.sources.yaml') },
      timeoutMs: START_TIMEOUT_MS,
    })
    if ((await catalog.firstLine) === undefined) throw new Error(`catalog up ended: ${catalog.output().slice(-2_000)}`)
    const page = await fetch(`${origin}/sources/es-bcca`)
    const startedS = tenths((performance.now() - begun) / 1e3)
    if (page.status !== 200) throw new Error(`/sources/es-bcca answered ${page.status}, expected its page`)
    const source = (await (await fetch(`${origin}/v1/sources/es-bcca`)).json()) as { vendor_sku_count: number }
    if (source.vendor_sku_count !== items) {
      throw new Error(`${source.vendor_sku_count} concepts have a price, expected ${items}`)
    }
    catalog.kill('SIGTERM')
    await catalog.finished
    return [
      { stage: 'concepts with a price', figure: items, unit: 'concepts', max: null },
      {
        stage: 'from the command to the page of the source',
        figure: startedS,
        unit: 's',
        max: items === ITEMS ? START_MAX_S : null,
      },
      { stage: 'load of the machine at the end, of 1 minute', figure: loadOf(), unit: 'processes', max: null },
    ]
  },
}

/** Concepts of the price book of Andalucía. */
const ITEMS = 12_565
const BRIEF_ITEMS = 10_000
/** One in so many concepts is a resource. */
const RESOURCE_SHARE = 4
const START_MAX_S = 180
/** Outlasts the start on a busy machine. */
const START_TIMEOUT_MS = 1_200_000
