import { createPublicKey, verify } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { ndjsonOf } from '@catalog/api/feeds/feed-documents.ts'
import { type ChangeOp, chainNext, chainStart } from '@catalog/core/changes/change.ts'
import {
  isSignedBy,
  type JsonDocument,
  type Signature,
  type SignedKind,
  trustedKeys,
} from '@catalog/core/changes/signature.ts'
import { bucketHashes, bucketOf, canonicalJson, rootOf, sha256Hex } from '@catalog/core/digest.ts'
import type { Staging } from '@catalog/mirror/copy.ts'
import type { Downloads } from '@catalog/mirror/downloads.ts'
import { checkIdentity, keysIn } from '@catalog/mirror/identity.ts'
import { openMirror } from '@catalog/mirror/mirror.ts'
import { type OriginState, parseState } from '@catalog/mirror/origin-state.ts'
import { type Manifest, readManifest, stageShards } from '@catalog/mirror/snapshot.ts'
import { bucketsOf } from '@catalog/mirror/sync-pass.ts'
import { describe, expect, test } from 'vitest'

/** Origin and mirror agree with each test vector that we publish. */
const FOLDER = resolve(import.meta.dirname, '../../../docs/mirror-vectors')

/** A question with the right answer, or with the reason why a client refuses. */
type Vector = Readonly<{ name: string; input: object }> &
  (Readonly<{ expected: object }> | Readonly<{ refused: string }>)

const vectorsOf = (subject: string) =>
  (JSON.parse(readFileSync(join(FOLDER, `${subject}.json`), 'utf8')) as { vectors: readonly Vector[] }).vectors

const judged = new Set<string>()

/** Runs our code over the vectors of a subject: each gives what is expected, or throws where it is refused. */
function agrees<Input>(subject: string, answer: (input: Input) => unknown): void {
  judged.add(subject)
  const vectors = vectorsOf(subject)
  describe(`our code agrees with ${subject}.json`, () => {
    test.each(vectors.map((vector) => [vector.name, vector] as const))('%s', async (_name, vector) => {
      const answered = (async () => answer(vector.input as Input))()
      if ('refused' in vector) await expect(answered).rejects.toThrow()
      else expect(await answered).toEqual(vector.expected)
    })
  })
}

type Rows = Readonly<Record<string, string>>
const entriesOf = (rows: Rows) => Object.entries(rows).map(([id, sha]) => ({ id, sha: Buffer.from(sha, 'hex') }))

agrees<{ json: string }>('canonical-json', ({ json }) => {
  const canonical = canonicalJson(JSON.parse(json))
  return { canonical, sha256: sha256Hex(canonical) }
})

type ChainInput = { gen: string; scope: string; changes: { seq: number; op: ChangeOp; id: string; sha256?: string }[] }
agrees<ChainInput>('chain', ({ gen, scope, changes }) => {
  const chains = [chainStart(gen, scope)]
  for (const { seq, op, id, sha256 = '' } of changes) {
    const chain = chains.at(-1) as Buffer
    chains.push(chainNext({ chain, rseq: BigInt(seq), op, itemId: id, sha: Buffer.from(sha256, 'hex') }))
  }
  return { chains: chains.map((chain) => chain.toString('hex')) }
})

agrees<{ rows: Rows }>('state-root', ({ rows }) => {
  const hashes = bucketHashes(entriesOf(rows))
  const filled = [...new Set(Object.keys(rows).map(bucketOf))]
  const buckets = Object.fromEntries(filled.map((bucket) => [bucket, hashes[bucket]?.toString('hex')]))
  return { state_root: rootOf(hashes), buckets }
})

agrees<{ text: string; state_root: string; rows: Rows }>('digest', ({ text, state_root: root, rows }) => {
  const remote = bucketsOf(Buffer.from(text), {
    digest: { url: 'digest.json', seq: 10, chain: null, root },
    scope: 'items',
  })
  const local = bucketHashes(entriesOf(rows))
  return { differ: remote.flatMap((hash, bucket) => (local[bucket]?.equals(hash) ? [] : [bucket])) }
})

const BASE = 'https://catalog.example/v1'
type Held = Readonly<{ gen: string; seq: number; chain: string; head?: number }>

