import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Bc3Report, type Read, readBc3File, reportOf } from '@catalog/cli/bc3/read.ts'
import { billOfQuantities } from '@catalog/formats/bc3/price-book/bill-of-quantities.ts'
import { type Concept, isChapter } from '@catalog/formats/bc3/price-book/price-book.ts'
import { realInputsFolder } from '@catalog/stack/servers/real-inputs.ts'
import { describe, expect, test } from 'vitest'

/** Real price banks and works in FIEBDC-3: their declarations, contents and totals, and the cause of each mismatch. */
const folder = realInputsFolder()
const suite = `real BC3 files${folder ? '' : ' (REAL_INPUTS_DIR: none here)'}`
const pathOf = (name: string) => join(folder as string, 'bc3', name)
const readFile = (name: string) => readBc3File(pathOf(name))

type Expected = Omit<Bc3Report, 'file' | 'diagnostics' | 'misses' | 'not_reconciled'> &
  Readonly<{
    /** Diagnostics by code. */
    oddities: Readonly<Record<string, number>>
    /** Causes by which a recipe misses its price, by code. */
    misses: Readonly<Record<string, string>>
  }>

/** The converter prints yields with six digits; it computed the chapters' prices before that. */
const SIX_DIGITS = 'yields are cut to six digits'
const BELOW = 'moved by a chapter below, whose yields are cut'

const FILES: Readonly<Record<string, Expected>> = {
  'murcia5.bc3': {
    version: 'FIEBDC-3/95',
    program: 'Presto 7.00',
    charset: { declared: null, used: 'cp850' },
    concepts: 552,
    decompositions: 293,
    reconciled: 197,
    computed_only: 53,
    rule: 'line_rounded_2',
    oddities: {},
    misses: {},
  },
  'test_file_05.bc3': {
    version: 'FIEBDC-3/2004',
    program: 'ARQUIMEDES',
    charset: { declared: 'ANSI', used: 'utf-8' },
    concepts: 341,
    decompositions: 133,
    reconciled: 115,
    computed_only: 0,
    rule: 'line_rounded_2',
    // Two measurements of a sub-chapter continue the positions of their parent chapter; remarks contain tabs.
    oddities: { MEASUREMENT_MOVED: 2, CONTROL_CHARACTERS: 14 },
    misses: {},
  },
  'measurement_outside_chapter.bc3': {
    version: 'FIEBDC-3/2020',
    program: 'Pr22.03',
    charset: { declared: 'ANSI', used: 'utf-8' },
    concepts: 80,
    decompositions: 26,
    reconciled: 20,
    computed_only: 0,
    rule: 'line_rounded_2',
    // An extract of a work: eight chapters are missing, so the two above them fall short.
    oddities: { DUPLICATE_CONCEPT: 1, DUPLICATE_DECOMPOSITION: 1, MISSING_CONCEPT: 8, CHAPTER_DOES_NOT_ADD_UP: 2 },
    misses: {},
  },
  'PUEBLA-EM.BC3': {
    version: 'FIEBDC-3/98',
    program: 'TCQ 2.1',
    charset: { declared: 'ANSI', used: 'windows-1252' },
    concepts: 212,
    decompositions: 119,
    reconciled: 89,
    computed_only: 0,
    rule: 'line_rounded_2_with_ci_5_total_0',
    oddities: {},
    misses: {},
  },
  'salida.bc3': {
    version: 'FIEBDC-3/95',
    program: 'ppl 0.1',
    charset: { declared: null, used: 'cp850' },
    concepts: 386,
    decompositions: 385,
    reconciled: 370,
    computed_only: 0,
    rule: 'unrounded',
    oddities: { CHAPTER_DOES_NOT_ADD_UP: 1 },
    misses: {
      '1_3': SIX_DIGITS,
      '1_6': SIX_DIGITS,
      '2_1_2': SIX_DIGITS,
      '2_1_5': SIX_DIGITS,
      '2_2_1': SIX_DIGITS,
      '2_3_1': SIX_DIGITS,
      '4_1': SIX_DIGITS,
      '4_2': SIX_DIGITS,
      PR: BELOW,
      1: BELOW,
      2: BELOW,
      4: BELOW,
      '2_1': BELOW,
      '2_2': BELOW,
      '2_3': BELOW,
    },
  },
  'test_file_11.bc3': {
    version: 'FIEBDC-3/2016',
    program: 'TEST',
    charset: { declared: '850', used: 'cp850' },
    concepts: 34,
    decompositions: 8,
    reconciled: 6,
    computed_only: 0,
    rule: 'line_rounded_2',
    // One ~D ends before the bar that follows its code.
    oddities: { TEXT_AFTER_LAST_BAR: 1, NO_CODE: 1 },
    misses: {
      GAG030: 'edited by hand: 33.20 declared, its lines are 32.21 and their 6 % 1.93',
      CM1E03MH010: 'edited by hand: declared is exactly 1 % more than its recipe gives',
    },
  },
  'test_parametric_01.bc3': {
    version: 'FIEBDC-3/2007',
    program: 'pyCost 1.0',
    charset: { declared: 'utf-8', used: 'utf-8' },
    concepts: 16,
    decompositions: 1,
    reconciled: 0,
    computed_only: 0,
    rule: null,
    oddities: { MISSING_CONCEPT: 2, PARAMETRIC_NOT_SUPPORTED: 1 },
    misses: {},
  },
  'pp.bc3': {
    version: null,
    program: null,
    charset: { declared: null, used: 'cp850' },
    concepts: 0,
    decompositions: 0,
    reconciled: 0,
    computed_only: 0,
    rule: null,
    // 500 measurements in 50 chapters, and nothing else.
    oddities: { NO_VERSION: 1, MEASUREMENT_WITHOUT_RECIPE: 50 },
    misses: {},
  },
}

