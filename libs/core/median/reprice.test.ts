import { Basis } from '@catalog/core/events/items.ts'
import { parseRational, roundHalfEven, toText } from '@catalog/core/money/rational.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Method, TWM_1 } from './median.ts'
import { exactMedian } from './methods.ts'
import { expandedRegions } from './regions.ts'
import { type Repriced, reprice } from './reprice.ts'
import type { ItemPrices, Observed, SkuPrices } from './sku-prices.ts'
import { settlementCurrency } from './vote.ts'

const AS_OF = '2026-06-30T02:00:00Z'
/** The instant that many days (and milliseconds) before AS_OF. */
const ago = (days: number, { laterMs = 0 } = {}) => instant(new Date(Date.parse(AS_OF) - days * DAY_MS + laterMs))

const seen = (say: Partial<Observed> = {}): Observed => ({
  observationId: `obs-${say.observedAt ?? ago(1)}-${say.cents ?? 100}`,
  observedAt: ago(1),
  cents: 100,
  currency: 'EUR',
  perQuantity: 1,
  minQuantity: null,
  taxIncluded: false,
  taxRate: null,
  unit: 'kg',
  pack: null,
  override: null,
  ...say,
})

/** By default SKU vsku_a of source src_a, a trusted Spanish shop. */
const sku = (name: string, observations: readonly Observed[], say: Partial<SkuPrices> = {}): SkuPrices => ({
  vendorSkuId: `vsku_${name}`,
  sourceId: `src_${name}`,
  kind: 'shop',
  region: 'ES',
  trust: 50,
  validityDays: 30,
  enabled: true,
  observations: observations.map((one) => ({ ...one, observationId: `${name}:${one.observationId}` })),
  ...say,
})
const item = (skus: readonly SkuPrices[], say: Partial<ItemPrices> = {}): ItemPrices => ({
  unit: 'kg',
  pack: null,
  skus,
  ...say,
})
const priced = (...skus: readonly SkuPrices[]): Repriced => reprice(item(skus), AS_OF)
const one = (...observations: readonly Observed[]): Repriced => priced(sku('a', observations))
const eur = (cents: number) => ({ cents, currency: 'EUR' })
const reasonsOf = ({ basis }: Repriced) => basis.excluded.map(({ reason }) => reason)

describe('the exact median', () => {
  const exactOf = (repriced: Repriced, region?: string) => {
    const market = repriced.markets.find((each) => each.region === region)
    const median = region === undefined ? repriced.headline : market?.median
    return median ? toText(exactMedian(median, { basis: repriced.basis, region })) : null
  }

  test('keeps what the published cent loses, for the headline and for a market', () => {
    const result = priced(
      sku('a', [seen({ cents: 1_250, perQuantity: 1_000 })]),
      sku('b', [seen({ cents: 145, perQuantity: 100 })]),
      sku('c', [seen({ cents: 9, perQuantity: 4 })], { region: 'GB' }),
    )
    expect(result.headline).toEqual(eur(1))
    expect([exactOf(result), exactOf(result, 'ES'), exactOf(result, 'GB')]).toEqual(['29/20', '27/20', '9/4'])
  })

  test('is the published one where the basis lacks its votes', () => {
    const { headline, basis } = one(seen({ cents: 9, perQuantity: 4 }))
    const without = { basis: { ...basis, votes: [] }, region: undefined }
    expect(toText(exactMedian(headline as { cents: number; currency: string }, without))).toBe('2')
  })

  test('rounds to the published one, whatever the votes', () => {
    const prices = fc.array(fc.tuple(fc.integer({ min: 1, max: 500 }), fc.integer({ min: 1, max: 1_000 })), {
      minLength: 1,
      maxLength: 6,
    })
    fc.assert(
      fc.property(prices, (drawn) => {
        const result = priced(
          ...drawn.map(([cents, perQuantity], i) => sku(`s${i}`, [seen({ cents, perQuantity })], { trust: 1 + i })),
        )
        const exact = parseRational(exactOf(result) ?? '0')
        expect(Number(roundHalfEven(exact))).toBe(result.headline?.cents)
      }),
    )
  })
})

