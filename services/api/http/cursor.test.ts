import fc from 'fast-check'
import { expect, test } from 'vitest'
import { addCarried, cursorsOf } from './cursor.ts'

const cursors = cursorsOf('secret')
const scopes = fc.array(fc.option(fc.string(), { nil: undefined }), { maxLength: 5 })

test('a cursor decodes to its position within its own scope', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), scopes, (position, scope) => {
      const cursor = cursors.encode(position, scope)
      expect(cursor).toMatch(/^[\w-]+$/)
      expect(cursors.decode(cursor, scope)).toBe(position)
    }),
  )
})

test('a cursor of another scope or secret, or with an altered character, is refused', () => {
  const cursor = cursors.encode('ci_abc', ['items', 'ES', undefined])
  for (const scope of [
    ['items', 'US', undefined],
    ['items', 'ES'],
    ['items', 'ES', ''],
    ['ES', 'items', undefined],
    [],
  ]) {
    expect(() => cursors.decode(cursor, scope)).toThrow('invalid_cursor')
  }
  expect(() => cursorsOf('other').decode(cursor, ['items', 'ES', undefined])).toThrow('invalid_cursor')
  for (let at = 0; at < cursor.length; at++) {
    for (const letter of ['A', 'b', '_', '=']) {
      const altered = cursor.slice(0, at) + letter + cursor.slice(at + 1)
      if (altered === cursor) continue
      expect(() => cursors.decode(altered, ['items', 'ES', undefined])).toThrow('invalid_cursor')
    }
  }
})

test('arbitrary strings are refused as cursors', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (cursor) => {
      expect(() => cursors.decode(cursor, [])).toThrow('invalid_cursor')
    }),
  )
})

test('a cursor carries parameters to a query without them, and no others', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), scopes, (position, scope) => {
      const parameters = { q: 'a&b=c\0', limit: 5, include: ['facets', 'total'], region: undefined, cursor: 'former' }
      const cursor = cursors.encode(position, scope, parameters)
      expect(cursors.decode(cursor, scope)).toBe(position)
      const query = { cursor, limit: '7' }
      addCarried(query, ['q', 'limit', 'include', 'region', 'cursor'])
      expect(query).toEqual({ cursor, limit: '7', q: 'a&b=c\0', include: 'facets,total' })
    }),
  )
})

test('names that a route does not know are not carried', () => {
  const cursor = cursors.encode('ci_a', [], { __proto__: 1, q: 'x' })
  for (const given of [cursor, cursors.encode('ci_a', [])])
    for (const query of [{ cursor: given }, { cursor: [given] }]) {
      addCarried(query, ['cursor'])
      expect(Object.keys(query)).toEqual(['cursor'])
    }
})

test('a text that is no cursor is refused at once, where a route takes cursors', () => {
  const cursor = cursors.encode('ci_a', [], { q: 'x' })
  for (const given of ['AAAA', 'AgAA', 'Ag', '', '%', `${cursor}=`, ` ${cursor}`]) {
    expect(() => addCarried({ cursor: given }, ['cursor', 'q'])).toThrow('invalid_cursor')
    const query = { cursor: given }
    addCarried(query, ['q'])
    expect(query).toEqual({ cursor: given })
  }
})
