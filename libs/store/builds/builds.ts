import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@catalog/core/events/topics.ts'
import { type Queryable, type Store, servedSchemaOf, type Transaction } from '@catalog/store/db.ts'
import { indexObservations, makeReadModels } from '@catalog/store/migrations/migrate.ts'
import { settleDeliveries } from '@catalog/store/vendor/observations.ts'
import { remakeViews, viewSchemaOf } from './analyst.ts'

/**
 * Builds: sets of read models, each in a schema of its own. One is served; a replay makes another one beside it from the
 * beginning of the log and puts it in its place. Which one readers see is decided by the name of its schema alone, so all
 * processes change over in one instant, the commit of {@link flip}. See docs/decisions/0015-builds-are-schemas.md.
 */
export type Build = Readonly<{
  build: number
  /** `former`: it was served, and stays as it was at the flip until it is retired. */
  state: 'building' | 'served' | 'former'
  createdAt: string
  /** Whether observations have their keys and indexes; before, records are loaded and not yet settled. */
  isLoaded: boolean
  /** Records a second at most; null: as fast as it goes. */
  rateMax: number | null
  paused: boolean
  flippedAt: string | null
}>

/** Where a build stands that is not the served one. */
export const buildSchemaOf = (schema: string, build: number): string => `${schema}_build_${build}`

/** The newest first. */
export async function readBuilds(db: Queryable): Promise<readonly Build[]> {
  return db.query<Build>(
    `select build, state, created_at as "createdAt", is_loaded as "isLoaded", rate_max as "rateMax", paused,
       flipped_at as "flippedAt" from builds order by build desc`,
  )
}

/** Which build is served: whoever carries private keys from one statement to the next asks before and after. */
export async function readServedBuild(db: Queryable): Promise<number> {
  const [row] = await db.query<{ build: number }>(`select build from builds where state = 'served'`)
  return (row as { build: number }).build
}

/** The build that is being made; undefined when there is none. */
export async function readBuilding(db: Queryable): Promise<Build | undefined> {
  return (await readBuilds(db)).find(({ state }) => state === 'building')
}

/**
 * Empty read models for a new build. On PostgreSQL observations get their keys after the load ({@link finishLoad}); on the
 * embedded store, where making them would hold up every reader, they have them from the beginning.
 */
export async function createBuild(store: Store, rateMax: number | null = null): Promise<Build> {
  return store.transaction(async (tx) => {
    // Two at once: the second one waits here, and then finds what the first one made.
    await tx.query(`lock table builds in share row exclusive mode`)
    const known = await readBuilding(tx)
    if (known !== undefined) return known
    const isLoaded = store.kind === 'embedded'
    const [made] = await tx.query<{ build: number }>(
      `insert into builds (build, state, is_loaded, rate_max)
       select max(build) + 1, 'building', $1, $2 from builds returning build`,
      [isLoaded, rateMax],
    )
    const { build } = made as { build: number }
    await makeReadModels(tx, buildSchemaOf(store.schema, build))
    if (isLoaded) await indexObservations(tx)
    return (await readBuilding(tx)) as Build
  })
}

/** Changes what whoever fills the build looks at every second. */
export async function steerBuild(
  db: Queryable,
  build: number,
  { rateMax, paused }: { rateMax?: number | null; paused?: boolean },
): Promise<void> {
  if (rateMax !== undefined) await db.query(`update builds set rate_max = $2 where build = $1`, [build, rateMax])
  if (paused !== undefined) await db.query(`update builds set paused = $2 where build = $1`, [build, paused])
}

/** Takes a build away with everything that is in it; the served one is refused. */
export async function dropBuild(store: Store, build: number): Promise<void> {
  await store.transaction(async (tx) => {
    const gone = await tx.query(`delete from builds where build = $1 and state <> 'served' returning build`, [build])
    if (gone.length === 0) throw new Error(`build ${build}: expected one that is there and is not served`)
    await tx.query(`drop schema ${buildSchemaOf(store.schema, build)} cascade`)
  })
}

/** Enough for sorting some millions of keys at once; PostgreSQL writes the rest to disk. */
const SORT_MEMORY = '256MB'

/**
 * Ends the load of a build: deliveries are told apart, observations get their keys and indexes. `store` is the build's;
 * one transaction, so that a crash leaves it loaded and unsettled, or settled.
 */
export async function finishLoad(store: Store, build: number): Promise<void> {
  await store.transaction(async (tx) => {
    await tx.query(
      `select set_config(name, value, true) from (values ('statement_timeout', '0'), ('work_mem', $1),
      ('maintenance_work_mem', $1)) settings (name, value)`,
      [SORT_MEMORY],
    )
    await settleDeliveries(tx)
    await indexObservations(tx)
    await tx.query(`update builds set is_loaded = true where build = $1`, [build])
  })
}