describe('the headline', () => {
  test('is the trust-weighted median of one vote per source', () => {
    const result = priced(
      sku('a', [seen({ cents: 100 })], { trust: 60 }),
      sku('b', [seen({ cents: 150 })], { trust: 20 }),
      sku('c', [seen({ cents: 120 })], { trust: 40 }),
    )
    expect(result.headline).toEqual(eur(110))
    expect(result.basis).toMatchObject({
      method_version: TWM_1.name,
      currency: 'EUR',
      voters: 3,
      trust_total: 120,
      p25: 100,
      p75: 120,
    })
  })

  test('is null without any vote, while counts remain', () => {
    const result = one(seen({ cents: 0 }))
    expect(result.headline).toBeNull()
    expect(result.basis).toMatchObject({ currency: null, votes: [], voters: 0, trust_total: 0, p25: null, p75: null })
    expect(result).toMatchObject({ vendorCount: 1, observationCount: 1, regions: ['ES', 'EU'] })
    expect(result.markets).toEqual([
      { region: 'ES', median: null, vendorCount: 1 },
      { region: 'EU', median: null, vendorCount: 1 },
    ])
  })

  test('comes from the given method, and so does every market', () => {
    const skus = [
      sku('a', [seen({ cents: 100 })], { trust: 60 }),
      sku('b', [seen({ cents: 300 })], { trust: 20, region: 'FR' }),
      sku('c', [seen({ cents: 0 })]),
    ]
    const sum: Method = {
      name: 'sum/1',
      price: (votes) => ({ cents: votes.map(({ price }) => price.n / price.d).reduce((a, b) => a + b) }),
    }
    const [usual, other] = [reprice(item(skus), AS_OF), reprice(item(skus), AS_OF, sum)]
    expect(other.headline).toEqual(eur(400))
    expect(other.markets.map(({ region, median }) => [region, median])).toEqual([
      ['ES', eur(100)],
      ['EU', eur(400)],
    ])
    // Voters, votes and exclusions do not depend on the method.
    expect(other.basis).toEqual({ ...usual.basis, method_version: 'sum/1' })
    const never: Method = { name: 'never/1', price: () => null }
    expect(reprice(item(skus), AS_OF, never)).toMatchObject({ headline: null, basis: { voters: 2 } })
    expect(reprice(item(skus), AS_OF, TWM_1)).toEqual(usual)
  })

  test('is empty for an item without SKUs', () => {
    expect(priced()).toMatchObject({ headline: null, markets: [], regions: [], vendorCount: 0, observationCount: 0 })
  })

  test('has a basis that its event accepts', () => {
    const result = priced(
      sku('b', [seen()]),
      sku('a', [seen({ cents: 103, unit: 't', perQuantity: 2 })]),
      sku('c', [seen({ cents: -1 })]),
    )
    expect(Basis.parse(result.basis)).toEqual(result.basis)
    expect(result.basis.votes.map((vote) => [vote.vendor_sku_id, vote.price])).toEqual([
      ['vsku_a', '103/2000'],
      ['vsku_b', '100'],
    ])
    expect(result.basis.votes[1]).toEqual({
      vendor_sku_id: 'vsku_b',
      source_id: 'src_b',
      observation_id: `b:obs-${ago(1)}-100`,
      price: '100',
      currency: 'EUR',
      trust: 50,
      observed_at: ago(1),
      markets: ['ES', 'EU'],
    })
  })

  test('refuses two SKUs of one source, and an as_of that is no instant', () => {
    expect(() => priced(sku('a', []), sku('b', [], { sourceId: 'src_a' }))).toThrow('source src_a')
    expect(() => reprice(item([]), 'yesterday')).toThrow("'yesterday'")
  })
})

describe('the window', () => {
  test('begins after as_of - validity: that instant is out, one millisecond later is in', () => {
    const atEdge = one(seen({ observedAt: ago(30) }))
    expect(atEdge.headline).toBeNull()
    expect(reasonsOf(atEdge)).toEqual(['EXPIRED'])
    expect(one(seen({ observedAt: ago(30, { laterMs: 1 }) })).headline).toEqual(eur(100))
  })

  test('ends at as_of: that instant is in, one millisecond later is never seen', () => {
    expect(one(seen({ observedAt: AS_OF })).headline).toEqual(eur(100))
    const future = one(seen({ observedAt: ago(0, { laterMs: 1 }) }))
    expect(future).toMatchObject({ headline: null, vendorCount: 0, observationCount: 0, regions: [] })
    expect(future.basis).toMatchObject({ excluded: [], last_observed_at: null })
  })

  test("is as long as the source's validity", () => {
    const observations = [seen({ observedAt: ago(179) })]
    expect(priced(sku('a', observations, { kind: 'bid', validityDays: 180 })).headline).toEqual(eur(100))
    expect(priced(sku('a', observations, { kind: 'bid', validityDays: 179 })).headline).toBeNull()
  })

  test('half a second counts: instants are compared as times, not as texts', () => {
    expect(
      one(seen({ observedAt: '2026-06-29T00:00:00.500Z', cents: 120 }), seen({ observedAt: '2026-06-29T00:00:00Z' }))
        .headline,
    ).toEqual(eur(120))
  })

  test('an expired price does not vote, and counts as observed', () => {
    const result = priced(sku('a', [seen({ observedAt: ago(31), cents: 500 })]), sku('b', [seen()]))
    expect(result.headline).toEqual(eur(100))
    expect(result).toMatchObject({ vendorCount: 2, observationCount: 2 })
    expect(result.basis.last_observed_at).toBe(ago(1))
  })
})