/** The mirror with a copy that stands at a position, and an origin of these documents; answers what it asked for. */
async function synced(
  documents: ReadonlyMap<string, string>,
  { scope, held, rows = {} }: { scope: string; held: Held | null; rows?: Rows },
) {
  const asked: string[] = []
  const downloads: Downloads = {
    requests: () => asked.length,
    async get(url) {
      const text = documents.get(url)
      // As plain files answer: they know the addresses of documents alone, and no parameters.
      if (text === undefined && !url.includes('?')) asked.push(url)
      return text === undefined
        ? { kind: 'absent', status: 404 }
        : { kind: 'found', bytes: Buffer.from(text), type: '', validators: {} }
    },
  }
  using db = new DatabaseSync(':memory:')
  using mirror = openMirror({ url: BASE, scope, into: db, downloads })
  if (held !== null) {
    const { gen, seq, chain, head = seq } = held
    db.prepare('update position set gen = ?, seq = ?, chain = ?, head = ?').run(gen, seq, chain, head)
  }
  const insert = db.prepare('insert into items values (?, ?, ?, ?)')
  for (const [id, sha] of Object.entries(rows)) insert.run(id, bucketOf(id), sha, '')
  const error = await mirror.sync().then(
    () => null,
    (error: unknown) => error,
  )
  const copied = db.prepare('select id, sha256 from items').all() as { id: string; sha256: string }[]
  return { asked, error, state: mirror.state(), rows: Object.fromEntries(copied.map(({ id, sha256 }) => [id, sha256])) }
}

type DocumentInput = Readonly<{
  scope: string
  position: Held
  head: { seq: number; chain: string }
  rows: Rows
  text: string
}>
agrees<DocumentInput>('atom', async ({ scope, position, head, rows, text }) => {
  const entry = { head: head.seq, chain: head.chain, floor: 0, closed: 0, subscription: 'open', archive: '{page}' }
  const state = { protocol: 'ccm/1', gen: position.gen, page_size: 1000, scopes: { [scope]: entry } }
  const documents = new Map([
    [`${BASE}/feeds/state.json`, JSON.stringify(state)],
    [`${BASE}/feeds/open`, text],
  ])
  const found = await synced(documents, { scope, held: position, rows })
  const { gen, seq, chain } = found.state as Held
  const copy = { position: { gen, seq, chain }, rows: found.rows }
  if (found.error === null) return copy
  expect(copy).toEqual({ position, rows })
  throw found.error
})

describe('our origin writes the lines of ndjson.json', () => {
  judged.add('ndjson')
  const vectors = vectorsOf('ndjson').filter((vector) => 'expected' in vector)
  test.each(vectors.map(({ name, input }) => [name, input as DocumentInput] as const))('%s', (_name, { text }) => {
    const changes = text
      .trimEnd()
      .split('\n')
      .map((line) => {
        const { seq, op, id, version, updated, sha256 = '', chain, merged_into } = JSON.parse(line)
        const at = line.indexOf(',"state":')
        return {
          seq: BigInt(seq),
          op,
          itemId: id,
          version,
          updatedUs: BigInt(Date.parse(updated)) * 1000n + BigInt(updated.slice(-4, -1)),
          stateSha: Buffer.from(sha256, 'hex'),
          state: op === 'upsert' ? line.slice(at + ',"state":'.length, -1) : null,
          chain: Buffer.from(chain, 'hex'),
          mergedInto: merged_into ?? null,
          formerMedian: null,
          isMarked: false,
        }
      })
    expect(ndjsonOf(changes)).toBe(text)
  })
})

type StateInput = Readonly<{ url: string; scope: string; held: Held | null; text: string }>
agrees<StateInput>('state', async ({ url, scope, held, text }) => {
  const { asked, error } = await synced(new Map([[url, text]]), { scope, held })
  const [first] = asked
  // Nothing but state.json is there, so the mirror stops at the first document.
  if (first === undefined && error !== null) throw error
  if (first === undefined) return { do: 'nothing' }
  if (first.endsWith('manifest.json')) return { do: 'begin', url: first }
  if (held === null) return { do: 'begin', chain: chainStart(JSON.parse(text).gen, scope).toString('hex') }
  return { do: 'read', url: first }
})

