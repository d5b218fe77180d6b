import type { FeedChange } from '@catalog/core/changes/protocol.ts'
import { publicStateJson } from '@catalog/core/changes/public-state.ts'
import { published } from '@catalog/stack/testing/events.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readerChanges, readNews, type Successors } from './reader-changes.ts'
import { readerFeedOf } from './reader-feed.ts'

const PAGE = 500

function change(given: Partial<FeedChange> & { seq: bigint; itemId: string }): FeedChange {
  const { op = 'upsert', itemId } = given
  return {
    op,
    version: 2,
    updatedUs: 1_795_140_000_000_000n + given.seq,
    stateSha: new Uint8Array(32),
    state: op === 'upsert' ? publicStateJson(published({ id: itemId }).state) : null,
    mergedInto: null,
    formerMedian: null,
    chain: new Uint8Array(32),
    isMarked: false,
    ...given,
  }
}
const base = {
  baseUrl: 'https://catalog.example.org/v1',
  gen: 'g1',
  format: 'atom' as const,
}

type Given = Readonly<{
  changes: readonly FeedChange[]
  limit: number
  scope?: string
  floor?: bigint
  /** The state before a change, by its number; absent: no longer known. */
  formers?: ReadonlyMap<bigint, string | null>
  successors?: Successors
}>

/** The view of a scope that has these changes, the last of which is its head. */
async function feedOf({
  changes,
  limit,
  scope = 'items',
  floor = 0n,
  formers = new Map(),
  successors = new Map(),
}: Given) {
  const head = changes.at(-1)?.seq ?? floor
  const news = await readNews(
    { scope, head, floor, limit },
    {
      changesOf: async ({ after, limit }) => changes.filter(({ seq }) => seq > after).slice(0, limit),
      formersOf: async (asked) => asked.map(({ seq }) => formers.get(seq)),
    },
  )
  return readerChanges({ ...base, scope, limit, floor, news, successors })
}
/** A change of nothing that readers see: its state is the one before it. */
const SILENT = { formerMedian: JSON.stringify(published({ id: 'ci_a' }).state.item.median_price) }
function silentOf(changes: readonly FeedChange[]) {
  const isSilent = ({ formerMedian }: FeedChange) => formerMedian !== null
  return { isSilent, formers: new Map(changes.filter(isSilent).map(({ seq, state }) => [seq, state])) }
}
const linkOf = (feed: Awaited<ReturnType<typeof feedOf>>, rel: string) =>
  feed.links.find((link) => link.rel === rel)?.href

const history = fc.record({
  items: fc.array(fc.nat(30), { maxLength: 60 }),
  /** Numbers before the changes. */
  before: fc.constantFrom(0, 490, 499, 500, 501, 2_000),
  /** Which of the changes mean nothing. */
  silent: fc.func(fc.boolean()),
  floor: fc.constantFrom(0, 500),
  limit: fc.integer({ min: 1, max: 40 }),
})

test('the view and the pages that it leads to hold the newest change of every kept item that means something', async () => {
  await fc.assert(
    fc.asyncProperty(history, async ({ items, before, floor, limit, silent }) => {
      const after = Math.max(before, floor)
      const changes = items.map((n, i) => {
        const seq = BigInt(after + i + 1)
        return { ...change({ seq, itemId: `ci_${n}` }), ...(silent(i) ? SILENT : {}) }
      })
      const { formers, isSilent } = silentOf(changes)
      const feed = await feedOf({ floor: BigInt(floor), changes, limit, formers })
      const newest = new Map(changes.filter((one) => !isSilent(one)).map(({ itemId, seq }) => [itemId, seq]))
      expect(feed.entries).toHaveLength(Math.min(limit, newest.size))
      const shown = new Set(feed.entries.map(({ link }) => link?.split('/').at(-1)))
      const [, page] = /archive\/g1\/items\/(\d+)\.atom$/.exec(linkOf(feed, 'prev-archive') ?? '') ?? []
      const reached = page === undefined ? floor : (Number(page) + 1) * PAGE
      for (const [itemId, seq] of newest) if (!shown.has(itemId)) expect(Number(seq)).toBeLessThanOrEqual(reached)
      // Entries fall by their date, and no page that is linked is no longer kept.
      const dates = feed.entries.map(({ updatedUs }) => updatedUs)
      expect(dates).toEqual(dates.toSorted((a, b) => Number(b - a)))
      if (page !== undefined) expect(Number(page) * PAGE).toBeGreaterThanOrEqual(floor)
      if (page === undefined && changes.length > 0) expect(shown.size === newest.size).toBe(true)
    }),
  )
})

