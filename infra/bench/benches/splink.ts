import { execFile } from 'node:child_process'
import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { SERVER_SETTINGS } from '@catalog/bench/benches/project.ts'
import { type Bench, loadOf, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { type Cost, sumOf } from '@catalog/bench/harness/watched-command.ts'
import { type Night, pairQuality, publishNight, writeVendorNights } from '@catalog/bench/workload/vendor-nights.ts'
import { type PythonPackages, pythonAvailable, pythonWith } from '@catalog/stack/servers/fetched/python.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'

/**
 * `--items N` sets the products, each at five of ten vendors. Ours also records, votes and publishes; Splink only links. The judge finds
 * Splink's best threshold from the keys, and neither the search nor the judging counts.
 */
export const splinkBench: Bench = {
  title: "ten vendors' lists to items beside Splink with DuckDB on the same rows: processor time, precision, recall",
  async run(say, { isBrief = false, items: [products = isBrief ? BRIEF_PRODUCTS : PRODUCTS] = [] } = {}) {
    const python = await installed().catch((error: Error) => {
      say(`skipped, because Splink is missing: ${error.message.split('\n', 1)[0]}`)
    })
    if (python === undefined) return []
    using folder = mkdtempDisposableSync(join(tmpdir(), 'bench-splink-'))
    const [night] = writeVendorNights(folder.path, { products, nights: [0] }) as [Night]
    say(`${night.rows} rows; load ${loadOf()}`)
    const ours = await published(folder.path, night)
    for (const cost of ours.costs) say(JSON.stringify(cost))
    const splink = await linked(python, night)
    say(JSON.stringify(splink))
    const whole = resultOf(ours.costs, ours.quality)
    const matching = resultOf(
      ours.costs.filter(({ stage }) => MATCHING.includes(stage)),
      ours.quality,
    )
    const beside = (stage: string, oursS: number, besideS: number, ratioMax: number | null): Row => ({
      stage: `${stage}, processor`,
      beside: `Splink, ${ratioMax === null ? 'trained before' : 'training included'}`,
      oursMs: oursS * 1e3,
      besideMs: besideS * 1e3,
      ratioMax,
    })
    return [
      ...rowsOf('files to published', whole, night.rows),
      ...rowsOf('Splink, files to clusters', splink, night.rows),
      beside('files to published', whole.processorS, splink.processorS, 1),
      beside('matching alone', matching.processorS, splink.processorS - splink.trainingS, null),
      ...QUALITIES.map((name) => ({
        stage: `${name} of Splink above ours`,
        figure: rounded(splink[name] - whole[name]),
        unit: '',
        max: 0,
      })),
    ]
  },
}

const PRODUCTS = 2_000
/** Of fewer, all have equal sizes, and Splink's training ends with an error. */
const BRIEF_PRODUCTS = 400
/** The stages of a run in which SKUs find their items. */
const MATCHING = ['match', 'join']
const QUALITIES = ['precision', 'recall'] as const

const PEERS = join(import.meta.dirname, '../peers')
const PACKAGES: PythonPackages = { name: 'splink-python', requirements: join(PEERS, 'requirements.txt') }

/** The Python with Splink; throws where Python or, on first use, the registry is missing. */
async function installed(): Promise<string> {
  const missing = pythonAvailable(PACKAGES)
  if (missing !== null) throw new Error(missing)
  return await pythonWith(PACKAGES)
}

type Quality = Readonly<Record<(typeof QUALITIES)[number], number>>
type Result = Quality & Readonly<{ seconds: number; processorS: number; peakBytes: number }>

async function published(data: string, night: Night) {
  await using server = await startPostgres(SERVER_SETTINGS)
  const { costs, appended } = await publishNight(night, { server, data })
  if (appended !== night.rows) throw new Error(`${appended} prices were recorded, expected ${night.rows}`)
  return { costs, quality: await pairQuality(server.url) }
}

function resultOf(costs: readonly Cost[], quality: Quality): Result {
  const { processorS, postgresS, ...sum } = sumOf(costs, '')
  return { ...sum, ...quality, processorS: processorS + postgresS }
}

async function linked(python: string, night: Night): Promise<Result & Readonly<{ trainingS: number }>> {
  const lists = night.crawls.flat().filter((word) => word.endsWith('.csv'))
  const { stdout } = await promisify(execFile)(python, [join(PEERS, 'link-rows.py'), ...lists])
  const { rows, ...result } = JSON.parse(stdout) as Result & { rows: number; trainingS: number }
  if (rows !== night.rows) throw new Error(`Splink read ${rows} rows, expected ${night.rows}`)
  return result
}

const rowsOf = (stage: string, result: Result, rows: number): Row[] => [
  { stage, figure: Math.round(rows / result.seconds), unit: 'rows/s', max: null },
  { stage: `${stage}, processor`, figure: tenths(result.processorS), unit: 's', max: null },
  { stage: `${stage}, largest process`, figure: Math.round(result.peakBytes / 1e6), unit: 'MB', max: null },
  ...QUALITIES.map((name) => ({
    stage: `${stage}, ${name} of pairs`,
    figure: rounded(result[name]),
    unit: '',
    max: null,
  })),
]
const rounded = (share: number) => Math.round(share * 1e4) / 1e4
