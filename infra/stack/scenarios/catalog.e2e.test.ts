import { chmodSync, mkdirSync, mkdtempDisposableSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { answerOf, type Finished, freePort, type Running, startCatalog } from '@catalog/stack/servers/command.ts'
import createClient, { type Client } from 'openapi-fetch'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { components, paths } from '../../../clients/typescript/api.ts'

/** The command as a user has it: two shops' lists, and one process for everything beside every other command. */
const NORTH = `sku;name;unit;price;currency;ean;category
N1;Cement CEM II 42.5 25 kg;bag;5.20;EUR;4006381333931;Masonry
N2;Sand 0-4;t;18.00;EUR;;
N3;Ceramic brick 24x12x7;u;0.45;EUR;;Masonry
N4;Ceramic brick 30x15x7;u;0.55;EUR;;Masonry
N4;Ceramic brick 30x15x9;u;0.60;EUR;;Masonry
N5;Nails;kg;on request;EUR;;
N2;Sand 0-4;t;18.00;EUR;;
`
const SOUTH = `sku;name;unit;price;currency;ean
S1;Cemento CEM II 42,5 25 kg;bag;5.80;EUR;4006381333931
S2;Washed gravel 4-8;t;21.00;EUR;
`

const folder = mkdtempDisposableSync(join(tmpdir(), 'catalog-e2e-'))
const data = join(folder.path, 'data')
const command = (...args: string[]): Promise<Finished> => startCatalog(args, { data }).finished
const answer = <T>(...args: string[]) => answerOf(args, { data }) as Promise<T>

let server: Running
let base: string
let client: Client<paths>
let crawls: { inputs: CrawlReport[] }
type CrawlReport = { crawl_id: string; read: number; appended: number; duplicates: number; parked: object }
type Item = components['schemas']['CanonicalItem']

beforeAll(async () => {
  // Somebody made the folder before, for everybody.
  mkdirSync(data)
  chmodSync(data, 0o777)
  const [north, south] = [join(folder.path, 'north.csv'), join(folder.path, 'south.csv')]
  writeFileSync(north, NORTH)
  writeFileSync(south, SOUTH)
  const list = (path: string, trust: string) =>
    answer<typeof crawls>('crawl', path, '--region', 'ES', '--trust', trust, '--observed-at', '2025-01-05')
  crawls = { inputs: [...(await list(north, '60')).inputs, ...(await list(south, '40')).inputs] }
  await answer('aggregate', '--as-of', '2025-01-06')
  const port = await freePort()
  base = `http://127.0.0.1:${port}`
  client = createClient<paths>({ baseUrl: `${base}/v1` })
  server = startCatalog(['up', '--json', '--port', String(port)], {
    data,
    env: { RATE_LIMIT_ANON_PER_MIN: '1000', RATE_LIMIT_SEARCH_PER_MIN: '1000' },
  })
  await server.firstLine
})
afterAll(async () => {
  await server[Symbol.asyncDispose]()
  folder.remove()
})

const get = async (path: string, accept = '*/*') => {
  const response = await fetch(`${base}${path}`, { headers: { accept } })
  return { status: response.status, type: response.headers.get('content-type') ?? '', body: await response.text() }
}
const items = async () => (await client.GET('/items')).data?.items ?? []
const detailOf = async (id: string) => {
  const { data } = await client.GET('/items/{id}', { params: { path: { id } } })
  return data as components['schemas']['ItemDetailResponse']
}
/** The item whose name begins so; an item takes the name of its most trusted vendor. */
const itemNamed = async (start: string) => (await items()).find(({ name }) => name.startsWith(start)) as Item

describe('catalog up', () => {
  test('prints its address as one line of JSON', async () => {
    expect(JSON.parse((await server.firstLine) ?? '')).toEqual({ ready: true, address: `${base}/v1` })
    expect((await get('/readyz')).status).toBe(200)
  })

  test('keeps its data folder to its user, whoever made it', () => {
    expect((statSync(data).mode & 0o777).toString(8)).toBe('700')
  })

  test('ends with a line that names the port when another process listens there', async () => {
    const other = mkdtempDisposableSync(join(tmpdir(), 'catalog-e2e-port-'))
    try {
      const refused = await startCatalog(['up', '--port', new URL(base).port], { data: other.path }).finished
      expect(refused.code).toBe(1)
      expect(refused.stderr).toContain(`port ${new URL(base).port} is in use`)
    } finally {
      other.remove()
    }
  })

  test('answers a page, an item as JSON and as Markdown, and a search', async () => {
    expect((await items()).map(({ name }) => name).sort()).toEqual([
      'Cement CEM II 42.5 25 kg',
      'Ceramic brick 24x12x7',
      'Sand 0-4',
      'Washed gravel 4-8',
    ])
    const cement = await itemNamed('Cement')
    // The more trusted of two shops has more than half of all trust.
    expect(cement).toMatchObject({ vendor_count: 2, median_price: { cents: 520, currency: 'EUR' } })
    const detail = await detailOf(cement.id)
    expect(detail.item).toEqual(cement)
    expect(detail.vendors.map(({ source }) => source.name).sort()).toEqual(['north', 'south'])
    expect(detail.price_history).toEqual([{ recorded_at: '2025-01-06T00:00:00Z', price_cents: 520, currency: 'EUR' }])
    const markdown = await get(`/v1/items/${cement.id}`, 'text/markdown')
    expect(markdown).toMatchObject({ status: 200, type: expect.stringContaining('text/markdown') })
    expect(markdown.body).toContain('# Cement CEM II')
    const { data: found } = await client.GET('/search', { params: { query: { q: 'ceramic brick' } } })
    expect(found?.results[0]?.name).toBe('Ceramic brick 24x12x7')
  })

  test('rejects what the types reject', async () => {
    // @ts-expect-error There is no such region; were the types loose, this line would be an error itself.
    const { error, response } = await client.GET('/items', { params: { query: { region: 'XX' } } })
    expect(response.status).toBe(400)
    expect(error).toMatchObject({ error: 'invalid_parameter', details: expect.stringContaining('region') })
  })
})

describe('every command', () => {
  test('answers exactly one JSON value with --json', async () => {
    // The tests below parse all that other commands print.
    for (const args of [
      ['project', '--once'],
      ['parked'],
      ['review'],
      ['aggregate', '--dry-run'],
      ['retract'],
      ['workspace'],
      ['keys'],
      ['crawl', join(folder.path, 'none.csv')],
    ]) {
      const { stdout } = await command(...args, '--json')
      expect(stdout.trimEnd().split('\n'), args.join(' ')).toHaveLength(1)
      expect(JSON.parse(stdout), args.join(' ')).toBeTypeOf('object')
    }
  })

  test.each([
    [['aggregate', '--as-of', '2025-01-05'], /^catalog aggregate: AS_OF_PAST: as_of 2025-01-05T00:00:00Z is before/],
    [['aggregate', '--as-of', 'yesterday'], /^catalog aggregate: --as-of 'yesterday': expected a date/],
    [['crawl', 'none.csv'], /^catalog crawl: input 'none.csv': no such file or folder$/],
    [['crawl', '.', '--trust', '101'], /^catalog crawl: --trust '101': expected a whole number from 0 to 100$/],
    [['explain', 'ci_none'], /^catalog explain: item 'ci_none': expected the id of an item/],
    [['trust', 'nobody', '50'], /^catalog trust: source 'nobody': expected an id or a name: north/],
  ])('that cannot do %j says why in one line and fails', async (args, says) => {
    const { code, stdout, stderr } = await command(...args)
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(says)])
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
  })
})

