import type { Store } from '@catalog/store/db.ts'
import { storeUnavailable } from './errors.ts'

/** How long, and how much of, what the store has not answered is waited for. */
const STORE_BOUNDS = {
  /** As long as the pool waits for a connection; whoever reads a catalog has given up by then. */
  answerMs: 10_000,
  /** Twice the requests in flight: some ask two things at once. */
  waitingMax: 2_000,
}

/**
 * The store for readers who do not wait without end: what it has not answered in time, and what comes while too much
 * waits already, throws store_unavailable. Work that was given up goes on until the store ends it, and counts until then,
 * so that a slow database is not buried by those who come again.
 */
export function boundedStore(store: Store, { answerMs, waitingMax } = STORE_BOUNDS): Store {
  let waiting = 0
  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) throw storeUnavailable(new Error(`${waiting} statements are waiting`))
    waiting++
    const answer = work().finally(() => {
      waiting--
    })
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(storeUnavailable(new Error(`no answer within ${answerMs} ms`))), answerMs).unref()
    })
    try {
      return await Promise.race([answer, late])
    } finally {
      clearTimeout(timer)
    }
  }
  return {
    ...store,
    query: (sql, parameters) => bounded(() => store.query(sql, parameters)),
    transaction: (work) => bounded(() => store.transaction(work)),
    copyOut: (sql) => bounded(() => store.copyOut(sql)),
  }
}
