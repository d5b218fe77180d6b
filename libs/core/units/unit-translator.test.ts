import { spellingKey } from '@catalog/core/text.ts'
import { describe, expect, test } from 'vitest'
import { parseUnit } from './parse-unit.ts'
import { conversionFactor, soldUnit } from './sold-unit.ts'
import { UNIT_SET_NAMES, UNIT_SETS } from './unit-tables.ts'
import { canonicalUnit, fallbackSet, rankingSet, translatedUnit, type UnitNames } from './unit-translator.ts'

const US_BID = { region: 'US', kind: 'bid' } as const
const labelOf = (text: string, given: UnitNames | null, origin: Parameters<typeof translatedUnit>[2]) =>
  soldUnit({ unit: translatedUnit(text, given, origin), lang: origin.lang }).label

describe('a built-in set', () => {
  test.each(UNIT_SET_NAMES)('%s spells known units, each spelling once, and never a small one', (name) => {
    const rows = UNIT_SETS.get(name) ?? []
    const spellings = rows.flatMap(([, list]) => list.split(', ').map(spellingKey))
    for (const [symbol] of rows) {
      expect([symbol, canonicalUnit(symbol)]).not.toEqual([symbol, null])
      expect(['mg', 'ml', 'g', 'mm']).not.toContain(canonicalUnit(symbol))
    }
    const meant = new Map<string, string>()
    for (const [symbol, list] of rows)
      for (const key of new Set(list.split(', ').map(spellingKey))) {
        expect([key, meant.get(key) ?? symbol]).toEqual([key, symbol])
        meant.set(key, symbol)
      }
    expect(spellings.length).toBeGreaterThan(0)
  })

  test('applies by itself to bids of US road departments, whose units are all read', () => {
    const read = (text: string) => labelOf(text, null, { ...US_BID, lang: 'en' })
    expect(
      ['SYS', 'CYS', 'LFT', 'LSUM', 'EACH', 'TON', 'GAL', 'M.G.', 'STA', 'MFBM', 'DOL', 'TGL', 'CYC'].map(read),
    ).toEqual([
      'yd²',
      'yd³',
      'ft',
      'lump sum',
      'u',
      'short ton',
      'US gal',
      '1000 US gal',
      '100 ft',
      '1000 board ft',
      'dollar',
      '1000 US gal',
      'cycle',
    ])
  })

  test('is chosen by region and kind', () => {
    expect([
      rankingSet(US_BID),
      rankingSet({ region: 'US', kind: 'shop' }),
      rankingSet({ region: 'MX', kind: 'bid' }),
    ]).toEqual(['us-dot', null, null])
    expect([fallbackSet({ region: 'MX' }), fallbackSet({ region: 'LATAM' }), fallbackSet({ region: null })]).toEqual([
      'mx',
      null,
      null,
    ])
  })

  test('of a country explains only what is open: a known unit is recorded as the vendor wrote it', () => {
    const chile = { region: 'CL', kind: 'shop', lang: 'es' } as const
    expect([
      labelOf('gl', null, chile),
      translatedUnit('M2', null, chile),
      translatedUnit('tramex', null, chile),
    ]).toEqual(['lump sum', 'M2', 'tramex'])
  })
})

describe('what an operator says', () => {
  const given: UnitNames = {
    sets: ['us-dot'],
    spellings: { [spellingKey('M.G.')]: 'm²', tramex: 'm²' },
  }

  test('outranks sets, and named sets outrank the set of the source', () => {
    const spain = { region: 'ES', kind: 'shop', lang: 'es' } as const
    expect(translatedUnit('m.g.', given, US_BID)).toBe('m²')
    expect(translatedUnit('TRAMEX', given, spain)).toBe('m²')
    expect(translatedUnit('SYS', given, spain)).toBe('yd²')
    expect(translatedUnit('GAL', { sets: ['gb'], spellings: {} }, US_BID)).toBe('imp gal')
  })

  test('is a unit in every language, or none', () => {
    expect([canonicalUnit('ft'), canonicalUnit('1000 gal'), canonicalUnit('ton'), canonicalUnit('saco 25 kg')]).toEqual(
      ['foot', '1000 US gal', 'short ton', 'bag 25 kg'],
    )
    for (const text of ['mg', 'ml', 'tramex', '']) expect(canonicalUnit(text)).toBeNull()
    const foot = soldUnit({ unit: 'foot', lang: 'fr' })
    expect(conversionFactor(foot, soldUnit({ unit: 'ft' }))).toEqual({ n: 1n, d: 1n })
    expect(parseUnit('1000 US gal', { lang: 'pt' })).not.toBeNull()
  })
})