describe('a vote', () => {
  test('is the price at the latest instant', () => {
    expect(one(seen({ observedAt: ago(5), cents: 90 }), seen({ observedAt: ago(2), cents: 110 })).headline).toEqual(
      eur(110),
    )
  })

  test('falls back to the instant before when the latest has nothing eligible', () => {
    const result = one(seen({ observedAt: ago(3), cents: 90 }), seen({ observedAt: ago(1), cents: 0 }))
    expect(result.headline).toEqual(eur(90))
    expect(result.basis.excluded).toEqual([{ id: `a:obs-${ago(1)}-0`, reason: 'NOT_POSITIVE' }])
  })

  test('does not change the time of the last observation, eligible or not', () => {
    const result = one(
      seen({ observedAt: ago(3) }),
      seen({ observedAt: ago(1), cents: 0 }),
      seen({ observedAt: ago(2) }),
    )
    expect(result.basis.last_observed_at).toBe(ago(1))
    expect(result.basis.votes[0]?.observed_at).toBe(ago(2))
  })

  test('takes one currency of an instant: the more frequent, then the first code', () => {
    const inUsd = seen({ cents: 130, currency: 'USD', observationId: 'u' })
    expect(one(seen(), inUsd).headline).toEqual(eur(100))
    expect(one(seen(), inUsd, { ...inUsd, observationId: 'v' }).headline).toEqual({ cents: 130, currency: 'USD' })
  })

  test('needs an enabled source with trust', () => {
    const result = priced(
      sku('a', [seen({ cents: 900 })], { enabled: false }),
      sku('b', [seen({ cents: 800 })], { trust: 0 }),
      sku('c', [seen({ cents: 100 })], { trust: 1 }),
    )
    expect(result.headline).toEqual(eur(100))
    expect(result.basis.excluded).toEqual([
      { id: 'vsku_a', reason: 'SOURCE_DISABLED' },
      { id: 'vsku_b', reason: 'NO_TRUST' },
    ])
    // A person switched the votes of the first off; one without trust says nothing at all.
    expect(result).toMatchObject({ vendorCount: 2, observationCount: 2 })
  })

  test('without trust brings no market, count or date', () => {
    const silent = sku('b', [seen({ cents: 800, observedAt: '2026-06-30T00:00:00Z' })], { trust: 0, region: 'MX' })
    const heard = sku('c', [seen({ cents: 100 })])
    const { basis, ...both } = priced(silent, heard)
    const { basis: own, ...alone } = priced(heard)
    expect(both).toEqual(alone)
    expect(basis).toEqual({ ...own, excluded: [{ id: 'vsku_b', reason: 'NO_TRUST' }] })
  })
})

describe('goods that their vendor no longer sells', () => {
  const gone = seen({ observedAt: ago(2), cents: 100, isDiscontinued: true })
  test('have no vote, also by a price before', () => {
    const result = priced(sku('a', [seen({ observedAt: ago(9), cents: 90 }), gone]), sku('b', [seen({ cents: 200 })]))
    expect(result.headline).toEqual(eur(200))
    expect(reasonsOf(result)).toEqual(['DISCONTINUED'])
  })
  test('vote again once they are sold again', () => {
    const result = one(gone, seen({ observedAt: ago(1), cents: 110 }))
    expect(result.headline).toEqual(eur(110))
    expect(reasonsOf(result)).toEqual([])
  })
  test('that an older price was for leave the vote to a fresher one', () => {
    expect(one(gone, seen({ observedAt: ago(5), cents: 90 })).headline).toBeNull()
  })
})

