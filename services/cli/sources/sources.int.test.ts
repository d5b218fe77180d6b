import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerReports } from '@catalog/cli/crawl/crawl-inputs.ts'
import { crawlSources, selectSources, withCrawler } from '@catalog/cli/crawl/source-crawls.ts'
import { openCatalog } from '@catalog/cli/shared/wire.ts'
import { DAY_MS, HOUR_MS } from '@catalog/core/time.ts'
import type { Fetcher } from '@catalog/crawler/fetch/fetcher.ts'
import { readSources } from '@catalog/crawler/sources/sources-reader.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { acceptCrawl, dropCrawl } from '@catalog/operations/held-crawls.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { openShop, type Shop } from '@catalog/stack/shop/shop.ts'
import { listening, printDone } from '@catalog/stack/testing/cli.ts'
import { testDataDir } from '@catalog/stack/testing/store.ts'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addToSources } from './add-source.ts'
import { detectSource, foldersOf, includeOf, pagingOf, productsFirst } from './detect-source.ts'
import type { Answers } from './questions.ts'
import { listSources } from './sources.ts'
import { testSources } from './test-sources.ts'

let shop: Shop
let data: string
let folder: string
let catalog: Catalog
let env: ReturnType<typeof readEnvironment>
beforeAll(async () => {
  shop = await openShop({ products: 30 })
  data = await testDataDir()
  folder = mkdtempSync(join(tmpdir(), 'sources-'))
  env = readEnvironment({
    CATALOG_DATA: data,
    CATALOG_SOURCES: join(folder, 'catalog.sources.yaml'),
    FETCH_ALLOWED_NETWORKS: '127.0.0.0/8',
    LOG_LEVEL: 'silent',
  })
  catalog = await openCatalog(env)
})
afterAll(async () => {
  await catalog?.[Symbol.asyncDispose]()
  await shop?.[Symbol.asyncDispose]()
  for (const each of [data, folder]) rmSync(each, { recursive: true, force: true })
})
beforeEach(() => {
  rmSync(env.CATALOG_SOURCES, { force: true })
  shop.forget()
})

const HEAD = '# who we are\nrequests_per_second: 10\n'
/** Writes the sources file; each source has a name, an entry point and further lines. */
function say(sources: readonly (readonly [name: string, path: string, ...lines: string[]])[]): void {
  const entries = sources.map(([name, path, ...lines]) =>
    [`  - source: ${name}`, '    kind: shop', ...lines.map((line) => `    ${line}`)]
      .join('\n')
      .concat(`\n    entry_points: [ "${shop.url}${path}" ]\n`),
  )
  writeFileSync(env.CATALOG_SOURCES, `${HEAD}sources:${entries.length === 0 ? ' []' : ''}\n${entries.join('')}`)
}
const written = () => readFileSync(env.CATALOG_SOURCES, 'utf8')

// biome-ignore lint/suspicious/noExplicitAny: what a command answers is looked at field by field
type Answered = Readonly<{ value: any; text: string; notes: string; next: string; result: unknown }>
async function answer(work: (context: Parameters<typeof listSources>[0]) => Promise<unknown>): Promise<Answered> {
  const { heard, terminal } = listening()
  const result = await work({ catalog, env, terminal, signal: new AbortController().signal })
  printDone(terminal, result)
  return { value: heard.answers[0], text: heard.text, notes: heard.notes.join('\n'), next: heard.next, result }
}
const list = async () => (await answer(listSources)).value.sources
const crawl = (name: string) =>
  answer(async (context) => {
    const file = await readSources(env)
    const [report] = await crawlSources(context, { specs: selectSources(file, [name]), file })
    context.terminal.answer(report, () => '')
  })
const logEnd = async () => {
  const topics = ['vendor.observations', 'catalog.decisions'] as const
  const parts = await Promise.all(topics.map((topic) => catalog.log.partitions(topic)))
  return parts.flat().map(({ next }) => String(next))
}

