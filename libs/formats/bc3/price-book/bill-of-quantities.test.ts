import { bc3Entries, DiagnosticLog } from '@catalog/formats/bc3/entry-stream.ts'
import { textInPieces } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { type BillOfQuantities, billOfQuantities, type MeasuredLine } from './bill-of-quantities.ts'
import { buildPriceBook } from './price-book-builder.ts'
import { reprice } from './reprice.ts'

async function billed(text: string): Promise<BillOfQuantities & { notes: string[] }> {
  const log = new DiagnosticLog()
  const book = await buildPriceBook(bc3Entries(textInPieces(text, 4_096), log), log)
  const bill = billOfQuantities(book, { repriced: reprice(book), log })
  return { ...bill, notes: log.kept.map(({ line, code, message }) => `${line} ${code}: ${message}`) }
}
const shortly = ({ path, chapters, code, quantity, price, amount }: MeasuredLine) =>
  [path.join('.'), chapters.map(({ code }) => code).join('/'), code, quantity, price, amount] as const

const V = '~V|Ours|FIEBDC-3/2020\\20112026|test|\\|ANSI|'
const CONCEPTS = `~C|R##||The work||||
~C|C1#||Walls||||
~C|C2#||Doors||||
~C|S1#||Inner walls||||
~C|W1|m2|Wall of brick|21.005||0|
~C|W2|m2|Wall of stone|||0|
~C|D1|u|Door|200||3|
~C|B|u|Brick|0.5||3|
~D|W2|B\\1\\50\\|`

test('lists a work in the order of its chapters, with paths, quantities and amounts', async () => {
  const { title, currency, lines, notes } = await billed(`${V}
${CONCEPTS}
~D|R|C1\\\\1\\C2\\\\1\\|
~D|C1|W1\\\\10\\S1\\\\2\\W2\\2\\1.5\\|
~D|S1|W1\\\\3\\|
~D|C2|D1\\\\4\\|
~M|C1\\W1|1\\1\\|10|\\North\\2\\5\\\\\\|`)
  expect({ title, currency, notes }).toEqual({ title: 'The work', currency: 'EUR', notes: [] })
  expect(lines.map(shortly)).toEqual([
    ['1.1', 'C1', 'W1', '10', '21.005', '210.05'],
    ['1.2.1', 'C1/S1', 'W1', '6', '21.005', '126.03'],
    ['1.3', 'C1', 'W2', '3', '25', '75.00'],
    ['2.1', 'C2', 'D1', '4', '200', '800.00'],
  ])
  expect(lines[1]).toMatchObject({
    chapters: [
      { code: 'C1', title: 'Walls' },
      { code: 'S1', title: 'Inner walls' },
    ],
    text: 'Wall of brick',
    unit: 'm2',
  })
})

test('assigns a measurement by its position, and adds up its lines without a total', async () => {
  const { lines, notes } = await billed(`${V}
${CONCEPTS}
~D|R|W1\\\\1\\D1\\\\1\\W1\\\\2\\W2\\\\9\\|
~M|R\\W1|3\\|7.25|\\\\7.25\\\\\\\\|
~M|R\\W1|1\\||\\North\\2\\5\\\\\\\\South\\\\3\\0.5\\\\1\\subtotal\\\\\\\\\\\\remark\\\\\\\\\\|
~M|R\\W2|4\\||3\\a*b\\2\\5\\\\\\|`)
  expect(lines.map(shortly).map(([, , code, quantity]) => [code, quantity])).toEqual([
    ['W1', '11.5'],
    ['D1', '1'],
    ['W1', '7.25'],
    ['W2', '9'],
  ])
  expect(notes).toEqual([
    '13 MEASUREMENT_DIFFERS: R\\W1: measured 11.5, in the recipe 1',
    '12 MEASUREMENT_DIFFERS: R\\W1: measured 7.25, in the recipe 2',
  ])
})

test('recognises chapters without # by their measurements or chapters, never by a recipe', async () => {
  const { lines } = await billed(`${V}
~C|R##||||||
~C|A||Chapter||||
~C|AA||Sub-chapter||||
~C|PA||Lump sum|||0|
${CONCEPTS.replace('~C|R##||The work||||\n', '')}
~D|R|A\\\\1\\|
~D|A|AA\\\\1\\|
~D|AA|PA\\\\2\\|
~D|PA|B\\\\10\\|
~M|AA\\PA|1\\1\\1\\|2||`)
  expect(lines.map(shortly)).toEqual([['1.1.1', 'A/AA', 'PA', '2', '5', '10.00']])
})

test('a fragment without a root starts at its top chapters, and measurements alone are lines', async () => {
  const { lines } = await billed(`${V}\n${CONCEPTS.replace('~C|R##||The work||||\n', '')}
~D|C1|W1\\\\2\\|
~D|C2|D1\\\\3\\|
~M|LIST\\D1|4\\2\\|5||
~M|\\NEW||6||`)
  expect(lines.map(shortly)).toEqual([
    ['1.1', 'C1', 'W1', '2', '21.005', '42.01'],
    ['2.1', 'C2', 'D1', '3', '200', '600.00'],
    ['', '', 'NEW', '6', null, null],
    ['4.2', 'LIST', 'D1', '5', '200', '1000.00'],
  ])
})

test('terminates for chapters that contain themselves or each other', async () => {
  const levels = [...Array(40).keys()].map((i) => `~C|L${i}#||||||\n~D|L${i}|L${i + 1}\\\\1\\L${i + 1}\\\\1\\|`)
  const { lines, notes } = await billed(`${V}\n${CONCEPTS}\n~D|R|L0\\\\1\\C1\\\\1\\|\n~D|C1|C1\\\\1\\|
${levels.join('\n')}\n~C|L40#||||||\n~D|L40|D1\\\\1\\|`)
  expect(lines).toHaveLength(50_000)
  expect(notes.at(-1)).toBe('1 BILL_CUT: the work has more than 50000 lines or 100 levels; the rest is left out')
})

test.each([
  ['~K|2\\\\\\\\\\\\\\\\USD\\|', 'USD'],
  ['~K|2\\\\\\\\\\\\\\\\Pts.\\|', 'ESP'],
  ['', 'EUR'],
])('the currency is the one in ~K, else the one of its time: %s', async (k, currency) => {
  expect((await billed(`${V}\n${k}\n~C|A|u|x|1|||`)).currency).toBe(currency)
  expect((await billed(`~V||FIEBDC-3/95|\n~C|A|u|x|1|181099||`)).currency).toBe('ESP')
})
