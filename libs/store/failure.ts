import type { Store, WriteRefusal } from './db.ts'

/** Why the store failed a statement that is not at fault itself: it does not answer, or it takes no writes. */
export type StoreFailure = 'away' | WriteRefusal

/** By the codes of PostgreSQL and of sockets: the first that fits. */
const FAILURES: readonly (readonly [StoreFailure, RegExp])[] = [
  // read_only_sql_transaction: a standby, or a primary that a failover left so.
  ['read_only', /^25006$/],
  // disk_full, and io_error, which the embedded store says of a full disk.
  ['disk', /^(53100|58030)$/],
  // Time-outs of statements and locks, too many connections and a server that stops count as no answer.
  ['away', /^(ECONN|ENOENT$|EPIPE$|ETIMEDOUT$|08|57P0|57014$|55P03$|53300$)/],
]

/** Why the store failed; undefined for an error of the statement or of the code. Looks at the error, not at its causes. */
export function storeFailureOf(error: unknown): StoreFailure | undefined {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown }
  if (typeof code === 'string') return FAILURES.find(([, codes]) => codes.test(code))?.[0]
  // pg's pool reports these two without a code.
  const isSilent = /^Connection terminated|timeout exceeded when trying to connect/.test(String(message))
  return isSilent ? 'away' : undefined
}

/** Whether the error says that the store answers and takes no writes. */
export function isWriteRefusal(error: unknown): boolean {
  const failure = storeFailureOf(error)
  return failure !== undefined && failure !== 'away'
}

/** Leases of limits, projections and jobs write more often than this where anything happens. */
const REMEMBERED_MS = 60_000

/**
 * The same store, which remembers for a minute that its disk refused a write. No statement asks for it: a probe that fits on a
 * page that is there would be taken by a full disk.
 */
export function noteRefusals(store: Store, nowMs: () => number): Store {
  let refusedMs = Number.NEGATIVE_INFINITY
  const noting = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      if (storeFailureOf(error) === 'disk') refusedMs = nowMs()
      throw error
    }
  }
  return {
    ...store,
    query: (sql, parameters) => noting(store.query(sql, parameters)),
    transaction: (work) => noting(store.transaction(work)),
    refusedWrite: () => (nowMs() - refusedMs < REMEMBERED_MS ? 'disk' : undefined),
  }
}
