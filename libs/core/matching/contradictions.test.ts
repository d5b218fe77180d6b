import { describe, expect, test } from 'vitest'
import { contradictionBetween } from './contradictions.ts'
import type { MatchSku } from './sku-reading.ts'

const sku = (name: string, more: Partial<MatchSku> = {}): MatchSku => ({
  vendorSkuId: name,
  sourceId: 'src_a',
  name,
  unit: 'u',
  ...more,
})

const EN = { lang: 'en' }

describe('contradictions', () => {
  test('names the subject and the value of each side', () => {
    expect(contradictionBetween(sku('Sand', { unit: 'kg' }), sku('Sand', { unit: 'm³' }))).toEqual({
      about: 'unit',
      one: 'mass',
      other: 'volume',
    })
    expect(
      contradictionBetween(sku('Drill', { gtin: '4006381333931' }), sku('Drill', { gtin: '5012345678900' })),
    ).toEqual({ about: 'gtin', one: '04006381333931', other: '05012345678900' })
    expect(contradictionBetween(sku('Tile, white'), sku('Tile, red'))).toEqual({
      about: 'colour',
      one: 'white',
      other: 'red',
    })
  })

  test('swapped SKUs give the same subject with its sides swapped', () => {
    const [a, b] = [sku('Red pipe 20 mm left'), sku('White pipe 25 mm right')]
    const found = contradictionBetween(a, b)
    expect(found).not.toBeNull()
    expect(contradictionBetween(b, a)).toEqual({ about: found?.about, one: found?.other, other: found?.one })
  })

  test('is silent where one side says nothing', () => {
    expect(contradictionBetween(sku('Tile'), sku('Tile, white', { gtin: '4006381333931' }))).toBeNull()
  })

  test.each([
    ['Drainage pipe N13', 'Drainage pipe H1'],
    ['HMA surface TYPE C', 'HMA surface TYPE D'],
    ['Panel A blind', 'Panel B blind'],
    ['Elbow 45 copper', 'Elbow 90 copper'],
    ['Door blind 62x203', 'Door blind 72x203'],
  ])('knows %j and %j apart by a letter or number in one place', (a, b) => {
    expect(contradictionBetween(sku(a), sku(b))).not.toBeNull()
    expect(contradictionBetween(sku(b), sku(a))).not.toBeNull()
  })

  test.each([
    ['Panel II blind', 'Panel 2 blind'],
    ['Panel blind', 'Panel A blind'],
    ['Panel A blind', 'Door B blind'],
    ['Baldosa 60x60 gris', 'Baldosa 600x600 gris'],
    ['Ladrillo 5x14x29', 'Ladrillo 29x14x5'],
  ])('leaves %j and %j to the score', (a, b) => {
    expect(contradictionBetween(sku(a), sku(b))).toBeNull()
  })

  test.each([
    ['purpose', 'Concealed frame for toilet', 'Toilet, white'],
    ['legend', 'Pavement marking, left arrow', 'Pavement marking, through arrow'],
    ['legend', 'Pavt Mrkg, Cold Plastic, Only', 'Pavt Mrkg, Cold Plastic, School'],
    ['area', 'Junction box, 2 sft', 'Junction box with lid, 4 SFT'],
    ['area', 'Junction box, 2 square feet', 'Junction box with lid, 4 square feet'],
    ['length', 'Panel 25.5x15 cm, sheet 6x2.2 m', 'Panel 15x15 cm, sheet 6x2.2 m'],
  ])('compares the %s of %j and %j', (about, a, b) => {
    expect(contradictionBetween(sku(a, EN), sku(b, EN))?.about).toBe(about)
    expect(contradictionBetween(sku(b, EN), sku(a, EN))?.about).toBe(about)
  })

  test.each([
    ['a part that both name', 'Toilet frame for toilet', 'Toilet with frame'],
    ['the purpose of both', 'Frame for toilet', 'Bracket for toilet'],
    ['a legend and its abbreviation', 'Marking, left arrow', 'Marking, lft arrow'],
    ['a legend and none', 'Marking, arrow', 'Marking, left arrow'],
    ['containers behind the comma', 'Grey cement, bag', 'Grey cement, sack'],
    ['other words before the comma', 'Thin marking, left arrow', 'Wide marking, through arrow'],
  ])('takes %s for no contradiction', (_, a, b) => {
    expect(contradictionBetween(sku(a, EN), sku(b, EN))).toBeNull()
    expect(contradictionBetween(sku(b, EN), sku(a, EN))).toBeNull()
  })

  test('believes one GTIN more than legends and purposes', () => {
    const one = { ...EN, gtin: '4006381333931' }
    expect(contradictionBetween(sku('Marking, left arrow', one), sku('Marking, through arrow', one))).toBeNull()
    expect(contradictionBetween(sku('Frame for toilet', one), sku('Toilet, white', one))).toBeNull()
  })

  test('leaves purposes and legends of two languages to the score', () => {
    expect(contradictionBetween(sku('Marking, arrow', EN), sku('Marking, flecha', { lang: 'es' }))).toBeNull()
  })
})
