import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { describe, expect, test } from 'vitest'
import { IndexMapping, IndexSeriesList } from './index-mapping.ts'
import { periodIn } from './index-period.ts'
import { INDEX_BYTES_MAX } from './index-rows.ts'
import { readIndex } from './read-index.ts'

test.each([
  ['2026-09', '2026-09'],
  ['2026/9', '2026-09'],
  ['202609', '2026-09'],
  ['2026-09-01', '2026-09'],
  ['2026 M09', '2026-09'],
  ['2026M9', '2026-09'],
  ['2026 MONAT09', '2026-09'],
  ['2026-Q3', '2026-Q3'],
  ['2026 Q03', '2026-Q3'],
  ['2026-T3', '2026-Q3'],
  ['2026 QUART3', '2026-Q3'],
  ['2026', '2026'],
  ['2026 A01', '2026'],
  ['2026 M13', '2026'],
  ['2026 Q05', '2026'],
  ['2026 S01', null],
  ['2026-13', undefined],
  ['2026-09-15', undefined],
  ['26-09', undefined],
  ['3026', undefined],
  ['', undefined],
])('%s is the period %s', (text, period) => {
  expect(periodIn(text)).toBe(period)
})

const read = (text: string | Buffer, mapping: object, series: readonly object[]) =>
  readIndex(bytesSource('f', Buffer.from(text)), {
    mapping: IndexMapping.parse(mapping),
    series: IndexSeriesList.parse(series),
  })
const A = { code: 'A', title: 'All', frequency: 'month' }

describe('a file', () => {
  test('of BLS, with tabs and padded columns, is read by a mapping of its own', async () => {
    const text =
      'series_id                     \tyear\tperiod\t       value\tfootnote_codes\nA              \t2026\tM01\t     101.5\t\nA \t2026\tM13\t 102\t\nB\t2026\tM01\t1\t\n'
    const mapping = { format: 'csv', delimiter: '\t', series: 'series_id', period: ['year', 'period'], value: 'value' }
    expect(await read(text, mapping, [A])).toMatchObject({
      points: [{ period: '2026-01', value: '101.5' }],
      read: 3,
      other_series: 1,
      other_frequency: 1,
    })
  })

  test('has each row counted once: points, others, no value, again', async () => {
    const text = 's;p;v\nA;2026-01;1.234,50\nA;2026-01;1.234,50\nA;2026-02;\nA;2026-03;n.d.\nA;2026;1\nB;2026-01;1\n\n'
    const mapping = { format: 'csv', decimal: ',', series: 's', period: 'p', value: 'v', without_value: ['n.d.'] }
    const { points, ...counts } = await read(text, mapping, [A])
    expect(points).toMatchObject([{ period: '2026-01', value: '1234.50' }])
    expect(counts).toEqual({ read: 6, other_series: 1, other_frequency: 1, without_value: 2, repeated: 1 })
  })

  test('keeps every digit of a JSON number, and takes members of the objects above', async () => {
    const text = '{"d":[{"s":"A","o":[{"p":"2026-01","v":100.123456789012345678},{"p":"2026-02","v":-0.5}]}]}'
    const mapping = { format: 'json', records: 'd.o', series: 's', period: 'p', value: 'v' }
    expect((await read(text, mapping, [A])).points).toMatchObject([
      { value: '100.123456789012345678' },
      { value: '-0.5' },
    ])
  })

  test.each<[string, string | Buffer, object, string]>([
    ['is no JSON', '[{', { format: 'json', period: 'p', value: 'v' }, 'f: expected JSON'],
    [
      'is nested without end',
      `${'['.repeat(50)}{"p":"2026-01","v":1}${']'.repeat(50)}`,
      { format: 'json', series: 's', period: 'p', value: 'v' },
      'expected points of A',
    ],
    [
      'lacks a member',
      '[{"p":"2026-01"}]',
      { format: 'json', period: 'p', value: 'v' },
      'f row 1: expected a member v, found p',
    ],
    ['is no XML', '<Series A="1"><Obs', { format: 'sdmx', period: 'p', value: 'v' }, 'f series'],
    [
      'is too large',
      Buffer.alloc(INDEX_BYTES_MAX + 1, ' '),
      { format: 'json', period: 'p', value: 'v' },
      'f: more than 33554432 bytes',
    ],
  ])('that %s is refused, with the place', async (_what, text, mapping, message) => {
    await expect(read(text, mapping, [A])).rejects.toThrow(message)
  })
})
