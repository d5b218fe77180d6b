import { canonicalJson, type JsonValue } from '@catalog/core/digest.ts'
import { z } from 'zod'
import type { DocumentChange, FeedDocument } from './feed-document.ts'
import { MirrorError, malformed } from './mirror-error.ts'
import { checked, HASH, TEXT, WHOLE_NUMBER } from './origin-state.ts'

/** Changes as NDJSON, one change a line in ascending order: what an origin answers to `since`. */

/** The changes of the lines as a document, and the chain after each by seq. */
export type ChangeLines = Readonly<{ document: FeedDocument; chains: ReadonlyMap<number, string> }>

/**
 * Parses changes that follow change `after` of a scope. Lines name neither generation nor scope: their chain proves
 * both. Throws a contradiction that names the line.
 */
export function parseLines(
  bytes: Uint8Array,
  { gen, scope, after }: { gen: string; scope: string; after: number },
): ChangeLines {
  const changes: DocumentChange[] = []
  const chains = new Map<number, string>()
  for (const [i, line] of linesOf(bytes).entries()) {
    const { change, chain } = parseLine(line, `line ${i + 1}`)
    changes.push(change)
    chains.set(change.seq, chain)
  }
  const last = changes.at(-1)?.seq ?? after
  const chain = chains.get(last)
  if (chain === undefined) throw malformed(`no changes after ${after} of ${scope}: expected one a line`)
  return { document: { gen, scope, first: changes[0]?.seq as number, last, chain, changes }, chains }
}

function linesOf(bytes: Uint8Array): string[] {
  let text: string
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (cause) {
    throw malformed('changes: expected lines of UTF-8', cause)
  }
  return text.split('\n').filter((line) => line !== '')
}

const COMMON = z.object(
  { seq: WHOLE_NUMBER, id: TEXT.regex(/^[^/\0]{1,200}$/, 'an id of an item'), chain: HASH },
  'an object',
)
const LINE = z.discriminatedUnion(
  'op',
  [
    COMMON.extend({ op: z.literal('upsert'), sha256: HASH, state: z.unknown() }),
    COMMON.extend({ op: z.enum(['delete', 'leave']) }),
  ],
  'upsert, delete or leave',
)

function parseLine(line: string, place: string): { change: DocumentChange; chain: string } {
  try {
    const { chain, id, seq, op, ...upsert } = checked(JSON.parse(line), { schema: LINE, place })
    const sha = 'sha256' in upsert ? upsert.sha256 : null
    // The hash covers the canonical bytes, whatever the order of members here.
    const state = 'state' in upsert ? canonicalJson(upsert.state as JsonValue) : null
    return { change: { seq, op, itemId: id, sha, state, isSuperseded: false }, chain }
  } catch (cause) {
    if (cause instanceof MirrorError) throw cause
    throw malformed(`changes: ${place}: ${(cause as Error).message}`, cause)
  }
}
