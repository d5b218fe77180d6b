import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Bench, type Row, tenths } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { StageCost, StageOrder } from '@catalog/bench/workload/stage.ts'
import { startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { SERVER_SETTINGS } from './project.ts'

/** Vendors' lists of every item, so observations of every item. */
const LISTS = 2

/** `--items N,N` sets the sizes; 1,000,000 takes an hour or more. */
export const capacityBench: Bench = {
  title: 'memory, processor time and disk of each stage per million observations',
  async run(say, { isBrief = false, items = isBrief ? BRIEF_ITEMS : ITEMS } = {}) {
    const measured: Measured[] = []
    for (const size of items) measured.push(...(await measure(size, say)))
    return measured.flatMap(rowsOf)
  },
}

const ITEMS = [1_000, 5_000]
const BRIEF_ITEMS = [100]
const STAGES = ['append', 'project', 'aggregate'] as const
const AS_OF = '2026-01-20T00:00:00Z'
const STAGE = new URL('../workload/stage.ts', import.meta.url)
const MILLION = 1_000_000

type Measured = StageCost &
  Readonly<{ size: number; stage: StageOrder['stage']; observations: number; diskBytes: number }>

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
    const order: StageOrder =
      stage === 'aggregate'
        ? { stage, url: server.url, dataDir: data.path, asOf: AS_OF }
        : { stage, url: server.url, items: size, lists: LISTS }
    const cost = await resultOf<StageCost>(STAGE, order)
    if (cost.run !== undefined && cost.run.matched !== size * LISTS)
      throw new Error(`${cost.run.matched} SKUs were matched, expected ${size * LISTS}`)
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

const mebibytes = (bytes: number) => Math.round(bytes / 2 ** 20)
