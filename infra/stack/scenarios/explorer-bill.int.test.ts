import { text as textOf } from 'node:stream/consumers'
import { LIMITS } from '@catalog/api/callers/rate-limits.ts'
import type { Api } from '@catalog/api/server.ts'
import { openBuiltinEmbedder } from '@catalog/embed/builtin/builtin.ts'
import { openExplorer } from '@catalog/explorer/explorer.ts'
import { DiagnosticLog, openBc3 } from '@catalog/formats/bc3/entry-stream.ts'
import { bytesSource } from '@catalog/formats/bytes/record.ts'
import { openArchive } from '@catalog/formats/bytes/zip.ts'
import { newWorkbook } from '@catalog/formats/xlsx/new-workbook.ts'
import { readXlsx } from '@catalog/formats/xlsx/xlsx.ts'
import { openExactIndex } from '@catalog/search/exact/exact.ts'
import { observe, publish, testApi, testId } from '@catalog/stack/testing/api.ts'
import { all, zipOf } from '@catalog/stack/testing/archives.ts'
import { testClock } from '@catalog/stack/testing/clock.ts'
import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const builtin = openBuiltinEmbedder()
const clock = testClock()
const store = await storeOfFile()
let api: Api

const ITEMS: Readonly<Record<string, { unit: string; cents: number }>> = {
  'Cemento Portland CEM II/B-L 32,5 N': { unit: '25 kg', cents: 480 },
  'Cable flexible H07V-K 3x1,5 mm2': { unit: 'm', cents: 95 },
  'Cable flexible H07V-K 3x2,5 mm2': { unit: 'm', cents: 150 },
  'Placa de yeso laminado 12,5 mm': { unit: 'm²', cents: 610 },
}
const itemId = (name: string) => testId('ci_', `m${Object.keys(ITEMS).indexOf(name)}`)
const CEMENT = itemId('Cemento Portland CEM II/B-L 32,5 N')

/** A vote of a vendor whose name a spreadsheet would run. */
async function voteOf(i: number, cents: number) {
  const [vendor_sku_id, observed_at] = [testId('vsku_', `v${i}`), '2026-11-18T08:00:00Z']
  const source = { id: 'src_north', name: '=North' }
  const observation_id = await observe(store, { vendor_sku_id, source, observed_at, cents })
  const vote = { vendor_sku_id, source_id: source.id, observation_id, observed_at, markets: ['ES'] }
  return { ...vote, price: `${cents}/1`, currency: 'EUR', trust: 80 }
}

beforeAll(async () => {
  const index = openExactIndex({ store, embedder: builtin, now: () => clock.at.getTime() })
  const vectors = await builtin.embed(Object.keys(ITEMS), 'document')
  for (const [i, [name, { unit, cents }]] of Object.entries(ITEMS).entries()) {
    const median_price = { cents, currency: 'EUR', recorded_at: null }
    const [state, basis] = [{ regions: ['ES'], markets: { ES: median_price } }, { votes: [await voteOf(i, cents)] }]
    await publish(store, { id: itemId(name), name, unit, median_price, ...state, basis })
    const document = { itemId: itemId(name), seq: BigInt(i + 1), name, body: unit, regions: ['ES'], categoryId: null }
    await index.put([{ ...document, vector: vectors[i] ?? null }])
  }
  api = testApi(store, clock, { index, embedder: builtin, explorer: openExplorer })
  await api.ready()
})
afterAll(() => api.close())

type Part = string | { name: string; bytes: string | Uint8Array }

async function post(parts: Readonly<Record<string, Part>>, of = api, remoteAddress = '127.0.0.1') {
  clock.advance(250)
  const form = new FormData()
  for (const [name, part] of Object.entries(parts)) {
    if (typeof part === 'string') form.append(name, part)
    else form.append(name, new Blob([Buffer.from(part.bytes)]), part.name)
  }
  const request = new Request('http://localhost', { method: 'POST', body: form })
  const headers = { 'content-type': request.headers.get('content-type') as string, accept: 'text/html' }
  const payload = Buffer.from(await request.arrayBuffer())
  return await of.inject({ method: 'POST', url: '/bill?lang=en', headers, payload, remoteAddress })
}

/** What the form of a priced bill gives back. */
function carried(body: string): { sealed: string; file: string } {
  const hidden = (name: string) =>
    (new RegExp(`name="${name}" value="([^"]*)"`).exec(body)?.[1] ?? '')
      .replaceAll('&#61;', '=')
      .replaceAll('&#43;', '+')
  return { sealed: hidden('sealed'), file: hidden('file') }
}