/** For files that some folders lack: recipes that must reconcile, of those with a declared price. */
const FLOORS: Readonly<Record<string, number>> = {
  'guadix.bc3': 223,
  'puebla-oc.bc3': 94,
  'puebla-ee.bc3': 60,
  'sch_base.bc3': 342,
  'planta.bc3': 149,
}

describe.skipIf(folder === null)(suite, () => {
  const found = folder === null ? [] : readdirSync(join(folder, 'bc3')).filter((name) => /\.bc3$/i.test(name))

  test.each(found.filter((name) => name in FILES))('%s is read and adds up as listed here', async (name) => {
    const read = await readFile(name)
    const { file: _, diagnostics: __, misses, not_reconciled, ...report } = reportOf(read)
    const { oddities, misses: reasons, ...expected } = FILES[name] as Expected
    expect(report).toEqual(expected)
    expect(Object.fromEntries(read.log.counts)).toEqual(oddities)
    expect(misses.map(({ code }) => code).sort()).toEqual(Object.keys(reasons).sort())
    const own = [...read.repriced.recipes.values()].filter(
      ({ reconciles, isChapter }) => reconciles === false && !isChapter,
    )
    expect(not_reconciled).toBe(own.length)
    for (const [code, reason] of Object.entries(reasons)) {
      if (reason === SIX_DIGITS) expect(isWithinSixDigits(read, code), code).toBe(true)
      if (reason === BELOW) expect(read.repriced.recipes.get(code)?.reconciles, code).toBe(true)
      else expect(own.map((recipe) => recipe.code)).toContain(code)
    }
  })

  test.each(found.filter((name) => !(name in FILES)))('%s, which this list lacks, is read to its end', async (name) => {
    const report = reportOf(await readFile(name))
    expect(report.reconciled).toBeGreaterThanOrEqual(FLOORS[name.toLowerCase()] ?? 0)
  })
})

/** Lines of each work: its measurements, or the chapter's contents where there are none. */
const BILLS = [
  { name: 'murcia5.bc3', lines: 454, currency: 'ESP', declared: 845_180_005.12 },
  { name: 'PUEBLA-EM.BC3', lines: 162, currency: 'ESP', declared: 42_552_073.6 },
  { name: 'salida.bc3', lines: 500, currency: 'ESP', declared: 1_091_449_314.77 },
  { name: 'test_file_05.bc3', lines: 152, currency: 'EUR', declared: 683_778.71 },
  { name: 'measurement_outside_chapter.bc3', lines: 20, currency: 'EUR', declared: 261_179.49 },
  { name: 'pp.bc3', lines: 500, currency: '', declared: 0 },
]

describe.skipIf(folder === null)(`${suite}: as bills of quantities`, () => {
  test.each(BILLS)('$name has $lines lines that total $declared $currency', async ({ name, ...expected }) => {
    const { book, repriced } = await readFile(name)
    const { lines, currency } = billOfQuantities(book, { repriced })
    const cents = lines.reduce((sum, { amount }) => sum + Math.round(Number(amount ?? 0) * 100), 0)
    expect({ lines: lines.length, currency, declared: cents / 100 }).toEqual(expected)
  })
})

/** The expected parse by another program (pyCost), recorded before this reader existed. */
type Parse = Readonly<{
  code: string
  title: string
  sub_chapters: { components?: Record<string, Parse> }
  chapter_quantities: Record<string, { ud: string; measurements: Record<string, ParsedLine> }>
}>
type ParsedLine = Readonly<{ commentary: string; units: number; length: number; width: number; height: number }>
type ParsedLeaf = Readonly<{ title: string; long_description: string; unit: string; type: number; price: number }>
type ParsedUnit = Omit<ParsedLeaf, 'type' | 'price'> &
  Readonly<{ components: Record<string, { ent_code: string; factor: number; production_rate: number }> }>
type ParsedWork = Parse &
  Readonly<{
    prices: { elementary_prices: Record<string, ParsedLeaf>; units: { regular: Record<string, ParsedUnit> } }
  }>