test('links name the view itself, and the page before its oldest entry', async () => {
  const changes = Array.from({ length: 30 }, (_, i) => change({ seq: BigInt(981 + i), itemId: `ci_${i}` }))
  const at = (limit: number) => feedOf({ changes, limit })
  expect((await at(10)).links).toEqual([
    { rel: 'self', href: `${base.baseUrl}/feeds/items.atom?limit=10` },
    { rel: 'current', href: `${base.baseUrl}/feeds/items.atom?limit=10` },
    // The entries before number 1001 are on page 1, of 501 to 1000.
    { rel: 'prev-archive', href: `${base.baseUrl}/feeds/archive/g1/items/1.atom` },
  ])
  // The entry before number 1002 is on the open page 2, which answers with the subscription.
  expect(linkOf(await at(9), 'prev-archive')).toBe(`${base.baseUrl}/feeds/archive/g1/items/2.atom`)
})

describe('an item that left', () => {
  const named = (name: string) => publicStateJson(published({ id: 'ci_a', name }).state)
  const gone = { itemId: 'ci_a', op: 'delete' as const }

  test('is no entry in words, and its tombstone says which item it was and which took its place', async () => {
    const feed = await feedOf({
      limit: 5,
      changes: [change({ seq: 1n, ...gone }), change({ seq: 2n, ...gone, itemId: 'ci_b', mergedInto: 'ci_c' })],
      formers: new Map([
        [1n, named('Cement')],
        [2n, named('Portland')],
      ]),
      // The item that it was merged into was merged in turn.
      successors: new Map([['ci_c', { id: 'ci_d', name: 'Portland cement, kg' }]]),
    })
    expect(feed.entries.map(({ title, summary, link }) => [title, summary, link])).toEqual([
      ['Portland, kg was merged into Portland cement, kg', null, 'https://catalog.example.org/items/ci_d'],
      ['Cement, kg left the catalog', null, null],
    ])
    const atom = readerFeedOf(feed, 'atom')
    expect(atom).toContain('<at:comment>Portland, kg was merged into Portland cement, kg</at:comment>')
    expect(atom).toContain('<link rel="related" href="https://catalog.example.org/items/ci_d"/>')
  })

  test('is told by ids where names are no longer known', async () => {
    const changes = [change({ seq: 1n, ...gone }), change({ seq: 2n, ...gone, itemId: 'ci_b', mergedInto: 'ci_c' })]
    const { entries } = await feedOf({ limit: 5, changes })
    expect(entries.map(({ title, link }) => [title, link])).toEqual([
      ['ci_b was merged into ci_c', null],
      ['ci_a left the catalog', null],
    ])
  })

  test('from a region alone keeps its page there', async () => {
    const changes = [change({ seq: 1n, itemId: 'ci_a', op: 'leave' })]
    const { entries } = await feedOf({
      limit: 5,
      scope: 'region/ES',
      changes,
      formers: new Map([[1n, named('Cement')]]),
    })
    expect(entries.map(({ title, link }) => [title, link])).toEqual([
      ['Cement, kg is no longer sold in ES', 'https://catalog.example.org/items/ci_a?price_region=ES'],
    ])
  })
})

type Priced = Readonly<{
  name?: string
  unit?: string
  headline?: number
  vendors?: number
  category?: string
  /** Median in cents by region. */
  regions?: Readonly<Record<string, number | null>>
}>

const CURRENCIES: Readonly<Record<string, string>> = {
  ES: 'EUR',
  EU: 'EUR',
  MX: 'MXN',
  LATAM: 'MXN',
  PE: 'PEN',
  BR: 'BRL',
}
const names = [
  { lang: 'en', name: 'Cement', regions: ['GB'] },
  { lang: 'es', name: 'Cemento', regions: ['ES'] },
]

function stateOf({
  name = 'Cement',
  unit = 'kg',
  headline = 900,
  vendors = 3,
  category = 'cat_a',
  regions = {},
}: Priced) {
  const { state } = published({ id: 'ci_a', name, names, regions: Object.keys(regions) })
  const median = (cents: number, currency = 'USD') => ({ cents, currency, recorded_at: '2026-11-02T02:00:00Z' })
  return publicStateJson({
    ...state,
    item: { ...state.item, name, unit, category_id: category, vendor_count: vendors, median_price: median(headline) },
    markets: Object.entries(regions).map(([region, cents]) => ({
      region,
      median_price: cents === null ? null : median(cents, CURRENCIES[region]),
      vendor_count: vendors - 1,
    })),
  })
}

/** The entry in a scope of an item that was one thing and is another; null: it was not there; undefined: not known. */
async function entryFor(before: Priced | null | undefined, now: Priced, scope = 'items') {
  const formers = before === undefined ? new Map() : new Map([[1n, before && stateOf(before)]])
  const former =
    before && JSON.stringify({ cents: before.headline ?? 900, currency: 'USD', recorded_at: '2026-10-01T02:00:00Z' })
  const told = change({ seq: 1n, itemId: 'ci_a', state: stateOf(now), formerMedian: former ?? null })
  const { entries } = await feedOf({ scope, limit: 5, changes: [told], formers })
  return entries[0]
}

