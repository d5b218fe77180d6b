import { mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import { observation } from '@catalog/core/events/testing.ts'
import { observationKey, TOPICS } from '@catalog/core/events/topics.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openKafkaLog } from '@catalog/log/kafka.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { answerOf, type CommandOptions, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import { type ElasticsearchServer, startElasticsearch } from '@catalog/stack/servers/elasticsearch.ts'
import { type KafkaServer, startKafka } from '@catalog/stack/servers/kafka.ts'
import { exitOnSignals } from '@catalog/stack/servers/machine.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { type UntilOptions, untilHolds } from '@catalog/stack/servers/waiting.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { randomOf } from './chaos.ts'

/**
 * Injects faults into the distributed path. While events are appended and two processes project them, it kills a
 * projector and the broker with kill -9 and stops PostgreSQL at once, in turn, and restarts each. Then Elasticsearch is
 * away while the catalog publishes.
 *
 * Law: every observation is stored once, as appended; the store does not wait for the index; the index ends with the
 * ids and versions of the store. Throws an error that names what fails.
 */
export async function faults({ events, outageSeconds, seed, report }: FaultOptions): Promise<FaultReport> {
  using folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-faults-'))
  await using kafka = await startKafka()
  await using postgres = await startPostgres()
  await using elasticsearch = await startElasticsearch()
  const options: CommandOptions = {
    data: folder.path,
    timeoutMs: TIMEOUT_MS,
    env: { DATABASE_URL: postgres.url, KAFKA_BROKERS: kafka.brokers, ELASTICSEARCH_URL: elasticsearch.url },
  }
  await using store = await openStore({ kind: 'postgres', connection: { url: postgres.url } })
  await migrate(store)
  await using log = await openKafkaLog({ brokers: kafka.brokers })
  const projectors = [startCatalog(['project'], options), startCatalog(['project'], options)]
  try {
    const appending = append(log, events)
    // Awaited below; until then a failure must not count as unhandled.
    appending.catch(() => {})
    const struck = await strike({ kafka, postgres, projectors, options, seed, report, until: appending })
    const sent = await appending
    report(`${events} events appended, in ${sent} records because of failed sends`)
    await untilHolds('everything is projected', () => isProjected(options), PATIENCE)
    const counts = await requireExact(store, events)
    report(`nothing lost, doubled or wrong after ${struck.length} faults: ${counts}`)
    const indexed = await outage({ elasticsearch, store, options, outageSeconds, report })
    return { events, struck, indexed }
  } finally {
    for (const projector of projectors) await projector[Symbol.asyncDispose]()
  }
}

export type FaultOptions = Readonly<{
  events: number
  outageSeconds: number
  seed: number
  report: (line: string) => void
}>
export type FaultReport = Readonly<{ events: number; struck: readonly string[]; indexed: number }>

/** Bound of every part on a busy machine. */
const TIMEOUT_MS = 900_000
const POLL_MS = 200
const PATIENCE: UntilOptions = { timeoutMs: TIMEOUT_MS, pollMs: POLL_MS }
const APPENDED_AT_ONCE = 2_000
/**
 * A consumer group notices a killed member after its session of 30 s; faults come faster than that, but not at once.
 */
const FAULT_EVERY_MS = { min: 2_000, max: 6_000 }
/** One list a day from each vendor; each SKU is in all of them, at a moving price. */
const VENDORS = 50
const SKUS = 20_000
const FIRST_LIST_MS = Date.UTC(2026, 0, 5)

const observationOf = (n: number): ObservationRecorded =>
  observation({
    vendor: `Vendor ${n % VENDORS}`,
    ref: `R${n % SKUS}`,
    cents: 100 + (n % SKUS) + Math.floor(n / SKUS),
    name: `Ceramic brick type ${n % SKUS}`,
    crawl: `crawl-${n % VENDORS}-${Math.floor(n / SKUS)}`,
    at: instant(new Date(FIRST_LIST_MS + Math.floor(n / SKUS) * DAY_MS)),
    recordedAt: '2026-02-28T00:00:00Z',
  })

/** Appends all events and retries refused ones; returns how many records it sent. */
async function append(log: EventLog, events: number): Promise<number> {
  let sent = 0
  for (let start = 0; start < events; ) {
    const batch = Array.from({ length: Math.min(APPENDED_AT_ONCE, events - start) }, (_, i) => observationOf(start + i))
    sent += batch.length
    try {
      await log.append(
        TOPICS.observations,
        batch.map((event) => ({
          key: observationKey(event.source.id, event.vendor_ref),
          value: JSON.stringify(event),
        })),
      )
      start += batch.length
    } catch {
      await delay(POLL_MS)
    }
  }
  return sent
}

type Struck = {
  kafka: KafkaServer
  postgres: PostgresServer
  projectors: Running[]
  options: CommandOptions
  seed: number
  report: (line: string) => void
  until: Promise<unknown>
}

/** Injects one fault after the other until appending ends, at least one of each kind. */
async function strike({ kafka, postgres, projectors, options, seed, report, until: end }: Struck): Promise<string[]> {
  let appending = true
  end.then(
    () => {
      appending = false
    },
    () => {
      appending = false
    },
  )
  const random = randomOf(seed)
  const struck: string[] = []
  const begun = performance.now()
  while (appending || struck.length < 3) {
    const { min, max } = FAULT_EVERY_MS
    await delay(min + random.fraction() * (max - min))
    const kind = struck.length % 3
    if (kind === 0) {
      const index = random.below(projectors.length)
      projectors[index]?.kill('SIGKILL')
      projectors[index] = startCatalog(['project'], options)
    } else if (kind === 1) {
      await kafka.kill(0)
      await kafka.restart(0)
    } else {
      await postgres.crash()
    }
    const name = ['projector killed', 'broker killed', 'PostgreSQL stopped at once'][kind] as string
    struck.push(`${name} at ${Math.round((performance.now() - begun) / 1000)} s`)
    report(struck.at(-1) as string)
  }
  return struck
}

async function requireExact(store: Store, events: number): Promise<string> {
  const [row] = await store.query<Record<string, number>>(
    `select (select count(*)::int from observations) as observations,
       (select count(*)::int from deliveries) as deliveries,
       (select count(*)::int from parked) as parked,
       (select count(*)::int from observations where sha256(convert_to(payload, 'UTF8')) <> observation_id) as wrong`,
  )
  const ids = await store.query<{ id: string }>(`select encode(observation_id, 'hex') as id from observations`)
  const found = new Set(ids.map(({ id }) => id))
  let lost = 0
  for (let n = 0; n < events; n++) if (!found.has(observationOf(n).event_id)) lost++
  const counts = JSON.stringify({ ...row, lost })
  const expected = JSON.stringify({ observations: events, deliveries: events, parked: 0, wrong: 0, lost: 0 })
  if (counts !== expected) throw new Error(`after the faults: expected ${expected}, found ${counts}`)
  return counts
}

type Lag = Readonly<{ name: string; lag: number }>
async function lags(options: CommandOptions): Promise<readonly Lag[]> {
  // `status` fails while the index is away; read the store all the same.
  const status = (await answerOf(['status'], options).catch(() => null)) as { projections: Lag[] } | null
  return status?.projections ?? [{ name: 'unknown', lag: -1 }]
}

const isProjected = async (options: CommandOptions) => (await lags(options)).every(({ lag }) => lag === 0)

type Outage = {
  elasticsearch: ElasticsearchServer
  store: Store
  options: CommandOptions
  outageSeconds: number
  report: (line: string) => void
}

/** Takes Elasticsearch away while a run publishes; returns how many documents the index holds at the end. */
async function outage({ elasticsearch, store, options, outageSeconds, report }: Outage): Promise<number> {
  await elasticsearch.stop()
  const begun = performance.now()
  await answerOf(['aggregate', '--as-of', '2026-02-01T00:00:00Z'], options)
  const [head] = await store.query<{ published: number; behind: number }>(
    `select (select max(seq)::int from changes) as published,
       (select max(seq)::int from changes) + 1 - coalesce((select max(next)::int from search_indexes), 1)
         as behind`,
  )
  report(`${head?.published} changes published while Elasticsearch was away; the index lacks ${head?.behind} of them`)
  if (!head?.behind) throw new Error('expected the index to lag: Elasticsearch was stopped')
  const leftMs = outageSeconds * 1000 - (performance.now() - begun)
  if (leftMs > 0) await delay(leftMs)
  await elasticsearch.start()
  await untilHolds('the index has caught up', () => isProjected(options), PATIENCE)
  report(`the index has caught up ${Math.round((performance.now() - begun) / 1000)} s after Elasticsearch went away`)

  const latest = await store.query<{ id: string; seq: number }>(
    `select item_id as id, max(seq)::int as seq from changes group by item_id order by item_id`,
  )
  const documents = await allDocuments(elasticsearch.url)
  for (const { id, seq } of latest) {
    if (documents.get(id) !== seq)
      throw new Error(`${id}: expected version ${seq} in the index, found ${documents.get(id)}`)
  }
  if (documents.size !== latest.length) {
    throw new Error(`expected ${latest.length} documents in the index, found ${documents.size}`)
  }
  return documents.size
}

const PAGE = 5_000

/** Version by id of every document of the catalog. */
async function allDocuments(url: string): Promise<Map<string, number>> {
  const versions = new Map<string, number>()
  for (let after: unknown[] | undefined; ; ) {
    const response = await fetch(`${url}/catalog-*-docs/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        size: PAGE,
        version: true,
        _source: false,
        sort: ['seq'],
        ...(after && { search_after: after }),
      }),
    })
    const answer = (await response.json()) as { hits: { hits: { _id: string; _version: number; sort: unknown[] }[] } }
    for (const { _id, _version } of answer.hits.hits) versions.set(_id, _version)
    after = answer.hits.hits.at(-1)?.sort
    if (after === undefined) return versions
  }
}

if (import.meta.main) {
  exitOnSignals()
  const { values } = parseArgs({
    options: {
      events: { type: 'string', default: '300000' },
      'outage-seconds': { type: 'string', default: '120' },
      seed: { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
    },
  })
  const held = await faults({
    events: Number(values.events),
    outageSeconds: Number(values['outage-seconds']),
    seed: Number(values.seed),
    report: (line) => process.stderr.write(`${line}\n`),
  })
  if (values.json) process.stdout.write(`${JSON.stringify(held)}\n`)
}