type ManifestInput = {
  scope: string
  gen: string
  url: string
  text: string
  snapshot: { seq: number; sha256: string }
}
agrees<ManifestInput>('manifest', async ({ scope, gen, url, text, snapshot: { seq, sha256: sha } }) => {
  const manifest = await readManifest({ gen, snapshot: { seq, url, sha } } as OriginState, async () =>
    Buffer.from(text),
  )
  const start = manifest?.scopes.get(scope)
  return start && { seq: start.seq, chain: start.chain, count: start.count, state_root: start.root }
})

type ShardInput = Readonly<{ scope: string; gzip: string; shard: Readonly<{ bucket: number; sha256: string }> }>
agrees<ShardInput>('shard', async ({ scope, gzip, shard }) => {
  const { bucket } = shard
  const shards = Array.from({ length: 256 }, (_, other) => ({ ...shard, bucket: other }))
  const text = JSON.stringify({ gen: 'g', seq: 1, scopes: {}, shards, files: [] })
  const snapshot = { seq: 1, url: `${BASE}/feeds/manifest.json`, sha: sha256Hex(text) }
  const manifest = (await readManifest({ gen: 'g', snapshot } as OriginState, async () =>
    Buffer.from(text),
  )) as Manifest
  const rows: Record<string, string> = {}
  const put: Staging['put'] = ({ rows: staged }) => {
    for (const { id, state } of staged) rows[id] = sha256Hex(state)
  }
  await stageShards({
    manifest,
    buckets: [bucket],
    scope,
    staging: { shardOf: () => undefined, put } as unknown as Staging,
    read: async () => Buffer.from(gzip, 'base64'),
    onShard: () => {},
  })
  return { rows }
})

type RawInput = Readonly<{ public_key: string; message: string; signature: string }>
agrees<RawInput>('ed25519', ({ public_key, message, signature }) => {
  const x = Buffer.from(public_key, 'hex').toString('base64url')
  const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' })
  return { valid: verify(null, Buffer.from(message, 'hex'), key, Buffer.from(signature, 'hex')) }
})

type SignatureInput = Readonly<{ kind: SignedKind; text: string; public_keys: Readonly<Record<string, string>> }>
agrees<SignatureInput>('signature', ({ kind, text, public_keys: keys }) => {
  const document = JSON.parse(text) as JsonDocument & { signatures?: readonly Signature[] }
  const right = (document.signatures ?? []).filter(({ key, signature }) => {
    const publicKey = keys[key]
    return publicKey !== undefined && isSignedBy(publicKey, { kind, document, signature })
  })
  if (right.length === 0) throw new Error('no signature is right')
  return { signed_by: right.map(({ key }) => key).sort() }
})

type KeysInput = Readonly<{ catalog: string; trusted: readonly string[]; text: string }>
agrees<KeysInput>('keys', ({ trusted, text }) => ({
  trusted: [...trustedKeys(keysIn(Buffer.from(text), 'keys.json'), trusted).keys()].sort(),
}))

type Pinned = Readonly<{ catalog: string; keys: Readonly<Record<string, string>>; generated_at: string }>
type TrustInput = Readonly<{ pinned: Pinned | null; now: string; text: string; keys: string }>
agrees<TrustInput>('trust', async ({ pinned, now, text, keys }) => {
  const url = `${BASE}/feeds/state.json`
  const bytes = Buffer.from(text)
  const identity = await checkIdentity({
    state: { ...parseState(bytes, url), bytes },
    url,
    known: pinned && {
      catalog: pinned.catalog,
      keys: new Map(Object.entries(pinned.keys)),
      signedBy: [],
      generatedAt: pinned.generated_at,
      validUntil: '2026-01-06T00:00:00Z',
    },
    named: [],
    now: new Date(now),
    read: async () => Buffer.from(keys),
  })
  return { keys: [...(identity?.signedBy ?? [])].sort() }
})

test('every published file is judged', () => {
  const subjects = readdirSync(FOLDER).flatMap((name) => /^(.*)\.json$/.exec(name)?.[1] ?? [])
  expect([...judged].sort()).toEqual(subjects.sort())
})
