import { chainStart } from '@catalog/core/changes/change.ts'
import { rootOf } from '@catalog/core/digest.ts'
import { z } from 'zod'
import { type ChangesSource, changesAfter } from './changes.ts'
import type { Copy } from './copy.ts'
import type { CopyPosition } from './copy-position.ts'
import { type CheckedChange, type Position, requireSuccessors } from './feed-document.ts'
import { requireKept } from './identity.ts'
import { contradiction, MirrorError, malformed, unsettled } from './mirror-error.ts'
import { checked, HASH, jsonOf, type OriginDigest, type OriginScope, type OriginState } from './origin-state.ts'
import { type Manifest, readManifest, stageShards } from './snapshot.ts'

/** The step of a pass and its progress. A listener that throws ends the pass like a power failure. */
export type PassProgress = Readonly<{
  step: 'snapshot' | 'adoption' | 'changes' | 'proof' | 'repair'
  done: number
  total: number
}>

/** The result of a pass. */
export type PassResult = {
  /** Number of applied changes. */
  applied: number
  /**
   * How the copy came to a position that its own changes do not lead to: all rows from a snapshot or from change 1 on,
   * or only the buckets that differ from the digest; null when it did not.
   */
  restart: 'snapshot' | 'zero' | 'adopted' | null
  /** Number of rebuilt buckets. */
  repaired: number
}

export type Pass = ChangesSource &
  Readonly<{
    copy: Copy
    /** Whether state.json was read past all caches. */
    isFresh: boolean
    /** Whether the origin proved to be the catalog that the copy knows. */
    isProved: boolean
    /** The generation that a person accepted although it has less. */
    accepted: string | undefined
    onProgress: (progress: PassProgress) => void
    result: PassResult
  }>

/**
 * Brings the copy to the head in state.json, and proves its root at marks with a digest. Law: nothing is replaced or
 * applied before it was verified.
 */
export async function advance(pass: Pass): Promise<void> {
  const { copy, scope, origin } = pass
  const entry = origin.scopes.get(scope)
  if (entry === undefined) {
    const has = [...origin.scopes.keys()].join(', ')
    throw new MirrorError(`scope '${scope}' is not there: expected one of ${has}`, { kind: 'unreachable' })
  }
  const current = copy.position()
  requireCurrent(pass, entry, current)
  const isCurrentUsable = current !== null && current.gen === origin.gen && current.seq >= entry.floor
  let at: Position = isCurrentUsable
    ? current
    : ((await adoptDigest(pass, entry, current)) ?? (await begin(pass, entry, current)))
  // A new copy that starts at 0 takes its position with the first page.
  let replaces = current === null && pass.result.restart === 'zero'
  const digest = origin.digest?.scopes.get(scope)
  if (at.seq === entry.head) requireChain(pass, at, entry.chain)
  if (at.seq === digest?.seq && !replaces) await verifyRoot(pass, { entry, at, digest })
  while (at.seq < entry.head || replaces) {
    const changes = at.seq < entry.head ? await changesAfter(pass, entry, at) : []
    pass.onProgress({ step: 'changes', done: at.seq, total: entry.head })
    for (const part of splitAt(changes, digest?.seq, scope)) {
      const { seq, chain } = part.at(-1) ?? at
      const to = { gen: origin.gen, seq, chain }
      copy.apply({ from: replaces ? current : at, replaces, changes: part, to })
      replaces = false
      at = to
      pass.result.applied += part.length
      pass.onProgress({ step: 'changes', done: at.seq, total: Math.max(entry.head, at.seq) })
      if (at.seq === digest?.seq) await verifyRoot(pass, { entry, at, digest })
    }
  }
  copy.recordHead(entry.head)
}

