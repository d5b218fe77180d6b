import { archivePath, atomOf, ndjsonOf, stateJson, subscriptionPath } from '@catalog/api/feeds/feed-documents.ts'
import { chainNext, chainStart } from '@catalog/core/changes/change.ts'
import { digestJson } from '@catalog/core/changes/digest-document.ts'
import { SCOPES } from '@catalog/core/changes/protocol.ts'
import {
  endorsementsOf,
  type FeedKey,
  type FeedKeys,
  keysJson,
  newKeyPair,
  type Signer,
  signedBy,
  signingKeyOf,
} from '@catalog/core/changes/signature.ts'
import { sha256Hex } from '@catalog/core/digest.ts'
import type { PublicState } from '@catalog/core/events/items.ts'
import { DAY_MS, instant, MINUTE_MS } from '@catalog/core/time.ts'
import { type Change, type Fault, type Item, type OriginFold, standOf } from './origin-fold.ts'

export type ModelAnswer = Readonly<{
  status: number
  body: Buffer
  type?: string
  location?: string
  isImmutable?: true
}>

/** The answer as fetch gives it; 304 to a request that has it already. */
export function responseOf(
  { status, body, location, type }: ModelAnswer,
  init: { headers: Record<string, string> },
): Response {
  const etag = `"${sha256Hex(body)}"`
  if (init.headers['if-none-match'] === etag) return new Response(null, { status: 304 })
  const headers = { etag, ...(location !== undefined && { location }), ...(type && { 'content-type': type }) }
  return new Response(status === 200 ? new Uint8Array(body) : null, { status, headers })
}

export const BASE_URL = 'https://catalog.example/v1'

/** Whose key a model origin signs with, and by which clock. */
export type ModelSigning = Readonly<{ keys: FeedKeys; signer: NonNullable<Signer>; now: () => Date }>

/** A new catalog with one key, as of a clock. */
export function modelSigning(now: () => Date, catalog = 'c'.repeat(32)): ModelSigning {
  const pair = newKeyPair()
  const created_at = instant(now())
  const key = { id: pair.id, public_key: pair.publicKey, created_at, signs_until: null, endorsements: [] }
  return { keys: { catalog, keys: [key] }, signer: { catalog, keys: [signingKeyOf(pair)] }, now }
}

/** The same catalog after a rotation, with the new key alone: the overlap is over. */
export function rotatedSigning({ keys, signer, now }: ModelSigning): ModelSigning {
  const { catalog } = keys
  const next = modelSigning(now, catalog)
  const [key] = next.keys.keys as [FeedKey]
  const endorsed = { ...key, endorsements: endorsementsOf(signer.keys, { catalog, key }) }
  return { ...next, keys: { catalog, keys: [...keys.keys, endorsed] } }
}

/** The documents that a model origin serves, by the renderers of the real server. */
export class OriginDocuments {
  private readonly fold: OriginFold
  private readonly fault: Fault | undefined
  private readonly answersSince: boolean
  signing: ModelSigning | undefined

  constructor(
    fold: OriginFold,
    {
      fault,
      answersSince,
      signing,
    }: { fault: Fault | undefined; answersSince: boolean; signing: ModelSigning | undefined },
  ) {
    this.fold = fold
    this.fault = fault
    this.answersSince = answersSince
    this.signing = signing
  }

  /** The changes of a scope that a reader sees. */
  private visible(scope: string): readonly Change[] {
    if (this.fault === 'region of global seq' && scope !== 'items') {
      const region = scope.replace('region/', '')
      let chain: Buffer = chainStart(this.fold.gen, scope)
      return this.fold.historyOf('items').flatMap((change) => {
        const isHere = change.state === null || (JSON.parse(change.state) as PublicState).regions.includes(region)
        if (!isHere) return []
        chain = chainNext({ chain, rseq: change.seq, op: change.op, itemId: change.itemId, sha: change.stateSha })
        return [{ ...change, chain }]
      })
    }
    const history = this.fold.historyOf(scope)
    return this.fold.late === null
      ? history
      : history.filter(({ updatedUs }) => updatedUs !== this.fold.late?.updatedUs)
  }

  headOf(scope: string): bigint {
    return this.visible(scope).at(-1)?.seq ?? 0n
  }

  private closedOf(scope: string): number {
    return Number(this.headOf(scope) / BigInt(this.fold.pageSize))
  }

  private chainAt(scope: string, seq: bigint) {
    return seq === 0n
      ? chainStart(this.fold.gen, scope)
      : (this.fold.historyOf(scope)[Number(seq) - 1]?.chain ?? chainStart(this.fold.gen, scope))
  }

  private state(): string {
    const mark = this.fold.marks.at(-1)
    const rendered = stateJson({
      gen: this.fold.gen,
      updatedUs: this.fold.heads.updatedUs === 0n ? null : this.fold.heads.updatedUs,
      scopes: SCOPES.map((scope) => ({
        scope,
        head: this.headOf(scope),
        floor: this.fold.floorOf(scope),
        chain: this.visible(scope).at(-1)?.chain ?? chainStart(this.fold.gen, scope),
      })),
      digest:
        mark === undefined
          ? null
          : {
              mark: mark.seq,
              scopes: mark.digests().map(({ scope, stateRoot }) => ({ scope, stateRoot, ...standOf(mark, scope) })),
            },
      snapshot: this.fold.newest && {
        seq: this.fold.newest.mark.seq,
        createdAt: '2026-01-06T00:00:00Z',
        manifestSha: this.fold.newest.manifestSha,
        count: this.fold.newest.mark.states.length,
        bytes: 0,
      },
    })
    // The renderer knows only production's page size.
    const whole = JSON.parse(rendered) as { page_size: number; scopes: Record<string, { closed: number }> }
    whole.page_size = this.fold.pageSize
    for (const [scope, entry] of Object.entries(whole.scopes)) entry.closed = this.closedOf(scope)
    if (this.signing === undefined) return JSON.stringify(whole)
    const { signer, now } = this.signing
    const generatedMs = Math.floor(now().getTime() / STATE_EVERY_MS) * STATE_EVERY_MS
    const [generated_at, valid_until] = [generatedMs, generatedMs + 2 * DAY_MS].map((ms) => instant(new Date(ms)))
    const dated = { ...whole, generated_at, valid_until, keys: 'keys.json' }
    return JSON.stringify({ ...dated, ...signedBy(signer, 'state', dated) })
  }

