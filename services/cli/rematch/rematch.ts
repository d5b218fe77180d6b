import type { Terminal } from '@catalog/cli/shared/terminal.ts'
import { rowLimit } from '@catalog/cli/shared/whole-number.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { type Apart, type Named, type RematchAnswer, rematchItems, ruleOf } from '@catalog/operations/rematch.ts'

export type RematchFlags = Readonly<{ dryRun?: boolean; accept?: boolean; reason?: string; limit: string }>

/** `catalog rematch`: what the present rule decides otherwise about the items that exist; `--accept` publishes it. */
export async function showRematch(
  { catalog, terminal }: Readonly<{ catalog: Catalog; terminal: Terminal }>,
  { dryRun, accept = false, reason, limit }: RematchFlags,
): Promise<void> {
  if (dryRun && accept) throw new Error('--dry-run and --accept: expected one of them')
  const shown = rowLimit(limit)
  const progress = terminal.progress(`compare with ${ruleOf(catalog).version}`)
  const given = { accept, ...(reason !== undefined && { reason }), onProgress: progress.to }
  const answer = await rematchItems(catalog, given).finally(progress.done)
  terminal.answer(answer, () => textOf(answer, shown))
  if (accept) terminal.next('catalog status')
  else if (answer.splits.length + answer.merges.length > 0) terminal.next('catalog rematch --accept --reason "..."')
}

function textOf(answer: RematchAnswer, limit: number): string {
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
