import { gzipSync } from 'node:zlib'
import { archivePath, atomOf, stateJson, subscriptionPath } from '@catalog/api/feeds/feed-documents.ts'
import { chainNext, chainStart, evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { digestJson, type FeedChange, SCOPES } from '@catalog/core/changes/protocol.ts'
import type { ScopeDigest } from '@catalog/core/changes/scope-digests.ts'
import {
  bucketHashes,
  canonicalJson,
  type DigestEntry,
  type JsonValue,
  rootOf,
  sha256Hex,
} from '@catalog/core/digest.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/events.ts'
import { published } from '@catalog/core/events/testing.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { manifestJson, shardFile, shardsOf } from '@catalog/snapshot/manifest.ts'

/**
 * An origin of protocol ccm/1 in memory: the fold of core and the server's renderers, over data that a test makes,
 * trims, restores and falsifies. Its page size is small, so few changes close many pages.
 */

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

export type ModelOrigin = Readonly<{
  baseUrl: string
  gen: () => string
  /** Publishes the item; equal price and regions give the same state again. */
  publish: (say: Saying) => void
  /** Removes the item, or merges it into another. */
  remove: (say: { item: number; into: number | null }) => void
  /** Publishes everything unchanged with one more observation each, which makes no change (invariant I7). */
  repeat: () => void
  /** Ends a run with a mark and its digest. The next publication belongs to another night. */
  mark: () => void
  /** Takes a snapshot of the last mark. */
  snapshot: () => void
  /** Drops up to `pages` whole pages of each scope that the snapshot covers. */
  trim: (pages: number) => void
  /** Changes the page size, and so the generation. */
  resize: (pageSize: number) => void
  backup: () => void
  /** Restores the last backup in a new generation; changes dropped since stay dropped. */
  restore: () => void
  /** Answers a GET with the present state. */
  answer: (url: string) => ModelAnswer
  /** The states of a scope at a change of a generation, by id: the oracle of every copy. */
  stateAt: (at: { gen: string; scope: string; seq: number }) => ReadonlyMap<string, string>
  head: (scope: string) => number
  /** What readers of the API see, by id. */
  readModel: () => ReadonlyMap<string, string>
}>
export type Saying = Readonly<{ item: number; cents: number; regions: readonly string[]; name: string }>
export type ModelAnswer = Readonly<{ status: number; body: Buffer; location?: string; isImmutable?: true }>

type LogRecord = Readonly<{ kind: 'event'; event: ItemPublished } | { kind: 'mark' }>
type Change = { -readonly [Key in keyof FeedChange]: FeedChange[Key] }
type Item = ItemRow & Readonly<{ state: PublicState; publicState: string }>
/** The end of a run with the whole state at it. */
type Mark = Readonly<{
  seq: bigint
  stands: ReadonlyMap<string, { seq: bigint; chain: Buffer }>
  states: readonly Readonly<{ id: string; state: string }>[]
  /** Computed on first use: the next mark follows most marks soon. */
  digests: () => readonly ScopeDigest[]
}>

const BASE_URL = 'https://catalog.example/v1'
const FIRST_NIGHT_MS = Date.parse('2026-01-05T02:00:00Z')

/** Few items, so that each changes often. */
const itemId = (item: number) => `ci_${'abcdefghijklmnopqrstuvwxyz'.charAt(item).repeat(26)}`

export function openModelOrigin({
  pageSize: first,
  fault,
}: {
  pageSize: number
  fault?: Fault | undefined
}): ModelOrigin {
  let pageSize = first
  let generations = 0
  let gen = genOf(generations)
  let log: LogRecord[] = []
  let backup: LogRecord[] = []
  let heads: Heads
  let items: Map<string, Item>
  let histories: Map<string, Change[]>
  let floors: Map<string, bigint>
  let marks: Mark[]
  let newest: { mark: Mark; files: ReadonlyMap<string, Buffer>; manifestSha: string } | null
  let nights: number
  /** For 'seq before commit': the change that already has its number, and after how many more it commits. */
  let late: { updatedUs: bigint; after: number } | null
  const allHistories = new Map<string, Map<string, Change[]>>()

  /** Folds everything from the log again, as a projector does. */
  function fold(records: readonly LogRecord[]): void {
    heads = { gen, updatedUs: 0n, scopes: new Map() }
    items = new Map()
    histories = new Map(SCOPES.map((scope) => [scope, []]))
    allHistories.set(gen, histories)
    floors = new Map()
    marks = []
    newest = null
    nights = 0
    late = null
    log = []
    for (const record of records) {
      log.push(record)
      if (record.kind === 'event') apply(record.event)
      else applyMark()
    }
  }

  function apply(event: ItemPublished): void {
    const old = items.get(event.item_id) ?? null
    const outcome = evolve(old, heads, event)
    if (outcome.kind !== 'change') return
    heads = outcome.heads
    items.set(event.item_id, { ...outcome.row, state: event.state, publicState: outcome.publicState })
    const former = old?.state.item.median_price ?? null
    for (const { scope, rseq, op, chain } of outcome.scopes) {
      historyOf(scope).push({
        seq: rseq,
        itemId: event.item_id,
        op,
        version: event.version,
        chain,
        isMarked: false,
        updatedUs: fault === 'one updated a night' ? BigInt(Date.parse(event.as_of)) * 1000n : outcome.updatedUs,
        stateSha: outcome.row.stateSha,
        state: op === 'upsert' ? outcome.publicState : null,
        mergedInto: op === 'delete' ? event.state.merged_into : null,
        formerMedian: former && canonicalJson(former as unknown as JsonValue),
      })
    }
    if (fault !== 'seq before commit') return
    if (late === null) late = { updatedUs: outcome.updatedUs, after: 2 }
    else if (--late.after === 0) late = null
  }

  function applyMark(): void {
    nights += 1
    const present = [...items]
      .filter(([, { state }]) => state.state === 'active')
      .map(([id, item]) => ({ id, sha: item.stateSha, regions: item.state.regions, state: item.publicState }))
      .sort((a, b) => (a.id < b.id ? -1 : 1))
    let made: readonly ScopeDigest[] | undefined
    const digests = () => {
      made ??= SCOPES.map((scope) => digestOf(scope, present))
      return made
    }
    const stands = SCOPES.map((scope) => {
      const last = historyOf(scope).at(-1)
      if (last !== undefined) last.isMarked = true
      return [scope, { seq: last?.seq ?? 0n, chain: Buffer.from(last?.chain ?? chainStart(gen, scope)) }] as const
    })
    const seq = historyOf('items').at(-1)?.seq ?? 0n
    marks.push({ seq, stands: new Map(stands), states: present, digests })
  }

  /** Dropped changes stay dropped: a generation begins at its first change, with chain_0 there and a snapshot. */
  function beginAtFloors(former: ReadonlyMap<string, bigint>): void {
    const scopes = new Map(heads.scopes)
    for (const [scope, floor] of former) {
      const history = historyOf(scope)
      if (floor === 0n || floor > history.length) continue
      floors.set(scope, floor)
      let chain = chainStart(gen, scope)
      for (const change of history.slice(Number(floor) - 1)) {
        const { seq: rseq, op, itemId, stateSha: sha } = change
        if (rseq > floor) chain = chainNext({ chain, rseq, op, itemId, sha })
        change.chain = chain
      }
      scopes.set(scope, { rseq: BigInt(history.length), chain })
    }
    heads = { ...heads, scopes }
    if (floors.size === 0) return
    mark()
    snapshot()
  }

  function mark(): void {
    log.push({ kind: 'mark' })
    applyMark()
  }

  function snapshot(): void {
    const last = marks.at(-1)
    if (last !== undefined) newest = snapshotOf(last, gen)
  }

  function say(id: string, state: Partial<Parameters<typeof published>[0]>): void {
    const asOf = instant(new Date(FIRST_NIGHT_MS + nights * DAY_MS))
    const event = published({ ...state, id, asOf, version: (items.get(id)?.version ?? 0) + 1 })
    log.push({ kind: 'event', event })
    apply(event)
  }

  const historyOf = (scope: string) => histories.get(scope) as Change[]
  const floorOf = (scope: string) => floors.get(scope) ?? 0n
  fold([])

  /** The changes of a scope that a reader sees. */
  function visible(scope: string): readonly Change[] {
    if (fault === 'region of global seq' && scope !== 'items') {
      const region = scope.replace('region/', '')
      let chain: Buffer = chainStart(gen, scope)
      return historyOf('items').flatMap((change) => {
        const isHere = change.state === null || (JSON.parse(change.state) as PublicState).regions.includes(region)
        if (!isHere) return []
        chain = chainNext({ chain, rseq: change.seq, op: change.op, itemId: change.itemId, sha: change.stateSha })
        return [{ ...change, chain }]
      })
    }
    const history = historyOf(scope)
    return late === null ? history : history.filter(({ updatedUs }) => updatedUs !== late?.updatedUs)
  }

  const headOf = (scope: string) => visible(scope).at(-1)?.seq ?? 0n
  const closedOf = (scope: string) => Number(headOf(scope) / BigInt(pageSize))
  const chainAt = (scope: string, seq: bigint) =>
    seq === 0n ? chainStart(gen, scope) : (historyOf(scope)[Number(seq) - 1]?.chain ?? chainStart(gen, scope))

  function state(): string {
    const mark = marks.at(-1)
    const rendered = stateJson({
      gen,
      updatedUs: heads.updatedUs === 0n ? null : heads.updatedUs,
      scopes: SCOPES.map((scope) => ({
        scope,
        head: headOf(scope),
        floor: floorOf(scope),
        chain: visible(scope).at(-1)?.chain ?? chainStart(gen, scope),
      })),
      digest:
        mark === undefined
          ? null
          : {
              mark: mark.seq,
              scopes: mark
                .digests()
                .map(({ scope, stateRoot }) => ({ scope, stateRoot, seq: standOf(mark, scope).seq })),
            },
      snapshot: newest && {
        seq: newest.mark.seq,
        createdAt: '2026-01-06T00:00:00Z',
        manifestSha: newest.manifestSha,
        count: newest.mark.states.length,
        bytes: 0,
      },
    })
    // The renderer knows only production's page size.
    const whole = JSON.parse(rendered) as { page_size: number; scopes: Record<string, { closed: number }> }
    whole.page_size = pageSize
    for (const [scope, entry] of Object.entries(whole.scopes)) entry.closed = closedOf(scope)
    return JSON.stringify(whole)
  }

  function subscription(scope: string): string {
    const floor = floorOf(scope)
    const start = BigInt(Math.max(0, closedOf(scope) - 1) * pageSize)
    const after = start < floor ? floor : start
    const changes = visible(scope).filter(({ seq }) => seq > after)
    return atomOf({
      baseUrl: BASE_URL,
      gen,
      scope,
      kind: 'subscription',
      floor,
      changes,
      startChain: chainAt(scope, floor),
    })
  }

  function archive(scope: string, page: number): string {
    const [after, last] = [BigInt(page * pageSize), BigInt((page + 1) * pageSize)]
    const changes = visible(scope).filter(({ seq }) => seq > after && seq <= last)
    const shown = fault === 'archive of current state' ? changes.map(asItIsNow) : changes
    return atomOf({ baseUrl: BASE_URL, gen, scope, kind: 'archive', page, floor: floorOf(scope), changes: shown })
  }

  function asItIsNow(change: Change): Change {
    const now = items.get(change.itemId) as Item
    if (change.op !== 'upsert' || now.state.state !== 'active') return change
    return { ...change, state: now.publicState, stateSha: now.stateSha, version: now.version }
  }

  function answer(url: string): ModelAnswer {
    const path = url.replace(`${BASE_URL}/feeds/`, '')
    if (path === 'state.json') return found(state())
    const scope = SCOPES.find((scope) => path === subscriptionPath(scope, 'atom'))
    if (scope !== undefined) return found(subscription(scope))
    const [, kind, of, about] = /^(archive|digest|snapshots)\/([^/]+)\/(.*)$/.exec(path) ?? []
    if (kind === undefined || of === undefined || about === undefined) return ABSENT
    if (kind === 'archive') return of === gen ? archiveAnswer(path) : GONE
    if (of !== gen) return ABSENT
    if (kind === 'snapshots') {
      const file = newest?.files.get(about)
      return file === undefined ? ABSENT : { status: 200, body: file, isImmutable: true }
    }
    for (const mark of marks) {
      for (const { scope, count, buckets, stateRoot } of mark.digests()) {
        const { seq } = standOf(mark, scope)
        if (about !== `${scope}/${seq}.json`) continue
        return { ...found(digestJson({ gen, scope, seq, count, buckets, stateRoot })), isImmutable: true }
      }
    }
    return ABSENT
  }

  function archiveAnswer(path: string): ModelAnswer {
    for (const scope of SCOPES) {
      const closed = closedOf(scope)
      const [before, after] = archivePath({ gen, scope, page: '{page}', format: 'atom' }).split('{page}') as [
        string,
        string,
      ]
      if (!path.startsWith(before) || !path.endsWith(after)) continue
      const page = Number(path.slice(before.length, -after.length))
      if (!Number.isInteger(page) || page > closed) continue
      if (BigInt((page + 1) * pageSize) <= floorOf(scope)) return GONE
      if (page < closed) return { ...found(archive(scope, page)), isImmutable: true }
      return { status: 307, body: Buffer.alloc(0), location: `${BASE_URL}/feeds/${subscriptionPath(scope, 'atom')}` }
    }
    return ABSENT
  }

  return {
    baseUrl: BASE_URL,
    gen: () => gen,
    publish: ({ item, cents, regions, name }) => say(itemId(item), { cents, regions, name }),
    remove({ item, into }) {
      const old = items.get(itemId(item))
      if (old?.state.state !== 'active') return
      const { name, regions } = { name: old.state.item.name, regions: old.regions }
      if (into === null) say(itemId(item), { name, regions, state: 'gone' })
      else say(itemId(item), { name, regions, state: 'merged', mergedInto: itemId(into) })
    },
    repeat() {
      const before = SCOPES.map(headOf).join()
      for (const [id, { state, regions }] of items) {
        if (state.state !== 'active') continue
        const { name, median_price, observation_count } = state.item
        say(id, { name, regions, cents: median_price?.cents ?? null, observations: observation_count + 1 })
      }
      if (SCOPES.map(headOf).join() !== before) throw new Error('I7: what was published again as it is made a change')
    },
    mark,
    snapshot,
    trim(pages) {
      if (newest === null) return
      for (const [scope, { seq }] of newest.mark.stands) {
        const size = BigInt(pageSize)
        const wanted = floorOf(scope) + BigInt(pages) * size
        const most = (seq / size) * size
        floors.set(scope, wanted < most ? wanted : most)
      }
    },
    resize(size) {
      pageSize = size
      gen = genOf(++generations)
      fold(log)
    },
    backup() {
      backup = [...log]
    },
    restore() {
      const former = floors
      if (fault !== 'no new gen after restore') gen = genOf(++generations)
      fold(backup)
      beginAtFloors(former)
    },
    answer,
    stateAt({ gen, scope, seq }) {
      const states = new Map<string, string>()
      for (const { itemId, state } of (allHistories.get(gen)?.get(scope) ?? []).slice(0, seq)) {
        if (state === null) states.delete(itemId)
        else states.set(itemId, state)
      }
      return states
    },
    head: (scope) => Number(headOf(scope)),
    readModel: () =>
      new Map(
        [...items].flatMap(([id, { state, publicState }]) => (state.state === 'active' ? [[id, publicState]] : [])),
      ),
  }
}

/** A later generation is greater as text. */
const genOf = (number: number) => number.toString(16).padStart(16, '0')
const found = (text: string): ModelAnswer => ({ status: 200, body: Buffer.from(text) })
const ABSENT: ModelAnswer = { status: 404, body: Buffer.alloc(0) }
const GONE: ModelAnswer = { status: 410, body: Buffer.alloc(0) }

const standOf = (mark: Mark, scope: string) => mark.stands.get(scope) as { seq: bigint; chain: Buffer }

function snapshotOf(mark: Mark, gen: string) {
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
  const manifest = Buffer.from(manifestJson({ gen, seq, createdAt, licence: null, scopes, shards, files: [] }))
  return {
    mark,
    manifestSha: sha256Hex(manifest),
    files: new Map([
      [`${seq}/manifest.json`, manifest],
      ...packed.map((bytes, bucket) => [`${seq}/${shardFile(bucket)}`, bytes] as const),
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
