import { evolve, type Heads, type ItemRow } from '@catalog/core/changes/change.ts'
import { categoryIdOf } from '@catalog/core/changes/public-state.ts'
import { canonicalJson } from '@catalog/core/digest.ts'
import { type ItemEvent, type ItemPublished, type PublicState, TOPICS } from '@catalog/core/events/events.ts'
import {
  type BasisWrite,
  basisOf,
  type CategoryWrite,
  type ChangeWrite,
  type ItemWrite,
  insertRunMark,
  itemWrite,
  loadHeads,
  loadItems,
  type PointWrite,
  saveItems,
} from '@catalog/store/catalog/items.ts'
import type { Queryable } from '@catalog/store/db.ts'
import { type Placed, type Projection, parkEvent } from './pump.ts'

/**
 * The item side, and with it the sequencer: catalog.items has one partition, this is its one consumer, and it numbers
 * changes in the transaction that holds the locked checkpoint. So every reader sees exactly 1..h, never a hole.
 */
export const itemsProjection: Projection = {
  name: 'items',
  topics: [TOPICS.items],
  apply: (tx, events) => applyItems(tx, events as readonly (Placed & { event: ItemEvent })[]),
}

async function applyItems(tx: Queryable, events: readonly (Placed & { event: ItemEvent })[]): Promise<void> {
  let heads: Heads = await loadHeads(tx)
  const published = events.filter(({ event }) => event.type === 'ItemPublished')
  const stored = await loadItems(tx, [...new Set(published.map(({ event }) => (event as ItemPublished).item_id))])
  const rows = new Map<string, ItemRow>(stored)
  const states = new Map([...stored].map(([id, { publicState }]) => [id, JSON.parse(publicState) as PublicState]))
  const items = new Map<string, ItemWrite>()
  const basisOnly = new Map<string, BasisWrite>()
  const changes: ChangeWrite[] = []
  const points = new Map<string, PointWrite>()
  const categories = new Map<string, CategoryWrite>()
  const marks: Parameters<typeof insertRunMark>[1][] = []

  for (const { event, topic, partition, offset } of events) {
    if (event.type === 'RunMarked') {
      const seq = heads.scopes.get('items')?.rseq ?? 0n
      marks.push({ runId: event.run_id, asOf: event.as_of, seq, offset, itemsPublished: event.items_published })
      continue
    }
    // Only a rebuild that serves switches builds; in the fold the marker is inert.
    if (event.type === 'BuildFlipped') continue
    const outcome = evolve(rows.get(event.item_id) ?? null, heads, event)
    const written = items.get(event.item_id)
    switch (outcome.kind) {
      case 'repeat':
        break
      case 'stale':
        await parkEvent(
          tx,
          { event, topic, partition, offset },
          {
            reason: 'STALE_VERSION',
            detail: `version ${event.version} of ${event.item_id} came after version ${rows.get(event.item_id)?.version}`,
          },
        )
        break
      case 'basis':
        if (written) items.set(event.item_id, { ...written, ...basisOf(event) })
        else basisOnly.set(event.item_id, basisOf(event))
        break
      case 'change': {
        heads = outcome.heads
        rows.set(event.item_id, outcome.row)
        items.set(event.item_id, itemWrite(event, outcome.row, outcome.publicState))
        basisOnly.delete(event.item_id)
        changes.push({
          seq: outcome.seq,
          item_id: event.item_id,
          op: outcome.op,
          version: event.version,
          updated_us: outcome.updatedUs,
          state_sha: outcome.row.stateSha.toString('hex'),
          state: outcome.op === 'upsert' ? outcome.publicState : null,
          merged_into: event.state.merged_into,
          former_median: medianJson(states.get(event.item_id)),
          scopes: outcome.scopes,
        })
        for (const point of changedPrices(states.get(event.item_id), event)) {
          points.set(`${point.item_id}/${point.market}/${point.recorded_at}`, point)
        }
        for (const category of categoriesOf(event)) {
          if (!categories.has(category.category_id)) categories.set(category.category_id, category)
        }
        states.set(event.item_id, event.state)
        break
      }
      default:
        outcome satisfies never
    }
  }
  await saveItems(tx, {
    items: [...items.values()],
    basisOnly: [...basisOnly.values()],
    changes,
    points: [...points.values()],
    categories: [...categories.values()],
    heads,
  })
  for (const mark of marks) await insertRunMark(tx, mark)
}

/** Canonical JSON of the median of a state, as the public state itself has it; null where there is none, or no state. */
function medianJson(state: PublicState | undefined): string | null {
  const median = state?.item.median_price ?? null
  return median && canonicalJson(median)
}

/** A point for the headline ('') and for every market whose median is another than before; null is a value too. */
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
