import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { type JoinRule, learnedRule } from '@catalog/aggregator/matching/join-rule.ts'
import type { SkuPairModel } from '@catalog/core/matching/sku-pair.ts'
import { METHOD_OF_NEW_CATALOGS } from '@catalog/core/median/methods.ts'
import { instant } from '@catalog/core/time.ts'
import { builtinVector, openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { type Embedder, EmbedderUnavailable } from '@catalog/embed/embed.ts'
import { openHttpEmbedder } from '@catalog/embed/http/http.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { PROJECTIONS } from '@catalog/projector/projections.ts'
import { checkLog, drain, untilProjected } from '@catalog/projector/pump.ts'
import { foldThreadsOf, openFoldThread } from '@catalog/projector/replay/fold-thread.ts'
import { feedIndex } from '@catalog/projector/search-feeder.ts'
import { type Environment, licenceOf, snapshotDirOf } from '@catalog/runtime/env.ts'
import { openLogger } from '@catalog/runtime/run.ts'
import { openExactBuild, openExactIndex } from '@catalog/search/exact/exact.ts'
import type { BuildIndex, SearchIndex } from '@catalog/search/search.ts'
import { noticeRestore } from '@catalog/store/backup/restored.ts'
import { FOLDED_LOG, readMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { openStore } from '@catalog/store/db.ts'
import { DATA_FOLDER, type Embedded, openEmbedded } from '@catalog/store/embedded/embedded.ts'
import { makePrivate } from '@catalog/store/embedded/private-folder.ts'
import { noteRefusals } from '@catalog/store/failure.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { openTokenBudget, openVectorCache } from '@catalog/store/search/embeddings.ts'
import { calibrated } from './calibrations.ts'
import { clockedLog } from './clocked-log.ts'

/** A vacuum of the embedded store takes a second or two, which is worth it after so many records. */
const VACUUM_AFTER_RECORDS = 100_000

/** A command feeds provider vectors no longer than this, because a person waits for it; the next one goes on. */
const PROVIDER_FEED_MS = 10_000

/** Prefix of index names. They also have the generation of the database, so two catalogs never share one. */
const INDEX_PREFIX = 'catalog'

/** The first build uses the index that a catalog begins with. */
const FIRST_BUILD = 1

/** The rule that `npm run evaluate -- match --out` learned. */
export function openJoinRule(): JoinRule {
  const file = new URL(import.meta.resolve('@catalog/core/matching/pair-model.json'))
  return learnedRule(JSON.parse(readFileSync(file, 'utf8')) as SkuPairModel, builtinVector)
}

/** Opens the catalog that is there; null, and nothing begun, where there is none. */
export async function openPresentCatalog(env: Environment): Promise<Catalog | null> {
  const isPresent = env.DATABASE_URL !== undefined || existsSync(join(env.CATALOG_DATA, DATA_FOLDER))
  return isPresent ? openCatalog(env) : null
}

/**
 * Opens the catalog and migrates its schema. With `projects`, this process projects the log itself instead of waiting for a
 * projector. Throws an error that names the setting and the expectation.
 */
export async function openCatalog(
  env: Environment,
  { projects = env.KAFKA_BROKERS === undefined }: { projects?: boolean } = {},
): Promise<Catalog> {
  makePrivate(env.CATALOG_DATA)
  const opened = await openChosenStore(env)
  try {
    const store = noteRefusals(opened.store, () => performance.now())
    await migrate(store)
    await endRestoredGeneration(env, store)
    const kafka = env.KAFKA_BROKERS === undefined ? null : lazyLog(() => openChosenLog(env, store), store)
    const logOn = async (store: Store) => kafka ?? (await openTableLog(store))
    const now = () => new Date()
    const log = clockedLog(await logOn(store), { store, now })
    const { embedder, spending } = await openChosenEmbedder(env, { store, now })
    const indexes = await openIndexes(env, { store, embedder })
    const feed = { store, index: indexes.index, embedder }
    const projectAll = projects
      ? vacuumingProjection({ store, log, vacuum: opened.vacuum })
      : () => untilProjected({ store, log, projections: PROJECTIONS })
    const holder = `${hostname()}:${process.pid}:${randomBytes(4).toString('hex')}`
    return {
      mode: modeOf(env),
      store,
      log,
      index: indexes.index,
      embedder,
      spending,
      owner: opened.owner,
      async catchUp(onProgress) {
        await projectAll(onProgress)
        if (!projects) return
        if (spending === null) await feedIndex(feed)
        else await feedForAWhile(feed, openLogger(env.LOG_LEVEL, 'index'))
      },
      newCrawlId: () => newId('crawl', now()),
      aggregator: {
        store,
        log,
        // Runs wait for the read models only: no median depends on the index, which follows by itself.
        catchUp: () => projectAll(),
        now,
        newRunId: () => newId('run', now()),
        joinRule: openJoinRule(),
        methodOfNewCatalogs: METHOD_OF_NEW_CATALOGS,
        holder,
      },
      replay: {
        store,
        log,
        logOn,
        embedder,
        now,
        holder,
        ...foldThreads(env),
        indexBeside: indexes.beside,
        dropIndex: indexes.drop,
        catchUp: () => projectAll(),
      },
      spoolDir: join(env.CATALOG_DATA, 'spool'),
      now,
      async [Symbol.asyncDispose]() {
        await indexes[Symbol.asyncDispose]()
        await log[Symbol.asyncDispose]()
        await opened[Symbol.asyncDispose]()
      },
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

/** Tables that came from a backup go on in a new generation, with a snapshot where it can be: see noticeRestore. */
async function endRestoredGeneration(env: Environment, store: Store): Promise<void> {
  const now = () => new Date()
  const logger = openLogger(env.LOG_LEVEL, 'store')
  const place = { dir: env.CATALOG_DATA, isLogInStore: env.KAFKA_BROKERS === undefined, now }
  const begin = async (store: Store, { gen }: { gen: string }) => {
    const { beginWithSnapshot } = await import('@catalog/snapshot/snapshot.ts')
    return beginWithSnapshot({ store, gen, folder: snapshotDirOf(env), licence: licenceOf(env), now })
  }
  const begun = await noticeRestore(store, { ...place, begin }).catch((err: unknown) => {
    // A full disk of snapshots keeps nobody from starting: the snapshot process takes one later.
    logger.warn({ err }, 'a generation with its snapshot could not begin: it begins without one')
    return noticeRestore(store, place)
  })
  if (begun !== undefined) logger.warn(begun, 'the tables were restored or copied: a new generation began')
}

/** Ids sort by time: seconds first, then random digits. */
function newId(kind: 'crawl' | 'run', at: Date): string {
  const digits = instant(at).replace(/\D/g, '').slice(0, 14)
  return `${kind}_${digits}_${randomBytes(5).toString('hex')}`
}

function modeOf({ KAFKA_BROKERS, DATABASE_URL }: Environment): Catalog['mode'] {
  if (KAFKA_BROKERS !== undefined) return 'distributed'
  return DATABASE_URL === undefined ? 'embedded' : 'postgres'
}

/** Projects to the end of the log, and vacuums the store after many records. */
function vacuumingProjection({ store, log, vacuum }: { store: Store; log: EventLog; vacuum: () => Promise<void> }) {
  let appliedSinceVacuum = 0
  return async (onProgress?: (records: number) => void): Promise<void> => {
    appliedSinceVacuum += await drain({ store, log, projections: PROJECTIONS }, onProgress)
    if (appliedSinceVacuum < VACUUM_AFTER_RECORDS) return
    appliedSinceVacuum = 0
    await vacuum()
  }
}

/** Feeds the index for a bounded time: an embeddings provider may be slow or away. */
async function feedForAWhile(
  feed: { store: Store; index: SearchIndex; embedder: Embedder },
  logger: ReturnType<typeof openLogger>,
): Promise<void> {
  try {
    const signal = AbortSignal.timeout(PROVIDER_FEED_MS)
    const { reachedEnd } = await feedIndex({ ...feed, signal })
    if (!reachedEnd) logger.info('the index is not fed to the end yet; the next projection continues')
  } catch (err) {
    if (!(err instanceof EmbedderUnavailable)) throw err
    logger.warn({ err }, 'the index follows when the embeddings provider answers')
  }
}

type Indexes = AsyncDisposable &
  Readonly<{
    index: SearchIndex
    /** The index of a build that a replay fills. */
    beside: Catalog['replay']['indexBeside']
    drop: Catalog['replay']['dropIndex']
  }>

async function openIndexes(
  env: Environment,
  { store, embedder }: { store: Store; embedder: Embedder },
): Promise<Indexes> {
  const exactOptions = (store: Store) => ({ store, embedder, now: () => performance.now() })
  if (env.ELASTICSEARCH_URL === undefined) {
    return {
      index: openExactIndex(exactOptions(store)),
      beside: (_build, store) => openExactBuild(exactOptions(store)),
      drop: async () => {},
      async [Symbol.asyncDispose]() {},
    }
  }
  // The client alone takes as long to load as the rest of a command.
  const { openElasticsearchBuild, openElasticsearchIndex } = await import(
    '@catalog/search/elasticsearch/elasticsearch.ts'
  )
  const gen = (await readMeta(store, 'gen')) as string
  const elastic = {
    url: env.ELASTICSEARCH_URL,
    ...(env.ELASTICSEARCH_API_KEY !== undefined && { apiKey: env.ELASTICSEARCH_API_KEY }),
    ...(env.ELASTICSEARCH_CA_FILE !== undefined && { ca: readFileSync(env.ELASTICSEARCH_CA_FILE) }),
    prefix: INDEX_PREFIX,
    gen,
    embedder,
  }
  const index = openElasticsearchIndex(elastic)
  const opened = new Map<number, BuildIndex & AsyncDisposable>()
  const beside = (build: number) => {
    const known = opened.get(build)
    if (known !== undefined) return known
    const added = openElasticsearchBuild({ ...elastic, build: build === FIRST_BUILD ? null : build })
    opened.set(build, added)
    return added
  }
  return {
    index,
    beside,
    // Elasticsearch refuses this where a crash left readers with it: then it is as good as the served build's index.
    drop: async (build) => {
      await beside(build).discard()
    },
    async [Symbol.asyncDispose]() {
      for (const one of opened.values()) await one[Symbol.asyncDispose]()
      await index[Symbol.asyncDispose]()
    },
  }
}

/** Replays fold in threads where these can open the store themselves: the embedded one has a single process. */
function foldThreads(env: Environment): Pick<Catalog['replay'], 'openThreads'> {
  const url = env.DATABASE_URL
  if (url === undefined) return {}
  const worker = new URL('./fold.worker.ts', import.meta.url)
  return {
    openThreads: (readModels) =>
      Array.from({ length: foldThreadsOf() }, () => openFoldThread(worker, { env, url, readModels })),
  }
}

/** The log of this environment; without brokers a table of the store. */
export async function openChosenLog(env: Environment, store: Store): Promise<EventLog> {
  const brokers = env.KAFKA_BROKERS
  if (brokers === undefined) return openTableLog(store)
  const { openKafkaLog } = await import('@catalog/log/kafka/kafka.ts')
  const ca = env.KAFKA_CA_FILE === undefined ? {} : { ca: readFileSync(env.KAFKA_CA_FILE) }
  const sasl = env.KAFKA_SASL_MECHANISM && {
    mechanism: env.KAFKA_SASL_MECHANISM,
    // The environment requires both together with the mechanism.
    username: env.KAFKA_SASL_USERNAME as string,
    password: env.KAFKA_SASL_PASSWORD as string,
  }
  const connection = { ...(env.KAFKA_TLS && { tls: ca }), ...(sasl && { sasl }) }
  // A topic that vanished would begin anew at 0, and its records would be lost unnoticed.
  const createsTopics = (await readMeta(store, FOLDED_LOG)) === undefined
  return openKafkaLog({
    client: env.KAFKA_CLIENT,
    brokers,
    prefix: env.KAFKA_TOPIC_PREFIX,
    ...(env.KAFKA_OBSERVATION_PARTITIONS !== undefined && { observationPartitions: env.KAFKA_OBSERVATION_PARTITIONS }),
    connection,
    createsTopics,
    sessionTimeoutMs: GROUP_SESSION_MS,
  })
}

/**
 * A killed projector's partitions wait so long for another one; brokers refuse less than 6 s by default. One that is silent
 * for longer while it lives loses them, which costs time alone: its locked checkpoint lets nothing be applied twice.
 */
const GROUP_SESSION_MS = 8_000

/** Appends compare the log with the tables once in so long. */
const CHECK_EVERY_MS = 60_000

/** Connects at first use: the API also serves while the broker is away. Appends nothing to a log that diverged. */
function lazyLog(open: () => Promise<EventLog>, store: Store): EventLog {
  let opening: Promise<EventLog> | undefined
  let checkedMs = Number.NEGATIVE_INFINITY
  const log = () => {
    opening ??= open().catch((error: unknown) => {
      opening = undefined
      throw error
    })
    return opening
  }
  return {
    identity: async () => (await log()).identity(),
    risks: async () => (await log()).risks(),
    partitions: async (topic) => (await log()).partitions(topic),
    async append(topic, events) {
      const opened = await log()
      if (performance.now() > checkedMs + CHECK_EVERY_MS) {
        // Beside records that were lost, new ones would get their numbers.
        for (const projection of PROJECTIONS) {
          for (const topic of projection.topics) await checkLog({ store, log: opened, projection }, topic)
        }
        checkedMs = performance.now()
      }
      return opened.append(topic, events)
    },
    read: async (topic, partition, from, max) => (await log()).read(topic, partition, from, max),
    subscribe: async (options) => (await log()).subscribe(options),
    async [Symbol.asyncDispose]() {
      await (await opening?.catch(() => undefined))?.[Symbol.asyncDispose]()
    },
  }
}

async function openChosenEmbedder(
  env: Environment,
  { store, now }: { store: Store; now: () => Date },
): Promise<Pick<Catalog, 'embedder' | 'spending'>> {
  if (env.EMBEDDINGS_URL === undefined) return { embedder: openBuiltinEmbedder(), spending: null }
  const budget = openTokenBudget({ store, tokensMax: env.EMBEDDINGS_BUDGET_TOKENS ?? null, now })
  const embedder = openHttpEmbedder({
    url: env.EMBEDDINGS_URL,
    // The environment requires model and dimensions together with the address.
    model: env.EMBEDDINGS_MODEL as string,
    dims: env.EMBEDDINGS_DIMS as number,
    sendDims: env.EMBEDDINGS_SEND_DIMS,
    key: env.EMBEDDINGS_KEY ?? null,
    revision: env.EMBEDDINGS_REVISION,
    prefixes: { query: env.EMBEDDINGS_QUERY_PREFIX, document: env.EMBEDDINGS_DOCUMENT_PREFIX },
    budget,
    openCache: (fingerprint) => openVectorCache({ store, fingerprint }),
    now: () => performance.now(),
  })
  return { embedder: await calibrated(embedder, store), spending: budget.spending }
}

async function openChosenStore(env: Environment): Promise<Embedded> {
  const sealing = { keys: env.SECRETS_KEY ?? [] }
  if (env.DATABASE_URL === undefined) {
    return openEmbedded({ dir: env.CATALOG_DATA, runtimeDir: env.XDG_RUNTIME_DIR, sealing })
  }
  const store = await openStore({ kind: 'postgres', connection: { url: env.DATABASE_URL }, sealing })
  // PostgreSQL vacuums itself.
  return { store, owner: true, vacuum: async () => {}, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
