import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { buildPriceBook } from './price-book-builder.ts'
import { type RepricedConcept, reprice } from './reprice.ts'

async function repriced(text: string, { label }: { label?: number } = {}) {
  const log = new DiagnosticLog()
  const book = await buildPriceBook(bc3Entries(textInPieces(text, 4_096), log), log)
  const { rule, recipes } = reprice(book, { log, ...(label !== undefined && { label }) })
  const of = (code: string) => recipes.get(code) as RepricedConcept
  const missed = [...recipes.values()].filter(({ isMissed }) => isMissed).map(({ code }) => code)
  const counts = (value: boolean | null) =>
    [...recipes.values()].filter(({ isChapter, reconciles }) => !isChapter && reconciles === value).length
  return { rule, recipes, of, missed, counts, codes: log.kept.map(({ code }) => code) }
}

const V = '~V|Ours|FIEBDC-3/2016\\20112026|test|\\|ANSI||1|'
const K = '~K|2\\3\\3\\3\\2\\2\\2\\2\\EUR\\|3\\13\\6\\0\\21\\|'
const LEAVES = `~C|M1|kg|Bars|1.40||3|
~C|Q1|h|Tool|3.50||2|
~C|O1|h|Fitter|21.00||1|
~C|R1|kg|Rubble|0.50||4|
~C|%|%|Complementary|0||0|`
/** A unit of work with its price and recipe lines. */
const work = (code: string, price: string, lines: string) => `~C|${code}|u|Work|${price}||0|\n~D|${code}|${lines}\\|`

describe('a recipe', () => {
  test('yields its price by rounded lines, percentages, and the indirect cost of ~K', async () => {
    const { rule, of } = await repriced(
      `${V}\n${K}\n${LEAVES}\n${work('EJ', '2.06', 'M1\\1.05\\1\\Q1\\1\\0.02\\O1\\1\\0.02\\%\\1\\0.02')}`,
    )
    expect(rule).toBe('line_rounded_2_with_ci_3')
    expect(of('EJ')).toEqual({
      code: 'EJ',
      isChapter: false,
      declared: '2.06',
      computed: '2.06',
      difference: '0',
      reconciles: true,
      isMissed: false,
      rule: 'line_rounded_2_with_ci_3',
      resources: { labor: '0.42', machinery: '0.07', material: '1.47', waste: '0', other: '0.0392' },
    })
  })

  test('takes a line of the unit % as a share of the lines before it', async () => {
    const concepts = `~C|PN|h|Pintor|20||1|\n~C|AUX|por ciento|Medios auxiliares|4||0|\n`
    const { of } = await repriced(`${V}\n${concepts}${work('A', '41.60', 'PN\\1\\2\\AUX\\1\\0.04')}`)
    expect(of('A')).toMatchObject({ computed: '41.6', reconciles: true })
  })

  test('takes such a line at its price where that yields more declared prices, as old programs compute it', async () => {
    const concepts = `~C|PN|h|Pintor|20||1|\n~C|AUX|%|Medios auxiliares|4||0|\n`
    const { of } = await repriced(`${V}\n${concepts}${work('A', '40.16', 'PN\\1\\2\\AUX\\1\\0.04')}`)
    expect(of('A')).toMatchObject({ computed: '40.16', reconciles: true })
  })

  test('counts a blank factor or yield as 1, and 0 as 0', async () => {
    const { of } = await repriced(`${V}\n${LEAVES}\n${work('A', '4.20', 'M1\\\\2\\M1\\1\\\\M1\\0\\5\\M1\\5\\0')}`)
    expect(of('A').computed).toBe('4.2')
  })

  test('rounds each line half away from zero, negative ones too', async () => {
    const { of } = await repriced(
      `${V}\n~C|P|u|x|1||3|\n${work('A', '0.02', 'P\\1\\0.125\\P\\1\\-0.115\\P\\1\\0.005')}`,
    )
    // 0.13 - 0.12 + 0.01
    expect(of('A').computed).toBe('0.02')
  })

  test('applies percentages to earlier lines that match their mask, percentages included', async () => {
    const { of } = await repriced(
      `${V}\n${LEAVES}\n${work('A', '123.96', 'O1\\1\\5\\%A\\1\\0.1\\M1\\1\\2\\M%B\\1\\0.5\\%C\\1\\0.05\\%D\\1\\-0.02')}`,
    )
    // 105; 10 % of it 10.50; 2.80; half of M 1.40; 5 % of 119.70 = 5.99; -2 % of 125.69 = -2.51
    expect(of('A').computed).toBe('123.18')
  })

  test('applies percentages to the lines that name them', async () => {
    const { of } = await repriced(
      `${V}\n${LEAVES}\n~C|A|u|Work|22.82||0|\n~D|A|O1\\1\\1\\M1\\1\\1\\%\\1\\0.02\\|O1\\1\\1\\%\\M1\\1\\1\\\\%\\1\\0.02\\\\|`,
    )
    expect(of('A').computed).toBe('22.82')
  })

  test.each([
    ['4.20', true],
    ['4.21', true],
    ['4.19', true],
    ['4.22', false],
    ['4', true],
    ['6', false],
  ])('of 4.20 reconciles with %s: %s', async (declared, reconciles) => {
    const { of } = await repriced(`${V}\n${LEAVES}\n${work('A', declared, 'M1\\1\\3')}`)
    expect(of('A').reconciles).toBe(reconciles)
    expect(of('A').isMissed).toBe(!reconciles)
  })

  test('without a declared price, or with 0, is computed and used by the recipes above', async () => {
    const { of, counts } = await repriced(
      `${V}\n${LEAVES}\n${work('A', '0', 'M1\\1\\3')}\n${work('B', '', 'A\\1\\2')}\n${work('C', '16.80', 'B\\1\\2')}`,
    )
    expect([of('A'), of('B')].map(({ declared, computed, reconciles }) => [declared, computed, reconciles])).toEqual([
      [null, '4.2', null],
      [null, '8.4', null],
    ])
    expect(of('C').reconciles).toBe(true)
    expect([counts(true), counts(false)]).toEqual([1, 0])
  })

  test('is not checked when a component has no price or needs the recipe itself', async () => {
    const { of, codes } = await repriced(
      `${V}\n${LEAVES}\n${work('A', '9', 'GHOST\\1\\1\\M1\\1\\1')}\n${work('X', '9', 'Y\\1\\1')}\n${work('Y', '9', 'X\\1\\1')}
${work('Z', '9.00', 'X\\1\\1')}`,
    )
    for (const code of ['A', 'X', 'Y'])
      expect(of(code)).toMatchObject({ computed: null, reconciles: null, isMissed: false })
    expect(of('Z').reconciles).toBe(true)
    expect(codes).toEqual(['MISSING_CONCEPT', 'CYCLE'])
  })

  test('has the price of the requested label', async () => {
    const text = `~V|Ours|FIEBDC-3/2016|t|Price\\North\\South|ANSI|\n~C|M|kg|Bars|1\\2||3|\n${work('A', '3.00\\6.00', 'M\\1\\3')}`
    expect((await repriced(text)).of('A').declared).toBe('3.00')
    expect((await repriced(text, { label: 1 })).of('A')).toMatchObject({
      declared: '6.00',
      computed: '6',
      reconciles: true,
    })
  })
})

