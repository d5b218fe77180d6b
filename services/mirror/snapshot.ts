import { Readable } from 'node:stream'
import { createGunzip, gunzipSync } from 'node:zlib'
import { bucketOf, sha256Hex } from '@catalog/core/digest.ts'
import { z } from 'zod'
import type { Staging } from './copy.ts'
import type { CopyItem } from './copy-tables.ts'
import { contradiction, malformed } from './mirror-error.ts'
import { addressOf, byName, checked, HASH, jsonOf, type OriginState, TEXT, WHOLE_NUMBER } from './origin-state.ts'

/** A snapshot's position in each scope, and the files with its states. */
export type Manifest = Readonly<{
  scopes: ReadonlyMap<string, Readonly<{ seq: number; chain: string; count: number; root: string }>>
  /** Indexed by bucket. */
  shards: readonly Readonly<{ url: string; count: number; bytes: number; sha: string }>[]
  /** The states of a scope in one file; empty from an origin that has none, or for too many states. */
  scopeFiles: ReadonlyMap<string, Readonly<{ url: string; count: number; bytes: number; sha: string }>>
  /** Files beside the shards, for other readers. */
  files: readonly Readonly<{ url: string; sha: string }>[]
}>

/** A shard of ten million items has some thirty megabytes of text; the bound stops decompression bombs. */
const SHARD_TEXT_BYTES_MAX = 512 * 1024 * 1024
const SHARDS = 256
/** The file of a scope is held in memory as it is packed; a larger one is read as shards. */
const SCOPE_FILE_BYTES_MAX = 128 * 1024 * 1024
/** What a request and the headers of its answer cost beside the body. */
const ANSWER_BYTES = 1_000
/** Shards are small, so latency dominates and parallel reads help. */
const SHARD_READS_MAX = 4

/** Reads the bytes at an address of the origin. */
export type ReadDocument = (url: string) => Promise<Uint8Array>

const FILE = z.object({ file: TEXT, sha256: HASH }, 'an object')
const STATES_FILE = FILE.extend({ count: WHOLE_NUMBER, bytes: WHOLE_NUMBER })
const SCOPE = z.object({ seq: WHOLE_NUMBER, chain: HASH, count: WHOLE_NUMBER, state_root: HASH }, 'an object')
const MANIFEST = z.object(
  {
    scopes: byName(SCOPE),
    shards: z.array(STATES_FILE, 'a list').length(SHARDS, `${SHARDS} of them`),
    scope_files: byName(STATES_FILE).nullish(),
    files: z.array(FILE, 'a list'),
  },
  'an object',
)

/** Reads the manifest that state.json names; throws a contradiction when its hash differs. */
export async function readManifest({ gen, snapshot }: OriginState, read: ReadDocument): Promise<Manifest | null> {
  if (snapshot === null) return null
  const { url, sha, seq } = snapshot
  const bytes = await read(url)
  const found = sha256Hex(bytes)
  if (found !== sha)
    throw contradiction({ scope: 'snapshot', seq, what: 'sha256 of the manifest', expected: sha, found })
  const schema = MANIFEST.extend({ gen: z.literal(gen, gen), seq: z.literal(seq, `${seq}`) })
  const { scopes, shards, scope_files, files } = checked(jsonOf(bytes, url), { schema, place: url })
  const fileOf = ({ file, sha256 }: z.infer<typeof FILE>) => ({ url: addressOf(file, { from: url }), sha: sha256 })
  const statesOf = ({ count, bytes, ...file }: z.infer<typeof STATES_FILE>) => ({ ...fileOf(file), count, bytes })
  return {
    scopes: new Map(
      Object.entries(scopes).map(([scope, { state_root, ...at }]) => [scope, { ...at, root: state_root }]),
    ),
    shards: shards.map(statesOf),
    scopeFiles: new Map(Object.entries(scope_files ?? {}).map(([scope, file]) => [scope, statesOf(file)])),
    files: files.map(fileOf),
  }
}

type StagedShards = Readonly<{
  manifest: Manifest
  buckets: readonly number[]
  scope: string
  staging: Staging
  read: ReadDocument
  onShard: (done: number) => void
}>

/**
 * Stages the rows of these buckets of a scope, from the file of the scope where that costs less than the shards. Skips
 * shards that an earlier pass staged.
 */
export async function stageShards(work: StagedShards): Promise<void> {
  const { manifest, buckets, scope, staging, read, onShard } = work
  // The root of the snapshot proves that there is nothing.
  if (manifest.scopes.get(scope)?.count === 0) return
  const missing = buckets.filter((bucket) => staging.shardOf(bucket) !== manifest.shards[bucket]?.sha)
  onShard(buckets.length - missing.length)
  const file = manifest.scopeFiles.get(scope)
  if (file !== undefined && isCheaper(file, { missing, manifest })) {
    return await stageScopeFile({ ...work, buckets: missing }, file)
  }
  for (let at = 0; at < missing.length; at += SHARD_READS_MAX) {
    const batch = missing.slice(at, at + SHARD_READS_MAX)
    const files = await Promise.all(batch.map((bucket) => read((manifest.shards[bucket] as { url: string }).url)))
    for (const [i, bucket] of batch.entries()) {
      const shard = manifest.shards[bucket] as Manifest['shards'][number]
      const rows = parseShard(files[i] as Uint8Array, { ...shard, bucket, scope })
      staging.put({ bucket, fileSha: shard.sha, rows })
      onShard(buckets.length - missing.length + at + i + 1)
    }
  }
}

