import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ElasticsearchServer, startElasticsearch } from '@catalog/stack/servers/elasticsearch.ts'
import { type KafkaServer, startKafka } from '@catalog/stack/servers/kafka.ts'
import { openStore } from '@catalog/store/db.ts'
import { type Database, openDatabase } from './database.ts'
import { openProxy, type ServerProxy } from './proxy.ts'

/** The servers of a run, each behind a proxy. What a run borrows from others it can disturb by its proxy alone. */
export type Servers = AsyncDisposable &
  Readonly<{
    /** Environment of the catalog's processes. */
    env: Readonly<Record<string, string>>
    proxies: Readonly<{ postgres: ServerProxy; kafka: readonly ServerProxy[]; elasticsearch: ServerProxy | undefined }>
    database: Pick<Database, 'store'> & Partial<Database>
    kafka: KafkaServer | undefined
    elasticsearch: ElasticsearchServer | undefined
    /** Brokers and topic prefix for the harness's own client, without a proxy of a borrowed broker. */
    log: Readonly<{ brokers: string; prefix: string }>
    /** Small file systems, where this machine lets us mount them. */
    disks: Readonly<{ database: string; mirror: string }> | undefined
  }>

const DATABASE_DISK = '1500m'
const MIRROR_DISK = '48m'

/** Starts one or three brokers, PostgreSQL with a standby, and Elasticsearch where the run needs it. */
export async function startServers({
  brokers,
  hasIndex,
  hasDisks,
}: {
  brokers: 1 | 3
  hasIndex: boolean
  hasDisks: boolean
}): Promise<Servers> {
  await using starting = new AsyncDisposableStack()
  const proxy = async () => starting.use(await openProxy())
  const postgresProxy = await proxy()
  const kafkaProxies = await Promise.all(Array.from({ length: brokers }, proxy))
  const indexProxy = hasIndex ? await proxy() : undefined
  const disks = hasDisks ? mountDisks(starting) : undefined
  const [kafka, database, elasticsearch] = await Promise.all([
    startKafka({ brokers, advertised: kafkaProxies.map(({ port }) => port) }).then((server) => starting.use(server)),
    openDatabase(postgresProxy, disks?.database).then((opened) => starting.use(opened)),
    hasIndex ? startElasticsearch().then((server) => starting.use(server)) : undefined,
  ])
  for (const [i, broker] of kafka.brokers.split(',').entries()) kafkaProxies[i]?.target(Number(broker.split(':')[1]))
  if (elasticsearch !== undefined) indexProxy?.target(Number(new URL(elasticsearch.url).port))
  const proxied = kafkaProxies.map(({ port }) => `127.0.0.1:${port}`).join(',')
  const open = starting.move()
  return {
    env: {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${postgresProxy.port}/postgres`,
      KAFKA_BROKERS: proxied,
      ...(indexProxy && { ELASTICSEARCH_URL: `http://127.0.0.1:${indexProxy.port}` }),
    },
    proxies: { postgres: postgresProxy, kafka: kafkaProxies, elasticsearch: indexProxy },
    database,
    kafka,
    elasticsearch,
    log: { brokers: proxied, prefix: '' },
    disks,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Puts a proxy before an empty database of a native PostgreSQL, and takes topics of a cluster by their prefix. */
export async function borrowServers({
  postgresUrl,
  brokers,
  prefix,
}: {
  postgresUrl: string
  brokers: string
  prefix: string
}): Promise<Servers> {
  await using starting = new AsyncDisposableStack()
  const proxy = starting.use(await openProxy())
  const { hostname, pathname } = new URL(postgresUrl)
  proxy.target(join(decodeURIComponent(hostname), '.s.PGSQL.5432'))
  const store = starting.use(await openStore({ kind: 'postgres', connection: { url: postgresUrl } }))
  const open = starting.move()
  return {
    env: {
      DATABASE_URL: `postgres://postgres@127.0.0.1:${proxy.port}${pathname}`,
      KAFKA_BROKERS: brokers,
      KAFKA_TOPIC_PREFIX: prefix,
    },
    proxies: { postgres: proxy, kafka: [], elasticsearch: undefined },
    database: { store: () => store },
    kafka: undefined,
    elasticsearch: undefined,
    log: { brokers, prefix },
    disks: undefined,
    [Symbol.asyncDispose]: () => open.disposeAsync(),
  }
}

/** Mounts small file systems in memory; undefined where only root may. */
function mountDisks(stack: AsyncDisposableStack): Servers['disks'] {
  if (process.getuid?.() !== 0) return undefined
  const mount = (size: string) => {
    const path = mkdtempSync(join(tmpdir(), 'catalog-disk-'))
    // PostgreSQL runs as another user.
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=1777`, 'catalog-faults', path])
    const unmount = () => {
      execFileSync('umount', ['--lazy', path])
      rmdirSync(path)
    }
    process.once('exit', unmount)
    stack.defer(() => {
      process.off('exit', unmount)
      unmount()
    })
    return path
  }
  return { database: mount(DATABASE_DISK), mirror: mount(MIRROR_DISK) }
}
