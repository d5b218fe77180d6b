import { gzipSync } from 'node:zlib'
import { chainNext, chainStart, evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { type FeedChange, SCOPES } from '@catalog/core/changes/protocol.ts'
import type { ScopeDigest } from '@catalog/core/changes/scope-digests.ts'
import {
  bucketHashes,
  canonicalJson,
  type DigestEntry,
  type JsonValue,
  rootOf,
  sha256Hex,
} from '@catalog/core/digest.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { manifestJson, scopeFile, shardFile, shardsOf } from '@catalog/snapshot/manifest.ts'
import { published } from '@catalog/stack/testing/events.ts'

/** Faults that such an origin can have. Feeds that people relied on have had each of them. */
export type Fault =
  /** A change draws its number before its commit, and the next one commits first. */
  | 'seq before commit'
  /** An archive shows its items in their current state. */
  | 'archive of current state'
  /** A region's feed is the global one with other items left out. */
  | 'region of global seq'
  /** All changes of a night carry one date. */
  | 'one updated a night'
  /** After a restore, numbers restart at the backup's end in the generation that mirrors know. */
  | 'no new gen after restore'

export type LogRecord = Readonly<{ kind: 'event'; event: ItemPublished } | { kind: 'mark' }>
export type Change = { -readonly [Key in keyof FeedChange]: FeedChange[Key] }
export type Item = ItemRow & Readonly<{ state: PublicState; publicState: string }>
/** The end of a run with the whole state at it. */
export type Mark = Readonly<{
  seq: bigint
  stands: ReadonlyMap<string, { seq: bigint; chain: Buffer }>
  states: readonly Readonly<{ id: string; state: string }>[]
  /** Computed on first use: the next mark follows most marks soon. */
  digests: () => readonly ScopeDigest[]
}>

type Snapshot = Readonly<{ mark: Mark; files: ReadonlyMap<string, Buffer>; manifestSha: string }>

const FIRST_NIGHT_MS = Date.parse('2026-01-05T02:00:00Z')

/** The state of a model origin: its log, folded by core into items, numbered changes, marks and floors. */
export class OriginFold {
  pageSize: number
  gen = genOf(0)
  generations = 0
  log: LogRecord[] = []
  heads!: Heads
  items!: Map<string, Item>
  histories!: Map<string, Change[]>
  floors!: Map<string, bigint>
  marks!: Mark[]
  newest!: Snapshot | null
  nights!: number
  /** For 'seq before commit': the change that already has its number, and after how many more it commits. */
  late!: { updatedUs: bigint; after: number } | null
  readonly allHistories = new Map<string, Map<string, Change[]>>()
  private readonly fault: Fault | undefined

  private readonly hasScopeFiles: boolean

  constructor({
    pageSize,
    fault,
    hasScopeFiles,
  }: {
    pageSize: number
    fault: Fault | undefined
    hasScopeFiles: boolean
  }) {
    this.hasScopeFiles = hasScopeFiles
    this.pageSize = pageSize
    this.fault = fault
    this.refold([])
  }

  beginGeneration(): void {
    this.gen = genOf(++this.generations)
  }

  /** Folds everything from the log again, as a projector does. */
  refold(records: readonly LogRecord[]): void {
    this.heads = { gen: this.gen, updatedUs: 0n, scopes: new Map() }
    this.items = new Map()
    this.histories = new Map(SCOPES.map((scope) => [scope, []]))
    this.allHistories.set(this.gen, this.histories)
    this.floors = new Map()
    this.marks = []
    this.newest = null
    this.nights = 0
    this.late = null
    this.log = []
    for (const record of records) {
      this.log.push(record)
      if (record.kind === 'event') this.apply(record.event)
      else this.applyMark()
    }
  }

  private apply(event: ItemPublished): void {
    const old = this.items.get(event.item_id) ?? null
    const outcome = evolve(old, this.heads, event)
    if (outcome.kind !== 'change') return
    this.heads = outcome.heads
    this.items.set(event.item_id, { ...outcome.row, state: event.state, publicState: outcome.publicState })
    const former = old?.state.item.median_price ?? null
    for (const { scope, rseq, op, chain } of outcome.scopes) {
      this.historyOf(scope).push({
        seq: rseq,
        itemId: event.item_id,
        op,
        version: event.version,
        chain,
        isMarked: false,
        updatedUs: this.fault === 'one updated a night' ? BigInt(Date.parse(event.as_of)) * 1000n : outcome.updatedUs,
        stateSha: outcome.row.stateSha,
        state: op === 'upsert' ? outcome.publicState : null,
        mergedInto: op === 'delete' ? event.state.merged_into : null,
        formerMedian: former && canonicalJson(former as unknown as JsonValue),
      })
    }
    if (this.fault !== 'seq before commit') return
    if (this.late === null) this.late = { updatedUs: outcome.updatedUs, after: 2 }
    else if (--this.late.after === 0) this.late = null
  }

  private applyMark(): void {
    this.nights += 1
    const present = [...this.items]
      .filter(([, { state }]) => state.state === 'active')
      .map(([id, item]) => ({ id, sha: item.stateSha, regions: item.state.regions, state: item.publicState }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    let made: readonly ScopeDigest[] | undefined
    const digests = () => {
      made ??= SCOPES.map((scope) => digestOf(scope, present))
      return made
    }
    const stands = SCOPES.map((scope) => {
      const last = this.historyOf(scope).at(-1)
      if (last !== undefined) last.isMarked = true
      return [scope, { seq: last?.seq ?? 0n, chain: Buffer.from(last?.chain ?? chainStart(this.gen, scope)) }] as const
    })
    const seq = this.historyOf('items').at(-1)?.seq ?? 0n
    this.marks.push({ seq, stands: new Map(stands), states: present, digests })
  }

  /** Dropped changes stay dropped: a generation begins at its first change, with chain_0 there and a snapshot. */
  beginAtFloors(former: ReadonlyMap<string, bigint>): void {
    const scopes = new Map(this.heads.scopes)
    for (const [scope, floor] of former) {
      const history = this.historyOf(scope)
      if (floor === 0n || floor > history.length) continue
      this.floors.set(scope, floor)
      let chain = chainStart(this.gen, scope)
      for (const change of history.slice(Number(floor) - 1)) {
        const { seq: rseq, op, itemId, stateSha: sha } = change
        if (rseq > floor) chain = chainNext({ chain, rseq, op, itemId, sha })
        change.chain = chain
      }
      scopes.set(scope, { rseq: BigInt(history.length), chain })
    }
    this.heads = { ...this.heads, scopes }
    if (this.floors.size === 0) return
    this.mark()
    this.snapshot()
  }

  mark(): void {
    this.log.push({ kind: 'mark' })
    this.applyMark()
  }

  snapshot(): void {
    const last = this.marks.at(-1)
    if (last !== undefined) this.newest = snapshotOf(last, { gen: this.gen, hasScopeFiles: this.hasScopeFiles })
  }

  record(id: string, state: Partial<Parameters<typeof published>[0]>): void {
    const asOf = instant(new Date(FIRST_NIGHT_MS + this.nights * DAY_MS))
    const event = published({ ...state, id, asOf, version: (this.items.get(id)?.version ?? 0) + 1 })
    this.log.push({ kind: 'event', event })
    this.apply(event)
  }

  historyOf(scope: string): Change[] {
    return this.histories.get(scope) as Change[]
  }

  floorOf(scope: string): bigint {
    return this.floors.get(scope) ?? 0n
  }
}

/** A later generation is greater as text. */
const genOf = (number: number) => number.toString(16).padStart(16, '0')
export const standOf = (mark: Mark, scope: string) => mark.stands.get(scope) as { seq: bigint; chain: Buffer }

function snapshotOf(mark: Mark, { gen, hasScopeFiles }: { gen: string; hasScopeFiles: boolean }) {
  const { seq, states, digests } = mark
  const texts = shardsOf(states)
  const packed = texts.map(({ text }) => (text === '' ? EMPTY : gzipSync(text, { level: 1 })))
  const shards = packed.map((bytes, bucket) => ({
    bucket,
    file: shardFile(bucket),
    count: texts[bucket]?.count as number,
    bytes: bytes.length,
    sha256: sha256Hex(bytes),
  }))
  const scopes = digests().map(({ scope, count, stateRoot }) => ({ scope, ...standOf(mark, scope), count, stateRoot }))
  const createdAt = '2026-01-06T00:00:00Z'
  const packedScopes = scopes.flatMap(({ scope, count }) => {
    if (!hasScopeFiles || count === 0) return []
    const region = scope.replace('region/', '')
    const here = states.filter(
      ({ state }) => scope === 'items' || (JSON.parse(state) as PublicState).regions.includes(region),
    )
    const bytes = gzipSync(here.map(({ state }) => `${state}\n`).join(''), { level: 1 })
    return [{ bytes, entry: { scope, file: scopeFile(scope), count, bytes: bytes.length, sha256: sha256Hex(bytes) } }]
  })
  const scopeFiles = packedScopes.map(({ entry }) => entry)
  const about = { gen, seq, createdAt, licence: null, scopes, shards, scopeFiles, files: [], signer: null }
  const manifest = Buffer.from(manifestJson(about))
  return {
    mark,
    manifestSha: sha256Hex(manifest),
    files: new Map([
      [`${seq}/manifest.json`, manifest],
      ...packed.map((bytes, bucket) => [`${seq}/${shardFile(bucket)}`, bytes] as const),
      ...packedScopes.map(({ bytes, entry }) => [`${seq}/${entry.file}`, bytes] as const),
    ]),
  }
}
const EMPTY = gzipSync('')

/** Digest of the items of a scope. Most scopes of the model are empty and share one digest. */
function digestOf(scope: string, present: readonly (DigestEntry & { regions: readonly string[] })[]): ScopeDigest {
  const here =
    scope === 'items' ? present : present.filter(({ regions }) => regions.includes(scope.replace('region/', '')))
  if (here.length === 0) return { scope, ...NOTHING }
  const buckets = bucketHashes(here)
  return { scope, count: here.length, buckets, stateRoot: rootOf(buckets) }
}
const NO_BUCKETS = bucketHashes([])
const NOTHING = { count: 0, buckets: NO_BUCKETS, stateRoot: rootOf(NO_BUCKETS) }
