import { sha256Bytes } from '@catalog/core/digest.ts'
import type { ItemPublished } from '@catalog/core/events/items.ts'
import { materialSha, publicStateJson, stateSha } from './public-state.ts'

/**
 * The item side as a pure fold: catalog.items in offset order gives the public catalog, its sequence numbers and its
 * chains. Law: the fold reads no clock and takes its numbers from the given heads. A rebuild from the same log
 * therefore gives the same seq, the same bytes and the same chains.
 */
export type ItemRow = Readonly<{
  version: number
  seq: bigint
  stateSha: Buffer
  materialSha: Buffer
  regions: readonly string[]
}>

export type ChangeOp = 'upsert' | 'delete' | 'leave'
export type ScopeHead = Readonly<{ rseq: bigint; chain: Buffer }>
export type Heads = Readonly<{
  gen: string
  /** `updated` of the last change, microseconds since 1970; 0 before the first. */
  updatedUs: bigint
  scopes: ReadonlyMap<string, ScopeHead>
  /**
   * First sequence numbers of this generation's chains, for scopes where they are not 0. After a restore, a generation
   * begins its chains at the saved numbers.
   */
  begins?: ReadonlyMap<string, bigint>
}>
export type ScopeEntry = Readonly<{ scope: string; rseq: bigint; op: ChangeOp; chain: Buffer }>

export type Outcome =
  /** Already applied: an aggregator that crashed sent it again. */
  | { kind: 'repeat' }
  /** Refers to a superseded state; the fold parks it as STALE_VERSION. */
  | { kind: 'stale' }
  /** Same material: bytes, version and seq stay, while the voters may change. */
  | { kind: 'basis' }
  | {
      kind: 'change'
      seq: bigint
      updatedUs: bigint
      op: 'upsert' | 'delete'
      publicState: string
      row: ItemRow
      scopes: readonly ScopeEntry[]
      heads: Heads
    }

const ITEMS_SCOPE = 'items'
const regionScope = (region: string) => `region/${region}`

/** Applies one ItemPublished to the current item (null: none yet) and to the heads. */
export function evolve(old: ItemRow | null, heads: Heads, event: ItemPublished): Outcome {
  const publicState = publicStateJson(event.state)
  const sha = stateSha(publicState)
  const material = materialSha(event.state)
  if (old !== null) {
    if (material.equals(old.materialSha)) return event.version < old.version ? { kind: 'stale' } : { kind: 'basis' }
    if (event.version <= old.version) return sha.equals(old.stateSha) ? { kind: 'repeat' } : { kind: 'stale' }
  }
  const op = event.state.state === 'active' ? 'upsert' : 'delete'
  // A nightly run stamps one as_of on every event, but `updated` must rise with every change: add a microsecond each
  // time.
  const asOfUs = BigInt(Date.parse(event.as_of)) * 1000n
  const updatedUs = asOfUs > heads.updatedUs ? asOfUs : heads.updatedUs + 1n
  const regions = op === 'upsert' ? event.state.regions : []
  const scopes: ScopeEntry[] = [next(heads, ITEMS_SCOPE, op, event.item_id, sha)]
  for (const region of [...new Set([...(old?.regions ?? []), ...regions])].sort()) {
    const regionOp = op === 'delete' ? 'delete' : regions.includes(region) ? 'upsert' : 'leave'
    scopes.push(next(heads, regionScope(region), regionOp, event.item_id, sha))
  }
  const seq = (scopes[0] as ScopeEntry).rseq
  return {
    kind: 'change',
    seq,
    updatedUs,
    op,
    publicState,
    row: { version: event.version, seq, stateSha: sha, materialSha: material, regions },
    scopes,
    heads: {
      ...heads,
      updatedUs,
      scopes: new Map([...heads.scopes, ...scopes.map(({ scope, rseq, chain }) => [scope, { rseq, chain }] as const)]),
    },
  }
}

function next(heads: Heads, scope: string, op: ChangeOp, itemId: string, sha: Buffer): ScopeEntry {
  const head = heads.scopes.get(scope) ?? { rseq: 0n, chain: chainStart(heads.gen, scope) }
  const rseq = head.rseq + 1n
  if (heads.begins?.get(scope) === rseq) return { scope, rseq, op, chain: chainStart(heads.gen, scope) }
  return { scope, rseq, op, chain: chainNext({ chain: head.chain, rseq, op, itemId, sha }) }
}

/** chain_0 = SHA256("ccm/1" 0x00 gen 0x00 scope), by protocol ccm/1. */
export function chainStart(gen: string, scope: string): Buffer {
  return sha256Bytes(`ccm/1\0${gen}\0${scope}`)
}

/**
 * chain_n = SHA256(chain_{n-1} ‖ seq as unsigned 64-bit big-endian ‖ op byte (u, d or l) ‖ id ‖ 0x00 ‖ sha256 of the
 * state). A delete or a leave has 32 zero bytes in place of the sha.
 */
export function chainNext({
  chain,
  rseq,
  op,
  itemId,
  sha,
}: {
  chain: Uint8Array
  rseq: bigint
  op: ChangeOp
  itemId: string
  sha: Uint8Array
}): Buffer {
  const number = Buffer.alloc(8)
  number.writeBigUInt64BE(rseq)
  return sha256Bytes(chain, number, `${op.charAt(0)}${itemId}\0`, op === 'upsert' ? sha : NO_STATE)
}
const NO_STATE = new Uint8Array(32)
