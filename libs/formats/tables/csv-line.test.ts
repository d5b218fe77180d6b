import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvCell, csvLine } from './csv-line.ts'

/** The cells of one line, by the grammar of RFC 4180 alone. */
function parsed(line: string): string[] {
  const cells: string[] = []
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (cell.lastIndex < line.length) {
    const [, quoted, plain = ''] = cell.exec(line) as unknown as string[]
    cells.push(quoted?.replaceAll('""', '"') ?? plain)
  }
  return cells
}

describe('a line of CSV', () => {
  test('reads back as its cells, whatever these hold', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'ñ', '"', ',', '\r', '\n', ' ', '=', "'", '€') })
    fc.assert(
      fc.property(fc.array(text, { minLength: 2, maxLength: 6 }), (cells) => {
        const line = csvLine(cells)
        expect(line.endsWith('\r\n')).toBe(true)
        expect(parsed(line)).toEqual(cells.map((cell) => (/^[=\r\n]/.test(cell) ? `'${cell}` : cell)))
      }),
    )
  })

  test.each(['=1+1', '+34', '-2', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '＋1', '－1', '＠A'])(
    'gives the text %j no chance to run as a formula',
    (text) => {
      expect(csvCell(text).replace(/^"/, '')[0]).toBe("'")
    },
  )

  test('keeps a text in one cell where a spreadsheet splits at semicolons or tabs', () => {
    for (const text of ['Cemento;=1+1', 'a\t=1+1']) expect(csvCell(text)).toBe(`"${text}"`)
  })

  test('leaves numbers and harmless texts as they are, and nothing empty', () => {
    expect(csvLine([-5, 0, 'M-20', 'a=b', null, undefined])).toBe('-5,0,M-20,a=b,,\r\n')
  })
})
