import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type Bench, interleaved } from '@catalog/bench/harness/report.ts'
import { startDebezium } from '@catalog/bench/workload/debezium.ts'
import { type Order, projectionInto } from '@catalog/bench/workload/projector.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { instant } from '@catalog/core/time.ts'
import { openKafkaLog } from '@catalog/log/kafka/kafka.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { untilProjected } from '@catalog/projector/pump.ts'
import { type KafkaServer, startKafka } from '@catalog/stack/servers/kafka.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { appendTo, observation, sourceNamed } from '@catalog/stack/testing/events.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import pg from 'pg'

export const projectBench: Bench = {
  title: 'the projection of observations from Kafka beside COPY of the same rows and the Debezium JDBC sink',
  async run(say, { isBrief = false, items: [observations = isBrief ? BRIEF_OBSERVATIONS : OBSERVATIONS] = [] } = {}) {
    await using kafka = await startKafka({ brokers: 1 })
    await using server = await startPostgres(SERVER_SETTINGS)
    await using log = await openKafkaLog({ brokers: kafka.brokers, observationPartitions: PARTITIONS })
    await using sink = await startDebezium({ brokers: kafka.brokers })
    await using projectors = startProjectors()
    say(`${observations} observations are being appended ...`)
    await append(log, 0, observations)

    const ours = async () => {
      const schema = `run_${randomBytes(4).toString('hex')}`
      const rows = await project({ kafka, server, log, projectors, schema })
      if (rows !== observations) throw new Error(`${rows} observations were projected, expected ${observations}`)
    }
    await ours()
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const [{ schema }] = (
      await client.query(
        `select table_schema as schema from information_schema.tables where table_name = 'observations' limit 1`,
      )
    ).rows as [{ schema: string }]
    const flat = await flatTable(client, { server, schema, isKeyed: true })
    const samples = [0, 1, observations - 1].map(observationOf)
    const ms = await interleaved(
      {
        ours,
        copy: () => flat.copy(),
        debezium: () => sink.run({ server, topic: TOPICS.observations, rows: observations, samples }),
      },
      { isBrief },
    )
    await client.end()
    const perSecond = (taken: number) => `${Math.round((observations / taken) * 1000)}/s`
    say(
      `from the order to the last row: ours ${perSecond(ms.ours)}, Debezium ${perSecond(ms.debezium)}, COPY ${perSecond(ms.copy)}`,
    )
    const stage = 'projection with all its tables, from Kafka'
    return [
      {
        stage,
        beside: 'COPY from a file into one table with its key',
        oursMs: ms.ours,
        besideMs: ms.copy,
        ratioMax: 1 / 0.35,
      },
      {
        stage,
        beside: 'Debezium JDBC sink, which only upserts rows',
        oursMs: ms.ours,
        besideMs: ms.debezium,
        ratioMax: 1 / 1.5,
      },
    ]
  },
}

/** The time per million observations must not grow with the existing data. */
export const growthBench: Bench = {
  title: 'the projection of the fifth million of observations beside that of the first',
  async run(say, { isBrief = false } = {}) {
    const [million, millions] = isBrief ? [BRIEF_OBSERVATIONS, 2] : [MILLION, MILLIONS]
    await using kafka = await startKafka({ brokers: 1 })
    await using server = await startPostgres(SERVER_SETTINGS)
    await using log = await openKafkaLog({ brokers: kafka.brokers, observationPartitions: PARTITIONS })
    await using projectors = startProjectors()
    const schema = `run_${randomBytes(4).toString('hex')}`
    const takenMs: number[] = []
    for (let n = 0; n < millions; n++) {
      await append(log, n * million, (n + 1) * million)
      const begun = performance.now()
      await project({ kafka, server, log, projectors, schema })
      takenMs.push(performance.now() - begun)
      say(`part ${n + 1}: ${Math.round((million / (takenMs.at(-1) as number)) * 1000)} observations/s`)
    }
    return [
      {
        stage: `observations ${(millions - 1) * million + 1} to ${millions * million}`,
        beside: `observations 1 to ${million}`,
        oursMs: takenMs.at(-1) as number,
        besideMs: takenMs[0] as number,
        ratioMax: 1.15,
      },
    ]
  },
}

/** As in the image: the records of a batch die young only if the young generation has room. */
export const NODE_OPTIONS = ['--max-semi-space-size=64']
/** Two keep two cores busy while each waits for its commits. */
const PROJECTORS = 2
const MILLION = 1_000_000
const MILLIONS = 5
const OBSERVATIONS = 300_000
const BRIEF_OBSERVATIONS = 3_000
export const PARTITIONS = 6
const SKUS = 60_000
const VENDORS = 40
/** fsync stays on, as on real servers. */
export const SERVER_SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', jit: 'off' }
const APPENDED_AT_ONCE = 10_000

