import { setTimeout as delay } from 'node:timers/promises'
import type { Topic } from '@catalog/core/events/topics.ts'
import { type Queryable, type Store, servedSchemaOf, type Transaction } from '@catalog/store/db.ts'
import { createReadModels, indexObservations } from '@catalog/store/migrations/migrate.ts'
import { settleDeliveries } from '@catalog/store/vendor/observations.ts'
import { repointViews, viewSchemaOf } from './analyst.ts'

/**
 * Builds: sets of read models, each in a schema of its own. One is served; a replay fills another one from the
 * beginning of the log and then takes its place. The name of its schema alone decides which one readers see, so all
 * processes switch at the commit of {@link flip}. See docs/decisions/0015-builds-are-schemas.md.
 */
export type Build = Readonly<{
  build: number
  /** `former`: served before the last flip, and unchanged since, until it is retired. */
  state: 'building' | 'served' | 'former'
  createdAt: string
  /** Whether observations have their keys and indexes; before that, deliveries are loaded but not settled. */
  isLoaded: boolean
  /** Records per second at most; null: unlimited. */
  rateMax: number | null
  paused: boolean
  flippedAt: string | null
}>

/** The schema of a build that is not served. */
export const buildSchemaOf = (schema: string, build: number): string => `${schema}_build_${build}`

/** Newest first. */
export async function readBuilds(db: Queryable): Promise<readonly Build[]> {
  return db.query<Build>(
    `select build, state, created_at as "createdAt", is_loaded as "isLoaded", rate_max as "rateMax", paused,
       flipped_at as "flippedAt" from builds order by build desc`,
  )
}

/** The build being filled; undefined when there is none. */
export async function readBuilding(db: Queryable): Promise<Build | undefined> {
  return (await readBuilds(db)).find(({ state }) => state === 'building')
}

/**
 * Creates empty read models for a new build. On PostgreSQL, observations get their keys after the load ({@link
 * finishLoad}). On the embedded store they have them from the beginning, because creating them later would block every
 * reader.
 */
export async function createBuild(store: Store, rateMax: number | null = null): Promise<Build> {
  return store.transaction(async (tx) => {
    // A concurrent call waits here, and then finds this build.
    await tx.query(`lock table builds in share row exclusive mode`)
    const known = await readBuilding(tx)
    if (known !== undefined) return known
    const isLoaded = store.kind === 'embedded'
    const [created] = await tx.query<{ build: number }>(
      `insert into builds (build, state, is_loaded, rate_max)
       select max(build) + 1, 'building', $1, $2 from builds returning build`,
      [isLoaded, rateMax],
    )
    const { build } = created as { build: number }
    await createReadModels(tx, buildSchemaOf(store.schema, build))
    if (isLoaded) await indexObservations(tx)
    return (await readBuilding(tx)) as Build
  })
}

/** Changes the settings that the process filling the build reads every second. */
export async function updateBuildSettings(
  db: Queryable,
  build: number,
  { rateMax, paused }: { rateMax?: number | null; paused?: boolean },
): Promise<void> {
  if (rateMax !== undefined) await db.query(`update builds set rate_max = $2 where build = $1`, [build, rateMax])
  if (paused !== undefined) await db.query(`update builds set paused = $2 where build = $1`, [build, paused])
}

/** Drops a build with all its contents; refuses the served one. */
export async function dropBuild(store: Store, build: number): Promise<void> {
  await store.transaction(async (tx) => {
    const dropped = await tx.query(`delete from builds where build = $1 and state <> 'served' returning build`, [build])
    if (dropped.length === 0) throw new Error(`build ${build}: expected an existing build that is not served`)
    await tx.query(`drop schema ${buildSchemaOf(store.schema, build)} cascade`)
  })
}

/** Sorts some millions of keys in memory; PostgreSQL writes the rest to disk. */
const SORT_MEMORY = '256MB'

