import { instant } from '@catalog/core/time.ts'
import { addUsage, type UsageCount as StoredUsage } from '@catalog/store/accounts/accounts.ts'
import type { Store } from '@catalog/store/db.ts'

/**
 * Last use and monthly requests of keys and agents, for people to read, so written every few seconds and not with each
 * request. A killed process loses its unwritten part; the caps stand on limiter.ts, which loses nothing.
 */
export interface UsageRecorder {
  /** Records an admitted request of the key or agent. */
  recordUse(usage: Usage): void
  /** Counts so many requests in the month that starts at `monthStartMs`. */
  countRequests(usage: Usage, monthStartMs: number, requests?: number): void
  /** Writes the rest. */
  close(): Promise<void>
}

/** The unwritten usage of one key or agent. */
export type Usage = {
  readonly subject: string
  lastUsedMs: number
  /** The month of `requests`. */
  monthStartMs: number
  requests: number
}

export const newUsage = (subject: string): Usage => ({
  subject,
  lastUsedMs: 0,
  monthStartMs: 0,
  requests: 0,
})

const WRITE_EVERY_MS = 5_000
/** In one statement: its rows stay locked until it ends. */
const BATCH_ROWS_MAX = 500

export function openUsage(options: { store: Store; now: () => Date }): UsageRecorder {
  return new BatchedUsage(options)
}

class BatchedUsage implements UsageRecorder {
  readonly #store: Store
  readonly #now: () => Date
  readonly #unwritten = new Map<string, StoredUsage>()
  /** Changed since the last write. */
  #changed = new Set<Usage>()
  #timer: NodeJS.Timeout | undefined
  #writing = Promise.resolve()

  constructor({ store, now }: { store: Store; now: () => Date }) {
    this.#store = store
    this.#now = now
  }

  recordUse(usage: Usage): void {
    usage.lastUsedMs = this.#now().getTime()
    this.#markChanged(usage)
  }

  countRequests(usage: Usage, monthStartMs: number, requests = 1): void {
    if (usage.monthStartMs !== monthStartMs) {
      if (usage.requests > 0) this.#collect(usage)
      usage.monthStartMs = monthStartMs
    }
    usage.requests += requests
    this.#markChanged(usage)
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer)
    this.#write()
    await this.#writing
  }

  #markChanged(usage: Usage): void {
    this.#changed.add(usage)
    this.#timer ??= setTimeout(() => this.#write(), WRITE_EVERY_MS).unref()
  }

  #collect(usage: Usage): void {
    const { subject, lastUsedMs, monthStartMs, requests } = usage
    const lastUsedAt = instant(new Date(lastUsedMs))
    const month = `${instant(new Date(monthStartMs || lastUsedMs)).slice(0, 7)}-01`
    this.#add({ subject, lastUsedAt, month, requests })
    usage.requests = 0
  }

  #add(row: StoredUsage): void {
    const name = `${row.subject} ${row.month}`
    const known = this.#unwritten.get(name)
    const lastUsedAt = known !== undefined && known.lastUsedAt > row.lastUsedAt ? known.lastUsedAt : row.lastUsedAt
    this.#unwritten.set(name, { ...row, lastUsedAt, requests: row.requests + (known?.requests ?? 0) })
  }

  #write(): void {
    this.#timer = undefined
    const changed = this.#changed
    this.#changed = new Set()
    for (const usage of changed) this.#collect(usage)
    this.#writing = this.#writing.then(() => this.#writeBatches())
  }

  async #writeBatches(): Promise<void> {
    const names = [...this.#unwritten.keys()].sort()
    for (let i = 0; i < names.length; i += BATCH_ROWS_MAX) {
      const batch = names.slice(i, i + BATCH_ROWS_MAX)
      const rows = batch.flatMap((name) => this.#unwritten.get(name) ?? [])
      for (const name of batch) this.#unwritten.delete(name)
      try {
        await addUsage(this.#store, rows)
      } catch {
        // The store is away: add the rows up and write them next time.
        for (const row of rows) this.#add(row)
        return
      }
    }
  }
}
