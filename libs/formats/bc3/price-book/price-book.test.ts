import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { textInPieces } from '@catalog/stack/testing/archives.ts'
import { describe, expect, test } from 'vitest'
import { type Concept, type PriceBook, writtenPriceOf } from './price-book.ts'
import { buildPriceBook } from './price-book-builder.ts'

async function read(text: string): Promise<{ book: PriceBook; notes: string[] }> {
  const log = new DiagnosticLog()
  const book = await buildPriceBook(bc3Entries(textInPieces(text, 4_096), log), log)
  return { book, notes: log.kept.map(({ line, code, message }) => `${line} ${code}: ${message}`) }
}
const concept = (book: PriceBook, code: string) => book.concepts.get(code) as Concept
const componentsOf = (book: PriceBook, code: string) =>
  concept(book, code).components.map((component) => [component.concept.code, component.factor, component.yield])

const V = '~V|Ours|FIEBDC-3/2020|test|\\|ANSI|'

describe('a price book', () => {
  test('keeps values that a later record leaves blank, and reports a concept defined twice', async () => {
    const { book, notes } = await read(`${V}
~C|A|kg|Bars|1.40|010120|3|
~T|A|Long text|
~C|A||Steel bars|2.00|||
~T|A||`)
    expect(concept(book, 'A')).toMatchObject({
      unit: 'kg',
      summary: 'Steel bars',
      prices: ['2.00'],
      dates: ['2020-01-01'],
      type: '3',
      text: 'Long text',
    })
    expect(notes).toEqual(['4 DUPLICATE_CONCEPT: ~C A: also on line 2; its new values replace the former ones'])
  })

  test('withdraws a text by NUL and a price by 0', async () => {
    const { book } = await read(`${V}\n~C|A|kg|Bars|1.40||3|\n~T|A|Text|\n~T|A|NUL|\n~C|A|NUL||0|||`)
    expect(concept(book, 'A')).toMatchObject({ unit: '', summary: 'Bars', prices: ['0'], text: '' })
  })

  test('replaces a recipe by ~D and extends it by ~Y', async () => {
    const { book, notes } = await read(`${V}
~C|A||||||
~C|X||||||
~C|Z||||||
~D|A|X\\\\2\\|
~Y|A|Z\\1.5\\.3\\|
~D|Z|X\\1\\1\\|
~D|Z|X\\0\\\\|
~D|A||`)
    expect(componentsOf(book, 'A')).toEqual([
      ['X', null, '2'],
      ['Z', '1.5', '0.3'],
    ])
    expect(componentsOf(book, 'Z')).toEqual([['X', '0', null]])
    expect(notes).toEqual(['8 DUPLICATE_DECOMPOSITION: ~D Z: replaces its former recipe'])
  })

  test('treats a code with and without # as one concept, and a synonym as its concept', async () => {
    const { book, notes } = await read(`${V}
~D|R##|CH#\\\\1\\|
~D|CH|OLD\\\\2\\|
~C|R##||Work||||
~C|CH#||Chapter||||
~C|NEW\\OLD|m2|Wall|5||0|`)
    expect(book.root?.code).toBe('R')
    expect(concept(book, 'CH').suffix).toBe('#')
    expect(componentsOf(book, 'CH')).toEqual([['NEW', null, '2']])
    expect(notes).toEqual([])
  })

  test('changes the code of a concept everywhere, and deletes it by a blank code', async () => {
    const { book, notes } = await read(`${V}
~C|A||Wall||||
~C|B||Brick|1|||
~C|X||Mortar|2|||
~D|A|B\\\\3\\X\\\\1\\|
~B|B|B2|
~B|X||
~B|A|B2|
~B|Q|Z|
~C|B||Another|7|||`)
    expect(componentsOf(book, 'A')).toEqual([
      ['B2', null, '3'],
      ['X', null, '1'],
    ])
    expect(concept(book, 'B2').summary).toBe('Brick')
    expect(concept(book, 'B').summary).toBe('Another')
    expect(book.concepts.has('X')).toBe(false)
    expect(notes).toEqual([
      '8 RECODE_TO_KNOWN: ~B A: its new code B2 is taken; the concept keeps its code',
      '9 RECODE_OF_UNKNOWN: ~B Q: no record describes this concept',
      '5 MISSING_CONCEPT: the recipe of A has X, which has no ~C',
    ])
  })

  test('keeps a line whose concept is undefined, and reports each such concept once', async () => {
    const { book, notes } = await read(`${V}
~C|A||||||
~C|B||||||
~D|A|GHOST\\\\1\\GHOST\\\\2\\|
~D|B|GHOST\\\\1\\|
~D|LOST|A\\\\1\\|`)
    expect(componentsOf(book, 'A')).toHaveLength(2)
    expect(book.concepts.has('GHOST')).toBe(false)
    expect(notes).toEqual([
      '4 MISSING_CONCEPT: 3 recipe lines have, the first in A, GHOST, which has no ~C',
      '6 MISSING_CONCEPT: LOST has a text or a recipe, and no ~C',
    ])
  })

  test('reports parametric families as unsupported, with the lines that refer to them', async () => {
    const { book, notes } = await read(`${V}
~C|A||||||
~C|ABC123$||Family||||
~P|ABC123$|%A(2)=1,2|
~P||$ALL=1|
~D|A|ABC123ab\\\\1\\ABC123ba\\\\1\\ABC123$\\\\1\\ABC124a\\\\1\\|`)
    expect(book.families).toEqual([
      { code: 'ABC123$', line: 4, references: 3 },
      { code: '', line: 5, references: 0 },
    ])
    expect(notes).toEqual([
      '6 MISSING_CONCEPT: the recipe of A has ABC124a, which has no ~C',
      '4 PARAMETRIC_NOT_SUPPORTED: parametric family ABC123$: not supported, kept as written; 3 recipe lines refer to it',
      '5 PARAMETRIC_NOT_SUPPORTED: the record that all parametric families share: not supported, kept as written; 0 recipe lines refer to it',
    ])
  })

  test('selects a price by label, and the last price for all further labels', () => {
    const prices = (...given: string[]) => ({ prices: given }) as unknown as Concept
    expect([0, 1, 2].map((label) => writtenPriceOf(prices('1', '2'), label))).toEqual(['1', '2', '2'])
    expect(writtenPriceOf(prices(), 0)).toBe('')
  })
})

