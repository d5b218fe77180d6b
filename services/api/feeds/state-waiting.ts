import type { CachedRead } from '@catalog/api/http/cached-read.ts'
import { feedsVersion } from '@catalog/api/http/catalog-version.ts'
import type { CatalogVersion } from '@catalog/store/catalog/queries.ts'

/** Requests that wait at once; half of the requests in flight stay for others. Beyond it each is answered at once. */
export const STATE_WAITERS_MAX = 500
/** As often as a version is read anew at most. */
const WATCH_EVERY_MS = 200

/** Requests that wait for the feeds to change. One timer watches for all of them. */
export type StateWaiting = Readonly<{
  /** The present version of the feeds, to wait for another. */
  version: () => Promise<string>
  /**
   * Resolves to true once the feeds have another version; to false at the deadline, when the reader left, when the server
   * drains, and at once where too many wait.
   */
  changed: (waiter: {
    version: string
    /** Milliseconds since 1970. */
    deadlineMs: number
    /** Aborts when the reader leaves. */
    gone: AbortSignal
  }) => Promise<boolean>
}>

type Waiter = Readonly<{ version: string; deadlineMs: number; conclude: (isChanged: boolean) => void }>

export function openStateWaiting({
  catalogVersion,
  now,
  isDraining,
}: {
  catalogVersion: CachedRead<CatalogVersion>
  now: () => Date
  isDraining: () => boolean
}): StateWaiting {
  const waiters = new Set<Waiter>()
  let timer: NodeJS.Timeout | undefined
  let isReading = false
  const version = async () => feedsVersion(await catalogVersion.get())

  function conclude(isOver: (waiter: Waiter) => boolean, isChanged: boolean): void {
    for (const waiter of waiters) if (isOver(waiter)) waiter.conclude(isChanged)
  }

  async function watch(): Promise<void> {
    const nowMs = now().getTime()
    conclude(({ deadlineMs }) => isDraining() || nowMs >= deadlineMs, false)
    if (isReading || waiters.size === 0) return
    isReading = true
    try {
      const current = await version()
      conclude((waiter) => waiter.version !== current, true)
    } catch {
      // A store that is away tells nothing new: the deadlines hold.
    } finally {
      isReading = false
    }
  }

  return {
    version,
    changed({ version, deadlineMs, gone }) {
      if (waiters.size >= STATE_WAITERS_MAX || isDraining() || gone.aborted) return Promise.resolve(false)
      return new Promise((resolve) => {
        const leave = () => waiter.conclude(false)
        const waiter: Waiter = {
          version,
          deadlineMs,
          conclude(isChanged) {
            gone.removeEventListener('abort', leave)
            waiters.delete(waiter)
            if (waiters.size === 0) {
              clearInterval(timer)
              timer = undefined
            }
            resolve(isChanged)
          },
        }
        gone.addEventListener('abort', leave, { once: true })
        waiters.add(waiter)
        timer ??= setInterval(() => void watch(), WATCH_EVERY_MS).unref()
      })
    },
  }
}
