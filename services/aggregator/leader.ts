import type { EventLog } from '@catalog/log/log.ts'
import { span } from '@catalog/runtime/tracing.ts'
import type { Store } from '@catalog/store/db.ts'
import { AGGREGATOR_LEASE, withLease } from '@catalog/store/lease.ts'

type Leader = Readonly<{
  store: Store
  log: EventLog
  catchUp: () => Promise<void>
  /** Names this process in the lease. */
  holder: string
  /** Called when the lease is held, before the work. */
  onLeading?: () => void
  signal?: AbortSignal
}>

/**
 * Does the work as the one process that appends to catalog.items, by the lease. Law: a process that was frozen for longer
 * than the lease, in whatever part of a run, appends nothing beside its successor: every append asks first. Throws LeaseLost.
 */
export function asLeader<Deps extends Leader, T>(
  deps: Deps,
  work: (deps: Deps & { signal: AbortSignal }) => Promise<T>,
): Promise<T> {
  const { log, holder, store } = deps
  return withLease(
    store,
    { ...AGGREGATOR_LEASE, holder },
    (signal, held) => {
      deps.onLeading?.()
      return span('aggregate', {}, () =>
        work({
          ...deps,
          signal,
          log: {
            ...log,
            async append(topic, events) {
              signal.throwIfAborted()
              await held()
              return log.append(topic, events)
            },
          },
          async catchUp() {
            signal.throwIfAborted()
            await deps.catchUp()
          },
        }),
      )
    },
    deps.signal,
  )
}
