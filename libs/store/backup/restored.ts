import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { join } from 'node:path'
import { beginGeneration, type NewGeneration, nextGeneration } from '@catalog/store/catalog/generation.ts'
import { claimMeta, readMeta, saveMeta } from '@catalog/store/checkpoints.ts'
import type { Store } from '@catalog/store/db.ts'
import { DATA_FOLDER } from '@catalog/store/embedded/embedded.ts'
import { withLease } from '@catalog/store/lease.ts'

/** Key of meta: where these tables stand. Tables that say another place were restored, or copied. */
const PLACE = 'place'
const LEASE_TTL_MS = 30_000

/**
 * Begins a new generation where the tables came here from somewhere else since they were opened last: by `catalog restore`,
 * by pg_restore, as a base backup, or as a copied folder. Their numbers may already stand for other changes, and mirrors must
 * not take these for those. Returns undefined where they did not, and on a server that takes no writes.
 *
 * The place of an embedded store is its folder's inode. That of PostgreSQL is the cluster, the database and the table. Where
 * the log is in the same database, it is the timeline too: a failover may have lost the newest changes. With Kafka these are
 * folded again, to the same numbers.
 *
 * `begin` begins the generation, as {@link beginGeneration} does.
 */
export async function noticeRestore(
  store: Store,
  {
    dir,
    isLogInStore,
    now,
    begin = beginGeneration,
  }: {
    dir: string
    isLogInStore: boolean
    now: () => Date
    begin?: (store: Store, next: { gen: string }) => Promise<NewGeneration>
  },
): Promise<NewGeneration | undefined> {
  const place = store.kind === 'embedded' ? folderPlace(dir) : await databasePlace(store, { isLogInStore })
  if (place === undefined) return undefined
  const known = await claimMeta(store, PLACE, place)
  if (known === place) return undefined
  const lease = { name: 'generation', holder: randomBytes(8).toString('hex'), ttlMs: LEASE_TTL_MS }
  return withLease(store, lease, async () => {
    if ((await readMeta(store, PLACE)) === place) return undefined
    const gen = nextGeneration((await readMeta(store, 'gen')) ?? null, now())
    const begun = await begin(store, { gen })
    // After a crash before this statement the next start begins one more generation, which harms nobody.
    await saveMeta(store, PLACE, place)
    return begun
  })
}

function folderPlace(dir: string): string {
  const { ino } = statSync(join(dir, DATA_FOLDER), { bigint: true })
  return `folder ${ino}`
}

/** Undefined on a standby, and where a hosted server keeps these facts to itself. */
async function databasePlace(store: Store, { isLogInStore }: { isLogInStore: boolean }): Promise<string | undefined> {
  const [standby] = await store.query<{ is: boolean }>(`select pg_is_in_recovery() as is`)
  if (standby?.is !== false) return undefined
  const timeline = isLogInStore ? `|| ' ' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8)` : ''
  try {
    const [row] = await store.query<{ place: string }>(
      `select system_identifier || ' ' || (select oid from pg_database where datname = current_database()) || ' '
         || 'meta'::regclass::oid ${timeline} as place from pg_control_system()`,
    )
    return row?.place
  } catch (error) {
    if (NOT_FOR_US.includes((error as { code?: string }).code ?? '')) return undefined
    throw error
  }
}

/** insufficient_privilege, feature_not_supported, undefined_function */
const NOT_FOR_US = ['42501', '0A000', '42883']