describe('measurements', () => {
  const chapter = `${V}\n~C|C#||||||\n~C|A||||||\n~C|B||||||\n~D|C|A\\\\1\\B\\\\2\\A\\\\3\\|\n`

  test('belong to the component at their position, whatever the order of records', async () => {
    const { book, notes } = await read(`${chapter}
~M|C\\A|1\\3\\|3|\\last\\3\\\\\\\\|
~M|C#\\A|1\\1\\|1|\\first\\1\\\\\\\\|
~N|C\\A|1\\1\\|4|\\more\\4\\\\\\\\|`)
    const { measurements } = concept(book, 'C')
    expect([...measurements].map(([position, { total, lines }]) => [position, total, lines.length])).toEqual([
      [3, '3', 1],
      [1, '5', 2],
    ])
    expect(notes).toEqual([])
  })

  test('go to the only line of their concept when another has their position, and are loose without one', async () => {
    const { book, notes } = await read(`${chapter}
~M|C\\B|1\\1\\|2||
~M|C\\A|1\\2\\|9||
~M|C\\A||9||
~M|C\\B|2|7||
~M|\\A||5||
~M|LIST\\A|1\\1\\|5||
~M|LIST\\A|1\\2\\|5||`)
    expect([...concept(book, 'C').measurements].map(([position, { total }]) => [position, total])).toEqual([[2, '7']])
    expect(book.loose.map(({ line }) => line)).toEqual([11, 8, 9, 12, 13])
    expect(notes).toEqual([
      '7 MEASUREMENT_MOVED: ~M C\\B: another concept has position 1; assigned to position 2',
      '8 MEASUREMENT_NOT_PLACED: ~M C\\A: position 1\\2 has no such component',
      '9 MEASUREMENT_NOT_PLACED: ~M C\\A: position none has no such component',
      '10 DUPLICATE_MEASUREMENT: ~M C\\B: replaces the measurement of line 7',
      '12 MEASUREMENT_WITHOUT_RECIPE: LIST has a measurement and no ~D',
    ])
  })
})

describe('the order of concepts', () => {
  test('lists components before recipes, however deep they nest', async () => {
    const depth = 20_000
    const lines = [...Array(depth).keys()].map((i) => `~C|L${i}||||||\n~D|L${i}|L${i + 1}\\\\1\\|`)
    const { book, notes } = await read(`${V}\n${lines.join('\n')}\n~C|L${depth}|u||1||3|`)
    expect(book.order.map(({ code }) => code)).toEqual([...Array(depth + 1).keys()].map((i) => `L${depth - i}`))
    expect(notes).toEqual([])
  })

  test('reports a recipe that needs itself by a shortest path, and no other', async () => {
    const { book, notes } = await read(`${V}
~C|A||||||
~C|B||||||
~C|X||||||
~C|S||||||
~D|A|B\\\\1\\X\\\\1\\|
~D|B|A\\\\1\\X\\\\1\\|
~D|S|S\\\\1\\|
~D|X|S\\\\1\\|`)
    expect([...book.cyclic].map(({ code }) => code).sort()).toEqual(['A', 'B', 'S'])
    expect(notes).toEqual([
      '8 CYCLE: a recipe that needs itself: S → S',
      '6 CYCLE: a recipe that needs itself: A → B → A',
    ])
  })

  test('shortens the name of a long cycle', async () => {
    const length = 2_000
    const lines = [...Array(length).keys()].map((i) => `~C|L${i}||||||\n~D|L${i}|L${(i + 1) % length}\\\\1\\|`)
    const { book, notes } = await read(`${V}\n${lines.join('\n')}`)
    expect(book.cyclic.size).toBe(length)
    expect(notes).toEqual([
      `3 CYCLE: a recipe that needs itself: ${[...Array(12).keys()].map((i) => `L${i}`).join(' → ')} → … → L0`,
    ])
  })
})
