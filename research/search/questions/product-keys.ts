import { loadSample, sampleTexts } from '@catalog/sample-files/sample.ts'
import { createViews } from '@catalog/store/builds/analyst.ts'
import { queryViews } from '@catalog/store/builds/analyst-query.ts'
import type { Store } from '@catalog/store/db.ts'

/** An item of a catalog of the sample: where it is sold, and the keys of the products that its SKUs are. */
export type KeyedItem = Readonly<{ itemId: string; name: string; regions: readonly string[]; products: Set<string> }>

/** The key of a SKU of the sample: its product. */
export function sampleKeys(): (source: string, ref: string) => string | undefined {
  const keyOf = new Map(
    loadSample(sampleTexts()).vendors.flatMap(({ name, skus }) =>
      skus.map(({ ref, product }) => [`${name}\t${ref}`, product.key] as const),
    ),
  )
  return (source, ref) => keyOf.get(`${source}\t${ref}`)
}

/** The items by id, with the keys of their SKUs. Throws where the catalog has none with a key. */
export async function keyedItems(
  store: Store,
  keyOf: (source: string, ref: string) => string | undefined = sampleKeys(),
): Promise<ReadonlyMap<string, KeyedItem>> {
  const items = new Map<string, KeyedItem>()
  await createViews(store)
  await queryViews(store, { sql: SKUS, timeoutMs: TIMEOUT_MS, rowsMax: ROWS_MAX }, (rows) => {
    for (const { source, ref, itemId, name, regions } of rows as SkuRow[]) {
      const key = keyOf(source, ref)
      if (key === undefined) continue
      const item = items.get(itemId) ?? { itemId, name, regions, products: new Set<string>() }
      items.set(itemId, item)
      item.products.add(key)
    }
  })
  if (items.size > 0) return items
  throw new Error(
    'the catalog holds no SKU of these questions: fill one of the sample with `catalog up --sample --data DIR`',
  )
}

type SkuRow = Readonly<{ source: string; ref: string; itemId: string; name: string; regions: readonly string[] }>
const SKUS = `select s.name as source, k.vendor_ref as ref, i.item_id as "itemId", i.name, i.regions
  from skus k join sources s using (source_id) join items i using (item_id)`
const TIMEOUT_MS = 60_000
/** The sample has some 3,000. */
const ROWS_MAX = 100_000