describe('a data folder that cannot be created', () => {
  test('is named in one line', async () => {
    const { code, stderr } = await startCatalog(['status'], { data: '/dev/null/none' }).finished
    expect(stderr.trimEnd().split('\n')).toEqual([expect.stringMatching(/^catalog status: .*\/dev\/null\/none/)])
    expect(code).toBe(1)
  })
})

describe('catalog crawl', () => {
  test('accounts for every record of its input', () => {
    expect(crawls.inputs).toMatchObject([
      { read: 7, appended: 3, duplicates: 1, parked: { SKU_CONFLICT: 2, BAD_PRICE: 1 }, complete: true },
      { read: 2, appended: 2, duplicates: 0, parked: {}, complete: true },
    ])
  })
})

describe('catalog explain', () => {
  test('shows the votes behind a median, for machines and for people', async () => {
    const { id } = await itemNamed('Cement')
    const { basis, median } = await answer<{ basis: { votes: object[] }; median: object }>('explain', id)
    expect(median).toMatchObject({ cents: 520, currency: 'EUR' })
    expect(basis.votes).toHaveLength(2)
    expect(basis).toMatchObject({ voters: 2, trust_total: 100 })
    const { stdout } = await command('explain', id)
    expect(stdout).toContain('2 voters with a total trust of 100')
    expect(stdout).toMatch(/^north +60 +5\.20 EUR/m)
  })
})

