import { createInterface } from 'node:readline'
import { sql } from '@event-driven-io/dumbo'
import {
  getPostgreSQLEventStore,
  postgreSQLRawSQLProjection,
  rebuildPostgreSQLProjections,
} from '@event-driven-io/emmett-postgresql'
import pg from 'pg'

/**
 * Reads observations, one a line, and appends them to a stream for each crawl. Then it rebuilds their projection with
 * Emmett's rebuildPostgreSQLProjections: a consumer that reads all events from the first to the last.
 *
 * Its set-up is fair. The projection is raw SQL, which inserts and never reads; Pongo's reads each document before it writes
 * it. Batches, which are its transactions, have several sizes, and the caller takes the fastest (the default is 100). There
 * is no pause between batches (the default is 50 ms). The table has no index but its key. Emmett 0.42 gives an async
 * projection one event at a time and moves its checkpoint after each, so one statement cannot take many events. It does
 * less than ours: one table instead of six, and no look-ups.
 */
const BATCH_SIZES = [100, 1000, 5000]
const APPENDED_AT_ONCE = 1000
/** The first round warms the compilers and does not count. */
const ROUNDS = 2

const connectionString = process.env.DATABASE_URL
const store = getPostgreSQLEventStore(connectionString)
await store.schema.migrate()

let batch = []
async function append() {
  for (const [crawl, events] of Map.groupBy(batch, ({ data }) => data.crawl_id)) {
    await store.appendToStream(crawl, events)
  }
  batch = []
}
for await (const line of createInterface({ input: process.stdin })) {
  const { type, ...data } = JSON.parse(line)
  batch.push({ type, data })
  if (batch.length === APPENDED_AT_ONCE) await append()
}
await append()

const client = new pg.Client({ connectionString })
await client.connect()
await client.query(`
  create table flat (observation_id bytea primary key, source_id text, vendor_ref text, terms text, observed_at timestamptz,
    cents bigint, payload text, crawl_id text, recorded_at timestamptz)`)

const insertOf = ({ data }) => {
  const { event_id, crawl_id, recorded_at, v, ...payload } = data
  const { cents, ...price } = data.price
  return sql(
    `insert into flat values (decode(%L, 'hex'), %L, %L, %L, %L, %L, %L, %L, %L) on conflict (observation_id) do nothing`,
    event_id,
    data.source.id,
    data.vendor_ref,
    JSON.stringify({ ...price, unit: data.unit }),
    data.observed_at,
    cents,
    JSON.stringify(payload),
    crawl_id,
    recorded_at,
  )
}

for (let round = 0; round < ROUNDS; round++) {
  for (const batchSize of BATCH_SIZES) {
    await client.query('truncate flat')
    // One that is rebuilt again under its name begins where it ended, although its table was truncated.
    const projection = postgreSQLRawSQLProjection({
      name: `observations-${round}-${batchSize}`,
      canHandle: ['ObservationRecorded'],
      evolve: insertOf,
    })
    const begun = performance.now()
    const consumer = rebuildPostgreSQLProjections({
      connectionString,
      projections: [projection],
      pulling: { batchSize, pullingFrequencyInMs: 0 },
    })
    await consumer.start()
    const ms = performance.now() - begun
    await consumer.close()
    const { rows } = await client.query('select count(*)::int as n from flat')
    if (round > 0) console.log(JSON.stringify({ batchSize, ms, rows: rows[0].n }))
  }
}
await client.end()
await store.close()