describe('a price per item unit', () => {
  test.each<{ what: string; say: Partial<Observed>; cents: number | null; reason?: string }>([
    { what: 'the same unit', say: { cents: 485 }, cents: 485 },
    { what: 'a price for several units', say: { cents: 12_345, perQuantity: 100 }, cents: 123 },
    { what: 'a half cent goes to the even one', say: { cents: 5, perQuantity: 2 }, cents: 2 },
    { what: 'a unit that converts', say: { cents: 120_000, unit: 't' }, cents: 120 },
    {
      what: 'a pack of a known size',
      say: { cents: 2_500, unit: 'saco', pack: { quantity: '25', unit: 'kg' }, lang: 'es' },
      cents: 100,
    },
    { what: 'a unit of another dimension', say: { unit: 'm2' }, cents: null },
    { what: 'a unit that nobody knows', say: { unit: 'frobnicate' }, cents: null, reason: 'UNIT_UNKNOWN' },
    { what: 'no unit', say: { unit: null }, cents: null, reason: 'UNIT_UNKNOWN' },
    { what: 'tax that is included', say: { cents: 121, taxIncluded: true, taxRate: '0.21' }, cents: 100 },
    { what: 'tax that is not', say: { cents: 121, taxIncluded: false, taxRate: '0.21' }, cents: 121 },
    { what: 'tax of which nobody said', say: { cents: 121, taxIncluded: null, taxRate: '0.21' }, cents: 121 },
    { what: 'an included rate of zero', say: { cents: 121, taxIncluded: true, taxRate: '0' }, cents: 121 },
  ])('from $what', ({ say, cents, reason = 'UNIT_MISMATCH' }) => {
    const result = one(seen(say))
    expect(result.headline).toEqual(cents === null ? null : eur(cents))
    expect(reasonsOf(result)).toEqual(cents === null ? [reason] : [])
    expect(result.flags).toEqual([])
  })

  test('is exact until the median, which alone is rounded', () => {
    const result = priced(
      sku('a', [seen({ cents: 162, perQuantity: 5 })]),
      sku('b', [seen({ cents: 167, perQuantity: 5 })]),
    )
    expect(result.basis.votes.map(({ price }) => price)).toEqual(['162/5', '167/5'])
    // The mean of 32.4 and 33.4 is 32.9; rounding each vote first would make it 32.5, and then 32.
    expect(result.headline).toEqual(eur(33))
  })

  test('of an item without a unit votes when it has none either, and of a pack when the pack is the same', () => {
    expect(reprice(item([sku('a', [seen({ unit: null })])], { unit: null }), AS_OF).headline).toEqual(eur(100))
    const bag = { quantity: '25', unit: 'kg' }
    const soldByBag = item([sku('a', [seen({ cents: 8, unit: 'kg' })])], { unit: 'bag', pack: bag })
    expect(reprice(soldByBag, AS_OF).headline).toEqual(eur(200))
  })

  test('reads ml by the language and the format of the vendor', () => {
    const sold = seen({ unit: 'ml' })
    const byMetre = (say: Partial<Observed>, format: Partial<SkuPrices> = {}) =>
      reprice(item([sku('a', [{ ...sold, ...say }], format)], { unit: 'm' }), AS_OF).headline
    expect(byMetre({ lang: 'es' })).toEqual(eur(100))
    expect(byMetre({}, { format: 'bc3' })).toEqual(eur(100))
    expect(byMetre({})).toBeNull()
    expect(byMetre({ lang: 'en' })).toBeNull()
  })

  test('with tax at a missing or invalid rate stands as it is, and is flagged', () => {
    for (const taxRate of [null, '21', '-0.1']) {
      const result = one(seen({ cents: 121, taxIncluded: true, taxRate }))
      expect(result.headline).toEqual(eur(121))
      expect(result.flags).toEqual([{ id: `a:obs-${ago(1)}-121`, reason: 'TAX_UNKNOWN' }])
    }
  })

  test('above the largest publishable amount does not vote', () => {
    const result = reprice(item([sku('a', [seen({ cents: 9e15, unit: 'kg' })])], { unit: 't' }), AS_OF)
    expect(result.headline).toBeNull()
    expect(reasonsOf(result)).toEqual(['PRICE_OUT_OF_RANGE'])
  })
})

