import type { FeedChange } from '@catalog/core/changes/protocol.ts'
import { publicStateJson } from '@catalog/core/changes/public-state.ts'
import { published } from '@catalog/core/events/testing.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { newestOfEach, readerChanges } from './reader-changes.ts'

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
  scope: 'items',
  format: 'atom' as const,
  floor: 0n,
  formers: new Map<string, string | null>(),
}
const linkOf = (feed: ReturnType<typeof readerChanges>, rel: string) =>
  feed.links.find((link) => link.rel === rel)?.href

const history = fc.record({
  items: fc.array(fc.nat(30), { maxLength: 60 }),
  /** Numbers before the changes. */
  before: fc.constantFrom(0, 490, 499, 500, 501, 2_000),
  floor: fc.constantFrom(0, 500),
  limit: fc.integer({ min: 1, max: 40 }),
})

test('the view and the pages that it leads to hold the newest change of every kept item', () => {
  fc.assert(
    fc.property(history, ({ items, before, floor, limit }) => {
      const after = Math.max(before, floor)
      const changes = items.map((n, i) => change({ seq: BigInt(after + i + 1), itemId: `ci_${n}` }))
      const feed = readerChanges({ ...base, floor: BigInt(floor), changes, limit })
      const newest = new Map(changes.map(({ itemId, seq }) => [itemId, seq]))
      expect(feed.entries).toHaveLength(Math.min(limit, newest.size))
      const shown = new Set(feed.entries.map(({ link }) => link?.split('/').at(-1)))
      const [, page] = /archive\/g1\/items\/(\d+)\.atom$/.exec(linkOf(feed, 'prev-archive') ?? '') ?? []
      const reached = page === undefined ? floor : (Number(page) + 1) * PAGE
      for (const [itemId, seq] of newest) if (!shown.has(itemId)) expect(Number(seq)).toBeLessThanOrEqual(reached)
      // Entries fall by their date, and no page that is linked is no longer kept.
      const dates = feed.entries.map(({ updatedUs }) => updatedUs)
      expect(dates).toEqual(dates.toSorted((a, b) => Number(b - a)))
      if (page !== undefined) expect(Number(page) * PAGE).toBeGreaterThanOrEqual(floor)
      if (page === undefined && changes.length > 0) expect(shown.size === newest.size && after === floor).toBe(true)
    }),
  )
})

test('links name the view itself, and the page before its oldest entry', () => {
  const changes = Array.from({ length: 30 }, (_, i) => change({ seq: BigInt(981 + i), itemId: `ci_${i}` }))
  const at = (limit: number) => readerChanges({ ...base, changes, limit })
  expect(at(10).links).toEqual([
    { rel: 'self', href: `${base.baseUrl}/feeds/items.atom?limit=10` },
    { rel: 'current', href: `${base.baseUrl}/feeds/items.atom?limit=10` },
    // The entries before number 1001 are on page 1, of 501 to 1000.
    { rel: 'prev-archive', href: `${base.baseUrl}/feeds/archive/g1/items/1.atom` },
  ])
  // The entry before number 1002 is on the open page 2, which answers with the subscription.
  expect(linkOf(at(9), 'prev-archive')).toBe(`${base.baseUrl}/feeds/archive/g1/items/2.atom`)
})

test('an item that left is no entry in words, and leads to the one that it was merged into', () => {
  const gone = { itemId: 'ci_a', op: 'delete' as const }
  const feed = readerChanges({
    ...base,
    limit: 5,
    changes: [change({ seq: 1n, ...gone }), change({ seq: 2n, ...gone, itemId: 'ci_b', mergedInto: 'ci_c' })],
  })
  expect(feed.entries.map(({ title, summary, link }) => [title, summary, link])).toEqual([
    ['ci_b was merged into ci_c', null, 'https://catalog.example.org/items/ci_c'],
    ['ci_a left the catalog', null, null],
  ])
})

test('a region says its own price and its movement first, and the name that its readers know', () => {
  const names = [
    { lang: 'en', name: 'Cement', regions: ['GB'] },
    { lang: 'es', name: 'Cemento', regions: ['ES'] },
  ]
  const { state } = published({ id: 'ci_a', name: 'Cement', names, cents: 900, currency: 'USD', regions: ['ES'] })
  const priced = (cents: number) => ({
    ...state,
    markets: [
      { region: 'ES', median_price: { cents, currency: 'EUR', recorded_at: '2026-11-02T02:00:00Z' }, vendor_count: 1 },
    ],
  })
  const changes = [change({ seq: 1n, itemId: 'ci_a', state: publicStateJson(priced(735)) })]
  const titleWith = (former: string | null | undefined) => {
    const formers = new Map(former === undefined ? [] : [['ci_a', former]])
    return readerChanges({ ...base, scope: 'region/ES', limit: 5, changes, formers }).entries[0]
  }
  expect(titleWith(publicStateJson(priced(700)))).toMatchObject({
    title: 'Cemento, kg: 7.35 EUR in ES, +5.0 % since 2 Nov, headline 9.00 USD, 1 vendor',
    link: 'https://catalog.example.org/items/ci_a?price_region=ES',
  })
  expect(titleWith(null)?.title).toContain('7.35 EUR in ES, before without a price, headline 9.00 USD,')
  expect(titleWith(undefined)?.title).toContain('7.35 EUR in ES, headline 9.00 USD, before without a price,')
})

test('the newest of each item is what a map by item would keep', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(9)), fc.nat(12), (items, limit) => {
      const changes = items.map((n, i) => change({ seq: BigInt(i + 1), itemId: `ci_${n}` }))
      const kept = [...new Map(changes.map((one) => [one.itemId, one.seq])).values()].sort((a, b) => Number(b - a))
      expect(newestOfEach(changes, limit).map(({ seq }) => seq)).toEqual(kept.slice(0, limit))
    }),
  )
})