/** Whether the file of a scope costs less than the missing shards, and fits in memory while it is compressed. */
const isCheaper = (
  { bytes }: { bytes: number },
  { missing, manifest }: { missing: readonly number[]; manifest: Manifest },
): boolean => {
  const shardBytes = missing.reduce((sum, bucket) => sum + (manifest.shards[bucket]?.bytes ?? 0) + ANSWER_BYTES, 0)
  return bytes <= SCOPE_FILE_BYTES_MAX && bytes + ANSWER_BYTES < shardBytes
}

/** Stages the rows of these buckets from the file of the scope, whose hash and count must equal the manifest's. */
async function stageScopeFile(
  { manifest, buckets, staging, read, onShard }: StagedShards,
  { url, sha, count }: Manifest['shards'][number],
): Promise<void> {
  const bytes = await read(url)
  if (sha256Hex(bytes) !== sha) throw malformed(`${url}: sha256: expected ${sha}, found ${sha256Hex(bytes)}`)
  const wanted = new Set(buckets)
  staging.begin(buckets)
  let states = 0
  for await (const lines of gzippedLines(bytes, url)) {
    states += lines.length
    if (states > count) break
    staging.add(lines.map((line) => itemOf(line, url)).filter(({ id }) => wanted.has(bucketOf(id))))
    onShard(Math.floor((states / count) * buckets.length))
  }
  if (states !== count) throw malformed(`${url}: states: expected ${count}, found ${states}`)
  staging.complete(buckets.map((bucket) => ({ bucket, fileSha: manifest.shards[bucket]?.sha as string })))
}

function itemOf(state: string, url: string): CopyItem {
  try {
    const { item } = JSON.parse(state) as { item: { id: string } }
    return { id: item.id.toString(), state }
  } catch (cause) {
    throw malformed(`${url}: expected a state a line: ${(cause as Error).message}`, cause)
  }
}

/** The states of a scope in a shard file, whose hash and count must equal the manifest's. */
function parseShard(
  bytes: Uint8Array,
  { bucket, url, count, sha, scope }: Manifest['shards'][number] & { bucket: number; scope: string },
): CopyItem[] {
  const wrong = (what: string, expected: unknown, found: unknown, cause?: unknown) =>
    malformed(`${url}: ${what}: expected ${expected}, found ${found}`, cause)
  if (sha256Hex(bytes) !== sha) throw wrong('sha256', sha, sha256Hex(bytes))
  let text: Buffer
  try {
    text = gunzipSync(bytes, { maxOutputLength: SHARD_TEXT_BYTES_MAX })
  } catch (cause) {
    throw wrong('gzip', `at most ${SHARD_TEXT_BYTES_MAX} bytes of text`, (cause as Error).message, cause)
  }
  const rows: CopyItem[] = []
  let lines = 0
  for (const state of linesOf(text)) {
    lines += 1
    const { item, regions } = JSON.parse(state) as { item: { id: string }; regions: string[] }
    if (bucketOf(item.id) !== bucket) throw wrong(`bucket of ${item.id}`, bucket, bucketOf(item.id))
    if (scope === 'items' || regions.some((region) => scope === `region/${region}`)) rows.push({ id: item.id, state })
  }
  if (lines !== count) throw wrong('states', count, lines)
  return rows
}

function* linesOf(text: Buffer): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = text.indexOf('\n', at)
    const stop = end === -1 ? text.length : end
    yield text.toString('utf8', at, stop)
    at = stop + 1
  }
}

/** Bounds on the text of a packed file; they stop decompression bombs. */
const SCOPE_TEXT_BYTES_MAX = 4 * 1024 ** 3
const LINE_BYTES_MAX = 4 * 1024 ** 2
const LINES_PER_BATCH = 1_000

/** The lines of a gzip file, in batches, without holding its text. Throws a contradiction that names the address. */
async function* gzippedLines(bytes: Uint8Array, url: string): AsyncGenerator<string[]> {
  const text = Readable.from([bytes]).pipe(createGunzip())
  let total = 0
  let rest: Buffer = Buffer.alloc(0)
  let lines: string[] = []
  try {
    for await (const chunk of text as AsyncIterable<Buffer>) {
      total += chunk.length
      rest = Buffer.concat([rest, chunk])
      let at = 0
      for (let end = rest.indexOf('\n'); end !== -1; end = rest.indexOf('\n', at)) {
        lines.push(rest.toString('utf8', at, end))
        at = end + 1
      }
      rest = rest.subarray(at)
      if (total > SCOPE_TEXT_BYTES_MAX) throw new Error(`more than ${SCOPE_TEXT_BYTES_MAX} bytes of text`)
      if (rest.length > LINE_BYTES_MAX) throw new Error(`a line of more than ${LINE_BYTES_MAX} bytes`)
      if (lines.length < LINES_PER_BATCH) continue
      yield lines
      lines = []
    }
  } catch (cause) {
    throw malformed(`${url}: gzip: ${(cause as Error).message}`, cause)
  }
  if (rest.length > 0) lines.push(rest.toString('utf8'))
  if (lines.length > 0) yield lines
}
