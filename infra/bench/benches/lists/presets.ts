import { mkdirSync, mkdtempDisposableSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER_SETTINGS } from '@catalog/bench/benches/project.ts'
import { type Bench, loadOf, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { StageCost, StageOrder } from '@catalog/bench/workload/stage.ts'
import {
  INPUT_SHEETS,
  pricesIn,
  type StatePriceList,
  WHOLE_MONTH,
  WORK_SHEETS,
  writeStatePriceList,
} from '@catalog/bench/workload/state-price-list.ts'
import { startCatalog } from '@catalog/stack/servers/command.ts'
import { peakBytesOf } from '@catalog/stack/servers/machine.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

/** `--items N` makes a list of so many inputs and works together, and so 54 times as many prices. */
export const presetsBench: Bench = {
  title: 'a month of a national price list: 27 states in two regimes, crawled, recorded and published',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [] } = {}) {
    const inputs = Math.round((items * WHOLE_MONTH.inputs) / ITEMS)
    const size: StatePriceList = { inputs, works: items - inputs }
    await using server = await startPostgres(SERVER_SETTINGS)
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-presets-'))
    const data = join(folder.path, 'data')
    mkdirSync(data)
    const list = join(folder.path, 'SINAPI-2026-09-formato-xlsx.zip')
    const bytes = await writeStatePriceList(list, size)
    say(`${pricesIn(size)} prices in ${tenths(bytes / 1e6)} MB are being crawled; load ${loadOf()} ...`)

    const crawls = []
    for (const [name, mapping] of Object.entries(MAPPINGS)) {
      const path = join(folder.path, `${name}.json`)
      writeFileSync(path, JSON.stringify(mapping))
      const crawled = await crawl(list, { mapping: path, data, url: server.url })
      say(
        `${name}: ${crawled.appended} prices recorded in ${tenths(crawled.ms / 1e3)} s, ` +
          `at most ${megabytes(crawled.peakBytes)} MB a process; load ${loadOf()}`,
      )
      crawls.push(crawled)
    }
    const recorded = crawls.reduce((sum, { appended }) => sum + appended, 0)
    if (recorded !== pricesIn(size)) throw new Error(`${recorded} prices were recorded, expected ${pricesIn(size)}`)

    const order: StageOrder = { stage: 'aggregate', url: server.url, dataDir: data, asOf: AS_OF }
    const published = await resultOf<StageCost>(STAGE, order)
    const matched = published.run?.matched
    say(`${matched} SKUs published in ${tenths(published.ms / 1e3)} s; load ${loadOf()}`)
    if (matched !== recorded) throw new Error(`${matched} SKUs were matched, expected ${recorded}`)
    return rowsOf({ bytes, recorded, crawls, published, isWhole: items === ITEMS })
  },
}

const ITEMS = WHOLE_MONTH.inputs + WHOLE_MONTH.works
const BRIEF_ITEMS = 29
const OBSERVED_AT = '2026-09-01T00:00:00Z'
const AS_OF = '2026-09-20T00:00:00Z'
const STAGE = new URL('../../workload/stage.ts', import.meta.url)
/** Outlasts a whole month on a busy machine. */
const CRAWL_TIMEOUT_MS = 3_600_000
const MEMORY_POLL_MS = 100
/** Ten minutes for the whole month. */
const CRAWL_MAX_S = 600
const MEMORY_MAX_MB = 300

/** Both mappings of the presets, for all states and regimes at once: each state and regime is a source. */
const columns = (code: string, name: string) => ({
  vendor_ref: code,
  name,
  unit: 'Unidade',
  price: 'cost',
  source: ['state', '_sheet'],
})
const shared = {
  member: '*Refer*.xlsx',
  edition: { cell: 'B3', format: 'MM/YYYY' },
  round: 2,
  units: 'br',
  constants: { currency: 'BRL', kind: 'bank', lang: 'pt', region: 'BR' },
  sources: { allow: 'any' },
}
const costs = (matching: string) => ({ columns: { matching }, heading: 'state', value: 'cost', as: 'SINAPI $1' })
const MAPPINGS = {
  inputs: {
    ...shared,
    sheet: INPUT_SHEETS,
    header_row: 10,
    unpivot: costs('^([A-Z]{2})$'),
    columns: columns('Código do Insumo', 'Descrição do Insumo'),
  },
  works: {
    ...shared,
    sheet: WORK_SHEETS,
    header_row: [9, 10],
    unpivot: costs('^([A-Z]{2}) Custo'),
    columns: columns('Código da Composição', 'Descrição'),
  },
}

type Crawled = Readonly<{ appended: number; ms: number; peakBytes: number }>

/** `catalog crawl` of the list, as users run it, until its prices are in the tables. */
async function crawl(
  list: string,
  { mapping, data, url }: Readonly<{ mapping: string; data: string; url: string }>,
): Promise<Crawled> {
  const begun = performance.now()
  const args = ['crawl', list, '--mapping', mapping, '--new-sources', '--observed-at', OBSERVED_AT, '--json']
  await using catalog = startCatalog(args, { data, env: { DATABASE_URL: url }, timeoutMs: CRAWL_TIMEOUT_MS })
  let peakBytes = 0
  const poll = setInterval(() => {
    peakBytes = Math.max(peakBytes, peakBytesOf(catalog.pid))
  }, MEMORY_POLL_MS)
  try {
    const { code, stdout, stderr } = await catalog.finished
    if (code !== 0)
      throw new Error(`catalog crawl ended with ${code}: ${stdout.slice(0, 2_000)}${stderr.slice(0, 2_000)}`)
    const { inputs } = JSON.parse(stdout) as { inputs: readonly { appended: number }[] }
    const appended = inputs.reduce((sum, input) => sum + input.appended, 0)
    return { appended, ms: performance.now() - begun, peakBytes }
  } finally {
    clearInterval(poll)
  }
}

function rowsOf({
  bytes,
  recorded,
  crawls,
  published,
  isWhole,
}: Readonly<{
  bytes: number
  recorded: number
  crawls: readonly Crawled[]
  published: StageCost
  isWhole: boolean
}>): Row[] {
  const seconds = tenths(crawls.reduce((sum, { ms }) => sum + ms, 0) / 1e3)
  const crawlMemory = megabytes(Math.max(...crawls.map(({ peakBytes }) => peakBytes)))
  return [
    { stage: 'the list', figure: tenths(bytes / 1e6), unit: 'MB', max: null },
    { stage: 'prices', figure: recorded, unit: 'prices', max: null },
    { stage: 'crawled and recorded', figure: seconds, unit: 's', max: isWhole ? CRAWL_MAX_S : null },
    { stage: 'memory of the largest process', figure: crawlMemory, unit: 'MB', max: MEMORY_MAX_MB },
    { stage: 'matched and joined', figure: tenths((published.run?.joinedMs ?? 0) / 1e3), unit: 's', max: null },
    { stage: 'matched, joined and published', figure: tenths(published.ms / 1e3), unit: 's', max: null },
    { stage: 'memory of the aggregator', figure: megabytes(published.peakBytes), unit: 'MB', max: null },
    { stage: 'load of the machine at the end, of 1 minute', figure: loadOf(), unit: 'processes', max: null },
  ]
}

const megabytes = (bytes: number) => Math.round(bytes / 1e6)
