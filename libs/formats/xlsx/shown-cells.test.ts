import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { readOutcomes } from '@catalog/formats/read.ts'
import { inPieces, workbookOf } from '@catalog/stack/testing/archives.ts'
import { expect, test } from 'vitest'
import { ShownCells } from './shown-cells.ts'

const text = (ref: string, value: string) => `<c r="${ref}" t="inlineStr"><is><t>${value}</t></is></c>`
const number = (ref: string, value: number, style = 0) => `<c r="${ref}" s="${style}"><v>${value}</v></c>`
const HEADINGS = ['Código', 'Descripción', 'Ud', 'Precio']
const headingRow = (...headings: readonly string[]) =>
  `<row r="1">${headings.map((heading, i) => text(`${'ABCDEFGH'[i]}1`, heading)).join('')}</row>`
const rowOf = (row: number, price: string, attributes = '') =>
  `<row r="${row}"${attributes}>${text(`A${row}`, `R${row}`)}${text(`B${row}`, `Panel ${row}`)}${text(`C${row}`, 'm2')}${price}</row>`

type Workbook = Parameters<typeof workbookOf>[0]

/** "R2 14.00 EUR" for each record of a workbook, or "R2 REASON". */
async function said(workbook: Workbook, { currency = 'EUR', isDated = false } = {}) {
  const found: string[] = []
  const observedAt = isDated ? undefined : '2026-11-20'
  const defaults = { source: 'S', currency, observedAt, notAfter: new Date('2026-11-21') }
  const source = inPieces('f.xlsx', workbookOf(workbook), 1_000)
  for await (const { outcomes } of readOutcomes(source, { defaults } as never)) {
    for (const { result } of outcomes) {
      if ('reason' in result) found.push(`${result.refused?.vendorRef ?? ''} ${result.reason}`)
      else {
        const { vendor_ref, price, observed_at } = result.content
        const day = isDated ? ` ${observed_at.slice(0, 10)}` : ''
        found.push(`${vendor_ref} ${(price.cents / 100 / price.per_quantity).toFixed(2)} ${price.currency}${day}`)
      }
    }
  }
  return found
}

test('given a hidden column of the same heading, when the sheet is read, then only the shown one is', async () => {
  const rows = headingRow(...HEADINGS, 'Precio') + rowOf(2, number('D2', 10) + number('E2', 14))
  const columns = '<cols><col min="4" max="4" width="0" hidden="1" customWidth="1"/></cols>'
  expect(await said({ rows, columns })).toEqual(['R2 14.00 EUR'])
  expect(await said({ rows })).toEqual(['R2 AMBIGUOUS_OFFER'])
})

test('given cells without references, when a column is hidden, then the others keep their place', async () => {
  const bare = (xml: string) => xml.replaceAll(/ r="[A-Z]\d"/g, '')
  const rows = headingRow(...HEADINGS, 'Precio') + rowOf(2, number('D2', 10) + number('E2', 14))
  const columns = '<cols><col min="4" max="4" hidden="true"/></cols>'
  expect(await said({ rows: bare(rows), columns })).toEqual(['R2 14.00 EUR'])
})

test('given hidden rows, when the sheet is read, then only those of a collapsed group are', async () => {
  const rows =
    headingRow(...HEADINGS) +
    rowOf(2, number('D2', 1)) +
    rowOf(3, number('D3', 99), ' hidden="1"') +
    rowOf(6, number('D6', 99), ' ht="0" customHeight="1"') +
    rowOf(4, number('D4', 3), ' hidden="1" outlineLevel="1"') +
    rowOf(5, number('D5', 4))
  expect(await said({ rows })).toEqual(['R2 1.00 EUR', 'R4 3.00 EUR', 'R5 4.00 EUR'])
  const columns = '<cols><col min="3" max="3" hidden="1"/><col min="9" max="16384" hidden="1"/></cols>'
  const source = bytesSource('f.xlsx', workbookOf({ rows, columns }))
  const defaults = { source: 'S', currency: 'EUR', observedAt: '2026-11-20', notAfter: new Date('2026-11-21') }
  const told: unknown[] = []
  for await (const { detected } of readOutcomes(source, { defaults })) told.push(detected.hidden)
  expect(told.at(-1)).toEqual({ rows: 2, columns: 1 })
})

