import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Cost, sumOf, type Watch, watchedCommand } from '@catalog/bench/harness/watched-command.ts'
import { VENDORS_PER_PRODUCT, writePriceLists } from '@catalog/stack/path/vendor-lists.ts'
import { openStore } from '@catalog/store/db.ts'

/** The words of each `catalog crawl`, the prices that they record together, and the day of crawl and run. */
export type Night = Readonly<{ crawls: readonly (readonly string[])[]; rows: number; day: string }>

/** Ten vendors' lists, each product at five of them, with a mapping; one night for each number of a night from 0. */
export function writeVendorNights(
  folder: string,
  { products, nights }: { products: number; nights: readonly number[] },
): Night[] {
  const mapping = writeMapping(folder, 'vendors', VENDORS)
  return nights.map((night) => {
    const lists = writePriceLists(folder, { products, night })
    return {
      crawls: [[...lists, '--mapping', mapping]],
      rows: products * VENDORS_PER_PRODUCT,
      day: `2026-09-0${night + 1}`,
    }
  })
}
const VENDORS = {
  columns: { vendor_ref: 'ref', name: 'name', unit: 'unit', price: 'price', source: 'vendor' },
  constants: { currency: 'EUR', lang: 'es', region: 'ES' },
  sources: { allow: 'any' },
}

export function writeMapping(folder: string, name: string, mapping: object): string {
  const path = join(folder, `${name}.json`)
  writeFileSync(path, JSON.stringify(mapping))
  return path
}

export const crawlWords = (words: readonly string[], day: string) => [
  'crawl',
  ...words,
  '--new-sources',
  '--observed-at',
  `${day}T00:00:00Z`,
]
export const runWords = (day: string) => ['aggregate', '--as-of', `${day}T12:00:00Z`]

/** Crawls a night and publishes it: the costs of the crawl, then of each stage of the run, and the prices recorded. */
export async function publishNight(
  night: Night,
  watch: Omit<Watch, 'stage'>,
): Promise<{ costs: readonly Cost[]; appended: number }> {
  const crawls: Cost[] = []
  let appended = 0
  for (const words of night.crawls) {
    const { answer, costs } = await watchedCommand<Crawled>(crawlWords(words, night.day), { ...watch, stage: 'crawl' })
    crawls.push(...costs)
    appended += answer.inputs.reduce((sum, input) => sum + input.appended, 0)
  }
  const run = await watchedCommand(runWords(night.day), { ...watch, stage: 'start' })
  return { costs: [sumOf(crawls, 'crawl'), ...run.costs], appended }
}
type Crawled = Readonly<{ inputs: readonly { appended: number }[] }>

/** Precision and recall of pairs in one item, by the number of the product at the end of each reference. */
export async function pairQuality(url: string): Promise<{ precision: number; recall: number }> {
  await using store = await openStore({ kind: 'postgres', connection: { url } })
  const pairs = 'coalesce(sum(n * (n - 1) / 2), 0)::float8'
  const [row] = await store.query<{ taken: number; right: number; true: number }>(
    `with placed as (select item_id, split_part(vendor_ref, '-', 2) as product
       from items cross join unnest(vendor_sku_ids) vendor_sku_id join vendor_skus using (vendor_sku_id))
     select (select ${pairs} from (select count(*) n from placed group by item_id) i) as taken,
       (select ${pairs} from (select count(*) n from placed group by item_id, product) b) as right,
       (select ${pairs} from (select count(*) n from vendor_skus group by split_part(vendor_ref, '-', 2)) p) as true`,
  )
  const { taken, right, true: all } = row as { taken: number; right: number; true: number }
  return { precision: right / taken, recall: right / all }
}