/** A file whose program prices by one rule: three units of work, declared by `price` of their lines. */
const bank = (price: (...lines: readonly [number, number][]) => string, { ci = '' }: { ci?: string } = {}) => {
  const yields = [0.127, 1.333, 12.345, 0.018, 3.05, 7.777, 0.25, 41.11, 9.87, 5.432, 6.001, 2.345]
  const works = yields.map((a, i) => work(`W${i}`, price([1.4, a], [21, 0.125]), `M1\\1\\${a}\\O1\\1\\0.125`))
  return `${V}\n${ci}\n${LEAVES}\n${works.join('\n')}`
}
const at = (value: number, places: number) => Math.round((value + Number.EPSILON) * 10 ** places) / 10 ** places
const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0)

describe('the rule of a file', () => {
  test.each([
    ['line_rounded_2', (...l: [number, number][]) => sum(l.map(([p, q]) => at(p * q, 2))).toFixed(2), ''],
    ['unrounded', (...l: [number, number][]) => String(at(sum(l.map(([p, q]) => p * q)), 6)), ''],
    ['unrounded_total_2', (...l: [number, number][]) => at(sum(l.map(([p, q]) => p * q)), 2).toFixed(2), ''],
    [
      'line_rounded_2_with_ci_5_total_0',
      (...l: [number, number][]) => String(at(sum(l.map(([p, q]) => at(p * q, 2))) * 1.05, 0)),
      '~K|\\\\\\\\\\\\\\| 5|',
    ],
    [
      'line_rounded_2_with_ci_7',
      (...l: [number, number][]) => at(sum(l.map(([p, q]) => at(p * q, 2))) * 1.07, 2).toFixed(2),
      '',
    ],
  ])('is %s when most recipes agree', async (name, price, ci) => {
    const { rule, counts } = await repriced(bank(price, { ci }))
    expect(rule).toBe(name)
    expect([counts(true), counts(false)]).toEqual([12, 0])
  })

  test('treats a percentage as price × yield when a converter does', async () => {
    const works = [2, 3, 4].map((n) => work(`W${n}`, (n * 1.4 + 0.49).toFixed(2), `M1\\1\\${n}\\%7\\1\\0.07`))
    const { rule, counts } = await repriced(`${V}\n${LEAVES}\n~C|%7|%|Aids|7||0|\n${works.join('\n')}`)
    expect(rule).toBe('line_rounded_2_percent_as_price')
    expect(counts(true)).toBe(3)
  })

  test('is one for the whole file: a recipe that fits another rule does not reconcile', async () => {
    const text = bank((...l) => sum(l.map(([p, q]) => at(p * q, 2))).toFixed(2))
    const { of, counts } = await repriced(
      `${text}\n${work('ODD', '31.06', 'M1\\1\\20.714\\O1\\1\\0.076')}\n${work('CI', '28.84', 'M1\\1\\20')}`,
    )
    expect(of('CI')).toMatchObject({ computed: '28', difference: '-0.84', reconciles: false, rule: null })
    expect(counts(false)).toBe(2)
  })

  test('is null when no recipe has a declared price; the first rule prices them', async () => {
    const { rule, of } = await repriced(`${V}\n${K}\n${LEAVES}\n${work('A', '0', 'M1\\1\\1.119')}`)
    expect(rule).toBe(null)
    expect(of('A')).toMatchObject({ computed: '1.57', rule: null })
  })

  test('rounds to the decimals of ~K; negative ones mean "up to"', async () => {
    const lines = [1.1119, 2.2229, 3.3339].map((n) =>
      work(`W${n}`, at(at(1.4 * n, 3) * 1, 3).toFixed(3), `M1\\1\\${n}`),
    )
    const { rule, counts } = await repriced(
      `${V}\n~K|-9\\3\\3\\3\\-3\\3\\3\\3\\EUR\\|0\\|\n${LEAVES}\n${lines.join('\n')}`,
    )
    expect(rule).toBe('line_rounded_3')
    expect(counts(true)).toBe(3)
  })
})