test.each([
  ['#,##0.00\\ [$USD]', 'R2 12.50 USD'],
  ['[$€-C0A]\\ #,##0.00', 'R2 12.50 EUR'],
  ['_-* #,##0.00\\ "€"_-;\\-* #,##0.00\\ "€"_-', 'R2 12.50 EUR'],
  ['"£"#,##0.00', 'R2 12.50 GBP'],
  ['#,##0.00\\ "zł"', 'R2 12.50 PLN'],
  ['$#,##0.00', 'R2 BAD_PRICE'],
  ['"S/."#,##0.00', 'R2 12.50 PEN'],
  ['"Rs."#,##0.00', 'R2 BAD_PRICE'],
  ['"XYZ" #,##0.00', 'R2 UNKNOWN_CURRENCY'],
  ['0.00\\ %', 'R2 NOT_A_PRICE'],
  ['0%', 'R2 NOT_A_PRICE'],
  ['0.00"%"', 'R2 NOT_A_PRICE'],
  ['#,##0.00\\ "€/m²"', 'R2 12.50 EUR'],
  ['#,##0.00\\ "m²"', 'R2 12.50 EUR'],
  ['[Red]#,##0.00;"no price"', 'R2 12.50 EUR'],
  ['#,##0.00', 'R2 12.50 EUR'],
])('given the number format %s, when a price is read in a list in EUR, then it gives %s', async (format, outcome) => {
  const rows = headingRow(...HEADINGS) + rowOf(2, number('D2', 12.5, 1))
  expect(await said({ rows, formats: [format] })).toEqual([outcome])
})

test('given a "$" in a list in dollars, when its prices are read, then it stands for them', async () => {
  const rows = headingRow(...HEADINGS) + rowOf(2, number('D2', 12.5, 1))
  expect(await said({ rows, formats: ['$#,##0.00'] }, { currency: 'MXN' })).toEqual(['R2 12.50 MXN'])
})

test('given a discount in a format of percent, when the sheet is read, then the net price is taken', async () => {
  const cells = (row: number) => number(`D${row}`, 12.5) + number(`E${row}`, 0.4, 1) + number(`F${row}`, 7.5)
  const rows = headingRow(...HEADINGS, 'Dto', 'Neto') + rowOf(2, cells(2)) + rowOf(3, cells(3))
  expect(await said({ rows, formats: ['0%'] })).toEqual(['R2 7.50 EUR', 'R3 7.50 EUR'])
})

test.each([true, false])(
  'given a serial as its date and a calendar of 1904: %s, then the day is its own',
  async (is1904) => {
    const dates = (row: number) => number(`D${row}`, 2.5) + number(`E${row}`, is1904 ? 44_620 : 46_082, row - 2)
    const rows = headingRow(...HEADINGS, 'Fecha') + rowOf(2, dates(2)) + rowOf(3, dates(3))
    const workbook = { rows, is1904, formats: ['dd/mm/yyyy'] }
    const expected = ['R2 2.50 EUR 2026-03-01', 'R3 2.50 EUR 2026-03-01']
    expect(await said(workbook, { isDated: true })).toEqual(expected)
  },
)

test('given rows without a value, when a sheet is read, then its parser sees none of them', async () => {
  const empty = (row: number) =>
    row % 2 === 0
      ? `<row r="${row}"/>`
      : `<row r="${row}"><c r="A${row}" s="0"/><c r="B${row}"></c><c r="C${row}" t="str"><f>IF(A1="","",A1)</f><v></v></c></row>`
  const rows = Array.from({ length: 20_000 }, (_, i) => empty(i + 3)).join('')
  const filled = headingRow(...HEADINGS) + rowOf(2, number('D2', 1)) + rows + rowOf(30_000, number('D30000', 2))
  expect(await said({ rows: filled })).toEqual(['R2 1.00 EUR', 'R30000 2.00 EUR'])
  const parts: Uint8Array[] = []
  for await (const part of new ShownCells(new Map()).of(bytesSource('', Buffer.from(rows)).open())) parts.push(part)
  expect(Buffer.concat(parts).toString().trim()).toBe('')
})

test('given any cut of its bytes, when a sheet is filtered, then its length stays', async () => {
  const xml = Buffer.from(
    `<x:worksheet><x:cols><x:col min="2" max="2" hidden="1"/></x:cols><x:sheetData><x:row r="1"><x:c r="A1"><x:v>1</x:v></x:c><x:c r="B1"><x:v>2</x:v></x:c></x:row><x:row r="2" hidden="1"><x:c r="A2"><x:v>3</x:v></x:c></x:row><x:row/></x:sheetData></x:worksheet>`,
  )
  for (let cut = 1; cut < xml.length; cut += 7) {
    const parts: Uint8Array[] = []
    for await (const part of new ShownCells(new Map()).of(bytesSource('', xml).open())) parts.push(part)
    const cutParts: Uint8Array[] = []
    for await (const part of new ShownCells(new Map()).of(inPieces('', xml, cut).open())) cutParts.push(part)
    expect(Buffer.concat(cutParts).toString()).toBe(Buffer.concat(parts).toString())
    expect(Buffer.concat(parts).length).toBe(xml.length)
    expect(Buffer.concat(parts).toString()).not.toMatch(/<x:v>[23]/)
  }
})
