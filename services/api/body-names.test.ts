import { MatchRequest } from '@catalog/api/contract/contract.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isDeeperThan, unknownMember } from './body-names.ts'

test.each([
  [{ lines: [], regoin: 'ES' }, 'regoin', 'the body'],
  [{ lines: [{ text: 'a' }, { text: 'b', unti: 'kg' }] }, 'unti', 'lines[1]'],
  [{ lines: [{ text: 'a', lines: [] }] }, 'lines', 'lines[0]'],
  [{ __proto__: null, lines: [], constructor: 1 }, 'constructor', 'the body'],
])('of %j the member %s of %s is unknown', (body, name, place) => {
  expect(unknownMember(MatchRequest, body)).toMatchObject({ name, place })
})

test('names what is known at the place', () => {
  const found = unknownMember(MatchRequest, { lines: [{ text: 'a', x: 1 }] })
  expect(found?.known).toEqual(['text', 'unit', 'quantity', 'region', 'code', 'source'])
})

test('any body of known names has no unknown member, whatever its values, and one more name is found', () => {
  const line = fc.record(
    { text: fc.anything(), unit: fc.anything(), quantity: fc.anything(), region: fc.anything() },
    { requiredKeys: [] },
  )
  const body = fc.record(
    {
      lines: fc.oneof(fc.array(fc.oneof(line, fc.integer())), fc.string()),
      region: fc.anything(),
      lang: fc.anything(),
    },
    { requiredKeys: [] },
  )
  fc.assert(
    fc.property(body, (body) => {
      expect(unknownMember(MatchRequest, body)).toBeUndefined()
      expect(unknownMember(MatchRequest, { ...body, more: 1 })).toMatchObject({ name: 'more', place: 'the body' })
    }),
  )
  fc.assert(
    fc.property(fc.anything(), (value) => {
      unknownMember(MatchRequest, value)
    }),
  )
})

test('the depth of a value is that of its objects and arrays', () => {
  const depth = (value: unknown): number =>
    typeof value !== 'object' || value === null ? 0 : 1 + Math.max(0, ...Object.values(value).map(depth))
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 6 }), fc.integer({ min: 0, max: 6 }), (value, levels) => {
      expect(isDeeperThan(value, levels)).toBe(depth(value) > levels)
    }),
  )
})
