import { acceptRematch, rematchCut } from '@catalog/aggregator/rematch/accept-rematch.ts'
import { type Rematch, rematch, versionOf } from '@catalog/aggregator/rematch/rematch.ts'
import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { Cut } from '@catalog/store/vendor/as-of-queries.ts'
import { sourcesAt, textsAt, visibilityAt } from '@catalog/store/vendor/as-of-queries.ts'

export type RematchOptions = Readonly<{ accept: boolean; reason?: string; limit: number }>

/** `catalog rematch`: what the present rule decides otherwise about the items that exist; `--accept` publishes it. */
export async function rematchItems(catalog: Catalog, terminal: Terminal, options: RematchOptions): Promise<void> {
  const { aggregator } = catalog
  const { joinRule: rule } = aggregator
  if (rule === undefined) throw new Error('this catalog has no rule that joins items: nothing to compare with')
  if (options.accept && options.reason === undefined) throw new Error('--accept: expected --reason "..." beside it')
  await aggregator.catchUp()
  const { last, cut } = await rematchCut(catalog.store)
  const progress = terminal.progress(`compare with ${versionOf(rule)}`)
  const onProgress = (done: number, total: number) => progress.to(done, total)
  const { found, run } = options.accept
    ? await acceptRematch({ ...aggregator, joinRule: rule }, { reason: options.reason as string, onProgress })
    : { found: await rematch({ store: catalog.store, cut, rule, onProgress }), run: null }
  progress.done()
  const names = await namesOf(catalog, cut, found)
  const answer = {
    rule_version: found.ruleVersion,
    as_of: last.asOf,
    items: found.items,
    vendor_skus: found.skus,
    placed_by: found.placedBy,
    splits: found.splits.map(({ itemId, newItemId, leaving }) => ({
      item_id: itemId,
      new_item_id: newItemId,
      leaving: leaving.map(({ skuId, apartFrom, reason }) => ({
        ...names(skuId),
        apart_from: names(apartFrom),
        reason,
      })),
    })),
    merges: found.merges.map(({ fromItemId, intoItemId, a, b, score }) => ({
      from_item_id: fromItemId,
      into_item_id: intoItemId,
      score,
      a: names(a),
      b: names(b),
    })),
    kept_by_person: found.kept.map(({ itemId, leaving }) => ({
      item_id: itemId,
      leaving: leaving.map(({ skuId, apartFrom, reason }) => ({
        ...names(skuId),
        apart_from: names(apartFrom),
        reason,
      })),
    })),
    sha256: found.sha256,
    published: run && { run_id: run.runId, changed: run.changed, basis_only: run.basisOnly },
  }
  terminal.answer(answer, () => textOf(answer, options.limit))
  if (options.accept) terminal.next('catalog status')
  else if (found.splits.length + found.merges.length > 0) terminal.next('catalog rematch --accept --reason "..."')
}

type Named = Readonly<{ vendor_sku_id: string; name: string | null; source: string | null }>
type Apart = Named & Readonly<{ apart_from: Named; reason: string }>

/** The name and the source of each SKU that a rematch mentions, as vendors write them at the cut. */
async function namesOf({ store }: Catalog, cut: Cut, found: Rematch): Promise<(skuId: string) => Named> {
  const leaving = [...found.splits, ...found.kept].flatMap((split) => split.leaving)
  const skuIds = [
    ...new Set([
      ...leaving.flatMap(({ skuId, apartFrom }) => [skuId, apartFrom]),
      ...found.merges.flatMap(({ a, b }) => [a, b]),
    ]),
  ]
  const sources = await sourcesAt(store, cut)
  const texts = await textsAt(store, skuIds, await visibilityAt(store, cut))
  return (skuId) => {
    const text = texts.get(skuId)
    return {
      vendor_sku_id: skuId,
      name: text?.payload.name ?? null,
      source: text === undefined ? null : (sources.get(text.sourceId)?.name ?? text.sourceId),
    }
  }
}

function textOf(
  answer: Readonly<{
    rule_version: string
    as_of: string
    items: number
    vendor_skus: number
    splits: readonly Readonly<{ item_id: string; leaving: readonly Apart[] }>[]
    merges: readonly Readonly<{ from_item_id: string; into_item_id: string; score: number; a: Named; b: Named }>[]
    kept_by_person: readonly Readonly<{ item_id: string; leaving: readonly Apart[] }>[]
    published: Readonly<{ run_id: string; changed: number; basis_only: number }> | null
  }>,
  limit: number,
): string {
  const shown = ({ name, source }: Named) => `"${name ?? 'no observation left'}" of ${source ?? '-'}`
  const apart = (each: Apart) => `  ${shown(each)} and ${shown(each.apart_from)}: ${each.reason}`
  const { splits, merges, kept_by_person: kept, published } = answer
  const more = (all: readonly unknown[]) => (all.length > limit ? [`  ${all.length - limit} more: --limit`] : [])
  return [
    `${answer.rule_version} on ${answer.items} items with ${answer.vendor_skus} vendor SKUs, as of ${answer.as_of}`,
    `${splits.length} splits${splits.length === 0 ? '' : ':'}`,
    ...splits.slice(0, limit).flatMap(({ item_id, leaving }) => [`split ${item_id}`, ...leaving.map(apart)]),
    ...more(splits),
    `${merges.length} merges${merges.length === 0 ? '' : ':'}`,
    ...merges
      .slice(0, limit)
      .flatMap(({ from_item_id, into_item_id, score, a, b }) => [
        `merge ${from_item_id} into ${into_item_id}`,
        `  ${shown(a)} and ${shown(b)}: ${score}`,
      ]),
    ...more(merges),
    ...(kept.length === 0 ? [] : [`${kept.length} items stay whole, because a person put them together:`]),
    ...kept.slice(0, limit).flatMap(({ item_id, leaving }) => [`keep ${item_id}`, ...leaving.map(apart)]),
    published === null
      ? 'nothing was published'
      : `published by run ${published.run_id}: ${published.changed} items changed, ${published.basis_only} votes renewed`,
  ].join('\n')
}
