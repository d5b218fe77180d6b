import { expect, test } from 'vitest'
import { editionAddresses, templateProblem } from './address-template.ts'

const at = (template: string, period: 'month' | 'quarter' | 'year', lookback: number) =>
  editionAddresses(new URL(template, 'https://x.example/').href, {
    period,
    lookback,
    now: new Date('2026-02-28T23:59:59Z'),
  }).map((address) => address.replace('https://x.example/', ''))

test('the addresses of editions go back from the newest', () => {
  expect(at('list_{YYYY}_{MM}.zip?d={YYYY}-{MM}', 'month', 2)).toEqual([
    'list_2026_02.zip?d=2026-02',
    'list_2026_01.zip?d=2026-01',
    'list_2025_12.zip?d=2025-12',
  ])
  expect(at('{YYYY}/q{Q}.csv', 'quarter', 1)).toEqual(['2026/q1.csv', '2025/q4.csv'])
  expect(at('list-{YYYY}.xlsx', 'year', 1)).toEqual(['list-2026.xlsx', 'list-2025.xlsx'])
  expect(at('list-{YYYY}.xlsx', 'year', 0)).toEqual(['list-2026.xlsx'])
})

test('an address on the last day of a long month names no month twice', () => {
  const options = { period: 'month', lookback: 2, now: new Date('2026-03-31T12:00:00Z') } as const
  expect(editionAddresses('https://x.example/{YYYY}-{MM}', options).map((address) => address.slice(-7))).toEqual([
    '2026-03',
    '2026-02',
    '2026-01',
  ])
})

test.each([
  ['https://x.example/a', undefined, null],
  ['https://x.example/%7BYYYY%7D-%7BMM%7D', 'month', null],
  ['https://x.example/{YYYY}', undefined, 'expected period: month, quarter, year beside an address with {YYYY}'],
  ['https://x.example/{YYYY}', 'month', 'expected {YYYY} and {MM} for period: month'],
  ['https://x.example/{YYYY}-{MM}', 'year', 'expected {YYYY} for period: year'],
  ['https://x.example/a', 'year', 'expected {YYYY} for period: year'],
  ['https://x.example/{YYYY}-{DD}', 'year', 'expected braces only around YYYY, MM and Q'],
] as const)('the address %s for the period %s: %s', (address, period, problem) => {
  expect(templateProblem(address, period)).toBe(problem)
})