describe('verdicts', () => {
  test('excludes a suspect price, and the price before it votes', () => {
    const result = one(seen({ observedAt: ago(9), cents: 100 }), seen({ observedAt: ago(1), cents: 1000 }))
    expect(result.headline).toEqual(eur(100))
    expect(result.basis.excluded).toEqual([{ id: `a:obs-${ago(1)}-1000`, reason: 'PRICE_FENCE' }])
  })

  test('a new level votes when another source is there already', () => {
    const suspect = sku('a', [seen({ observedAt: ago(9), cents: 100 }), seen({ observedAt: ago(1), cents: 1000 })])
    const confirming = (say: Partial<SkuPrices>, observed: Partial<Observed> = {}) =>
      reasonsOf(priced(suspect, sku('b', [seen({ cents: 900, observedAt: ago(3), ...observed })], say)))
    expect(confirming({})).toEqual([])
    // Only an eligible price can confirm.
    expect(confirming({ enabled: false })).toContain('PRICE_FENCE')
    expect(confirming({ trust: 0 })).toContain('PRICE_FENCE')
    expect(confirming({ validityDays: 2 })).toContain('PRICE_FENCE')
    expect(confirming({}, { override: 'quarantined' })).toContain('PRICE_FENCE')
    expect(confirming({}, { unit: 'm2' })).toContain('PRICE_FENCE')
    expect(confirming({}, { currency: 'USD' })).toContain('PRICE_FENCE')
  })

  test('two sources that rise together confirm each other, whichever comes first', () => {
    const rising = (name: string) =>
      sku(name, [seen({ observedAt: ago(9), cents: 100 }), seen({ observedAt: ago(1), cents: 1000 })])
    expect(priced(rising('a'), rising('b')).headline).toEqual(eur(1000))
    expect(priced(rising('b'), rising('a'))).toEqual(priced(rising('a'), rising('b')))
  })

  test('the fence compares prices per item unit, so a change of pack is no jump', () => {
    const bag = seen({ observedAt: ago(9), cents: 2_500, unit: 'bag', pack: { quantity: '25', unit: 'kg' } })
    expect(one(bag, seen({ observedAt: ago(1), cents: 110 })).headline).toEqual(eur(110))
  })

  test('let people override the fence but not the window', () => {
    const before = seen({ observedAt: ago(9), cents: 100 })
    const quarantined = one(before, seen({ observedAt: ago(1), cents: 110, override: 'quarantined' }))
    expect(quarantined.headline).toEqual(eur(100))
    expect(reasonsOf(quarantined)).toEqual(['QUARANTINED'])
    expect(one(before, seen({ observedAt: ago(1), cents: 1000, override: 'released' })).headline).toEqual(eur(1000))
    expect(one(seen({ observedAt: ago(40), override: 'released' })).headline).toBeNull()
  })
})

describe('the list of exclusions', () => {
  test('omits observations that a fresher vote superseded', () => {
    const result = one(
      seen({ observedAt: ago(40) }),
      seen({ observedAt: ago(5), cents: 0 }),
      seen({ observedAt: ago(1) }),
    )
    expect(result.basis.excluded).toEqual([])
  })

  test('covers the latest instant only, with one observation per reason', () => {
    const result = one(
      seen({ observedAt: ago(60), observationId: 'older' }),
      seen({ observedAt: ago(40), observationId: 'c' }),
      seen({ observedAt: ago(40), observationId: 'b' }),
      seen({ observedAt: ago(40), observationId: 'a', unit: 'm2' }),
    )
    expect(result.basis.excluded).toEqual([
      { id: 'a:a', reason: 'UNIT_MISMATCH' },
      { id: 'a:b', reason: 'EXPIRED' },
    ])
  })

  test('includes ineligible observations at the instant of the vote', () => {
    const result = one(seen({ cents: 100 }), seen({ cents: 0 }))
    expect(result.headline).toEqual(eur(100))
    expect(reasonsOf(result)).toEqual(['NOT_POSITIVE'])
  })
})

