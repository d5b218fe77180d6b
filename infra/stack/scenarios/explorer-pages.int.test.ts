import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { LANGUAGES } from '@catalog/explorer/languages/language.ts'
import { prefixesFor } from '@catalog/explorer/routes/sitemap.ts'
import { publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import type { Store } from '@catalog/store/db.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const clock = testClock()
const store = await storeOfFile()
let api: Api

const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }
const BOARD = testId('ci_', 'board')
const HOSTILE = testId('ci_', 'hostile')
const EUR = (cents: number) => ({ cents, currency: 'EUR', recorded_at: '2026-11-20T12:00:00.000Z' })

beforeAll(async () => {
  await store.query(`insert into categories values ('cat_dry', null, 'Dry lining', 0)`)
  await publish(store, {
    id: BOARD,
    name: 'Placa de yeso 13 mm',
    unit: 'm²',
    category_id: 'cat_dry',
    median_price: EUR(471),
    regions: ['ES', 'EU'],
    markets: { ES: EUR(471), EU: EUR(480), 'ES-AN': EUR(455) },
  })
  await publish(store, { id: HOSTILE, name: `<script>alert(1)</script> "x" onload='y' </title>`, regions: ['ES'] })
  api = testApi(store, clock, { explorer: openExplorer })
  await api.ready()
})
afterAll(() => api.close())

const get = (url: string, headers: Record<string, string> = {}) =>
  api.inject({ url, headers: { ...BROWSER, ...headers } })

describe('the root', () => {
  test('shows the start page to browsers and addresses to programs', async () => {
    const page = await get('/')
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8')
    expect(page.body).toContain('Placa de yeso 13 mm')
    const list = await api.inject('/')
    expect(list.json()).toHaveProperty('openapi')
    expect(list.headers.vary).toContain('Accept')
  })
})

test('a subdivision is a market of items and lists, and of no other page', async () => {
  const item = await api.inject(`/v1/items/${BOARD}?price_region=es-an`)
  expect(item.json().item.median_price).toEqual(EUR(455))
  for (const query of ['region=ES-AN', 'region=ES-AN&sort=name', 'region=ES-AN&unit=m2&price_region=ES-AN']) {
    const list = await api.inject(`/v1/items?${query}`)
    expect(list.json().items.map(({ id }: { id: string }) => id)).toEqual([BOARD])
  }
  const none = await api.inject('/v1/items?region=ES-GA')
  expect([none.statusCode, none.json().items]).toEqual([200, []])
  const unknown = await api.inject('/v1/items?price_region=ES-XX')
  expect([unknown.statusCode, unknown.json().details]).toEqual([
    400,
    expect.stringContaining('price_region: expected ES, or a subdivision of it: ES-AN, ES-AR'),
  ])
  const page = await get(`/items/${BOARD}?price_region=ES-AN`)
  expect(page.statusCode).toBe(200)
  expect(page.body).toContain('Andalucía (ES-AN)')
  expect(page.body).toContain('4.55')
  const search = await get('/search?q=placa&price_region=ES-AN')
  expect(search.body).toContain('<option value="ES" selected>')
})

test('a path that nothing serves is a page for browsers, and JSON for programs', async () => {
  const page = await get('/nowhere?lang=es')
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.body).toContain('<html lang="es">')
  expect((await api.inject('/nowhere')).json().error).toBe('not_found')
  expect((await get('/v1/itemz')).headers['content-type']).toMatch(/^application\/json/)
})

