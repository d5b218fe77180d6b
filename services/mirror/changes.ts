import { type CheckedChange, checkedChanges, type FeedDocument, type Position, parseDocument } from './feed-document.ts'
import { parseLines } from './feed-lines.ts'
import { contradiction, unsettled } from './mirror-error.ts'
import type { SinceAnswer, SinceQuery } from './origin.ts'
import type { OriginScope, OriginState } from './origin-state.ts'
import type { ReadDocument } from './snapshot.ts'

/** How a pass reads the changes of its scope. */
export type ChangesSource = Readonly<{
  scope: string
  origin: OriginState
  read: ReadDocument
  readSince: (url: string, query: SinceQuery) => Promise<SinceAnswer>
}>

/**
 * Changes of one request. Up to this many missing ones are asked for alone. Beyond it, closed pages of so many are cheaper
 * for everybody, because caches hold them; smaller pages would take more requests.
 */
const SINCE_CHANGES_MAX = 500

/** The verified changes after a position in the next document; at least one. */
export async function changesAfter(source: ChangesSource, entry: OriginScope, at: Position): Promise<CheckedChange[]> {
  const { scope } = source
  const { document, chains } = await nextDocument(source, entry, at)
  const { gen, first, last } = document
  const seq = at.seq + 1
  if (gen !== at.gen) throw unsettled({ scope, seq, what: 'gen of the document', expected: at.gen, found: gen })
  if (document.scope !== scope) {
    throw contradiction({ scope, seq, what: 'scope of the document', expected: scope, found: document.scope })
  }
  // Pages were closed meanwhile, or a cache holds an older document.
  if (first > seq || last < seq) {
    const [expected, found] = [`${seq} in it`, `${first} to ${last}`]
    throw unsettled({ scope, seq, what: 'numbers of the document', expected, found })
  }
  return checkedChanges(document, { scope, from: at, chains: new Map([...chains, [entry.head, entry.chain]]) })
}

type NextDocument = Readonly<{
  document: FeedDocument
  /** Chains that the document states beside its last one, by seq. */
  chains: ReadonlyMap<number, string>
}>

/** The missing changes alone where they are few and the origin answers that; else their page. */
async function nextDocument(
  { scope, origin, read, readSince }: ChangesSource,
  entry: OriginScope,
  at: Position,
): Promise<NextDocument> {
  const page = Math.floor(at.seq / origin.pageSize)
  const isOpen = page >= entry.closed
  const missing = entry.head - at.seq
  // A server of plain files would send the subscription.
  if ((missing <= SINCE_CHANGES_MAX || origin.pageSize < SINCE_CHANGES_MAX) && !origin.isPlainFiles) {
    const query = { since: at.seq, gen: at.gen, limit: Math.min(missing, SINCE_CHANGES_MAX) }
    const answer = await readSince(entry.subscriptionUrl, query)
    if (answer.kind === 'changes') return parseLines(answer.bytes, { gen: at.gen, scope, after: at.seq })
    // A file server ignores the question and sends the subscription.
    if (answer.kind === 'document' && isOpen) return { document: parseDocument(answer.bytes), chains: NO_CHAINS }
  }
  const bytes = await read(isOpen ? entry.subscriptionUrl : entry.archiveUrl(page))
  return { document: parseDocument(bytes), chains: NO_CHAINS }
}
const NO_CHAINS: ReadonlyMap<number, string> = new Map()
