import { isNominallyEqual, type Size, sizesOf } from '@catalog/core/units/sizes.ts'
import { soldUnit } from '@catalog/core/units/sold-unit.ts'
import { describe, expect, test } from 'vitest'
import { labelledRecords, parseRecords } from './labelled-offers.ts'

const records = labelledRecords()
const byProduct = Map.groupBy(records, ({ product }) => product)
const byFamily = Map.groupBy(records, ({ family }) => family)

/** Pairs of records of one family and two vendors, each once. */
const pairs = [...byFamily.values()].flatMap((family) =>
  family.flatMap((a, at) =>
    family
      .slice(at + 1)
      .filter((b) => b.sku.sourceId !== a.sku.sourceId)
      .map((b) => ({ a, b, isMatch: a.product === b.product })),
  ),
)

describe('the labelled records', () => {
  test('are many, of many families, vendors and languages', () => {
    expect(records.length).toBeGreaterThanOrEqual(2400)
    expect(byFamily.size).toBeGreaterThanOrEqual(160)
    expect(new Set(records.map(({ sku }) => sku.sourceId)).size).toBeGreaterThanOrEqual(12)
    expect(new Set(records.map(({ sku }) => sku.lang)).size).toBe(6)
  })

  test('give enough pairs for training and evaluation', () => {
    const matches = pairs.filter(({ isMatch }) => isMatch)
    expect(matches.length).toBeGreaterThanOrEqual(700)
    expect(pairs.length - matches.length).toBeGreaterThanOrEqual(800)
    const acrossLanguages = matches.filter(({ a, b }) => a.sku.lang !== b.sku.lang).length / matches.length
    expect(acrossLanguages).toBeGreaterThan(0.15)
    expect(acrossLanguages).toBeLessThan(0.25)
    // Neither a name alone nor a barcode reveals the product.
    expect(matches.filter(({ a, b }) => a.sku.name === b.sku.name).length).toBeLessThan(matches.length / 100)
    expect(matches.filter(({ a, b }) => a.sku.gtin && b.sku.gtin).length).toBeLessThan(matches.length / 5)
  })

  test('have similar products in every family, and no dominant family', () => {
    const matches = pairs.filter(({ isMatch }) => isMatch).length
    for (const [family, its] of Map.groupBy(pairs, ({ a }) => a.family)) {
      const count = (isMatch: boolean) => its.filter((pair) => pair.isMatch === isMatch).length
      expect([family, count(true) > 0, count(false) > 0]).toEqual([family, true, true])
      expect([family, count(true) > matches / 20]).toEqual([family, false])
    }
    expect(new Set(pairs.map(({ a }) => a.family)).size).toBe(byFamily.size)
  })

  test('list a product once per vendor, and nearly every product at two vendors', () => {
    for (const [product, its] of byProduct)
      expect([product, new Set(its.map(({ sku }) => sku.sourceId)).size]).toEqual([product, its.length])
    const shared = [...byProduct.values()].filter((its) => its.length > 1).length
    expect(shared / byProduct.size).toBeGreaterThan(0.95)
  })

  test('have known units', () => {
    const unknown = records.filter(({ sku }) => soldUnit(sku).quantity === null)
    expect(unknown.map(({ sku }) => sku.vendorSkuId)).toEqual([])
  })

  test('of one product have one measure, and two quantities only of a bare measure', () => {
    for (const [product, its] of byProduct) {
      const measures = its.map(({ sku }) => soldUnit(sku)).filter(({ dimension }) => !dimension?.startsWith('count'))
      expect([product, new Set(measures.map(({ dimension }) => dimension)).size < 2]).toEqual([product, true])
      // Sales by the kg and by the tonne are one product; bags of 25 and of 40 kg are two.
      const packed = its.map(({ sku }) => soldUnit(sku)).filter(({ label }) => /\d/.test(label ?? ''))
      expect([product, new Set(packed.map(({ key }) => key)).size < 2]).toEqual([product, true])
    }
  })

  test('have barcodes with the right check digit, one for each product', () => {
    const productOf = new Map<string, string>()
    for (const { product, sku } of records) {
      if (!sku.gtin) continue
      expect([sku.gtin, checkSum(sku.gtin) % 10]).toEqual([sku.gtin, 0])
      expect(productOf.get(sku.gtin) ?? product).toBe(product)
      productOf.set(sku.gtin, product)
    }
    expect(productOf.size).toBeGreaterThan(50)
    for (const its of byProduct.values()) expect(new Set(its.flatMap(({ sku }) => sku.gtin ?? [])).size).toBeLessThan(2)
  })

  test('never contradict the sizes of their product', () => {
    const contradictions = records.filter(({ product, sku }) => {
      const name = sizesOf(sku.name, sku.lang)
      const sold = [sku.unit ?? '', sku.pack ? `${sku.pack.quantity} ${sku.pack.unit}` : ''].flatMap((text) =>
        sizesOf(text, sku.lang),
      )
      const own = sizesOfProduct(product)
      // The texts may omit a size of the product but never contradict it; and a size in the name is one of the
      // product's.
      const isMissing = own.some((size) => contradicts([...name, ...sold], [size]))
      return isMissing || own.some((size) => contradicts(name, own.filter(isLike(size))))
    })
    expect(contradictions.map(({ product, sku }) => `${product}: ${sku.name}`)).toEqual([])
    expect(records.flatMap(({ product }) => sizesOfProduct(product)).length).toBeGreaterThan(1500)
  })
})

