import { bucketOf, type DigestEntry, RunningBuckets, rootOf } from '@catalog/core/digest.ts'
import { SCOPES } from './protocol.ts'

/** An active item as digests see it. */
export type DigestItem = DigestEntry & Readonly<{ regions: readonly string[] }>

/** The state of one scope in 256 hashes. */
export type ScopeDigest = Readonly<{
  scope: string
  /** Number of items. */
  count: number
  buckets: readonly Uint8Array[]
  /** Hex. */
  stateRoot: string
}>

/**
 * The digests of all scopes from one pass over the state. Every item counts in `items` and in the scope of each of its
 * regions. Ids come in ascending byte order, so that memory does not grow with the catalog.
 */
export class ScopeDigests {
  readonly #scopes = new Map(SCOPES.map((scope) => [scope, { count: 0, buckets: new RunningBuckets() }]))
  #lastId: string | null = null

  /** Throws RangeError on an id that does not ascend: another order of hashing gives another root. */
  add(present: DigestItem): void {
    const { id, regions } = present
    if (this.#lastId !== null && Buffer.compare(Buffer.from(this.#lastId), Buffer.from(id)) >= 0) {
      throw new RangeError(`id '${id}' came after '${this.#lastId}': expected ascending order of bytes`)
    }
    this.#lastId = id
    const bucket = bucketOf(id)
    for (const name of ['items', ...regions.map((region) => `region/${region}`)]) {
      const scope = this.#scopes.get(name)
      if (scope === undefined) continue
      scope.count++
      scope.buckets.add(present, bucket)
    }
  }

  /** The digests of all scopes, in the order of SCOPES. Call it once, at the end. */
  finish(): readonly ScopeDigest[] {
    return [...this.#scopes].map(([scope, { count, buckets }]) => {
      const hashes = buckets.hashes()
      return { scope, count, buckets: hashes, stateRoot: rootOf(hashes) }
    })
  }
}
