import { inPieces } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { readSitemap, SITEMAP_BYTES_MAX, SITEMAP_URLS_MAX, type SitemapFound } from './sitemap.ts'

const read = async (text: string, { url, length = 11 }: { url?: string; length?: number } = {}) => {
  const found: SitemapFound[] = []
  for await (const batch of readSitemap(inPieces('sitemap.xml', Buffer.from(text), length), { url }))
    found.push(...batch)
  return found
}
const urlset = (inner: string) =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${inner}</urlset>`
const entry = (loc: string, lastmod = '') => `<url><loc>${loc}</loc>${lastmod && `<lastmod>${lastmod}</lastmod>`}</url>`
const told = (found: readonly SitemapFound[]) => found.map((one) => ('reason' in one ? one.reason : one.url))

describe('a sitemap', () => {
  test('lists pages and the dates of their changes', async () => {
    const image = '<image:image><image:loc>https://shop.example/a.jpg</image:loc></image:image>'
    const found = await read(
      urlset(
        `<url>${image}<loc>\n https://shop.example/a?x=1&amp;y=2 </loc><lastmod>2026-11-20T10:00:00+02:00</lastmod>` +
          `<changefreq>daily</changefreq></url>${entry('https://shop.example/b')}`,
      ),
    )
    expect(found).toEqual([
      {
        kind: 'url',
        position: 'sitemap.xml entry 1',
        url: 'https://shop.example/a?x=1&y=2',
        lastmod: '2026-11-20T08:00:00.000Z',
      },
      { kind: 'url', position: 'sitemap.xml entry 2', url: 'https://shop.example/b', lastmod: null },
    ])
  })

  test('of sitemaps is an index', async () => {
    const index =
      '<s:sitemapindex xmlns:s="http://www.sitemaps.org/schemas/sitemap/0.9"><s:sitemap>' +
      '<s:loc>https://shop.example/products.xml.gz</s:loc><s:lastmod>2026-11-20</s:lastmod></s:sitemap></s:sitemapindex>'
    expect(await read(index)).toEqual([
      {
        kind: 'sitemap',
        position: 'sitemap.xml entry 1',
        url: 'https://shop.example/products.xml.gz',
        lastmod: '2026-11-20T23:59:59.999Z',
      },
    ])
  })

  test.each([
    ['2026', '2026-12-31T23:59:59.999Z'],
    ['2024-02', '2024-02-29T23:59:59.999Z'],
    ['2026-12-31', '2026-12-31T23:59:59.999Z'],
    ['2026-11-20T10:00Z', '2026-11-20T10:00:59.000Z'],
    ['2026-11-20T10:00:00.25Z', '2026-11-20T10:00:00.250Z'],
    ['2026-11-20T10:00:00', '2026-11-20T22:00:00.000Z'],
    ['2026-02-30', null],
    ['2026-13-01', null],
    ['yesterday', null],
    ['', null],
  ])('dates a change by the last instant that it allows: %j', async (lastmod, expected) => {
    expect(await read(urlset(entry('https://shop.example/a', lastmod)))).toMatchObject([{ lastmod: expected }])
  })

  test('refuses pages of other hosts or schemes, and texts that are no address', async () => {
    const locs = [
      'https://shop.example/a',
      'https://other.example/a',
      'http://shop.example/a',
      '/a',
      '',
      'mailto:a@b.c',
    ]
    const found = await read(urlset(locs.map((loc) => entry(loc)).join('')), {
      url: 'https://shop.example/sitemap.xml',
    })
    expect(told(found)).toEqual([
      'https://shop.example/a',
      'OTHER_HOST',
      'OTHER_SCHEME',
      'BAD_URL',
      'BAD_URL',
      'BAD_URL',
    ])
    expect(found[1]).toMatchObject({
      position: 'sitemap.xml entry 2',
      detail: "'https://other.example/a': expected one of shop.example",
    })
  })

  test.each([
    ['https://shop.example/sitemap.xml', 'https://www.shop.example/a'],
    ['https://www.shop.example/sitemap.xml', 'https://shop.example/a'],
  ])('takes pages of the www twin of its host: %s names %s', async (url, page) => {
    expect(told(await read(urlset(entry(page)), { url }))).toEqual([page])
    expect(told(await read(urlset(entry('https://www2.shop.example/a')), { url }))).toEqual(['OTHER_HOST'])
  })

  test('may be the robots.txt that names sitemaps', async () => {
    const robots = [
      '# our rules',
      'User-agent: *',
      'Disallow: /cart',
      'Sitemap: https://shop.example/one.xml',
      'sitemap:https://other.example/two.xml',
      'SITEMAP: /three.xml',
    ]
    const found = await read(robots.join('\r\n'), { url: 'https://shop.example/robots.txt' })
    expect(told(found)).toEqual(['https://shop.example/one.xml', 'OTHER_HOST', 'BAD_URL'])
    expect(found[0]).toMatchObject({ kind: 'sitemap', position: 'sitemap.xml line 4', lastmod: null })
  })

  test('may be a plain list of addresses', async () => {
    const found = await read('\ufeffhttps://shop.example/a\r\n\r\nhttps://shop.example/b\r\nnonsense\r\n')
    expect(told(found)).toEqual(['https://shop.example/a', 'https://shop.example/b', 'BAD_URL'])
    expect(found[1]).toMatchObject({ kind: 'url', position: 'sitemap.xml line 3', lastmod: null })
  })

  test.each([
    '<!doctype html><html><body><p>Not found</body></html>',
    '<rss><channel></channel></rss>',
    'Not found',
    '',
  ])('refuses another document: %j', async (text) => {
    expect(await read(text)).toMatchObject([{ reason: 'NOT_A_SITEMAP', endsFile: true }])
  })

  test('that is truncated gives the entries before', async () => {
    const whole = urlset(entry('https://shop.example/a') + entry('https://shop.example/b'))
    const found = await read(whole.slice(0, -20))
    expect(found[0]).toMatchObject({ url: 'https://shop.example/a' })
    expect(found.at(-1)).toMatchObject({ reason: 'UNEXPECTED_END', endsFile: true })
  })

  test("ends at the protocol's limit of addresses", async () => {
    const entries = entry('https://shop.example/a').repeat(SITEMAP_URLS_MAX + 1)
    const found = await read(urlset(entries), { length: 65_536 })
    expect(found).toHaveLength(SITEMAP_URLS_MAX + 1)
    expect(found.at(-1)).toMatchObject({ reason: 'TOO_MANY_URLS', endsFile: true })
    const list = await read('https://shop.example/a\n'.repeat(SITEMAP_URLS_MAX), { length: 65_536 })
    expect(new Set(told(list))).toEqual(new Set(['https://shop.example/a']))
    expect(list).toHaveLength(SITEMAP_URLS_MAX)
  })

  const long = `https://shop.example/${'b'.repeat(1_900)}`
  test.each([
    ['markup', urlset('').replace('</urlset>', entry('https://shop.example/a')), ' '.repeat(1 << 20)],
    // The limit splits an address, and half an address is another address.
    ['text', 'https://shop.example/a\n', `${long}\n`.repeat(500)],
  ])("ends at the protocol's limit of bytes: %s", async (_form, head, filler) => {
    const source = {
      ...inPieces('sitemap.xml', Buffer.alloc(0), 1),
      async *open() {
        yield Buffer.from(head)
        for (let sent = 0; sent < SITEMAP_BYTES_MAX; sent += filler.length) yield Buffer.from(filler)
      },
    }
    const found: SitemapFound[] = []
    for await (const batch of readSitemap(source)) found.push(...batch)
    const [first, ...others] = new Set(told(found))
    expect(first).toBe('https://shop.example/a')
    expect(others.filter((one) => one !== long)).toEqual(['SITEMAP_TOO_LONG'])
    expect(found.at(-1)).toMatchObject({ endsFile: true })
  })

  test('ignores the boundaries of pieces, and reads any text', async () => {
    const piece = fc.constantFrom(
      '<urlset>',
      '</urlset>',
      '<sitemapindex>',
      '<url>',
      '</url>',
      '<loc>',
      '</loc>',
      'https://a.example/é',
      '\n',
      '<lastmod>2026-11-20',
      '</lastmod>',
      '<',
      '&amp;',
      '<!--',
      ']]>',
      '<![CDATA[',
      '\0',
      '<!DOCTYPE x [',
      '"',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(piece, { maxLength: 30 }), fc.integer({ min: 1, max: 9 }), async (pieces, length) => {
        const whole = await read(pieces.join(''), { length: 10_000 })
        expect(await read(pieces.join(''), { length })).toEqual(whole)
      }),
    )
  })
})
