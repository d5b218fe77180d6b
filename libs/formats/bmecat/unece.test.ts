import { parseUnit } from '@catalog/core/units/parse-unit.ts'
import { conversionFactor, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { describe, expect, test } from 'vitest'
import { unitInWords } from './unece.ts'

const LANGS = ['de', 'en', 'es', 'fr', 'it', 'pt', '']
const inWords = (code: string, lang = 'de', contentUnit = '') => unitInWords(code, { lang, contentUnit })
/** The unit of a code in each language. */
const readings = (code: string) => [
  ...new Set(LANGS.map((lang) => parseUnit(inWords(code, lang), { lang })?.symbol ?? null)),
]

describe('a UN/ECE code', () => {
  test.each([
    ['u', 'C62 H87 PCE EA NAR NPT XPP XUN'],
    ['m', 'MTR'],
    ['mm', 'MMT'],
    ['cm', 'CMT'],
    ['km', 'KMT KTM'],
    ['m²', 'MTK'],
    ['cm²', 'CMK'],
    ['m³', 'MTQ'],
    ['l', 'LTR'],
    ['kg', 'KGM KG'],
    ['t', 'TNE'],
    ['h', 'HUR'],
    ['day', 'DAY'],
    ['pair', 'PR NPR'],
    ['set', 'SET KT'],
    ['pack', 'PA PK NMP XPA XPK'],
    ['box', 'BX CT CS XBX XCT XCS'],
    ['bag', 'BG SA XBG XSA'],
    ['bottle', 'BO XBO'],
    ['bucket', 'BJ PL XBJ XPL'],
    ['can', 'CA TN XCA XTN'],
    ['canister', 'CI XCI'],
    ['drum', 'DR XDR XBA XKG'],
    ['crate', 'CR XCR'],
    ['tube', 'TU XTU'],
    ['cartridge', 'CQ XCQ'],
    ['bundle', 'BE BL XBE XBL'],
    ['roll', 'RO NRL XRO'],
    ['reel', 'RL SO XRL XSO'],
    ['coil', 'CL RG XCL XRG'],
    ['bar', 'RD BR XRD XBR'],
    ['sheet', 'LEF XST'],
    ['mat', 'XMT'],
    ['cylinder', 'XCY'],
    ['pallet', 'D97 PF PX XPX'],
  ])('means %s in every language: %s', (symbol, codes) => {
    const read = codes.split(' ').map((code) => [code, readings(code)])
    expect(read).toEqual(codes.split(' ').map((code) => [code, [symbol]]))
  })

  test.each([
    ['ST', 'de:u en:sheet es:sheet fr:sheet it:sheet pt:sheet :sheet'],
    ['MT', 'de:mat en:t es:m fr:mat it:m pt:m :mat'],
    ['CY', 'de:cylinder en:yd³ es:cylinder fr:cylinder it:cylinder pt:cylinder :cylinder'],
  ])('%s stays unchanged in languages with the abbreviation: %s', (code, expected) => {
    const symbol = (lang: string) => parseUnit(inWords(code, lang), { lang })?.symbol
    expect(LANGS.map((lang) => `${lang}:${symbol(lang)}`).join(' ')).toBe(expected)
  })

  test('ST has the price of one piece, whether it means Stück or sheet', () => {
    const piece = soldUnit({ unit: 'C62' })
    for (const lang of LANGS) {
      const factor = conversionFactor(soldUnit({ unit: inWords('ST', lang), lang }), piece)
      expect([lang, factor]).toEqual([lang, { n: 1n, d: 1n }])
    }
  })

  test.each([
    ['PU', 'tray'],
    ['Z2', 'chest'],
    ['Z3', 'cask'],
    ['D99', 'sleeve'],
    ['NPL', 'parcel'],
  ])('%s is a %s, a unit of its own without conversions', (code, word) => {
    expect(inWords(code)).toBe(word)
    expect(soldUnit({ unit: inWords(code) })).toMatchObject({ label: word, quantity: null, key: `text:${word}` })
  })

  test('KG is a keg only when it holds kilograms or litres', () => {
    expect(['', 'C62', 'MTR', 'KGM', 'KG', 'LTR'].map((content) => inWords('KG', 'de', content))).toEqual([
      'KG',
      'KG',
      'KG',
      'keg',
      'keg',
      'keg',
    ])
  })

  test('must be in capitals, and other texts stay unchanged', () => {
    for (const text of ['pa', 'Pl', 'Karton', 'BOX', 'VPE', 'MTR', 'ZZ', '', ' PA'])
      expect(inWords(text, 'es')).toBe(text)
  })
})

test('packages of different kinds never convert into each other', () => {
  const kinds = ['PA', 'BX', 'SA', 'BO', 'PL', 'CA', 'CI', 'DR', 'CR', 'TU', 'CQ', 'BE', 'RL', 'CL', 'D97', 'PU', 'Z2']
  const sold = kinds.map((code) => soldUnit({ unit: inWords(code) }))
  for (const [i, from] of sold.entries()) {
    expect(sold.filter((to) => conversionFactor(from, to) !== null)).toEqual([sold[i]])
    expect(conversionFactor(from, soldUnit({ unit: 'C62' }))).toBeNull()
  }
})

test.each([
  ['PA', 'packet, paquete, pacote, paquet, Paket, Packung, pacco'],
  ['CT', 'carton, caja, caixa, boîte, Karton, scatola'],
  ['SA', 'sack, saco, sac, Sack, sacco'],
  ['CI', 'canister, bidón, bidon, Kanister, tanica'],
  ['RO', 'roll, rollo, rolo, rouleau, Rolle, rotolo'],
  ['D97', 'pallet, palé, palete, palette, Palette, bancale'],
])("%s has the same unit as the vendors' words %s", (code, names) => {
  const { key } = soldUnit({ unit: inWords(code), lang: 'de' })
  for (const unit of names.split(', ')) expect([unit, soldUnit({ unit }).key]).toEqual([unit, key])
})
