import { gunzipSync } from 'node:zlib'
import { bucketOf, sha256Hex } from '@catalog/core/digest.ts'
import type { Staging } from './copy.ts'
import type { CopyItem } from './copy-tables.ts'
import { contradiction, malformed } from './mirror-error.ts'
import { addressOf, JsonFields, jsonOf, type OriginState } from './origin-state.ts'

/** A snapshot's position in each scope, and the files with its states. */
export type Manifest = Readonly<{
  scopes: ReadonlyMap<string, Readonly<{ seq: number; chain: string; count: number; root: string }>>
  /** Indexed by bucket. */
  shards: readonly Readonly<{ url: string; count: number; sha: string }>[]
  /** Files beside the shards, for other readers. */
  files: readonly Readonly<{ url: string; sha: string }>[]
}>

/** A shard of ten million items has some thirty megabytes of text; the bound stops decompression bombs. */
const SHARD_TEXT_BYTES_MAX = 512 * 1024 * 1024
const SHARDS = 256
/** Shards are small, so latency dominates and parallel reads help. */
const SHARD_READS_MAX = 4

/** Reads the bytes at an address of the origin. */
export type ReadDocument = (url: string) => Promise<Uint8Array>

/** Reads the manifest that state.json names; throws a contradiction when its hash differs. */
export async function readManifest({ gen, snapshot }: OriginState, read: ReadDocument): Promise<Manifest | null> {
  if (snapshot === null) return null
  const { url, sha, seq } = snapshot
  const bytes = await read(url)
  const found = sha256Hex(bytes)
  if (found !== sha)
    throw contradiction({ scope: 'snapshot', seq, what: 'sha256 of the manifest', expected: sha, found })
  const manifest = new JsonFields(jsonOf(bytes, url), url)
  if (manifest.text('gen') !== gen) throw manifest.wrong('gen', gen)
  if (manifest.wholeNumber('seq') !== seq) throw manifest.wrong('seq', seq)
  const shards = manifest.list('shards')
  if (shards.length !== SHARDS) throw manifest.wrong('shards', `${SHARDS} of them`)
  const file = (fields: JsonFields) => ({
    url: addressOf(fields.text('file'), { from: url }),
    sha: fields.hash('sha256'),
  })
  return {
    scopes: new Map(
      manifest.object('scopes').entries((scope) => ({
        seq: scope.wholeNumber('seq'),
        chain: scope.hash('chain'),
        count: scope.wholeNumber('count'),
        root: scope.hash('state_root'),
      })),
    ),
    shards: shards.map((value, bucket) => {
      const fields = new JsonFields(value, `${url}: shard ${bucket}`)
      return { ...file(fields), count: fields.wholeNumber('count') }
    }),
    files: manifest.list('files').map((value, i) => file(new JsonFields(value, `${url}: file ${i}`))),
  }
}

/** Stages the rows of these buckets of a scope; skips shards that an earlier pass staged. */
export async function stageShards({
  manifest,
  buckets,
  scope,
  staging,
  read,
  onShard,
}: {
  manifest: Manifest
  buckets: readonly number[]
  scope: string
  staging: Staging
  read: ReadDocument
  onShard: (done: number) => void
}): Promise<void> {
  const missing = buckets.filter((bucket) => staging.shardOf(bucket) !== manifest.shards[bucket]?.sha)
  onShard(buckets.length - missing.length)
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
