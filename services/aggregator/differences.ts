import { materialSha, publicStateJson, votersKey } from '@catalog/core/changes/public-state.ts'
import { eventId } from '@catalog/core/events/ids.ts'
import type { ItemPublished, PublicState } from '@catalog/core/events/items.ts'
import { instant } from '@catalog/core/time.ts'
import type { Store } from '@catalog/store/db.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { allItemIds, type PriorItem, priorItems } from '@catalog/store/vendor/runs.ts'
import { type Evaluated, type Evaluator, type NextItem, nextItem, openEvaluator, type Rule } from './evaluate.ts'

/** What separates the public state of items from the facts at a cut. Nothing here appends. */

type DifferenceDeps = Readonly<{ store: Store; now: () => Date; signal?: AbortSignal }>

/** Items evaluated at once: bounds memory, changes no result. */
export const CHUNK_ITEMS = 200

export type Difference = Readonly<{ kind: 'change' | 'basis'; event: ItemPublished; prior: PriorItem | null }>

/** The events that bring the public catalog to the facts at the cut, chunk by chunk in id order. */
export async function* differences(
  store: Store,
  { cut, ...rest }: { itemIds: readonly string[]; cut: Cut; run: { readonly runId: string }; recordedAt: string },
): AsyncGenerator<readonly Difference[]> {
  const evaluator = await openEvaluator(store, cut)
  for await (const previews of previewItems(store, { ...rest, evaluator })) {
    yield previews.flatMap(({ difference }) => difference ?? [])
  }
}

/** The current state of an item, its state by a rule, and the event between them; null when no event is needed. */
export type ItemPreview = Readonly<{
  prior: PriorItem | null
  /** The public state of `prior`. */
  priorState: PublicState | null
  /** The result of the rule in force on the same facts; the published state may rest on older facts. */
  present: Evaluated
  next: NextItem
  difference: Difference | null
}>

/** Items computed from the facts at the evaluator's cut, chunk by chunk in id order. */
async function* previewItems(
  store: Store,
  {
    evaluator,
    itemIds,
    run,
    recordedAt,
    rule = evaluator.rule,
    baseline = 'public',
    signal,
  }: {
    evaluator: Evaluator
    itemIds: readonly string[]
    run: { readonly runId: string }
    recordedAt: string
    rule?: Rule
    /** The state to compare with: the public one, or the result of the rule in force at the cut. */
    baseline?: 'public' | 'at the cut'
    signal?: AbortSignal
  },
): AsyncGenerator<readonly ItemPreview[]> {
  const { cut } = evaluator
  const readChunk = async (start: number) => {
    const chunk = itemIds.slice(start, start + CHUNK_ITEMS)
    const [published, facts] = await Promise.all([
      baseline === 'public' ? priorItems(store, chunk) : null,
      evaluator.read(chunk),
    ])
    return { published, facts }
  }
  // A read that nobody awaits would end the process when it fails.
  const chunkAt = (start: number) => (start < itemIds.length ? readChunk(start) : undefined)
  let nextChunk = chunkAt(0)
  for (let start = 0; nextChunk !== undefined; start += CHUNK_ITEMS) {
    const { published, facts } = await nextChunk
    signal?.throwIfAborted()
    // The store reads the next chunk while this one is computed.
    nextChunk = chunkAt(start + CHUNK_ITEMS)
    nextChunk?.catch(() => {})
    const present = evaluator.compute(facts)
    const priors = published ?? asIfPublished(present, cut.asOf)
    const evaluated = rule === evaluator.rule ? present : evaluator.compute(facts, rule)
    yield evaluated.map((item, i): ItemPreview => {
      const prior = priors.get(item.itemId) ?? null
      const priorState = prior && (JSON.parse(prior.publicState) as PublicState)
      const next = nextItem(item, priorState, cut.asOf)
      return {
        prior,
        priorState,
        present: present[i] as Evaluated,
        next,
        difference: difference(next, { prior, priorState, cut, runId: run.runId, recordedAt }),
      }
    })
  }
}

/** Items as version 0, as if only these evaluations had been published. */
function asIfPublished(evaluated: readonly Evaluated[], asOf: string): Map<string, PriorItem> {
  return new Map(
    evaluated.map((item) => {
      const { state, vendor_sku_ids, basis } = nextItem(item, null, asOf)
      const publicState = publicStateJson(state)
      const { itemId } = item
      return [itemId, { itemId, version: 0, publicState, vendorSkuIds: vendor_sku_ids, basis: JSON.stringify(basis) }]
    }),
  )
}

function difference(
  next: NextItem,
  {
    prior,
    priorState,
    cut,
    runId,
    recordedAt,
  }: { prior: PriorItem | null; priorState: PublicState | null; cut: Cut; runId: string; recordedAt: string },
): Difference | null {
  // No reader has seen the item, so its absence needs no event.
  if (prior === null && next.state.state !== 'active') return null
  const same = priorState !== null && materialSha(priorState).equals(materialSha(next.state))
  if (same && prior !== null) {
    const priorVoters = votersKey({ vendor_sku_ids: [...prior.vendorSkuIds], basis: JSON.parse(prior.basis) })
    if (priorVoters === votersKey(next)) return null
  }
  const content = {
    as_of: cut.asOf,
    basis: next.basis,
    category_path: next.category_path,
    item_id: next.item_id,
    run_id: runId,
    // A re-observation at the same price is no change, so the state keeps its bytes.
    state: same && priorState !== null ? priorState : next.state,
    type: 'ItemPublished' as const,
    v: 1 as const,
    vendor_sku_ids: next.vendor_sku_ids,
    version: prior === null ? 1 : same ? prior.version : prior.version + 1,
  }
  const event: ItemPublished = { ...content, event_id: eventId(content), recorded_at: recordedAt }
  return { kind: same ? 'basis' : 'change', event, prior }
}

/** The run id of events that are never appended. */
const DRY_RUN = { runId: 'dry-run' }

/** The events that a run at `asOf` would publish, also for the past; appends nothing. */
export async function dryRun(deps: DifferenceDeps, { asOf }: { asOf: string }): Promise<readonly Difference[]> {
  const cut: Cut = { asOf, positions: null }
  const itemIds = await allItemIds(deps.store)
  const found: Difference[] = []
  const recordedAt = instant(deps.now())
  for await (const events of differences(deps.store, { itemIds, cut, run: DRY_RUN, recordedAt })) {
    found.push(...events)
  }
  return found
}

/**
 * Compares these items with another rule's result on the facts at the evaluator's cut, chunk by chunk; appends nothing.
 * The differences are the events that a run under that rule would publish.
 */
export function previewRule(
  { store, now, signal }: DifferenceDeps,
  rest: { evaluator: Evaluator; rule: Rule; itemIds: readonly string[]; baseline: 'public' | 'at the cut' },
): AsyncGenerator<readonly ItemPreview[]> {
  return previewItems(store, {
    ...rest,
    run: DRY_RUN,
    recordedAt: instant(now()),
    ...(signal && { signal }),
  })
}
