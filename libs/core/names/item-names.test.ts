import { itemNames, NAMES_MAX, type VendorName } from '@catalog/core/names/item-names.ts'
import { readerOf, shownName } from '@catalog/core/names/shown-name.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

const called = (name: string, lang: string | null, regions: string[], rest: Partial<VendorName> = {}): VendorName => ({
  skuId: `vsku_${name}`,
  name,
  lang,
  regions,
  trust: 50,
  voiceId: `src_${rest.skuId ?? name}`,
  ...rest,
})

const ELBOW = [
  called('End feed elbow', 'en', ['GB'], { trust: 90 }),
  called('Codo de soldar', 'es', ['ES', 'EU'], { trust: 60 }),
  called('Codo soldable', 'es', ['LATAM', 'MX'], { trust: 70 }),
  called('Joelho de cobre', 'pt', ['BR', 'LATAM'], { trust: 40 }),
  called('Cotovelo de cobre', 'pt', ['EU'], { trust: 80 }),
]

describe('the names of an item', () => {
  test('are the most trusted ones of each language and of each market', () => {
    expect(itemNames(ELBOW)).toEqual([
      { lang: 'en', name: 'End feed elbow', regions: ['GB'] },
      { lang: 'es', name: 'Codo soldable', regions: ['LATAM', 'MX'] },
      { lang: 'es', name: 'Codo de soldar', regions: ['ES'], minor_regions: ['EU'] },
      { lang: 'pt', name: 'Cotovelo de cobre', regions: ['EU'] },
      { lang: 'pt', name: 'Joelho de cobre', regions: ['BR'], minor_regions: ['LATAM'] },
    ])
  })

  test('sum the trust of the vendors that use one name, whatever its case and accents', () => {
    const names = itemNames([
      called('Hormigón HA-25', 'es', ['ES'], { skuId: 'vsku_a', trust: 60 }),
      called('HORMIGON HA-25', 'es', ['ES'], { skuId: 'vsku_b', trust: 30 }),
      called('Concreto 25 MPa', 'es', ['ES'], { skuId: 'vsku_c', trust: 80 }),
    ])
    expect(names[0]).toEqual({ lang: 'es', name: 'Hormigón HA-25', regions: ['ES'] })
  })

  test('count one vendor once, however many SKUs it has', () => {
    const many = ['vsku_a', 'vsku_b', 'vsku_c'].map((skuId) => called('Bulk', 'es', ['ES'], { skuId, voiceId: 'one' }))
    const names = itemNames([...many, called('Saco', 'es', ['ES'], { trust: 60 })])
    expect(shownName(names, { headline: '?', region: 'ES' })).toBe('Saco')
  })

  test('leave out a vendor whose first price waits, unless there is no other', () => {
    const waiting = called('Invented', 'es', ['ES'], { trust: -1 })
    expect(itemNames([waiting, called('Saco', 'es', ['ES'], { trust: 0 })]).map(({ name }) => name)).toEqual(['Saco'])
    expect(itemNames([waiting]).map(({ name }) => name)).toEqual(['Invented'])
  })

  test('are one name in all markets where all vendors use it', () => {
    const names = [['MX', 'ES'], ['AR'], []].map((regions, n) => called('Saco', 'es', regions, { skuId: `vsku_${n}` }))
    expect(itemNames(names)).toEqual([{ lang: 'es', name: 'Saco', regions: ['AR', 'ES', 'MX'] }])
  })

  test('leave out what neither a market nor a language could ask for', () => {
    expect(itemNames([called('Article 7', null, [])])).toEqual([])
  })
})

const TEXTS = fc.oneof(
  fc.constantFrom('Codo', 'CODO', 'codó', 'Elbow', 'a b', 'a  b', '\u202eevil', '__proto__', 'constructor', '\0'),
  fc.string({ unit: 'binary', minLength: 1, maxLength: 6 }),
)
const vendorNames = fc.uniqueArray(
  fc.record({
    skuId: fc.integer({ min: 0, max: 200 }).map((n) => `vsku_${n}`),
    name: TEXTS,
    lang: fc.option(
      fc.constantFrom('es', 'pt', 'en', 'de', ...'abcdefghijklmnopqrstuvwxyz'.split('').map((c) => `x${c}`)),
    ),
    regions: fc.subarray(['BR', 'ES', 'EU', 'LATAM', 'MX', 'US']),
    trust: fc.integer({ min: -1, max: 100 }),
    voiceId: fc.constantFrom('a', 'b', 'c', 'd'),
  }),
  { selector: ({ skuId }) => skuId, maxLength: 60 },
)

