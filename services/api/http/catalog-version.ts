import { type CatalogVersion, readCatalogVersion } from '@catalog/store/catalog/queries.ts'
import type { Store } from '@catalog/store/db.ts'
import { type CachedRead, cachedRead } from './cached-read.ts'

/** Readers see a publication at most this long after its commit; an idle catalog costs at most five reads a second. */
const VERSION_AGE_MAX_MS = 200

/** The head of the catalog, at most 200 ms old. */
export function watchCatalogVersion({ store, now }: { store: Store; now: () => Date }): CachedRead<CatalogVersion> {
  return cachedRead(() => readCatalogVersion(store), { ageMaxMs: VERSION_AGE_MAX_MS, now })
}

/** Version of documents that only publications change. */
export const publicationVersion = ({ gen, seq }: CatalogVersion): string => `${gen} ${seq}`

/** Version of documents that show the state of feeds, digests and snapshots. */
export const feedsVersion = ({ gen, seq, bulk, floors }: CatalogVersion): string => `${gen} ${seq} ${bulk} ${floors}`

/** Version of closed pages, which stay the same until retention drops them. */
export const retentionVersion = ({ gen, floors }: CatalogVersion): string => `${gen} ${floors}`

/** Version of documents that also show vendor data, which changes without a publication. */
export const projectionVersion = ({ gen, checkpoints }: CatalogVersion): string => `${gen} ${checkpoints}`
