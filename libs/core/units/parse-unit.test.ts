import { ONE, parseDecimal, parseRational, toText } from '@catalog/core/money/rational.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseUnit, whyUnknown } from './parse-unit.ts'
import { soldUnit } from './sold-unit.ts'
import type { UnitContext } from './unit.ts'

const of = (text: string, context: UnitContext = {}) => {
  const unit = parseUnit(text, context)
  return unit && `${toText(unit.factor)} ${unit.dimension}`
}
const sold = (unit: string | null, pack?: { quantity: string; unit: string }, context: UnitContext = {}) =>
  soldUnit({ unit, pack, ...context })

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
    ['144 count', ['gross', 'gruesa', 'grosa']],
    ['1/10 length', ['dm', 'Dezimeter', 'decímetro']],
    ['1/1000000 length', ['micra', 'micras', 'microns', 'µm']],
    ['100 mass', ['dt', 'quintali', 'q.li', '100 kg']],
    ['1 count:bag', ['bulto', 'bols.', 'bolsita', 'sacchetto']],
    ['1 count:big bag', ['Big Bag', 'saca', 'bulk bag', 'jumbo bags']],
    ['1 count:bucket', ['tineta', 'tub', 'caneca', 'Kübel', 'Hobbock']],
    ['1 count:bar', ['tira', 'tramo', 'length', 'lgth', 'Stab', 'Stäbe', 'stick', 'longueur', 'verga']],
    ['1 count:box', ['Schachtel', 'Schtl.', 'Ktn', 'bte', 'cja.', 'scat.']],
    ['1 count:pack', ['pkt', 'VE', 'VPE', 'Pckg.', 'étui', 'emb.']],
    ['1 count:bundle', ['bdl', 'bndl', 'paca', 'manojo', 'bale']],
    ['1 count:reel', ['carrete', 'reel', 'touret', 'Trommel', 'spool']],
    ['1 count:coil', ['bobina', 'couronne', 'matassa', 'madeja']],
    ['1 count:pallet', ['palé', 'estiba', 'bancale', 'skid']],
    ['1 count:day', ['diária', 'diárias', 'journée']],
    ['1 count:aerosol', ['spray', 'aerosol', 'Spraydose', 'bomboletta']],
    ['1 count:sausage', ['Schlauchbeutel', 'foil pack', 'salchichón']],
    ['1 count:skip', ['contenedor', 'caçamba', 'benne', 'Mulde']],
    ['1 time', ['man-hr', 'mhrs', 'machine hrs', 'labor hrs', 'h-m', 'h/m', 'Lohnstunden', 'Arb.-Std.', 'pessoa-hora']],
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
    ['cwt', '45.359237 mass'],
    ['CLF', '30.48 length'],
    ['CSF', '9.290304 area'],
    ['SFCA', '0.09290304 area'],
    ['CCF', '2.8316846592 volume'],
    ['MCF', '28.316846592 volume'],
    ['MBF', '2.359737216 volume'],
    ['thousand board feet', '2.359737216 volume'],
    ['pt', '0.000473176473 volume'],
    ['qt', '0.000946352946 volume'],
    ['fl. oz.', '0.0000295735295625 volume'],
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
    ['ml', { lang: 'de' }, '1 length'],
    ['ml', { lang: 'it' }, '1 length'],
    // Nobody sells one millilitre.
    ['ml', { lang: 'en' }, null],
    ['ml', {}, null],
    ['3 ml', {}, '3/1000000 volume'],
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
    ['St', { lang: 'sv' }, '1 count'],
    ['шт.', { lang: 'ru' }, '1 count'],
    ['м²', { lang: 'ru' }, '1 area'],
    ['м2', {}, '1 area'],
    ['пог. м', { lang: 'ru' }, '1 length'],
    ['м3', { lang: 'bg' }, '1 volume'],
    ['кг', {}, '1 mass'],
    ['Т', { lang: 'ru' }, '1000 mass'],
    ['szt.', {}, '1 count'],
    ['mb', { lang: 'pl' }, '1 length'],
    ['tk', { lang: 'et' }, '1 count'],
    ['tk', { lang: 'en' }, null],
    ['kpl', { lang: 'fi' }, '1 count'],
    ['kpl', { lang: 'et' }, '1 count:set'],
    ['db', { lang: 'hu' }, '1 count'],
    ['db', { lang: 'en' }, null],
    ['упаковка', { lang: 'ru' }, '1 count:pack'],
    ['St', { lang: 'en' }, null],
    ['gal', { lang: 'pt' }, '1 count:gallon can'],
    ['par', { lang: 'fr' }, null],
    ['br', { lang: 'pt' }, '1 count:bar'],
    ['br', { lang: 'es' }, null],
    ['Ft', { lang: 'fr' }, '1 lump sum'],
    ['8 ft', { lang: 'fr' }, '1524/625 length'],
    ['st', { lang: 'fr' }, '1 count:stere'],
    ['bd', { lang: 'pt' }, '1 count:bucket'],
    ['bd', { lang: 'de' }, '1 count:bundle'],
    ['Mt', { lang: 'de' }, '1 count:month'],
    ['q', { lang: 'it' }, '100 mass'],
    ['quintal', { lang: 'es' }, null],
    ['chp', { lang: 'pt' }, '1 time'],
    ['chi', { lang: 'pt' }, '1 count:idle hour'],
    ['CHP', { lang: 'pt' }, '1 time'],
    ['TXKM', { lang: 'pt' }, '1 count:t km'],
    ['M3XKM', { lang: 'pt' }, '1 count:m³ km'],
    ['UNXMES', { lang: 'pt' }, '1 count:u month'],
    ['M2XMES', { lang: 'pt' }, '1 count:m² month'],
    ['MXMES', { lang: 'pt' }, '1 count:m month'],
    ['100M', { lang: 'pt' }, '100 length'],
    ['MIL', { lang: 'pt' }, '1000 count'],
    ['JG', { lang: 'pt' }, '1 count:set'],
    ['CJ', { lang: 'pt' }, '1 count:set'],
    ['SC25KG', { lang: 'pt' }, '1 count:bag'],
    // The list does not say of what this is the rate.
    ['UN/H', { lang: 'pt' }, null],
    ['1 m² * cm', { lang: 'it' }, '1 count:m² cm'],
    ['1 m2 * cm', {}, '1 count:m² cm'],
    ['m² * mm', { lang: 'it' }, null],
    ['1 cad', { lang: 'it' }, '1 count'],
    ['1 m', { lang: 'it' }, '1 length'],
    ['ml', { lang: 'it' }, '1 length'],
    ['a corpo', { lang: 'it' }, '1 lump sum'],
    ['lt', { lang: 'pt' }, null],
    ['gl', { lang: 'es' }, null],
    ['Btl.', { lang: 'de' }, null],
    ['C', { lang: 'en' }, null],
    ['pt', { lang: 'es' }, null],
    ['ciento de piezas', { lang: 'es' }, '100 count'],
    ['cento de peças', { lang: 'pt' }, '100 count'],
    ['millar de ladrillos', { lang: 'es' }, null],
    ['la pièce', { lang: 'fr' }, '1 count'],
    ['le cent', { lang: 'fr' }, '100 count'],
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
    't x mi',
    'Ud289',
    '25 kg/m2',
    '1.000 u',
    '0 kg',
    '3 x 2 m',
    'saco 25',
    'bag kg',
    'kg saco 25',
    'saco x kg',
    'ciento kg',
    '1/2 kg',
    '2-3 kg',
    'sheet 1.22 x 2.44 m',
    '€/m2',
    'constructor',
    'm'.repeat(81),
  ])('%j stays unknown', (text) => {
    expect(parseUnit(text, { lang: 'es' })).toBeNull()
  })

  test('that no price is per is unknown, with its reason', () => {
    const reasons = [
      ['mg', 'TOO_SMALL'],
      ['milligram', 'TOO_SMALL'],
      ['0.05 g', 'TOO_SMALL'],
      ['ml', 'TOO_SMALL'],
      ['M.G.', 'DOTTED'],
      ['M.M.', 'DOTTED'],
      ['100 c.m.', 'DOTTED'],
      ['c.c.', 'DOTTED'],
      ['tramex', 'SPELLING'],
      ['quintal', 'OTHER_LANGUAGE'],
      ['kg', null],
      ['gr.', null],
      ['s.f.', null],
      ['lfd. m', null],
    ] as const
    expect(reasons.map(([text]) => [text, whyUnknown(text, { lang: 'en' })])).toEqual(reasons)
    for (const [text, reason] of reasons) expect(parseUnit(text, { lang: 'en' }) === null).toBe(reason !== null)
    expect(sold('tube', { quantity: '1', unit: 'mg' }).quantity).toBeNull()
  })

  test('gives the pack of the text', () => {
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
      ['paquete de 10', 'pack', '10', 'u'],
      ['pct c/ 100', 'pack', '100', 'u'],
      ['ctn 12', 'box', '12', 'u'],
      ['100/box', 'box', '100', 'u'],
      ['12-pack', 'pack', '12', 'u'],
      ['lot de 10', 'lot', '10', 'u'],
      ['bolsa x 50 kg', 'bag', '50', 'kg'],
      ['caja x25', 'box', '25', 'u'],
      ['bulto 50 kg', 'bag', '50', 'kg'],
      ['Sack zu 25 kg', 'bag', '25', 'kg'],
      ['br 12 m', 'bar', '12', 'm'],
      ['length 3 m', 'bar', '3', 'm'],
      ['3m length', 'bar', '3', 'm'],
      ['Stab 6 m', 'bar', '6', 'm'],
      ['Schachtel 100 Stk', 'box', '100', 'u'],
      ['10 kg tub', 'bucket', '10', 'kg'],
      ['tineta 4 gl', 'bucket', '4', 'gallon can'],
      ['viagem 6 m3', 'load', '6', 'm³'],
      ['pallet 48 sacos', 'pallet', '48', 'bag'],
    ] as const
    for (const [text, symbol, quantity, unit] of packs) {
      expect([text, parseUnit(text, { lang: 'pt' })]).toMatchObject([
        text,
        { symbol, factor: ONE, pack: { quantity, unit } },
      ])
    }
  })

  test('counts multiples of a multiple in its single unit, so that the symbol can be read again', () => {
    for (const [text, symbol] of [
      ['5 CLF', '500 ft'],
      ['2,5 MBF', '2500 board ft'],
      ['5 dt', '500 kg'],
    ] as const) {
      const unit = parseUnit(text)
      expect(unit?.symbol).toBe(symbol)
      expect(parseUnit(symbol)?.factor).toEqual(unit?.factor)
    }
  })

  test('a hundred boxes differ from a box of a hundred', () => {
    expect(of('100 box')).toBe('100 count:box')
    expect(sold('100/box').key).toBe('count:100')
    expect(sold('10 packs').key).not.toBe(sold('10-pack').key)
  })

  test('ml on a roll may be metres or millilitres, so it stays unknown', () => {
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
      'CLF',
      'tub',
      'br',
      'quintali',
      'la',
    )
    const phrases = fc.array(words, { maxLength: 5 }).map((parts) => parts.join(' '))
    const langs = fc.constantFrom('es', 'en', 'pt', 'fr', 'de', 'it', undefined)
    fc.assert(
      fc.property(fc.oneof(phrases, fc.string()), langs, langs, (text, lang, other) => {
        const unit = parseUnit(text, { lang })
        // "ml" is the linear metre of some languages, "ft" the forfait of French.
        if (!unit || unit.symbol === 'ml' || unit.symbol === 'ft') return
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
