import { type ChangeOp, chainNext } from '@catalog/core/changes/change.ts'
import { CCM_NAMESPACE } from '@catalog/core/changes/protocol.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { XMLParser } from 'fast-xml-parser'
import { contradiction, malformed } from './mirror-error.ts'

/** A position in the change numbers of a scope. */
export type Position = Readonly<{
  gen: string
  seq: number
  /** Chain after that change, 64 hex digits. */
  chain: string
}>

/** A change as its document states it. */
export type DocumentChange = Readonly<{
  seq: number
  op: ChangeOp
  itemId: string
  /** SHA-256 of the state, 64 hex digits; null unless the change is an upsert. */
  sha: string | null
  /** The public state, exactly the bytes of the origin; null for superseded changes too. */
  state: string | null
  isSuperseded: boolean
}>

export type FeedDocument = Readonly<{
  gen: string
  scope: string
  first: number
  last: number
  /** Chain at `last`. */
  chain: string
  /** In document order. */
  changes: readonly DocumentChange[]
}>

/** A verified change with the chain after it. */
export type CheckedChange = DocumentChange & { readonly chain: string }

/**
 * Verifies the changes of a document after `from` and returns them ascending. Throws a contradiction that names the
 * number unless every number comes once, every state has its hash, and the chains match: the document's own, and each
 * of `chains` (by seq) that lies in it. A superseded change needs a later one of its item, so that the rest gives the
 * state at the end. Without a known chain at `from` (null), the document's chain is trusted.
 */
export function checkedChanges(
  document: FeedDocument,
  {
    scope,
    from,
    chains,
  }: {
    scope: string
    from: Readonly<{ seq: number; chain: string | null }>
    chains: ReadonlyMap<number, string>
  },
): CheckedChange[] {
  const bySeq = new Map<number, DocumentChange>()
  for (const change of document.changes) {
    const { seq } = change
    if (bySeq.has(seq) || seq < document.first || seq > document.last) {
      const expected = `each of ${document.first} to ${document.last} once`
      throw contradiction({ scope, seq, what: 'numbers of the document', expected, found: seq })
    }
    bySeq.set(seq, change)
  }
  const checked: CheckedChange[] = []
  let { chain } = from
  for (let seq = from.seq + 1; seq <= document.last; seq++) {
    const change = bySeq.get(seq)
    if (change === undefined) throw contradiction({ scope, seq, what: 'change', expected: seq, found: 'none' })
    const { op, itemId, sha, state } = change
    if (state !== null && sha256Hex(state) !== sha) {
      throw contradiction({ scope, seq, what: 'sha256 of the state', expected: sha, found: sha256Hex(state) })
    }
    chain = chain === null ? null : chainAfter(chain, { seq, op, itemId, sha })
    const known = seq === document.last ? document.chain : chains.get(seq)
    if (chain !== null && known !== undefined && known !== chain) {
      const what = `chain from seq ${from.seq}`
      throw contradiction({ scope, seq, what, expected: known, found: chain })
    }
    checked.push({ ...change, chain: chain ?? document.chain })
  }
  const announced = chains.get(document.last)
  if (announced !== undefined && announced !== document.chain) {
    throw contradiction({ scope, seq: document.last, what: 'chain', expected: announced, found: document.chain })
  }
  requireSuccessors(checked, scope)
  return checked
}

/** Throws for a superseded change without a later change of its item. */
export function requireSuccessors(changes: readonly DocumentChange[], scope: string): void {
  const later = new Set<string>()
  for (const { seq, itemId, isSuperseded } of changes.toReversed()) {
    if (isSuperseded && !later.has(itemId)) {
      throw contradiction({ scope, seq, what: 'superseded', expected: `a later change of ${itemId}`, found: 'none' })
    }
    if (!isSuperseded) later.add(itemId)
  }
}

export function chainAfter(
  chain: string,
  { seq, op, itemId, sha }: Pick<DocumentChange, 'seq' | 'op' | 'itemId' | 'sha'>,
): string {
  return chainNext({
    chain: Buffer.from(chain, 'hex'),
    rseq: BigInt(seq),
    op,
    itemId,
    sha: Buffer.from(sha ?? '', 'hex'),
  }).toString('hex')
}

// Reading Atom --------------------------------------------------------------------------------------------------------

const ATOM_NAMESPACE = 'http://www.w3.org/2005/Atom'
const TOMBSTONES_NAMESPACE = 'http://purl.org/atompub/tombstones/1.0'

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '@',
  textNodeName: '#text',
  cdataPropName: '#cdata',
  ignoreDeclaration: true,
  // The parser must pass text unchanged, because hashes cover it.
  parseTagValue: false,
  parseAttributeValue: false,
  trimValues: false,
  processEntities: false,
})

type Element = Readonly<{ [name: string]: unknown }>

