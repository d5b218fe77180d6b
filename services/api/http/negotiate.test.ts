import { describe, expect, test } from 'vitest'
import { preferredCoding, preferredLanguages, preferredType } from './negotiate.ts'

const JSON_AND_MARKDOWN = ['application/json', 'text/markdown'] as const

test.each([
  [undefined, 'application/json'],
  ['', 'application/json'],
  ['*/*', 'application/json'],
  ['application/*', 'application/json'],
  ['text/*', 'text/markdown'],
  ['text/markdown', 'text/markdown'],
  ['TEXT/Markdown; charset=utf-8', 'text/markdown'],
  ['*/*, text/markdown;q=0.9', 'application/json'],
  ['text/*;q=0.3, */*;q=0.8', 'application/json'],
  ['text/markdown;q=0', undefined],
  ['text/markdown;q=oops', undefined],
  ['text/markdown, application/json', 'text/markdown'],
  ['application/json, text/markdown', 'application/json'],
  ['text/markdown;q=0.5, application/json;q=0.4', 'text/markdown'],
  ['text/markdown, */*', 'text/markdown'],
  ['text/markdown;q=0, */*', 'application/json'],
  ['application/json;q=0, */*;q=0.1', 'text/markdown'],
  // A typical browser header.
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', 'application/json'],
  ['text/html', undefined],
  ['application/json;q=0', undefined],
  ['*/*;q=0', undefined],
  ['application/json;q=nonsense', undefined],
  ['nonsense', undefined],
])('Accept: %s prefers, of JSON and Markdown, %s', (accept, type) => {
  expect(preferredType(accept, JSON_AND_MARKDOWN)).toBe(type)
})

test.each(['application/atom+xml', 'application/xml', 'text/xml;q=0.2', 'application/*', '*/*;q=0.1'])(
  'Accept: %s accepts an Atom feed',
  (accept) => {
    expect(preferredType(accept, ['application/atom+xml'])).toBe('application/atom+xml')
  },
)

test.each([
  // RFC 9110 §12.5.3: a missing field states no preference, so identity is safest; an empty field asks for identity.
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['br', 'br'],
  ['gzip, deflate, br, zstd', 'br'],
  ['GZIP;q=1.0, br;q=0.9', 'gzip'],
  ['br;q=0, gzip', 'gzip'],
  ['*', 'br'],
  ['*, br;q=0', 'gzip'],
  ['gzip;q=0.5, identity', 'identity'],
  ['gzip;q=0.001', 'gzip'],
  ['deflate, zstd', 'identity'],
  ['gzip;q=0', 'identity'],
  ['identity;q=0', undefined],
  ['*;q=0', undefined],
  ['deflate, identity;q=0', undefined],
  ['identity;q=0, gzip', 'gzip'],
  ['*;q=0, gzip', 'gzip'],
  ['*;q=0, identity', 'identity'],
])('Accept-Encoding: %s selects %s', (acceptEncoding, coding) => {
  expect(preferredCoding(acceptEncoding, { small: false })).toBe(coding)
})

test('a small body is compressed only if identity is refused', () => {
  expect(preferredCoding('gzip, br', { small: true })).toBe('identity')
  expect(preferredCoding('gzip, identity;q=0', { small: true })).toBe('gzip')
  expect(preferredCoding('identity;q=0', { small: true })).toBeUndefined()
})

describe('Accept-Language', () => {
  test.each([
    [undefined, []],
    ['', []],
    ['pt-BR', ['pt-BR']],
    ['ca, es;q=0.8, pt-br;q=0.9, *;q=0.1', ['ca', 'pt-BR', 'es']],
    ['zh-Hant-TW, es-419', ['zh-TW', 'es-419']],
    // Refused, invalid, and of three letters.
    ['fr;q=0, de;q=x, ast, it', ['it']],
    ['aa,bb,cc,dd,ee,ff', ['aa', 'bb', 'cc', 'dd', 'ee']],
    ['x'.repeat(10_000), []],
  ])('%j prefers %j', (header, expected) => {
    expect(preferredLanguages(header)).toEqual(expected)
  })
})
