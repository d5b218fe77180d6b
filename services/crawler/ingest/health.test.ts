import { sha256Hex } from '@catalog/core/digest.ts'
import type { ObservationContent } from '@catalog/formats/mapping/candidate.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FingerprintMap, fingerprintOf } from './fingerprint-map.ts'
import {
  type Former,
  fewRecordsProblem,
  HEALTH_LIMITS,
  problemsOf,
  rateProblem,
  SelectorPages,
  SourceProfile,
  selectorProblems,
} from './health.ts'

type Price = { ref: string; cents: number; name?: string; currency?: string; unit?: string | null }

const contentOf = ({ ref, cents, name = ref, currency = 'EUR', unit = 'm2' }: Price): ObservationContent => ({
  source: { id: 'src_a', name: 'A', region: 'ES', url: null },
  vendor_ref: ref,
  name,
  unit,
  price: { cents, currency, per_quantity: 1, kind: 'list', tax: { included: null } },
  observed_at: '2026-01-05T00:00:00Z',
})

function profileOf(prices: readonly Price[]): SourceProfile {
  const profile = new SourceProfile()
  for (const price of prices) {
    const content = contentOf(price)
    profile.add(content, { ref: sha256Hex(price.ref), product: sha256Hex(`${content.name}\n${content.unit}`) })
  }
  return profile
}

function formerOf(prices: readonly Price[]): Former {
  const pages = async function* () {
    for (const { ref, cents } of prices) yield [{ vendor_ref: ref, cents, currency: 'EUR', per_quantity: 1 }]
  }
  return { layout: profileOf(prices).layout(), prices: pages() }
}

const hundred = Array.from({ length: 100 }, (_, n): Price => ({ ref: `S-${n}`, cents: 1000 + n }))
const comparedWith = (former: Former | null, prices: readonly Price[], partial = false) =>
  profileOf(prices).compare(former, { refOf: sha256Hex, partial })
const compared = async (...given: Parameters<typeof comparedWith>) => (await comparedWith(...given)).health

describe('the figures of a crawl compared with the one before', () => {
  it('finds nothing vanished and nothing changed among the same prices', async () => {
    expect(await compared(formerOf(hundred), hundred)).toMatchObject({
      known: 100,
      vanished: 0,
      changed: 0,
      price_ratio: 1,
    })
  })

  it('counts a SKU with several prices once, by its lowest price', async () => {
    const tiers = [1200, 1000, 1100].map((cents) => ({ ref: 'S-1', cents }))
    expect(await compared(formerOf(tiers), [...tiers].reverse())).toMatchObject({ known: 1, vanished: 0, changed: 0 })
    expect(await compared(formerOf(tiers), tiers.slice(0, 1))).toMatchObject({ known: 1, changed: 1, price_ratio: 1.2 })
  })

  it('has a layout and no known SKUs without a former crawl', async () => {
    const { layout, ...figures } = await compared(null, hundred)
    expect(figures).toEqual({ known: 0, vanished: 0, changed: 0 })
    expect(layout).toMatchObject({ unit: 1, gtin: 0, EUR: 1, names: 1 })
  })

  it('counts nothing as vanished in a partial crawl', async () => {
    expect(await compared(formerOf(hundred), hundred.slice(0, 10), true)).toMatchObject({ known: 10, vanished: 0 })
  })

  it('agrees with plain sets on any two crawls', async () => {
    const prices = fc.uniqueArray(
      fc.record({ ref: fc.integer({ min: 0, max: 60 }).map(String), cents: fc.integer({ min: 1, max: 3 }) }),
      { selector: ({ ref }) => ref },
    )
    await fc.assert(
      fc.asyncProperty(prices, prices, async (before, now) => {
        const is = new Map(now.map(({ ref, cents }) => [ref, cents]))
        const common = before.filter(({ ref }) => is.has(ref))
        expect(await compared(formerOf(before), now)).toMatchObject({
          known: before.length,
          vanished: before.length - common.length,
          changed: common.filter(({ ref, cents }) => is.get(ref) !== cents).length,
        })
      }),
      { numRuns: 50 },
    )
  })
})

