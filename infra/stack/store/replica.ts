import { openReplica, type Replica } from '@catalog/replica/follow/replica.ts'
import { readDigest, readScopeChanges } from '@catalog/replica/read/feeds.ts'
import type { Tables } from '@catalog/replica/tables.ts'
import { readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'

/** Longer than a filling takes on a busy machine. */
const WAIT_MAX_MS = 20_000

/** A replica in memory, whose readers wait until it shows what the store says. */
export const memoryReplica = (store: Store, onError: (error: unknown) => void = () => {}): Replica =>
  openReplica({ store, folder: null, waitMaxMs: WAIT_MAX_MS, onError })

/** The public catalog as readers find it now. */
export async function catalogOf(store: Store): Promise<Tables> {
  let failure: unknown
  const replica = memoryReplica(store, (error) => {
    failure = error
  })
  const version = await readCatalogVersion(store)
  const last = (await replica.reach(version)) ? replica.last() : undefined
  if (last === undefined) throw failure
  return last.tables
}

/** The changes of a scope as its feeds show them now. */
export async function scopeChangesOf(store: Store, range: Parameters<typeof readScopeChanges>[1]) {
  const changes = readScopeChanges(await catalogOf(store), range)
  return changes.map((change) => ({
    ...change,
    stateSha: Buffer.from(change.stateSha),
    chain: Buffer.from(change.chain),
  }))
}

/** A digest as it is served now. */
export const digestOf = async (store: Store, at: Parameters<typeof readDigest>[1]) =>
  readDigest(await catalogOf(store), at)
