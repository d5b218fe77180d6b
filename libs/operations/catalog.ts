import type { AggregatorDeps } from '@catalog/aggregator/run.ts'
import type { Embedder } from '@catalog/embed/embed.ts'
import type { EventLog } from '@catalog/log/log.ts'
import type { ReplayDeps } from '@catalog/projector/replay/replay-deps.ts'
import type { Environment } from '@catalog/runtime/env.ts'
import type { SearchIndex } from '@catalog/search/search.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Spending } from '@catalog/store/search/embeddings.ts'

/** The store, log, index and embedder of a process, on which operations work. */
export interface Catalog extends AsyncDisposable {
  /** Distributed: the log is Kafka, and other processes project it. */
  readonly mode: 'embedded' | 'postgres' | 'distributed'
  /** False if another process of the same embedded folder runs the store. */
  readonly owner: boolean
  readonly store: Store
  readonly log: EventLog
  readonly index: SearchIndex
  readonly embedder: Embedder
  /** This month's cost of the embeddings provider; null with the built-in model. */
  readonly spending: (() => Promise<Spending>) | null
  /**
   * Returns when the read models have everything that is in the log now. In distributed mode it waits for a projector
   * and throws ProjectorNotRunning without one. Otherwise this process projects and also feeds the index: for ten
   * seconds at most with an embeddings provider, and not while that is away.
   */
  readonly catchUp: (onProgress?: (records: number) => void) => Promise<void>
  readonly aggregator: Omit<AggregatorDeps, 'onProgress' | 'signal'>
  readonly replay: Omit<ReplayDeps, 'onProgress' | 'signal'>
  readonly newCrawlId: () => string
  /** Folder for the spools of large crawls. */
  readonly spoolDir: string
  readonly now: () => Date
}

/** What operations on sources and crawls need beside the catalog. */
export type OperationContext = Readonly<{ catalog: Catalog; env: Environment; signal: AbortSignal }>
