import { randomBytes } from 'node:crypto'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { withLease } from '@catalog/store/lease.ts'
import { workNotes } from '@catalog/store/work.ts'
import type { OperationContext } from './catalog.ts'

/** Another process takes over this long after the one that crawls was killed. */
const CRAWL_LEASE_MS = 30_000

/**
 * Holds the lease of a source: one process at a time crawls it or decides about its held crawl, and the others wait.
 * `note` keeps how far the work is.
 */
export function withSourceLease<T>(
  { catalog, signal }: Pick<OperationContext, 'catalog'> & { signal?: AbortSignal | undefined },
  { id }: Pick<SourceSpec, 'id'>,
  work: (signal: AbortSignal, note: ReturnType<typeof workNotes>) => Promise<T>,
): Promise<T> {
  const lease = { name: `crawl ${id}`, holder: randomBytes(8).toString('hex'), ttlMs: CRAWL_LEASE_MS }
  const note = workNotes(catalog.store, lease, Date.now)
  return withLease(catalog.store, lease, (signal) => work(signal, note), signal)
}
