import { Basis } from '@catalog/core/events/items.ts'
import { parseRational } from '@catalog/core/money/rational.ts'
import { standardVatRate, VAT_REGIONS } from '@catalog/core/money/standard-rates.ts'
import { DAY_MS, instant } from '@catalog/core/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TWM_1, TWM_3 } from './median.ts'
import { type Repriced, reprice } from './reprice.ts'
import type { Observed, SkuPrices } from './sku-prices.ts'
import type { TaxRule, TaxRules } from './tax-rules.ts'

const AS_OF = '2026-06-30T02:00:00Z'
const ago = (days: number) => instant(new Date(Date.parse(AS_OF) - days * DAY_MS))

type Say = Partial<Observed> & { crawl?: string }
/** Later than all other prices. */
const LATER = { recordedAtMs: 1000 }
/** One price, from a crawl of its own unless said. */
const seen = (cents: number, { crawl, ...say }: Say = {}): Observed => ({
  observationId: '',
  observedAt: ago(1),
  cents,
  currency: 'EUR',
  perQuantity: 1,
  minQuantity: null,
  taxIncluded: false,
  taxRate: null,
  unit: 'kg',
  pack: null,
  override: null,
  ...(crawl && { crawls: [crawl] }),
  ...say,
})
const sku = (name: string, observations: readonly Observed[], say: Partial<SkuPrices> = {}): SkuPrices => ({
  vendorSkuId: `vsku_${name}`,
  sourceId: `src_${name}`,
  kind: 'shop',
  region: 'ES',
  trust: 50,
  validityDays: 30,
  enabled: true,
  observations: observations.map((one, i) => ({
    ...one,
    observationId: `${name}${i}`,
    crawls: one.crawls ?? [`crawl of ${name}${i}`],
  })),
  ...say,
})
const guarded = (skus: readonly SkuPrices[], taxRules?: TaxRules): Repriced =>
  reprice({ unit: 'kg', pack: null, skus }, AS_OF, TWM_3, taxRules)
const honest = [471, 465, 480].map((cents, i) => sku(`h${i}`, [seen(cents)]))
const excludedIn = ({ basis }: Repriced) => basis.excluded.map(({ id, reason }) => `${id} ${reason}`)
const voteOf = ({ basis }: Repriced, name: string) =>
  basis.votes.find(({ vendor_sku_id }) => vendor_sku_id === `vsku_${name}`)

