import { setTimeout as delay } from 'node:timers/promises'
import { type UntilOptions, untilHolds } from '@catalog/stack/servers/waiting.ts'
import { AGGREGATOR_LEASE, readLeases } from '@catalog/store/lease.ts'
import type { Supervised } from './supervisor.ts'
import type { System } from './system.ts'

/** One fault: what it does, and what must hold besides when the catalog has recovered from it. */
export type Injection = Readonly<{
  name: string
  /** Waits for the fault's moment, calls `injected`, and returns when the cause is gone. Returns a note for the table. */
  inject: (system: System, injected: () => void) => Promise<string>
}>

const POLL_MS = 20
/** From a minute's end to the next run, with what may delay it. */
const RUN_MS_MAX = 150_000
const PATIENCE: UntilOptions = { timeoutMs: RUN_MS_MAX, pollMs: POLL_MS }
const BROKER_AWAY_MS = 15_000
const READ_ONLY_MS = 20_000
const INDEX_AWAY_MS = 60_000
/** Until the lease of a frozen leader has expired, and its successor has published. */
const FROZEN_MS = AGGREGATOR_LEASE.ttlMs + 15_000

export const INJECTIONS: readonly Injection[] = [
  { name: 'PostgreSQL restarted in a nightly run', inject: restartPostgres },
  { name: 'broker away for 15 s in a crawl', inject: stopBroker },
  { name: 'PostgreSQL read-only for 20 s', inject: refuseWrites },
  { name: 'search index deleted by hand', inject: deleteIndex },
  { name: 'leading aggregator frozen beyond its lease', inject: freezeLeader },
  { name: 'projector killed', inject: killProjector },
  { name: 'Elasticsearch away for a minute', inject: stopElasticsearch },
]

async function restartPostgres(system: System, injected: () => void): Promise<string> {
  const { holder } = await leader(system)
  injected()
  await system.postgres.crash()
  return `in a run of ${holder.name}`
}

async function stopBroker(system: System, injected: () => void): Promise<string> {
  const { crawls, nowMs } = system
  // A second later the process has started and reads its list.
  await untilHolds('a crawl runs', () => nowMs() - (crawls.runningSinceMs() ?? nowMs()) > 1_000, PATIENCE)
  const begunMs = crawls.runningSinceMs()
  injected()
  await system.kafka.kill(0)
  const atMs = nowMs()
  await delay(BROKER_AWAY_MS)
  await system.kafka.restart(0)
  await untilHolds('that crawl has ended', () => crawls.runningSinceMs() !== begunMs, PATIENCE)
  const met = crawls.crawled.find((crawl) => crawl.begunMs <= atMs && crawl.endedMs > atMs)
  return met === undefined ? 'the crawl failed and was started again' : 'the crawl waited and went on'
}

async function refuseWrites(system: System, injected: () => void): Promise<string> {
  injected()
  await setReadOnly(system, 'on')
  await delay(READ_ONLY_MS)
  await setReadOnly(system, 'off')
  return 'all connections terminated at both ends'
}

/** As a failover leaves it: every connection ends, and new ones take no writes. */
async function setReadOnly({ store }: System, value: 'on' | 'off'): Promise<void> {
  // The harness's own connections are among them.
  await retried(() => store.query(`alter system set default_transaction_read_only = ${value}`))
  await retried(() => store.query('select pg_reload_conf()'))
  await store
    .query(`select pg_terminate_backend(pid) from pg_stat_activity where backend_type = 'client backend'`)
    .catch(() => {})
}

async function deleteIndex({ elasticsearch: { url } }: System, injected: () => void): Promise<string> {
  const response = await fetch(`${url}/_cat/indices/catalog-*?format=json`)
  const names = ((await response.json()) as { index: string }[]).map(({ index }) => index)
  injected()
  const deleted = await fetch(`${url}/${names.join(',')}`, { method: 'DELETE' })
  if (names.length === 0 || !deleted.ok) throw new Error(`expected to delete indices: ${names} ${deleted.status}`)
  return names.join(', ')
}

async function freezeLeader(system: System, injected: () => void): Promise<string> {
  const { holder } = await leader(system)
  const pid = holder.pid() as number
  injected()
  process.kill(pid, 'SIGSTOP')
  try {
    await delay(FROZEN_MS)
    const [lease] = await readLeases(system.store)
    if (lease?.holder.split(':')[1] === String(pid)) throw new Error('expected a successor of the frozen leader')
  } finally {
    process.kill(pid, 'SIGCONT')
  }
  return `${holder.name} for ${FROZEN_MS / 1000} s`
}

async function killProjector({ projectors }: System, injected: () => void): Promise<string> {
  const [projector] = projectors as [Supervised]
  const before = projector.restarts()
  injected()
  projector.kill()
  await untilHolds('the supervisor has started it again', () => projector.restarts() > before, PATIENCE)
  return projector.name
}

async function stopElasticsearch({ elasticsearch }: System, injected: () => void): Promise<string> {
  injected()
  await elasticsearch.stop()
  await delay(INDEX_AWAY_MS)
  // A busy machine may need longer than one start is given: like a service manager, try again.
  await elasticsearch.start().catch(() => elasticsearch.start())
  return 'killed and started again'
}

/** The aggregator that holds the lease, as soon as one does: it is in a run. */
async function leader({ store, aggregators }: System): Promise<{ holder: Supervised }> {
  let holder: Supervised | undefined
  const isLed = async () => {
    const pid = (await readLeases(store)).find(({ name }) => name === AGGREGATOR_LEASE.name)?.holder.split(':')[1]
    holder = aggregators.find((aggregator) => String(aggregator.pid()) === pid)
    return holder !== undefined
  }
  await untilHolds('a run is led', isLed, PATIENCE)
  return { holder: holder as Supervised }
}

async function retried<T>(work: () => Promise<T>): Promise<T> {
  for (let left = 50; ; left--) {
    try {
      return await work()
    } catch (error) {
      if (left === 0) throw error
      await delay(POLL_MS)
    }
  }
}