/** The state of each line on the page of a priced bill. */
const statesIn = (body: string) => [...body.matchAll(/<div><span class="status (\w+)"/g)].map(([, state]) => state)

const LIST = 'Descripción;Ud;Cantidad\ncement 25 kg;saco;10\ncable;m;20\nnail salad qwxz;u;1\n'
const CSV = { name: 'obra.csv', bytes: LIST }

describe('an uploaded bill', () => {
  test('shows each line priced, open or not stocked, with its price and the total', async () => {
    const { statusCode, body, headers } = await post({ bill: CSV, region: 'ES' })
    expect([statusCode, headers['cache-control']]).toEqual([200, 'no-store'])
    expect(body).toMatch(/<strong>€48\.00<\/strong><span>1 of 3 lines have a price/)
    expect(statesIn(body)).toEqual(['priced', 'open', 'missing'])
    expect(body).toContain('no item is near enough')
    expect(body).toContain(`value="${itemId('Cable flexible H07V-K 3x2,5 mm2')}"`)
  })

  test('takes an item, other words or nothing for a line, and for each line that is equal', async () => {
    const twice = { name: 'obra.csv', bytes: `${LIST}cable;m;2\n` }
    const first = carried((await post({ bill: twice, region: 'ES' })).body)
    const cable = itemId('Cable flexible H07V-K 3x2,5 mm2')
    const { body } = await post({ ...first, 'choice-1': cable, 'choice-0': 'none', 'words-2': 'placa yeso 12,5 mm' })
    expect(statesIn(body)).toEqual(['missing', 'priced', expect.any(String), 'priced'])
    // 20 m and 2 m of 1.50.
    expect(body).toContain('€30.00')
    expect(body).toContain('€3.00')
    const again = await post({ ...carried(body), 'words-0': `https://catalog.example.org/items/${CEMENT}` })
    expect(again.body).toContain('€48.00')
  })

  test('leaves an equal line that has a choice of its own', async () => {
    const twice = { name: 'obra.csv', bytes: `${LIST}cable;m;2\n` }
    const first = carried((await post({ bill: twice, region: 'ES' })).body)
    const cable = itemId('Cable flexible H07V-K 3x2,5 mm2')
    const { body } = await post({ ...first, 'choice-1': cable, 'choice-3': 'none' })
    expect(statesIn(body)).toEqual(['priced', 'priced', 'missing', 'missing'])
  })

  test('takes the first item of an open line and its equals by one button, and undoes it', async () => {
    const twice = { name: 'obra.csv', bytes: `${LIST}cable;m;2\n` }
    const { body } = await post({ bill: twice, region: 'ES' })
    const [, take = ''] = /name="take" value="(1:ci_[^"]*)"/.exec(body) ?? []
    const taken = (await post({ ...carried(body), take })).body
    expect(statesIn(taken)).toEqual(['priced', 'priced', 'missing', 'priced'])
    const again = (await post({ ...carried(taken), 'choice-1': 'none' })).body
    const undone = (await post({ ...carried(again), undo: '1' })).body
    expect(statesIn(undone)).toEqual(['priced', 'open', 'missing', 'open'])
    expect(undone).not.toContain('name="undo"')
  })

  test('says why a line is open, how much of the stated amount is priced, and what a chapter leaves out', async () => {
    const bytes = 'Descripción;Ud;Cantidad;Precio;Importe\nMUROS;;;;\ncement 25 kg;saco;10;5;50\ncable;m;20;7.5;150\n'
    const { body } = await post({ bill: { name: 'obra.csv', bytes }, region: 'ES' })
    expect(body).toContain('several items fit: choose one')
    expect(body).toContain('25% of the amount that the bill states is priced')
    expect(body).toMatch(/<strong>MUROS<\/strong>.*1 of 2 lines have a price.*€48\.00/)
    expect(body).toContain('Median price, net of tax')
  })

  test('prices the example without a file', async () => {
    const { statusCode, body } = await post({ region: 'ES', example: 'yes' })
    expect([statusCode, statesIn(body)]).toEqual([200, expect.objectContaining({ length: 6 })])
  })

  test('names an id that no item has, and keeps the line', async () => {
    const first = carried((await post({ bill: CSV, region: 'ES' })).body)
    const { body } = await post({ ...first, 'words-0': 'ci_missing' })
    expect(body).toContain('ci_missing: no item has this id.')
    expect(body).toContain('€48.00')
  })
})