describe('a changed yield', () => {
  const file = (changed: string) => `${V}\n${LEAVES}
~C|ROOT##||Work|63.00||0|\n~D|ROOT|CH1\\\\1\\CH2\\\\1\\|
~C|CH1#||One|42.00||0|\n~D|CH1|WALL\\\\2\\|
~C|CH2#||Two|21.00||0|\n~D|CH2|O1\\\\1\\|
${work('WALL', '21.00', 'MORTAR\\1\\10')}
${work('OTHER', '2.80', 'M1\\1\\2')}
${work('MORTAR', '2.10', `M1\\1\\${changed}`)}`

  test('is missed in its recipe and in all above whose price changes, and nowhere else', async () => {
    expect((await repriced(file('1.5'))).missed).toEqual([])
    const { missed, of, counts } = await repriced(file('2'))
    expect(missed).toEqual(['ROOT', 'CH1', 'WALL', 'MORTAR'])
    expect(['MORTAR', 'WALL', 'CH1', 'ROOT'].map((code) => of(code).computed)).toEqual(['2.8', '28', '56', '77'])
    // The recipes alone, at declared prices: only one fails to add up.
    expect([counts(true), counts(false)]).toEqual([2, 1])
  })

  test('is missed only as far as a price changes', async () => {
    const trace = (changed: string) => `${file(changed)}\n${work('TRACE', '0.21', 'MORTAR\\1\\0.1')}`
    const { missed, of } = await repriced(trace('1.515'))
    expect(missed).toEqual(['ROOT', 'CH1', 'WALL', 'MORTAR'])
    expect(of('TRACE')).toMatchObject({ computed: '0.21', reconciles: true, isMissed: false })
  })
})