/** Gives the planner what it knows of tables that are used for a while; on the embedded store the owner's vacuum does. */
export async function settleStatistics(store: Store): Promise<void> {
  if (store.kind === 'embedded') return
  const tables = await store.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema() order by 1`,
  )
  for (const { name } of tables) await store.query(`vacuum analyze ${name}`)
}

/** Where the projections of a build stand: one line for each partition. */
export type BuildPosition = Readonly<{
  projection: string
  topic: Topic
  partition: number
  next: bigint
  lastSha: string | null
}>

export async function readPositions(db: Queryable): Promise<readonly BuildPosition[]> {
  return db.query(
    `select projection, topic, partition, next, last_sha as "lastSha" from checkpoints
     order by projection, topic, partition`,
  )
}

/**
 * The same, and nothing is projected until the transaction ends. Projectors wait for the table before they look into it, so
 * after a {@link flip} they look up its name anew, and find that of the build that is served then. Who only reads goes on.
 */
export async function lockPositions(tx: Queryable): Promise<readonly BuildPosition[]> {
  await tx.query(`lock table checkpoints in exclusive mode`)
  return readPositions(tx)
}

/** Runs statements of the transaction against the read models of a build, then goes back to the served ones. */
export async function within<T>(
  tx: Transaction,
  { schema, readModels }: { schema: string; readModels: string },
  work: () => Promise<T>,
): Promise<T> {
  const look = (first: string) => tx.query(`set local search_path = ${first}, ${schema}`)
  await look(readModels)
  const result = await work()
  await look(servedSchemaOf(schema))
  return result
}

/** What a reader waits at most where a flip asks for all tables and does not get them. */
const LOCK_WAIT_MS = 50
const LOCK_AGAIN_MS = 100
/** About half a minute; who reads longer than that in one statement or transaction holds up a flip, and is told so. */
const LOCK_ATTEMPTS_MAX = 200

/**
 * Puts a build in the place of the served one, inside the caller's transaction, whose positions are locked. Answers when
 * readers began to be held up, by performance.now(); they are until the commit.
 *
 * Law: no statement sees tables of both. One that has looked up a name holds that table's lock, so the flip waits for it;
 * one that comes later waits for the flip, and then looks its names up anew. Who reads is never held up longer than
 * {@link LOCK_WAIT_MS} and the exchange itself: the locks are asked for again and again, and given back where they do not
 * come at once.
 */
export async function flip(tx: Transaction, { schema, build }: { schema: string; build: number }): Promise<number> {
  const served = servedSchemaOf(schema)
  const tables = await tx.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = $1
     union all select format('%I.%I', schemaname, viewname) from pg_views where schemaname in ($1, $2) order by 1`,
    [served, viewSchemaOf(schema)],
  )
  const begunMs = await lockAll(
    tx,
    tables.map(({ name }) => name),
  )
  const made = buildSchemaOf(schema, build)
  // Indexes of other embedders outside the store stay what they are, and so does where their feeders stand.
  await tx.query(
    `insert into ${made}.search_indexes select * from ${served}.search_indexes where identity not like 'exact %'
     on conflict do nothing`,
  )
  const [former] = await tx.query<{ build: number }>(
    `update builds set state = 'former' where state = 'served' returning build`,
  )
  await tx.query(`update builds set state = 'served', flipped_at = clock_timestamp() where build = $1`, [build])
  await tx.query(`alter schema ${served} rename to ${buildSchemaOf(schema, former?.build as number)}`)
  await tx.query(`alter schema ${made} rename to ${served}`)
  await remakeViews(tx, schema)
  return begunMs
}

/** Answers when the attempt began that got them all. */
async function lockAll(tx: Transaction, tables: readonly string[]): Promise<number> {
  await tx.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
  for (let attempt = 1; ; attempt++) {
    await tx.query('savepoint locks')
    const begunMs = performance.now()
    try {
      await tx.query(`lock table ${tables.join(', ')} in access exclusive mode`)
      return begunMs
    } catch (error) {
      // What was locked is free again with the savepoint.
      await tx.query('rollback to savepoint locks')
      if (!isLockRefused(error)) throw error
      if (attempt === LOCK_ATTEMPTS_MAX) {
        throw new Error(
          'a long transaction, or a vacuum, holds a table of the catalog: expected it to end, then the same command again',
          { cause: error },
        )
      }
    }
    await delay(LOCK_AGAIN_MS)
  }
}

/** Whether a lock was waited for as long as it may be. */
export const isLockRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'
