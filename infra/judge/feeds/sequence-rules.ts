import { type ChangeOp, chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { pageChangesOf } from '@catalog/core/changes/protocol.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import { all, attributeOf, type Element, type Feed, textOf } from './read-feed.ts'

type Fault = Readonly<{ rule: string; says: string }>

/** Chains of one scope by change number, as far as documents have been read. */
export type Chains = Map<number, Uint8Array>
export const startChains = ({ gen, scope }: FeedIdentity): Chains => new Map([[0, chainStart(gen, scope)]])

/** The generation and scope that a document must have. */
export type FeedIdentity = Readonly<{ gen: string; scope: string }>

/**
 * Checks the rules of ccm/1: change numbers without gaps, states with their hashes, dates that rise with numbers, and
 * the recomputed chain. It adds the chains it reads to `chains`, which must reach the change before the document's
 * first. RSS omits the ids of some tombstones, so its chain is only compared.
 */
export function sequenceFaults(feed: Feed, place: FeedIdentity & { chains: Chains }): readonly Fault[] {
  const faults: Fault[] = []
  const fault = (rule: string, says: string) => void faults.push({ rule, says })
  const { head, kind, document } = feed
  const ccmText = (name: string) => textOf(head, `ccm:${name}`)
  for (const name of ['gen', 'scope', 'first', 'last', 'chain']) {
    if (all(head, `ccm:${name}`).length !== 1) fault('MissingProtocol', `expected one ccm:${name}`)
  }
  if (ccmText('gen') !== place.gen) fault('WrongPlace', `ccm:gen ${ccmText('gen')}, expected ${place.gen}`)
  if (ccmText('scope') !== place.scope) fault('WrongPlace', `ccm:scope ${ccmText('scope')}, expected ${place.scope}`)
  const [first, last] = [Number(ccmText('first')), Number(ccmText('last'))]
  for (const says of pageFaults({ url: document.url, gen: place.gen, first, last, head: ccmText('head') }))
    fault('WrongPage', says)

  const changes = changesOf(feed)
  const ascending = changes.toSorted((a, b) => a.seq - b.seq)
  const numbers = ascending.map(({ seq }) => seq)
  const gap = numbers.findIndex((seq, i) => seq !== first + i)
  if (gap >= 0 || numbers.length !== last - first + 1) {
    fault('Gap', `${numbers.length} changes from ${numbers[Math.max(gap, 0)]}, expected ${first} to ${last}, each once`)
    return faults
  }
  for (const [i, { seq, id, isSuperseded }] of ascending.entries()) {
    if (isSuperseded && !ascending.slice(i + 1).some((later) => later.id === id)) {
      fault('SupersededByNothing', `${seq} of ${id}`)
    }
  }
  for (const says of wrongStates(ascending)) fault('WrongState', says)
  for (const says of dateFaults(changes, { isAscending: document.url.includes('since=') })) fault('WrongOrder', says)

  const known = place.chains
  if (kind === 'atom') {
    let chain = known.get(first - 1)
    for (const { seq, id, op, sha256 } of ascending) {
      if (chain === undefined) break
      chain = chainNext({ chain, rseq: BigInt(seq), op, itemId: id, sha: Buffer.from(sha256, 'hex') })
      known.set(seq, chain)
    }
  }
  const expected = hex(known.get(last))
  if (ccmText('chain') !== expected) fault('WrongChain', `at ${last} ${ccmText('chain')}, expected ${expected}`)
  return faults
}

/** A change as a document shows it. */
type DocumentChange = Readonly<{
  seq: number
  op: ChangeOp
  /** The item's id; in RSS the guid of a tombstone may differ when a later change of the item follows. */
  id: string
  /** Hex; '' for a delete and a leave. */
  sha256: string
  state: string | null
  /** RFC 3339; null when the document has none. */
  updated: string | null
  isSuperseded: boolean
}>

/** The changes in document order: superseded ones, tombstones, entries. */
export function changesOf({ kind, head, entries }: Feed): readonly DocumentChange[] {
  const superseded = all(head, 'ccm:superseded').map((element) => ({
    seq: Number(attributeOf(element, 'seq')),
    op: attributeOf(element, 'op') as ChangeOp,
    id: attributeOf(element, 'id'),
    sha256: attributeOf(element, 'sha256'),
    state: null,
    updated: null,
    isSuperseded: true,
  }))
  const shown = (element: Element, { id, updated }: { id: string; updated: string | null }): DocumentChange => ({
    seq: Number(textOf(element, 'ccm:seq')),
    op: textOf(element, 'ccm:op') as ChangeOp,
    id: id.slice(id.lastIndexOf('/') + 1),
    sha256: textOf(element, 'ccm:sha256') ?? '',
    state: textOf(element, 'ccm:state') ?? null,
    updated,
    isSuperseded: false,
  })
  const tombstones = all(head, 'at:deleted-entry').map((element) =>
    shown(element, { id: attributeOf(element, 'ref'), updated: attributeOf(element, 'when') }),
  )
  const living = entries.map((entry) =>
    kind === 'atom'
      ? shown(entry, { id: textOf(entry, 'id') ?? '', updated: textOf(entry, 'updated') ?? '' })
      : shown(entry, { id: rssId(entry), updated: null }),
  )
  return [...superseded, ...tombstones, ...living]
}

/** A guid names the item only for its newest change in the document; entries of active items link to the item. */
function rssId(item: Element): string {
  const isLiving = all(item, 'ccm:state').length > 0
  return textOf(item, isLiving ? 'link' : 'guid') ?? ''
}

/** Faults when the document is not the page that its address names. */
type PageStated = Readonly<{ url: string; gen: string; first: number; last: number; head: string | undefined }>
function* pageFaults({ url, gen, first, last, head }: PageStated): Generator<string> {
  const size = pageChangesOf(gen)
  const [, archive] = /\/archive\/.*\/(\d+)\.(?:atom|rss)$/.exec(url) ?? []
  const range = `${first} to ${last}`
  if (archive !== undefined) {
    const start = Number(archive) * size
    if (first !== start + 1 || last !== start + size) yield `archive ${archive} has ${range}`
    if (head !== undefined) yield `an archive with ccm:head ${head}: it would not stay as it is`
  } else if (!url.includes('since=')) {
    if (head !== String(last)) yield `ccm:head ${head}, expected ${last}`
    const closed = Math.floor(last / size)
    const expected = Math.max(0, closed - 1) * size + 1
    if (first !== expected) yield `a subscription of ${range}, expected it from ${expected} on`
  }
}

function* wrongStates(changes: readonly DocumentChange[]): Generator<string> {
  for (const { seq, op, id, sha256, state, isSuperseded } of changes) {
    if (op !== 'upsert' && op !== 'delete' && op !== 'leave') yield `${seq}: ccm:op ${op}`
    if (isSuperseded) continue
    if ((op === 'upsert') !== (state !== null)) yield `${seq}: ${op} ${state === null ? 'without' : 'with'} a state`
    if (state === null) continue
    if (sha256Hex(state) !== sha256) yield `${seq}: ccm:sha256 ${sha256}, expected ${sha256Hex(state)}`
    const { item } = JSON.parse(state) as { item: { id: string } }
    if (item.id !== id) yield `${seq}: the state is of ${item.id}, expected ${id}`
  }
}

/** In document order, each kind of change must have strictly falling numbers; with `isAscending` strictly rising. */
function* dateFaults(changes: readonly DocumentChange[], { isAscending }: { isAscending: boolean }): Generator<string> {
  const kinds = Map.groupBy(changes, ({ isSuperseded, op }) => (isSuperseded ? 'superseded' : op === 'upsert'))
  for (const kind of kinds.values()) {
    for (const [i, change] of kind.entries()) {
      const before = kind[i - 1]
      if (before !== undefined && before.seq < change.seq !== isAscending) yield `${change.seq} after ${before.seq}`
    }
  }
  const dated = changes.filter(({ updated }) => updated !== null).toSorted((a, b) => a.seq - b.seq)
  for (const [i, { seq, updated }] of dated.entries()) {
    const before = dated[i - 1]?.updated ?? ''
    if (before >= (updated as string)) yield `${seq} is of ${updated}, its predecessor of ${before}`
  }
}

const hex = (bytes: Uint8Array | undefined) => (bytes === undefined ? 'unknown' : Buffer.from(bytes).toString('hex'))
