import fc from 'fast-check'
import { expect, test } from 'vitest'
import { instant, RunMarked } from './events.ts'

const asOf = RunMarked.shape.as_of
const two = fc.integer({ min: 0, max: 99 }).map((n) => String(n).padStart(2, '0'))

test('an instant is taken in its one spelling and in no other', () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date('9999-12-31T23:59:59Z'), noInvalidDate: true }), (date) => {
      expect(asOf.safeParse(instant(date)).success).toBe(true)
      expect(asOf.safeParse(date.toISOString()).success).toBe(date.getUTCMilliseconds() !== 0)
    }),
  )
})

test('whatever has the form of an instant is taken exactly when the calendar and the clock have it', () => {
  const form = fc.tuple(
    fc.integer({ min: 1000, max: 9999 }),
    two,
    two,
    two,
    two,
    two,
    fc.constantFrom('', '.000', '.120'),
  )
  fc.assert(
    fc.property(form, ([year, month, day, hour, minute, second, milliseconds]) => {
      const text = `${year}-${month}-${day}T${hour}:${minute}:${second}${milliseconds}Z`
      const at = new Date(text)
      const isSpelledSo = !Number.isNaN(at.getTime()) && instant(at) === text
      expect(asOf.safeParse(text).success).toBe(isSpelledSo)
    }),
    {
      numRuns: 2_000,
      examples: [[[2026, '02', '30', '00', '00', '00', '']], [[2026, '01', '01', '24', '00', '00', '']]],
    },
  )
})
