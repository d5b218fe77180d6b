import { randomBytes } from 'node:crypto'
import { access, constants, mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sha256Hex } from '@catalog/core/digest.ts'
import { instant } from '@catalog/core/time.ts'
import { makeDigest, readNewestMark, readScopesAt } from '@catalog/store/catalog/digests.ts'
import { beginGeneration, type NewGeneration } from '@catalog/store/catalog/generation.ts'
import { readSnapshots, type SnapshotRow, saveSnapshot } from '@catalog/store/catalog/snapshots.ts'
import type { Queryable, Store } from '@catalog/store/db.ts'
import { withLease } from '@catalog/store/lease.ts'
import { type Licence, MANIFEST, type Shard, scopesJson } from './manifest.ts'
import { removePartials } from './partial-files.ts'
import { applyRetention, editionOf, markUnannounced, removeUnannounced } from './retention.ts'
import { SnapshotDiffers, writeSnapshot } from './write.ts'

export type SnapshotOptions = Readonly<{
  store: Store
  /** Parent folder of snapshots, as FOLDER/GEN/SEQ, beside index.json. */
  folder: string
  licence: Licence
  now: () => Date
  /** True for a copy in a folder that the API does not serve: no row, no retention. */
  isCopy?: boolean
  /** Snapshots kept beside the first of each month. */
  keep?: number
  signal?: AbortSignal
  onProgress?: (progress: { done: number; total: number }) => void
}>

export type SnapshotReport = Readonly<{
  snapshot: SnapshotRow
  /** False when the snapshot existed already. */
  isNew: boolean
  /** Addresses, GEN/SEQ, of deleted snapshots. */
  removed: readonly string[]
}>

const KEEP_DEFAULT = 7
/** One process takes a snapshot at a time; after this a killed one is replaced. */
const LEASE_TTL_MS = 60_000

/** No run has published anything yet. */
export class NothingToSnapshot extends Error {
  override name = 'NothingToSnapshot'
  constructor() {
    super(
      'there is nothing to take a snapshot of: expected a finished run that published something (catalog aggregate)',
    )
  }
}

/**
 * Takes a snapshot at the newest mark and applies the retention; at a mark with a snapshot it only does the latter. It
 * computes the digest when the projector has not.
 *
 * Law: a folder FOLDER/GEN/SEQ is complete or absent, and exists before its row. The next run removes leftovers of a
 * killed one and adopts a complete folder without a row if it has the same history. Throws NothingToSnapshot and
 * SnapshotDiffers.
 */
export async function takeSnapshot(options: SnapshotOptions): Promise<SnapshotReport> {
  const { store, folder, keep = KEEP_DEFAULT } = options
  await mkdir(folder, { recursive: true })
  return withLease(store, newLease(), (signal) => takeUnderLease({ ...options, keep, signal }), options.signal)
}

const newLease = () => ({ name: 'snapshot', holder: randomBytes(8).toString('hex'), ttlMs: LEASE_TTL_MS })

type Beginning = Omit<SnapshotOptions, 'isCopy' | 'keep'> &
  Readonly<{
    gen: string
    /** Gets how many numbers were chained again. */
    onChained?: (numbers: number) => void
  }>

/**
 * Begins a generation with its snapshot, so that no mirror waits for one: the files are complete before the transaction
 * that announces the generation commits. Begins it without a snapshot where the folder is absent or not writable, as in
 * processes that only serve it, and before the first mark.
 */
