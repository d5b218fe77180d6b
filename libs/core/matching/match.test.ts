import { itemIdOf } from '@catalog/core/events/ids.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Assignment,
  assign,
  CANDIDATES_MAX,
  compatible,
  type ExistingItems,
  type MatchItem,
  MatchMembers,
  type MatchSku,
  matchKeys,
} from './match.ts'

const sku = (fields: Partial<MatchSku> = {}): MatchSku => ({
  vendorSkuId: 'vsku_a',
  sourceId: 'src_a',
  name: 'Portland cement',
  unit: 'kg',
  ...fields,
})
const nameKeyOf = (name: string, fields: Partial<MatchSku> = {}) =>
  matchKeys(sku({ name, ...fields })).find((key) => key.startsWith('name:')) ?? null

/** The state after a list of assignments. */
function stateAfter(skus: readonly MatchSku[], assignments: readonly Assignment[]): ExistingItems {
  const skuOf = new Map(skus.map((each) => [each.vendorSkuId, each]))
  const items = new Map<string, MatchItem>()
  for (const { vendorSkuId, itemId, founding } of assignments) {
    const member = skuOf.get(vendorSkuId) as MatchSku
    const item = items.get(itemId)
    if (founding === (item !== undefined)) throw new Error(`${itemId}: founded twice or joined before it was founded`)
    items.set(itemId, {
      itemId,
      founderVendorSkuId: item?.founderVendorSkuId ?? vendorSkuId,
      members: new MatchMembers([member], item?.members),
    })
  }
  return {
    byKey: (key) =>
      [...items.values()]
        .filter((item) => item.members.heard().some((member) => matchKeys(member).includes(key)))
        .reverse(),
    foundedBefore: () => 0,
  }
}
const textsOf = (members: MatchMembers) => [...members.heard(), ...members.silent()]

const EMPTY: ExistingItems = { byKey: () => [], foundedBefore: () => 0 }

describe('the keys of a SKU', () => {
  test('begin with its GTIN in 14 digits, when its check digit is right', () => {
    expect(matchKeys(sku({ gtin: '4006381333931' }))[0]).toBe('gtin:04006381333931')
    expect(matchKeys(sku({ gtin: '96385074' }))[0]).toBe('gtin:00000096385074')
    expect(matchKeys(sku({ gtin: '036000291452' }))[0]).toBe('gtin:00036000291452')
    expect(matchKeys(sku({ gtin: '14006381333938' }))[0]).toBe('gtin:14006381333938')
  })

  test.each([
    '4006381333932',
    '2012345678900',
    '0200000000008',
    '00000000',
    '0000000000000',
    '400638133393',
    '123456789',
  ])("hold no GTIN %s, which is wrong or a shop's own", (gtin) => {
    expect(matchKeys(sku({ gtin })).filter((key) => key.startsWith('gtin:'))).toEqual([])
  })

  test('continue with the reference of the manufacturer, whatever its punctuation', () => {
    const refs = ['DHP-482 Z', 'dhp482z', 'Ref. DHP.482/Z'].map(
      (manufacturerRef) => matchKeys(sku({ manufacturerRef }))[0],
    )
    expect(refs).toEqual(['ref:dhp482z', 'ref:dhp482z', 'ref:dhp482z'])
    expect(matchKeys(sku({ manufacturerRef: 'Makita DHP482Z' }))[0]).toBe('ref:makitadhp482z')
  })

  test.each(['A123', 'ABCDEF', '---', ''])(
    'hold no reference when it is %j: too short, or without a digit',
    (manufacturerRef) => {
      expect(matchKeys(sku({ manufacturerRef })).filter((key) => key.startsWith('ref:'))).toEqual([])
    },
  )

  test('end with one name key', () => {
    const keys = matchKeys(sku({ gtin: '4006381333931', manufacturerRef: 'DHP482Z' }))
    expect(keys.map((key) => key.split(':')[0])).toEqual(['gtin', 'ref', 'name'])
  })

  test('stay short enough for an index, and differ where long names differ', () => {
    const long = 'cement '.repeat(280)
    expect(nameKeyOf(`${long} grey`)?.length).toBeLessThan(320)
    expect(nameKeyOf(`${long} grey`)).not.toBe(nameKeyOf(`${long} white`))
    expect(nameKeyOf(`${long} grey`)).toBe(nameKeyOf(`grey ${long}`))
  })
})

