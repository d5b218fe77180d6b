import { randomBytes } from 'node:crypto'
import {
  type ObservationRecorded,
  observationId,
  observationKey,
  observationPayload,
  sourceIdOf,
  TOPICS,
} from '@catalog/core/events.ts'
import { openKafkaLog } from '@catalog/log/kafka.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { follow, Halt, untilProjected } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import { retrying } from '@catalog/runtime/run.ts'
import { startKafka } from '@catalog/stack/kafka.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/postgres.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrate.ts'
import pg from 'pg'
import { type Bench, interleaved } from './report.ts'

export const projectBench: Bench = {
  title: 'the projection of observations from Kafka beside COPY of the same rows into one table',
  async run(say) {
    await using kafka = await startKafka({ brokers: 1 })
    await using server = await startPostgres(SERVER_SETTINGS)
    await using log = await openKafkaLog({ brokers: kafka.brokers, observationPartitions: PARTITIONS })
    say(`${OBSERVATIONS} observations are being appended ...`)
    await append(log)

    let rows = 0
    const ours = async () => {
      rows = await project({ server, log, schema: `run_${randomBytes(4).toString('hex')}` })
    }
    await ours()
    if (rows !== OBSERVATIONS) throw new Error(`${rows} observations were projected, expected ${OBSERVATIONS}`)
    const client = new pg.Client({ connectionString: server.url })
    await client.connect()
    const flat = await flatTable(client, server)
    const ms = await interleaved({ ours, copy: () => flat.copy() })
    await client.end()
    say(
      `${Math.round((OBSERVATIONS / ms.ours) * 1000)} observations/s; COPY ${Math.round((OBSERVATIONS / ms.copy) * 1000)} rows/s`,
    )
    return [
      {
        stage: 'projection with all its tables, from Kafka',
        beside: 'COPY from a file into one table with its key',
        oursMs: ms.ours,
        besideMs: ms.copy,
        ratioMax: 5,
      },
    ]
  },
}

const OBSERVATIONS = 300_000
const PARTITIONS = 6
const SKUS = 60_000
const VENDORS = 40
/** fsync stays on, as on real servers. */
const SERVER_SETTINGS = { shared_buffers: '1GB', max_wal_size: '8GB', jit: 'off' }
const APPENDED_AT_ONCE = 10_000

/** Five weekly lists of 40 vendors, one after the other, as crawls append them. */
async function append(log: EventLog): Promise<void> {
  for (let start = 0; start < OBSERVATIONS; start += APPENDED_AT_ONCE) {
    const events = Array.from({ length: Math.min(APPENDED_AT_ONCE, OBSERVATIONS - start) }, (_, i) =>
      observationOf(start + i),
    )
    await log.append(
      TOPICS.observations,
      events.map((event) => ({ key: observationKey(event.source.id, event.vendor_ref), value: JSON.stringify(event) })),
    )
  }
}

const UNITS = ['kg', 'm2', 'u', 'm3', 'm', 'l', 't', 'h']

function observationOf(n: number): ObservationRecorded {
  const sku = n % SKUS
  const week = Math.floor(n / SKUS)
  const vendor = `Vendor ${sku % VENDORS}`
  const content = {
    source: {
      id: sourceIdOf({ name: vendor, region: 'ES' }),
      name: vendor,
      region: 'ES' as const,
      url: `https://vendor-${sku % VENDORS}.example`,
    },
    vendor_ref: `R${sku}`,
    name: `Portland cement CEM II 42.5 R, type ${sku}`,
    unit: UNITS[sku % UNITS.length] as string,
    price: {
      cents: 100 + ((n * 7919) % 50_000),
      currency: 'EUR',
      per_quantity: 1,
      tax: { included: false },
      kind: 'list' as const,
    },
    observed_at: new Date(Date.UTC(2026, 0, 1 + week * 7)).toISOString().replace('.000Z', 'Z'),
    category_path: ['Materials', 'Binders', `Group ${sku % 97}`],
  }
  return {
    type: 'ObservationRecorded',
    v: 1,
    ...content,
    event_id: observationId(observationPayload(content)),
    recorded_at: '2026-03-01T00:00:00Z',
    crawl_id: `crawl-${week}-${sku % VENDORS}`,
  }
}

/** From joining the group to the last checkpoint, into tables of its own; answers how many observations are there. */
async function project({
  server,
  log,
  schema,
}: {
  server: PostgresServer
  log: EventLog
  schema: string
}): Promise<number> {
  await using store = await openStore({ kind: 'postgres', connection: { url: server.url }, schema })
  await migrate(store, schema)
  const stopping = new AbortController()
  const projection = { ...vendorProjection, topics: [TOPICS.observations], name: `vendor-${schema}` }
  // A broker that has just started may not be ready for groups: joining again is what a projector does.
  const following = retrying(() => follow({ store, log, projections: [projection], signal: stopping.signal }), {
    signal: stopping.signal,
    isFatal: (error) => error instanceof Halt,
    onRetry: () => {},
  })
  await Promise.race([untilProjected({ store, log, projections: [projection] }), following])
  const [row] = await store.query<{ n: number }>('select count(*)::int as n from observations')
  stopping.abort()
  await following
  return row?.n ?? 0
}

/** What stands of an observation in all tables as one row, in a file of the server's; `copy` loads it into an empty table. */
async function flatTable(client: pg.Client, server: PostgresServer) {
  const [{ schema }] = (
    await client.query(
      `select table_schema as schema from information_schema.tables where table_name = 'observations' limit 1`,
    )
  ).rows as [{ schema: string }]
  await client.query(`
    create table flat (observation bigint, observation_id bytea primary key, vendor_sku_id text, terms text,
      observed_at timestamptz, cents bigint, payload text, crawl_id text, recorded_at timestamptz)`)
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
