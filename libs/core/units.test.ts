import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { describe, expect, type TestContext, test } from 'vitest'
import { multiply, ONE, parseDecimal, parseRational, rational, toText } from './rational.ts'
import { conversionFactor, parseUnit, soldUnit, type UnitContext } from './units.ts'

const of = (text: string, context: UnitContext = {}) => {
  const unit = parseUnit(text, context)
  return unit && `${toText(unit.factor)} ${unit.dimension}`
}
const sold = (unit: string | null, pack?: { quantity: string; unit: string }, context: UnitContext = {}) =>
  soldUnit({ unit, pack, ...context })
const factor = (from: string | null, to: string | null, context: UnitContext = {}) => {
  const found = conversionFactor(sold(from, undefined, context), sold(to, undefined, context))
  return found && toText(found)
}

describe('the spelling of a unit', () => {
  test.each([
    [
      '1 length',
      ['m', 'M', 'ML.', 'metro', 'Metros lineales', 'mètre linéaire', 'lfm', 'lfd. m', 'LM', 'MTR', 'm.l.', 'm/l'],
    ],
    [
      '1 area',
      [
        'm2',
        'M2.',
        'm²',
        'm^2',
        'M 2',
        'mq',
        'qm',
        'sqm',
        'metro cuadrado',
        'Quadratmeter',
        'mètres carrés',
        'metro quadrado',
        'MTK',
      ],
    ],
    ['1 volume', ['m3', 'm³', 'M3.', 'metro cúbico', 'mètre cube', 'cbm', 'MTQ']],
    ['1/1000 volume', ['l', 'L.', 'litro', 'Liter', 'LTR', 'dm3']],
    ['1 mass', ['kg', 'KG.', 'Kgs', 'kilo', 'quilos', 'Kilogramm', 'KGM']],
    ['1000 mass', ['t', 'T.', 'Tn', 'TM', 'tonelada', 'Tonnen', 'tonnes', 'TNE']],
    [
      '1 count',
      [
        'u',
        'ud',
        'Uds.',
        'Und',
        'UN',
        'unid.',
        'Stk.',
        'Stück',
        'STCK',
        'pce',
        'pièce',
        'pza.',
        'pç',
        'peça',
        'pz',
        'EA',
        'Nr',
        'c/u',
        'C62',
        'unidad(es)',
      ],
    ],
    ['2 count', ['pares', 'Paar', 'paire', 'pair', 'NPR']],
    ['12 count', ['docena', 'dúzia', 'Dutzend', 'douzaine', 'dozzina', 'dozen']],
    ['100 count', ['ciento', 'cento', 'Hundert', '100 u', '100 Stück', '100 Nr']],
    ['1000 count', ['millar', 'milheiro', 'Tausend', 'MIL', '1000 EA', '1 000 u']],
    [
      '1 time',
      [
        'h',
        'H.',
        'hora',
        'Std.',
        'hrs',
        'máquina-hora',
        'Machine hours',
        'Masch.-Std.',
        'heures',
        'person-hour',
        'HUR',
      ],
    ],
    ['1/60 time', ['min', 'Minuten']],
    ['1 lump sum', ['global', 'pauschal', 'forfait', 'lump sum', 'verba']],
    ['1 count:bag', ['saco', 'bolsa', 'Sack', 'Säcke', 'sac', 'bag(s)']],
    ['1 count:roll', ['rollo', 'rolo', 'Rolle', 'rouleau', 'rolls', 'RL']],
    ['1 count:box', ['caja', 'caixa', 'cx', 'Karton', 'BOX']],
    ['1 count:sheet', ['plancha', 'chapa', 'sheet', 'Platte', 'plaque', 'lastra']],
    ['1 count:bar', ['barra', 'vara', 'Stange', 'bar', 'barre']],
    ['1 count:bucket', ['balde', 'cubeta', 'Eimer', 'pail', 'seau']],
    ['1 count:day', ['d', 'día', 'Tag', 'jour', 'day']],
    ['1 count:month', ['mes', 'mês', 'Monat', 'mois', 'month']],
    ['1 energy', ['kWh', 'KWH']],
    ['10 count:set', ['10 sets', '10 conjuntos']],
  ])('%s: %j', (expected, spellings) => {
    const read = spellings.map((spelling) => `${spelling}: ${of(spelling, { lang: 'es' })}`)
    expect(read).toEqual(spellings.map((spelling) => `${spelling}: ${expected}`))
  })

  test.each([
    ['in', '0.0254 length'],
    ['LF', '0.3048 length'],
    ['100 LF', '30.48 length'],
    ['yd', '0.9144 length'],
    ['S.F.', '0.09290304 area'],
    ['MSF', '92.90304 area'],
    ['SY', '0.83612736 area'],
    ['square', '9.290304 area'],
    ['acre', '4046.8564224 area'],
    ['CF', '0.028316846592 volume'],
    ['C.Y.', '0.764554857984 volume'],
    ['board foot', '0.002359737216 volume'],
    ['gal', '0.003785411784 volume'],
    ['imp gal', '0.00454609 volume'],
    ['lb', '0.45359237 mass'],
    ['oz', '0.028349523125 mass'],
    ['ton', '907.18474 mass'],
    ['long ton', '1016.0469088 mass'],
  ])('%s is exactly %s', (spelling, expected) => {
    const [decimal = '', dimension = ''] = expected.split(' ')
    const unit = parseUnit(spelling, { lang: 'en' })
    expect(unit?.dimension).toBe(dimension)
    expect(unit?.factor).toEqual(parseDecimal(decimal))
  })

  test.each([
    ['ml', { format: 'bc3' }, '1 length'],
    ['Ml.', { format: 'bc3', lang: 'en' }, '1 length'],
    ['ml', { lang: 'es' }, '1 length'],
    ['ML', { lang: 'pt' }, '1 length'],
    ['ml', { lang: 'fr' }, '1 length'],
    ['ml', { lang: 'de' }, '1/1000000 volume'],
    ['ml', { lang: 'en' }, '1/1000000 volume'],
    ['ml', {}, '1/1000000 volume'],
    ['310 ml', { lang: 'pt' }, '31/100000 volume'],
    ['310ML', { lang: 'es' }, '31/100000 volume'],
    ['310 ml', { format: 'bc3' }, null],
    ['ton', { lang: 'es' }, '1000 mass'],
    ['ton', { lang: 'en' }, '45359237/50000 mass'],
    ['ton', {}, null],
    ['mt', { lang: 'es' }, '1 length'],
    ['mt', { lang: 'en' }, '1000 mass'],
    ['cu', { format: 'bc3' }, '100 count'],
    ['cu', { lang: 'es' }, null],
    ['mu', { format: 'bc3' }, '1000 count'],
    ['a', { format: 'bc3' }, '100 area'],
    ['a', { lang: 'es' }, null],
    ['PA', { format: 'bc3' }, '1 lump sum'],
    ['PA', { lang: 'de' }, null],
    ['St', { lang: 'de' }, '1 count'],
    ['St', { lang: 'en' }, null],
    ['gal', { lang: 'pt' }, '1 count:gallon can'],
    ['par', { lang: 'fr' }, null],
  ] satisfies [string, UnitContext, string | null][])('%j in %j is %s', (spelling, context, expected) => {
    expect(of(spelling, context)).toBe(expected)
  })

  test.each([
    '',
    '-',
    'x',
    '10',
    '%',
    'foo',
    'kg/m2',
    'm³km',
    't x km',
    'Ud289',
    '25 kg/m2',
    '1.000 u',
    '0 kg',
    '3 x 2 m',
    'saco 25',
    'bag kg',
    'kg saco 25',
    '1/2 kg',
    '2-3 kg',
    'sheet 1.22 x 2.44 m',
    '€/m2',
    'constructor',
    'm'.repeat(81),
  ])('%j stays unknown', (text) => {
    expect(parseUnit(text, { lang: 'es' })).toBeNull()
  })

  test('holds the pack that the text names', () => {
    const packs = [
      ['caja 25 u', 'box', '25', 'u'],
      ['saco 25 kg', 'bag', '25', 'kg'],
      ['SC25KG', 'bag', '25', 'kg'],
      ['bag of 40 lb', 'bag', '40', 'lb'],
      ['25kg bag', 'bag', '25', 'kg'],
      ['25 kg/saco', 'bag', '25', 'kg'],
      ['cx c/ 100 un', 'box', '100', 'u'],
      ['pallet 48', 'pallet', '48', 'u'],
      ['pack 12 x 1 l', 'pack', '12', 'l'],
      ['pack 6 x 1,5 l', 'pack', '9.0', 'l'],
      ['Sack à 25 kg', 'bag', '25', 'kg'],
      ['rollo 50 m', 'roll', '50', 'm'],
      ['2,5 m Stange', 'bar', '2.5', 'm'],
      ['ud (25 kg)', 'u', '25', 'kg'],
    ] as const
    for (const [text, symbol, quantity, unit] of packs) {
      expect([text, parseUnit(text, { lang: 'pt' })]).toMatchObject([
        text,
        { symbol, factor: ONE, pack: { quantity, unit } },
      ])
    }
  })

  test('ml on a roll may be metres or millilitres, so it is neither', () => {
    expect(parseUnit('rollo 50 ml', { lang: 'es' })).toBeNull()
    expect(parseUnit('cartucho 300 ml', { lang: 'es' })?.pack).toEqual({ quantity: '300', unit: 'ml' })
  })

  test('never throws, and a symbol names its unit in any context but BC3', () => {
    const words = fc.constantFrom(
      'saco',
      'Rolle',
      'm',
      'm2',
      'kg',
      'l',
      'ml',
      'u',
      'x',
      'de',
      '12',
      '1,5',
      '0.411',
      '3',
      'ton',
      'lb',
      'pair',
      'hundred',
      '/',
      'c/',
    )
    const phrases = fc.array(words, { maxLength: 5 }).map((parts) => parts.join(' '))
    const langs = fc.constantFrom('es', 'en', 'pt', 'fr', 'de', 'it', undefined)
    fc.assert(
      fc.property(fc.oneof(phrases, fc.string()), langs, langs, (text, lang, other) => {
        const unit = parseUnit(text, { lang })
        if (!unit || unit.symbol === 'ml') return
        expect(parseUnit(unit.symbol, { lang: other })).toMatchObject({
          dimension: unit.dimension,
          factor: unit.factor,
        })
        if (unit.pack)
          expect(sold(unit.symbol, unit.pack, { lang: other }).key).toBe(sold(text, undefined, { lang }).key)
      }),
      { numRuns: 3000 },
    )
    expect(parseUnit('3 x 0.411 l')).toMatchObject({ symbol: '1.2330 l', factor: parseRational('1233/1000000') })
  })
})

