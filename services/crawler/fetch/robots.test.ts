import { describe, expect, test } from 'vitest'
import { ROBOTS_BYTES_MAX, readRobots, robotsText } from './robots.ts'

const ORIGIN = 'https://shop.example'
const read = (...lines: string[]) =>
  readRobots(lines.join('\n'), { origin: ORIGIN, product: 'construction-cost-catalog' })
const isAllowed = (lines: readonly string[], path: string) => read(...lines).isAllowed(new URL(path, ORIGIN))

describe('the group for this crawler', () => {
  test.each<[string, string[], boolean]>([
    ['is that of all where none is ours', ['User-agent: *', 'Disallow: /a', 'User-agent: other', 'Allow: /'], false],
    ['is not one that only begins as ours', ['User-agent: construction', 'Disallow: /a'], true],
    [
      'is joined of its parts',
      [
        'User-agent: construction-cost-catalog',
        'Disallow: /b',
        'User-agent: other',
        'Allow: /a',
        'User-agent: construction-cost-catalog',
        'Disallow: /a',
      ],
      false,
    ],
    [
      'is not ended by an empty line or a comment',
      ['User-agent: construction-cost-catalog', '', '# ours', 'Disallow: /a'],
      false,
    ],
    ['needs a name before its rules', ['Disallow: /a', 'User-agent: other', 'Disallow: /'], true],
  ])('%s', (_name, lines, expected) => {
    expect(isAllowed(lines, '/a')).toBe(expected)
  })
})

describe('a rule', () => {
  test.each<[string, string[], string, boolean]>([
    [
      'has the say when it is the longest, wherever it stands',
      ['Allow: /shop/a', 'Disallow: /shop/a/b', 'Allow: /shop'],
      '/shop/a/b',
      false,
    ],
    ['matches from the beginning', ['Disallow: /cart'], '/my/cart', true],
    ['knows upper from lower case', ['Disallow: /Cart'], '/cart', true],
    ['has stars', ['Disallow: /*/cart/*.php'], '/en/cart/add.php', false],
    ['has stars in a row', ['Disallow: /**cart'], '/en/cart', false],
    ['ends at its $', ['Disallow: /*.pdf$'], '/a.pdf?x=1', true],
    ['takes a $ within for a letter', ['Disallow: /a$b'], '/a$b', false],
    ['takes a $ within for a letter of the address only', ['Disallow: /a$b'], '/a', true],
    ['finds %24 in an address with $', ['Disallow: /a%24'], '/a$', false],
    ['finds %2A in an address with *', ['Disallow: /file-with-a-%2A.html'], '/file-with-a-*.html', false],
    ['is not evaded by an address with %62', ['Disallow: /foo/bar/baz'], '/foo/bar/%62az', false],
    ['reads %aa as %AA', ['Disallow: /%e3%83%84'], '/%E3%83%84', false],
    ['reads letters as their octets', ['Disallow: /foo/bar/ツ'], '/foo/bar/%E3%83%84', false],
    ['reads brackets as their octets', ['Disallow: /a[1]'], '/a[1]', false],
    ['keeps %2F apart from /', ['Disallow: /a%2Fb'], '/a/b', true],
    [
      'reads an encoded address in the query',
      ['Disallow: /foo/bar?baz=https%3A%2F%2Ffoo.bar'],
      '/foo/bar?baz=https://foo.bar',
      false,
    ],
    [
      'reads a plain address in the query',
      ['Disallow: /foo/bar?baz=https://foo.bar'],
      '/foo/bar?baz=https%3A%2F%2Ffoo.bar',
      false,
    ],
    ['is cut at its comment', ['Disallow: /a # not /a/b'], '/a/b', false],
    ['never forbids robots.txt', ['Disallow: /'], '/robots.txt', true],
    ['that is broken by a percent sign is one nevertheless', ['Disallow: /100%'], '/100%', false],
  ])('%s', (_name, rules, path, expected) => {
    expect(isAllowed(['User-agent: *', ...rules], path)).toBe(expected)
  })

  test('is read after any line end and a byte order mark', () => {
    for (const end of ['\n', '\r\n', '\r']) {
      const text = robotsText(new TextEncoder().encode(['\ufeffUser-agent: *', 'Disallow: /a'].join(end)))
      expect(isAllowed([text], '/a')).toBe(false)
    }
  })
})

describe('a robots.txt', () => {
  test("has a crawl-delay, in the crawler's group or for all", () => {
    expect(read('User-agent: *', 'Crawl-delay: 2.5').crawlDelayMs).toBe(2_500)
    expect(read('User-agent: *', 'Crawl-delay: 2', 'User-agent: other', 'Disallow: /').crawlDelayMs).toBe(2_000)
    expect(
      read('User-agent: *', 'Disallow: /a', 'Crawl-delay: 2', 'User-agent: other', 'Disallow: /').crawlDelayMs,
    ).toBe(2_000)
    expect(read('User-agent: *', 'Disallow:', 'User-agent: other', 'Disallow:', 'Crawl-delay: 2').crawlDelayMs).toBe(0)
    expect(read('User-agent: *', 'Crawl-delay: soon').crawlDelayMs).toBe(0)
    expect(read('User-agent: *', 'Crawl-delay: -1').crawlDelayMs).toBe(0)
  })

  test('names sitemaps anywhere', () => {
    const { sitemaps } = read('Sitemap: https://shop.example/s.xml', 'User-agent: *', 'Disallow: /', 'sitemap: /t.xml')
    expect(sitemaps).toEqual(['https://shop.example/s.xml', '/t.xml'])
  })

  test('is read to its limit, without the line that it cuts', () => {
    const rules = 'User-agent: *\nDisallow: /a\n'
    const limit = 'Disallow: /private-pages\n'
    const filler = `#${'x'.repeat(ROBOTS_BYTES_MAX - rules.length - 'Disallow: /priv'.length - 2)}\n`
    const text = robotsText(new TextEncoder().encode(rules + filler + limit))
    expect(text).toBe(rules + filler)
    expect(isAllowed([text], '/a')).toBe(false)
  })

  test('of another origin throws', () => {
    expect(() => read('').isAllowed(new URL('http://shop.example/'))).toThrow('robots.txt of https://shop.example')
  })
})
