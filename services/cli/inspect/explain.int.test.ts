import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregate } from '@catalog/aggregator/run.ts'
import { crawlSources, selectSources } from '@catalog/cli/crawl/source-crawls.ts'
import { instant } from '@catalog/core/time.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import { listening, openTestCatalog } from '@catalog/stack/testing/cli.ts'
import { expect, test } from 'vitest'
import { explain } from './explain.ts'

test('an explanation shows amounts of money, and the markets with a price where the asked one has none', async () => {
  // Given a price of one vendor in Andalucía
  await using opened = await openTestCatalog()
  const { catalog, folder } = opened
  const env = { ...opened.env, CATALOG_SOURCES: join(folder, 'sources.yaml') }
  writeFileSync(join(folder, 'list.csv'), 'sku;name;unit;price\nA1;Cement CEM II 25 kg;kg;1.18\n')
  writeFileSync(
    env.CATALOG_SOURCES,
    'sources: [{ source: Sur, region: ES-AN, kind: bank, currency: EUR, entry_points: [{ file: list.csv }] }]',
  )
  const { heard, terminal } = listening({ json: false })
  const context = { catalog, env, terminal, signal: new AbortController().signal }
  const file = await readSources(env)
  await crawlSources(context, { specs: selectSources(file, ['Sur']), file })
  await aggregate(catalog.aggregator, { asOf: instant(catalog.now()) })
  await catalog.catchUp()
  const [item] = await catalog.store.query<{ item_id: string }>('select item_id from items')
  const itemId = item?.item_id ?? ''

  // When a person asks for the headline, then for a market without a price
  await explain(catalog, terminal, { itemId })
  const headline = heard.text
  await explain(catalog, terminal, { itemId, region: 'ES-MD' })

  // Then prices read as money, and nothing is said of votes that do not exist
  expect(headline).toContain(': 1.18 EUR, quartiles 1.18 EUR to 1.18 EUR\n1 voter with')
  expect(headline).toMatch(/Sur +50 +1\.18 EUR +Cement/)
  expect(heard.text).toContain(
    ': no price in ES-MD; it has prices in ES, ES-AN, EU\n0 voters with a total trust of 0\n',
  )
})