/** Refuses an outdated state.json: first it asks to bypass caches, then it fails for good. */
function requireCurrent({ scope, origin, isFresh }: Pass, entry: OriginScope, current: CopyPosition | null): void {
  if (current === null) return
  const { seq } = current
  if (current.gen !== origin.gen) {
    // Later generations compare greater as text. A restart is expensive, so bypass caches before it.
    const isPast = origin.gen < current.gen
    const expected = `${current.gen} or a later one`
    if (isPast || !isFresh) throw unsettled({ scope, seq, what: 'gen of state.json', expected, found: origin.gen })
    return
  }
  if (seq < entry.floor && !isFresh) {
    throw unsettled({ scope, seq, what: 'floor of state.json', expected: `at most ${seq}`, found: entry.floor })
  }
  // Documents may be ahead of state.json for a moment; state.json is never behind itself.
  const isBehind = entry.head < seq && (!isFresh || entry.head < current.head)
  if (isBehind)
    throw unsettled({ scope, seq, what: 'head of state.json', expected: `at least ${seq}`, found: entry.head })
}

function requireChain({ scope }: Pass, { seq, chain }: Position, found: string): void {
  if (chain !== found) throw contradiction({ scope, seq, what: 'chain', expected: chain, found })
}

/**
 * Moves a copy that the changes no longer lead on to the digest: it downloads the buckets that differ, which are none
 * where the copy has the digest's root. Answers null where the copy must begin anew: there is no copy, no digest with
 * its chain, or nothing to make the buckets from.
 */
async function adoptDigest(pass: Pass, entry: OriginScope, current: CopyPosition | null): Promise<Position | null> {
  const { copy, scope, origin, result } = pass
  const digest = origin.digest?.scopes.get(scope)
  if (current === null || digest === undefined || digest.chain === null) return null
  if (digest.seq < entry.floor || digest.seq > entry.head) return null
  const buckets = await differingBuckets(pass, digest)
  if (buckets.size > 0 && !hasStart(origin, entry)) return null
  const to = { gen: origin.gen, seq: digest.seq, chain: digest.chain }
  // No change of the copy leads to this chain, so the next document must continue it.
  if (to.seq === entry.head) requireChain(pass, to, entry.chain)
  else await changesAfter(pass, entry, to)
  await stageBuckets(pass, { entry, at: to, buckets, step: 'adoption' })
  const replaced = [...buckets.keys()]
  requireLater(pass, current, copy.count() - copy.countIn(replaced) + copy.staging.countIn(replaced))
  copy.staging.adoptBuckets({ from: current, to, buckets: replaced })
  result.restart = 'adopted'
  return to
}

/** Whether buckets can be made at the digest: from a snapshot that is not after it, or from change 1. */
export const hasStart = ({ snapshot, digest }: OriginState, { floor }: OriginScope) =>
  snapshot === null ? floor === 0 : snapshot.seq <= (digest?.mark ?? 0)

/** Restarts the copy: at the snapshot, whose rows it adopts, or at 0. Answers the new position. */
async function begin(pass: Pass, entry: OriginScope, current: CopyPosition | null): Promise<Position> {
  const { floor, head, chain } = entry
  const { copy, scope, origin, read, onProgress, result } = pass
  const { gen } = origin
  const manifest = await readManifest(origin, read)
  if (manifest === null) {
    const seq = current?.seq ?? 0
    if (floor > 0)
      throw unsettled({ scope, seq, what: 'snapshot', expected: `one at ${floor} or later`, found: 'none' })
    result.restart = 'zero'
    const zero = { gen, seq: 0, chain: chainStart(gen, scope).toString('hex') }
    if (head === 0) requireChain(pass, zero, chain)
    return current === null ? zero : await stageFromZero(pass, { entry, zero, current })
  }
  const start = snapshotPosition(manifest, scope)
  const to = { gen, seq: start.seq, chain: start.chain }
  const { seq } = start
  if (seq < floor || seq > head) {
    throw unsettled({ scope, seq, what: 'snapshot', expected: `between ${floor} and ${head}`, found: seq })
  }
  if (seq === head) requireChain(pass, to, chain)
  requireLater(pass, current, start.count)
  await stageShards({
    manifest,
    scope,
    read,
    staging: copy.staging,
    buckets: manifest.shards.keys().toArray(),
    onShard: (done) => onProgress({ step: 'snapshot', done, total: manifest.shards.length }),
  })
  const count = copy.staging.count()
  const { root } = copy.digest('staged_items')
  if (root !== start.root || count !== start.count) {
    copy.staging.clear()
    const expected = `${start.root} of ${start.count}`
    throw contradiction({ scope, seq, what: 'root of the snapshot', expected, found: `${root} of ${count}` })
  }
  onProgress({ step: 'snapshot', done: manifest.shards.length, total: manifest.shards.length })
  copy.staging.adopt({ from: current, to })
  copy.recordProof(to, root)
  result.restart = 'snapshot'
  return to
}