describe('chapters', () => {
  test('add the indirect cost to unit prices, never to chapters, when a program adds it only there', async () => {
    const { of, codes } = await repriced(`${V}\n${K}\n${LEAVES}
${work('A', '1.40', 'M1\\1\\1')}
${work('B', '21.00', 'O1\\1\\1')}
~C|C1#||One|65.79||0|\n~D|C1|A\\\\3\\B\\\\2.8423\\|
~C|R##||All|65.79||0|\n~D|R|C1\\\\1\\|`)
    // round(1.40 × 1.03) × 3 + round(21.63 × 2.8423)
    expect(of('C1')).toMatchObject({ computed: '65.8', reconciles: true })
    expect(of('R').reconciles).toBe(true)
    expect(codes).toEqual([])
  })

  test('are reported when they do not add up, and are no misses by themselves', async () => {
    const { missed, codes, counts } = await repriced(
      `${V}\n${LEAVES}\n~C|C1#||One|99||0|\n~D|C1|M1\\\\3\\|\n~C|C2#||Two|2.80||0|\n~D|C2|M1\\\\2\\|`,
    )
    expect([missed, codes, counts(true)]).toEqual([[], ['CHAPTER_DOES_NOT_ADD_UP'], 0])
  })
})

describe('resources', () => {
  test('add up all auxiliaries below, by kind', async () => {
    const { of } = await repriced(`${V}\n${LEAVES}
${work('AUX', '24.10', 'M1\\1\\1.5\\O1\\1\\1\\R1\\1\\2')}
${work('A', '49.10', 'AUX\\1\\2\\Q1\\1\\0.2\\%\\1\\0.1')}`)
    expect(of('A').resources).toEqual({ labor: '42', machinery: '0.7', material: '4.2', waste: '2', other: '4.89' })
  })

  test('take time by the number of lines instead of paths', async () => {
    const depth = 60
    const levels = [...Array(depth).keys()].map((i) => work(`L${i}`, '', `L${i + 1}\\1\\1\\L${i + 1}\\1\\1`))
    const { of } = await repriced(`${V}\n${levels.join('\n')}\n~C|L${depth}|kg|Bars|0.01||3|`)
    expect(of('L0')).toMatchObject({
      computed: `${2n ** 60n / 100n}.${2n ** 60n % 100n}`,
    })
    expect(of('L0').resources.material).toBe(of('L0').computed)
  })

  test('keep a bounded length however deep recipes nest', async () => {
    const depth = 3_000
    const levels = [...Array(depth).keys()].map((i) => work(`L${i}`, '', `L${i + 1}\\1.0123456789\\0.9912345678`))
    const { of } = await repriced(
      `${V}\n~C|B|kg|Bars|1.23456789||3|\n${work('K', '1.2345678', 'B\\0.999999999\\1')}\n${levels.join('\n')}\n~C|L${depth}|kg|Bars|1.1||3|`,
    )
    expect(of('L0').computed?.length).toBeLessThan(70)
    const huge = [...Array(40).keys()].map((i) => work(`L${i}`, '', `L${i + 1}\\99999999\\1`))
    expect((await repriced(`${V}\n${huge.join('\n')}\n~C|L40|kg|Bars|1.1||3|`)).of('L0').computed).toBe(null)
  })
})

describe('repricing', () => {
  const recipes = fc.array(
    fc.record({
      lines: fc.array(fc.tuple(fc.nat(12), fc.integer({ min: -50, max: 5_000 })), { minLength: 1, maxLength: 5 }),
      price: fc.option(fc.integer({ min: 1, max: 10_000 })),
    }),
    { minLength: 1, maxLength: 12 },
  )
  const recordsOf = (given: readonly { lines: readonly (readonly [number, number])[]; price: number | null }[]) =>
    given.flatMap(({ lines, price }, i) => [
      `~C|W${i}|u||${price === null ? '' : (price / 100).toFixed(2)}||${i % 6}|`,
      `~D|W${i}|${lines.map(([child, q]) => `W${child}\\1\\${(q / 1_000).toFixed(3)}`).join('\\')}\\|`,
    ])

  test('never throws, and ignores the order of records', async () => {
    await fc.assert(
      fc.asyncProperty(recipes, fc.func(fc.nat()), async (given, rank) => {
        const records = recordsOf(given)
        const shuffled = records.toSorted((a, b) => rank(a) - rank(b))
        const [one, other] = [
          await repriced(`${V}\n${records.join('\n')}`),
          await repriced(`${V}\n${shuffled.join('\n')}`),
        ]
        expect(other.rule).toBe(one.rule)
        for (const [code, repriced] of one.recipes) expect(other.of(code)).toEqual(repriced)
      }),
      { numRuns: 60 },
    )
  })
})
