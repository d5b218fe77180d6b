import { sha256Hex } from '@catalog/core/digest.ts'
import type { Position } from './feed-document.ts'
import { type ChangeLines, parseLines } from './feed-lines.ts'
import { contradiction, malformed } from './mirror-error.ts'
import { addressOf, JsonFields, jsonOf, type OriginScope, type OriginState } from './origin-state.ts'
import type { ReadDocument } from './snapshot.ts'

/** Deltas of a tree of plain files: the changes of an hour or a day as NDJSON, listed in a document for each scope. */

export type Delta = Readonly<{
  period: 'hour' | 'day'
  /** First instant of the period. */
  begin: string
  /** Holds the changes from `after` + 1 to `seq`. */
  after: number
  seq: number
  /** Chain at `seq`. */
  chain: string
  /** Address relative to that of state.json. */
  file: string
  bytes: number
  sha: string
}>

export type DeltaList = Readonly<{
  gen: string
  /** End of the newest delta, where the next one begins. */
  seq: number
  chain: string
  deltas: readonly Delta[]
}>

/** Parses the list of a scope; throws a contradiction that names the field. */
export function parseDeltas(bytes: Uint8Array, url: string): DeltaList {
  const list = new JsonFields(jsonOf(bytes, url), url)
  return {
    gen: list.name('gen'),
    seq: list.wholeNumber('seq'),
    chain: list.hash('chain'),
    deltas: list.list('deltas').map((value, i) => {
      const delta = new JsonFields(value, `${url}: delta ${i}`)
      const period = delta.text('period')
      if (period !== 'hour' && period !== 'day') throw delta.wrong('period', 'hour or day')
      return {
        period,
        begin: delta.text('begin'),
        after: delta.wholeNumber('after'),
        seq: delta.wholeNumber('seq'),
        chain: delta.hash('chain'),
        file: delta.text('file'),
        bytes: delta.wholeNumber('bytes'),
        sha: delta.hash('sha256'),
      }
    }),
  }
}

/** Lists that this pass read, by its state.json. */
const lists = new WeakMap<OriginState, Map<string, DeltaList>>()

/** The delta that serves a position best; null where the origin has none, or a page costs less. */
export async function readDelta(
  { scope, origin, read }: Readonly<{ scope: string; origin: OriginState; read: ReadDocument }>,
  entry: OriginScope,
  at: Position,
): Promise<ChangeLines | null> {
  if (origin.deltas === null) return null
  const known = lists.get(origin) ?? new Map<string, DeltaList>()
  lists.set(origin, known)
  const url = origin.deltas.listUrl(scope)
  const list = known.get(scope) ?? parseDeltas(await read(url), url)
  known.set(scope, list)
  if (list.gen !== at.gen) return null
  const best = list.deltas
    .filter(({ after, seq }) => after <= at.seq && at.seq < seq)
    .toSorted((a, b) => usefulShare(b, at) - usefulShare(a, at) || b.seq - a.seq)[0]
  if (best === undefined || usefulShare(best, at) <= usefulShare(pageAt(entry, origin.pageSize, at), at)) return null
  const bytes = await read(addressOf(best.file, { from: origin.deltas.from }))
  const found = sha256Hex(bytes)
  if (found !== best.sha) {
    throw contradiction({ scope, seq: best.seq, what: 'sha256 of the delta', expected: best.sha, found })
  }
  const lines = parseLines(bytes, { gen: at.gen, scope, after: best.after })
  if (lines.document.last !== best.seq || lines.document.chain !== best.chain) {
    throw malformed(`${best.file}: expected changes to ${best.seq} with chain ${best.chain}`)
  }
  return lines
}

/** Which part of the changes in a document the reader lacks: what it pays for beside them costs as much each. */
const usefulShare = ({ after, seq }: { after: number; seq: number }, at: Position) => (seq - at.seq) / (seq - after)

/** The range of the page that holds the next change: the open one comes with the page before it. */
function pageAt({ closed, head }: OriginScope, pageSize: number, { seq }: Position): { after: number; seq: number } {
  const page = Math.floor(seq / pageSize)
  if (page < closed) return { after: page * pageSize, seq: (page + 1) * pageSize }
  return { after: Math.max(0, closed - 1) * pageSize, seq: head }
}
