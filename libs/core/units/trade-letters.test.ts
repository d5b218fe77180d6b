import { expect, test } from 'vitest'
import { parseUnit } from './parse-unit.ts'
import { translatedUnit } from './unit-translator.ts'

const labelIn = (region: string | null, unit: string, article: string) => {
  const text = translatedUnit(unit, null, { region, kind: 'shop', lang: 'en', article })
  return parseUnit(text, { lang: 'en' })?.symbol ?? null
}

test.each([
  ['M', 'Screw 4x70', 'thousand'],
  ['C', 'Hex bolt 1/2 in', 'hundred'],
  ['M', 'Common brick', 'thousand'],
  ['per M', 'Wire nut, yellow', 'thousand'],
  ['/C', 'Cable ties 8 in', 'hundred'],
  ['M', 'Building wire THHN 12 AWG', '1000 ft'],
  ['C', 'EMT conduit 1/2 in', '100 ft'],
  ['M', 'Lumber 2x4 SPF', '1000 board ft'],
  ['M', 'Work of a kind', null],
  ['C', 'Work of a kind', null],
  ['M', 'Metal stud 3 5/8 in', null],
])(
  'given the unit %s of "%s" in a list of the United States, then it is %s and never a metre',
  (unit, article, label) => {
    for (const region of ['US', 'US-TX']) expect(labelIn(region, unit, article)).toBe(label)
  },
)

test('an M of any other country is a metre, and so is an m', () => {
  for (const region of ['ES', 'GB', 'DE', null]) expect(labelIn(region, 'M', 'Pipe')).toBe('m')
  expect(labelIn('US', 'm', 'Pipe')).toBe('m')
})

test.each([
  ['CWT', 'cwt'],
  ['MBF', '1000 board ft'],
  ['MBM', '1000 board ft'],
  ['MFBM', '1000 board ft'],
  ['MSF', '1000 ft²'],
  ['CSF', '100 ft²'],
  ['SQ', 'square'],
  ['Sq.', 'square'],
  ['CLF', '100 ft'],
  ['M.L.F.', '1000 ft'],
  ['V.L.F.', 'ft'],
  ['Sta.', '100 ft'],
  ['L.C.Y.', 'yd³'],
  ['B.C.Y.', 'yd³'],
  ['S.F. Flr.', 'ft²'],
  ['MCF', '1000 ft³'],
])('given the unit %s in a list of the United States, then it is %s', (unit, label) => {
  for (const region of ['US', 'US-TX']) expect(labelIn(region, unit, 'Work')).toBe(label)
})