describe('an operator', () => {
  test('changes the trust of a source, and the listing shows it', async () => {
    await answer('trust', 'South', '20', '--reason', 'late with its lists')
    const { sources } = await answer<{ sources: { name: string; trust_score: number }[] }>('trust')
    expect(sources.map(({ name, trust_score }) => [name, trust_score]).sort()).toEqual([
      ['north', 60],
      ['south', 20],
    ])
  })

  test('previews a retraction, and then makes it', async () => {
    const observations = async () => (await answer<{ counts: { observations: number } }>('status')).counts.observations
    const crawl = crawls.inputs[1]?.crawl_id as string
    const would = await answer('retract', '--crawl', crawl, '--dry-run')
    expect(would).toMatchObject({ dry_run: true, covered: 2, hidden: 2, items: 2 })
    expect(await observations()).toBe(5)
    const refused = await command('retract', '--crawl', crawl)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('expected --reason')])
    expect(await observations()).toBe(5)
    await answer('retract', '--crawl', crawl, '--reason', 'list of another shop')
    expect(await observations()).toBe(3)
    const { runs } = await answer<{ runs: object[] }>('aggregate', '--as-of', '2025-01-07')
    expect(runs).toMatchObject([{ changed: 2 }])
    // The server shows a publication 200 ms after its commit at the latest.
    const cement = { vendor_count: 1, median_price: { cents: 520 } }
    await expect.poll(() => itemNamed('Cement')).toMatchObject(cement)
    expect(await itemNamed('Washed')).toBeUndefined()
  })

  test('cannot put two SKUs of one source into an item, unless one is detached', async () => {
    const [sand, brick] = [await itemNamed('Sand'), await itemNamed('Ceramic')]
    const merge = ['review', 'merge', sand.id, brick.id, '--reason', 'tried']
    const refused = await command(...merge)
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringContaining('one SKU of a source')])
    expect((await get(`/v1/items/${sand.id}`)).status).toBe(200)
    const { vendor_sku_ids } = await answer<{ vendor_sku_ids: string[] }>('explain', brick.id)
    await answer(...merge, '--replace', vendor_sku_ids[0] as string)
    // A person's decision counts from the instant at which it was made.
    await answer('aggregate')
    await expect.poll(async () => (await detailOf(sand.id)).item).toMatchObject({ id: brick.id, name: 'Sand 0-4' })
    expect((await answer<{ ok: boolean }>('verify')).ok).toBe(true)
  })
})

describe('SIGTERM', () => {
  test('drains everything and ends with 0', async () => {
    server.kill('SIGTERM')
    expect(await server.finished).toMatchObject({ code: 0 })
    await expect(fetch(`${base}/readyz`)).rejects.toThrow()
    // The other process's writes are on disk for the next one that opens the folder.
    expect((await answer<{ ok: boolean }>('verify')).ok).toBe(true)
  })
})
