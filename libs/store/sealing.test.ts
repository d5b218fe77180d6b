import { expect, test } from 'vitest'
import { isSealed, seal, unseal } from './sealing.ts'

const key = (byte: number) => Buffer.alloc(32, byte).toString('base64')
const [OLD, NEW] = [{ keys: [key(1)] }, { keys: [key(2), key(1)] }]

test('a sealed text holds nothing of the secret, differs each time, and opens with its key alone', () => {
  const sealed = seal(OLD, 'the secret', 'meta a')
  expect(sealed).toMatch(/^sealed:[0-9a-f]{12}:[\w-]+$/)
  expect(seal(OLD, 'the secret', 'meta a')).not.toBe(sealed)
  expect(unseal(OLD, sealed, 'meta a')).toBe('the secret')
  expect(() => unseal(undefined, sealed, 'meta a')).toThrow(
    /meta a is sealed by the key [0-9a-f]{12}: expected that key/,
  )
  expect(() => unseal({ keys: [key(3)] }, sealed, 'meta a')).toThrow('expected that key')
})

test('after a rotation the former key still opens, and the new one seals', () => {
  const sealed = seal(OLD, 'x', 'p')
  expect([unseal(NEW, sealed, 'p'), isSealed(OLD, sealed), isSealed(NEW, sealed)]).toEqual(['x', true, false])
  expect(() => unseal(OLD, seal(NEW, 'x', 'p'), 'p')).toThrow('expected that key')
})

test('without a key secrets stay in clear, and those in clear open with any', () => {
  expect([seal(undefined, 'x', 'p'), seal({ keys: [] }, 'x', 'p')]).toEqual(['x', 'x'])
  expect([unseal(undefined, 'x', 'p'), unseal(NEW, 'x', 'p'), isSealed(NEW, 'x')]).toEqual(['x', 'x', false])
})

test('a changed text, and one of another row, do not open', () => {
  const sealed = seal(OLD, 'x', 'meta a')
  expect(() => unseal(OLD, sealed, 'meta b')).toThrow('it was changed')
  const changed = `${sealed.slice(0, -1)}${sealed.endsWith('A') ? 'B' : 'A'}`
  const bytes = (text: string) => Buffer.from(text.split(':')[2] as string, 'base64url')
  if (!bytes(changed).equals(bytes(sealed))) expect(() => unseal(OLD, changed, 'meta a')).toThrow('it was changed')
})
