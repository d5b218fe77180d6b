import { instant } from '@catalog/core/time.ts'
import { noteUses, type Use as Written } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'

/**
 * When keys and agents were used last, and how many of their requests counted in the month: for people to see, so it is
 * written every few seconds and not with each request. What a process that is killed had not written is missing there; the
 * caps are kept by limits.ts, which loses nothing.
 */
export interface Uses {
  /** The key or agent sent a request that was admitted. */
  used(use: Use): void
  /** So many requests of it counted in the month that began then. */
  counted(use: Use, monthStartMs: number, requests?: number): void
  /** Writes what is not written yet. */
  close(): Promise<void>
}

/** What is not written yet of one key or agent. */
export type Use = {
  readonly subject: string
  lastUsedMs: number
  /** Of the month in which `requests` counted. */
  monthStartMs: number
  requests: number
}

export const newUse = (subject: string): Use => ({
  subject,
  lastUsedMs: 0,
  monthStartMs: 0,
  requests: 0,
})

const WRITE_EVERY_MS = 5_000
/** In one statement: its rows stay locked until it ends. */
const WRITTEN_MAX = 500

export function openUses({ store, now }: { store: Store; now: () => Date }): Uses {
  /** Seen since the last time that something was written. */
  const unwritten = new Map<string, Written>()
  let fresh = new Set<Use>()
  let timer: NodeJS.Timeout | undefined
  let writing = Promise.resolve()

  function touch(use: Use): void {
    fresh.add(use)
    timer ??= setTimeout(write, WRITE_EVERY_MS).unref()
  }

  function gather(use: Use): void {
    const { subject, lastUsedMs, monthStartMs, requests } = use
    const lastUsedAt = instant(new Date(lastUsedMs))
    const month = `${instant(new Date(monthStartMs || lastUsedMs)).slice(0, 7)}-01`
    add({ subject, lastUsedAt, month, requests })
    use.requests = 0
  }

  function add(use: Written): void {
    const name = `${use.subject} ${use.month}`
    const known = unwritten.get(name)
    const lastUsedAt = known !== undefined && known.lastUsedAt > use.lastUsedAt ? known.lastUsedAt : use.lastUsedAt
    unwritten.set(name, { ...use, lastUsedAt, requests: use.requests + (known?.requests ?? 0) })
  }

  function write(): void {
    timer = undefined
    const seen = fresh
    fresh = new Set()
    for (const use of seen) gather(use)
    writing = writing.then(writeGathered)
  }

  async function writeGathered(): Promise<void> {
    const names = [...unwritten.keys()].sort()
    for (let i = 0; i < names.length; i += WRITTEN_MAX) {
      const part = names.slice(i, i + WRITTEN_MAX)
      const uses = part.flatMap((name) => unwritten.get(name) ?? [])
      for (const name of part) unwritten.delete(name)
      try {
        await noteUses(store, uses)
      } catch {
        // A store that is away is written to with the next ones; meanwhile they are added up.
        for (const use of uses) add(use)
        return
      }
    }
  }

  return {
    used(use) {
      use.lastUsedMs = now().getTime()
      touch(use)
    },
    counted(use, monthStartMs, requests = 1) {
      if (use.monthStartMs !== monthStartMs) {
        if (use.requests > 0) gather(use)
        use.monthStartMs = monthStartMs
      }
      use.requests += requests
      touch(use)
    },
    async close() {
      clearTimeout(timer)
      write()
      await writing
    },
  }
}
