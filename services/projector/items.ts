import { evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import { canonicalJson } from '@catalog/core/digest.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import {
  type BasisWrite,
  basisOf,
  type CategoryWrite,
  type ChangeWrite,
  deletePointsFrom,
  type ItemWrite,
  insertRunMark,
  itemWrite,
  loadHeads,
  loadItems,
  type PointWrite,
  saveItems,
  takeBackRunMark,
} from '@catalog/store/catalog/items.ts'
import type { Queryable, Transaction } from '@catalog/store/db.ts'
import { type Placed, type Projection, parkEvent } from './pump.ts'

/**
 * The item side, which is also the sequencer. catalog.items has one partition and this one consumer, which numbers
 * changes in the transaction that locks the checkpoint. So every reader sees exactly 1..h, without a hole.
 */
export const itemsProjection: Projection = {
  name: 'items',
  topics: [TOPICS.items],
  apply: (tx, events) => applyItems(tx, events as readonly (Placed & { event: ItemEvent })[]),
}

async function applyItems(tx: Transaction, events: readonly (Placed & { event: ItemEvent })[]): Promise<void> {
  const published = events.flatMap(({ event }) => (event.type === 'ItemPublished' ? [event.item_id] : []))
  const batch = new ItemBatch(await loadHeads(tx), await loadItems(tx, [...new Set(published)]))
  for (const placed of events) {
    const { event, offset } = placed
    if (event.type === 'RunMarked') batch.mark(event, offset)
    else if (event.type === 'RunTakenBack') batch.takeBack(event, offset)
    else if (event.type === 'ItemPublished') {
      const stale = batch.publish(event, offset)
      if (stale !== null) await parkEvent(tx, placed, { reason: 'STALE_VERSION', detail: stale })
    }
    // A fold ignores BuildFlipped: only a build that serves switches.
  }
  await batch.save(tx)
}

/** The writes of one batch, the last for each item and point and the first for each category. */
class ItemBatch {
  #heads: Heads
  readonly #rows: Map<string, ItemRow>
  readonly #states: Map<string, PublicState>
  readonly #items = new Map<string, ItemWrite>()
  readonly #basisOnly = new Map<string, BasisWrite>()
  readonly #changes: ChangeWrite[] = []
  readonly #points = new Map<string, PointWrite>()
  readonly #categories = new Map<string, CategoryWrite>()
  readonly #marks: ((tx: Queryable) => Promise<void>)[] = []
  /** Instants from which on points of earlier batches are gone. */
  readonly #pointsGone: string[] = []

  constructor(heads: Heads, stored: Awaited<ReturnType<typeof loadItems>>) {
    this.#heads = heads
    this.#rows = new Map(stored)
    this.#states = new Map([...stored].map(([id, { publicState }]) => [id, JSON.parse(publicState) as PublicState]))
  }

  mark(event: Extract<ItemEvent, { type: 'RunMarked' }>, offset: bigint): void {
    const mark = {
      runId: event.run_id,
      asOf: event.as_of,
      seq: this.#seq,
      offset,
      itemsPublished: event.items_published,
      finishedAt: event.recorded_at,
    }
    this.#marks.push((tx) => insertRunMark(tx, mark))
  }

  takeBack(
    { run_id: runId, as_of, decided_at: decidedAt, editions }: Extract<ItemEvent, { type: 'RunTakenBack' }>,
    offset: bigint,
  ): void {
    for (const [key, { recorded_at }] of this.#points) {
      if (Date.parse(recorded_at) >= Date.parse(as_of)) this.#points.delete(key)
    }
    this.#pointsGone.push(as_of)
    const mark = { runId, decidedAt, seq: this.#seq, offset, editions }
    this.#marks.push((tx) => takeBackRunMark(tx, mark))
  }

  get #seq(): bigint {
    return this.#heads.scopes.get('items')?.rseq ?? 0n
  }

