import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { SERVER_SETTINGS } from '@catalog/bench/benches/project.ts'
import { type Bench, loadOf, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { type Cost, sumOf, watchedCommand } from '@catalog/bench/harness/watched-command.ts'
import {
  INPUT_SHEETS,
  pricesIn,
  WHOLE_MONTH,
  WORK_SHEETS,
  writeStatePriceList,
} from '@catalog/bench/workload/state-price-list.ts'
import {
  crawlWords,
  type Night,
  pairQuality,
  publishNight,
  runWords,
  writeMapping,
  writeVendorNights,
} from '@catalog/bench/workload/vendor-nights.ts'
import { randomOf } from '@catalog/sample-files/seeded-random.ts'
import {
  addressOf,
  answerOf,
  type CommandOptions,
  type Running,
  startCatalog,
  untilReplicated,
} from '@catalog/stack/servers/command.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'

/** `--items N` makes a list of so many inputs and works together, and so 54 times as many prices. */
export const monthBench: Bench = {
  title: 'files to explorer, as users run it: a month of a national price list, 27 states in two regimes',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : ITEMS] = [], former } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-month-'))
    const nights = [await writeMonth(folder.path, items)]
    return await filesToExplorer({ folder: folder.path, nights, search: 'tubo de pvc' }, { say, former })
  },
}

/** `--items N` sets the products, each at five vendors; the later night sees all rows, of which 5 % changed and 1 % are new. */
export const vendorsBench: Bench = {
  title: 'files to explorer, as users run it: ten vendors with products in common, a first run and a later night',
  async run(say, { isBrief = false, items: [products = isBrief ? BRIEF_PRODUCTS : PRODUCTS] = [], former } = {}) {
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-vendors-'))
    const nights = writeVendorNights(folder.path, { products, nights: [0, 1] })
    return await filesToExplorer(
      { folder: folder.path, nights, search: 'tubo de cobre', quality: qualityRows },
      { say, former },
    )
  },
}

/** `--items N` as for a month, `--seed N` other instants. Each kill strikes a store of its own, which then runs again. */
export const killsBench: Bench = {
  title: 'a first run of a slice of the month, killed at random instants and run again: the roots of an unbroken one',
  async run(say, { isBrief = false, items: [items = isBrief ? BRIEF_ITEMS : SLICE_ITEMS] = [], seed = 1 } = {}) {
    await using server = await startPostgres(SERVER_SETTINGS)
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-kills-'))
    const { crawls, day } = await writeMonth(folder.path, items)
    const on = (name: string) => {
      const url = server.url.replace(/\/postgres$/, `/${name}`)
      return { data: folder.path, env: { DATABASE_URL: url }, timeoutMs: TIMEOUT_MS }
    }
    const copied = async (name: string, from: string) => {
      await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
      await store.query(`create database ${name} template ${from}`)
      return on(name)
    }
    const crawled = await copied('crawled', 'template1')
    for (const words of crawls) await answerOf(crawlWords(words, day), crawled)
    const rootsOf = async (at: CommandOptions) =>
      JSON.stringify(((await answerOf(['status'], at)) as { roots: object }).roots)
    const unbroken = await copied('unbroken', 'crawled')
    const begun = performance.now()
    await answerOf(runWords(day), unbroken)
    const ms = performance.now() - begun
    const whole = await rootsOf(unbroken)
    const random = randomOf(seed)
    let [killed, differing] = [0, 0]
    for (let n = 0; n < (isBrief ? 1 : KILLS); n++) {
      const at = await copied(`killed_${n}`, 'crawled')
      const instant = random() * ms
      await using run = startCatalog(runWords(day), at)
      await delay(instant)
      if (run.kill('SIGKILL')) killed += 1
      await run.finished
      const stale = ((await answerOf(['status'], at)) as { work: readonly { stage: string }[] }).work[0]?.stage
      await answerOf(runWords(day), at)
      const isEqual = (await rootsOf(at)) === whole
      differing += Number(!isEqual)
      say(
        `seed ${seed}, kill ${n} at ${Math.round(instant)} of ${Math.round(ms)} ms, in ${stale}: ${isEqual ? 'equal' : 'OTHER'} roots`,
      )
    }
    return [
      {
        stage: `of ${pricesIn(sizeOf(items))} prices, runs killed before their end`,
        figure: killed,
        unit: 'runs',
        max: null,
      },
      { stage: 'killed runs that ended with other roots', figure: differing, unit: 'runs', max: 0 },
    ]
  },
}
const SLICE_ITEMS = 1_500
const KILLS = 10
const TIMEOUT_MS = 3_600_000

const ITEMS = WHOLE_MONTH.inputs + WHOLE_MONTH.works
const BRIEF_ITEMS = 29
const PRODUCTS = 40_000
const BRIEF_PRODUCTS = 100

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

const sizeOf = (items: number) => {
  const inputs = Math.round((items * WHOLE_MONTH.inputs) / ITEMS)
  return { inputs, works: items - inputs }
}