describe('one name key', () => {
  test.each([
    ['Cemento Portland gris', 'PORTLAND, cemento (gris)'],
    ['Tubo de PVC 12,5 mm', 'tubo PVC 12.5mm'],
    ['Tubo PVC 13 mm', 'Tubo PVC 1,3 cm'],
    ['Codo ½" latón', 'Codo 1/2 in laton'],
    ['Tuyau 1 1/2" cuivre', 'tuyau cuivre 1½”'],
    ['Tuyau 1 1/2" cuivre', 'tuyau cuivre 38,1 mm'],
    ['Codo 90 1/2" cobre', 'Codo cobre 90, 12.7 mm'],
    ['Baldosa 60x60 cm', 'Baldosa 600 × 600 mm'],
    ['Acero B 500 S 12 mm', 'Acero B500S 12 mm'],
    ['Hormigón HA-25', 'hormigon HA 25'],
    ["Tuyau d'eau", 'Tuyau eau'],
    ['Tornillo M8x40, 100 uds', 'Tornillo M8x40 100 u.'],
  ])('is shared by %j and %j', (a, b) => {
    expect(nameKeyOf(a)).not.toBeNull()
    expect(nameKeyOf(a)).toBe(nameKeyOf(b))
  })

  test.each([
    ['Tubo PVC 12 mm', 'Tubo PVC 16 mm'],
    ['Tubo PVC 12 mm', 'Tubo PVC 12 cm'],
    ['Tubo PVC 12 mm', 'Tubo PVC'],
    ['Tubo PVC Ø 12 mm', 'Tubo PVC 12 mm'],
    ['Acero B500S', 'Acero B500SD'],
    ['Hormigón C25/30', 'Hormigón C30/37'],
    ['Cemento CEM I 42.5', 'Cemento CEM II 42.5'],
    ['Cemento CEM II 42,5', 'Cemento CEM II 32,5'],
    ['Tablero clase A', 'Tablero clase B'],
    ['Tablero serie A tipo B', 'Tablero serie B tipo A'],
    ['Codo macho 1/2" hembra 3/4"', 'Codo macho 3/4" hembra 1/2"'],
    ['Adapter M8 inside M10 outside', 'Adapter M10 inside M8 outside'],
    ['Handle red blade blue', 'Handle blue blade red'],
    ['Caja con tapa', 'Caja sin tapa'],
    ['Tabla 1.000 mm', 'Tabla 1000 mm'],
    ['Tabla 1.000 mm', 'Tabla 1 mm'],
    ['Cemento 25 kg', 'Cemento 40 kg'],
    ['Cable 2x1,5 mm2', 'Cable 3x1,5 mm2'],
    ['Puerta dos hojas', 'Puerta tres hojas'],
    ['Pieza Y 110 mm', 'Pieza 110 mm'],
    ['Interruptor tipo E', 'Interruptor tipo'],
    ['Perfil AL', 'Perfil'],
  ])('is never shared by %j and %j', (a, b) => {
    expect(nameKeyOf(a)).not.toBeNull()
    expect(nameKeyOf(a)).not.toBe(nameKeyOf(b))
  })

  test('needs the same sold unit, in whatever spelling', () => {
    const bag = { unit: 'saco', pack: { quantity: '25', unit: 'kg' } }
    expect(nameKeyOf('Cement', bag)).toBe(nameKeyOf('Cement', { unit: 'Sack 25 kg' }))
    expect(nameKeyOf('Cement', bag)).not.toBe(nameKeyOf('Cement', { unit: 'kg' }))
    expect(nameKeyOf('Cement', { unit: 'foo' })).toBe(nameKeyOf('Cement', { unit: ' FOO' }))
    expect(nameKeyOf('Cement', { unit: 'foo' })).not.toBe(nameKeyOf('Cement', { unit: null }))
    expect(nameKeyOf('Cinta', { unit: 'ml', lang: 'es' })).not.toBe(nameKeyOf('Cinta', { unit: 'ml', lang: 'en' }))
  })

  test('is missing where it would say too little', () => {
    expect(nameKeyOf('12')).toBeNull()
    expect(nameKeyOf('B500S 12 mm')).toBeNull()
    expect(nameKeyOf('de la')).toBeNull()
    expect(nameKeyOf('')).toBeNull()
    // The text does not say which size of bag.
    expect(nameKeyOf('Cement', { unit: 'bag' })).toBeNull()
    expect(nameKeyOf('Cement 25 kg', { unit: 'bag' })).toBe(nameKeyOf('cement 25kg', { unit: 'saco' }))
  })

  test('ignores the order of words, case and accents, unless a kind of value occurs twice', () => {
    const words = fc.uniqueArray(fc.constantFrom('Hormigón', 'tubo', 'acero', 'MADERA', 'pintura', 'élite'), {
      minLength: 1,
    })
    const size = fc.constantFrom('12 mm', '25 kg', 'M8', '40')
    fc.assert(
      fc.property(words, size, (names, value) => {
        const shouted = [value, ...names.toReversed()].join(' ').toUpperCase().normalize('NFD')
        expect(nameKeyOf(shouted)).toBe(nameKeyOf([...names, value].join(' ')))
      }),
    )
  })

  test('differs whenever a number in the name differs', () => {
    const number = fc.integer({ min: 1, max: 999 })
    const unit = fc.constantFrom('', ' mm', 'mm', ' kg', 'x5 cm', '"')
    fc.assert(
      fc.property(number, number, unit, (a, b, suffix) => {
        fc.pre(a !== b)
        expect(nameKeyOf(`Tubo gris ${a}${suffix} PVC`)).not.toBe(nameKeyOf(`Tubo gris ${b}${suffix} PVC`))
      }),
    )
  })
})

