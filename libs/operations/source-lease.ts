import { randomBytes } from 'node:crypto'
import type { SourceSpec } from '@catalog/crawler/sources/sources-file.ts'
import { withLease } from '@catalog/store/lease.ts'
import type { OperationContext } from './catalog.ts'

/** Another process takes over this long after the one that crawls was killed. */
const CRAWL_LEASE_MS = 30_000

/**
 * Holds the lease of a source: one process at a time crawls it or decides about its held crawl, and the others wait.
 */
export function withSourceLease<T>(
  { catalog, signal }: Pick<OperationContext, 'catalog' | 'signal'>,
  { id }: Pick<SourceSpec, 'id'>,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const lease = { name: `crawl ${id}`, holder: randomBytes(8).toString('hex'), ttlMs: CRAWL_LEASE_MS }
  return withLease(catalog.store, lease, work, signal)
}
