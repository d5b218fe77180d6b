import { DAY_MS, instant } from '@catalog/core/time.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TWM_3, TWM_4 } from './median.ts'
import { type Repriced, reprice } from './reprice.ts'
import type { SkuPrices } from './sku-prices.ts'
import { isSubdivision } from './subdivisions.ts'

const AS_OF = '2026-06-30T02:00:00Z'

type Say = Readonly<{
  vendor: string
  region: string | null
  cents: number
  currency?: string
  trust?: number
  recordedAtMs?: number
}>
/** The SKU of a vendor in a country, with one price. */
const sku = ({ vendor, region, cents, currency = 'EUR', trust = 50, recordedAtMs = 0 }: Say): SkuPrices => {
  const id = `${vendor}-${region}`
  return {
    vendorSkuId: `vsku_${id}`,
    sourceId: `src_${id}`,
    vendorId: vendor,
    kind: 'shop',
    region,
    trust,
    validityDays: 30,
    enabled: true,
    observations: [
      {
        observationId: id,
        observedAt: instant(new Date(Date.parse(AS_OF) - DAY_MS)),
        cents,
        currency,
        perQuantity: 1,
        minQuantity: null,
        taxIncluded: false,
        taxRate: null,
        unit: 'kg',
        pack: null,
        crawls: [`crawl of ${id}`],
        recordedAtMs,
        override: null,
      },
    ],
  }
}
const priced = (said: readonly Say[], method = TWM_4): Repriced =>
  reprice({ unit: 'kg', pack: null, skus: said.map(sku) }, AS_OF, method)
const marketsOf = ({ headline, markets }: Repriced) =>
  Object.fromEntries([
    ['headline', headline?.cents],
    ...markets.map(({ region, median, vendorCount }) => [region, `${median?.cents} of ${vendorCount}`]),
  ])

describe('a legal vendor', () => {
  test('votes in each of its countries, and above them once: with the middle of its prices', () => {
    const prices = [300, 120, 130, 110].map((cents, i) => ({
      vendor: 'v',
      region: ['ES', 'FR', 'IT', 'DE'][i] as string,
      cents,
    }))
    const result = priced([...prices, { vendor: 'other', region: 'ES', cents: 200 }])
    expect(marketsOf(result)).toEqual({ headline: 160, ES: '250 of 2', EU: '160 of 2' })
    expect(result.vendorCount).toBe(2)
    expect(result.basis.excluded.map(({ id, reason }) => `${id} ${reason}`)).toEqual([
      'v-DE SAME_PUBLISHER',
      'v-ES SAME_PUBLISHER',
      'v-IT SAME_PUBLISHER',
    ])
  })

  test('votes in the union with its price for the union where it has one', () => {
    const own = [
      ['ES', 300],
      ['FR', 120],
      ['EU', 140],
    ] as const
    const result = priced(own.map(([region, cents]) => ({ vendor: 'v', region, cents })))
    expect(marketsOf(result)).toEqual({ headline: 140, ES: '300 of 1', EU: '140 of 1' })
  })

  test('speaks in the currency of most of its countries', () => {
    const result = priced([
      { vendor: 'v', region: 'MX', cents: 900, currency: 'MXN' },
      { vendor: 'v', region: 'CL', cents: 500, currency: 'USD' },
      { vendor: 'v', region: 'PE', cents: 510, currency: 'USD' },
    ])
    expect([result.headline, marketsOf(result).MX]).toEqual([{ cents: 500, currency: 'USD' }, '900 of 1'])
  })

  test('counts its subdivisions for their country alone', () => {
    const own = [
      ['BR-SP', 110],
      ['BR-RJ', 130],
      ['BR-MG', 150],
      ['AR', 400],
    ] as const
    const result = priced(own.map(([region, cents]) => ({ vendor: 'v', region, cents, currency: 'USD' })))
    expect(marketsOf(result)).toMatchObject({ headline: 130, BR: '130 of 1', AR: '400 of 1', LATAM: '130 of 1' })
  })

  test('judges others with one voice', () => {
    const crowd = ['ES', 'FR', 'IT', 'DE'].map((region) => ({ vendor: 'crowd', region, cents: 5 }))
    const late = { vendor: 'honest', region: 'ES', cents: 471, recordedAtMs: 1000 }
    expect(priced([...crowd, late]).basis.excluded.map(({ reason }) => reason)).not.toContain('FIRST_PRICE_QUARANTINED')
    expect(priced([...crowd, late]).vendorCount).toBe(2)
  })

  test('with one country each votes as by twm/3', () => {
    const vendors = ['ES', 'FR', 'MX', null].map((region, i) => ({ vendor: `v${i}`, region, cents: 100 + i }))
    const { basis, ...medians } = priced(vendors)
    const { basis: former, ...before } = priced(vendors, TWM_3)
    expect(medians).toEqual(before)
    expect({ ...basis, method_version: 'twm/3' }).toEqual(former)
  })
})

describe('laws of twm/4', () => {
  const regions = ['ES', 'FR', 'EU', 'BR', 'BR-SP', 'BR-RJ', 'AR', 'LATAM', 'US', null]
  const said = fc.uniqueArray(
    fc.record({
      vendor: fc.constantFrom('a', 'b', 'c'),
      region: fc.constantFrom(...regions),
      cents: fc.integer({ min: 90, max: 2000 }),
      currency: fc.constantFrom('EUR', 'USD'),
      trust: fc.integer({ min: 0, max: 100 }),
    }),
    { selector: ({ vendor, region }) => `${vendor} ${region}`, minLength: 1, maxLength: 14 },
  )

  test('law: a vendor casts one vote in a market, whatever it lists, and the order decides nothing', () => {
    fc.assert(
      fc.property(said, (all) => {
        const result = priced(all)
        expect(priced(all.toReversed())).toEqual(result)
        const vendorOf = (skuId: string) => skuId.slice('vsku_'.length).split('-')[0]
        for (const { region, vendorCount } of result.markets) {
          const voters = result.basis.votes.filter(({ markets }) => markets.includes(region))
          if (!isSubdivision(region)) {
            expect(new Set(voters.map(({ vendor_sku_id }) => vendorOf(vendor_sku_id))).size).toBe(voters.length)
          }
          expect(voters.length).toBeLessThanOrEqual(vendorCount)
        }
        expect(result.basis.voters).toBeLessThanOrEqual(result.vendorCount)
      }),
    )
  })

  test('law: more countries of a vendor move no market above further than one vote of it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 9 }), (cents, count) => {
        const honest = [471, 460, 485].map((price, i) => ({ vendor: `h${i}`, region: 'ES', cents: price }))
        const countries = ['FR', 'IT', 'DE', 'PT', 'AT', 'BE', 'NL', 'PL', 'SE'].slice(0, count)
        const many = priced([...honest, ...countries.map((region) => ({ vendor: 'v', region, cents }))])
        const one = priced([...honest, { vendor: 'v', region: 'FR', cents }])
        expect([many.headline, many.markets]).toEqual([one.headline, one.markets])
      }),
    )
  })
})
