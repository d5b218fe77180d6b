import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { holdsEmail, recordableText, recordableUrl, visibleText, withoutEmails } from './vendor-text.ts'

/** Texts that are dense in the signs that addresses and invisible characters are made of. */
const dense = fc.string({
  unit: fc.constantFrom(
    ...[
      'a',
      'Z',
      '7',
      'ñ',
      '𝐚',
      '.',
      '-',
      '@',
      '＠',
      '%40',
      '\\u0040',
      '&#64;',
      '(',
      ')',
      '<',
      '>',
      ' ',
      '\n',
      'mailto:',
    ],
    ...[
      'example.org',
      'jane@example.org',
      '\0',
      '\u200b',
      '\u202e',
      '\ufeff',
      '\u{e0041}',
      '\u{e0100}',
      '\u00ad',
      '\u200d',
      'ب',
    ],
  ),
  maxLength: 60,
})

describe('for every text of a vendor', () => {
  test('the recordable text holds no address and nothing invisible, and is recordable itself', () => {
    fc.assert(
      fc.property(dense, (text) => {
        const kept = recordableText(text)
        expect(holdsEmail(kept)).toBe(false)
        expect(visibleText(kept)).toBe(kept)
        expect(recordableText(kept)).toBe(kept)
      }),
      { numRuns: 2_000 },
    )
  })

  test('a joiner before an address goes with it', () => {
    expect(recordableText('ب\u200dب\\u0040example.org')).toBe('ب')
  })

  test('a text without signs of an address keeps every visible character', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => {
        fc.pre(!holdsEmail(visibleText(text)))
        expect(recordableText(text)).toBe(visibleText(text))
      }),
    )
  })

  test('a URL or a dead letter holds no address either', () => {
    fc.assert(
      fc.property(dense, (text) => {
        expect(holdsEmail(recordableUrl(`https://shop.example/${text}`))).toBe(false)
        expect(holdsEmail(withoutEmails(text))).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })
})

test.each([
  ['ask jane.doe+x@mail.example.org; b@c', 'ask ; b@c'],
  ['Brick (jane@example.org) red', 'Brick red'],
  ['Brick <mailto:jane@example.org>', 'Brick'],
  ['Brick jane%40example.org', 'Brick'],
  ['Brick jane＠example.org', 'Brick'],
  ['jane@[x@y.org]example.org', 'jane@ example.org'],
  ['Tube 25 @ 3 m', 'Tube 25 @ 3 m'],
  ['Ø12@20.cm', 'Ø12@20.cm'],
  ['Br\u0007ick \u202eder\u202c', 'Brick der'],
  ['a\vb\u0085c', 'a b c'],
  ['می\u200cخواهم x\u200cy', 'می\u200cخواهم xy'],
])('records %j as %j', (text, expected) => {
  expect(recordableText(text)).toBe(expected)
})

test.each([
  ['https://s.example/a?user=jane%40example.org&id=5#jane@x.org', 'https://s.example/a?id=5'],
  ['https://s.example/u/jane@example.org', ''],
  ['https://s.example/a?b=1#c', 'https://s.example/a?b=1#c'],
])('records the address %s as %j', (url, expected) => {
  expect(recordableUrl(url)).toBe(expected)
})

test.each([
  ['a', '@'],
  ['a@', ''],
  ['a@b.', ''],
  ['a@b.co ', ''],
  [' ', 'a@b.co'],
  ['(', 'a@b.co'],
  ['mailto:', 'a@b.co'],
  ['%', '@'],
  ['&#', '64;'],
  ['\u200b', 'a'],
])('takes linear time for a million characters of %j and %j', (unit, end) => {
  const textOf = (chars: number) => unit.repeat(chars / unit.length) + end
  const timeMs = (text: string) => {
    const begun = performance.now()
    recordableText(text)
    return performance.now() - begun
  }
  timeMs(textOf(10_000))
  // Quadratic time takes minutes here.
  expect(timeMs(textOf(1_000_000))).toBeLessThan(5_000)
})
