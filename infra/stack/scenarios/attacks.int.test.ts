import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { instant } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import { acceptSpellings } from '@catalog/operations/decisions/vendor-spellings.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event } from '@catalog/stack/testing/events.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { beforeEach, describe, expect, test } from 'vitest'

/**
 * What a file can do to a published median: each attack goes the way of a real one, through a crawl and a run by twm/3,
 * after four honest vendors delivered twice. The law: no median leaves the spread of its honest vendors.
 */
const NAME = 'Placa de yeso laminado 13 mm'
const HONEST = [
  { source: 'Obramat', trust: 70, price: '4,71' },
  { source: 'Almacenes Norte', trust: 60, price: '4,60' },
  { source: 'Bricomart', trust: 60, price: '4,85' },
  { source: 'Materiales Sur', trust: 50, price: '4,95' },
]
const SPREAD = [460, 495] as const
const HEAD = 'ref;name;unit;price;currency;date;tax'
const line = (
  price: string,
  { ref = 'PYL-13', name = NAME, unit = 'm2', currency = 'EUR', date = '01/03/2026', tax = 'no' } = {},
) => [ref, name, unit, price, currency, date, tax].join(';')
const MAPPING = `columns: { vendor_ref: ref, name: name, unit: unit, price: price, currency: currency, observed_at: date, tax_included: tax }`

let crawls = 0
const path = await pathOfFile()

type Sent = Readonly<{
  source: string
  trust?: number
  text: string
  file?: string
  mapping?: string
  newSources?: boolean
  currency?: string
  observedAt?: string
}>

/** Crawls a file as `catalog crawl FILE --source S --region ES` does. */
async function send({ source, trust = 50, text, file = 'prices.csv', mapping, ...more }: Sent) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'attacks-'))
  await writeFile(join(folder.path, file), text)
  const options = { source, region: 'ES', trust, ...more, ...(mapping && { mapping: parseMapping(mapping, 'm.yaml') }) }
  path.nowMs += 60_000
  const [report] = await crawl([{ path: join(folder.path, file), options }], {
    log: path.log,
    now: () => new Date(path.nowMs),
    newCrawlId: () => `crawl-${++crawls}`,
    spoolDir: join(folder.path, 'spool'),
    registeredSources: (ids) => registeredSources(path.store, ids),
  })
  await path.project()
  return report
}
const list = (...lines: string[]) => [HEAD, ...lines].join('\n')

async function run(): Promise<void> {
  path.nowMs += 60_000
  await path.run(instant(new Date(path.nowMs)))
}

type Seen = Readonly<{ cents: number; currency: string; name: string; votes: number; excluded: readonly string[] }>
/** The item of the honest vendors. */
async function look(): Promise<Seen> {
  const [row] = await path.store.query<{ public_state: string; basis: string }>(
    `select public_state, basis from items where state = 'active' and vendor_sku_ids && (
       select array_agg(vendor_sku_id) from vendor_skus join sources using (source) where name = 'Obramat')`,
  )
  const { item } = JSON.parse(row?.public_state as string) as PublicState
  const basis = JSON.parse(row?.basis as string) as Basis
  // A fenced price alone publishes nothing, so the reasons come from the facts, as catalog explain gives them.
  const evaluator = await openEvaluator(path.store, { asOf: instant(new Date(path.nowMs)), positions: null })
  const excluded = (await evaluator.evaluate([item.id]))[0]?.repriced.basis.excluded ?? []
  const { cents, currency } = item.median_price as { cents: number; currency: string }
  return {
    cents,
    currency,
    name: item.name,
    votes: basis.votes.length,
    excluded: [...new Set(excluded.map(({ reason }) => reason))].sort(),
  }
}

beforeEach(async () => {
  await path.reset()
  path.nowMs = Date.parse('2026-03-10T06:00:00Z')
  await path.append([
    event({ type: 'MethodChanged', decided_at: '2026-01-01T00:00:00Z', method: 'twm/3', reason: 'new' }),
  ])
  for (const day of ['01/03/2026', '08/03/2026']) {
    for (const { source, trust, price } of HONEST)
      await send({ source, trust, text: list(line(price, { date: day })), mapping: MAPPING })
  }
  await run()
  expect(await look()).toMatchObject({ currency: 'EUR', name: NAME, votes: 4, excluded: [] })
})

