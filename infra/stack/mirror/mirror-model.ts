import { SCOPES } from '@catalog/core/changes/protocol.ts'
import { BASE_URL, type ModelAnswer, type ModelSigning, OriginDocuments } from './origin-documents.ts'
import { type Fault, type LogRecord, OriginFold } from './origin-fold.ts'

/**
 * An origin of protocol ccm/1 in memory: the fold of core and the server's renderers, over data that a test makes,
 * trims, restores and falsifies. Its page size is small, so few changes close many pages.
 */
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
  /** Signs by other keys from now on. */
  signBy: (signing: ModelSigning) => void
}>
export type Saying = Readonly<{ item: number; cents: number; regions: readonly string[]; name: string }>

/** Few items, so that each changes often. */
const itemId = (item: number) => `ci_${'abcdefghijklmnopqrstuvwxyz'.charAt(item).repeat(26)}`

/** `signing`: absent for an origin without keys. */
export function openModelOrigin({
  pageSize,
  fault,
  answersSince = false,
  hasScopeFiles = false,
  signing,
}: {
  pageSize: number
  fault?: Fault | undefined
  /** False: an origin of plain files. */
  answersSince?: boolean
  /** Whether snapshots have a file for each scope beside the shards. */
  hasScopeFiles?: boolean
  signing?: ModelSigning | undefined
}): ModelOrigin {
  const fold = new OriginFold({ pageSize, fault, hasScopeFiles })
  const documents = new OriginDocuments(fold, { fault, answersSince, signing })
  let backup: LogRecord[] = []
  return {
    baseUrl: BASE_URL,
    gen: () => fold.gen,
    publish: ({ item, cents, regions, name }) => fold.record(itemId(item), { cents, regions, name }),
    remove({ item, into }) {
      const old = fold.items.get(itemId(item))
      if (old?.state.state !== 'active') return
      const { name, regions } = { name: old.state.item.name, regions: old.regions }
      if (into === null) fold.record(itemId(item), { name, regions, state: 'gone' })
      else fold.record(itemId(item), { name, regions, state: 'merged', mergedInto: itemId(into) })
    },
    repeat() {
      const before = SCOPES.map((scope) => documents.headOf(scope)).join()
      for (const [id, { state, regions }] of fold.items) {
        if (state.state !== 'active') continue
        const { name, median_price, observation_count } = state.item
        fold.record(id, { name, regions, cents: median_price?.cents ?? null, observations: observation_count + 1 })
      }
      if (SCOPES.map((scope) => documents.headOf(scope)).join() !== before)
        throw new Error('I7: what was published again as it is made a change')
    },
    mark: () => fold.mark(),
    snapshot: () => fold.snapshot(),
    trim(pages) {
      if (fold.newest === null) return
      for (const [scope, { seq }] of fold.newest.mark.stands) {
        const size = BigInt(fold.pageSize)
        const wanted = fold.floorOf(scope) + BigInt(pages) * size
        const most = (seq / size) * size
        fold.floors.set(scope, wanted < most ? wanted : most)
      }
    },
    resize(size) {
      fold.pageSize = size
      fold.beginGeneration()
      fold.refold(fold.log)
    },
    backup() {
      backup = [...fold.log]
    },
    restore() {
      const former = fold.floors
      if (fault !== 'no new gen after restore') fold.beginGeneration()
      fold.refold(backup)
      fold.beginAtFloors(former)
    },
    answer: (url) => documents.answer(url),
    signBy(signing) {
      documents.signing = signing
    },
    stateAt({ gen, scope, seq }) {
      const states = new Map<string, string>()
      for (const { itemId, state } of (fold.allHistories.get(gen)?.get(scope) ?? []).slice(0, seq)) {
        if (state === null) states.delete(itemId)
        else states.set(itemId, state)
      }
      return states
    },
    head: (scope) => Number(documents.headOf(scope)),
    readModel: () =>
      new Map(
        [...fold.items].flatMap(([id, { state, publicState }]) =>
          state.state === 'active' ? [[id, publicState]] : [],
        ),
      ),
  }
}