async function writeMonth(folder: string, items: number): Promise<Night> {
  const list = join(folder, 'SINAPI-2026-09-formato-xlsx.zip')
  await writeStatePriceList(list, sizeOf(items))
  const crawls = Object.entries(MAPPINGS).map(([name, mapping]) => [
    list,
    '--mapping',
    writeMapping(folder, name, mapping),
  ])
  return { crawls, rows: pricesIn(sizeOf(items)), day: '2026-09-01' }
}

type Workload = Readonly<{
  folder: string
  nights: readonly Night[]
  search: string
  /** Judges the items of the first night. */
  quality?: (url: string) => Promise<readonly Row[]>
}>
type Say = (line: string) => void

/** Rows of every stage of ours; beside a former head, also the ratio of processor time from files to published. */
async function filesToExplorer(workload: Workload, { say, former }: { say: Say; former: string | undefined }) {
  say(`${workload.nights[0]?.rows} rows; load ${loadOf()}`)
  const program = former && join(former, 'services/cli/catalog.js')
  const before = program === undefined ? undefined : await published(workload, { say, program })
  const { nights, rows } = await published(workload, { say })
  const ratios = nights.flatMap((cost, at): Row[] => {
    const then = before?.nights[at]
    if (then === undefined) return []
    const ms = ({ processorS, postgresS }: Cost) => (processorS + postgresS) * 1e3
    const ratioMax = at === 0 ? RATIO_MAX : RATIO_OF_LATER_MAX
    return [
      {
        stage: `${cost.stage}, processor`,
        beside: `the same by ${former}`,
        oursMs: ms(cost),
        besideMs: ms(then),
        ratioMax,
      },
    ]
  })
  return [...rows, ...ratios]
}
const RATIO_MAX = 0.1
const RATIO_OF_LATER_MAX = 0.2
const PEAK_MAX_MB = 900

/** Crawls and publishes night by night on a server of its own; ours also folds the log anew and shows it to readers. */
async function published(
  { folder, nights, search, quality }: Workload,
  { say, program }: { say: Say; program?: string | undefined },
) {
  await using server = await startPostgres(SERVER_SETTINGS)
  const data = join(folder, program === undefined ? 'ours' : 'former')
  mkdirSync(data)
  const watch = { server, data, program }
  const rows: Row[] = []
  const tell = (cost: Cost, night: Night) => {
    say(JSON.stringify(cost))
    rows.push(...rowsOf(cost, night.rows))
  }
  const done: Cost[] = []
  for (const night of nights) {
    const prefix = night === nights[0] ? '' : 'a later night, '
    const { costs, appended } = await publishNight(night, watch)
    if (night === nights[0] && appended !== night.rows)
      throw new Error(`${appended} prices were recorded, expected ${night.rows}`)
    const whole = sumOf(costs, 'files to published')
    for (const cost of [...costs, whole]) tell({ ...cost, stage: prefix + cost.stage }, night)
    done.push({ ...whole, stage: prefix + whole.stage })
    if (night === nights[0]) rows.push(...((await quality?.(server.url)) ?? []))
  }
  if (program !== undefined) return { nights: done, rows }
  const last = nights.at(-1) as Night
  const replayed = await watchedCommand(['replay'], { ...watch, stage: 'start' })
  tell(sumOf(replayed.costs, 'projection'), last)
  const shown = await watchedCommand(['serve', '--port', '0'], { ...watch, stage: 'replica and index' }, (command) =>
    firstViews(command, search),
  )
  tell(sumOf(shown.costs, 'replica and index'), last)
  return { nights: done, rows: [...rows, ...shown.answer] }
}

/** The first page and the first search of a started server. */
async function firstViews(command: Running, search: string): Promise<readonly Row[]> {
  const base = await addressOf(command)
  await untilReplicated(base)
  const rows: Row[] = []
  for (const [stage, path] of Object.entries({
    'first explorer page': '/',
    'first search': `/search?q=${encodeURIComponent(search)}`,
  })) {
    const begun = performance.now()
    const answer = await fetch(new URL(path, base), { headers: { accept: 'text/html' } })
    const text = await answer.text()
    if (answer.status !== 200 || !text.includes('/items/'))
      throw new Error(`${path} answered ${answer.status}, expected a page with items`)
    rows.push({ stage, figure: tenths(performance.now() - begun), unit: 'ms', max: null })
  }
  return rows
}

function rowsOf({ stage, seconds, processorS, postgresS, peakBytes }: Cost, rows: number): Row[] {
  const peakMax = stage.endsWith('files to published') ? PEAK_MAX_MB : null
  return [
    { stage, figure: Math.round(rows / seconds), unit: 'rows/s', max: null },
    { stage: `${stage}, processor`, figure: tenths(processorS), unit: 's', max: null },
    { stage: `${stage}, processor of PostgreSQL`, figure: tenths(postgresS), unit: 's', max: null },
    { stage: `${stage}, largest process`, figure: Math.round(peakBytes / 1e6), unit: 'MB', max: peakMax },
  ]
}

async function qualityRows(url: string): Promise<Row[]> {
  return Object.entries(await pairQuality(url)).map(([name, share]) => ({
    stage: `pairs of one product in one item, ${name}`,
    figure: Math.round(share * 1e4) / 1e4,
    unit: '',
    max: null,
  }))
}
