import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { AggregatorDeps } from '@catalog/aggregator/run.ts'
import { instant } from '@catalog/core/events.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { EventLog } from '@catalog/log/log.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { feedIndex } from '@catalog/projector/index.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { drain } from '@catalog/projector/pump.ts'
import { vendorProjection } from '@catalog/projector/vendor.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import { openExactIndex } from '@catalog/search/exact.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import { openStore } from '@catalog/store/db.ts'
import { type Embedded, openEmbedded } from '@catalog/store/embedded.ts'
import { migrate } from '@catalog/store/migrate.ts'
import { copyTemplate } from '@catalog/store/template.ts'

/**
 * The one place that names adapters: which store, log, index and embedder this process runs on, chosen by the
 * environment alone.
 */
export interface Catalog extends AsyncDisposable {
  readonly mode: 'embedded' | 'postgres'
  /** False when another process of the same embedded folder runs the store. */
  readonly owner: boolean
  readonly store: Store
  readonly log: EventLog
  readonly index: SearchIndex
  readonly embedder: Embedder
  /** Projects everything that is in the log now, and feeds the index with it. */
  readonly catchUp: (onProgress?: (records: number) => void) => Promise<void>
  readonly aggregator: Omit<AggregatorDeps, 'onProgress' | 'signal'>
  readonly newCrawlId: () => string
  /** Folder for spools of large crawls. */
  readonly spoolDir: string
  readonly now: () => Date
}

/** A vacuum of the embedded store takes a second or two; so many records make it worth that. */
const VACUUM_AFTER_RECORDS = 25_000

export const PROJECTIONS = [vendorProjection, itemsProjection]

/** Opens the catalog and migrates its schema. Throws an error that says what is set and what is expected. */
export async function openCatalog(env: Environment): Promise<Catalog> {
  for (const name of ['KAFKA_BROKERS', 'ELASTICSEARCH_URL', 'EMBEDDINGS_URL'] as const) {
    if (env[name] !== undefined) {
      throw new Error(`${name}=${env[name]}: this version runs on the embedded default only; unset it`)
    }
  }
  const opened = await openChosenStore(env)
  try {
    const { store } = opened
    await migrate(store)
    const log = await openTableLog(store)
    const embedder = openBuiltinEmbedder()
    const index = openExactIndex({ store, embedder, now: () => performance.now() })
    const now = () => new Date()
    const newId = (kind: string) =>
      `${kind}_${instant(now()).replace(/\D/g, '').slice(0, 14)}_${randomBytes(5).toString('hex')}`
    let appliedSinceVacuum = 0
    const projectAll = async (onProgress?: (records: number) => void) => {
      appliedSinceVacuum += await drain({ store, log, projections: PROJECTIONS }, onProgress)
      if (appliedSinceVacuum < VACUUM_AFTER_RECORDS) return
      appliedSinceVacuum = 0
      await opened.vacuum()
    }
    const catchUp: Catalog['catchUp'] = async (onProgress) => {
      await projectAll(onProgress)
      await feedIndex({ store, index, embedder })
    }
    return {
      mode: env.DATABASE_URL === undefined ? 'embedded' : 'postgres',
      store,
      log,
      index,
      embedder,
      owner: opened.owner,
      catchUp,
      newCrawlId: () => newId('crawl'),
      aggregator: {
        store,
        log,
        // Runs wait for the read models only: the index follows by itself and no median depends on it.
        catchUp: () => projectAll(),
        now,
        newRunId: () => newId('run'),
        holder: randomBytes(8).toString('hex'),
      },
      spoolDir: join(env.CATALOG_DATA, 'spool'),
      now,
      [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
    }
  } catch (error) {
    await opened[Symbol.asyncDispose]()
    throw error
  }
}

async function openChosenStore(env: Environment): Promise<Embedded> {
  if (env.DATABASE_URL === undefined) {
    copyTemplate(env.CATALOG_DATA)
    return openEmbedded({ dir: env.CATALOG_DATA })
  }
  const store = await openStore({ kind: 'postgres', connection: { url: env.DATABASE_URL } })
  // PostgreSQL vacuums itself.
  return { store, owner: true, vacuum: async () => {}, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() }
}