describe('the tax of a vote', () => {
  const rules = (rule: Partial<TaxRule>): TaxRules =>
    new Map([['ES', { notStated: 'as_is', grossWithoutRate: 'as_is', ...rule } as TaxRule]])
  const gross = (name: string, cents: number, say: Say = {}) =>
    sku(name, [seen(cents, { taxIncluded: true, taxRate: '0.21', ...say })])
  const open = (name: string, cents: number, say: Say = {}) => sku(name, [seen(cents, { taxIncluded: null, ...say })])

  test('has four states, which the basis counts', () => {
    const result = guarded([
      sku('net', [seen(100)]),
      gross('gross', 121),
      gross('bare', 130, { taxRate: null }),
      open('open', 124),
    ])
    expect(result.basis.tax).toEqual({ net: 1, gross_with_rate: 1, gross_without_rate: 1, not_stated: 1 })
    expect(result.basis.votes.map(({ price, tax, flags }) => [price, tax?.state, tax?.rate, flags])).toEqual([
      ['130', 'gross_without_rate', null, ['TAX_UNKNOWN']],
      ['100', 'gross_with_rate', '0.21', []],
      ['100', 'net', null, []],
      ['124', 'not_stated', null, []],
    ])
    expect(Basis.parse(result.basis)).toEqual(result.basis)
  })

  test('without a rate is removed at the standard rate of the day, where the operator allows it', () => {
    const bare = [gross('bare', 121, { taxRate: null })]
    const allowed = rules({ grossWithoutRate: 'standard_rate' })
    expect(voteOf(guarded(bare, allowed), 'bare')).toMatchObject({
      price: '100',
      tax: { state: 'gross_without_rate', rate: '0.21', by: 'standard_rate' },
      flags: [],
    })
    expect(voteOf(guarded(bare, rules({ notStated: 'majority' })), 'bare')).toMatchObject({ price: '121' })
    const old = [gross('old', 116, { taxRate: null, observedAt: '2010-06-30T23:59:59Z' })]
    const then = reprice({ unit: 'kg', pack: null, skus: old }, '2010-07-02T00:00:00Z', TWM_3, allowed)
    expect(then.basis.votes[0]).toMatchObject({ price: '100', tax: { rate: '0.16' } })
  })

  test('that is not stated follows the majority of the trust that states it, where the operator says so', () => {
    const asked = rules({ notStated: 'majority' })
    const mostlyGross = [gross('a', 121), gross('b', 121), sku('c', [seen(100)]), open('o', 121)]
    expect(voteOf(guarded(mostlyGross, asked), 'o')).toMatchObject({
      price: '100',
      tax: { state: 'not_stated', rate: '0.21', by: 'majority' },
    })
    expect(voteOf(guarded(mostlyGross), 'o')).toMatchObject({ price: '121', tax: { rate: null, by: null } })
    const mostlyNet = [gross('a', 121), sku('c', [seen(100)], { trust: 80 }), open('o', 121)]
    expect(voteOf(guarded(mostlyNet, asked), 'o')).toMatchObject({ price: '121', tax: { by: 'majority' } })
    const halves = [gross('a', 121), sku('c', [seen(100)]), open('o', 121)]
    expect(voteOf(guarded(halves, asked), 'o')).toMatchObject({ price: '121', tax: { by: null } })
    const elsewhere = [gross('a', 120, { taxRate: '0.2' }), open('o', 121)].map((one) =>
      one.vendorSkuId === 'vsku_a' ? { ...one, region: 'FR' } : one,
    )
    expect(voteOf(guarded(elsewhere, asked), 'o')).toMatchObject({ price: '121', tax: { by: null } })
  })

  test('a price in quarantine has no say in the majority', () => {
    const far = sku('far', [seen(1, { taxIncluded: false })], { trust: 100 })
    const skus = [gross('a', 121), gross('b', 122), gross('c', 123), far, open('o', 121)]
    expect(voteOf(guarded(skus, rules({ notStated: 'majority' })), 'o')).toMatchObject({ price: '100' })
  })

  test('standard rates change on their day, and none is known before 2010 or where states set it', () => {
    const at = (region: string, day: string) => standardVatRate(region, Date.parse(day))
    expect(['2012-08-31T23:59:59Z', '2012-09-01T00:00:00Z'].map((day) => at('ES', day))).toEqual(['0.18', '0.21'])
    expect(['2020-06-30', '2020-07-01', '2021-01-01'].map((day) => at('DE', day))).toEqual(['0.19', '0.16', '0.19'])
    expect([at('ES', '2009-12-31'), at('US', '2026-01-01'), at('BR', '2026-01-01'), standardVatRate(null, 0)]).toEqual([
      null,
      null,
      null,
      null,
    ])
    for (const region of VAT_REGIONS) expect(at(region, '2026-01-01')).toMatch(/^0\.\d{1,3}$/)
  })
})

describe('a quantity tier', () => {
  const single = seen(100, { observedAt: ago(10) })
  const tier = seen(60, { observedAt: ago(1), minQuantity: '100' })

  test('leaves the vote to an older single price within its validity', () => {
    const result = guarded([sku('a', [single, tier])])
    expect(result.headline).toEqual({ cents: 100, currency: 'EUR' })
    expect(result.flags).toEqual([])
    expect(excludedIn(result)).toEqual(['a1 QUANTITY_TIER'])
    expect(reprice({ unit: 'kg', pack: null, skus: [sku('a', [single, tier])] }, AS_OF, TWM_1).headline?.cents).toBe(60)
  })

  test('votes flagged where the vendor has no valid price for one, and then the smallest', () => {
    const expired = { ...single, observedAt: ago(30) }
    const larger = seen(40, { observedAt: ago(0), minQuantity: '1000' })
    for (const observations of [[tier], [tier, larger], [expired, tier, larger]]) {
      const result = guarded([sku('a', observations)])
      expect(result.headline?.cents).toBe(60)
      expect(voteOf(result, 'a')?.flags).toEqual(['TIER_ONLY'])
    }
  })

  test('from one unit on is a single price, and equal quantities are one tier in any spelling', () => {
    expect(voteOf(guarded([sku('a', [seen(100, { minQuantity: '1.0' })])]), 'a')?.flags).toEqual([])
    const spelled = [seen(60, { observedAt: ago(2), minQuantity: '100.0' }), tier]
    expect(guarded([sku('a', spelled)]).headline?.cents).toBe(60)
  })

  test('confirms and fences no price of another quantity', () => {
    const cheap = seen(20, { observedAt: ago(5), minQuantity: '100' })
    const later = seen(19, { observedAt: ago(4), minQuantity: '100' })
    expect(excludedIn(guarded([sku('a', [single, cheap, later])]))).toEqual(['a2 QUANTITY_TIER'])
  })
})