/** Throws when a later generation has too few items to replace the copy by itself. */
function requireLater(
  { copy, scope, origin: { gen }, isProved, accepted }: Pass,
  current: CopyPosition | null,
  found: number,
) {
  if (current === null || current.gen === gen) return
  requireKept({ scope, gen, held: copy.count(), found, isProved, accepted })
}

/** Builds the state at the head from change 1 on beside the rows, which it replaces only once everything was checked. */
async function stageFromZero(
  pass: Pass,
  { entry, zero, current }: { entry: OriginScope; zero: Position; current: CopyPosition },
): Promise<Position> {
  const { copy, scope, origin, onProgress, result } = pass
  const { staging } = copy
  const digest = origin.digest?.scopes.get(scope)
  staging.clear()
  let at = zero
  while (at.seq < entry.head) {
    const changes = await changesAfter(pass, entry, at)
    for (const part of splitAt(changes, digest?.seq, scope)) {
      staging.apply(part, ALL_BUCKETS)
      const { seq, chain } = part.at(-1) as CheckedChange
      at = { gen: origin.gen, seq, chain }
      if (seq !== digest?.seq) continue
      const { root } = copy.digest('staged_items')
      if (root !== digest.root) throw contradiction({ scope, seq, what: 'root', expected: digest.root, found: root })
    }
    onProgress({ step: 'changes', done: at.seq, total: Math.max(entry.head, at.seq) })
  }
  requireLater(pass, current, staging.count())
  staging.adopt({ from: current, to: at })
  result.applied += at.seq
  return at
}
const ALL_BUCKETS: ReadonlySet<number> = new Set(Array.from({ length: 256 }).keys())

const snapshotPosition = (manifest: Manifest, scope: string) => {
  const start = manifest.scopes.get(scope)
  if (start !== undefined) return start
  throw malformed(`the snapshot has no scope '${scope}'`)
}

/** Splits the changes behind the mark, if it lies among them. */
function splitAt(changes: CheckedChange[], seq: number | undefined, scope: string): CheckedChange[][] {
  const end = seq === undefined ? -1 : changes.findIndex((change) => change.seq === seq) + 1
  if (end <= 0 || end === changes.length) return [changes]
  const upToMark = changes.slice(0, end)
  requireSuccessors(upToMark, scope)
  return [upToMark, changes.slice(end)]
}

/** Compares the roots at a mark, and rebuilds the buckets that differ. */
async function verifyRoot(
  pass: Pass,
  { entry, at, digest }: { entry: OriginScope; at: Position; digest: OriginDigest },
): Promise<void> {
  const { copy, onProgress, result } = pass
  if (digest.chain !== null) requireChain(pass, at, digest.chain)
  onProgress({ step: 'proof', done: at.seq, total: at.seq })
  const buckets = await differingBuckets(pass, digest)
  if (buckets.size > 0) {
    await stageBuckets(pass, { entry, at, buckets, step: 'repair' })
    copy.staging.adoptBuckets({ from: at, buckets: [...buckets.keys()] })
    result.repaired += buckets.size
  }
  copy.recordProof(at, digest.root)
}

/** Hashes by bucket, ascending. */
type BucketHashes = ReadonlyMap<number, Buffer>