describe.skipIf(folder === null)(`${suite}: a work of Arquimedes, as another program reads it,`, () => {
  const expected = () => JSON.parse(readFileSync(pathOf('test_file_05.json'), 'utf8')) as ParsedWork
  /** The other program removes line ends from texts. */
  const oneLine = (text: string) => text.replaceAll('\n', '')

  test('has the same concepts with the same units, prices, types and texts', async () => {
    const { book } = await readFile('test_file_05.bc3')
    const { elementary_prices: leaves, units } = expected().prices
    // Its placeholder for concepts without a recipe: the 34 lump sums and auxiliaries that it leaves out.
    const { SINDESCO: _, ...prices } = leaves
    const priced = [...book.concepts.values()].filter(
      (concept) => !isChapter(concept) && concept.components.length === 0,
    )
    const leftOut = priced.filter(({ code }) => !(code in prices))
    expect(leftOut).toHaveLength(34)
    expect(leftOut.every(({ type, components }) => type === '0' && components.length === 0)).toBe(true)
    expect(Object.keys(prices).sort()).toEqual(
      priced
        .filter(({ code }) => code in prices)
        .map(({ code }) => code)
        .sort(),
    )
    for (const [code, leaf] of Object.entries(prices)) {
      const { unit, summary, text, type, prices } = book.concepts.get(code) as Concept
      const ours = { unit, title: summary, long_description: oneLine(text), price: Number(prices[0] ?? 0) }
      expect(ours, code).toEqual({
        unit: leaf.unit,
        title: leaf.title,
        long_description: leaf.long_description,
        price: leaf.price,
      })
      // It knows only types 1, 2 and 3.
      expect(['%', '6'].includes(type) ? 0 : Number(type), code).toBe(leaf.type)
    }
    const recipes = [...book.concepts.values()].filter(
      (concept) => !isChapter(concept) && concept.components.length > 0,
    )
    expect(recipes.map(({ code }) => code).sort()).toEqual(Object.keys(units.regular).sort())
    for (const { code, unit, summary, text } of recipes) {
      const { title, long_description, unit: theirs } = units.regular[code] as ParsedUnit
      expect([unit, summary, oneLine(text)], code).toEqual([theirs, title, long_description])
    }
  })

  test('has the same recipes, line by line', async () => {
    const { book } = await readFile('test_file_05.bc3')
    for (const [code, unit] of Object.entries(expected().prices.units.regular)) {
      const { components } = book.concepts.get(code) as Concept
      const ours = components.map((line) => [line.concept.code, Number(line.factor ?? 1), Number(line.yield ?? 1)])
      const theirs = Object.values(unit.components).map((line) => [line.ent_code, line.factor, line.production_rate])
      expect(ours, code).toEqual(theirs)
    }
  })

  test('has the same chapters and measurements', async () => {
    const { book } = await readFile('test_file_05.bc3')
    const chapters: Parse[] = [expected()]
    for (const { sub_chapters } of chapters) chapters.push(...Object.values(sub_chapters.components ?? {}))
    expect(chapters).toHaveLength(18)
    for (const chapter of chapters) {
      const { summary, components, measurements } = book.concepts.get(bare(chapter.code)) as Concept
      expect(summary).toBe(chapter.title)
      // It sorts by code; we keep the file's order.
      const below = components.filter(({ concept }) => isChapter(concept)).map(({ concept }) => concept.code)
      expect(below.toSorted()).toEqual(
        Object.keys(chapter.sub_chapters.components ?? {})
          .map(bare)
          .sort(),
      )
      const ours = [...measurements].map(([position, { lines }]) => ({
        ud: components[position - 1]?.concept.code,
        lines: lines.map(({ comment, units, length, width, height }) => [
          comment,
          ...sizesOf([units, length, width, height]),
        ]),
      }))
      const theirs = Object.values(chapter.chapter_quantities).map(({ ud, measurements }) => ({
        ud,
        lines: Object.values(measurements)
          .map(({ commentary, units, length, width, height }) => [commentary.trim(), units, length, width, height])
          // Empty lines stand at the end, one of them after the last separator.
          .filter((line) => line.some((value) => value !== '' && value !== 0)),
      }))
      expect(ours, chapter.code).toEqual(theirs)
    }
  })

  /** It reads a blank dimension as 1, and those of a remark as 0. */
  const sizesOf = (sizes: readonly (string | null)[]) =>
    sizes.map((size) => Number(size ?? (sizes.every((other) => other === null) ? 0 : 1)))
  const bare = (code: string) => code.replace(/#+$/, '')
})

/** Whether the price's error is below half a unit of the last printed digit of all its yields. */
function isWithinSixDigits({ book, repriced }: Read, code: string): boolean {
  const { components } = book.concepts.get(code) as Concept
  const open = components.map(({ concept, yield: yielded }) => {
    const digits = (yielded ?? '1').replace('.', '').replace(/^0+/, '').length
    const places = (yielded ?? '1').split('.')[1]?.length ?? 0
    return digits < 6 ? 0 : Number(concept.prices[0] ?? 0) * 0.5 * 10 ** -places
  })
  const slack = open.reduce((sum, value) => sum + value, 0)
  return Math.abs(Number(repriced.recipes.get(code)?.difference)) <= slack
}