export async function beginWithSnapshot({ gen, onChained, ...options }: Beginning): Promise<NewGeneration> {
  const { store, folder } = options
  const onProgress = onChained === undefined ? {} : { onProgress: onChained }
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  )
  if (!isWritable) return beginGeneration(store, { gen, ...onProgress })
  const begin = async (signal: AbortSignal) => {
    try {
      return await beginGeneration(store, { gen, ...onProgress, onBegun: (tx) => write(tx, signal) })
    } finally {
      // Also where it failed. What cannot be removed now, the next snapshot removes.
      await removeUnannounced(store, folder).catch(() => {})
    }
  }
  const write = async (tx: Queryable, signal: AbortSignal) => {
    const newest = await readNewestMark(tx)
    if (newest === undefined) return
    await removePartials(folder)
    await markUnannounced(folder, gen)
    const written = await createOrAdopt({ ...options, store: tx, signal }, { ...newest, found: undefined })
    await saveSnapshot(tx, { ...written, edition: editionOf(written.createdAt, await readSnapshots(tx)) })
  }
  const begun = await withLease(store, newLease(), begin, options.signal)
  // Only now may the list name it; what to keep is for the next snapshot to say.
  await applyRetention({ store, folder, keep: Number.POSITIVE_INFINITY })
  return begun
}

async function takeUnderLease(
  options: SnapshotOptions & { readonly keep: number; readonly signal: AbortSignal },
): Promise<SnapshotReport> {
  const { store, folder, keep, isCopy = false } = options
  await removePartials(folder)
  if (!isCopy) await removeUnannounced(store, folder)
  const newest = await readNewestMark(store)
  if (newest === undefined) throw new NothingToSnapshot()
  const { gen, mark } = newest
  const rows = await readSnapshots(store)
  const recordedRow = rows.find((row) => row.gen === gen && row.seq === mark)
  const found = await readManifest(join(folder, gen, String(mark)))
  if (recordedRow !== undefined && found !== undefined && !isCopy) {
    return { snapshot: recordedRow, isNew: false, removed: await applyRetention({ store, folder, keep }) }
  }
  if (!newest.hasDigest) await makeDigest(store, { gen, mark }, { signal: options.signal })
  const written = await createOrAdopt(options, { gen, mark, found })
  if (isCopy) return { snapshot: { ...written, edition: null }, isNew: found === undefined, removed: [] }
  const snapshot = { ...written, edition: recordedRow?.edition ?? editionOf(written.createdAt, rows) }
  await saveSnapshot(store, snapshot)
  return { snapshot, isNew: true, removed: await applyRetention({ store, folder, keep }) }
}

/** Writes the folder of a snapshot, or adopts the one whose manifest was found there. */
async function createOrAdopt(
  {
    store,
    folder,
    licence,
    now,
    onProgress = () => {},
    signal,
  }: Omit<SnapshotOptions, 'store'> & { readonly store: Queryable; readonly signal: AbortSignal },
  { gen, mark, found }: { gen: string; mark: bigint; found: Buffer | undefined },
): Promise<Omit<SnapshotRow, 'edition'>> {
  const scopes = await readScopesAt(store, { gen, mark })
  const [items] = scopes
  if (items === undefined) {
    throw new SnapshotDiffers(`a new generation began while the digest at ${mark} was made; take the snapshot again`)
  }
  const createdAt = instant(now())
  const manifest =
    found ?? (await writeSnapshot({ store, folder, gen, mark, scopes, createdAt, licence, signal, onProgress }))
  const { created_at, scopes: recorded, shards } = JSON.parse(manifest.toString()) as WrittenManifest
  if (JSON.stringify(recorded) !== JSON.stringify(scopesJson(scopes))) {
    throw new SnapshotDiffers(
      `${join(folder, gen, String(mark))} holds state root ${recorded.items?.state_root}, the catalog has ${items.stateRoot}, or ` +
        'other chains: expected one history of a generation; after a restore run `catalog restored`',
    )
  }
  return {
    gen,
    seq: mark,
    createdAt: created_at,
    count: items.count,
    bytes: shards.reduce((sum, { bytes }) => sum + bytes, 0),
    manifestSha: sha256Hex(manifest),
  }
}
type WrittenManifest = { created_at: string; scopes: ReturnType<typeof scopesJson>; shards: readonly Shard[] }

const readManifest = (folder: string): Promise<Buffer | undefined> =>
  readFile(join(folder, MANIFEST)).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
