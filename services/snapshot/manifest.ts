import { PROTOCOL } from '@catalog/core/changes/protocol.ts'
import { type Signer, signedBy } from '@catalog/core/changes/signature.ts'
import { bucketOf } from '@catalog/core/digest.ts'
import type { ScopeAt } from '@catalog/store/catalog/digests.ts'
import type { SnapshotRow } from '@catalog/store/catalog/snapshots.ts'

/** Text documents of a snapshot, as pure functions of its contents (docs/mirror-protocol.md). */

export const MANIFEST = 'manifest.json'

/** Licence of the prices; null when none is stated. */
export type Licence = Readonly<{ name: string; url: string | null }> | null

/** File name of a bucket. */
export const shardFile = (bucket: number): string => `${bucket.toString(16).padStart(2, '0')}.ndjson.gz`

/** File name of the states of a scope. */
export const scopeFile = (scope: string): string => `${scope.replace('/', '-')}.ndjson.gz`

/**
 * Splits states into the uncompressed text of 256 shards, one state for each line. States come in ascending id order.
 */
export function shardsOf(
  states: Iterable<{ readonly id: string; readonly state: string }>,
): { count: number; text: string }[] {
  const shards = Array.from({ length: 256 }, () => ({ count: 0, text: '' }))
  for (const { id, state } of states) {
    const shard = shards[bucketOf(id)] as { count: number; text: string }
    shard.count++
    shard.text += `${state}\n`
  }
  return shards
}

/** A file beside the manifest; `sha256` is hex. */
export type Shard = Readonly<{ bucket: number; file: string; count: number; bytes: number; sha256: string }>
export type ScopeFile = Readonly<{ scope: string; file: string; count: number; bytes: number; sha256: string }>
export type TableFile = Readonly<{ file: string; rows: number; bytes: number; sha256: string }>

export function manifestJson({
  gen,
  seq,
  createdAt,
  licence,
  scopes,
  shards,
  scopeFiles,
  files,
  signer,
}: {
  gen: string
  seq: bigint
  createdAt: string
  licence: Licence
  /** All scopes, in the order of SCOPES. */
  scopes: readonly ScopeAt[]
  shards: readonly Shard[]
  scopeFiles: readonly ScopeFile[]
  files: readonly TableFile[]
  signer: Signer
}): string {
  const [items] = scopes
  const manifest = {
    protocol: PROTOCOL,
    gen,
    seq: Number(seq),
    created_at: createdAt,
    licence,
    count: items?.count ?? 0,
    state_root: items?.stateRoot ?? null,
    scopes: scopesJson(scopes),
    shards,
    scope_files: Object.fromEntries(scopeFiles.map(({ scope, ...file }) => [scope, file])),
    files,
  }
  return `${JSON.stringify({ ...manifest, ...signedBy(signer, 'manifest', manifest) })}\n`
}

/** The member `scopes` of a manifest. */
export function scopesJson(
  scopes: readonly ScopeAt[],
): Readonly<Record<string, { seq: number; chain: string; count: number; state_root: string }>> {
  return Object.fromEntries(
    scopes.map(({ scope, seq, chain, count, stateRoot }) => [
      scope,
      { seq: Number(seq), chain: chain.toString('hex'), count, state_root: stateRoot },
    ]),
  )
}

/** The text of `snapshots/index.json`: all kept snapshots of all generations. */
export function indexJson(rows: readonly SnapshotRow[]): string {
  const snapshots = rows.map(({ gen, seq, createdAt, edition, count, bytes, manifestSha }) => ({
    gen,
    seq: Number(seq),
    created_at: createdAt,
    edition,
    count,
    bytes,
    url: `${gen}/${seq}/${MANIFEST}`,
    sha256: manifestSha,
  }))
  return `${JSON.stringify({ protocol: PROTOCOL, snapshots })}\n`
}
