import { sha256Hex } from '@catalog/core/digest.ts'
import type { ItemEvent } from '@catalog/core/events/events.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import { openTableLog } from '@catalog/log/table.ts'
import { itemsProjection } from '@catalog/projector/items.ts'
import { drain } from '@catalog/projector/pump.ts'
import { openPath, type Path } from '@catalog/stack/path/path.ts'
import { emptyDatabase, unavailable } from '@catalog/stack/servers/servers.ts'
import { testApi } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { event, published } from '@catalog/stack/testing/events.ts'
import { readFeedState } from '@catalog/store/catalog/feeds.ts'
import { openStore } from '@catalog/store/db.ts'
import { migrate } from '@catalog/store/migrations/migrate.ts'
import { describe, expect, test } from 'vitest'

/** Enough for one night to close the first page of 500 changes in every scope under test. */
const ITEMS = 1_000
const LATER_PUBLICATIONS = 8_000
/** Item-side read models, which a rebuild folds again. */
const ITEM_SIDE = `items, item_regions, item_markets, price_points, categories, changes, change_scopes, scope_heads, run_marks`

/** One publication of every item: prices change, items move between regions, some leave. */
function night(version: number): ItemEvent[] {
  const asOf = instant(new Date(Date.UTC(2026, 0, 1) + version * DAY_MS))
  const run = { run_id: `run_${version}`, as_of: asOf, items_published: ITEMS }
  const publications = Array.from({ length: ITEMS }, (_, i) =>
    published({
      id: `ci_${String(i).padStart(20, '0')}`,
      cents: 100 + version * 7 + (i % 5),
      version,
      asOf,
      regions: (i + version) % 3 === 0 ? ['EU'] : ['ES', 'EU'],
      state: (i + version) % 97 === 0 ? 'gone' : 'active',
    }),
  )
  return [...publications, event({ type: 'RunMarked', ...run })]
}

const missing = unavailable('postgres')
describe.skipIf(missing !== null)(missing ?? 'on PostgreSQL', () => {
  test(`archive 0 keeps its bytes through ${LATER_PUBLICATIONS} publications, a restart and a rebuild`, async () => {
    const url = await emptyDatabase()
    const first = await opened(url)
    await first.append(night(1))
    const { gen } = await readFeedState(first.store)
    const before = await archives(first, gen)

    for (let version = 2; version <= 1 + LATER_PUBLICATIONS / ITEMS; version++) await first.append(night(version))
    expect(await first.seq()).toBeGreaterThan(ITEMS + LATER_PUBLICATIONS * 0.95)
    expect(await archives(first, gen)).toEqual(before)
    await first[Symbol.asyncDispose]()

    await using second = await opened(url)
    expect(await archives(second, gen)).toEqual(before)

    const { catalog } = await second.roots()
    await second.store.query(`truncate ${ITEM_SIDE}`)
    await second.store.query(`delete from checkpoints where projection = 'items'`)
    await drain({ store: second.store, log: second.log, projections: [itemsProjection] })
    expect((await second.roots()).catalog).toBe(catalog)
    expect(await archives(second, gen)).toEqual(before)
  })
})

/** Opens the data path on a database as a starting process does. */
async function opened(url: string): Promise<Path> {
  const store = await openStore({ kind: 'postgres', connection: { url } })
  await migrate(store)
  return openPath({ parts: { store, log: await openTableLog(store) } })
}

/** SHA-256 of archive 0 of a few scopes in each form, with ETags, from a freshly started server. */
async function archives({ store }: Path, gen: string): Promise<Record<string, string>> {
  const api = testApi(store, testClock())
  const documents: Record<string, string> = {}
  for (const place of ['items/0.atom', 'items/0.rss', 'region/es/0.atom', 'region/eu/0.atom']) {
    const { statusCode, rawPayload, headers } = await api.inject(`/v1/feeds/archive/${gen}/${place}`)
    expect([place, statusCode]).toEqual([place, 200])
    documents[place] = `${sha256Hex(rawPayload)} ${headers.etag}`
  }
  await api.close()
  return documents
}