/** The digest's hashes of the buckets in which the copy differs. It reads the digest only when the roots differ. */
async function differingBuckets({ copy, scope, read }: Pass, digest: OriginDigest): Promise<BucketHashes> {
  const local = copy.digest()
  if (local.root === digest.root) return new Map()
  const remote = bucketsOf(await read(digest.url), { digest, scope })
  return new Map([...remote.entries()].filter(([bucket, hash]) => !local.buckets[bucket]?.equals(hash)))
}

const BUCKETS = z.object({ buckets: z.array(HASH, 'a list').length(256, '256 hashes') }, 'an object')

/**
 * The 256 bucket hashes of a digest document. Throws a contradiction unless they give the root that state.json names.
 */
export function bucketsOf(bytes: Uint8Array, { digest, scope }: { digest: OriginDigest; scope: string }): Buffer[] {
  const { url, seq, root } = digest
  const document = checked(jsonOf(bytes, url), { schema: BUCKETS, place: url })
  const buckets = document.buckets.map((hash) => Buffer.from(hash, 'hex'))
  const found = rootOf(buckets)
  if (found !== root) throw contradiction({ scope, seq, what: 'root of the digest', expected: root, found })
  return buckets
}

type BucketStaging = Readonly<{
  entry: OriginScope
  at: Position
  /** The hashes at `at`. */
  buckets: BucketHashes
  step: PassProgress['step']
}>

/** Makes these buckets in the staging, and throws a contradiction unless they have their hashes. */
async function stageBuckets(pass: Pass, staged: BucketStaging): Promise<void> {
  const { at, buckets } = staged
  if (buckets.size === 0) return
  const { copy, scope } = pass
  await stageStates(pass, staged)
  const made = copy.digest('staged_items').buckets
  for (const [bucket, hash] of buckets) {
    if (made[bucket]?.equals(hash)) continue
    copy.staging.clear()
    const [expected, found] = [hash.toString('hex'), made[bucket]?.toString('hex')]
    throw contradiction({ scope, seq: at.seq, what: `hash of bucket ${bucket}`, expected, found })
  }
}

/** Stages the states of these buckets: from the snapshot, or from nothing, and the changes up to `at`. */
export async function stageStates(
  pass: Pass,
  {
    entry,
    at,
    buckets,
    step,
  }: Omit<BucketStaging, 'buckets'> & { readonly buckets: Readonly<{ size: number; keys: () => Iterable<number> }> },
): Promise<void> {
  const { copy, scope, origin, read, onProgress } = pass
  const { gen } = at
  const manifest = await readManifest(origin, read)
  // Whole shards that an earlier pass staged are still right; rows made from changes are not.
  if (manifest === null) copy.staging.clear()
  const start =
    manifest === null ? { seq: 0, chain: chainStart(gen, scope).toString('hex') } : snapshotPosition(manifest, scope)
  let from: Position = { gen, seq: start.seq, chain: start.chain }
  if (from.seq < entry.floor || from.seq > at.seq) {
    const expected = `a snapshot from ${entry.floor} to ${at.seq}`
    throw unsettled({ scope, seq: at.seq, what: 'repair', expected, found: from.seq })
  }
  if (manifest !== null) {
    const onShard = (done: number) => onProgress({ step, done, total: buckets.size })
    await stageShards({ manifest, buckets: [...buckets.keys()], scope, staging: copy.staging, read, onShard })
  }
  const wanted = new Set(buckets.keys())
  while (from.seq < at.seq) {
    const changes = (await changesAfter(pass, entry, from)).filter(({ seq }) => seq <= at.seq)
    copy.staging.apply(changes, wanted)
    const { seq, chain } = changes.at(-1) as CheckedChange
    from = { gen, seq, chain }
    onProgress({ step, done: from.seq, total: at.seq })
  }
  if (from.chain !== at.chain) {
    throw contradiction({ scope, seq: at.seq, what: 'chain', expected: at.chain, found: from.chain })
  }
}