/** Runs, and holds the law. */
async function held(): Promise<Seen> {
  await run()
  const after = await look()
  expect(after.cents).toBeGreaterThanOrEqual(SPREAD[0])
  expect(after.cents).toBeLessThanOrEqual(SPREAD[1])
  expect([after.currency, after.name]).toEqual(['EUR', NAME])
  return after
}

const FAR = line('0,05', { date: '09/03/2026' })
const invented = (count: number) =>
  [`${HEAD};vendor;trust`, ...Array.from({ length: count }, (_, i) => `${FAR};Vendor ${i};100`)].join('\n')

describe('a file that says who speaks', () => {
  test('its columns of vendors and trust are not heard', async () => {
    await send({ source: 'Falso', text: invented(4).replaceAll('PYL-13', 'X') })
    const sources = await path.store.query<{ name: string; trust: number }>(
      `select name, trust_score as trust from sources`,
    )
    expect(sources.filter(({ name }) => name.startsWith('Vendor'))).toEqual([])
    await held()
  })

  test('a mapping without leave refuses them', async () => {
    expect(() => parseMapping(`${MAPPING.replace(' }', ', source: vendor }')}`, 'm.yaml')).toThrow('sources')
    const report = await send({
      source: 'Falso',
      text: invented(4),
      mapping: `${MAPPING.replace(' }', ', source: vendor, trust: trust }')}\nsources: { allow: [Falso] }`,
    })
    expect(report?.parked).toMatchObject({ SOURCE_NOT_ALLOWED: 4 })
    await held()
  })

  test('a file chooses no id, whatever its mapping allows', async () => {
    const columns = MAPPING.replace(' }', ', source: vendor, source_id: id }')
    for (const rule of ['[Falso]', '[Falso, Obramat]', 'any']) {
      expect(() => parseMapping(`${columns}\nsources: { allow: ${rule} }`, 'm.yaml')).toThrow('never chooses the id')
    }
    const [obramat] = await path.store.query<{ id: string }>(
      `select source_id as id from sources where name = 'Obramat'`,
    )
    const mapping = `${MAPPING.replace(' }', ', source: vendor }')}\nsources: { allow: [Falso] }`
    const text = [`${HEAD};vendor;id;source_id`, `${FAR};Falso;${obramat?.id};${obramat?.id}`].join('\n')
    expect((await send({ source: 'Falso', text, mapping }))?.sources.map(({ name }) => name)).toEqual(['Falso'])
    await held()
  })

  test('a mapping that allows any is refused until a person lets new sources in', async () => {
    const mapping = `${MAPPING.replace(' }', ', source: vendor, trust: trust }')}\nsources: { allow: any }`
    await expect(send({ source: 'Falso', text: invented(4), mapping })).rejects.toThrow('the catalog has never met')
    await held()
    await send({ source: 'Falso', text: invented(4), mapping, newSources: true })
    const trusts = await path.store.query<{ trust: number }>(
      `select trust_score as trust from sources where name like 'Vendor%'`,
    )
    expect(trusts.map(({ trust }) => trust)).toEqual([50, 50, 50, 50])
    const after = await held()
    expect(after.excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
  })

  test('a JSON file cannot name its source, region or trust either', async () => {
    const text = JSON.stringify([
      {
        sku: 'X',
        name: NAME,
        unit: 'm2',
        price: 0.05,
        currency: 'EUR',
        source: 'Obramat',
        vendor: 'Obramat',
        trust: 100,
        region: 'MX',
        date: '2026-03-09',
      },
    ])
    await send({ source: 'Falso', text, file: 'prices.json' })
    expect(await path.store.query(`select from sources where name = 'Obramat'`)).toHaveLength(1)
    await held()
  })

  test('the brand of a shop’s export is no vendor', async () => {
    const text = [
      'Handle,Title,Vendor,Variant SKU,Variant Price,Variant Barcode',
      ...['Obramat', 'Bricomart', 'Knauf'].map((brand, i) => `pyl-${i},${NAME},${brand},S${i},0.05,`),
    ].join('\n')
    await send({ source: 'Falso', text, currency: 'EUR', observedAt: '2026-03-09' })
    const [row] = await path.store.query<{ sources: number }>(`select count(*)::int as sources from sources`)
    expect(row?.sources).toBe(HONEST.length + 1)
    await held()
  })
})

test('copied references of a known vendor stay the copier’s own', async () => {
  await send({ source: 'Falso', text: list(FAR), mapping: MAPPING })
  const refs = await path.store.query(`select from vendor_skus where vendor_ref = 'PYL-13'`)
  expect(refs).toHaveLength(HONEST.length + 1)
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['a first price × 100', '471,00'],
  ['a first price / 100', '0,05'],
  ['a price for the pallet', '235,00'],
])('%s waits in quarantine', async (_attack, price) => {
  await send({ source: 'Falso', text: list(line(price, { date: '09/03/2026' })), mapping: MAPPING })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['a known vendor’s next price × 100', '471,00'],
  ['a known vendor’s next price / 100', '0,05'],
])('%s meets the fence', async (_attack, price) => {
  await send({ ...HONEST[0], source: 'Obramat', text: list(line(price, { date: '09/03/2026' })), mapping: MAPPING })
  expect((await held()).excluded).toEqual(['PRICE_FENCE'])
})

test('a slip that two crawls repeat is outvoted', async () => {
  for (const date of ['08/03/2026', '09/03/2026'])
    await send({ source: 'Falso', text: list(line('471,00', { date })), mapping: MAPPING })
  const after = await held()
  expect(after.votes).toBe(5)
})

test('two prices of one file do not confirm each other', async () => {
  const text = list(line('471,00', { date: '08/03/2026' }), line('471,00', { date: '09/03/2026' }))
  await send({ source: 'Falso', text, mapping: MAPPING })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})

test.each([
  ['gross instead of net', '5,70', 'no'],
  ['gross without a rate', '5,70', 'yes'],
  ['net called gross', '3,89', 'yes'],
])('a vendor that flips its tax (%s) is outvoted', async (_attack, price, tax) => {
  await send({ source: 'Obramat', trust: 70, text: list(line(price, { date: '09/03/2026', tax })), mapping: MAPPING })
  await held()
})

describe('one vendor under several spellings', () => {
  const SPELLINGS = ['Falso, S.L.', 'FALSO SL', 'Falso S.L.U.', 'Falso', 'Falso SA']
  test.each([2, 5])('%i spellings cast one vote once a person accepts the proposals', async (count) => {
    for (const source of SPELLINGS.slice(0, count))
      await send({ source, trust: 40, text: list(line('6,90', { date: '09/03/2026' })), mapping: MAPPING })
    await run()
    const asked = { pair: [], all: true, reason: 'one company' }
    const { answers } = await heardBy(catalogOf(path), (catalog) => acceptSpellings(catalog, asked))
    expect(answers[0]).toMatchObject({ accepted: expect.objectContaining({ length: count - 1 }) })
    const after = await held()
    expect([after.votes, after.excluded]).toEqual([5, ['SAME_VENDOR']])
  })
})

test('a flood of like names from one source casts one vote', async () => {
  const lines = Array.from({ length: 50 }, (_, i) => line('4,40', { ref: `F${i}`, date: '09/03/2026' }))
  await send({ source: 'Falso', text: list(...lines), mapping: MAPPING })
  expect((await held()).votes).toBe(5)
})

test.each([
  ['a price in an unknown unit', 'm2 aprox.'],
  ['a price by the kilogram', 'kg'],
  ['a price by the square centimetre', 'cm2'],
])('%s stands in an item of its own', async (_attack, unit) => {
  await send({ source: 'Falso', text: list(line('0,05', { unit, date: '09/03/2026' })), mapping: MAPPING })
  expect((await held()).votes).toBe(4)
  expect(await path.store.query(`select from items where state = 'active'`)).toHaveLength(2)
})

test('another currency settles nothing against more trust', async () => {
  await send({
    source: 'Falso',
    trust: 100,
    text: list(line('4,71', { currency: 'USD', date: '09/03/2026' })),
    mapping: MAPPING,
  })
  expect((await held()).excluded).toEqual(['OTHER_CURRENCY'])
})

test('a vendor in quarantine names nothing', async () => {
  await send({
    source: 'Falso',
    trust: 100,
    text: list(line('0,05', { name: NAME.toUpperCase(), date: '09/03/2026' })),
    mapping: MAPPING,
  })
  expect((await held()).excluded).toEqual(['FIRST_PRICE_QUARANTINED'])
})