describe('two SKUs', () => {
  const named = (name: string, fields: Partial<MatchSku> = {}) => sku({ name, ...fields })

  test.each([
    ['other dimension', named('Cable', { unit: 'm' }), named('Cable', { unit: 'kg' })],
    ['a bag and a roll', named('Lana', { unit: 'saco' }), named('Lana', { unit: 'rollo' })],
    ['another GTIN', named('Drill', { gtin: '4006381333931' }), named('Drill', { gtin: '96385074' })],
    ['another size', named('Barra 12 mm'), named('Barra 16 mm')],
    ['another size beside an equal one', named('Tubo 20 mm 6 m'), named('Tubo 20 mm 3 m')],
    ['another number of pieces', named('Tornillo 100 uds'), named('Tornillo 50 uds')],
    ['another steel', named('Acero B500S'), named('Acero B 500 SD')],
    ['another concrete', named('Beton C25/30'), named('Beton C 30/37')],
    ['another cement', named('CEM I 42,5 R'), named('CEM II/A-L 42,5 R')],
    ['another strength', named('CEM II 42,5'), named('CEM II 32.5 N')],
    ['another pressure', named('Tubo PN-10'), named('Tubo PN 16')],
    ['another thread', named('Perno M8'), named('Bolt M10')],
    ['another colour, in two languages', named('Pintura blanca'), named('Paint black')],
    ['another side', named('Puerta izquierda'), named('Tür rechts')],
  ])('of %s are never one item, in either direction', (_reason, a, b) => {
    expect(compatible(a, b)).toBe(false)
    expect(compatible(b, a)).toBe(false)
  })

  test.each([
    ['the same', named('Barra 12 mm'), named('Barra 12 mm')],
    ['a size only one of them tells', named('Tubo 20 mm 6 m'), named('Tubo 6 m')],
    ['a size in two units', named('Tubo 1,2 cm'), named('Tube 12 mm')],
    ['units of one dimension', named('Arena', { unit: 't' }), named('Arena', { unit: 'saco 25 kg' })],
    ['an unknown unit', named('Arena', { unit: 'foo' }), named('Arena', { unit: null })],
    ['a GTIN only one of them has', named('Drill', { gtin: '4006381333931' }), named('Drill')],
    ['a GTIN that is none', named('Drill', { gtin: '4006381333931' }), named('Drill', { gtin: '4006381333932' })],
    ['a colour in two languages', named('Pintura blanca'), named('Weiße Farbe weiss')],
  ])('with %s may be one item', (_reason, a, b) => {
    expect(compatible(a, b)).toBe(true)
    expect(compatible(b, a)).toBe(true)
  })
})