describe('an entry', () => {
  const here = { ES: 735, MX: 14_000 }

  test('of a region says its price, its vendors and its name, and no other price', async () => {
    expect(await entryFor({ headline: 850, regions: { ES: 700, MX: 13_000 } }, { regions: here }, 'region/ES')).toEqual(
      {
        id: 'tag:catalog.example.org,2026:item/ci_a',
        title: 'Cemento, kg: 7.35 EUR in ES, +5.0 % since 2 Nov, 2 vendors',
        summary: 'Cemento, kg. In ES 7.35 EUR, before that 7.00 EUR since 2 Nov. 2 vendors. Sold in ES, MX.',
        link: 'https://catalog.example.org/items/ci_a?price_region=ES',
        updatedUs: 1_795_140_000_000_001n,
        categories: ['region:ES', 'region:MX'],
      },
    )
  })

  test('of a region without a price there says the headline', async () => {
    const found = await entryFor({ headline: 850, regions: { ES: null } }, { regions: { ES: null } }, 'region/ES')
    expect([found?.title, found?.summary]).toEqual([
      'Cemento, kg: no price in ES, headline 9.00 USD, +5.9 % since 1 Oct, 2 vendors',
      'Cemento, kg. No price in ES; headline: 9.00 USD, before that 8.50 USD since 1 Oct. 2 vendors. Sold in ES.',
    ])
  })

  test('of all regions says which prices moved where the headline did not', async () => {
    const regions = { BR: 300, EU: 700, LATAM: 13_000, MX: 13_000, PE: 400 }
    const moved = { BR: 310, EU: 700, LATAM: 14_000, MX: 14_000, PE: 420 }
    const found = await entryFor({ regions }, { regions: moved })
    expect([found?.title, found?.summary]).toEqual([
      'Cement, kg: 9.00 USD, BR 3.10 BRL (+3.3 % since 2 Nov), MX 140.00 MXN (+7.7 % since 2 Nov), 1 more region, 3 vendors',
      'Cement, kg. 9.00 USD since 2 Nov. BR 3.10 BRL, before that 3.00 BRL since 2 Nov. MX 140.00 MXN, before that 130.00 MXN since 2 Nov. PE 4.20 PEN, before that 4.00 PEN since 2 Nov. 3 vendors, 1 observation. Sold in BR, EU, LATAM, MX, PE. By region: BR 3.10 BRL, EU 7.00 EUR, LATAM 140.00 MXN, MX 140.00 MXN, PE 4.20 PEN.',
    ])
  })

  test.each<[string, Priced | null | undefined, Priced, string | undefined, string]>([
    ['a name', { name: 'Lime' }, {}, 'Cement, kg: 9.00 USD, before named "Lime, kg", 3 vendors', 'items'],
    ['a unit', { unit: 't' }, {}, 'Cement, kg: 9.00 USD, before named "Cement, t", 3 vendors', 'items'],
    [
      'a region',
      { regions: { ES: 735 } },
      { regions: here },
      'Cement, kg: 9.00 USD, now sold in MX, 3 vendors',
      'items',
    ],
    [
      'a region less',
      { regions: here },
      { regions: { ES: 735 } },
      'Cement, kg: 9.00 USD, no longer sold in MX, 3 vendors',
      'items',
    ],
    ['a category', { category: 'cat_b' }, {}, 'Cement, kg: 9.00 USD, in another category, 3 vendors', 'items'],
    ['its return', null, { regions: here }, 'Cement, kg: 9.00 USD, new, 3 vendors', 'items'],
    [
      'its arrival in the region',
      { regions: { MX: 14_000 } },
      { regions: here },
      'Cemento, kg: 7.35 EUR in ES, new, 2 vendors',
      'region/ES',
    ],
    ['no known state before', undefined, { regions: here }, 'Cemento, kg: 7.35 EUR in ES, 2 vendors', 'region/ES'],
    ['a vendor more', { vendors: 2, regions: here }, { regions: here }, undefined, 'items'],
    ['another price elsewhere', { regions: { ...here, MX: 1 } }, { regions: here }, undefined, 'region/ES'],
    ['another headline', { headline: 850, regions: here }, { regions: here }, undefined, 'region/ES'],
    ['another region', { regions: { ES: 735 } }, { regions: here }, undefined, 'region/ES'],
    [
      'a name that readers there do not see',
      { name: 'Lime', regions: here },
      { regions: here },
      undefined,
      'region/ES',
    ],
  ])('tells of %s, or is left out', async (_what, before, now, title, scope) => {
    expect((await entryFor(before, now, scope))?.title).toBe(title)
  })
})

test('news are looked for beyond many changes that mean nothing, and no further than some nights', async () => {
  const silent = (count: number) => {
    const changes = Array.from({ length: count }, (_, i) => ({
      ...change({ seq: BigInt(i + 1), itemId: `ci_${i}` }),
      ...(i === 0 ? {} : SILENT),
    }))
    return { changes, formers: silentOf(changes).formers, limit: 5 }
  }
  expect((await feedOf(silent(900))).entries).toHaveLength(1)
  const none = await feedOf(silent(1_700))
  expect([none.entries.length, linkOf(none, 'prev-archive')]).toEqual([
    0,
    `${base.baseUrl}/feeds/archive/g1/items/1.atom`,
  ])
})