  /** Applies an item's event. Returns why it is stale, or null. */
  publish(event: ItemPublished, offset: bigint): string | null {
    const { item_id, version } = event
    const outcome = evolve(this.#rows.get(item_id) ?? null, this.#heads, event)
    switch (outcome.kind) {
      case 'repeat':
        return null
      case 'stale':
        return `version ${version} of ${item_id} came after version ${this.#rows.get(item_id)?.version}`
      case 'basis': {
        const written = this.#items.get(item_id)
        if (written) this.#items.set(item_id, { ...written, ...basisOf(event, offset) })
        else this.#basisOnly.set(item_id, basisOf(event, offset))
        return null
      }
      case 'change':
        this.#change({ event, offset }, outcome)
        return null
    }
  }

  async save(tx: Transaction): Promise<void> {
    for (const from of this.#pointsGone) await deletePointsFrom(tx, from)
    await saveItems(tx, {
      items: [...this.#items.values()],
      basisOnly: [...this.#basisOnly.values()],
      changes: this.#changes,
      points: [...this.#points.values()],
      categories: [...this.#categories.values()],
      heads: this.#heads,
    })
    for (const mark of this.#marks) await mark(tx)
  }

  #change(
    placed: { event: ItemPublished; offset: bigint },
    outcome: Extract<ReturnType<typeof evolve>, { kind: 'change' }>,
  ): void {
    const { event } = placed
    const { item_id } = event
    const before = this.#states.get(item_id)
    this.#heads = outcome.heads
    this.#rows.set(item_id, outcome.row)
    this.#items.set(item_id, itemWrite(placed, outcome.row, outcome.publicState))
    this.#basisOnly.delete(item_id)
    this.#changes.push({
      seq: outcome.seq,
      item_id,
      op: outcome.op,
      version: event.version,
      updated_us: outcome.updatedUs,
      state_sha: outcome.row.stateSha.toString('hex'),
      state: outcome.op === 'upsert' ? outcome.publicState : null,
      merged_into: event.state.merged_into,
      former_median: medianJson(before),
      scopes: outcome.scopes,
    })
    for (const point of changedPrices(before, event)) {
      this.#points.set(`${point.item_id}/${point.market}/${point.recorded_at}`, point)
    }
    for (const category of categoriesOf(event)) {
      if (!this.#categories.has(category.category_id)) this.#categories.set(category.category_id, category)
    }
    this.#states.set(item_id, event.state)
  }
}

/** Canonical JSON of a state's median, spelled as in the public state; null without a state or a median. */
function medianJson(state: PublicState | undefined): string | null {
  const median = state?.item.median_price ?? null
  return median && canonicalJson(median)
}

/** A point for the headline ('') and for every market whose median changed, also to null. */
function changedPrices(before: PublicState | undefined, event: ItemPublished): PointWrite[] {
  const after = event.state
  const medians = (state: PublicState | undefined) =>
    new Map([
      ['', state?.item.median_price ?? null],
      ...(state?.markets ?? []).map(({ region, median_price }) => [region, median_price] as const),
    ])
  const old = medians(before)
  const now = medians(after)
  const points: PointWrite[] = []
  for (const market of new Set([...old.keys(), ...now.keys()])) {
    const [was, is] = [old.get(market) ?? null, now.get(market) ?? null]
    if (was?.cents === is?.cents && was?.currency === is?.currency) continue
    points.push({
      item_id: event.item_id,
      market,
      recorded_at: event.as_of,
      cents: is?.cents ?? null,
      currency: is?.currency ?? null,
    })
  }
  return points
}

function categoriesOf(event: ItemPublished): CategoryWrite[] {
  const path = event.category_path ?? []
  return path.map((name, depth) => ({
    category_id: categoryIdOf(path.slice(0, depth + 1)),
    parent_id: depth === 0 ? null : categoryIdOf(path.slice(0, depth)),
    name,
    depth,
  }))
}