describe('the list of sources', () => {
  test('shows when each is due, and its last crawl', async () => {
    say([
      ['Daily', '/merchant.xml', 'schedule: "30 4 * * *"'],
      ['By hand', '/merchant.xml'],
      ['Off', '/merchant.xml', 'schedule: "30 4 * * *"', 'enabled: false'],
    ])
    const before = await answer(listSources)
    expect(before.value.sources).toMatchObject([
      { name: 'Daily', last_crawl: null, last_complete_crawl: null, held_crawl: null },
      { name: 'By hand', schedule: null, next_due: null },
      { name: 'Off', next_due: null },
    ])
    // A source without a crawl is due at once.
    expect(Date.parse(before.value.sources[0].next_due)).toBeLessThanOrEqual(Date.now())
    expect(before.text).toMatch(/^Daily .* now +never +never/m)
    expect(before.text).toMatch(/^By hand .* - +- +never +never/m)

    await crawl('Daily')
    const [daily] = (await answer(listSources)).value.sources
    expect(daily.last_complete_crawl).toMatchObject({
      outcome: 'recorded',
      read: 30,
      parse_rate: 1,
      changed_share: null,
    })
    expect(daily.last_crawl.id).toBe(daily.last_complete_crawl.id)
    expect(daily.next_due).toMatch(/T04:30:00Z$/)
    const hoursLeft = (Date.parse(daily.next_due) - Date.parse(daily.last_crawl.started_at)) / HOUR_MS
    expect(hoursLeft > 0 && hoursLeft <= 24).toBe(true)

    // Two days later it has been due since the first of them.
    const late = { ...catalog, now: () => new Date(Date.now() + 2 * DAY_MS) }
    const { value, text } = await answer((context) => listSources({ ...context, catalog: late }))
    expect(value.sources[0].next_due).toBe(daily.next_due)
    expect(text).toMatch(/^Daily .* now +recorded/m)

    await crawl('Daily')
    // Fetched again with its ETag, the document is unchanged.
    expect((await list())[0]).toMatchObject({ last_crawl: { outcome: 'unchanged' }, last_complete_crawl: { read: 30 } })
  })

  test('shows a trust that differs from the catalog, and the command that changes it', async () => {
    say([['Trusted', '/merchant.xml', 'trust: 40']])
    // Nothing is registered yet, so nothing differs.
    expect((await list())[0].differences).toEqual([])
    await crawl('Trusted')
    expect((await list())[0].differences).toEqual([])
    say([['Trusted', '/merchant.xml', 'trust: 70', 'validity_days: 9']])
    const { value, text } = await answer(listSources)
    const [{ source_id: id, differences }] = value.sources
    const command = `catalog trust ${id} 70 --reason "..."`
    expect(differences).toEqual([
      { key: 'trust', file: 70, catalog: 40, command },
      { key: 'validity_days', file: 9, catalog: 30, command: null },
    ])
    expect(text).toContain(`\nTrusted: trust is 40 in the catalog and 70 in the file; to change it: ${command}`)
  })

  test('shows a problem of the last crawl on its own line', async () => {
    say([['Gone', '/nothing']])
    await crawl('Gone')
    const { value, text } = await answer(listSources)
    expect(value.sources[0]).toMatchObject({ last_crawl: { outcome: 'failed' }, last_complete_crawl: null })
    expect(text).toContain(`\nGone: GONE: ${shop.url}/nothing: status 404, expected 200`)
  })

  test('without a file shows the sources that the catalog knows, and how to begin a file', async () => {
    say([['Feed', '/merchant.xml']])
    await crawl('Feed')
    rmSync(env.CATALOG_SOURCES)
    const { value, text, next } = await answer(listSources)
    expect(value.sources).toContainEqual(
      expect.objectContaining({
        name: 'Feed',
        kind: 'shop',
        last_crawl: expect.objectContaining({ outcome: 'recorded' }),
      }),
    )
    expect(text).toContain('catalog.sources.yaml is missing')
    expect(next).toBe('catalog sources add URL begins a sources file')
  })
})

