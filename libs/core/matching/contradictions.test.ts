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
  ])('knows %j and %j apart by a letter or number in one place', (a, b) => {
    expect(contradictionBetween(sku(a), sku(b))).not.toBeNull()
    expect(contradictionBetween(sku(b), sku(a))).not.toBeNull()
  })

  test.each([
    ['Panel II blind', 'Panel 2 blind'],
    ['Panel blind', 'Panel A blind'],
    ['Panel A blind', 'Door B blind'],
    ['Baldosa 60x60 gris', 'Baldosa 600x600 gris'],
  ])('leaves %j and %j to the score', (a, b) => {
    expect(contradictionBetween(sku(a), sku(b))).toBeNull()
  })
})