describe('the sold unit', () => {
  const bag25 = { quantity: '25', unit: 'kg' }

  test.each([
    ['m²', undefined, 'm²', 'area:1'],
    ['Ud.', undefined, 'u', 'count:1'],
    ['saco', undefined, 'bag', 'count:bag:1'],
    ['saco', bag25, '25 kg', 'mass:25'],
    ['saco 20 kg', bag25, '25 kg', 'mass:25'],
    ['saco 25 kg', undefined, '25 kg', 'mass:25'],
    ['ud', bag25, '25 kg', 'mass:25'],
    [null, bag25, '25 kg', 'mass:25'],
    ['Gebinde', bag25, '25 kg', 'mass:25'],
    ['m²', { quantity: '1.44', unit: 'm²' }, 'm²', 'area:1'],
    ['box', { quantity: '1.440', unit: 'm²' }, '1.44 m²', 'area:36/25'],
    ['tube', { quantity: '300', unit: 'ml' }, '300 ml', 'volume:3/10000'],
    ['Palette', { quantity: '10', unit: 'saco' }, '10 bag', 'count:bag:10'],
    ['100 m', undefined, '100 m', 'length:100'],
    ['caja', { quantity: '100', unit: 'u' }, '100 u', 'count:100'],
  ] as const)('of %j with %j shows %j', (unit, pack, label, key) => {
    expect(sold(unit, pack, { lang: 'es' })).toMatchObject({ label, key })
  })

  test('that is not known shows the text of the vendor and has no quantity', () => {
    expect(sold('  Foo  Bar ')).toEqual({
      label: 'Foo  Bar',
      dimension: null,
      quantity: null,
      key: sold('foo bar').key,
    })
    expect(sold(null)).toEqual({ label: null, dimension: null, quantity: null, key: sold('').key })
    expect(sold('bag', { quantity: '25', unit: 'foo' })).toMatchObject({ quantity: null, label: 'bag 25 foo' })
    expect(sold('bag', { quantity: '0', unit: 'kg' }).quantity).toBeNull()
    expect(sold('count:1').key).not.toBe(sold('u').key)
  })

  test('is the same when its label is read again, whatever language it came from', () => {
    const units = fc.constantFrom(
      null,
      'saco',
      'Sack 25 kg',
      'ml',
      'mL',
      'ton',
      '100 Stück',
      'rollo 50 ml',
      'm²',
      'lt',
      'par',
      'foo',
      'PA',
      'gl',
      '3 x 0,411 l',
    )
    const packs = fc.option(
      fc.record({
        quantity: fc.constantFrom('25', '1.440', '0', '12'),
        unit: fc.constantFrom('kg', 'ml', 'ton', 'foo', 'saco', 'par'),
      }),
    )
    const langs = fc.constantFrom('es', 'en', 'pt', 'fr', 'de', 'it', undefined)
    fc.assert(
      fc.property(units, packs, langs, (unit, pack, lang) => {
        const first = soldUnit({ unit, pack, lang })
        expect(soldUnit({ unit: first.label }).key).toBe(first.key)
      }),
      { numRuns: 1000 },
    )
  })

  test('of hundred pieces with a pack is open: the pack may be that of one or of all', () => {
    expect(sold('100 u', bag25).quantity).toBeNull()
    expect(sold('100 u', { quantity: '100', unit: 'u' }).key).toBe('count:100')
  })
})

