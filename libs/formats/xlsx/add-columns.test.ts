import { openArchive } from '@catalog/formats/bytes/zip.ts'
import fc from 'fast-check'
import { zipSync } from 'fflate'
import { openXlsx, writeXlsx } from 'hucre/xlsx'
import { describe, expect, test } from 'vitest'
import { addColumns, columnLetter } from './add-columns.ts'
import type { NewCell } from './sheet-cells.ts'

const workbook = async () =>
  Buffer.from(
    await writeXlsx({
      sheets: [
        {
          name: 'Bill',
          rows: [['Title'], [], ['Text', 'Unit', 'Quantity'], ['Cement', 'kg', 40], ['Sand', 'm3', 3]],
          cells: new Map([['5,2', { value: null, formula: 'SUM(C4:C5)', formulaResult: 43 }]]),
        },
        { name: 'Other', rows: [['kept']] },
      ],
    }),
  )

async function partsOf(bytes: Buffer): Promise<Map<string, Buffer>> {
  using archive = await openArchive(bytes)
  const parts = new Map<string, Buffer>()
  for (const entry of archive.entries) {
    const chunks: Uint8Array[] = []
    for await (const chunk of entry.open()) chunks.push(chunk)
    parts.set(entry.path, Buffer.concat(chunks))
  }
  return parts
}

const columns = (rows: [number, NewCell[]][]) => [
  { sheet: 1, headingRow: 3, headings: ['Price', 'Cost'], widths: [10, 10], rows: new Map(rows) },
]

