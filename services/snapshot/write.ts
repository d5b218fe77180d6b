import { appendFile, mkdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ScopeDigests } from '@catalog/core/changes/scope-digests.ts'
import { sha256Bytes, sha256Hex } from '@catalog/core/digest.ts'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { syncPath, writeDurably } from '@catalog/runtime/durable-files.ts'
import { type ScopeAt, statesAt } from '@catalog/store/catalog/digests.ts'
import { basesOf, cutOfMark, observationsAt } from '@catalog/store/catalog/snapshot-facts.ts'
import { pricePointsAt } from '@catalog/store/catalog/snapshots.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { openSigner } from '@catalog/store/feed-keys.ts'
import { type Licence, MANIFEST, manifestJson, type Shard, shardFile, shardsOf } from './manifest.ts'
import { gzipped, PARTIAL_PREFIX } from './partial-files.ts'
import { openScopeFiles, type ScopeFiles } from './scope-files.ts'
import { createTables, type Tables } from './tables.ts'

/** Text buffered before it is appended to the 256 files. */
const BUFFERED_CHARS_MAX = 8 * 1024 * 1024
/** Shards compressed at once: as many as the thread pool has threads. */
const SHARDS_PER_BATCH = 4

/** The written states do not give the digest's roots, or the existing folder has another history. */
export class SnapshotDiffers extends Error {
  override name = 'SnapshotDiffers'
}

type SnapshotWrite = Readonly<{
  store: Queryable
  /** Parent folder of snapshots. */
  folder: string
  gen: string
  mark: bigint
  /** Roots by the digest. */
  scopes: readonly ScopeAt[]
  createdAt: string
  licence: Licence
  signal: AbortSignal
  onProgress: (progress: { done: number; total: number }) => void
}>

/**
 * Writes FOLDER/GEN/SEQ under a temporary name and renames it when complete; answers the manifest's bytes. Memory does
 * not grow with the catalog: text goes to 256 files as it is read, and each is compressed alone; the files of scopes are
 * compressed as they are written. Throws SnapshotDiffers
 * when the states do not give the digest's roots.
 */
export async function writeSnapshot(job: SnapshotWrite): Promise<Buffer> {
  const { store, folder, gen, mark, scopes, createdAt, licence, signal } = job
  const partial = join(folder, `${PARTIAL_PREFIX}${gen}-${mark}`)
  const text = join(partial, 'text')
  await mkdir(text, { recursive: true })
  await using open = openScopeFiles(partial, scopes)
  const tables = createTables(partial)
  const counts = await writeText(job, { folder: text, scopeFiles: open, tables })
  const scopeFiles = await open.finish()
  await addFacts(job, tables)
  const files = await tables.finish()
  const shards = await gzipShards({ from: text, to: partial, counts, signal })
  await rm(text, { recursive: true })
  const signer = await openSigner(store)
  const manifest = Buffer.from(
    manifestJson({ gen, seq: mark, createdAt, licence, scopes, shards, scopeFiles, files, signer }),
  )
  await writeDurably(join(partial, MANIFEST), manifest)
  await syncPath(partial)
  signal.throwIfAborted()
  await mkdir(join(folder, gen), { recursive: true })
  await rename(partial, join(folder, gen, String(mark)))
  await syncPath(join(folder, gen))
  await syncPath(folder)
  return manifest
}

const shardTextFile = (bucket: number) => shardFile(bucket).replace('.gz', '')

/**
 * Reads the states once in id order, writes their text and verifies the roots; answers the number of states in each
 * bucket.
 */
async function writeText(
  { store, mark, scopes, signal, onProgress }: SnapshotWrite,
  { folder, scopeFiles, tables }: { folder: string; scopeFiles: ScopeFiles; tables: Tables },
): Promise<readonly number[]> {
  const total = scopes[0]?.count ?? 0
  const digests = new ScopeDigests()
  const counts = Array.from({ length: 256 }, () => 0)
  let buffered = counts.map(() => '')
  let bufferedChars = 0
  let done = 0
  const flush = async () => {
    for (const [bucket, text] of buffered.entries()) await appendFile(join(folder, shardTextFile(bucket)), text)
    buffered = counts.map(() => '')
    bufferedChars = 0
  }
  for await (const chunk of statesAt(store, mark)) {
    signal.throwIfAborted()
    const parsed = chunk.map(({ state }) => JSON.parse(state) as PublicState)
    const states = chunk.map(({ id, state }, i) => ({ id, state, regions: parsed[i]?.regions ?? [] }))
    for (const { id, state, regions } of states) digests.add({ id, sha: sha256Bytes(state), regions })
    await scopeFiles.add(states)
    tables.addStates(parsed)
    for (const [bucket, { count, text }] of shardsOf(chunk).entries()) {
      counts[bucket] = (counts[bucket] as number) + count
      buffered[bucket] += text
      bufferedChars += text.length
    }
    if (bufferedChars > BUFFERED_CHARS_MAX) await flush()
    done += chunk.length
    onProgress({ done, total })
  }
  await flush()
  for (const [i, { scope, stateRoot }] of digests.finish().entries()) {
    const expected = scopes[i]?.stateRoot
    if (stateRoot !== expected) {
      throw new SnapshotDiffers(`${scope} at ${mark}: the snapshot has state root ${stateRoot}, the digest ${expected}`)
    }
  }
  return counts
}

/** Adds the facts behind the prices to the tables. */
async function addFacts({ store, mark, signal }: SnapshotWrite, tables: Tables): Promise<void> {
  for await (const points of pricePointsAt(store, mark)) {
    signal.throwIfAborted()
    tables.addPoints(points)
  }
  for await (const observations of observationsAt(store, await cutOfMark(store, mark))) {
    signal.throwIfAborted()
    tables.addObservations(observations)
  }
  for await (const rows of basesOf(store)) {
    signal.throwIfAborted()
    const parsed = rows.map(({ basis, ...row }) => ({ ...row, basis: JSON.parse(basis) as Basis }))
    tables.addBases(parsed)
  }
}

async function gzipShards({
  from,
  to,
  counts,
  signal,
}: {
  from: string
  to: string
  counts: readonly number[]
  signal: AbortSignal
}): Promise<readonly Shard[]> {
  const pack = async (count: number, bucket: number): Promise<Shard> => {
    const file = shardFile(bucket)
    const bytes = await gzipped(await readFile(join(from, shardTextFile(bucket))))
    await writeDurably(join(to, file), bytes)
    return { bucket, file, count, bytes: bytes.length, sha256: sha256Hex(bytes) }
  }
  const shards: Shard[] = []
  while (shards.length < counts.length) {
    signal.throwIfAborted()
    const at = shards.length
    const batch = counts.slice(at, at + SHARDS_PER_BATCH)
    shards.push(...(await Promise.all(batch.map((count, i) => pack(count, at + i)))))
  }
  return shards
}