describe('a line of labelled records', () => {
  const line = 'cement/cem2-25kg\tribazo\tes\tCemento gris CEM II\tsaco\t25 kg\t9521000020078\tCV-25\tCementos'

  test('is a record with absent values for empty columns', () => {
    expect(parseRecords(`# head\n${line}\n`, 'r.tsv')).toEqual([
      {
        product: 'cement/cem2-25kg',
        family: 'cement',
        sku: {
          vendorSkuId: 'r.tsv:2',
          sourceId: 'ribazo',
          name: 'Cemento gris CEM II',
          lang: 'es',
          unit: 'saco',
          pack: { quantity: '25', unit: 'kg' },
          gtin: '9521000020078',
          manufacturerRef: 'CV-25',
          categoryPath: ['Cementos'],
        },
      },
    ])
    const [bare] = parseRecords('cement/cem2-25kg\tribazo\tes\tCemento\t\t\t\t\t', 'r.tsv')
    expect(bare?.sku).toEqual({ vendorSkuId: 'r.tsv:1', sourceId: 'ribazo', name: 'Cemento', lang: 'es', unit: null })
  })

  test.each([
    ['cement/cem2-25kg\tribazo\tes', "r.tsv:2: 'cement/cem2-25kg\tribazo\tes': 3 columns; expected 9"],
    [line.replace('cement/', 'cement '), "r.tsv:2: product 'cement cem2-25kg': expected family/product"],
    [line.replace('\tes\t', '\tca\t'), "r.tsv:2: lang 'ca': expected es, en, pt, fr, de or it"],
    [line.replace('Cemento gris CEM II', ''), "r.tsv:2: name '': expected a name"],
    [line.replace('25 kg', '25,5 kg'), "r.tsv:2: pack '25,5 kg': expected a quantity with a decimal point"],
    [line.replace('9521000020078', '95210'), "r.tsv:2: gtin '95210': expected 8, 12, 13 or 14 digits"],
  ])('that is wrong is refused with file, line and value: %j', (wrong, message) => {
    expect(() => parseRecords(`# head\n${wrong}`, 'r.tsv')).toThrow(message)
  })
})

/** GS1 check sum: the digits weigh 1 and 3 in turn from the right. */
function checkSum(gtin: string): number {
  return [...gtin].reverse().reduce((sum, digit, at) => sum + Number(digit) * (at % 2 === 0 ? 1 : 3), 0)
}

/** The sizes with a unit in a product's key: 12 mm and 12 m of "12mm-b500s-12m", half an inch of "1-2in". */
function sizesOfProduct(product: string): Size[] {
  const parts = product
    .slice(product.indexOf('/') + 1)
    .replace(/(?<![\d.])(?:(\d+)-)?(\d+)-(2|4|8|16)in(?![a-z])/g, (_, whole, part, of) => {
      return `${Number(whole ?? 0) + Number(part) / Number(of)}in`
    })
    .split('-')
  return parts.flatMap((part) => sizesOf(part, 'en')).filter(({ dimension }) => dimension !== 'number')
}

/** Whether the texts have sizes of the dimension of `sizes`, none of them nominally equal to one of these. */
function contradicts(said: readonly Size[], sizes: readonly Size[]): boolean {
  const comparable = said.filter((one) => sizes.some((size) => isLike(size)(one)))
  return comparable.length > 0 && !comparable.some((one) => sizes.some((size) => holds(one, size)))
}

function isLike({ dimension }: Size): (other: Size) => boolean {
  return (other) => other.dimension === dimension
}

/** Whether one of the values nominally equals the size: 1.20 x 2.50 m holds 2.5 m. */
function holds(said: Size, size: Size): boolean {
  return said.values.some((value) => isNominallyEqual({ ...said, values: [value] }, size))
}