describe('a test of sources', () => {
  test('shows what a crawl would record and park, and appends nothing', async () => {
    say([
      ['Feed', '/merchant.xml'],
      ['Api', '/api/products'],
      ['Gone', '/nothing'],
    ])
    const before = await logEnd()
    const { value, text, result } = await answer((context) => testSources(context, []))
    expect(result).toBe(false)
    const [feed, api, gone] = value.sources
    expect(feed.observations.map(({ vendor_ref }: { vendor_ref: string }) => vendor_ref)).toEqual([
      'S-0001',
      'S-0002',
      'S-0003',
    ])
    expect(feed.documents).toEqual([
      { name: `${shop.url}/merchant.xml`, content_type: 'application/xml', bytes: expect.any(Number) },
    ])
    expect(api).toMatchObject({ observations: [], parked: [{ reason: 'NO_COLUMN' }] })
    expect(gone).toMatchObject({ documents: [], problems: [{ code: 'GONE' }] })
    expect(text).toMatch(/S-0001 +Plasterboard 12.5 mm no. 1 +3.37 EUR/)
    expect(await logEnd()).toEqual(before)
  })

  test('shows what each selector finds on a page', async () => {
    say([['Text', '/new/products/1.html', 'selectors: { price: .p, name: h1, unit: .unit, brand: "h1@title" }']])
    const { value, text } = await answer((context) => testSources(context, []))
    expect(value.sources[0].detected[0].selectors).toEqual({
      price: { elements: 1, texts: ['3,37 EUR'] },
      name: { elements: 1, texts: ['Plasterboard 12.5 mm no. 1'] },
      unit: { elements: 0, texts: [] },
      brand: { elements: 1, texts: [] },
    })
    expect(text).toContain("  selector price: 1 element, '3,37 EUR'\n")
    expect(text).toContain('  selector unit: nothing found\n')
    expect(text).toContain('  selector brand: 1 element, no text\n')
    expect(text).toMatch(/\/new\/products\/1.html +Plasterboard 12.5 mm no. 1 +3.37 EUR/)
  })

  test('counts all records, not only those shown, and proposes no crawl of nothing', async () => {
    const rows = Array.from({ length: 20 }, (_, n) => `S${n};Brick ${n};${n < 2 ? '1.50' : 'POA'}`)
    const put = (path: string, body: string, contentType: string) => shop.pages.put(path, { body, contentType })
    put('/mostly-parked.csv', ['sku;name;price', ...rows].join('\n'), 'text/csv')
    put('/all-parked.csv', ['sku;name;price', ...rows.slice(2)].join('\n'), 'text/csv')
    put('/empty.json', '{"products":[]}', 'application/json')
    const test = () => answer((context) => testSources(context, []))
    say([
      ['Nothing', '/all-parked.csv', 'currency: EUR'],
      ['Empty', '/empty.json'],
    ])
    const nothing = await test()
    expect(nothing.next).toBe(`correct ${env.CATALOG_SOURCES}, then catalog sources test`)
    expect(nothing.text).toContain('\n18 records read, nothing would be recorded, 18 parked: BAD_PRICE 18\n')
    expect(nothing.text).toContain('nothing would be recorded: the documents have no records, such as an empty list')
    say([
      ['Mostly', '/mostly-parked.csv', 'currency: EUR'],
      ['Empty', '/empty.json'],
    ])
    const { value, text, next } = await test()
    const totals = { records: 20, recorded: 2, parked: { BAD_PRICE: 18 }, is_whole: true }
    expect(value.sources[0]).toMatchObject({ totals })
    expect(text).toContain('\n20 records read, 2 would be recorded, 18 parked: BAD_PRICE 18\n')
    expect(next).toBe(`catalog crawl --source ${value.sources[0].source_id}`)
  })

  test('tests a disabled source only by name', async () => {
    say([
      ['Feed', '/merchant.xml'],
      ['Off', '/nothing', 'enabled: false'],
    ])
    const test = (...names: string[]) => answer((context) => testSources(context, names))
    expect((await test()).value.sources).toMatchObject([{ name: 'Feed' }])
    expect(shop.visits.map(({ path }) => path)).not.toContain('/nothing')
    expect((await test('off')).value.sources).toMatchObject([{ name: 'Off' }])
  })

  test('tests only the named sources', async () => {
    say([
      ['Feed', '/merchant.xml'],
      ['Gone', '/nothing'],
    ])
    const { value, result } = await answer((context) => testSources(context, ['feed']))
    expect([result, value.sources.length]).toEqual([true, 1])
    expect(shop.visits.map(({ path }) => path)).toEqual(['/robots.txt', '/merchant.xml'])
  })
})

const add = (path: string, flags: Answers & { yes?: boolean } = {}, typed: Record<string, string> | null = null) => {
  const asked: string[] = []
  const left = { ...typed }
  const prompt = async (question: string) => {
    asked.push(question)
    const key = Object.keys(left).find((key) => question.trimStart().startsWith(key) || question.includes(`\n${key}`))
    if (key === undefined) return ''
    const [first, ...others] = (left[key] as string).split('\n')
    left[key] = others.join('\n')
    return first ?? ''
  }
  return answer((context) =>
    addToSources(context, { url: shop.url + path, flags, prompt: typed === null ? null : prompt }),
  ).then((promptUntilValid) => ({ ...promptUntilValid, asked }))
}

