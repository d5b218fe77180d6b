import { expect, test } from 'vitest'
import { detectDateOrder, parseDate } from './dates.ts'

test.each([
  [['05/06/2026', '07/08/2026'], 'dmy'],
  [['05/13/2026', '07/08/2026'], 'mdy'],
  [['05/13/2026', '13/05/2026'], 'dmy'],
  [['2026-05-13'], 'dmy'],
])('the dates %j show the order %s', (dates, order) => {
  expect(detectDateOrder(dates)).toBe(order)
})

test.each([
  ['2026-11-21', 'dmy', '2026-11-21T00:00:00.000Z'],
  ['2026-11-21T10:30:00+02:00', 'dmy', '2026-11-21T08:30:00.000Z'],
  ['2026-11-21 9:05', 'dmy', '2026-11-21T09:05:00.000Z'],
  ['20261121', 'dmy', '2026-11-21T00:00:00.000Z'],
  ['2026/1/2', 'dmy', '2026-01-02T00:00:00.000Z'],
  ['5.6.2026', 'dmy', '2026-06-05T00:00:00.000Z'],
  ['05/06/2026', 'mdy', '2026-05-06T00:00:00.000Z'],
  ['21/11/2026 10:30:15', 'dmy', '2026-11-21T10:30:15.000Z'],
  ['46347', 'dmy', '2026-11-21T00:00:00.000Z'],
  ['46347.5', 'dmy', '2026-11-21T12:00:00.000Z'],
  ['13/05/2026', 'mdy', undefined],
  ['31/02/2026', 'dmy', undefined],
  ['05/06/26', 'dmy', undefined],
  ['yesterday', 'dmy', undefined],
  ['', 'dmy', undefined],
] as const)('the date %s in the order %s is %s', (text, order, instant) => {
  expect(parseDate(text, { order })?.toISOString()).toBe(instant)
})

test('reads years of two digits when the order is given', () => {
  expect(parseDate('05/06/26', { order: 'dmy', hasTwoDigitYears: true })?.toISOString()).toBe(
    '2026-06-05T00:00:00.000Z',
  )
  expect(parseDate('26-06-05', { order: 'ymd', hasTwoDigitYears: true })?.toISOString()).toBe(
    '2026-06-05T00:00:00.000Z',
  )
  expect(parseDate('05/06/98', { order: 'dmy', hasTwoDigitYears: true })?.getUTCFullYear()).toBe(1998)
})

test.each([
  ['2022-01', '2022-01-01'],
  ['01/2022', '2022-01-01'],
  ['12.2024', '2024-12-01'],
  ['2022', '2022-01-01'],
  ['2022-13', undefined],
  ['1850', undefined],
  ['01/2022/03', undefined],
  ['202201', undefined],
  ['46347', '2026-11-21'],
])('the partial date %s is the day %s', (text, day) => {
  expect(parseDate(text, { order: 'dmy', hasPartialDates: true })?.toISOString().slice(0, 10)).toBe(day)
})

test('a month is no date where days are expected', () => {
  expect(parseDate('2022-01', { order: 'ymd' })).toBeNull()
})
