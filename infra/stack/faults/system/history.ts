import { appendFileSync } from 'node:fs'

/**
 * A line of a history: what a client of the catalog did or saw, by the client's own account. Instants are UTC in ISO 8601;
 * `atMs` counts from the start of the run.
 */
export type HistoryRecord =
  | Append
  /** Records that no program should append, all acknowledged. */
  | Readonly<{ kind: 'hostile'; values: readonly string[] }>
  | Read
  /** A fault, from its injection until the catalog should have recovered by its bound. */
  | Readonly<{ kind: 'fault'; name: string; from: string; to: string }>
  /** The harness killed the server; from then until it answered again, a read may get no answer. */
  | Readonly<{ kind: 'away'; fromMs: number; toMs: number }>
  /** The mirror said that it has applied changes up to this number. */
  | Readonly<{ kind: 'mirror'; atMs: number; seq: number }>

/** One append of observations, by their names in the model. */
export type Append = Readonly<{
  kind: 'append'
  client: 'crawl' | 'stream'
  observations: readonly string[]
  /** Failed: the client was told that it failed. Unknown: the client was told nothing. In both cases some may be applied. */
  result: 'acknowledged' | 'failed' | 'unknown'
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

/** The clients' history of a run: kept in memory for the judgement, and in a file as JSON lines for people. */
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