describe('the factor between two prices', () => {
  test.each([
    ['t', 'kg', '1/1000'],
    ['kg', 't', '1000'],
    ['saco 25 kg', 'kg', '1/25'],
    ['100 m', 'm', '1/100'],
    ['LF', 'm', '1250/381'],
    ['caja 25 u', 'u', '1/25'],
    ['pair', 'u', '1/2'],
    ['10 cajas', 'caja', '1/10'],
    [null, null, '1'],
    ['foo', ' FOO ', '1'],
    ['bag', 'Sack', '1'],
    ['bag', 'roll', null],
    ['bag', 'u', null],
    ['kg', 'l', null],
    ['foo', 'bar 6 m', null],
    ['foo', 'u', null],
    [null, 'u', null],
    ['h', 'day', null],
  ])('per %j to per %j is %s', (from, to, expected) => {
    expect(factor(from, to)).toBe(expected)
  })

  test('is exact: there and back is one, and a detour changes nothing', () => {
    const units = fc.constantFrom('m', 'ft', 'yd', 'km', '100 m', 'in', 'rollo 50 m')
    fc.assert(
      fc.property(units, units, units, (a, b, c) => {
        const step = (from: string, to: string) => conversionFactor(sold(from), sold(to)) ?? rational(0n)
        expect(multiply(step(a, b), step(b, a))).toEqual(ONE)
        expect(multiply(step(a, b), step(b, c))).toEqual(step(a, c))
      }),
    )
  })
})