describe('the reasons to hold a crawl', () => {
  const judged = async (
    prices: readonly Price[],
    { before = hundred, parseRate = 1, was = 1, partial = false, read = prices.length }: Partial<Judged> = {},
  ) => {
    const { health, examples } = await comparedWith(before && formerOf(before), prices, partial)
    const [crawl, limits] = [{ read, parsed: read * parseRate, partial, isWhole: true }, HEALTH_LIMITS.shop]
    const ofRate = rateProblem(crawl, before && was, { limits, parked: [] })
    const problems = problemsOf(health, { crawl, former: before && formerOf(before), limits, examples })
    return [...(ofRate ? [ofRate] : []), ...problems].map(({ code }) => code)
  }
  type Judged = { before: readonly Price[] | null; parseRate: number; was: number; partial: boolean; read: number }
  const with100 = (change: (price: Price, n: number) => Price) => hundred.map(change)

  it.each<[string, Parameters<typeof judged>, string[]]>([
    ['an unchanged shop', [hundred], []],
    ['a first crawl', [hundred, { before: null }], []],
    ['a first crawl of which little can be read', [hundred, { before: null, parseRate: 0.4 }], ['PARSE_RATE_FELL']],
    ['a parse rate that fell a little', [hundred, { parseRate: 0.89, was: 0.95 }], []],
    ['a parse rate that fell by more than a tenth', [hundred, { parseRate: 0.85, was: 0.95 }], ['PARSE_RATE_FELL']],
    ['a low parse rate that was accepted', [hundred, { parseRate: 0.39, was: 0.4 }], []],
    ['a low parse rate that falls further', [hundred, { parseRate: 0.35, was: 0.4 }], ['PARSE_RATE_FELL']],
    [
      'a partial crawl that can be read no more',
      [hundred.slice(0, 10), { parseRate: 0, partial: true }],
      ['PARSE_RATE_FELL'],
    ],
    ['the same of a few pages', [hundred.slice(0, 9), { parseRate: 0, partial: true }], []],
    ['two SKUs of three that left', [hundred.slice(0, 1), { before: hundred.slice(0, 3) }], []],
    ['all SKUs of two that left', [hundred.slice(5), { before: hundred.slice(0, 2) }], ['SKUS_VANISHED']],
    ['a third of the SKUs that left', [hundred.slice(0, 66)], ['SKUS_VANISHED']],
    ['the same in a partial crawl', [hundred.slice(0, 66), { partial: true }], []],
    ['a rise of all prices by a cent', [with100((one) => ({ ...one, cents: one.cents + 1 }))], ['PRICES_CHANGED']],
    ['the same in a partial crawl', [with100((one) => ({ ...one, cents: one.cents + 1 })), { partial: true }], []],
    [
      'prices with a lost decimal mark',
      [with100((one) => ({ ...one, cents: one.cents * 100 }))],
      ['PRICES_CHANGED', 'PRICES_JUMPED'],
    ],
    ['the same of a few', [with100((one, n) => (n < 10 ? { ...one, cents: one.cents * 100 } : one))], []],
    ['another currency', [with100((one) => ({ ...one, currency: 'USD' }))], ['LAYOUT_DRIFTED']],
    ['units that are gone', [with100((one) => ({ ...one, unit: null }))], ['LAYOUT_DRIFTED']],
    [
      'the same of a few pages that changed',
      [with100((one) => ({ ...one, unit: null })).slice(0, 9), { partial: true }],
      [],
    ],
    ['one name for everything', [with100((one) => ({ ...one, name: 'Welcome' }))], ['LAYOUT_DRIFTED']],
  ])('are as expected for %s', async (_name, given, codes) => {
    expect(await judged(...given)).toEqual(codes)
  })

  const problemsAmong = async (prices: readonly Price[]) => {
    const { health, examples } = await comparedWith(formerOf(hundred), prices)
    const crawl = { read: prices.length, parsed: prices.length, partial: false, isWhole: true }
    const problems = problemsOf(health, { crawl, former: formerOf(hundred), limits: HEALTH_LIMITS.shop, examples })
    return Object.fromEntries(problems.map(({ code, detail, examples }) => [code, { detail, examples }]))
  }

  it('name the found, the expected, and three SKUs that are missing', async () => {
    expect(await problemsAmong(hundred.slice(50))).toEqual({
      SKUS_VANISHED: {
        detail: '50 of 100 SKUs are missing, 50 %; expected at most 30 %',
        examples: ['S-0', 'S-1', 'S-10'].map(
          (ref) => `${ref}: 10.${ref.slice(2).padStart(2, '0')} EUR before, missing now`,
        ),
      },
    })
  })

  it('show the SKUs whose price changed most, before and now', async () => {
    const { PRICES_CHANGED: changed } = await problemsAmong(
      hundred.map((one, n) => ({ ...one, name: 'Brick', cents: one.cents + (n === 7 ? 5000 : 1) })),
    )
    expect(changed?.detail).toBe('100 of 100 SKUs have another price, 100 %; expected at most 80 %')
    expect(changed?.examples).toEqual([
      'S-7, Brick: 10.07 EUR before, 60.07 EUR now',
      'S-0, Brick: 10.00 EUR before, 10.01 EUR now',
      'S-1, Brick: 10.01 EUR before, 10.02 EUR now',
    ])
  })

  it('show records that lack the field, or that are in another currency', async () => {
    const problems = await problemsAmong(hundred.map((one) => ({ ...one, unit: null })))
    expect(problems.LAYOUT_DRIFTED?.examples).toEqual(['S-0', 'S-1', 'S-2'])
    const dollars = await problemsAmong(hundred.map((one) => ({ ...one, currency: 'USD' })))
    expect(dollars.LAYOUT_DRIFTED?.examples?.[0]).toMatch(/^S-\d+: 10\.\d\d USD$/)
  })
})