describe('adding a source', () => {
  test.each([
    ['/merchant.xml', 'a document of application/xml', (url: string) => url],
    ['/sitemap.xml', 'an index of 2 sitemaps', (url: string) => ({ sitemap: url, include: ['/products/**'] })],
    ['/sitemaps/2.xml', 'a sitemap of 5 pages', (url: string) => ({ sitemap: url, include: ['/products/**'] })],
    ['/products/3.html', 'a page with prices', (url: string) => url],
  ])('at %s detects %s and previews the records', async (path, found, entryPoint) => {
    say([])
    const before = written()
    const { value, notes, result, text } = await add(path)
    expect(value).toMatchObject({ written: false, name: '127.0.0.1', found: expect.stringContaining(found) })
    expect(notes).toContain(`${shop.url}${path} is ${found}`)
    expect(value.observations[0]).toMatchObject({ price: { currency: 'EUR' } })
    // Nobody could answer, and there was no --yes.
    expect([result, written()]).toEqual([true, before])
    expect(text).toContain('to be added with --yes')
    await add(path, { yes: true })
    expect(await specOf()).toMatchObject({ entryPoints: [await pointOf(entryPoint(shop.url + path))] })
    // No document is fetched twice.
    const asked = shop.visits.map(({ path }) => path)
    expect(new Set(asked).size * 2).toBe(asked.length)
  })

  test('to a file keeps its content and mode, and schedules the source at night', async () => {
    say([['Other', '/merchant.xml', 'region: ES # of theirs']])
    chmodSync(env.CATALOG_SOURCES, 0o640)
    const before = written()
    const { value, text } = await add('/merchant.xml', { yes: true, trust: '60', region: 'pt', currency: 'eur' })
    expect(written()).toBe(before + value.block)
    expect(statSync(env.CATALOG_SOURCES).mode & 0o777).toBe(0o640)
    expect(text).toBe(`added to ${env.CATALOG_SOURCES}:\n\n${value.block}`)
    expect(await specOf()).toMatchObject({
      id: value.source_id,
      region: 'PT',
      trust: 60,
      kind: 'shop',
      currency: 'EUR',
    })
    expect((await specOf())?.schedule).toMatch(/^[1-5]?\d [1-4] \* \* \*$/)
  })

  test('twice is refused with the position of the first', async () => {
    say([])
    await add('/merchant.xml', { yes: true })
    await expect(add('/merchant.xml', { yes: true })).rejects.toThrow(
      /expected another id than src_\w+, .* sources\[0\]/,
    )
  })

  test('asks for missing settings, and again after an invalid answer', async () => {
    say([])
    const kind = 'kind: shop, bid or bank'
    const { asked, notes, value } = await add(
      '/merchant.xml',
      { lang: 'es' },
      { name: 'Obra', kind: 'trade\nbid', when: '-' },
    )
    expect(asked.filter((question) => question.startsWith(kind)).length).toBe(2)
    expect(notes).toContain("kind: 'trade': expected shop, bid or bank")
    expect(asked.some((question) => question.startsWith('language'))).toBe(false)
    expect(asked.at(-1)).toContain('Add this to')
    expect(value.written).toBe(true)
    expect(await specOf()).toMatchObject({ name: 'Obra', kind: 'bid', schedule: null, lang: 'es' })
  })

  test('creates a missing file, unless the person declines', async () => {
    const { value, result } = await add('/merchant.xml', {}, { 'Add this to': 'n' })
    expect([value.written, result, existsSync(env.CATALOG_SOURCES)]).toEqual([false, true, false])
    const { value: made } = await add('/merchant.xml', { yes: true })
    expect(written()).toBe(`sources:\n${made.block}`)
  })

  test('with unknown columns asks for a mapping and shows a skeleton', async () => {
    say([])
    const before = written()
    const refused = await add('/api/products', { yes: true })
    expect([refused.value.written, refused.result, written()]).toEqual([false, false, before])
    expect(refused.notes).toContain(
      '# columns: "sku", "name", "price.amount", "price.currency", "gtin"\ncolumns:\n  vendor_ref: "sku"',
    )
    expect(refused.notes).toContain('\n  # price: "..."')
    const mapping = join(folder, 'api.mapping.yaml')
    writeFileSync(mapping, 'columns: { vendor_ref: sku, name: name, price: price.amount, currency: price.currency }\n')
    const { value } = await add('/api/products', {}, { mapping: `${mapping}.gone\n${mapping}` })
    expect(value).toMatchObject({ written: true, observations: [{ vendor_ref: 'S-0001' }, {}, {}] })
    // Relative to the sources file.
    expect(written()).toContain('\n    mapping: api.mapping.yaml\n')
    expect(await specOf()).toMatchObject({ entryPoints: [{ kind: 'api', paging: { kind: 'next', path: 'next' } }] })
  })

  test('at an unavailable address reports the reason', async () => {
    say([])
    const before = written()
    await expect(add('/nothing', { yes: true })).rejects.toThrow(`${shop.url}/nothing: status 404, expected 200`)
    expect(written()).toBe(before)
  })
})