/** Appends weekly lists of 40 vendors, one after the other, as crawls do. */
export async function append(log: EventLog, from: number, to: number): Promise<void> {
  for (let start = from; start < to; start += APPENDED_AT_ONCE) {
    const count = Math.min(APPENDED_AT_ONCE, to - start)
    await appendTo(
      log,
      Array.from({ length: count }, (_, i) => observationOf(start + i)),
    )
  }
}

const UNITS = ['kg', 'm2', 'u', 'm3', 'm', 'l', 't', 'h']

function observationOf(n: number): ObservationRecorded {
  const sku = n % SKUS
  const week = Math.floor(n / SKUS)
  const [number, vendor] = [sku % VENDORS, `Vendor ${sku % VENDORS}`]
  return observation({
    vendor,
    ref: `R${sku}`,
    name: `Portland cement CEM II 42.5 R, type ${sku}`,
    unit: UNITS[sku % UNITS.length] as string,
    cents: 100 + ((n * 7919) % 50_000),
    at: instant(new Date(Date.UTC(2026, 0, 1 + week * 7))),
    recordedAt: '2026-03-01T00:00:00Z',
    crawl: `crawl-${week}-${number}`,
    more: {
      source: { ...sourceNamed(vendor), region: 'ES', url: `https://vendor-${number}.example` },
      category_path: ['Materials', 'Binders', `Group ${sku % 97}`],
    },
  })
}

interface Projectors extends AsyncDisposable {
  /** Projects all of the log into a store. */
  project(to: Exclude<Order, 'stop'> & Readonly<{ store: Store; log: EventLog }>): Promise<void>
}

/** Starts processes that outlive the runs, as projectors do, so that no start counts. */
export function startProjectors(): Projectors {
  const children = Array.from({ length: PROJECTORS }, () =>
    fork(fileURLToPath(new URL('../workload/projector.ts', import.meta.url)), { execArgv: NODE_OPTIONS }),
  )
  const order = (one: Order) => children.forEach((child) => void child.send(one))
  return {
    async project({ store, log, ...where }) {
      order(where)
      const projections = where.schema === undefined ? PROJECTIONS : [projectionInto(where.schema)]
      await untilProjected({ store, log, projections })
      // They leave their group: the next members would wait for a killed one.
      const stopped = Promise.all(children.map((child) => once(child, 'message')))
      order('stop')
      await stopped
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) child.kill()
    },
  }
}

/** Projects everything in the log into this schema. Returns the number of observations. */
async function project({
  kafka,
  server,
  log,
  projectors,
  schema,
}: {
  kafka: KafkaServer
  server: PostgresServer
  log: EventLog
  projectors: Projectors
  schema: string
}): Promise<number> {
  await using store = await openStore({ kind: 'postgres', connection: { url: server.url }, schema })
  await migrate(store)
  await projectors.project({ store, log, brokers: kafka.brokers, url: server.url, schema, partitions: PARTITIONS })
  const [row] = await store.query<{ n: number }>('select count(*)::int as n from observations')
  return row?.n ?? 0
}

/**
 * Writes each observation, from all tables of the schema, as one row to a file of the server. `copy` loads the file
 * into an empty table, keyed by the id of the observation.
 */
export async function flatTable(
  client: pg.Client,
  { server, schema, isKeyed }: { server: PostgresServer; schema: string; isKeyed: boolean },
) {
  await client.query(`
    create table public.flat (observation bigint, observation_id bytea ${isKeyed ? 'primary key' : ''}, vendor_sku_id text,
      terms text, observed_at timestamptz, cents bigint, payload text, crawl_id text, recorded_at timestamptz)`)
  const file = `${decodeURIComponent(server.url.slice(server.url.indexOf('@') + 1, server.url.lastIndexOf('/')))}/flat.copy`
  await client.query(`set search_path = ${schema}`)
  await client.query(`analyze`)
  await client.query(`copy (select observation, observation_id, vendor_sku_id, terms_key, observed_at, cents, payload,
    crawl_id, recorded_at from observations join vendor_skus using (sku) join price_terms using (terms)
    join crawls using (crawl) order by observation) to '${file}' with binary`)
  return {
    async copy() {
      await client.query('truncate public.flat')
      await client.query(`copy public.flat from '${file}' with binary`)
    },
  }
}
