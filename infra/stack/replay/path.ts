import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openTableLog } from '@catalog/log/table.ts'
import type { ReplayDeps } from '@catalog/projector/replay/replay-deps.ts'
import { openExactBuild, openExactIndex } from '@catalog/search/exact/exact.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import type { Store, Transaction } from '@catalog/store/db.ts'

export const embedder = openBuiltinEmbedder()

/**
 * Dependencies of a replay on this path. The holder stays the same, so a new replay takes over at once from a dead one.
 */
export function replayDepsOf(path: Path, more: Partial<ReplayDeps> = {}): ReplayDeps {
  return {
    store: path.store,
    log: path.log,
    logOn: openTableLog,
    indexBeside: (_build, store) => openExactBuild({ store, embedder, now: () => performance.now() }),
    dropIndex: async () => {},
    embedder,
    catchUp: path.project,
    now: () => new Date(path.nowMs),
    holder: 'replay',
    ...more,
  }
}

/** The index of the embedded defaults, which a build keeps in its own tables. */
export const exactOn = (store: Store) => openExactIndex({ store, embedder, now: () => performance.now() })

/** The replay's process is dead: it executes no further call. */
export class Died extends Error {
  override name = 'Died'
  constructor(calls: number) {
    super(`died after ${calls} calls`)
  }
}

/**
 * Dependencies of a replay whose process dies after `dyingAfter` calls of store and log: statements, commits, reads and
 * appends. An open transaction is rolled back; a commit stays.
 */
export function dyingAfterCalls(deps: ReplayDeps, { dyingAfter }: { dyingAfter: number }) {
  let calls = 0
  const call = async <T>(work: () => Promise<T>): Promise<T> => {
    if (calls >= dyingAfter) throw new Died(calls)
    const result = await work()
    if (++calls >= dyingAfter) throw new Died(calls)
    return result
  }
  const within = (tx: Transaction): Transaction => ({
    query: (sql, parameters) => call(() => tx.query(sql, parameters)),
    insertRows: (...rows) => call(() => tx.insertRows(...rows)),
    queryOne: (sql) => call(() => tx.queryOne(sql)),
    onCommit: (effect) => tx.onCommit(effect),
  })
  const storeOf = (store: Store): Store => ({
    ...store,
    query: (sql, parameters) => call(() => store.query(sql, parameters)),
    transaction: (work) => call(() => store.transaction((tx) => work(within(tx)))),
    withReadModels: async (readModels) => storeOf(await call(() => store.withReadModels(readModels))),
  })
  const { log } = deps
  const dying: ReplayDeps = {
    ...deps,
    store: storeOf(deps.store),
    log: {
      ...log,
      read: (...asked) => call(() => log.read(...asked)),
      append: (...said) => call(() => log.append(...said)),
    },
  }
  return { deps: dying, calls: () => calls }
}

/**
 * Dependencies of a replay whose flip runs a test's action: when positions are locked, and when all is exchanged but
 * uncommitted.
 */
export function interrupted(
  deps: ReplayDeps,
  {
    locked = async () => {},
    exchanged = async () => {},
  }: { locked?: () => Promise<void>; exchanged?: () => Promise<void> },
): ReplayDeps {
  const { store } = deps
  return {
    ...deps,
    store: {
      ...store,
      transaction: (work) =>
        store.transaction(async (tx) => {
          let isExchanged = false
          const result = await work({
            ...tx,
            async query<Row extends object>(sql: string, parameters?: readonly unknown[]) {
              const rows = await tx.query<Row>(sql, parameters)
              if (LOCKS_POSITIONS.test(sql)) await locked()
              isExchanged ||= sql.startsWith('alter schema')
              return rows
            },
          })
          if (isExchanged) await exchanged()
          return result
        }),
    },
  }
}
const LOCKS_POSITIONS = /^lock table checkpoints/
