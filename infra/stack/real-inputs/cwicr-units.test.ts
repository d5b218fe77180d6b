import { multiply, ONE, type Rational, rational } from '@catalog/core/money/rational.ts'
import { conversionFactor, pricePerUnit, soldUnit } from '@catalog/core/units/sold-unit.ts'
import { CATALOGUES, type Catalogue, catalogueRows, realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { describe, expect, test } from 'vitest'

/**
 * One price list in six markets: the same resources in the same order, one exchange rate per market and type of
 * resource, and customary units in the American list. After unit conversion, two prices of a resource differ by that
 * rate, to the printed cent. This is an oracle for every factor in the files.
 */
const folder = realInputsFolder()
const suite = `one price list in six markets${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`

/** Units that stay unknown, by language: their text names no measure. */
const UNKNOWN_UNITS: Readonly<Record<string, readonly string[]>> = {
  // One resource has no unit.
  en: [''],
  // The word for pieces is missing after the number; two Russian words remain: a set, and "pog. m", a running metre.
  es: ['', '10', '10 komplekt', 'p.m'],
  // "Persons" where other markets write person-hours.
  de: ['', 'Personen'],
  fr: [''],
  pt: [''],
}
/** The translation names another measure but keeps the price of the right one. */
const MISTRANSLATED = ['10 m2 for 10 m', '10 m² for 10 m']
/** Averages over variants of a resource, of which the American list converted only some. */
const isMixed = (market: Catalogue, type: string) => market.region === 'US' && type === 'Abstract Material'
/** Two machines whose electricity costs differ between the translated lists and the British and American ones. */
const REPRICED = ['DXME-KAME-KATO_KAKARI', 'DXME-KAME-KATO_KAKAME']

type Resource = Readonly<{ code: string; type: string; unit: string; cents: number }>
/** A resource in pounds and in another market, both known and positive, with the factor between their units. */
type Pair = Readonly<{
  code: string
  type: string
  units: string
  cents: number
  poundCents: number
  factor: Rational | null
}>
type Converted = Pair & { readonly factor: Rational }

describe.skipIf(folder === null)(suite, async () => {
  const lists = new Map(
    await Promise.all(
      (folder === null ? [] : CATALOGUES).map(
        async (market) => [market.region, await resourcesOf(folder as string, market)] as const,
      ),
    ),
  )
  const [british, ...others] = CATALOGUES
  const soldIn = (unit: string, { lang }: Catalogue) => soldUnit({ unit, lang })

  function pairsWith(market: Catalogue): Pair[] {
    const own = lists.get(market.region) as Resource[]
    return (lists.get(british.region) as Resource[]).flatMap((pounds, at) => {
      const { code, unit, cents } = own[at] as Resource
      expect(code).toBe(pounds.code)
      if (cents <= 0 || pounds.cents <= 0) return []
      const factor = conversionFactor(soldIn(unit, market), soldIn(pounds.unit, british))
      return [{ code, type: pounds.type, units: `${unit} for ${pounds.unit}`, cents, poundCents: pounds.cents, factor }]
    })
  }

  test.each(CATALOGUES)('of $region spells no unknown unit except those listed here', (market) => {
    const spelled = new Set((lists.get(market.region) as Resource[]).map(({ unit }) => unit))
    const unknown = [...spelled].filter((unit) => soldIn(unit, market).quantity === null)
    expect(unknown.sort()).toEqual(UNKNOWN_UNITS[market.lang])
    // A multiple would cancel out of every ratio: 100 m against 100 LF, 100 Nr against 100 EA.
    for (const unit of spelled) {
      const [, multiple, single] = /^(\d+) (.+)$/.exec(unit) ?? []
      if (single === undefined || unknown.includes(unit)) continue
      const factor = conversionFactor(soldIn(unit, market), soldIn(single, market))
      expect([unit, factor]).toEqual([unit, rational(1n, BigInt(multiple as string))])
    }
  })

  test.each(others)('of $region differs from the British one by one rate per type of resource', (market) => {
    const pairs = pairsWith(market)
    const unconverted = new Set(pairs.filter(({ factor }) => factor === null).map(({ units }) => units))
    const explained = ({ units }: Pair) =>
      MISTRANSLATED.includes(units) || UNKNOWN_UNITS[market.lang]?.includes(units.split(' for ')[0] as string)
    expect(pairs.filter((pair) => pair.factor === null && !explained(pair))).toEqual([])
    expect(unconverted.size).toBeLessThanOrEqual(4)

    const types = Map.groupBy(converted(pairs), ({ type }) => type)
    expect([...types.keys()].sort()).toEqual(['Abstract Material', 'Electricity', 'Equipment', 'Labor', 'Material'])
    for (const [type, ofType] of types) {
      const rate = rateOf(ofType)
      const disagreeing = ofType.filter((pair) => !agrees(pair, rate)).map(({ code }) => code)
      if (isMixed(market, type)) {
        expect(disagreeing.length / ofType.length).toBeLessThan(0.15)
        continue
      }
      expect([type, disagreeing.filter((code) => !REPRICED.includes(code))]).toEqual([type, []])
    }
  })

  test('compares every customary unit with its metric one, at prices that would show a factor .02 % off', () => {
    const american = CATALOGUES.find(({ region }) => region === 'US') as Catalogue
    const materials = converted(pairsWith(american)).filter(({ type }) => type === 'Material')
    const rate = rateOf(materials)
    const byUnits = Map.groupBy(materials, ({ units }) => units)
    for (const units of CUSTOMARY) {
      const ofUnits = byUnits.get(units) ?? []
      expect([units, ofUnits.every((pair) => agrees(pair, rate))]).toEqual([units, true])
      for (const off of [rational(5_001n, 5_000n), rational(4_999n, 5_000n)]) {
        const distorted = ofUnits.map((pair) => ({ ...pair, factor: multiply(pair.factor, off) }))
        expect([units, distorted.every((pair) => agrees(pair, rate))]).toEqual([units, false])
      }
    }
  })

  test('counts units without any other unit in the base of their dimension', () => {
    for (const market of CATALOGUES) {
      for (const { unit } of lists.get(market.region) as Resource[]) {
        const { quantity, dimension } = soldIn(unit, market)
        const isPinned = quantity === null || ['length', 'area', 'volume', 'mass'].includes(dimension ?? '')
        if (!isPinned) expect([unit, quantity]).toEqual([unit, rational(BigInt(/^\d+/.exec(unit)?.[0] ?? '1'))])
      }
    }
    for (const unit of ['m', 'm2', 'm3', 'kg']) expect(soldIn(unit, british).quantity).toEqual(ONE)
  })
})

const CUSTOMARY = [
  'ton for t',
  'lb for kg',
  'LF for m',
  '10 LF for 10 m',
  '100 LF for 100 m',
  '1000 LF for 1000 m',
  'SF for m2',
  '100 SF for 100 m2',
  '1000 SF for 1000 m2',
  'CY for m3',
  'gal for l',
]

function converted(pairs: readonly Pair[]): Converted[] {
  return pairs.filter((pair): pair is Converted => pair.factor !== null)
}

/** Whether both prices, printed to the cent, can be one price at this rate. */
function agrees(pair: Converted, rate: number): boolean {
  const [least, most] = ratesOf(pair)
  return least <= rate && rate <= most
}

/** The rates that a pair allows: each price may be a cent off, because both were rounded more than once. */
function ratesOf({ cents, poundCents, factor }: Converted): readonly [least: number, most: number] {
  const { n, d } = pricePerUnit({ cents, perQuantity: 1, taxFactor: ONE }, factor)
  const ratio = Number(n) / Number(d) / poundCents
  const slack = ratio * (1 / cents + 1 / poundCents + FACTOR_ROUNDING)
  return [ratio - slack, ratio + slack]
}
/** The list rounds its own factors to six digits. */
const FACTOR_ROUNDING = 2e-6

/** The rate that most pairs allow. */
function rateOf(pairs: readonly Converted[]): number {
  const ends = pairs.flatMap((pair) => {
    const [least, most] = ratesOf(pair)
    return [
      { rate: least, step: 1 },
      { rate: most, step: -1 },
    ]
  })
  ends.sort((a, b) => a.rate - b.rate || b.step - a.step)
  let [agreeing, most, best] = [0, 0, 0]
  for (const [at, { rate, step }] of ends.entries()) {
    agreeing += step
    if (agreeing <= most) continue
    most = agreeing
    best = (rate + (ends[at + 1]?.rate ?? rate)) / 2
  }
  return best
}

async function resourcesOf(from: string, catalogue: Catalogue): Promise<Resource[]> {
  const resources: Resource[] = []
  for await (const fields of catalogueRows(from, catalogue)) {
    const { resource_code: code = '', type = '', unit = '', price_median: price = '' } = fields
    resources.push({ code, type, unit, cents: Math.round(Number(price) * 100) })
  }
  return resources
}
