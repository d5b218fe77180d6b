import { RECORD_CHARS_MAX } from '@catalog/formats/bytes/record.ts'
import { textInPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parseBc3Date } from './date.ts'
import { bc3Records } from './records.ts'

async function tokens(text: string, length = 5) {
  const records = []
  for await (const batch of bc3Records(textInPieces(text, length))) records.push(...batch)
  return records
}

describe('the tokenizer', () => {
  test('splits records, fields and subfields, over lines and around blanks', async () => {
    const records = await tokens('junk\r\n~V|Ours |a\\b\t\r\n\\c \r\n|x|ignored\r\n~C | K 1#\\ |\0kg\x1a|about ~20 mm|')
    expect(records.map(({ letter, fields, line }) => ({ letter, fields, line }))).toEqual([
      { letter: 'V', fields: [['Ours'], ['a', 'b', 'c'], ['x']], line: 2 },
      { letter: 'C', fields: [[' K 1#', ''], ['kg'], ['about ~20 mm']], line: 5 },
    ])
  })

  test('ignores the boundaries of pieces', async () => {
    const text = '~V|a|\n~K|1\\2|\n~C|~x y|~C y|~|\n~D|p|c\\1\\2\\|\n~~C|q|'
    const whole = await tokens(text, 1_000)
    for (let length = 1; length < 20; length++) expect(await tokens(text, length)).toEqual(whole)
    expect(whole.map(({ letter }) => letter)).toEqual(['V', 'K', 'C', 'D', 'C'])
  })

  test('cuts an endless record and finds the next one, on its line', async () => {
    const records = await tokens(`~T|A|${'text\n'.repeat(RECORD_CHARS_MAX / 2)}|\n~C|B|`, 65_536)
    expect(records.map(({ letter, isCut, line }) => ({ letter, isCut, line }))).toEqual([
      { letter: 'T', isCut: true, line: 1 },
      { letter: 'C', isCut: false, line: RECORD_CHARS_MAX / 2 + 2 },
    ])
  })

  test('accepts any text', async () => {
    const text = fc.string({
      unit: fc.constantFrom('~', 'C', 'V', '|', '\\', '\n', '\r', ' ', '\0', 'a', '1', '#'),
      maxLength: 80,
    })
    await fc.assert(
      fc.asyncProperty(text, fc.integer({ min: 1, max: 30 }), async (text, length) => {
        expect(await tokens(text, length)).toEqual(await tokens(text, 1_000))
      }),
    )
  })
})

test.each([
  ['20112026', '2026-11-20'],
  ['1112026', '2026-11-01'],
  ['201126', '2026-11-20'],
  ['70722', '2022-07-07'],
  ['010180', '1980-01-01'],
  ['010179', '2079-01-01'],
  ['1126', '2026-11-01'],
  ['126', '2026-01-01'],
  ['1998', '1998-01-01'],
  ['98', '1998-01-01'],
  ['5', '2005-01-01'],
  ['000005', '2005-01-01'],
  ['20/11/2026', '2026-11-20'],
  ['', ''],
  ['310226', undefined],
  ['123456789', undefined],
  ['soon', undefined],
])('the FIEBDC date %s is %s', (text, date) => {
  expect(parseBc3Date(text)).toBe(date)
})
