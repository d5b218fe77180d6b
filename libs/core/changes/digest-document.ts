import { PROTOCOL } from './protocol.ts'
import type { Signed } from './signature.ts'

/** The document by which a copy of a scope is proved (docs/mirror-protocol.md). */

/** A digest at a seq of its scope. */
export type DigestAt = Readonly<{
  gen: string
  scope: string
  seq: bigint
  count: number
  /** 256 hashes. */
  buckets: readonly Uint8Array[]
  stateRoot: string
}>

/** What signatures of a digest are about, but for the catalog. */
export const digestDocument = ({ gen, scope, seq, count, buckets, stateRoot }: DigestAt) => ({
  protocol: PROTOCOL,
  gen,
  scope,
  seq: Number(seq),
  count,
  state_root: stateRoot,
  buckets: buckets.map((bucket) => Buffer.from(bucket).toString('hex')),
})

/**
 * The document of a digest. It names no mark, so every mark that leaves a region's seq unchanged has the same bytes. `signed`
 * is null for a digest that was saved without signatures.
 */
export function digestJson({ signed, ...digest }: DigestAt & { readonly signed?: Signed | null }): string {
  if (!signed) return JSON.stringify(digestDocument(digest))
  // jsonb does not keep the order of members.
  const signatures = signed.signatures.map(({ key, signature }) => ({ key, signature }))
  return JSON.stringify({ ...digestDocument(digest), catalog: signed.catalog, signatures })
}