/** Parses an Atom document of the protocol. Throws a contradiction for anything else. */
export function parseDocument(bytes: Uint8Array): FeedDocument {
  let feed: Element
  let name: string
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    // Feeds need no entities of their own, and their expansion has no bound.
    if (/<!DOCTYPE/i.test(text)) throw new Error('a document type is not expected')
    const root = parser.parse(text, true) as Element
    const outermost = Object.entries(root).find(([, value]) => typeof value === 'object')
    if (outermost === undefined) throw new Error('expected an element feed')
    name = outermost[0]
    feed = outermost[1] as Element
  } catch (cause) {
    throw malformed(`no Atom document: ${(cause as Error).message}`, cause)
  }
  const named = namesOf(feed)
  const { ccm, at, atom } = named
  if (name !== atom('feed')) throw malformed(`no Atom document: expected an element feed, found ${name.slice(0, 40)}`)
  const changes = [
    ...elements(feed, atom('entry')).map((entry) => upsertOf(entry, named)),
    ...elements(feed, at('deleted-entry')).map((entry) => deletionOf(entry, ccm)),
    ...elements(feed, ccm('superseded')).map(supersededOf),
  ]
  return {
    gen: textOf(feed, ccm('gen')),
    scope: textOf(feed, ccm('scope')),
    first: numberOf(textOf(feed, ccm('first'))),
    last: numberOf(textOf(feed, ccm('last'))),
    chain: hashOf(textOf(feed, ccm('chain'))),
    changes,
  }
}

type Names = Readonly<Record<'ccm' | 'at' | 'atom', (name: string) => string>>

/** Element names with the prefixes that the outermost element of the document declares. */
function namesOf(feed: Element): Names {
  const spelled = (namespace: string) => {
    const attribute = Object.keys(feed).find((key) => /^@xmlns(:|$)/.test(key) && feed[key] === namespace)
    const prefix = attribute?.replace(/^@xmlns:?/, '')
    if (prefix === undefined) return () => '' // The document has no element of this namespace.
    return (name: string) => (prefix === '' ? name : `${prefix}:${name}`)
  }
  return { ccm: spelled(CCM_NAMESPACE), at: spelled(TOMBSTONES_NAMESPACE), atom: spelled(ATOM_NAMESPACE) }
}

function upsertOf(entry: Element, { ccm, atom }: Names): DocumentChange {
  return {
    seq: numberOf(textOf(entry, ccm('seq'))),
    op: opOf(textOf(entry, ccm('op')), ['upsert']),
    itemId: itemIdOf(textOf(entry, atom('id'))),
    sha: hashOf(textOf(entry, ccm('sha256'))),
    state: textOf(entry, ccm('state')),
    isSuperseded: false,
  }
}

function deletionOf(entry: Element, ccm: (name: string) => string): DocumentChange {
  return {
    seq: numberOf(textOf(entry, ccm('seq'))),
    op: opOf(textOf(entry, ccm('op')), ['delete', 'leave']),
    itemId: itemIdOf(attributeOf(entry, 'ref')),
    sha: null,
    state: null,
    isSuperseded: false,
  }
}

function supersededOf(entry: Element): DocumentChange {
  const op = opOf(attributeOf(entry, 'op'), ['upsert', 'delete', 'leave'])
  return {
    seq: numberOf(attributeOf(entry, 'seq')),
    op,
    itemId: attributeOf(entry, 'id'),
    sha: op === 'upsert' ? hashOf(attributeOf(entry, 'sha256')) : null,
    state: null,
    isSuperseded: true,
  }
}

function elements(parent: Element, name: string): Element[] {
  const found = parent[name]
  if (found === undefined) return []
  return (Array.isArray(found) ? found : [found]) as Element[]
}

/** The text of the only element of this name; '' for an empty element. */
function textOf(parent: Element, name: string): string {
  const found = parent[name]
  const text = typeof found === 'object' && found !== null ? (found as Element)['#text'] : found
  const hasCdata = typeof found === 'object' && found !== null && '#cdata' in found
  if (Array.isArray(found) || hasCdata || typeof text !== 'string') {
    throw malformed(`no document of the protocol: expected one element ${name} with text`)
  }
  return unescaped(text)
}

function attributeOf(element: Element, name: string): string {
  const value = element[`@${name}`]
  if (typeof value === 'string') return unescaped(value)
  throw malformed(`no document of the protocol: expected an attribute ${name}`)
}

/** Resolves exactly the five entities and the numeric references of XML 1.0, because hashes cover the original text. */
function unescaped(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    /&(?:#x([0-9a-fA-F]{1,6})|#([0-9]{1,7})|(lt|gt|amp|quot|apos));|&/g,
    (whole, hex, decimal, name) => {
      if (name !== undefined) return ENTITIES[name as string] as string
      const point = hex === undefined ? Number(decimal ?? Number.NaN) : Number.parseInt(hex, 16)
      if (point > 0 && point <= 0x10ffff && !(point >= 0xd800 && point <= 0xdfff)) return String.fromCodePoint(point)
      throw malformed(`no Atom document: '${whole}' is no reference of XML`)
    },
  )
}
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

/** tag:HOST,2026:item/ci_... */
function itemIdOf(tag: string): string {
  const id = /:item\/([^/\0]+)$/.exec(tag)?.[1]
  if (id !== undefined) return id
  throw malformed(`no document of the protocol: '${tag}' is no tag of an item`)
}

function numberOf(text: string): number {
  const number = Number(text)
  if (/^[0-9]{1,16}$/.test(text) && Number.isSafeInteger(number)) return number
  throw malformed(`no document of the protocol: '${text.slice(0, 40)}' is no whole number`)
}

function hashOf(text: string): string {
  if (/^[0-9a-f]{64}$/.test(text)) return text
  throw malformed(`no document of the protocol: '${text.slice(0, 80)}' is no SHA-256`)
}

function opOf(text: string, expected: readonly ChangeOp[]): ChangeOp {
  const op = expected.find((op) => op === text)
  if (op !== undefined) return op
  throw malformed(`no document of the protocol: '${text.slice(0, 40)}' is no op here`)
}