describe('a far first price', () => {
  test('waits in quarantine, and the others keep their median', () => {
    const result = guarded([...honest, sku('x', [seen(5)], { trust: 100 })])
    expect(result.headline?.cents).toBe(471)
    expect(excludedIn(result)).toEqual(['x0 FIRST_PRICE_QUARANTINED'])
  })

  test('needs three others in its market', () => {
    expect(guarded([...honest.slice(1), sku('x', [seen(5)])]).basis.voters).toBe(3)
    expect(guarded([...honest, sku('x', [seen(5)], { region: 'GB' })]).basis.voters).toBe(4)
    expect(guarded([...honest, sku('x', [seen(5)], { region: null })]).basis.voters).toBe(3)
  })

  test.each([
    ['shop', 48, 3],
    ['shop', 46, 4],
    ['shop', 4650, 4],
    ['shop', 4800, 3],
    ['bank', 46, 4],
    ['bid', 46, 4],
    ['bid', 15, 3],
  ] as const)('of a %s at %d is a matter of its factor', (kind, cents, voters) => {
    const near = guarded([...honest, sku('x', [seen(cents)], { kind })])
    const isFar = cents < 47 ? cents < 465 / 10 : cents >= 4800
    expect(near.basis.voters).toBe(kind === 'bid' ? voters : isFar ? 3 : 4)
  })

  test('waits for five deviations where the others lie far apart', () => {
    const apart = [100, 300, 900].map((cents, i) => sku(`h${i}`, [seen(cents)]))
    expect(guarded([...apart, sku('x', [seen(10)])]).basis.voters).toBe(4)
    expect(guarded([...apart, sku('x', [seen(1)])]).basis.voters).toBe(3)
  })

  test('votes when a second crawl delivers a like price or the same one again, or a person releases it', () => {
    const later = seen(6, { observedAt: ago(0) })
    expect(guarded([...honest, sku('x', [seen(5), later])]).basis.voters).toBe(4)
    expect(guarded([...honest, sku('x', [seen(5, { crawls: ['one', 'two'] })])]).basis.voters).toBe(4)
    expect(guarded([...honest, sku('x', [seen(5, { override: 'released' })])]).basis.voters).toBe(4)
    // One crawl confirms nothing of its own, whatever dates it brings.
    const dated = [seen(5, { crawl: 'one', observedAt: ago(20) }), seen(5, { crawl: 'one' })]
    expect(guarded([...honest, sku('x', dated)]).basis.voters).toBe(3)
    // A right price that follows is the first one.
    const corrected = guarded([...honest, sku('x', [seen(5, { observedAt: ago(9) }), seen(470)])])
    expect(voteOf(corrected, 'x')?.price).toBe('470')
  })

  test('many inventions of one crawl do not confirm each other', () => {
    const invented = Array.from({ length: 40 }, (_, i) =>
      sku(`x${i}`, [seen(5, { crawl: 'attack', ...LATER })], { trust: 100 }),
    )
    expect(guarded([...honest, ...invented]).headline?.cents).toBe(471)
    // Neither do they by a plausible price of an earlier date, from which they then jump.
    const jump = [
      seen(470, { crawl: 'attack', observedAt: ago(9), ...LATER }),
      seen(5, { crawl: 'attack', ...LATER }),
      seen(5, { crawl: 'attack', observedAt: ago(0), ...LATER }),
    ]
    const jumping = Array.from({ length: 40 }, (_, i) => sku(`x${i}`, jump, { trust: 100 }))
    expect(guarded([...honest, ...jumping]).headline?.cents).toBe(470)
  })

  test('inventions of many later crawls neither confirm each other nor silence the vendors before them', () => {
    const invented = Array.from({ length: 40 }, (_, i) =>
      sku(`x${i}`, [seen(5, { recordedAtMs: 1000 + i })], { trust: 100 }),
    )
    const result = guarded([...honest, ...invented])
    expect([result.headline?.cents, result.basis.voters]).toEqual([471, 3])
  })

  test('earlier inventions do not outvote a level that two crawls brought', () => {
    const established = honest.map((one) => ({
      ...one,
      observations: one.observations.map((seen) => ({ ...seen, crawls: ['first', 'second'] })),
    }))
    const invented = Array.from({ length: 40 }, (_, i) => sku(`x${i}`, [seen(5, { recordedAtMs: -1 })], { trust: 100 }))
    expect(guarded([...established, ...invented]).headline?.cents).toBe(471)
  })
})