const specOf = async () => (await readSources(env)).sources.at(-1)
/** Writes and parses an entry point. */
const pointOf = async (written: string | { sitemap?: string; site?: string; include: string[] }) => {
  if (typeof written === 'string') return { kind: 'document', url: written }
  const { sitemap, site, include } = written
  return { kind: sitemap === undefined ? 'site' : 'sitemap', url: sitemap ?? site, include }
}

describe('a page with links', () => {
  const offer = {
    '@type': 'Product',
    sku: '1',
    name: 'Brick',
    offers: { '@type': 'Offer', price: '2', priceCurrency: 'EUR' },
  }
  const product = `<script type="application/ld+json">${JSON.stringify({ '@context': 'https://schema.org', ...offer })}</script>`
  const lookAtPage = (html: string, { isSite = false } = {}) => {
    const get: Fetcher['get'] = async (url, { into }) => {
      writeFileSync(into, `<!doctype html><title>Here</title><a href="/b">b</a><a href="/c">c</a>${html}`)
      const found = {
        url,
        bytes: 200,
        sha256: '',
        etag: null,
        lastModified: null,
        contentType: 'text/html',
        charset: null,
      }
      return { status: 'fetched', ...found }
    }
    const fetcher = { get, sitemaps: async () => [] }
    const { signal } = new AbortController()
    return detectSource('https://shop.example/a', { fetcher, folder, now: () => new Date(), isSite, signal })
  }

  test('and a price is a document, unless --include names product pages', async () => {
    expect(await lookAtPage(product)).toMatchObject({ entryPoint: 'https://shop.example/a', hasPages: false })
    const site = {
      entryPoint: { site: 'https://shop.example/a' },
      pages: ['https://shop.example/b', 'https://shop.example/c'],
    }
    expect(await lookAtPage(product, { isSite: true })).toMatchObject(site)
    // The first page of a list leads to the others.
    expect(await lookAtPage(`${product}<link rel="next" href="?page=2">`)).toMatchObject(site)
  })
})

test('detects product pages by their folder', () => {
  const pages = ['/help/p.html', '/es/producto/a', '/es/producto/b/c', '/product/x', '/producto'].map(
    (path) => `https://x.es${path}`,
  )
  expect(includeOf(pages)).toEqual(['/es/producto/**', '/product/**'])
  expect(foldersOf(pages)).toEqual(['/es/**', '/help/**', '/product/**'])
})

test('looks at the sitemaps of products before others', () => {
  const inOrder = (...names: string[]) => names.map((name) => `https://x.es/${name}`)
  expect(
    productsFirst(inOrder('post-sitemap.xml', 'product_cat-sitemap.xml', 'product-images.xml', 'product-sitemap.xml')),
  ).toEqual(inOrder('product-sitemap.xml', 'post-sitemap.xml', 'product_cat-sitemap.xml', 'product-images.xml'))
  expect(productsFirst(inOrder('pages.xml', 'sitemap_products_1.xml?from=1', 'sitemapproduits.xml'))).toEqual(
    inOrder('sitemap_products_1.xml?from=1', 'sitemapproduits.xml', 'pages.xml'),
  )
  expect(productsFirst(inOrder('2.xml', '1.xml'))).toEqual(inOrder('2.xml', '1.xml'))
})

