import type { Store } from '@catalog/store/db.ts'
import { storeUnavailable } from './errors.ts'

/** Limits of waiting for the store. */
const STORE_BOUNDS = {
  /** Equals the pool's time-out for a connection; readers give up before it. */
  answerMs: 10_000,
  /** Twice the requests in flight: some send two queries at once. */
  waitingMax: 2_000,
}

const AWAY_ANSWER_MS = 1_000

/**
 * A store for readers with limited patience. Throws store_unavailable for late answers and while too many queries wait.
 * Abandoned queries run on until the store ends them, and count until then, so that retries do not bury a slow
 * database.
 */
export function boundedStore(
  store: Store,
  { answerMs, waitingMax } = STORE_BOUNDS,
  /** While the store is known to be away, nobody waits long for it. */
  isAway = () => false,
): Store {
  let waiting = 0
  async function bounded<T>(work: () => Promise<T>): Promise<T> {
    if (waiting >= waitingMax) throw storeUnavailable(new Error(`${waiting} statements are waiting`))
    waiting++
    const answer = work().finally(() => {
      waiting--
    })
    const limitMs = isAway() ? AWAY_ANSWER_MS : answerMs
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(storeUnavailable(new Error(`no answer within ${limitMs} ms`))), limitMs).unref()
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
