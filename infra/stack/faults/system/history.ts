import { appendFileSync } from 'node:fs'

/**
 * A line of a history: what a client of the catalog did or saw, by the client's own account, or what the harness read at the
 * end. Instants are UTC in ISO 8601; `atMs` counts from the start of the run.
 */
export type HistoryRecord =
  | Readonly<{
      kind: 'run'
      seed: number
      /** Weight of each vendor's vote by name. */
      trust: Readonly<Record<string, number>>
      runEveryMs: number
      /** Whether each due instant has to be published; else a later one may take the place of one that failed. */
      isEveryInstant: boolean
      /** Instants up to this one need not be published. */
      after: string
    }>
  | Append
  | Readonly<{ kind: 'hostile'; records: number; result: AppendResult }>
  | Read
  /** A fault, from its injection until the catalog should have recovered by its bound. */
  | Readonly<{ kind: 'fault'; name: string; from: string; to: string }>
  /** The harness killed the server; from then until it answered again, a read may get no answer. */
  | Readonly<{ kind: 'away'; fromMs: number; toMs: number }>
  /** The mirror said that it has applied changes up to this number. */
  | Readonly<{ kind: 'mirror'; atMs: number; seq: number }>
  /** Read at the end: the observations in the tables. */
  | Readonly<{ kind: 'applied'; rows: readonly AppliedRow[] }>
  /** Instants of the runs that the log says have ended, in its order, each run once. */
  | Readonly<{ kind: 'published'; instants: readonly string[] }>
  /** The whole feed `items` as NDJSON lines, parsed, and the generation of its numbers. */
  | Readonly<{ kind: 'fed'; gen: string; changes: readonly Change[] }>
  /** What the mirror holds. */
  | Readonly<{ kind: 'mirrored'; gen: string; seq: number; items: readonly (readonly [id: string, sha256: string])[] }>
  /** The origin's last digest of everything. */
  | Readonly<{ kind: 'digest'; seq: number; root: string }>
  /** What the API lists: cents by name. */
  | Readonly<{ kind: 'shown'; prices: readonly NamedPrice[] }>
  | Readonly<{ kind: 'dead letters'; count: number }>
  /** `catalog verify`, and whether search finds products. */
  | Readonly<{ kind: 'checked'; isVerified: boolean; isSearchBack: boolean }>

/** Failed: the client was told that it failed. Unknown: the client was told nothing. In both cases some may be applied. */
export type AppendResult = 'acknowledged' | 'failed' | 'unknown'

/** One append of observations of one vendor and instant: cents by product. */
export type Append = Readonly<{
  kind: 'append'
  client: 'crawl' | 'stream'
  vendor: string
  observedAt: string
  prices: readonly NamedPrice[]
  result: AppendResult
  beganMs: number
  endedMs: number
}>

export type Read = Readonly<{
  kind: 'read'
  client: 'reader' | 'agent'
  beganMs: number
  atMs: number
  asked: 'items' | 'feed' | 'search'
  /** 0 when no answer came. */
  status: number
  /** Whether a good answer held nothing. */
  isEmpty: boolean
  /** Some of the prices in it. */
  prices: readonly NamedPrice[]
  /** The beginning of an answer that failed. */
  failure?: string
}>

export type NamedPrice = readonly [name: string, cents: number]
export type AppliedRow = readonly [vendor: string, name: string, observedAt: string, cents: number]
export type Change = Readonly<{
  seq: number
  op: 'upsert' | 'delete'
  id: string
  sha256?: string
  chain: string
  state?: { item: { name: string; median_price: { cents: number } | null } }
}>

/** The clients' history of a run: kept in memory for the model, and in a file as JSON lines for people. */
export type History = Readonly<{
  records: readonly HistoryRecord[]
  add: (record: HistoryRecord) => void
}>

export function openHistory(file: string): History {
  const records: HistoryRecord[] = []
  return {
    records,
    add(record) {
      records.push(record)
      appendFileSync(file, `${JSON.stringify(record)}\n`)
    },
  }
}