const BC3 = [
  '~V|Owner|FIEBDC-3/2020|Program||ANSI||2|',
  '~K|\\2\\2\\2\\2\\2\\2\\2\\EUR\\|0|',
  '~C|WORK##||A house|0|010126|0|',
  '~D|WORK##|CH#\\1\\1\\|',
  '~C|CH#||Masonry|0|010126|0|',
  '~D|CH#|CEM\\1\\10\\CAB\\1\\20\\|',
  '~C|CEM|saco|Cemento Portland CEM II/B-L 32,5 N|4.10|010126|3|',
  '~C|CAB|m|Cable flexible H07V-K 3x1,5 mm2|0.80|010126|3|',
  '',
].join('\r\n')

describe('a download', () => {
  const upload = async (name: string, bytes: string | Uint8Array) =>
    carried((await post({ bill: { name, bytes }, region: 'ES' })).body)
  const workbook = async () =>
    upload(
      'bill.xlsx',
      await newWorkbook({
        Bill: [
          ['Descripción', 'Ud', 'Cantidad'],
          ['cement 25 kg', 'saco', 10],
        ],
      }),
    )

  test.each([
    ['a CSV list', () => upload('obra.csv', LIST), 'obra'],
    ['a workbook', workbook, 'bill'],
    ['a BC3 file', () => upload('casa.bc3', BC3), 'casa'],
  ])('of %s is a CSV, a workbook and a BC3 file with the price in it', async (_name, first, base) => {
    const form = await first()
    const csv = await post({ ...form, download: 'csv' })
    expect(csv.headers['content-disposition']).toBe(`attachment; filename="${base}-priced.csv"`)
    expect(csv.body.split('\r\n')[1]).toContain(`,${CEMENT},`)
    const xlsx = await post({ ...form, download: 'xlsx' })
    const [row] = await all(readXlsx(bytesSource('priced.xlsx', xlsx.rawPayload), { name: 'priced.xlsx' }))
    expect(row).toMatchObject({ fields: { item_id: CEMENT, Cost: '48', Currency: 'EUR' } })
    const bc3 = await post({ ...form, download: 'bc3' })
    const { entries } = await openBc3(bytesSource('priced.bc3', bc3.rawPayload), { log: new DiagnosticLog() })
    const prices: string[] = []
    for await (const batch of entries)
      for (const entry of batch) if (entry.letter === 'C') prices.push(entry.prices[0] ?? '')
    expect(prices.map(Number)).toContain(4.8)
  })

  test.each([
    ['a CSV list', () => upload('obra.csv', LIST)],
    ['a workbook', workbook],
    ['a BC3 file', () => upload('casa.bc3', BC3)],
  ])('of %s has run, day, market and link of each price, and its votes', async (_name, first) => {
    const form = await first()
    const [link, votes] = [
      `https://catalog.example.org/items/${CEMENT}?price_region=ES`,
      '=North 2026-11-18 4.8 EUR weight 80',
    ]
    const csv = (await post({ ...form, download: 'csv' })).body.split('\r\n')
    expect(csv[0]).toMatch(/,market,prices_as_of,prices_by,run,votes,link$/)
    expect(csv[1]).toMatch(/,ES,2026-[-\d:.TZ]+,medians,run,'=North/)
    expect(csv[1]?.endsWith(`,'${votes},${link}`)).toBe(true)
    const { rawPayload } = await post({ ...form, download: 'xlsx' })
    const sheet = { name: 'priced.xlsx', sheet: 'Evidence' }
    const [vote] = await all(readXlsx(bytesSource('priced.xlsx', rawPayload), sheet))
    expect(vote).toMatchObject({
      fields: { market: 'ES', run: 'run', vendor: '=North', seen: '2026-11-18T08:00:00Z', price: '4.8', weight: '80' },
    })
    expect(vote).toMatchObject({ fields: { observation_id: expect.stringMatching(/^[0-9a-f]{64}$/), link } })
    const bc3 = (await post({ ...form, download: 'bc3' })).rawPayload.toString('latin1')
    expect(bc3).toMatch(new RegExp(`~T\\|[^~]*Price evidence: ES, [^~]*, run run: ${votes}; [^~]*${CEMENT}`))
  })

  test('says where a later run has published other votes', async () => {
    const form = await upload('obra.csv', 'Descripción;Ud;Cantidad\nplaca yeso 12,5 mm;m²;1\n')
    const name = 'Placa de yeso laminado 12,5 mm'
    const median_price = { cents: 700, currency: 'EUR', recorded_at: null }
    const basis = { votes: [await voteOf(3, 700)] }
    const state = { regions: ['ES'], markets: { ES: median_price }, median_price }
    await publish(store, { id: itemId(name), name, unit: 'm²', ...state, basis })
    const csv = (await post({ ...form, download: 'csv' })).body
    expect(csv).toContain('7 EUR weight 80; these votes do not give this price: price the bill again')
  })

  test('adds waste, overhead and profit to the sum', async () => {
    const form = { ...(await workbook()), waste: '5', overhead: '13', profit: '6' }
    using archive = await openArchive((await post({ ...form, download: 'xlsx' })).rawPayload)
    const [xml = ''] = await Promise.all(
      archive.entries.flatMap((entry) => (entry.path.endsWith('sheet1.xml') ? [textOf(entry.open())] : [])),
    )
    const formulas = [...xml.matchAll(/<f>([^<]*)<\/f><v>([^<]*)</g)].map(([, formula, value]) => [
      formula,
      Number(value),
    ])
    expect(formulas.slice(-5)).toEqual([
      ['SUM(K2:K2)', 48],
      ['ROUND(SUM(K3:K3)*J4/100,2)', 2.4],
      ['ROUND(SUM(K3:K4)*J5/100,2)', 6.55],
      ['ROUND(SUM(K3:K4)*J6/100,2)', 3.02],
      ['SUM(K3:K6)', 59.97],
    ])
    const csv = (await post({ ...form, download: 'csv' })).body.trimEnd().split('\r\n')
    const width = csv[0]?.split(',').length
    expect(csv.slice(-4).map((row) => row.split(','))).toEqual(
      [
        ['waste', '5', '%', '240'],
        ['overhead', '13', '%', '655'],
        ['profit', '6', '%', '302'],
        ['total', '', '', '5997'],
      ].map(([name, share, unit, cents]) =>
        Array.from(
          { length: width as number },
          (_, i) => ({ 0: name, 2: share, 3: unit, 4: 'sum', 12: cents, 13: 'EUR' })[i] ?? '',
        ),
      ),
    )
    const bc3 = (await post({ ...form, download: 'bc3' })).rawPayload.toString('latin1')
    expect(bc3).toMatch(/\|\\13\\6\|/)
  })

  test.each([
    ['an unknown source', { price_source: 'nobody' }, /price_source &#39;nobody&#39;: expected the id or name/],
    ['a day to come', { as_of: '2126-11-01' }, /expected an instant of the past/],
    ['no day', { as_of: 'yesterday' }, /as_of: expected an instant such as/],
  ])('of prices by %s is refused with the reason', async (_name, choice, reason) => {
    const { statusCode, body } = await post({ bill: CSV, region: 'ES', ...choice })
    expect([statusCode, body]).toEqual([400, expect.stringMatching(reason)])
    expect(body).toContain('One of your choices cannot be used.')
  })

  test('takes no share that is none', async () => {
    const { statusCode, body } = await post({ ...(await upload('obra.csv', LIST)), profit: '101' })
    expect([statusCode, body]).toEqual([400, expect.stringContaining('expected 0 to 100 percent')])
  })

  test('escapes formulas in the CSV', async () => {
    const form = await upload('a.csv', 'text,qty\n"=HYPERLINK(""http://x"")",1\ncement 25 kg,1\n')
    expect((await post({ ...form, download: 'csv' })).body).toContain(`"'=HYPERLINK`)
  })

  test('needs the very file and answers that this page sent', async () => {
    const form = await upload('obra.csv', LIST)
    const altered = [
      { ...form, sealed: `${form.sealed.slice(0, -2)}${form.sealed.endsWith('AA') ? 'BB' : 'AA'}` },
      { ...form, sealed: form.sealed.replace('.', '') },
      { ...form, file: Buffer.from('other').toString('base64') },
    ]
    for (const parts of altered) {
      const { statusCode, body } = await post({ ...parts, download: 'csv' })
      expect([statusCode, body.includes('This page was changed on its way')]).toEqual([400, true])
    }
  })
})

describe('a file that is no bill', () => {
  const lines = (count: number) => `text\n${'cement\n'.repeat(count)}`
  test.each([
    ['a page', { name: 'a.csv', bytes: '<html><script>alert(1)</script>' }, /looks like html/],
    ['a table without texts', { name: 'b.csv', bytes: 'a,b\n1,2\n' }, /no column for the text/],
    ['an empty file', { name: 'c.csv', bytes: '' }, /expected a file/],
    ['one line too many', { name: 'd.csv', bytes: lines(501) }, /more than 500 lines/],
    [
      'a damaged workbook',
      { name: 'e.xlsx', bytes: Buffer.from('PK\x03\x04[Content_Types].xml') },
      /cannot be read as a bill|No line was found/,
    ],
    [
      'a BC3 file without a work',
      { name: 'f.bc3', bytes: '~V|x|FIEBDC-3/2020|\r\n~C|A|u|B|1|\r\n' },
      /no measured lines/,
    ],
  ])('%s is refused with the reason', async (_name, bill, reason) => {
    const { statusCode, body } = await post({ bill, region: '' })
    expect([statusCode, body]).toEqual([400, expect.stringMatching(reason)])
    expect(body).not.toContain('<script>alert')
  })

  test('a workbook that inflates without end ends no server', async () => {
    const bomb = zipOf({
      '[Content_Types].xml': '<Types/>',
      'xl/worksheets/sheet1.xml': Buffer.alloc(64 * 1024 ** 2, 32),
    })
    const { statusCode } = await post({ bill: { name: 'bomb.xlsx', bytes: bomb }, region: '' })
    expect(statusCode).toBe(400)
  })

  test('a file that is too large, and a form that is none, are refused as such', async () => {
    const large = await post({ bill: { name: 'a.csv', bytes: Buffer.alloc(2 * 1024 ** 2 + 1, 'a') }, region: '' })
    expect([large.statusCode, large.body.includes('larger than 2 MB')]).toEqual([413, true])
    const headers = { 'content-type': 'application/json' }
    const none = await api.inject({ method: 'POST', url: '/bill', headers, payload: '{}' })
    expect(none.statusCode).toBe(415)
  })

  test.each([
    ['no boundary', 'multipart/form-data', 'x'],
    ['no part', 'multipart/form-data; boundary=a', 'x'],
    ['a long boundary', `multipart/form-data; boundary=${'a'.repeat(500)}`, 'x'],
    ['no end', 'multipart/form-data; boundary=a', '--a\r\ncontent-disposition: form-data; name="bill"\r\n\r\nx'],
    [
      'two files',
      'multipart/form-data; boundary=a',
      `${'--a\r\ncontent-disposition: form-data; name="bill"; filename="a.csv"\r\n\r\ntext\r\n'.repeat(2)}--a--\r\n`,
    ],
  ])('a form with %s is no fault of the server', async (_what, type, payload) => {
    const headers = { 'content-type': type, accept: 'text/html' }
    const { statusCode, body } = await api.inject({ method: 'POST', url: '/bill?lang=en', headers, payload })
    expect(statusCode).toBe(400)
    expect(body).not.toMatch(/on our side|larger than/)
  })

  test('one network has two bills read at a time, and keeps nobody else waiting', async () => {
    const bill = { name: 'a.csv', bytes: 'text\ncable\n' }
    const crowd = await Promise.all(Array.from({ length: 6 }, () => post({ bill, region: '' }, api, '192.0.2.50')))
    const statuses = crowd.map(({ statusCode }) => statusCode)
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(2)
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0)
    expect(crowd.find(({ statusCode }) => statusCode === 429)?.headers['retry-after']).toBe('5')
    const others = [post({ bill, region: '' }, api, '192.0.2.51'), post({ bill, region: '' }, api, '192.0.2.50')]
    expect((await Promise.all(others)).map(({ statusCode }) => statusCode)).toEqual([200, 200])
  })

  test('texts of a bill are shown as texts', async () => {
    const bytes = 'text,qty\n"<img src=x onerror=alert(1)>",1\n'
    const { body } = await post({ bill: { name: '"><script>.csv', bytes }, region: '' })
    expect(body).not.toMatch(/<img|<script>/)
  })
})

test('a bill counts as one search for every ten lines, and says when to come back', async () => {
  const limited = testApi(store, clock, {
    embedder: null,
    explorer: openExplorer,
    limits: { ...LIMITS, searchPerMinute: 4 },
  })
  const bill = { name: 'a.csv', bytes: `text\n${'cable\n'.repeat(31)}` }
  expect((await post({ bill, region: '' }, limited, '192.0.2.9')).statusCode).toBe(200)
  const refused = await post({ bill, region: '' }, limited, '192.0.2.9')
  expect(refused.statusCode).toBe(429)
  expect(refused.headers['retry-after']).toMatch(/^\d+$/)
  expect(refused.body).toMatch(/Upload it again in \d+ seconds/)
  expect(refused.body).not.toContain('http-equiv="refresh"')
  await limited.close()
})
