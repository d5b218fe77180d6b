import { mkdirSync, mkdtempDisposableSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type CommandOptions, freePort } from '@catalog/stack/servers/command.ts'
import { type ElasticsearchServer, startElasticsearch } from '@catalog/stack/servers/elasticsearch.ts'
import { type KafkaServer, startKafka } from '@catalog/stack/servers/kafka.ts'
import { type PostgresServer, startPostgres } from '@catalog/stack/servers/postgres.ts'
import { openStore, type Store } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { type CrawlLoop, crawlForever } from './crawl-loop.ts'
import { type Supervised, supervise } from './supervisor.ts'

/** A run at each whole minute: more often than the longest fault lasts, a later instant would take the place of one. */
const CRON = '0 * * * * *'

/** The distributed catalog: its servers, its processes, and the harness's own connection. */
export type System = AsyncDisposable &
  Readonly<{
    kafka: KafkaServer
    postgres: PostgresServer
    elasticsearch: ElasticsearchServer
    store: Store
    options: CommandOptions
    /** The API with its /v1. */
    base: string
    mirrorFolder: string
    aggregators: readonly Supervised[]
    projectors: readonly Supervised[]
    processes: readonly Supervised[]
    crawls: CrawlLoop
    /** Whole seconds since the start. */
    elapsed: () => number
    nowMs: () => number
  }>

/** Starts everything; disposal ends all processes and servers, and removes their folders. */
export async function openSystem(say: (line: string) => void): Promise<System> {
  await using starting = new AsyncDisposableStack()
  const folder = starting.use(mkdtempDisposableSync(join(tmpdir(), 'catalog-recovery-')))
  const [kafka, postgres, elasticsearch] = await Promise.all([startKafka(), startPostgres(), startElasticsearch()])
  for (const server of [kafka, postgres, elasticsearch]) starting.use(server)
  const store = starting.use(await openStore({ kind: 'postgres', connection: { url: postgres.url } }))
  await migrate(store)
  const lists = join(folder.path, 'lists')
  mkdirSync(lists)
  const begunMs = performance.now()
  const nowMs = () => performance.now() - begunMs
  const env = {
    DATABASE_URL: postgres.url,
    KAFKA_BROKERS: kafka.brokers,
    ELASTICSEARCH_URL: elasticsearch.url,
    RATE_LIMIT_ANON_PER_MIN: '1000000',
    RATE_LIMIT_SEARCH_PER_MIN: '1000000',
  }
  const options = { data: folder.path, env }
  const nightly = { ...options, env: { ...env, AGGREGATE_CRON: CRON, LOG_LEVEL: 'info' } }
  const port = String(await freePort())
  const base = `http://127.0.0.1:${port}/v1`
  const mirrorFolder = join(folder.path, 'mirror')
  const processes = [
    supervise('serve', ['serve', '--port', port, '--json'], options),
    supervise('projector 1', ['project'], options),
    supervise('projector 2', ['project'], options),
    supervise('aggregator 1', ['aggregate', '--nightly'], nightly),
    supervise('aggregator 2', ['aggregate', '--nightly'], nightly),
    supervise('mirror', ['mirror', base, '--into', mirrorFolder, '--follow', '--every', '2'], options),
  ].map((supervised) => starting.use(supervised))
  // A signal ends the harness without disposal; the processes have been killed by then.
  const remove = () => folder.remove()
  process.once('exit', remove)
  starting.defer(() => void process.off('exit', remove))
  const onRetry = (said: string) => say(`a crawl failed and is tried again: ${said.trim().slice(0, 300)}`)
  const crawls = crawlForever(options, { folder: lists, nowMs, onRetry })
  const open = starting.move()
  return {
    kafka,
    postgres,
    elasticsearch,
    store,
    options,
    base,
    mirrorFolder,
    projectors: processes.slice(1, 3),
    aggregators: processes.slice(3, 5),
    processes,
    crawls,
    nowMs,
    elapsed: () => Math.round(nowMs() / 1000),
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}