describe('laws of twm/3', () => {
  const observed = fc.record({
    cents: fc.constantFrom(1, 40, 90, 100, 110, 300, 1000, 12_000),
    observedAt: fc.constantFrom(ago(40), ago(20), ago(5), ago(1)),
    minQuantity: fc.constantFrom(null, null, null, '1', '10', '100'),
    taxIncluded: fc.constantFrom(false, false, true, null),
    taxRate: fc.constantFrom(null, '0.21', '0.1'),
    override: fc.constantFrom(null, null, null, 'released' as const, 'quarantined' as const),
    crawls: fc.constantFrom(['a'], ['b'], ['c'], ['a', 'b']),
    recordedAtMs: fc.constantFrom(1, 2, 3),
  })
  const market = fc
    .array(
      fc.record({
        observations: fc.array(observed, { minLength: 1, maxLength: 4 }),
        trust: fc.constantFrom(0, 20, 50, 100),
        region: fc.constantFrom('ES', 'ES', 'FR', null),
        kind: fc.constantFrom('shop' as const, 'bid' as const, 'bank' as const),
      }),
      { minLength: 1, maxLength: 7 },
    )
    .map((skus) =>
      skus.map(({ observations, ...say }, i) =>
        sku(
          `v${i}`,
          observations.map((one) => seen(one.cents, one)),
          say,
        ),
      ),
    )
  const anyRules = fc
    .record({
      notStated: fc.constantFrom('as_is' as const, 'majority' as const),
      grossWithoutRate: fc.constantFrom('as_is' as const, 'standard_rate' as const),
    })
    .map((rule): TaxRules => new Map([['ES', rule]]))

  test('the order of SKUs and observations does not matter', () => {
    fc.assert(
      fc.property(market, anyRules, (skus, rules) => {
        const turned = skus.map((one) => ({ ...one, observations: one.observations.toReversed() })).toReversed()
        expect(guarded(turned, rules)).toEqual(guarded(skus, rules))
      }),
    )
  })

  test('prices k times as high give votes k times as high and the same verdicts', () => {
    fc.assert(
      fc.property(market, anyRules, fc.constantFrom(2, 7, 100), (skus, rules, k) => {
        const scaled = skus.map((one) => ({
          ...one,
          observations: one.observations.map((each) => ({ ...each, cents: each.cents * k })),
        }))
        const [before, after] = [guarded(skus, rules).basis, guarded(scaled, rules).basis]
        expect(after.excluded).toEqual(before.excluded)
        for (const [i, { price, ...vote }] of after.votes.entries()) {
          const { price: former, ...same } = before.votes[i] as typeof vote & { price: string }
          expect(vote).toEqual(same)
          const [a, b] = [parseRational(price), parseRational(former)]
          expect(a.n * b.d).toBe(BigInt(k) * b.n * a.d)
        }
      }),
    )
  })

  test('on plain votes it is twm/1', () => {
    const plain = fc.array(fc.record({ cents: fc.integer({ min: 100, max: 290 }), trust: fc.nat(100) }), {
      maxLength: 8,
    })
    fc.assert(
      fc.property(plain, anyRules, (votes, rules) => {
        const skus = votes.map(({ cents, trust }, i) => sku(`v${i}`, [seen(cents)], { trust }))
        const { basis, ...rest } = guarded(skus, rules)
        const { tax: _t, votes: own, ...bare } = basis
        const asFirst = { ...bare, votes: own.map(({ tax: _x, flags: _f, ...vote }) => vote) }
        const first = reprice({ unit: 'kg', pack: null, skus }, AS_OF, TWM_1)
        expect({ ...rest, basis: { ...asFirst, method_version: 'twm/1' } }).toEqual(first)
      }),
    )
  })

  test('no new voter beyond the fence moves a median outside the spread of the honest vendors', () => {
    const spread = fc.array(fc.integer({ min: 1000, max: 1400 }), { minLength: 3, maxLength: 8 })
    fc.assert(
      fc.property(
        spread,
        fc.integer({ min: 1, max: 500_000 }),
        fc.integer({ min: 1, max: 100 }),
        (prices, price, trust) => {
          const vendors = prices.map((cents, i) => sku(`h${i}`, [seen(cents)]))
          const cents = guarded([...vendors, sku('x', [seen(price)], { trust })]).headline?.cents as number
          const isBeyond = prices.every((one) => price * 10 <= one || one * 10 <= price)
          if (!isBeyond) return
          expect(cents).toBeGreaterThanOrEqual(Math.min(...prices))
          expect(cents).toBeLessThanOrEqual(Math.max(...prices))
        },
      ),
    )
  })
})
