import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import { ITEM_PARTS, PARTITIONS, spreadOf } from '@catalog/bench/workload/partitions.ts'
import type { Stage, StageCost, StageOrder } from '@catalog/bench/workload/stage.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { SERVER_SETTINGS } from './project.ts'

/** Vendors' lists of every item, so observations of every item. */
const LISTS = 2

/** `--items N,N` sets the sizes; 1,000,000 takes an hour or more. */
export const capacityBench: Bench = {
  title: 'memory, processor time and disk of each stage per million observations, and 100 million by partitions',
  async run(say, { isBrief = false, items = isBrief ? BRIEF_ITEMS : ITEMS } = {}) {
    const measured: Measured[] = []
    for (const size of items) measured.push(...(await measure(size, say)))
    const largest = measured.filter(({ size }) => size === items.at(-1))
    return [...measured.flatMap(rowsOf), ...simulate({ largest, skus: isBrief ? BRIEF_SKUS : SKUS }, say)]
  },
}

const ITEMS = [1_000, 5_000]
const BRIEF_ITEMS = [100]
/** With 50 observations each, 100 million. */
const SKUS = 2_000_000
const BRIEF_SKUS = 20_000
const STAGES: readonly Stage[] = ['append', 'project', 'aggregate']
const STAGE = new URL('../workload/stage.ts', import.meta.url)
const MILLION = 1_000_000
const SIMULATED = 100 * MILLION

type Measured = StageCost & Readonly<{ size: number; stage: Stage; observations: number; diskBytes: number }>

/** Runs all stages for so many items on a database of its own, each in a process of its own. */
async function measure(size: number, say: (line: string) => void): Promise<readonly Measured[]> {
  await using server = await startPostgres(SERVER_SETTINGS)
  await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
  await migrate(store)
  using data = mkdtempDisposableSync(join(tmpdir(), 'catalog-bench-'))
  const bytesOnDisk = async () => {
    const [row] = await store.query<{ bytes: string }>('select pg_database_size(current_database())::text as bytes')
    return Number(row?.bytes)
  }
  const done: Measured[] = []
  for (const stage of STAGES) {
    const before = await bytesOnDisk()
    const order: StageOrder = { stage, url: server.url, dataDir: data.path, items: size, lists: LISTS }
    const cost = await resultOf<StageCost>(STAGE, order)
    const diskBytes = Math.max(0, (await bytesOnDisk()) - before)
    await store.query('analyze')
    done.push({ ...cost, size, stage, observations: size * LISTS, diskBytes })
    say(
      `${size} items, ${stage}: ${tenths(cost.ms / 1_000)} s, ${tenths(cost.cpuMs / 1_000)} s of processor time, ` +
        `${mebibytes(cost.peakBytes)} MiB, ${mebibytes(diskBytes)} MiB more on disk`,
    )
  }
  return done
}

function rowsOf({ size, stage, observations, ms, cpuMs, peakBytes, diskBytes }: Measured): Row[] {
  const perMillion = (value: number) => tenths((value * MILLION) / observations)
  const row = (what: string, figure: number, unit: string): Row => ({
    stage: `${size} items, ${stage}, ${what}`,
    figure,
    unit,
    max: null,
  })
  return [
    row('time', perMillion(ms / 1_000), 's a million'),
    row('processor', perMillion(cpuMs / 1_000), 's a million'),
    row('memory', mebibytes(peakBytes), 'MiB'),
    row('disk', perMillion(diskBytes / 2 ** 20), 'MiB a million'),
  ]
}

/** What the largest measured size makes of 100 million observations, and how they spread over partitions. */
function simulate(
  { largest, skus }: { largest: readonly Measured[]; skus: number },
  say: (line: string) => void,
): Row[] {
  const spread = spreadOf(skus)
  say(`${spread.observations} observations of ${skus} SKUs over ${PARTITIONS} partitions and ${ITEM_PARTS} item hashes`)
  const costs = largest.flatMap(({ stage, observations, ms, diskBytes }): Row[] => {
    const hours = (ms * SIMULATED) / observations / 3_600_000
    const gibibytes = (diskBytes * SIMULATED) / observations / 2 ** 30
    say(`${stage}: ${Math.round(ms)} ms / ${observations} observations x ${SIMULATED} = ${tenths(hours)} h`)
    return [
      { stage: `100 million, ${stage}, one process`, figure: tenths(hours), unit: 'h', max: null },
      { stage: `100 million, ${stage}, disk`, figure: tenths(gibibytes), unit: 'GiB', max: null },
    ]
  })
  const skew = (stage: string, figure: number): Row => ({
    stage,
    figure: Math.round(figure * 1_000) / 1_000,
    unit: 'of the mean',
    max: null,
  })
  return [
    ...costs,
    skew(`largest of ${PARTITIONS} partitions by SKU`, spread.partitionSkew),
    skew(`largest of ${ITEM_PARTS} parts by item hash`, spread.itemSkew),
  ]
}

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)