describe('for any vendors, of hostile names too,', () => {
  test('the names do not depend on the order', () => {
    fc.assert(
      fc.property(
        vendorNames.chain((names) =>
          fc.tuple(fc.constant(names), fc.shuffledSubarray(names, { minLength: names.length })),
        ),
        ([names, shuffled]) => {
          expect(itemNames(shuffled)).toEqual(itemNames(names))
        },
      ),
    )
  })

  test('each name is one that a vendor uses, and no more than the limit are kept', () => {
    fc.assert(
      fc.property(vendorNames, (names) => {
        const kept = itemNames(names)
        expect(kept.length).toBeLessThanOrEqual(NAMES_MAX)
        for (const { lang, name, regions, minor_regions = [] } of kept) {
          for (const region of [...regions, ...minor_regions]) {
            expect(names).toContainEqual(
              expect.objectContaining({ name, lang, regions: expect.arrayContaining([region]) }),
            )
          }
        }
      }),
    )
  })

  test('a market shows a name of its own vendors, and no market has two', () => {
    fc.assert(
      fc.property(vendorNames, (names) => {
        const trusted = names.filter(({ trust }) => trust >= 0)
        const voting = trusted.length > 0 ? trusted : names
        const kept = itemNames(names)
        const named = kept.flatMap(({ regions }) => regions)
        expect(new Set(named).size).toBe(named.length)
        for (const region of ['BR', 'ES', 'EU', 'LATAM', 'MX', 'US']) {
          const here = voting.filter(({ regions }) => regions.includes(region)).map(({ name }) => name)
          if (here.length > 0) expect(here).toContain(shownName(kept, { headline: 'headline', region }))
        }
      }),
    )
  })

  test('a market and a language show the most trusted name there, or any in that language', () => {
    fc.assert(
      fc.property(vendorNames, fc.constantFrom('es', 'pt'), fc.constantFrom('BR', 'EU'), (names, lang, region) => {
        // The limit may drop names of languages.
        fc.pre(itemNames(names).length < NAMES_MAX)
        const trusted = names.filter(({ trust }) => trust >= 0)
        const spoken = (trusted.length > 0 ? trusted : names).filter((each) => each.lang === lang)
        const here = spoken.filter(({ regions }) => regions.includes(region))
        const expected = (here.length > 0 ? here : spoken).map(({ name }) => name)
        if (expected.length > 0) {
          expect(expected).toContain(shownName(itemNames(names), { headline: 'headline', region, langs: [lang] }))
        }
      }),
    )
  })
})

describe('a reader', () => {
  const names = itemNames(ELBOW)
  test.each([
    [{}, 'headline'],
    [{ region: 'ES' }, 'Codo de soldar'],
    [{ region: 'BR' }, 'Joelho de cobre'],
    [{ region: 'MX' }, 'Codo soldable'],
    // Nobody sells there: the language of the market.
    [{ region: 'AR' }, 'Codo soldable'],
    [{ region: 'US' }, 'End feed elbow'],
    [{ langs: ['pt'] }, 'Cotovelo de cobre'],
    [{ langs: ['pt'], region: 'BR' }, 'Joelho de cobre'],
    [{ langs: ['pt'], region: 'LATAM' }, 'Joelho de cobre'],
    [{ langs: ['es'], region: 'EU' }, 'Codo de soldar'],
    [{ langs: ['en'], region: 'ES' }, 'End feed elbow'],
    // Nobody writes German: what the market says.
    [{ langs: ['de'], region: 'ES' }, 'Codo de soldar'],
    [{ langs: ['de'] }, 'headline'],
    [{ langs: ['de', 'pt', 'es'] }, 'Cotovelo de cobre'],
    [readerOf(undefined, ['pt-BR', 'es']), 'Joelho de cobre'],
    [readerOf('EU', ['pt-BR']), 'Cotovelo de cobre'],
    [readerOf(undefined, ['es-419']), 'Codo soldable'],
    [readerOf(undefined, ['pt-PT']), 'Cotovelo de cobre'],
  ])('of %j sees %s', (reader, expected) => {
    expect(shownName(names, { headline: 'headline', ...reader })).toBe(expected)
  })

  test('of an item without names sees the headline', () => {
    expect(shownName([], { headline: 'headline', region: 'ES', langs: ['es'] })).toBe('headline')
  })
})