describe('the page of an item', () => {
  test('shows the price of the market that the address or the browser names, as people there write it', async () => {
    const asked = await get(`/items/${BOARD}?price_region=ES&lang=de`)
    expect(asked.body).toContain('<html lang="de">')
    expect(asked.body).toMatch(/<strong>4,71\s€<\/strong>/)
    const browsers = await get(`/items/${BOARD}`, { 'accept-language': 'es-ES,es;q=0.9' })
    expect(browsers.body).toContain('<option value="ES" selected>')
    const headline = await get(`/items/${BOARD}?price_region=`, { 'accept-language': 'es-ES' })
    expect(headline.body).not.toContain('<option value="ES" selected>')
  })

  test('says what it is to search engines, and where its data is', async () => {
    const { body } = await get(`/items/${BOARD}?price_region=ES`)
    const [, text] = /<script type="application\/ld\+json">(.*?)<\/script>/s.exec(body) ?? []
    expect(JSON.parse(text as string)).toMatchObject({ '@type': 'Product', sku: BOARD })
    expect(body).toContain(`curl 'https://catalog.example.org/v1/items/${BOARD}?price_region&#61;ES'`)
    for (const language of LANGUAGES) expect(body).toContain(`hreflang="${language}"`)
  })

  test('answers 404 in the language of the reader for an id of no item', async () => {
    const page = await get('/items/ci_none?lang=en')
    expect(page.statusCode).toBe(404)
    expect(page.body).toContain('No item has this id.')
  })

  test('shows names of vendors as text, whatever they hold', async () => {
    for (const path of [`/items/${HOSTILE}`, '/', `/search?q=${encodeURIComponent('<script>alert(1)')}`, '/changes']) {
      const { body } = await get(path)
      expect(body).not.toContain('<script>alert')
      // JSON-LD is text to browsers.
      expect(body.replace(/<script type="application\/ld\+json">.*?<\/script>/s, '')).not.toMatch(/ onload='/)
    }
  })
})

describe('every page', () => {
  const PATHS = [
    '/',
    `/items/${BOARD}`,
    '/search?q=placa',
    '/search',
    '/categories',
    '/categories/cat_dry',
    '/changes',
    '/compare',
    `/compare?items=${BOARD}&markets=ES,EU`,
    '/sources',
  ]

  test.each(PATHS)('%s forbids scripts and styles of others, and has none inline', async (path) => {
    const page = await get(path)
    expect(page.statusCode).toBe(200)
    expect(page.headers['content-security-policy']).toMatch(/default-src 'none'; style-src 'self'; script-src 'self'/)
    expect(page.body.replace(/<script type="application\/ld\+json">/g, '')).not.toMatch(
      /<script(?! src="\/assets\/)|<style|\son\w+="|style="/,
    )
  })

  test.each(PATHS.filter((path) => !/^\/(search|compare)?$/.test(path)))(
    '%s has its data as JSON, CSV and Markdown',
    async (path) => {
      const [bare, query] = path.split('?')
      const at = (form: string) => get(`${bare}.${form}${query === undefined ? '' : `?${query}`}`)
      const [json, csv, md] = [await at('json'), await at('csv'), await at('md')]
      expect([json.statusCode, csv.statusCode, md.statusCode]).toEqual([200, 200, 200])
      expect(json.headers['content-type']).toMatch(/^application\/json/)
      expect(csv.headers['content-type']).toBe('text/csv; charset=utf-8')
      expect(md.body).toMatch(/^# .+\n\nFrom <https:\/\/catalog\.example\.org\//)
      if (bare?.startsWith('/items/')) {
        expect(json.json().item.id).toBe(BOARD)
        expect(json.body).toBe((await api.inject(`/v1/items/${BOARD}`)).body)
      }
    },
  )

  test('a CSV has amounts in both units, and no formula', async () => {
    const { body, headers } = await get(`/search.csv?q=placa&price_region=ES`)
    expect(headers['content-disposition']).toBe('attachment; filename="search.csv"')
    expect(body).toMatch(/^\ufeffid,name,unit,price,price_cents,currency,/)
    expect(body).toContain(`${BOARD},Placa de yeso 13 mm,m²,4.71,471,EUR,`)
    expect((await get('/bill.csv')).statusCode).toBe(404)
  })

  test('links only to addresses that answer', async () => {
    const seen = new Set<string>()
    for (const path of PATHS) {
      const { body } = await get(path)
      for (const [, link = ''] of body.matchAll(/(?:href|src|action)="(\/(?:[^"#]|(?<=&)#)*)/g)) {
        seen.add(link.replaceAll('&#61;', '=').replaceAll('&amp;', '&'))
      }
    }
    // The console is another service, which this test does not start; a form's own path needs its fields.
    const checked = [...seen].filter((link) => !/^\/(console|docs|plans)/.test(link))
    expect(checked.length).toBeGreaterThan(20)
    for (const link of checked) expect([link, (await get(link)).statusCode]).toEqual([link, 200])
  })

  test('costs nothing again while it is unchanged', async () => {
    const first = await get('/categories')
    const again = await get('/categories', { 'if-none-match': first.headers.etag as string })
    expect(again.statusCode).toBe(304)
  })

  test('counts as one request, and says when to come back at the limit', async () => {
    const narrow = testApi(store, clock, { explorer: openExplorer, limits: { ...LIMITS, anonPerMinute: 3 } })
    const statuses: number[] = []
    for (let i = 0; i < 4; i++) {
      const page = await narrow.inject({
        url: `/items/${BOARD}?lang=en`,
        headers: BROWSER,
        remoteAddress: '192.0.2.77',
      })
      statuses.push(page.statusCode)
      if (page.statusCode !== 429) continue
      expect(page.body).toMatch(/Come back in \d+ seconds/)
      expect(page.body).toContain(`<meta http-equiv="refresh" content="${page.headers['retry-after']}">`)
    }
    await narrow.close()
    expect(statuses).toEqual([200, 200, 200, 429])
  })

  test('is not counted again for what it reads, and no header can claim that', async () => {
    const narrow = testApi(store, clock, { explorer: openExplorer, limits: { ...LIMITS, anonPerMinute: 1 } })
    const from = { remoteAddress: '192.0.2.78' }
    expect((await narrow.inject({ url: '/', headers: BROWSER, ...from })).statusCode).toBe(200)
    const next = await narrow.inject({ url: '/v1/items', headers: { 'x-in-process': 'true' }, ...from })
    await narrow.close()
    expect(next.statusCode).toBe(429)
  })
})

test('the page of a source has an id of the operator, the terms of its prices, and no markup of theirs', async () => {
  await store.query(`insert into sources (source_id, name) values ('it-list.2026', 'Regional list')`)
  await store.query(`insert into decisions values (90, 'SourceLicensed', 'it-list.2026', '2026-11-20T12:00:00Z', $1)`, [
    JSON.stringify({
      licence: {
        name: '<b>CC-BY-4.0',
        terms: null,
        url: 'https://list.example/terms',
        redistribution: 'yes',
        commercial_use: 'unknown',
        attribution: 'Region <i>of',
        checked_on: '2026-11-01',
      },
    }),
  ])
  const { statusCode, body } = await get('/sources/it-list.2026?lang=en')
  expect(statusCode).toBe(200)
  expect(body).toMatch(/href="https:\/\/list\.example\/terms"[^>]*>&#60;b&#62;CC-BY-4\.0/)
  expect(body).toContain('passing on: yes; commercial use: not stated; terms read on 2026-11-01')
  expect(body).toContain('Region &#60;i&#62;of')
})

test('a comparison has five lines at most, each once, however long its address is', async () => {
  const twice = await get(`/compare?items=${BOARD}&markets=ES,ES,EU,${'ES,'.repeat(500)}`)
  expect(twice.body.match(/<tr role="row">/g)).toHaveLength(3)
  const many = Array.from({ length: 900 }, (_, i) => `ci_x${i}`)
  const { statusCode, body } = await get(`/compare?items=${many}&lang=en`)
  expect(statusCode).toBe(200)
  expect(body.match(/no item has this id/g)).toHaveLength(5)
})

test.each(['/items/ci_a%2e%2e', '/items/a.b', '/categories/tree', '/categories/cat_dry.bc3', '/sources/%2e'])(
  '%s is no page, though the API has something there',
  async (path) => {
    const page = await get(path)
    expect(page.statusCode).toBe(404)
    expect(page.headers['content-type']).toMatch(/^(text\/html|application\/json)/)
  },
)

test('a page whose path begins with two slashes leads to no other host', async () => {
  const { body } = await get('/items/..\\\\evil.example?lang=en')
  expect(body).not.toMatch(/href="\/\//)
})

test.each(['//[', '//a:b', '///[', '//"><b>'])('%s is a path that nothing serves', async (path) => {
  const page = await get(`${path}?lang=en`)
  expect([page.statusCode, page.headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(page.body).not.toMatch(/"><b>|href="\/\//)
})

test('an item is shown without its evidence while the store is away', async () => {
  const failing = Object.assign(new Error('gone'), { code: 'ECONNREFUSED' })
  const isBasis = (sql: string) => sql.includes('vendor_sku_ids, run_id, as_of from survivor')
  const away = {
    ...store,
    query: async (sql: string, ...more: never[]) => {
      if (isBasis(sql)) throw failing
      return await (store.query as (sql: string, ...more: never[]) => Promise<never[]>)(sql, ...more)
    },
  } as Store
  const apart = testApi(away, clock, { explorer: openExplorer })
  const { statusCode, body } = await apart.inject({ url: `/items/${BOARD}?price_region=ES&lang=en`, headers: BROWSER })
  await apart.close()
  expect([statusCode, body.includes('€4.71')]).toEqual([200, true])
  expect(body).toContain('The evidence of this price is not available')
  expect(body).not.toMatch(/0 votes|Nothing was left out|No observation is eligible/)
})

test('suggestions are links with prices, and nothing for one letter', async () => {
  const { body } = await get('/search/suggestions?q=placa&price_region=ES')
  expect(body).toMatch(/<ul class="suggestions"><li><a href="\/items\/ci_/)
  expect((await get('/search/suggestions?q=p')).body).toBe('')
})

describe('for search engines', () => {
  const addressesIn = (xml: string) => [...xml.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address]) => address as string)
  const paths = async (path: string) => {
    const { statusCode, headers, body } = await get(path)
    expect([path, statusCode, headers['content-type']]).toEqual([path, 200, 'application/xml; charset=utf-8'])
    return addressesIn(body).map((address) => address.replace('https://catalog.example.org', ''))
  }

  test('robots.txt names the sitemap, whose lists name each page once', async () => {
    const { body } = await get('/robots.txt')
    const sitemap = /^Sitemap: https:\/\/catalog\.example\.org(.*)$/m.exec(body)?.[1] as string
    const lists = await paths(sitemap)
    const pages = (await Promise.all(lists.map(paths))).flat()
    expect(pages).toEqual([...new Set(pages)])
    expect(pages.filter((path) => path.startsWith('/items/')).toSorted()).toEqual(
      [`/items/${BOARD}`, `/items/${HOSTILE}`].toSorted(),
    )
    expect(pages).toContain('/categories/cat_dry')
    for (const path of pages) expect([path, (await get(path)).statusCode]).toEqual([path, 200])
  })

  test('an item has the instant of its last change', async () => {
    const { body } = await get(`/sitemaps/items-${BOARD.slice(3, 4)}.xml`)
    expect(body).toContain(`/items/${BOARD}</loc><lastmod>2026-11-20T12:00:00Z</lastmod>`)
  })

  test.each(['/sitemaps/items-.xml', '/sitemaps/items-A.xml', '/sitemaps/items-abcdef.xml', '/sitemaps/x'])(
    '%s is no list',
    async (path) => {
      expect((await get(path)).statusCode).toBe(404)
    },
  )

  test('a list stays short as the catalog grows, and no item is in two', () => {
    expect(prefixesFor(0)).toHaveLength(32)
    expect(prefixesFor(160_000)).toHaveLength(32)
    const many = prefixesFor(5_000_000)
    expect(many).toHaveLength(1_024)
    expect(new Set(many).size).toBe(1_024)
  })
})