describe('currencies', () => {
  test.each([
    {
      shows: 'most trust settles',
      votes: [
        ['EUR', 50],
        ['USD', 30],
        ['USD', 30],
      ],
      settled: 'USD',
    },
    {
      shows: 'equal trust: more votes settle',
      votes: [
        ['EUR', 60],
        ['USD', 30],
        ['USD', 30],
      ],
      settled: 'USD',
    },
    {
      shows: 'equal trust and votes: the first code settles',
      votes: [
        ['USD', 50],
        ['EUR', 50],
      ],
      settled: 'EUR',
    },
    { shows: 'no votes settle nothing', votes: [], settled: null },
  ] as { shows: string; votes: [string, number][]; settled: string | null }[])('$shows', ({ votes, settled }) => {
    const given = votes.map(([currency, weight]) => ({ currency, weight }))
    expect(settlementCurrency(given)).toBe(settled)
    expect(settlementCurrency(given.toReversed())).toBe(settled)
  })

  test('are never mixed: a vote in another currency is listed and decides its own market only', () => {
    const result = priced(
      sku('a', [seen({ cents: 100 })], { trust: 60 }),
      sku('b', [seen({ cents: 90_000, currency: 'CLP' })], { region: 'CL', trust: 50 }),
    )
    expect(result.headline).toEqual(eur(100))
    expect(result.basis).toMatchObject({ voters: 1, trust_total: 60, currency: 'EUR' })
    expect(result.basis.votes.map((vote) => [vote.currency, vote.markets])).toEqual([
      ['EUR', ['ES', 'EU']],
      ['CLP', ['CL', 'LATAM']],
    ])
    expect(result.basis.excluded).toEqual([{ id: `b:obs-${ago(1)}-90000`, reason: 'OTHER_CURRENCY' }])
    expect(result.markets.map(({ region, median }) => [region, median])).toEqual([
      ['CL', { cents: 90_000, currency: 'CLP' }],
      ['ES', eur(100)],
      ['EU', eur(100)],
      ['LATAM', { cents: 90_000, currency: 'CLP' }],
    ])
  })
})

describe('markets', () => {
  test.each([
    ['ES', ['ES', 'EU']],
    ['FR', ['EU']],
    ['PT', ['EU']],
    ['EU', ['EU']],
    ['GB', ['GB']],
    ['US', ['US']],
    ['AR', ['AR', 'LATAM']],
    ['UY', ['LATAM', 'UY']],
    ['LATAM', ['LATAM']],
    ['JP', []],
    [null, []],
  ])('a source of %s votes in %j', (region, expanded) => {
    expect(expandedRegions(region)).toEqual(expanded)
  })

  test('have the median and the vendors of their own region', () => {
    const result = priced(
      sku('a', [seen({ cents: 100 })]),
      sku('b', [seen({ cents: 200 })], { region: 'FR' }),
      sku('c', [seen({ cents: 120 })], { region: null }),
      sku('d', [seen({ cents: 130, observedAt: ago(50) })], { region: 'US' }),
    )
    expect(result.regions).toEqual(['ES', 'EU', 'US'])
    expect(result.markets).toEqual([
      { region: 'ES', median: eur(100), vendorCount: 1 },
      { region: 'EU', median: eur(150), vendorCount: 2 },
      { region: 'US', median: null, vendorCount: 1 },
    ])
    expect(result.headline).toEqual(eur(120))
    expect(result.vendorCount).toBe(4)
  })

  test('settle their own currency where a region holds two', () => {
    const result = priced(
      sku('a', [seen({ cents: 100 })], { trust: 90 }),
      sku('b', [seen({ cents: 500, currency: 'SEK' })], { region: 'SE', trust: 50 }),
      sku('c', [seen({ cents: 510, currency: 'SEK' })], { region: 'SE', trust: 50 }),
    )
    expect(result.headline).toEqual({ cents: 505, currency: 'SEK' })
    expect(result.markets.map(({ region, median }) => [region, median])).toEqual([
      ['ES', eur(100)],
      ['EU', { cents: 505, currency: 'SEK' }],
    ])
    expect(result.basis.votes.map((vote) => vote.markets)).toEqual([['ES'], ['EU'], ['EU']])
  })
})