test.each([
  ['https://x.es/a', { items: [], links: { next: '/a?page=2' } }, { next: 'links.next' }],
  ['https://x.es/a', { meta: { next_cursor: 'abc' } }, { parameter: 'cursor', cursor: 'meta.next_cursor' }],
  ['https://x.es/a', { nextPageToken: 'abc' }, { parameter: 'pageToken', cursor: 'nextPageToken' }],
  ['https://x.es/a?page=1&size=9', { items: [] }, { parameter: 'page', from: 1 }],
  ['https://x.es/a', { page: 1, total_pages: 4 }, { parameter: 'page', from: 1 }],
  ['https://x.es/products.json?limit=250', { products: [{}] }, { parameter: 'page', from: 1 }],
  ['https://x.es/v1/products?per_page=2', [{}, {}], { parameter: 'page', from: 1 }],
  ['https://x.es/v1/products?per_page=2', [{}], null],
  ['https://x.es/a', { page: 1, total_pages: 1, next: null }, null],
  ['https://x.es/a', [{ next: '/b' }], null],
])('at %s with %j detects the paging %j', (url, json, paging) => {
  expect(pagingOf(url, json)).toEqual(paging)
})

describe('a held crawl', () => {
  /** One whole crawl, then one with a single product of thirty. */
  async function holdBack(name: string): Promise<string> {
    say([[name, '/merchant.xml']])
    await crawl(name)
    say([[name, '/products/1.html']])
    const { value } = await crawl(name)
    expect(value.outcome).toBe('held')
    return value.crawlId
  }

  test('is listed, and recorded when accepted by source name', async () => {
    const held = await holdBack('Held')
    const { value, text, next } = await answer(listSources)
    const { source_id: id, ...source } = value.sources[0]
    expect(source).toMatchObject({ held_crawl: { id: held, outcome: 'held' }, last_crawl: { vanished: 29, known: 30 } })
    expect(source.held_crawl.problems[0].examples[0]).toBe('S-0002: 4.74 EUR before, missing now')
    expect(source.held_crawl.commands).toEqual({
      accept: `catalog sources accept ${id}`,
      drop: `catalog sources drop ${id} --reason "..."`,
      look: `catalog sources test ${id}`,
    })
    expect(text).toMatch(/\nHeld: SKUS_VANISHED: 29 of 30 SKUs are missing, 96.7 %; expected at most 30 %\n/)
    expect(text).toContain('\nHeld:   for example S-0002: 4.74 EUR before, missing now\n')
    expect(text).toContain(
      `\nHeld: ${held} waits for catalog sources accept ${id}, or catalog sources drop ${id} --reason "..."`,
    )
    expect(next).toBe(`catalog sources accept ${id}, or catalog sources drop ${id} --reason "..."`)
    const accepted = await answer(async (context) =>
      answerReports(context.terminal, [await acceptCrawl(withCrawler(context), 'held')]),
    )
    expect(accepted.value.inputs).toMatchObject([{ crawl_id: held, outcome: 'recorded', read: 1 }])
    expect(accepted.next).toBe('catalog aggregate')
    expect((await list())[0]).toMatchObject({ held_crawl: null, last_complete_crawl: { id: held } })
    for (const given of ['held', id]) {
      const again = answer((context) => acceptCrawl(withCrawler(context), given))
      await expect(again).rejects.toThrow("source 'Held' has no held crawl; 0 sources have one: catalog sources")
    }
    await expect(answer((context) => acceptCrawl(withCrawler(context), held))).rejects.toThrow(
      /held crawl of '.*': expected an id or a name/,
    )
  })

  test('is dropped by its id, even if the file no longer has its source', async () => {
    const held = await holdBack('Dropped')
    say([])
    const drop = (reason: string) => answer((context) => dropCrawl(withCrawler(context), { given: held, reason }))
    await expect(drop(' \u0007 ')).rejects.toThrow('expected why, in a few words')
    const { value } = await drop('prices of last year\u001b')
    expect(value).toMatchObject({ crawl_id: held, outcome: 'dropped' })
    say([['Dropped', '/merchant.xml']])
    const [source] = await list()
    expect(source).toMatchObject({ held_crawl: null, last_complete_crawl: { read: 30 } })
    expect(source.last_crawl).toMatchObject({
      id: held,
      outcome: 'dropped',
      problems: [{ detail: 'prices of last year' }],
    })
  })
})
