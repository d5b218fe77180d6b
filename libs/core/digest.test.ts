import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, idSuffix, type JsonValue, sha256Hex } from './digest.ts'

/** RFC 8785 literally: one part after the other. */
function byTheLetter(value: JsonValue): string {
  if (Array.isArray(value)) return `[${value.map(byTheLetter).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).filter(([, member]) => member !== undefined)
  members.sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${byTheLetter(member as JsonValue)}`).join(',')}}`
}

const key = fc.oneof(fc.string(), fc.nat(30).map(String), fc.constantFrom('__proto__', 'constructor', '01', '-1'))
const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('value')),
    fc.dictionary(key, tie('value'), { noNullPrototype: false }),
  ),
}))

describe('canonical JSON', () => {
  test('equals a literal reading of the RFC, also for keys that look like indexes', () => {
    fc.assert(
      fc.property(value, (given) => {
        expect(canonicalJson(given as JsonValue)).toBe(byTheLetter(given as JsonValue))
      }),
    )
  })

  test('sorts by code units at every depth, and leaves out undefined values', () => {
    const given = { b: [{ z: 1, a: undefined, é: 2, A: 3 }], 10: 'ten', 2: 'two', a: -0 }
    expect(canonicalJson(given)).toBe('{"10":"ten","2":"two","a":0,"b":[{"A":3,"z":1,"é":2}]}')
  })

  test.each([
    ['NaN', { a: [Number.NaN] }],
    ['an infinity', { 1: Number.POSITIVE_INFINITY }],
    ['a lone surrogate', { a: 'x\ud800' }],
    ['a lone surrogate in a key', { 'x\ud800': 1 }],
    ['undefined in a list', { a: [undefined] }],
  ])('refuses %s', (_what, given) => {
    expect(() => canonicalJson(given as unknown as JsonValue)).toThrow(TypeError)
  })
})

test('the suffix of an id is the first 130 bits of the hash, in base32', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const bits = BigInt(`0x${sha256Hex(text)}`) >> 126n
      let suffix = ''
      for (let digit = 25n; digit >= 0n; digit--) {
        suffix += 'abcdefghijklmnopqrstuvwxyz234567'[Number((bits >> (digit * 5n)) & 31n)]
      }
      expect(idSuffix(text)).toBe(suffix)
    }),
  )
})