describe('the selectors of a source on the pages of a crawl', () => {
  /** Of a hundred pages, so many with a price and a unit. */
  function problems(
    { price, unit = 0, pages = 100 }: { price: number; unit?: number; pages?: number },
    { former, partial = false, driftMax = 0.5 }: { former?: object; partial?: boolean; driftMax?: number } = {},
  ) {
    const found = new SelectorPages()
    for (let page = 0; page < pages; page++) {
      const finding = (count: number) => ({ elements: 1, texts: page < count ? ['x'] : [] })
      found.add({ price: finding(price), ...(unit > 0 && { unit: finding(unit) }) })
    }
    return selectorProblems(found, {
      source: { id: 'src_a', selectors: { price: '.price', name: 'h1', unit: '.unit' } },
      former: former as Record<string, number> | undefined,
      partial,
      limits: { ...HEALTH_LIMITS.shop, driftMax },
    }).map(({ code, detail }) => `${code} ${detail.split(' ', 1)}`)
  }

  it.each<[string, Parameters<typeof problems>, string[]]>([
    ['a first crawl that finds some', [{ price: 1 }], []],
    ['a first crawl that finds none', [{ price: 0 }], ['SELECTOR_FINDS_NOTHING price']],
    ['a first crawl without pages', [{ price: 0, pages: 0 }], []],
    ['the same finds', [{ price: 98 }, { former: { price: 0.98 } }], []],
    ['half of the finds', [{ price: 49 }, { former: { price: 0.98 } }], []],
    ['less than half of the finds', [{ price: 48 }, { former: { price: 0.98 } }], ['SELECTOR_DRIFTED price']],
    ['the same where the file allows it', [{ price: 48 }, { former: { price: 0.98 }, driftMax: 0.6 }], []],
    ['a selector of some pages that finds less', [{ price: 98, unit: 1 }, { former: { price: 1, unit: 0.4 } }], []],
    ['a price of some pages that is gone', [{ price: 0 }, { former: { price: 0.1 } }], ['SELECTOR_DRIFTED price']],
    ['finds that a person accepted', [{ price: 0 }, { former: { price: 0 } }], []],
    ['a selector that is new', [{ price: 98, unit: 98 }, { former: { price: 0.98 } }], []],
    [
      'a few pages that changed',
      [
        { price: 0, pages: 9 },
        { former: { price: 1 }, partial: true },
      ],
      [],
    ],
    [
      'many pages that changed',
      [
        { price: 0, pages: 10 },
        { former: { price: 1 }, partial: true },
      ],
      ['SELECTOR_DRIFTED price'],
    ],
  ])('is judged as expected for %s', (_name, given, codes) => {
    expect(problems(...given)).toEqual(codes)
  })
})

describe('a map of fingerprints', () => {
  it('agrees with a Map on any entries', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.integer({ min: 0, max: 200 }), fc.double({ noNaN: true }))), (entries) => {
        const fingerprints = new FingerprintMap()
        for (const [key, value] of entries) fingerprints.set(key, value)
        const map = new Map(entries)
        expect(fingerprints.size).toBe(map.size)
        expect(new Map(fingerprints.entries())).toEqual(map)
        for (let key = 0; key <= 200; key++) expect(fingerprints.get(key)).toBe(map.get(key))
      }),
    )
  })

  it('has keys that are whole numbers of a double', () => {
    expect(fingerprintOf('f'.repeat(64))).toBe(2 ** 52 - 1)
  })
})

describe('the number of records', () => {
  it('holds a whole crawl of fewer than the source has, and no partial one', () => {
    const limits = { recordsMin: 100 }
    expect(fewRecordsProblem({ parsed: 99, partial: false }, limits)).toEqual({
      code: 'TOO_FEW_RECORDS',
      detail: '99 records can be read; expected at least 100',
    })
    expect(fewRecordsProblem({ parsed: 100, partial: false }, limits)).toBeNull()
    expect(fewRecordsProblem({ parsed: 1, partial: true }, limits)).toBeNull()
  })
})