describe('one price list in six languages, in metric and in customary units', () => {
  const catalog = (name: string) => `cwicr/DDC_CWICR_${name}_Catalog.csv`
  const english = { lang: 'en' }

  test('differs by one exchange rate only, once its units are converted', (context) => {
    const british = realRows(context, catalog('UK_GBP'))
    const american = realRows(context, catalog('USA_USD'))
    const materials = british.flatMap((uk, at) => {
      const us = american[at] as Row
      expect(us.resource_code).toBe(uk.resource_code)
      const prices = { pounds: Number(uk.price_median), dollars: Number(us.price_median) }
      return uk.type === 'Material' && prices.pounds > 0 ? [{ from: us.unit, to: uk.unit, ...prices }] : []
    })
    const sameUnit = materials.filter(({ from, to, pounds }) => from === to && pounds > 10)
    const rates = sameUnit.map(({ pounds, dollars }) => dollars / pounds).sort((a, b) => a - b)
    const rate = rates[rates.length >> 1] as number
    expect(rates.length).toBeGreaterThan(50)

    const converted = materials.filter(({ from, to }) => from !== to)
    const agreeing = converted.filter(({ from, to, pounds, dollars }) => {
      const perUnit = conversionFactor(sold(from, undefined, english), sold(to, undefined, english)) ?? rational(0n)
      const ratio = (dollars * Number(perUnit.n)) / Number(perUnit.d) / pounds
      // Both prices are printed with two decimals.
      const tolerance = 0.005 / pounds + 0.005 / dollars + 0.0002
      return Math.abs(ratio / rate - 1) <= tolerance
    })
    expect(converted.length).toBeGreaterThan(3700)
    expect(agreeing.length / converted.length).toBeGreaterThan(0.999)
    const pairs = new Set(agreeing.map(({ from, to }) => `${from} for ${to}`))
    for (const pair of [
      'ton for t',
      'lb for kg',
      'LF for m',
      'SF for m2',
      'CY for m3',
      'gal for l',
      '1000 LF for 1000 m',
      '100 EA for 100 Nr',
    ]) {
      expect(pairs).toContain(pair)
    }
  })

  test('spells hardly a unit that is not known', (context) => {
    const files = {
      DE_BERLIN: 'de',
      FR_PARIS: 'fr',
      PT_SAOPAULO: 'pt',
      SP_BARCELONA: 'es',
      UK_GBP: 'en',
      USA_USD: 'en',
    }
    for (const [name, lang] of Object.entries(files)) {
      const units = realRows(context, catalog(name)).map(({ unit }) => unit)
      const unknown = units.filter((unit) => sold(unit, undefined, { lang }).quantity === null)
      // No unit, a bare number, persons for hours of persons, and two transliterations.
      const meaningless = ['', '10', 'Personen', '10 komplekt', 'p.m']
      expect([name, unknown.filter((unit) => !meaningless.includes(unit))]).toEqual([name, []])
      expect(unknown.length / units.length).toBeLessThan(0.01)
    }
  })
})

type Row = Readonly<Record<'resource_code' | 'type' | 'unit' | 'price_median', string>>

/** Rows of a CSV file among the real inputs; skips the test where there are none, unless they were asked for. */
function realRows(context: TestContext, file: string): Row[] {
  const asked = process.env.REAL_INPUTS_DIR
  const folder = asked ?? fileURLToPath(new URL('../../../shared/data', import.meta.url))
  context.skip(asked === undefined && !existsSync(folder), `no real inputs in ${folder}`)
  const text = readFileSync(join(folder, file), 'utf8').replace(/^\ufeff/, '')
  const [header = [], ...records] = text.split(/\r?\n/).filter(Boolean).map(fields)
  return records.map((record) => Object.fromEntries(header.map((name, at) => [name, record[at] ?? ''])) as Row)
}

function fields(line: string): string[] {
  return [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(
    ([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare ?? '',
  )
}