  private subscription(scope: string): string {
    const floor = this.fold.floorOf(scope)
    const start = BigInt(Math.max(0, this.closedOf(scope) - 1) * this.fold.pageSize)
    const after = start < floor ? floor : start
    const changes = this.visible(scope).filter(({ seq }) => seq > after)
    return atomOf({
      baseUrl: BASE_URL,
      gen: this.fold.gen,
      scope,
      kind: 'subscription',
      floor,
      changes,
      startChain: this.chainAt(scope, floor),
    })
  }

  private archive(scope: string, page: number): string {
    const [after, last] = [BigInt(page * this.fold.pageSize), BigInt((page + 1) * this.fold.pageSize)]
    const changes = this.visible(scope).filter(({ seq }) => seq > after && seq <= last)
    const shown =
      this.fault === 'archive of current state' ? changes.map((change) => this.inCurrentState(change)) : changes
    return atomOf({
      baseUrl: BASE_URL,
      gen: this.fold.gen,
      scope,
      kind: 'archive',
      page,
      floor: this.fold.floorOf(scope),
      changes: shown,
    })
  }

  private inCurrentState(change: Change): Change {
    const now = this.fold.items.get(change.itemId) as Item
    if (change.op !== 'upsert' || now.state.state !== 'active') return change
    return { ...change, state: now.publicState, stateSha: now.stateSha, version: now.version }
  }

  answer(url: string): ModelAnswer {
    const path = url.replace(`${BASE_URL}/feeds/`, '').replace(/^state\.json\?wait=\d+$/, 'state.json')
    if (path === 'state.json') return found(this.state())
    if (path === 'keys.json') return this.signing === undefined ? ABSENT : found(keysJson(this.signing.keys))
    const [feed, query] = path.split('?')
    if (query !== undefined) return this.answersSince ? this.since(feed as string, new URLSearchParams(query)) : ABSENT
    const scope = SCOPES.find((scope) => path === subscriptionPath(scope, 'atom'))
    if (scope !== undefined) return found(this.subscription(scope))
    const [, kind, of, about] = /^(archive|digest|snapshots)\/([^/]+)\/(.*)$/.exec(path) ?? []
    if (kind === undefined || of === undefined || about === undefined) return ABSENT
    if (kind === 'archive') return of === this.fold.gen ? this.archiveAnswer(path) : GONE
    if (of !== this.fold.gen) return ABSENT
    if (kind === 'snapshots') {
      const file = this.fold.newest?.files.get(about)
      return file === undefined ? ABSENT : { status: 200, body: file, isImmutable: true }
    }
    for (const mark of this.fold.marks) {
      for (const { scope, count, buckets, stateRoot } of mark.digests()) {
        const { seq } = standOf(mark, scope)
        if (about !== `${scope}/${seq}.json`) continue
        return {
          ...found(digestJson({ gen: this.fold.gen, scope, seq, count, buckets, stateRoot })),
          isImmutable: true,
        }
      }
    }
    return ABSENT
  }

  private since(feed: string, query: URLSearchParams): ModelAnswer {
    const scope = SCOPES.find((scope) => feed === subscriptionPath(scope, 'atom')) as string
    const since = BigInt(query.get('since') as string)
    if (query.get('gen') !== this.fold.gen || since > this.headOf(scope)) return CONFLICT
    if (since < this.fold.floorOf(scope)) return GONE
    const changes = this.visible(scope).filter(({ seq }) => seq > since)
    if (changes.length === 0) return { status: 304, body: Buffer.alloc(0) }
    return { ...found(ndjsonOf(changes.slice(0, Number(query.get('limit'))))), type: 'application/x-ndjson' }
  }

  private archiveAnswer(path: string): ModelAnswer {
    for (const scope of SCOPES) {
      const closed = this.closedOf(scope)
      const [before, after] = archivePath({ gen: this.fold.gen, scope, page: '{page}', format: 'atom' }).split(
        '{page}',
      ) as [string, string]
      if (!path.startsWith(before) || !path.endsWith(after)) continue
      const page = Number(path.slice(before.length, -after.length))
      if (!Number.isInteger(page) || page > closed) continue
      if (BigInt((page + 1) * this.fold.pageSize) <= this.fold.floorOf(scope)) return GONE
      if (page < closed) return { ...found(this.archive(scope, page)), isImmutable: true }
      return { status: 307, body: Buffer.alloc(0), location: `${BASE_URL}/feeds/${subscriptionPath(scope, 'atom')}` }
    }
    return ABSENT
  }
}

/** Between two instants at which the origin says anew where it stands. */
const STATE_EVERY_MS = 10 * MINUTE_MS

const found = (text: string): ModelAnswer => ({ status: 200, body: Buffer.from(text) })
const ABSENT: ModelAnswer = { status: 404, body: Buffer.alloc(0) }
const CONFLICT: ModelAnswer = { status: 409, body: Buffer.alloc(0) }
const GONE: ModelAnswer = { status: 410, body: Buffer.alloc(0) }
