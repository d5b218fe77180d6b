import { openJoinRule } from '@catalog/cli/shared/wire.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { type LabelledRecord, labelledRecords } from '@catalog/research/matching/labelled-offers.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { observation, registration } from '@catalog/stack/testing/events.ts'
import { expect, test } from 'vitest'

/**
 * The shipped rule on the whole path. It learned from these very offers, so the figures only prove that the path
 * applies the rule; `npm run evaluate -- match` judges the rule on unseen products.
 */
test('labelled offers of forty vendors become items of one product each, and every automatic pair is joined', async () => {
  const rule = openJoinRule()
  // Cosines of other weights mean something else: retrain with `npm run evaluate -- match --out`.
  expect(rule.version).toContain(openBuiltinEmbedder().fingerprint)
  await using path = await openPath({ joinRule: rule })
  const records = labelledRecords()
  const vendors = [...new Set(records.map(({ sku }) => sku.sourceId))]
  await path.append(vendors.map((vendor) => registration({ vendor })))
  await path.append(records.map(offerOf))
  const [report] = await path.run('2026-01-10T00:00:00Z')
  expect(report?.matched).toBe(records.length)

  const rows = await path.store.query<{ refs: string[] }>(
    `select array_agg(vendor_ref) as refs from memberships join vendor_skus using (sku) group by item`,
  )
  const together = rows.flatMap(({ refs }) =>
    pairsOf(refs.map((ref) => records[Number(ref.slice(1))] as LabelledRecord)),
  )
  const right = together.filter(([a, b]) => a.product === b.product).length
  const matches = [...Map.groupBy(records, ({ product }) => product).values()]
    .flatMap(pairsOf)
    .filter(([a, b]) => a.sku.sourceId !== b.sku.sourceId).length
  process.stdout.write(`precision ${(right / together.length).toFixed(4)}, recall ${(right / matches).toFixed(4)}\n`)
  expect(right / together.length).toBeGreaterThan(0.995)
  expect(right / matches).toBeGreaterThan(0.62)
  const dimensionOf = ({ sku }: LabelledRecord) => soldUnit(sku).dimension
  expect(together.filter(([a, b]) => dimensionOf(a) !== dimensionOf(b))).toEqual([])
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
})

function offerOf({ sku }: LabelledRecord, at: number) {
  const { sourceId, name, unit, pack, lang, gtin, manufacturerRef, categoryPath } = sku
  return observation({
    vendor: sourceId,
    ref: `R${at}`,
    name,
    unit,
    cents: 1000,
    more: {
      ...(lang && { lang }),
      ...(pack && { pack }),
      ...(gtin && { gtin }),
      ...(manufacturerRef && { manufacturer_ref: manufacturerRef }),
      ...(categoryPath && { category_path: [...categoryPath] }),
    },
  })
}

function pairsOf<T>(of: readonly T[]): (readonly [T, T])[] {
  return of.flatMap((a, i) => of.slice(i + 1).map((b) => [a, b] as const))
}
