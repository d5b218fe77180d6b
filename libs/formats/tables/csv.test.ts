import { Readable } from 'node:stream'
import { isBroken, type RawRecord, RECORD_CHARS_MAX, RECORD_LINES_MAX } from '@catalog/formats/bytes/record.ts'
import { all, textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CsvOptions, readCsv } from './csv.ts'

const read = (text: string, options: Partial<CsvOptions> = {}, length = 7) =>
  all(readCsv(textInPieces(text, length), { name: 'f.csv', ...options }))

describe('a delimited text', () => {
  test('yields records by its heading, with the first line of each', async () => {
    const records = await read('ref;name\nA;Brick\n\nB;"two\nlines; and ""quotes"""\nC;Sand')
    expect(records).toEqual([
      { position: 'f.csv line 2', raw: 'A;Brick', fields: { ref: 'A', name: 'Brick' } },
      {
        position: 'f.csv line 4',
        raw: 'B;"two\nlines; and ""quotes"""',
        fields: { ref: 'B', name: 'two\nlines; and "quotes"' },
      },
      { position: 'f.csv line 6', raw: 'C;Sand', fields: { ref: 'C', name: 'Sand' } },
    ])
  })

  test.each([
    ['a,b\n1,2\n', ','],
    ['a;b\n1,5;2\n3,5;4\n', ';'],
    ['a\tb,c\n1\t2\n', '\t'],
    ['sep=|\na|b\n1|2\n', '|'],
    ['a b\n1\n', ','],
  ])('shows its delimiter: %j', async (text, delimiter) => {
    const told: string[] = []
    await read(text, { onHeading: (heading) => told.push(heading.delimiter) })
    expect(told).toEqual([delimiter])
  })

  test('may end its lines with \\r\\n or \\r', async () => {
    for (const end of ['\r\n', '\r']) {
      for (const length of [1, 3, 100]) {
        const records = await read(['a;b', '1;2', '3;4', ''].join(end), {}, length)
        expect(records.map(({ position, raw }) => [position, raw])).toEqual([
          ['f.csv line 2', '1;2'],
          ['f.csv line 3', '3;4'],
        ])
      }
    }
  })

  test('may hold quotes inside plain fields, such as inches', async () => {
    const [record] = (await read('ref;name;price\nA;Tubo 1/2" PVC;3\n')) as RawRecord[]
    expect(record?.fields).toEqual({ ref: 'A', name: 'Tubo 1/2" PVC', price: '3' })
  })

  test('may have blank fields at the end of a row, but no other width', async () => {
    const records = await read('a;b;\n1;2;\n1;2;;\n1;2\n1\n1;2;3;4\n;;;\n')
    expect(records.map((record) => (isBroken(record) ? record.reason : 'ok'))).toEqual([
      'ok',
      'ok',
      'ok',
      'WRONG_COLUMN_COUNT',
      'WRONG_COLUMN_COUNT',
    ])
  })

  test('loses only one line to a quote that is never closed', async () => {
    const records = await read('a;b\n1;"open\n2;x\n3;"y"\n4;z\n')
    expect(records.map((record) => [record.position, isBroken(record) ? record.reason : record.fields.b])).toEqual([
      ['f.csv line 2', 'UNCLOSED_QUOTE'],
      ['f.csv line 3', 'x'],
      ['f.csv line 4', 'y'],
      ['f.csv line 5', 'z'],
    ])
  })

  test('loses only one line when the open quote outlasts the limit of lines', async () => {
    const others = Array.from({ length: RECORD_LINES_MAX + 5 }, (_, i) => `${i};x\n`).join('')
    const records = await read(`a;b\n1;"open\n${others}`, {}, 1000)
    expect(records.filter(isBroken).map(({ position, reason }) => [position, reason])).toEqual([
      ['f.csv line 2', 'UNCLOSED_QUOTE'],
    ])
    expect(records).toHaveLength(RECORD_LINES_MAX + 6)
  })

  test('breaks a line that is too long and continues after it', async () => {
    const records = await read(`a;b\n1;${'x'.repeat(RECORD_CHARS_MAX)}\n2;y\n`, {}, 65_536)
    expect(records.map((record) => (isBroken(record) ? record.reason : record.position))).toEqual([
      'RECORD_TOO_LONG',
      'f.csv line 3',
    ])
  })

  test('may have a title above its heading', async () => {
    const records = await read('Tarifa 2026\n\nref;name\nA;Brick\n', {
      delimiter: ';',
      isHeading: (columns) => columns.includes('ref'),
    })
    expect(records).toEqual([{ position: 'f.csv line 4', raw: 'A;Brick', fields: { ref: 'A', name: 'Brick' } }])
  })

  test.each(['Pérez, S.L.\nPrices, 2026', 'Prices 2026', 'a;b;c'])(
    'has the delimiter of its heading, whatever its title: %j',
    async (title) => {
      const isHeading = (columns: readonly string[]) => columns.includes('ref') && columns.includes('price')
      const records = await read(`${title}\n\nref;name;price\nA;Brick, red;1.012,50\nB;Tube, 1;0,5\n`, { isHeading })
      expect(records).toMatchObject([
        { fields: { ref: 'A', name: 'Brick, red', price: '1.012,50' } },
        { fields: { ref: 'B', price: '0,5' } },
      ])
    },
  )

  test('names repeated and blank headings, and columns like members of every object', async () => {
    const [record] = (await read('x;x;;__proto__\n1;2;3;4\n')) as RawRecord[]
    expect(Object.entries(record?.fields ?? {})).toEqual([
      ['x', '1'],
      ['x 2', '2'],
      ['column 3', '3'],
      ['__proto__', '4'],
    ])
  })

  test('is refused with a heading that is broken or too wide', async () => {
    expect(await read('a;"b\n1;2\n')).toMatchObject([{ reason: 'UNCLOSED_QUOTE', endsFile: true }])
    expect(await read(`${'c;'.repeat(1001)}c\n1\n`)).toMatchObject([{ reason: 'TOO_MANY_COLUMNS', endsFile: true }])
  })

  test('may hold a million blank lines in one piece', async () => {
    expect(await read(`${'\n'.repeat(1_000_000)}a;b\n1;2`, {}, 2_000_000)).toMatchObject([
      { position: 'f.csv line 1000002' },
    ])
  })

  test('reads back what was written, whatever its pieces', async () => {
    const cell = fc.string({ unit: fc.constantFrom('a', 'é', ';', '"', '\n', ' ', ',', '1'), maxLength: 6 })
    await fc.assert(
      fc.asyncProperty(fc.array(fc.tuple(cell, cell), { maxLength: 12 }), fc.nat(9), async (rows, piece) => {
        const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
        const text = ['k;a;b', ...rows.map(([a, b], i) => [`${i}`, quoted(a), quoted(b)].join(';'))].join('\n')
        const records = (await read(text, { delimiter: ';' }, piece + 1)) as RawRecord[]
        expect(records.map(({ fields }) => [fields.a, fields.b])).toEqual(rows)
      }),
    )
  })

  test('never throws, and accounts for each line that is not blank once', async () => {
    const dirty = fc.string({
      unit: fc.constantFrom('a', ';', '"', '\n', '\r', ' ', '\0', 'é', '\ud800'),
      maxLength: 120,
    })
    await fc.assert(
      fc.asyncProperty(dirty, async (text) => {
        const records = await read(`h;i\n${text}`, { delimiter: ';' })
        const lines = records.map(({ position }) => Number(position.split(' ').at(-1)))
        expect(new Set(lines).size).toBe(lines.length)
        expect(lines).toEqual(lines.toSorted((a, b) => a - b))
      }),
    )
  })
})

test('given lines of a million commas, when they are read, then each is split by itself and the heading refused', async () => {
  const text = `${','.repeat(1_000_000)}x\n`.repeat(3)
  const pieces = Readable.from([text])
  expect(await all(readCsv(pieces, { name: 'f.csv', isHeading: () => false }))).toMatchObject([
    { reason: 'TOO_MANY_COLUMNS', detail: 'the heading has 1000001 columns, at most 1000 are read', endsFile: true },
  ])
})