describe('an assignment', () => {
  const gtin = '4006381333931'
  const a = sku({ vendorSkuId: 'vsku_a', sourceId: 'src_1', name: 'Drill Makita', unit: 'u', gtin })
  const b = sku({ vendorSkuId: 'vsku_b', sourceId: 'src_2', name: 'Taladro Makita', unit: 'ud', gtin })

  test('founds an item for the first SKU and lets the second of another source join it', () => {
    const [first, second] = assign([b, a], EMPTY)
    expect(first).toMatchObject({ vendorSkuId: 'vsku_a', itemId: itemIdOf('vsku_a', 0), founding: true, n: 0 })
    expect(first?.evidence).toEqual({ key: null, with: null, refused: 0 })
    expect(second).toMatchObject({ vendorSkuId: 'vsku_b', itemId: itemIdOf('vsku_a', 0), founding: false })
    expect(second?.evidence).toEqual({ key: `gtin:0${gtin}`, with: 'vsku_a', refused: 0 })
    expect(second?.keys).toEqual(matchKeys(b))
  })

  test('never puts two SKUs of one source into one item', () => {
    const assigned = assign([a, { ...b, sourceId: 'src_1' }], EMPTY)
    expect(assigned.map(({ founding }) => founding)).toEqual([true, true])
  })

  test('numbers the items that one SKU founds', () => {
    const [first] = assign([a], { byKey: () => [], foundedBefore: () => 2 })
    expect(first).toMatchObject({ itemId: itemIdOf('vsku_a', 2), n: 2 })
  })

  test('checks every member: one incompatible member keeps the SKU out', () => {
    const large = { ...b, vendorSkuId: 'vsku_c', sourceId: 'src_3', name: 'Taladro Makita 16 mm' }
    const small = { ...b, vendorSkuId: 'vsku_d', sourceId: 'src_4', name: 'Taladro Makita 12 mm' }
    const assigned = assign([a, b, large, small], EMPTY)
    expect(assigned.map(({ founding }) => founding)).toEqual([true, false, false, true])
    expect(assigned[3]?.evidence).toEqual({ key: null, with: null, refused: 1, refused_by: 'length' })
  })

  test('takes the strongest key, then the smallest founder, then the smallest item', () => {
    const item = (itemId: string, founderVendorSkuId: string, member: Partial<MatchSku>) => {
      return {
        itemId,
        founderVendorSkuId,
        members: new MatchMembers([sku({ vendorSkuId: founderVendorSkuId, sourceId: itemId, unit: 'u', ...member })]),
      }
    }
    const items = [
      item('ci_1', 'vsku_1', { name: 'Taladro Makita' }),
      item('ci_2', 'vsku_3', { gtin, name: 'Makita x' }),
      item('ci_4', 'vsku_2', { gtin, name: 'Makita y' }),
      item('ci_3', 'vsku_2', { gtin, name: 'Makita z' }),
    ]
    const existing = (found: readonly MatchItem[]): ExistingItems => ({
      byKey: (key) => found.filter(({ members }) => textsOf(members).some((member) => matchKeys(member).includes(key))),
      foundedBefore: () => 0,
    })
    expect(assign([b], existing(items))[0]?.itemId).toBe('ci_3')
    expect(assign([b], existing(items.slice(0, 3)))[0]?.itemId).toBe('ci_4')
    expect(assign([b], existing(items.slice(0, 1)))[0]?.itemId).toBe('ci_1')
  })

  test('requires a shared word beside a reference, with its brand too', () => {
    const ref = (fields: Partial<MatchSku>) => sku({ unit: 'u', manufacturerRef: 'Ref. 482001', ...fields })
    const drill = ref({ vendorSkuId: 'vsku_1', sourceId: 'src_1', name: 'Drill Makita' })
    const mixer = ref({ vendorSkuId: 'vsku_2', sourceId: 'src_2', name: 'Mixer tap' })
    const taladro = ref({ vendorSkuId: 'vsku_3', sourceId: 'src_3', name: 'Taladro Makita' })
    expect(assign([drill, mixer, taladro], EMPTY).map(({ founding }) => founding)).toEqual([true, true, false])
    const branded = [drill, mixer].map((each) => ({ ...each, manufacturerRef: 'Makita 482001' }))
    expect(assign(branded, EMPTY).map(({ founding }) => founding)).toEqual([true, true])
  })

  test('leaves a GTIN without a common word to people, unless the names have one meaning', () => {
    const plasterboard = { ...b, name: 'Plasterboard' }
    const [, doubted] = assign([a, plasterboard], EMPTY)
    expect(doubted).toMatchObject({ founding: true, doubt: { with: 'vsku_a', key: `gtin:0${gtin}` } })
    expect(doubted?.evidence).toEqual({ key: null, with: null, refused: 1, refused_by: 'no common word' })
    const [, joined] = assign([a, { ...b, name: 'Taladro' }], { ...EMPTY, haveOneMeaning: () => true })
    expect(joined).toMatchObject({ founding: false, doubt: null })
    const [, contradicted] = assign(
      [
        { ...a, name: 'Pintura blanca' },
        { ...b, name: 'Pintura negra' },
      ],
      EMPTY,
    )
    expect(contradicted).toMatchObject({ founding: true, doubt: null })
  })

  test('a silent SKU links nobody and keeps nobody out', () => {
    const silent = { ...a, vendorSkuId: 'vsku_0', sourceId: 'src_0', isSilent: true }
    expect(assign([silent, b], EMPTY).map(({ founding }) => founding)).toEqual([true, true])
    const item = {
      itemId: 'ci_1',
      founderVendorSkuId: 'vsku_0',
      members: new MatchMembers([{ ...silent, name: 'Pintura negra' }, a]),
    }
    const existing = { byKey: () => [item], foundedBefore: () => 0 }
    expect(assign([b], existing)[0]).toMatchObject({ founding: false, itemId: 'ci_1' })
  })

  test('an item in which nobody is heard takes the same name alone, after every other item', () => {
    const silent = { ...a, vendorSkuId: 'vsku_0', sourceId: 'src_0', isSilent: true }
    const shell = { itemId: 'ci_0', founderVendorSkuId: 'vsku_0', members: new MatchMembers([silent]) }
    const own = {
      itemId: 'ci_1',
      founderVendorSkuId: 'vsku_1',
      members: new MatchMembers([{ ...a, vendorSkuId: 'vsku_1', sourceId: 'src_1' }]),
    }
    const among = (...items: MatchItem[]): ExistingItems => ({
      byKey: (key) => items.filter(({ members }) => textsOf(members).some((member) => matchKeys(member).includes(key))),
      foundedBefore: () => 0,
    })
    const same = { ...b, name: a.name }
    expect(assign([b], among(shell))[0]?.founding).toBe(true)
    expect(assign([same], among(shell))[0]).toMatchObject({ itemId: 'ci_0' })
    expect(assign([same], among(shell, own))[0]).toMatchObject({ itemId: 'ci_1' })
    expect(assign([{ ...same, sourceId: 'src_0' }], among(shell))[0]?.founding).toBe(true)
  })

  test('a key of a former name links nobody', () => {
    const item = {
      itemId: 'ci_1',
      founderVendorSkuId: 'vsku_a',
      members: new MatchMembers([{ ...a, gtin: undefined, name: 'Paint' }]),
    }
    expect(assign([b], { byKey: () => [item], foundedBefore: () => 0 })[0]?.founding).toBe(true)
  })

  test('skips a key that too many items share', () => {
    const items = (count: number): MatchItem[] =>
      Array.from({ length: count }, (_, at) => ({
        itemId: `ci_${at}`,
        founderVendorSkuId: `vsku_${at}`,
        members: new MatchMembers([{ ...a, sourceId: `src_x${at}` }]),
      }))
    expect(assign([b], { byKey: () => items(CANDIDATES_MAX), foundedBefore: () => 0 })[0]?.founding).toBe(false)
    expect(assign([b], { byKey: () => items(CANDIDATES_MAX + 1), foundedBefore: () => 0 })[0]?.founding).toBe(true)
  })

  const pick = <T>(...values: T[]) => fc.constantFrom(...values)
  const anySku = fc.record({
    sourceId: pick('src_1', 'src_2', 'src_3', 'src_4'),
    name: pick(
      'Cement grey 25 kg',
      'Grey cement 25kg',
      'Cement',
      'Cement 40 kg',
      'Tubo 12 mm',
      'Tubo 16 mm',
      'Tubo',
      'Acero B500S',
      'Acero B500SD',
    ),
    unit: pick('u', 'u', 'ud', 'pza', 'kg', 'saco', null, 'foo'),
    gtin: pick(undefined, '4006381333931', '4006381333931', '96385074', '4006381333932'),
    manufacturerRef: pick(undefined, undefined, 'REF-1001', 'ref1001', 'Acme 2002'),
  })
  const manySkus = fc
    .array(anySku, { minLength: 5, maxLength: 25, size: 'max' })
    .map((fields) =>
      fields.map((each, at): MatchSku => ({ ...each, vendorSkuId: `vsku_${String((at * 7) % 25).padStart(2, '0')}` })),
    )

  test('law: the order of the SKUs does not matter', () => {
    fc.assert(
      fc.property(
        manySkus.chain((skus) => fc.tuple(fc.constant(skus), fc.shuffledSubarray(skus, { minLength: skus.length }))),
        ([skus, shuffled]) => {
          expect(assign(shuffled, EMPTY)).toEqual(assign(skus, EMPTY))
        },
      ),
    )
  })

  test('law: applying a prefix and calling again with the rest gives the rest', () => {
    fc.assert(
      fc.property(manySkus, fc.nat(25), (skus, cut) => {
        const whole = assign(skus, EMPTY)
        const prefix = whole.slice(0, cut)
        const done = new Set(prefix.map(({ vendorSkuId }) => vendorSkuId))
        const rest = assign(
          skus.filter(({ vendorSkuId }) => !done.has(vendorSkuId)),
          stateAfter(skus, prefix),
        )
        expect(rest).toEqual(whole.slice(cut))
      }),
      { numRuns: 300 },
    )
  })

  test('law: an item holds one SKU a source, and any two of its SKUs are compatible', () => {
    const joined = { count: 0 }
    fc.assert(
      fc.property(manySkus, (skus) => {
        const skuOf = new Map(skus.map((each) => [each.vendorSkuId, each]))
        const items = Map.groupBy(assign(skus, EMPTY), ({ itemId }) => itemId)
        expect([...items.values()].flat().length).toBe(skus.length)
        for (const assigned of items.values()) {
          const members = assigned.map(({ vendorSkuId }) => skuOf.get(vendorSkuId) as MatchSku)
          expect(new Set(members.map(({ sourceId }) => sourceId)).size).toBe(members.length)
          for (const one of members) for (const other of members) expect(compatible(one, other)).toBe(true)
          joined.count += members.length - 1
        }
      }),
    )
    expect(joined.count).toBeGreaterThan(100)
  })
})
