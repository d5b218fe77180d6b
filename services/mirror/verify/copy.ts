import { createHash } from 'node:crypto'
import { existsSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { bucketOf, sha256Bytes } from '@catalog/core/digest.ts'
import { changesAfter } from '@catalog/mirror/changes.ts'
import { type Copy, openCopy } from '@catalog/mirror/copy.ts'
import type { CopyPosition } from '@catalog/mirror/copy-position.ts'
import { isSound } from '@catalog/mirror/copy-tables.ts'
import type { Downloads } from '@catalog/mirror/downloads.ts'
import { checkIdentity } from '@catalog/mirror/identity.ts'
import { copyFileOf, type MirrorOptions, openMirror } from '@catalog/mirror/mirror.ts'
import { contradiction, MirrorError } from '@catalog/mirror/mirror-error.ts'
import { type FoundState, openOrigin } from '@catalog/mirror/origin.ts'
import type { OriginDigest, OriginState } from '@catalog/mirror/origin-state.ts'
import { bucketsOf, hasStart, type Pass, type PassResult, stageStates } from '@catalog/mirror/sync-pass.ts'
import type { Notes } from './report.ts'

/** Verifies the copy of one scope, row by row, and repairs it from the origin. */

export type CopyCheck = Readonly<{
  url: string
  scope: string
  /** Folder of the copies, or the open database of this one. */
  into: string | DatabaseSync
  downloads: Downloads
  parts: Pick<MirrorOptions, 'keys' | 'acceptGeneration' | 'now' | 'wait'>
  signal?: AbortSignal | undefined
  onProgress: (progress: { step: string; done: number; total: number }) => void
  notes: Notes
}>

/** Passes until the copy is where the origin is: it may go on meanwhile. */
const ROUNDS_MAX = 5

/** Answers the number of items. Throws a MirrorError when the origin cannot be read or contradicts itself. */
export async function verifyCopy(check: CopyCheck): Promise<number> {
  const { url, scope, into, downloads, parts, signal, notes } = check
  using opened = typeof into === 'string' ? openSound({ into, scope, notes }) : null
  const db = opened ?? (into as DatabaseSync)
  using copy = openCopy(db, scope)
  using mirror = openMirror({ ...parts, url, scope, into: db, downloads, onProgress: check.onProgress })
  const origin = openOrigin(url, downloads)
  const options = signal === undefined ? { isFresh: true } : { isFresh: true, signal }
  const read = (address: string) => origin.read(address, options)
  const before = rehash(copy, check)
  let rehashed = before
  if (copy.position() === null && copy.count() > 0) notes.add({ place: scope, name: 'position', problem: 'was lost' })
  for (let rounds = 1; ; rounds++) {
    const state = (await origin.state(options)) as FoundState
    const isProved = await isOurs(state)
    const isThere = isAtHead(copy.position(), state, scope)
    const failure = isThere ? null : rounds === ROUNDS_MAX ? beyondHead(state) : await syncFailure()
    if (isThere || failure !== null) {
      const result: PassResult = { applied: 0, restart: null, repaired: 0 }
      const readSince: Pass['readSince'] = (address, query) => origin.readSince(address, query, options)
      const { onProgress } = check
      const source = { scope, origin: state, read, readSince }
      const pass = { ...source, copy, isFresh: true, isProved, accepted: undefined, onProgress, result }
      await compare(pass, { rehashed, failure, notes })
      break
    }
    if (rounds === ROUNDS_MAX) {
      const problem = `${scope}: the origin goes on faster than it can be verified`
      throw new MirrorError(problem, { kind: 'unsettled' })
    }
    rehashed = rehash(copy, check)
  }
  // The changes since then replaced these rows.
  for (const [id, problem] of before.rotten)
    if (!rehashed.rotten.has(id)) notes.add({ place: scope, name: id, problem })
  return copy.count()

  /** Whether the origin proved to be the catalog that the copy knows. Throws a refusal for another one. */
  async function isOurs(state: FoundState): Promise<boolean> {
    const { keys: named = [], now = () => new Date() } = parts
    const known = copy.identity.read()
    const stateUrl = origin.stateUrl() as string
    const identity = await checkIdentity({ state, url: stateUrl, known, named, now: now(), read })
    return identity !== null && (known !== null || named.length > 0)
  }

  /** Documents may be ahead of state.json for a moment, but not longer. Null for a copy that is not ahead. */
  function beyondHead({ scopes }: OriginState): string | null {
    const [{ seq, head }, most] = [copy.position() ?? { seq: 0, head: 0 }, scopes.get(scope)?.head ?? 0]
    return seq > most || head > most
      ? `head of state.json: expected at least ${Math.max(seq, head)}, found ${most}`
      : null
  }

  /** Null when the copy is in sync now; else why its position cannot be the origin's. */
  async function syncFailure(): Promise<string | null> {
    try {
      const { repaired } = await mirror.sync(signal === undefined ? {} : { signal })
      const problem = 'differed from the digest'
      if (repaired > 0) notes.add({ place: scope, name: `${repaired} buckets`, problem })
      return null
    } catch (error) {
      if (!(error instanceof MirrorError) || error.kind === 'unreachable') throw error
      return error.message
    }
  }
}

/** Opens a copy whose file SQLite can read. Sets a damaged file aside, so that the copy begins anew. */
function openSound({
  into,
  scope,
  notes,
}: Pick<CopyCheck, 'scope' | 'notes'> & { readonly into: string }): DatabaseSync {
  const file = join(into, copyFileOf(scope))
  if (!existsSync(file)) throw new Error(`no copy of ${scope} at ${file}: expected one that catalog mirror made`)
  const db = readable(file, scope)
  const sound = db === null ? 'damaged' : isSound(db)
  if (db !== null && sound !== 'damaged') {
    if (sound === 'reindexed') notes.add({ place: scope, name: file, problem: 'an index differs from its table' })
    return db
  }
  db?.close()
  const aside = `${file}.damaged`
  renameSync(file, aside)
  for (const suffix of ['-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true })
  notes.add({ place: scope, name: file, problem: `SQLite cannot read it; it is ${aside} now` })
  return new DatabaseSync(file)
}

/** Null where SQLite, or the copy, cannot be read in the file. */
function readable(file: string, scope: string): DatabaseSync | null {
  const db = new DatabaseSync(file)
  try {
    openCopy(db, scope)
    return db
  } catch (error) {
    db.close()
    const isOfOther = (error as Error).message.startsWith('the copy is of scope')
    if (isOfOther || (error as { code?: string }).code === 'ERR_SQLITE_ERROR') return null
    throw error
  }
}

type Rehashed = Readonly<{
  /** Hashes of the buckets, of the states as they are. */
  buckets: readonly Buffer[]
  /** Rows that contradict themselves, with what is wrong in each. */
  rotten: ReadonlyMap<string, string>
  /** The buckets of these rows, by their columns and by their ids. */
  suspects: ReadonlySet<number>
}>

/** Hashes every state again. */
function rehash(copy: Copy, { onProgress }: CopyCheck): Rehashed {
  const hashes = Array.from({ length: 256 }, () => createHash('sha256'))
  const rotten = new Map<string, string>()
  const suspects = new Set<number>()
  const total = copy.count()
  let done = 0
  for (const { id, bucket, sha256, state } of copy.rows()) {
    const sha = sha256Bytes(state)
    const own = bucketOf(id)
    hashes[own]?.update(`${id}\0`).update(sha)
    const problem =
      sha.toString('hex') !== sha256
        ? 'the state does not have its sha256'
        : idOf(state) !== id
          ? 'the state is of another id'
          : bucket !== own
            ? `the bucket is ${own}`
            : null
    if (problem !== null) {
      rotten.set(id, problem)
      suspects.add(own)
      if (Number.isInteger(bucket) && bucket >= 0 && bucket < 256) suspects.add(bucket)
    }
    if (++done % ROWS_PER_PROGRESS === 0) onProgress({ step: 'rows', done, total })
  }
  onProgress({ step: 'rows', done, total })
  return { buckets: hashes.map((hash) => hash.digest()), rotten, suspects }
}
const ROWS_PER_PROGRESS = 1_000

function idOf(state: string): string | null {
  try {
    return (JSON.parse(state) as { item: { id: string } }).item.id
  } catch {
    return null
  }
}

function isAtHead(position: CopyPosition | null, { gen, scopes }: OriginState, scope: string): boolean {
  const entry = scopes.get(scope)
  const { seq, chain, head } = { ...position }
  return position?.gen === gen && seq === entry?.head && chain === entry?.chain && head === entry?.head
}

/** Compares rows and position with the origin's at its head, and makes the buckets that differ again. */
async function compare(
  pass: Pass,
  { rehashed, failure, notes }: { rehashed: Rehashed; failure: string | null; notes: Notes },
): Promise<void> {
  const { copy, scope, origin } = pass
  const entry = origin.scopes.get(scope)
  if (entry === undefined) throw new MirrorError(`scope '${scope}' is not there`, { kind: 'unreachable' })
  const head = { gen: origin.gen, seq: entry.head, chain: entry.chain }
  const expected = await expectedHashes(pass, head)
  const suspects = new Set<number>()
  for (let bucket = 0; bucket < 256; bucket++) {
    const isEqual = expected.get(bucket)?.equals(rehashed.buckets[bucket] as Buffer)
    if (!isEqual || rehashed.suspects.has(bucket)) suspects.add(bucket)
  }
  if (suspects.size > 0 && !hasStart(origin, entry)) {
    const problem = 'cannot be made again: the origin has no snapshot, and no longer all changes'
    notes.add({ place: scope, name: `${suspects.size} buckets`, problem, isRepaired: false })
    return
  }
  const differing = await stageDiffering(pass, { head, expected, suspects, rehashed })
  const position = copy.position()
  if (failure !== null && differing.length > 0) {
    copy.staging.clear()
    // A copy is never replaced by an origin that contradicts it: it may have rewritten history.
    notes.add({
      place: scope,
      name: 'position',
      problem: `${failure}; so are ${differing.length} buckets`,
      isRepaired: false,
    })
    return
  }
  nameRows(pass, { buckets: differing, rehashed, notes })
  const digest = origin.digest?.scopes.get(scope)
  const problem = failure ?? proofProblem(position, { seq: head.seq, digest })
  if (problem !== null) notes.add({ place: scope, name: 'position', problem })
  if (position === null) return
  const to = problem === null ? {} : { to: head }
  copy.staging.adoptBuckets({ from: position, ...to, buckets: differing, rotten: rehashed.rotten.keys() })
  copy.recordHead(head.seq)
  if (digest?.seq === head.seq) copy.recordProof(head, digest.root)
}

/** What is wrong with the noted proof of a copy at the head. */
function proofProblem(
  position: CopyPosition | null,
  { seq, digest }: { seq: number; digest: OriginDigest | undefined },
): string | null {
  const proved = position?.proved ?? null
  if (proved === null) return null
  if (proved.seq > seq) return `the root is proved at seq ${proved.seq}, beyond the head`
  const isWrong = proved.seq === digest?.seq && proved.root !== digest.root
  return isWrong ? 'the proved root is not that of the digest' : null
}

/** Hashes of the buckets at the head, of those that no change after the digest touched. */
async function expectedHashes(pass: Pass, head: Readonly<{ gen: string; seq: number }>): Promise<Map<number, Buffer>> {
  const { scope, origin, read } = pass
  const entry = origin.scopes.get(scope)
  const digest = origin.digest?.scopes.get(scope)
  if (entry === undefined || digest === undefined) return new Map()
  if (digest.seq !== head.seq && digest.chain === null) return new Map()
  const expected = new Map(bucketsOf(await read(digest.url), { digest, scope }).entries())
  for (let at = { gen: head.gen, seq: digest.seq, chain: digest.chain ?? '' }; at.seq < head.seq; ) {
    const changes = await changesAfter(pass, entry, at)
    for (const { itemId } of changes) expected.delete(bucketOf(itemId))
    const { seq, chain } = changes.at(-1) as { seq: number; chain: string }
    at = { ...at, seq, chain }
  }
  return expected
}

/** Stages the suspects at the head and answers those that the copy has otherwise. */
async function stageDiffering(
  pass: Pass,
  {
    head,
    expected,
    suspects,
    rehashed,
  }: {
    head: Readonly<{ gen: string; seq: number; chain: string }>
    expected: ReadonlyMap<number, Buffer>
    suspects: ReadonlySet<number>
    rehashed: Rehashed
  },
): Promise<number[]> {
  const { copy, scope, origin } = pass
  if (suspects.size === 0) return []
  copy.staging.clear()
  const entry = origin.scopes.get(scope) as NonNullable<ReturnType<typeof origin.scopes.get>>
  await stageStates(pass, { entry, at: head, buckets: suspects, step: 'repair' })
  const made = copy.digest('staged_items').buckets
  for (const bucket of suspects) {
    const [wanted, found] = [expected.get(bucket), made[bucket] as Buffer]
    if (wanted === undefined || wanted.equals(found)) continue
    copy.staging.clear()
    const what = `hash of bucket ${bucket}`
    throw contradiction({ scope, seq: head.seq, what, expected: wanted.toString('hex'), found: found.toString('hex') })
  }
  return [...suspects].filter(
    (bucket) => rehashed.suspects.has(bucket) || !rehashed.buckets[bucket]?.equals(made[bucket] as Buffer),
  )
}

/** Names the rows of these buckets that are not the staged ones. */
function nameRows(
  { copy, scope }: Pass,
  { buckets, rehashed, notes }: { buckets: readonly number[]; rehashed: Rehashed; notes: Notes },
): void {
  for (const [name, problem] of rehashed.rotten) notes.add({ place: scope, name, problem })
  for (const bucket of buckets) {
    const right = new Map(copy.hashesIn('staged_items', bucket).map(({ id, sha256 }) => [id, sha256]))
    for (const { id, sha256 } of copy.hashesIn('items', bucket)) {
      const expected = right.get(id)
      right.delete(id)
      if (expected === sha256 || rehashed.rotten.has(id)) continue
      const problem = expected === undefined ? 'the origin has no such item' : 'the origin has another state'
      notes.add({ place: scope, name: id, problem })
    }
    for (const id of right.keys()) notes.add({ place: scope, name: id, problem: 'was lost' })
  }
}
