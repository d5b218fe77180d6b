import { type Bench, type Brevity, interleaved, type Row } from '@catalog/bench/harness/report.ts'
import { resultOf } from '@catalog/bench/harness/worker.ts'
import type { Replayed, ReplayOrder } from '@catalog/bench/workload/replayer.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import { startKafka } from '@catalog/stack/servers/kafka.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { dropBuild, readBuilds } from '@catalog/store/builds/builds.ts'
import { openStore, type Store, servedSchemaOf } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'
import { append, flatTable, NODE_OPTIONS, PARTITIONS, SERVER_SETTINGS, startProjectors } from './project.ts'

/** `--items N` replays N observations; `--items N,M` also M, to show growth. */
export const replayBench: Bench = {
  title: 'a replay of observations from Kafka beside COPY of the same rows, and a replay of five times as many',
  async run(say, { isBrief = false, items = isBrief ? BRIEF_SIZES : [MILLION, 5 * MILLION] } = {}) {
    const [few = MILLION, many] = items
    await using kafka = await startKafka({ brokers: 1 })
    await using server = await startPostgres(SERVER_SETTINGS)
    await using store = await openStore({ kind: 'postgres', connection: { url: server.url } })
    await migrate(store)
    await using log = await openKafkaLog({ brokers: kafka.brokers, observationPartitions: PARTITIONS })
    const where = { brokers: kafka.brokers, url: server.url, partitions: PARTITIONS }
    const fill = async (from: number, to: number) => {
      say(`observations ${from + 1} to ${to} are being appended and projected ...`)
      await append(log, from, to)
      await using projectors = startProjectors()
      await projectors.project({ store, log, ...where })
    }
    const replayed = async (observations: number) => {
      const done = await replayIn(store, where)
      if (done.records < observations) throw new Error(`${done.records} records were folded, expected ${observations}`)
      const rate = Math.round((observations / done.foldMs) * 1000)
      say(`${observations} observations: ${rate}/s, at most ${mebibytes(done.rssBytes)} of memory`)
      return done
    }

    await fill(0, few)
    const runs: Replayed[] = []
    const ms = await besideCopy(server, {
      schema: servedSchemaOf(store.schema),
      async ours() {
        runs.push(await replayed(few))
        return (runs.at(-1) as Replayed).foldMs
      },
      isBrief,
    })
    const stage = `replay of ${few} observations, with keys and indexes`
    const rows: Row[] = [
      // 25,000 observations a second.
      { stage, figure: round((ms.ours * 1000) / few), unit: 'µs each', max: 40 },
      {
        stage,
        beside: 'COPY from a file into one table without a key',
        oursMs: ms.ours,
        besideMs: ms.copy,
        ratioMax: 1 / 0.3,
      },
    ]
    if (many === undefined) return rows
    await fill(few, many)
    const large = await replayed(many)
    const peak = (bytes: (run: Replayed) => number) => round(bytes(large) / Math.max(...runs.map(bytes)))
    rows.push(
      {
        stage: `replay, for each million of ${many}`,
        beside: `for each million of ${few}`,
        oursMs: (large.foldMs / many) * MILLION,
        besideMs: (ms.ours / few) * MILLION,
        ratioMax: 1.15,
      },
      { stage: `memory of ${many}, of that of ${few}`, figure: peak(({ rssBytes }) => rssBytes), unit: '', max: 1.15 },
      { stage: 'of it the heap of JavaScript', figure: peak(({ heapBytes }) => heapBytes), unit: '', max: 1.15 },
    )
    return rows
  },
}

const MILLION = 1_000_000
const BRIEF_SIZES = [2_000, 4_000]
const round = (figure: number) => Math.round(figure * 100) / 100
const mebibytes = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`

const REPLAYER = new URL('../workload/replayer.ts', import.meta.url)

/** Replays in its own process, which begins with an empty heap, and retires the former build. */
async function replayIn(store: Store, where: ReplayOrder): Promise<Replayed> {
  const report = await resultOf<Replayed>(REPLAYER, where, { execArgv: NODE_OPTIONS })
  for (const { build, state } of await readBuilds(store)) if (state === 'former') await dropBuild(store, build)
  return report
}

async function besideCopy(
  server: PostgresServer,
  { schema, ours, isBrief }: Brevity & Readonly<{ schema: string; ours: () => Promise<number> }>,
): Promise<{ ours: number; copy: number }> {
  const client = new pg.Client({ connectionString: server.url })
  await client.connect()
  const flat = await flatTable(client, { server, schema, isKeyed: false })
  const ms = await interleaved({ ours, copy: () => flat.copy() }, { isBrief })
  await client.query('drop table public.flat')
  await client.end()
  return ms
}