describe('laws', () => {
  const observed = fc
    .record({
      days: fc.integer({ min: -2, max: 34 }),
      laterMs: fc.constantFrom(0, 0, 0, 1),
      cents: fc.constantFrom(0, 90, 100, 101, 110, 333, 1000, 10_000),
      currency: fc.constantFrom('EUR', 'EUR', 'EUR', 'USD'),
      perQuantity: fc.constantFrom(1, 1, 3),
      minQuantity: fc.constantFrom(null, null, '1', '12.5'),
      taxIncluded: fc.constantFrom(null, false, true),
      taxRate: fc.constantFrom(null, '0.21', '0.1'),
      unit: fc.constantFrom('kg', 'kg', 'kg', 't', 'm2', null),
      override: fc.constantFrom(null, null, null, 'quarantined' as const, 'released' as const),
    })
    .map(({ days, laterMs, ...say }) => seen({ ...say, observedAt: ago(days, { laterMs }) }))
  const skuFields = fc.record({
    kind: fc.constantFrom('shop' as const, 'bank' as const, 'bid' as const),
    region: fc.constantFrom('ES', 'FR', 'MX', 'US', null),
    trust: fc.constantFrom(0, 1, 50, 50, 99),
    validityDays: fc.constantFrom(5, 30),
    enabled: fc.constantFrom(true, true, true, false),
  })
  const skus = fc.array(fc.tuple(fc.array(observed, { maxLength: 6 }), skuFields), { maxLength: 5 }).map((all) =>
    all.map(([observations, say], index) =>
      sku(
        String.fromCharCode(97 + index),
        observations.map((each, at) => ({ ...each, observationId: `o${at}` })),
        say,
      ),
    ),
  )
  const shuffled = <T>(all: readonly T[]) =>
    fc.shuffledSubarray([...all], { minLength: all.length, maxLength: all.length })
  const RUNS = { numRuns: 300 }

  test('the order of SKUs and of observations does not matter', () => {
    const cases = skus.chain((given) =>
      fc.record({
        given: fc.constant(given),
        other: fc
          .tuple(...given.map((each) => shuffled(each.observations).map((observations) => ({ ...each, observations }))))
          .chain((all) => shuffled(all)),
      }),
    )
    fc.assert(
      fc.property(cases, ({ given, other }) => {
        expect(priced(...other)).toEqual(priced(...given))
      }),
      RUNS,
    )
  })

  test('an observation given twice counts once', () => {
    fc.assert(
      fc.property(skus, (given) => {
        // Only some repeat: doubling all of them would leave a lower median unchanged.
        const again = given.map((each) => ({
          ...each,
          observations: [...each.observations, ...each.observations.slice(1), ...each.observations.slice(2)],
        }))
        expect(priced(...again)).toEqual(priced(...given))
      }),
      RUNS,
    )
  })

  test('an observation after as_of changes nothing', () => {
    fc.assert(
      fc.property(skus, fc.integer({ min: 0, max: 20 }), (given, days) => {
        const asOf = ago(days)
        const known = given.map((each) => ({
          ...each,
          observations: each.observations.filter(({ observedAt }) => Date.parse(observedAt) <= Date.parse(asOf)),
        }))
        expect(reprice(item(given), asOf)).toEqual(reprice(item(known), asOf))
      }),
      RUNS,
    )
  })

  test('every source has one vote or a reason, and every basis fits its event', () => {
    fc.assert(
      fc.property(skus, (given) => {
        const result = priced(...given)
        expect(Basis.parse(result.basis)).toEqual(result.basis)
        const voting = new Set(result.basis.votes.map((vote) => vote.vendor_sku_id))
        expect(voting.size).toBe(result.basis.votes.length)
        for (const { vendorSkuId, observations } of given) {
          const ids = observations
            .filter((each) => Date.parse(each.observedAt) <= Date.parse(AS_OF))
            .map((each) => each.observationId)
          const explained = result.basis.excluded.some(({ id }) => id === vendorSkuId || ids.includes(id))
          if (ids.length > 0) expect(voting.has(vendorSkuId) || explained).toBe(true)
        }
        const { headline, basis } = result
        expect(headline === null).toBe(basis.voters === 0)
        if (headline && basis.p25 !== null && basis.p75 !== null) {
          expect(headline.cents).toBeGreaterThanOrEqual(basis.p25)
          expect(headline.cents).toBeLessThanOrEqual(basis.p75)
        }
      }),
      RUNS,
    )
  })

  test('an unconfirmed slip changes no median', () => {
    const factor = fc.constantFrom(10, 100, 1000)
    fc.assert(
      fc.property(fc.integer({ min: 50, max: 150 }), factor, (cents, by) => {
        const steady = [seen({ observedAt: ago(9), cents }), seen({ observedAt: ago(8), cents: cents + 1 })]
        const slipped = [...steady, seen({ observedAt: ago(2), cents: cents * by })]
        expect(one(...slipped).headline).toEqual(one(...steady).headline)
      }),
    )
  })
})