describe('a copy of a workbook with further columns', () => {
  test('has them at the right of the first sheet, with formulas of their letters', async () => {
    const out = await addColumns(
      await workbook(),
      columns([
        [
          4,
          [
            { number: 0.25, isMoney: true },
            { formula: (at) => `C4*${at(0)}4`, number: 10 },
          ],
        ],
        [5, ['<none> & "so"', null]],
        [9, ['Total', { formula: (at) => `SUM(${at(1)}4:${at(1)}5)`, number: 10 }]],
      ]),
    )
    const [sheet] = (await openXlsx(out)).sheets
    expect(sheet?.rows[2]).toEqual(['Text', 'Unit', 'Quantity', 'Price', 'Cost'])
    expect(sheet?.rows[3]?.slice(0, 4)).toEqual(['Cement', 'kg', 40, 0.25])
    expect(sheet?.cells?.get('3,4')).toMatchObject({ formula: 'C4*D4', formulaResult: 10 })
    expect(sheet?.rows[4]?.[3]).toBe('<none> & "so"')
    expect(sheet?.cells?.get('5,2')).toMatchObject({ formula: 'SUM(C4:C5)', formulaResult: 43 })
    expect(sheet?.cells?.get('8,4')).toMatchObject({ formula: 'SUM(E4:E5)' })
  })

  test('states the range of its cells anew, for readers that read nothing outside of it', async () => {
    const parts = Object.fromEntries(await partsOf(await workbook()))
    const sheet = String(parts['xl/worksheets/sheet1.xml']).replace(/<dimension[^>]*>/, '')
    parts['xl/worksheets/sheet1.xml'] = Buffer.from(sheet.replace('<sheetData>', '<dimension ref="A1:C5"/><sheetData>'))
    const out = await partsOf(await addColumns(Buffer.from(zipSync(parts)), columns([[9, ['Total', null]]])))
    expect(String(out.get('xl/worksheets/sheet1.xml'))).toContain('<dimension ref="A1:E9"/>')
  })

  test('keeps the bytes of every other part, and every cell that stood', async () => {
    // One workbook for both: the writer stamps the second at which it wrote.
    const original = await workbook()
    const before = await partsOf(original)
    const after = await partsOf(await addColumns(original, columns([[4, [{ number: 1, isMoney: true }]]])))
    expect([...after.keys()].sort()).toEqual([...before.keys()].sort())
    for (const [path, bytes] of before)
      if (path !== 'xl/worksheets/sheet1.xml' && path !== 'xl/styles.xml') expect(after.get(path)).toEqual(bytes)
    const rest = String(after.get('xl/worksheets/sheet1.xml'))
      .replace(/<c r="[DE]\d+"[^>]*>.*?<\/c>/g, '')
      .replace(/<cols>.*<\/cols>/, '')
      .replace(/<dimension[^>]*>/, '')
    expect(rest).toBe(String(before.get('xl/worksheets/sheet1.xml')).replace(/<dimension[^>]*>/, ''))
  })

  test('is made of sheets with prefixed elements, empty rows and rows without numbers', async () => {
    const parts = await partsOf(await workbook())
    parts.set(
      'xl/worksheets/sheet1.xml',
      Buffer.from(
        '<x:worksheet xmlns:x="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><x:cols><x:col min="1" max="1" width="9"/></x:cols><x:sheetData><x:row/><x:row r="3"/><x:row><x:c><x:v>7</x:v></x:c></x:row></x:sheetData></x:worksheet>',
      ),
    )
    const out = await addColumns(Buffer.from(zipSync(Object.fromEntries(parts))), columns([[4, ['a', 'b']]]))
    const [sheet] = (await openXlsx(out)).sheets
    expect(sheet?.rows[2]).toEqual([null, 'Price', 'Cost'])
    expect(sheet?.rows[3]).toEqual([7, 'a', 'b'])
    expect(String((await partsOf(out)).get('xl/worksheets/sheet1.xml'))).toContain(
      '<x:col min="1" max="1" width="9"/><x:col min="2"',
    )
  })

  test('has them in each sheet that is named, and in no other', async () => {
    const sheets = ['Cover', 'Civil', 'Electrical'].map((name) => ({ name, rows: [['Text'], [name]] }))
    const bytes = Buffer.from(await writeXlsx({ sheets }))
    const added = { headingRow: 1, widths: [10], rows: new Map() }
    const out = await addColumns(bytes, [
      { ...added, sheet: 2, headings: ['Price'] },
      { ...added, sheet: 3, headings: ['Cost'] },
    ])
    const first = (await openXlsx(out)).sheets.map(({ rows }) => rows[0])
    expect(first).toEqual([['Text'], ['Text', 'Price'], ['Text', 'Cost']])
  })

  const sheet = { name: 'Bill', headingRow: 1, headings: ['Vote'], widths: [10], rows: new Map([[2, ['<=North>']]]) }

  test('has a further sheet behind the others, by another name where theirs is equal', async () => {
    const original = await workbook()
    const out = await addColumns(await addColumns(original, [], sheet), [], sheet)
    const { sheets } = await openXlsx(out)
    expect(sheets.map(({ name }) => name)).toEqual(['Bill', 'Other', 'Bill 3', 'Bill 4'])
    expect(sheets[3]?.rows).toEqual([['Vote'], ['<=North>']])
    const [before, after] = [await partsOf(original), await partsOf(out)]
    expect(String(after.get('xl/worksheets/sheet3.xml'))).toContain('<dimension ref="A1:A2"/>')
    for (const path of ['xl/worksheets/sheet1.xml', 'xl/sharedStrings.xml'])
      expect(after.get(path)).toEqual(before.get(path))
  })

  test('has a further sheet in a strict workbook of prefixed elements too', async () => {
    const parts = Object.fromEntries(await partsOf(await workbook()))
    const [main, relations] = ['spreadsheetml/main', 'officeDocument/relationships'].map(
      (path) => `http://purl.oclc.org/ooxml/${path}`,
    )
    const names = '<x:sheets><x:sheet name="Bill" sheetId="1" q:id="rId1"/></x:sheets>'
    parts['xl/workbook.xml'] = Buffer.from(`<x:workbook xmlns:x="${main}" xmlns:q="${relations}">${names}</x:workbook>`)
    const out = await partsOf(await addColumns(Buffer.from(zipSync(parts)), [], { ...sheet, name: 'Votes' }))
    expect(String(out.get('xl/workbook.xml'))).toContain(
      `<x:sheet xmlns:q="${relations}" name="Votes" sheetId="3" q:id="added3"/></x:sheets>`,
    )
    expect(String(out.get('xl/worksheets/sheet3.xml'))).toContain(`xmlns="${main}"`)
  })

  test('is refused for what is no workbook, and for a sheet without room', async () => {
    await expect(addColumns(Buffer.from('text,unit\n'), columns([]))).rejects.toThrow()
    await expect(addColumns(Buffer.from(zipSync({ 'a.txt': new Uint8Array(3) })), columns([]))).rejects.toThrow(
      /no _rels\/\.rels: expected an XLSX workbook/,
    )
    const wide = await writeXlsx({ sheets: [{ name: 'S', rows: [Array.from({ length: 16_384 }, () => 1)] }] })
    await expect(addColumns(Buffer.from(wide), columns([]))).rejects.toThrow(/16384 columns: expected room for 2/)
  })

  test('holds any text as text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (text) => {
        const [sheet] = (await openXlsx(await addColumns(await workbook(), columns([[4, [text]]])))).sheets
        const kept = text
          .replace(/[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu, '')
          .replace(/\r\n?/g, '\n')
        expect(String(sheet?.rows[3]?.[3] ?? '')).toBe(kept)
        expect(sheet?.cells?.get('3,3')?.formula).toBeUndefined()
      }),
      { numRuns: 50 },
    )
  })

  test('letters columns as sheets do', () => {
    expect([0, 25, 26, 16_383].map(columnLetter)).toEqual(['A', 'Z', 'AA', 'XFD'])
  })
})
