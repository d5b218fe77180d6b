import type { Licence } from '@catalog/core/events/sources.ts'
import { TOPICS } from '@catalog/core/events/topics.ts'
import { readLicence, readSources } from '@catalog/store/vendor/sources.ts'
import { expect, test } from 'vitest'
import { jumpingClock, openCrawling, specOfShop } from './crawling.ts'

const licence: Licence = {
  name: 'CC-BY-4.0',
  terms: null,
  url: 'https://shop.example/licence',
  redistribution: 'yes',
  commercial_use: 'unknown',
  attribution: 'Shop, 2026',
  checked_on: '2026-11-23',
}

test('a crawl states the licence of its source once, again when it changes, and takes none back', async () => {
  await using crawling = await openCrawling({ clock: jumpingClock(), products: 3 })
  const { path, shop } = crawling
  const sitemap = { kind: 'sitemap', url: `${shop.url}/all.xml`, include: ['/products/*'], exclude: [] } as const
  const spec = (stated: Licence | undefined) => specOfShop(shop, sitemap, stated && { licence: stated })
  const changed = { ...licence, redistribution: 'no' as const }
  for (const stated of [licence, licence, changed, undefined]) {
    await crawling.crawl(spec(stated), { isFull: true })
    if (stated !== undefined) expect(await readLicence(path.store, 'shop')).toEqual(stated)
  }
  expect((await readSources(path.store, { sourceId: 'shop' }))[0]?.licence).toEqual(changed)
  const decisions = await path.log.read(TOPICS.decisions, 0, 0n, 100)
  const types = decisions.map(({ value }) => JSON.parse(value).type)
  expect(types.filter((type) => type === 'SourceLicensed')).toHaveLength(2)
})
