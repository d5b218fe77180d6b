import type { Api } from '@catalog/api/server.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { openSampleDay } from '@catalog/stack/path/sample-catalog.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const NOW = new Date('2026-11-21T06:00:00Z')

let stack: AsyncDisposableStack
let catalog: Catalog
let api: Api
beforeAll(async () => {
  stack = new AsyncDisposableStack()
  catalog = stack.use(await openSampleDay({ day: '2026-11-20', now: NOW })).catalog
  api = testApi(catalog.store, testClock(NOW.toISOString()))
  stack.defer(() => api.close())
})
afterAll(() => stack.disposeAsync())

type Item = { id: string; name: string }

/** All items of a market, shown for its readers where `regional`. */
async function itemsOf(region: string, regional: boolean): Promise<Item[]> {
  const items: Item[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const query = new URLSearchParams({ region, limit: '100', ...(regional && { price_region: region }) })
    if (cursor !== '') query.set('cursor', cursor)
    const page = (await api.inject(`/v1/items?${query}`)).json() as { items: Item[]; cursor: string | null }
    items.push(...page.items)
    cursor = page.cursor
  }
  return items
}

/** The names that vendors of this market use, by item. */
async function namesOfVendors(region: string): Promise<Map<string, Set<string>>> {
  const rows = await catalog.store.query<{ item: string; name: string }>(
    `select distinct item_id as item, o.payload::jsonb->>'name' as name
       from memberships m join item_keys using (item) join sources s on s.source = m.source
       join observations o on o.sku = m.sku
      where coalesce(s.region, o.payload::jsonb->'source'->>'region') = $1`,
    [region],
  )
  const names = new Map<string, Set<string>>()
  for (const { item, name } of rows) names.set(item, (names.get(item) ?? new Set()).add(name))
  return names
}

describe('an item of the sample market', () => {
  test.each(['ES', 'MX', 'BR', 'AR', 'CL', 'US', 'GB'])(
    'has a name for readers in %s that a vendor there uses',
    async (region) => {
      const named = await namesOfVendors(region)
      const foreign = (items: readonly Item[]) => items.filter(({ id, name }) => !named.get(id)?.has(name))
      const [headlines, regional] = [await itemsOf(region, false), await itemsOf(region, true)]
      process.stdout.write(
        `${region}: of ${regional.length} items ${foreign(headlines).length} have a headline that no vendor there uses; with price_region ${foreign(regional).length}\n`,
      )
      expect(regional.length).toBeGreaterThan(20)
      expect(foreign(regional)).toEqual([])
    },
  )
})
