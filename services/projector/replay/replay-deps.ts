import type { Embedder } from '@catalog/embed/embed.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { BuildIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import type { FoldThread } from './fold.ts'

export type ReplayDeps = Readonly<{
  store: Store
  log: EventLog
  /** The same log, read through a store with an open transaction: the embedded store serves no other client then. */
  logOn: (store: Store) => Promise<EventLog>
  /** The search index of a build, read through the build's store. */
  indexBeside: (build: number, store: Store) => BuildIndex
  /** Starts threads that help to fold into the read models of this schema; none where the store has one backend. */
  openThreads?: (readModels: string) => readonly (FoldThread & AsyncDisposable)[]
  /** Deletes the search index of a build that is not served, where it has one. */
  dropIndex: (build: number) => Promise<void>
  embedder: Embedder | null
  /** Resolves when everything in the log has been projected. Throws ProjectorNotRunning when no process projects. */
  catchUp: () => Promise<void>
  now: () => Date
  /** The holder of the leases. */
  holder: string
  signal?: AbortSignal
  onProgress?: (progress: ReplayProgress) => void
}>

export type Stage = 'fold' | 'settle' | 'compare' | 'search' | 'flip'
/** `total` is null where it is unknown. */
export type ReplayProgress = Readonly<{ build: number; stage: Stage; done: number; total: number | null }>
