import { type Head, readHead } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { type Recent, recent } from './publication-watch.ts'

/** A publication is seen by readers at most this long after its commit, and a quiet catalog costs four reads a second. */
const HEAD_AGE_MAX_MS = 200

/** Where the catalog stands, at most 200 ms old. */
export function watchHead({ store, now }: { store: Store; now: () => Date }): Recent<Head> {
  return recent(() => readHead(store), { ageMaxMs: HEAD_AGE_MAX_MS, now })
}

/** The version of what changes with publications alone. */
export const asOfPublication = ({ gen, seq }: Head): string => `${gen} ${seq}`

/** The version of what says where feeds, digests and snapshots stand. */
export const asOfFeeds = ({ gen, seq, bulk, floors }: Head): string => `${gen} ${seq} ${bulk} ${floors}`

/** The version of what never changes once it is closed, until it is let go. */
export const asOfRetention = ({ gen, floors }: Head): string => `${gen} ${floors}`

/** The version of what also shows something of the vendors' side, which changes without a publication. */
export const asOfProjection = ({ gen, checkpoints }: Head): string => `${gen} ${checkpoints}`