/**
 * Ends the load of a build: settles deliveries, and gives observations their keys and indexes. `store` is the build's.
 * One transaction, so that a crash leaves the build either loaded and unsettled, or settled.
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

/** Updates the planner's statistics before a build is used; on the embedded store the owner's vacuum does that. */
export async function updateStatistics(store: Store): Promise<void> {
  if (store.kind === 'embedded') return
  const tables = await store.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname = current_schema() order by 1`,
  )
  for (const { name } of tables) await store.query(`vacuum analyze ${name}`)
}

/** The position of each partition of a build's projections. */
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

/** How far a build that is being filled has come, by projection and partition. */
export async function readBuildingPositions(db: Queryable, { schema, build }: { schema: string; build: number }) {
  return db.query<Omit<BuildPosition, 'lastSha'>>(
    `select projection, topic, partition, next from ${buildSchemaOf(schema, build)}.checkpoints
     order by projection, topic, partition`,
  )
}

/**
 * Reads the positions, and stops projection until the transaction ends. Projectors lock the table before they read it.
 * So after a {@link flip} they resolve its name again, and find the build that is served then. Readers continue.
 */
export async function lockPositions(tx: Queryable): Promise<readonly BuildPosition[]> {
  await tx.query(`lock table checkpoints in exclusive mode`)
  return readPositions(tx)
}

/** Runs statements of the transaction against the read models of a build, then returns to the served ones. */
export async function inBuildSchema<T>(
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

/** The longest that a reader waits for a flip that requests all locks and does not get them. */
const LOCK_WAIT_MS = 50
const LOCK_AGAIN_MS = 100
/** About half a minute. A longer statement or transaction of a reader makes the flip fail with a message. */
const LOCK_ATTEMPTS_MAX = 200

/**
 * Replaces the served build inside the caller's transaction, whose positions are locked. Returns when readers began to
 * wait, by performance.now(); they wait until the commit.
 *
 * Law: no statement sees tables of both. A statement that has resolved a name holds that table's lock, so the flip
 * waits for it. A later one waits for the flip, and then resolves its names again. No reader waits longer than {@link
 * LOCK_WAIT_MS} plus the exchange itself: the flip releases its locks and retries when it does not get all of them at
 * once.
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
  const newSchema = buildSchemaOf(schema, build)
  // Search indexes outside the store stay unchanged, and so do the checkpoints of their feeders.
  await tx.query(
    `insert into ${newSchema}.search_indexes select * from ${served}.search_indexes where identity not like 'exact %'
     on conflict do nothing`,
  )
  const [former] = await tx.query<{ build: number }>(
    `update builds set state = 'former' where state = 'served' returning build`,
  )
  await tx.query(`update builds set state = 'served', flipped_at = clock_timestamp() where build = $1`, [build])
  await tx.query(`alter schema ${served} rename to ${buildSchemaOf(schema, former?.build as number)}`)
  await tx.query(`alter schema ${newSchema} rename to ${served}`)
  await repointViews(tx, schema)
  return begunMs
}

/** Returns when the successful attempt began. */
async function lockAll(tx: Transaction, tables: readonly string[]): Promise<number> {
  await tx.query(`set local lock_timeout = ${LOCK_WAIT_MS}`)
  for (let attempt = 1; ; attempt++) {
    await tx.query('savepoint locks')
    const begunMs = performance.now()
    try {
      await tx.query(`lock table ${tables.join(', ')} in access exclusive mode`)
      return begunMs
    } catch (error) {
      // Rolling back to the savepoint releases the locks.
      await tx.query('rollback to savepoint locks')
      if (!isLockRefused(error)) throw error
      if (attempt === LOCK_ATTEMPTS_MAX) {
        throw new Error(
          'a long transaction or a vacuum locks a table of the catalog: wait for its end, then repeat the command',
          { cause: error },
        )
      }
    }
    await delay(LOCK_AGAIN_MS)
  }
}

/** True for PostgreSQL's error that a lock was not granted in time. */
export const isLockRefused = (error: unknown): boolean => (error as { code?: unknown }).code === '55P03'
