import { existsSync } from 'node:fs'
import { appendFile, mkdir, mkdtempDisposable, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { sha256Hex } from '@catalog/core/digest.ts'
import { RAW_KEPT_BYTES_MAX, type RecordParked } from '@catalog/core/events/crawls.ts'
import { parseEvent } from '@catalog/core/events/events.ts'
import { eventId, observationId, observationPayload, sourceIdOf } from '@catalog/core/events/ids.ts'
import type { ObservationRecorded } from '@catalog/core/events/observations.ts'
import type { RecipeRecorded } from '@catalog/core/events/recipes.ts'
import type { SourceRegistered } from '@catalog/core/events/sources.ts'
import { TOPICS, type Topic } from '@catalog/core/events/topics.ts'
import { newWorkbook } from '@catalog/formats/xlsx/new-workbook.ts'
import { BATCH_RECORDS_MAX } from '@catalog/log/log.ts'
import { zipOf } from '@catalog/stack/testing/archives.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CrawlDeps, crawl } from './crawl.ts'
import { InputNotFound, type InputOptions, type ReadFile, readHere } from './inputs.ts'
import { preview } from './preview.ts'
import type { CrawlReport } from './report.ts'

/** Rows of a price list: every 1,000th repeats the row before, every 1,001st contradicts it, every 1,003rd is broken. */
function priceList(rows: number): string {
  const lines = Array.from({ length: rows }, (_, row) => {
    const of = row % 1000 === 0 || row % 1001 === 0 ? Math.max(0, row - 1) : row
    const name = `Ladrillo cerámico hueco doble de ${of % 97} cm${row % 1001 === 0 ? ' (otro)' : ''}`
    const price = `${1 + (of % 900)},${String(of % 100).padStart(2, '0')}`
    if (row % 1003 === 0) return `REF-${row};sin precio\n`
    return `REF-${of};${name};ud;${price};EUR;03/11/2026;Fábricas > Ladrillos\n`
  })
  return `codigo;nombre;unidad;precio;moneda;fecha;familia\n${lines.join('')}`
}

/** A log that validates and keeps what a crawl appends. */
class Kept {
  readonly appends: { topic: Topic; keys: string[] }[] = []
  readonly events: ReturnType<typeof parseEvent>[] = []
  async append(topic: Topic, records: readonly { key: string; value: string }[]) {
    this.appends.push({ topic, keys: records.map(({ key }) => key) })
    for (const { value } of records) this.events.push(parseEvent(topic, JSON.parse(value)))
  }
  of<T>(type: string): T[] {
    return this.events.filter((event) => event.type === type) as T[]
  }
  get observations() {
    return this.of<ObservationRecorded>('ObservationRecorded')
  }
  get parked() {
    return this.of<RecordParked>('RecordParked')
  }
}

/** What a crawl into this folder needs, in a catalog that has met no source. */
const depsOf = (folder: string, given: Pick<CrawlDeps, 'log'> & Partial<CrawlDeps>): CrawlDeps => ({
  now: () => new Date('2026-11-21T10:00:00Z'),
  newCrawlId: () => 'c1',
  spoolDir: join(folder, 'spool'),
  registeredSources: async () => new Set(),
  ...given,
})

/** What a crawl left of its temporary files, whose folder is made for the first of them. */
const spoolOf = async (folder: string) => (existsSync(join(folder, 'spool')) ? readdir(join(folder, 'spool')) : [])

type Crawled = { report: CrawlReport; log: Kept; spool: string[] }
/** A mapping whose columns name the sources of a file. */
const bySource = {
  columns: { vendor_ref: 'ref', name: 'name', price: 'price', source: 'vendor', region: 'region', trust: 'trust' },
  sources: { allow: 'any' as const, trust_max: 100 },
}

async function crawled(
  files: Readonly<Record<string, string | Uint8Array>>,
  options: InputOptions = {},
  deps: Partial<CrawlDeps> & { input?: string } = {},
): Promise<Crawled> {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
  for (const [name, content] of Object.entries(files)) {
    await mkdir(join(folder.path, 'in', name, '..'), { recursive: true })
    await writeFile(join(folder.path, 'in', name), content)
  }
  const log = new Kept()
  const inputs = [{ path: join(folder.path, 'in', deps.input ?? ''), options }]
  const [report] = await crawl(inputs, depsOf(folder.path, { log, ...deps }))
  return { report: report as CrawlReport, log, spool: await spoolOf(folder.path) }
}

const sum = (counts: Readonly<Record<string, number>>) =>
  Object.values(counts).reduce((total, count) => total + count, 0)

/** Law: read = appended + duplicates + parked, in the report, in the events, and for each source. */
function expectLaw({ report, log }: Pick<Crawled, 'report' | 'log'>) {
  expect(report.read).toBe(report.appended + report.duplicates + sum(report.parked))
  expect(log.observations).toHaveLength(report.appended)
  expect(log.parked).toHaveLength(sum(report.parked))
  const finished = log.of<{ source_id: string; read: number; appended: number; duplicates: number; parked: number }>(
    'CrawlFinished',
  )
  expect(finished.map(({ source_id }) => source_id).sort()).toEqual(
    report.sources.map(({ sourceId }) => sourceId).sort(),
  )
  for (const { source_id, read, appended, duplicates, parked } of finished) {
    expect(read).toBe(appended + duplicates + parked)
    expect(appended).toBe(log.observations.filter(({ source }) => source.id === source_id).length)
    expect(parked).toBe(log.parked.filter((event) => event.source_id === source_id).length)
  }
  expect(finished.reduce((total, { read }) => total + read, 0)).toBe(report.read)
}

const heading = 'ref;name;unit;price;currency;date\n'
const row = (ref: string, { name = 'Brick', unit = 'u', price = '1,50', date = '01/11/2026' } = {}) =>
  `${ref};${name};${unit};${price};EUR;${date}\n`

test('a record whose event no projector could read is a dead letter, and costs no other record', async () => {
  const readFile: ReadFile = async function* (...given) {
    for await (const batch of readHere(...given)) {
      if (!('outcomes' in batch)) continue
      const outcomes = batch.outcomes.map((outcome) => {
        const { result } = outcome
        if (!('content' in result) || result.content.vendor_ref !== 'B') return outcome
        return { ...outcome, result: { ...result, content: { ...result.content, unit: 'x'.repeat(101) } } }
      })
      yield { ...batch, outcomes }
    }
  }
  const text =
    'ref;name;price;currency;date\nA;Brick;1;EUR;03/11/2026\nB;Block;2;EUR;03/11/2026\nC;Lime;3;EUR;03/11/2026\n'
  const found = await crawled({ 'list.csv': text }, {}, { readFile })
  expectLaw(found)
  expect(found.log.observations.map(({ vendor_ref }) => vendor_ref)).toEqual(['A', 'C'])
  expect(found.log.parked).toMatchObject([{ reason: 'INVALID_EVENT', position: 'list.csv line 3' }])
  expect(found.log.parked[0]?.detail).toMatch(/^unit: .*100 characters/)
})

describe('a crawl', () => {
  test('records observations under the ids of the contract', async () => {
    const { report, log, spool } = await crawled(
      { 'june.csv': heading + row('A') },
      { source: 'Shop', region: 'ES', trust: 70 },
      { input: 'june.csv' },
    )
    const source = { id: sourceIdOf({ name: 'Shop', region: 'ES' }), name: 'Shop', region: 'ES', url: null }
    const [observation] = log.observations
    expect(observation).toMatchObject({ source, vendor_ref: 'A', crawl_id: 'c1', recorded_at: '2026-11-21T10:00:00Z' })
    expect(observation?.event_id).toBe(observationId(observationPayload(observation as ObservationRecorded)))
    expect(log.appends).toEqual([
      { topic: TOPICS.decisions, keys: [source.id] },
      { topic: TOPICS.observations, keys: [`${source.id}/A`] },
      { topic: TOPICS.observations, keys: [`${source.id}/`] },
    ])
    const [registered] = log.of<SourceRegistered>('SourceRegistered')
    expect(registered).toMatchObject({
      source,
      trust_score: 70,
      validity_days: 30,
      kind: 'shop',
      enabled: true,
      decided_at: '2026-11-21T10:00:00Z',
    })
    expect(registered?.event_id).toBe(eventId(registered as SourceRegistered))
    expect(log.of('CrawlFinished')).toMatchObject([
      { crawl_id: 'c1', complete: true, read: 1, appended: 1, duplicates: 0, parked: 0 },
    ])
    expect(report).toMatchObject({
      crawlId: 'c1',
      sources: [{ sourceId: source.id, name: 'Shop' }],
      read: 1,
      appended: 1,
      complete: true,
    })
    expect(report.detected[0]).toMatchObject({ file: 'june.csv', delimiter: ';', decimal: ',' })
    expect(spool).toEqual([])
  })

  test('parks every record of a reference with two names or two units', async () => {
    const rows = [
      row('A'),
      row('B'),
      row('A', { name: 'Stone' }),
      row('C', { unit: 'm' }),
      row('C', { unit: 'u' }),
      row('A'),
    ]
    const result = await crawled({ 'f.csv': heading + rows.join('') })
    expect(result.report).toMatchObject({ read: 6, appended: 1, duplicates: 0, parked: { SKU_CONFLICT: 5 } })
    expect(result.log.parked.map(({ position, reason }) => [position, reason])).toEqual([
      ['f.csv line 2', 'SKU_CONFLICT'],
      ['f.csv line 4', 'SKU_CONFLICT'],
      ['f.csv line 5', 'SKU_CONFLICT'],
      ['f.csv line 6', 'SKU_CONFLICT'],
      ['f.csv line 7', 'SKU_CONFLICT'],
    ])
    expectLaw(result)
  })

  test('tells of a record in conflict what its row says, whether or not its list has an edition', async () => {
    const found = heading + row('A') + row('A', { name: 'Stone' })
    const columns = { vendor_ref: 'ref', name: 'name', unit: 'unit', price: 'price', currency: 'currency' }
    const parkedWith = async (edition: object) => {
      const result = await crawled({ 'f.csv': found }, { mapping: { columns, ...edition } })
      expectLaw(result)
      return result.log.parked
    }
    const dated = await parkedWith({ edition: { column: 'date', format: 'DD/MM/YYYY' } })
    expect(dated.map(({ raw }) => raw)).toEqual(found.trim().split('\n').slice(1))
    const fields = { vendor_ref: 'A', name: 'Brick', unit: 'u', price: '1.50', currency: 'EUR', kind: 'list' }
    expect(dated[0]?.read_as?.fields).toEqual({ ...fields, observed_at: '2026-11-01T00:00:00Z' })
  })

  test('of a source whose first file is refused after it gave records says what the next file says', async () => {
    const { columns } = bySource
    const mapping = { ...bySource, columns: { ...columns, source_url: 'link' } }
    const list = (link: string) => `ref;name;price;vendor;region;trust;link\nA;Brick;1,50;Uno;ES;70;${link}\n`
    const files = { 'a.csv': `${list('https://a.example')}${'x\n'.repeat(20_000)}`, 'b.csv': list('https://b.example') }
    const options = { currency: 'EUR', observedAt: '2026-11-01', mapping, newSources: true }
    const { log } = await crawled(files, options)
    expect(log.observations.map(({ source }) => source.url)).toEqual(['https://b.example'])
  })

  test('finds a conflict between the files of one input, and none between two sources', async () => {
    const files = { 'a/x.csv': heading + row('A'), 'b.csv': heading + row('A', { name: 'Stone' }) }
    const together = await crawled(files, { source: 'Shop' })
    expect(together.report.parked).toEqual({ SKU_CONFLICT: 2 })
    expect(together.log.parked.map(({ position }) => position)).toEqual(['a/x.csv line 2', 'b.csv line 2'])
    const apart = await crawled(files)
    expect(apart.report).toMatchObject({ appended: 2, sources: [{ name: 'x' }, { name: 'b' }] })
    expectLaw(apart)
  })

  test('parks the prices of one reference that differ on one day, and drops repetitions', async () => {
    const rows = [
      row('A'),
      row('A', { price: '1,60' }),
      row('A', { date: '02/11/2026', price: '1,70' }),
      row('B'),
      row('B'),
      row('B', { price: '1,500' }),
      row('B', { date: '02/11/2026' }),
    ]
    const result = await crawled({ 'f.csv': heading + rows.join('') })
    expect(result.report).toMatchObject({ read: 7, appended: 3, duplicates: 2, parked: { AMBIGUOUS_OFFER: 2 } })
    expect(result.log.observations.map(({ vendor_ref, price }) => [vendor_ref, price.cents])).toEqual([
      ['A', 170],
      ['B', 150],
      ['B', 150],
    ])
    expect(result.log.parked.map(({ position, detail }) => [position, detail.split(':')[0]])).toEqual([
      ['f.csv line 2', expect.stringContaining('with another price on one day (1.50 EUR among them)')],
      ['f.csv line 3', expect.stringContaining('with another price on one day (1.50 EUR and 1.60 EUR)')],
    ])
    expectLaw(result)
  })

  test.each([
    ['quantities', 'min_quantity', '1', '10'],
    ['packs', 'pack_quantity', '1', '25'],
    ['currencies', 'currency', 'EUR', 'USD'],
    ['kinds of tax', 'tax_included', 'yes', 'no'],
    ['contracts that are bid for', 'kind', 'bid', 'bid'],
  ])('keeps the prices of one reference for different %s', async (_what, column, one, other) => {
    const head = `sku;name;unit;price;date;pack_unit;${column}\n`
    const text = `${head}A;Brick;u;1,50;01/11/2026;kg;${one}\nA;Brick;u;1,60;01/11/2026;kg;${other}\n`
    const mapping = {
      columns: {
        vendor_ref: 'sku',
        name: 'name',
        unit: 'unit',
        price: 'price',
        observed_at: 'date',
        pack_unit: 'pack_unit',
        [column]: column,
      },
    }
    const result = await crawled({ 'f.csv': text }, { currency: 'EUR', mapping })
    expect(result.report).toMatchObject({ read: 2, appended: 2, parked: {} })
  })

  test('parks two prices for one reference of two pages that are fetched one after the other', async () => {
    const page = (price: string) => JSON.stringify({ sku: 'A', name: 'Brick', price })
    const files = { 'a.jsonl': page('1.50'), 'b.jsonl': page('9.50') }
    const result = await crawled(files, { source: 'Shop', currency: 'EUR', observedAt: '2026-11-01' })
    expect(result.report).toMatchObject({ read: 2, appended: 0, parked: { AMBIGUOUS_OFFER: 2 } })
  })

  test('keeps one price that is told per 100 and per 1', async () => {
    const text = 'sku;name;price;per;date\nA;Brick;150,00;100;01/11/2026\nA;Brick;1,50;1;01/11/2026\n'
    const result = await crawled({ 'f.csv': text }, { currency: 'EUR' })
    expect(result.report).toMatchObject({ read: 2, parked: {} })
  })

  test('of the same bytes appends the same ids, and registers no source twice', async () => {
    const files = { 'f.csv': `${heading}${row('A')}broken\nbroken\n${row('B', { price: 'x' })}` }
    const first = await crawled(files)
    const second = await crawled(
      files,
      {},
      {
        newCrawlId: () => 'c2',
        now: () => new Date('2026-11-22T10:00:00Z'),
        registeredSources: async (ids) => new Set(ids),
      },
    )
    const ids = ({ log }: Crawled) => [...log.observations, ...log.parked].map(({ event_id }) => event_id)
    expect(ids(second)).toEqual(ids(first))
    expect(new Set(ids(first)).size).toBe(4)
    expect(first.log.of('SourceRegistered')).toHaveLength(1)
    expect(second.log.of('SourceRegistered')).toHaveLength(0)
  })

  test('hears no heading that says who speaks', async () => {
    const text =
      'ref;name;price;vendor;source;region;trust;kind\nA;Brick;1,50;Uno;Dos;PT;100;bank\nB;Sand;2,50;Tres;Tres;US;100;bid\n'
    const given = { source: 'Norte', region: 'ES', trust: 30, currency: 'EUR', observedAt: '2026-11-01' }
    const { log } = await crawled({ 'f.csv': text }, given)
    expect(log.of<SourceRegistered>('SourceRegistered')).toMatchObject([
      { source: { name: 'Norte', region: 'ES' }, trust_score: 30, kind: 'shop' },
    ])
    expect(new Set(log.observations.map(({ source }) => source.name))).toEqual(new Set(['Norte']))
  })

  test('appends nothing of a file that names sources that the catalog has never met, until it is told to', async () => {
    const text = 'ref;name;price;vendor;region;trust\nA;Brick;1,50;Uno;ES;60\nB;Sand;2,50;Dos;PT;70\n'
    const options = { currency: 'EUR', observedAt: '2026-11-01', mapping: bySource }
    await expect(crawled({ 'f.csv': text }, options)).rejects.toThrow(
      /the input names 2 sources that the catalog has never met: Uno \(ES\), Dos \(PT\). Expected .*sources.allow.*--new-sources/,
    )
    const known = await crawled({ 'f.csv': text }, options, { registeredSources: async (ids) => new Set(ids) })
    expect(known.log.observations).toHaveLength(2)
  })

  test('takes each country of a listed name for a new source, unless it is the operator’s', async () => {
    const text = 'ref;name;price;vendor;region;trust\nA;Brick;1,50;Uno;ES;60\nB;Sand;2,50;Uno;PT;70\n'
    const mapping = { ...bySource, sources: { allow: ['Uno'] } }
    const options = { currency: 'EUR', observedAt: '2026-11-01', region: 'ES', mapping }
    await expect(crawled({ 'f.csv': text }, options)).rejects.toThrow(
      /names 1 source that the catalog has never met: Uno \(PT\)/,
    )
    const own = await crawled({ 'f.csv': text.replace('PT', 'ES') }, options)
    expect(own.log.observations).toHaveLength(2)
  })

  test('registers the sources that a mapping names, and parks the others in the name of the operator', async () => {
    const text = 'ref;name;price;vendor;region;trust\nA;Brick;1,50;uno;ES;90\nB;Sand;2,50;Dos;PT;70\n'
    const mapping = { ...bySource, sources: { allow: ['Uno'], trust_max: 40 } }
    const { log, report } = await crawled(
      { 'f.csv': text },
      { source: 'Norte', currency: 'EUR', observedAt: '2026-11-01', mapping, newSources: true },
    )
    expect(report.parked).toEqual({ SOURCE_NOT_ALLOWED: 1 })
    expect(log.of<SourceRegistered>('SourceRegistered')).toMatchObject([{ source: { name: 'uno' }, trust_score: 40 }])
    expect(log.parked).toMatchObject([{ source_id: sourceIdOf({ name: 'Norte', region: null }) }])
  })

  test('separates the sources of one file, and registers those with an observation', async () => {
    const text =
      'ref;name;price;vendor;region;trust\nA;Brick;1,50;Uno;ES;60\nA;Stone;1,50;Dos;PT;70\nB;Sand;;Tres;ES;80\nC;Lime;2,50;UNO;ES;10\n'
    const options = { currency: 'EUR', observedAt: '2026-11-01', kind: 'bid', mapping: bySource, newSources: true }
    const result = await crawled({ 'f.csv': text }, options)
    expect(result.report.sources.map(({ name }) => name)).toEqual(['Uno', 'Dos', 'Tres'])
    expect(
      result.log
        .of<SourceRegistered>('SourceRegistered')
        .map(({ source, trust_score, kind, validity_days }) => [source.name, trust_score, kind, validity_days]),
    ).toEqual([
      ['Uno', 60, 'bid', 180],
      ['Dos', 70, 'bid', 180],
    ])
    // A source in other letter case is the same source, under its first spelling.
    expect(result.log.observations.map(({ source }) => source.name)).toEqual(['Uno', 'Dos', 'Uno'])
    expectLaw(result)
  })

  test('keeps 4 KB of the raw text of parked records, without e-mail addresses, NUL and excess', async () => {
    const excess = `B;jane@example.org;${'ñ'.repeat(70_000)}`
    const lines = [row('jane@example.org', { name: 'Sand' }), `${excess}\n`, 'C;\0x\n']
    const { log } = await crawled({ 'f.csv': heading + lines.join('') })
    expect(log.parked.map(({ reason }) => reason)).toEqual([
      'PERSONAL_DATA',
      'WRONG_COLUMN_COUNT',
      'WRONG_COLUMN_COUNT',
    ])
    const [personal, long, nul] = log.parked.map(({ raw }) => raw)
    expect(personal).toBe('[e-mail address removed];Sand;u;1,50;EUR;01/11/2026')
    expect(long).toMatch(/^B;\[e-mail address removed\];ñ+/)
    expect(Buffer.byteLength(long as string)).toBeLessThanOrEqual(RAW_KEPT_BYTES_MAX)
    expect(Buffer.byteLength(long as string)).toBeGreaterThan(RAW_KEPT_BYTES_MAX - 10)
    expect(log.parked.map(({ raw_sha256 }) => raw_sha256)).toEqual([undefined, sha256Hex(excess), undefined])
    expect(nul).toBe('C;x')
  })

  test('given addresses and hidden characters in every text, when the file is crawled, then no event has them', async () => {
    const dirty = 'jane.doe@\u200bexample.org \u202e'
    const rows = [
      row('A', { name: `Brick ${dirty}`, unit: `u ${dirty}` }),
      `${dirty};x\n`,
      row(`B ${dirty}`, { name: '' }),
    ]
    const { log } = await crawled({ 'f jane@example.org.csv': heading + rows.join('') })
    const written = JSON.stringify(log.appends)
    expect(log.observations).toHaveLength(1)
    expect(log.parked).toHaveLength(2)
    expect(written).not.toMatch(/jane|\u202e|\u200b/)
  })

  test('given a bomb among good files, when they are crawled, then nothing of it counts but one dead letter', async () => {
    const bomb = gzipSync(heading + row('A') + row('B') + 'x'.repeat(32 * 1024 ** 2))
    const result = await crawled({ 'a.csv.gz': bomb, 'b.csv': heading + row('A') + row('B', { name: 'Sand' }) })
    // The bomb has A as well, and B under another name: neither makes a duplicate or a conflict.
    expect(result.report).toMatchObject({
      read: 3,
      appended: 2,
      duplicates: 0,
      parked: { BAD_GZIP: 1 },
      complete: false,
    })
    expect(result.report.problems).toMatchObject([
      { code: 'BAD_GZIP', detail: expect.stringMatching(/^a\.csv: a\.csv inflates from \d+ bytes/) },
    ])
    expectLaw(result)
  })

  test('given a file of which nothing can be read, when its dead letters outgrow it, then it has one alone', async () => {
    const result = await crawled({ 'f.csv': `${heading}${'x\n'.repeat(20_000)}` })
    expect(result.report).toMatchObject({ read: 1, parked: { TOO_MANY_REFUSED: 1 }, complete: false })
    expect(result.log.parked[0]?.detail).toMatch(
      /^100\d\d of the first 100\d\d records cannot be recorded, the last at f\.csv line \d+: WRONG_COLUMN_COUNT/,
    )
    expectLaw(result)
  })

  test('appends in batches that a log can take', async () => {
    const rows = Array.from({ length: 2_500 }, (_, i) => row(`R${i}`)).join('')
    const { log } = await crawled({ 'f.csv': heading + rows })
    const sizes = log.appends.filter(({ topic }) => topic === TOPICS.observations).map(({ keys }) => keys.length)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(BATCH_RECORDS_MAX)
    expect(sum(Object.fromEntries(sizes.entries()))).toBe(2_501)
  })

  test('refuses prices of the future by its own clock, 10 minutes allowed', async () => {
    const dates = ['2026-11-21T10:10:00Z', '2026-11-21T10:10:01Z'].map((date, i) => row(`R${i}`, { date }))
    expect((await crawled({ 'f.csv': heading + dates.join('') })).report).toMatchObject({
      appended: 1,
      parked: { FUTURE_OBSERVATION: 1 },
    })
  })

  test('of a file that changes after it was parsed appends what it surveyed', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    const path = join(folder.path, 'f.csv')
    await writeFile(path, heading + Array.from({ length: 2_001 }, (_, i) => row(`A${i}`)).join(''))
    const change = async () => {
      await appendFile(path, row('B'))
      return new Set<string>()
    }
    const log = new Kept()
    const deps = depsOf(folder.path, { log, registeredSources: change, spillBytesMax: 90_000 })
    const [report] = await crawl([{ path }], deps)
    expect(report).toMatchObject({ read: 2_001, appended: 2_001, complete: true })
    expectLaw({ report: report as CrawlReport, log })
  })

  test('parses each file once, also one that is refused after it gave records, and a price book', async () => {
    const parsed: string[] = []
    const readFile: ReadFile = (file, ...how) => {
      parsed.push(file.name)
      return readHere(file, ...how)
    }
    const book = '~V|Bank|FIEBDC-3/2016\\01112026|p||UTF-8|\n~C|W|u|Wall|2|011126|0|\n~D|W|B\\1\\1\\|\n'
    const files = {
      'a.csv': `${heading}${row('A')}${'x\n'.repeat(20_000)}`,
      'b.csv': heading + row('A', { name: 'Sand' }),
      'c.bc3': book,
    }
    const found: Crawled[] = []
    for (const spillBytesMax of [undefined, 90_000]) {
      const result = await crawled(files, { source: 'Shop', currency: 'EUR' }, { readFile, spillBytesMax })
      expect(result.report).toMatchObject({ read: 3, appended: 2, recipes: { read: 1, appended: 1 } })
      expect(result.report.parked).toEqual({ TOO_MANY_REFUSED: 1 })
      expect(result.report.detected.map(({ file }) => file)).toEqual(['a.csv', 'b.csv', 'c.bc3'])
      expectLaw(result)
      found.push(result)
    }
    expect(parsed).toEqual(['a.csv', 'b.csv', 'c.bc3', 'a.csv', 'b.csv', 'c.bc3'])
    expect(found[0]?.log.events).toEqual(found[1]?.log.events)
  })

  test.each(['read', 'append'])('that is aborted while it has to %s leaves no temporary files', async (during) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    await writeFile(join(folder.path, 'f.csv'), priceList(4_000))
    const stopping = new AbortController()
    const onProgress: CrawlDeps['onProgress'] = ({ work, done, total }) => {
      if (work === during && done > total / 2) stopping.abort(new Error('stopped'))
    }
    const { signal } = stopping
    const deps = depsOf(folder.path, { log: new Kept(), spillBytesMax: 10_000, signal, onProgress })
    await expect(crawl([{ path: join(folder.path, 'f.csv') }], deps)).rejects.toThrow('stopped')
    expect(await readdir(deps.spoolDir)).toEqual([])
  })

  test('of many inputs reads the next while it appends one, and appends the same in the same order', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    const inputs = ['a', 'b', 'c', 'd'].map((name, at) => ({ path: join(folder.path, `${name}.csv`), rows: 5 - at }))
    for (const { path, rows } of inputs)
      await writeFile(path, heading + Array.from({ length: rows }, (_, i) => row(`A${i}`)).join(''))
    const found: { log: Kept; reports: CrawlReport[]; readFirst: number }[] = []
    for (const readAtOnce of [undefined, 1, 2, 4]) {
      const log = new Kept()
      const read: string[] = []
      let readFirst = 0
      const readFile: ReadFile = async function* (...given) {
        yield* readHere(...given)
        read.push(given[0].name)
      }
      const append: Kept['append'] = async (...given) => {
        // The first append waits for those that are read beside it.
        while (readFirst === 0 && read.length < (readAtOnce ?? 1)) await new Promise((resolve) => setImmediate(resolve))
        if (readFirst === 0) readFirst = read.length
        await log.append(...given)
      }
      let crawls = 0
      const newCrawlId = () => `c${++crawls}`
      const reports = await crawl(
        inputs,
        depsOf(folder.path, {
          log: { append },
          readFile,
          readAtOnce: readAtOnce === undefined ? undefined : () => readAtOnce,
          newCrawlId,
        }),
      )
      found.push({ log, reports, readFirst })
    }
    expect(found.map(({ readFirst }) => readFirst)).toEqual([1, 1, 2, 4])
    for (const { log, reports } of found) {
      expect([log.appends, log.events, reports]).toEqual([
        found[0]?.log.appends,
        found[0]?.log.events,
        found[0]?.reports,
      ])
      expect(reports.map(({ appended }) => appended)).toEqual([5, 4, 3, 2])
    }
  })

  test('of many inputs ends with the first that fails, after those before it and before those behind it', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    const inputs = ['a', 'b', 'c', 'd'].map((name) => ({ path: join(folder.path, `${name}.csv`) }))
    for (const { path } of inputs) await writeFile(path, priceList(2_000))
    for (const readAtOnce of [1, 2, 4]) {
      const log = new Kept()
      const readFile: ReadFile = (file, ...how) => {
        if (file.name === 'b.csv') throw new Error('the disk is broken')
        return readHere(file, ...how)
      }
      const deps = depsOf(folder.path, { log, readFile, readAtOnce: () => readAtOnce, spillBytesMax: 10_000 })
      await expect(crawl(inputs, deps)).rejects.toThrow('the disk is broken')
      expect(new Set(log.observations.map(({ source }) => source.name))).toEqual(new Set(['a']))
      expect(log.of('CrawlFinished')).toHaveLength(1)
      expect(await readdir(deps.spoolDir)).toEqual([])
    }
  })

  test('names a missing input before it appends anything', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    await writeFile(join(folder.path, 'f.csv'), heading + row('A'))
    const log = new Kept()
    const inputs = [{ path: folder.path }, { path: join(folder.path, 'nowhere') }]
    await expect(crawl(inputs, depsOf(folder.path, { log }))).rejects.toThrow(InputNotFound)
    expect(log.events).toEqual([])
  })

  test('passes on what the log throws, and leaves no temporary files', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    await writeFile(join(folder.path, 'f.csv'), heading + row('A'))
    const deps = depsOf(folder.path, { log: { append: async () => Promise.reject(new Error('the log is full')) } })
    await expect(crawl([{ path: join(folder.path, 'f.csv') }], deps)).rejects.toThrow('the log is full')
    expect(await spoolOf(folder.path)).toEqual([])
  })

  test('of an input larger than its memory gives the same events', async () => {
    const text = priceList(4_000)
    const inMemory = await crawled({ 'f.csv': text })
    const onDisk = await crawled({ 'f.csv': text }, {}, { spillBytesMax: 90_000 })
    expect(onDisk.log.events).toEqual(inMemory.log.events)
    expect(onDisk.report).toEqual(
      inMemory.report.input === onDisk.report.input
        ? inMemory.report
        : { ...inMemory.report, input: onDisk.report.input },
    )
    expect(onDisk.report).toMatchObject({
      parked: { SKU_CONFLICT: expect.any(Number), WRONG_COLUMN_COUNT: expect.any(Number) },
    })
    expect(onDisk.report.duplicates).toBeGreaterThan(0)
    expectLaw(onDisk)
  })

  test('loses nothing of dirty files', async () => {
    const cell = fc.constantFrom(
      'A',
      'B',
      'Brick',
      '1,50',
      '0',
      '',
      '"',
      '"x',
      'EUR',
      'XYZ',
      '01/11/2026',
      'soon',
      'a@b.org',
      '\ufffd',
      'é',
      ';',
    )
    const line = fc.oneof(
      fc.array(cell, { minLength: 1, maxLength: 8 }).map((cells) => `${cells.join(';')}\n`),
      fc
        .tuple(fc.constantFrom('A', 'B'), fc.constantFrom('Brick', 'Stone'), fc.constantFrom('1,50', '2'))
        .map(([ref, name, price]) => row(ref, { name, price })),
    )
    const jsonLine = fc
      .record({ ref: cell, name: cell, price: cell, currency: cell })
      .map((value) => `${JSON.stringify(value)}\n`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 25 }),
        fc.array(fc.oneof(jsonLine, line), { maxLength: 10 }),
        async (csv, jsonl) => {
          const result = await crawled(
            { 'f.csv': heading + csv.join(''), 'g.jsonl': jsonl.join('') },
            { source: 'Shop', observedAt: '2026-11-01' },
          )
          expectLaw(result)
        },
      ),
      { numRuns: 30 },
    )
  })
})

describe('a price book', () => {
  const book = (blankLines = 0) =>
    `~V|Bank|FIEBDC-3/2016\\01112026|p||UTF-8|\n${'\n'.repeat(blankLines)}~C|WALL|m2|Wall|16.50|011126|0|
~D|WALL|BRICK\\50\\1\\MASON\\1\\0.3\\|\n~C|BRICK|u|Brick|0.20|011126|3|\n~C|MASON|h|Mason|x|011126|1|
~C|ROOF|m2|Roof|9|011126|0|\n~D|ROOF|BRICK\\?\\1\\|\n~C|01#||Chapter|5|011126|0|\n~D|01#|WALL\\1\\1\\|\n`
  const recipes = ({ log }: Crawled) => log.of<RecipeRecorded>('RecipeRecorded')

  test('brings its recipes beside its prices, with counts of their own', async () => {
    const result = await crawled(
      { 'bank.bc3': book() },
      { source: 'Bank', region: 'ES', currency: 'EUR' },
      { input: 'bank.bc3' },
    )
    expectLaw(result)
    expect(result.report).toMatchObject({
      read: 5,
      appended: 3,
      parked: { BAD_PRICE: 1, NOT_A_PRICE: 1 },
      recipes: { read: 2, appended: 1, refused: { BAD_NUMBER: 1 } },
    })
    const [wall] = recipes(result)
    expect(wall).toMatchObject({
      vendor_ref: 'WALL',
      unit: 'm2',
      declared_price: '16.50',
      currency: 'EUR',
      crawl_id: 'c1',
      position: 'bank.bc3 line 3 ~D WALL',
      components: [
        { vendor_ref: 'BRICK', kind: 'material', factor: '50', price: '0.20' },
        { vendor_ref: 'MASON', kind: 'labor', yield: '0.3', price: null },
      ],
    })
    expect(wall?.source).toEqual(result.log.observations[0]?.source)
    // The recipe goes to the partition of its SKU, before CrawlFinished.
    expect(result.log.appends.flatMap(({ keys }) => keys).slice(-2)).toEqual([
      `${wall?.source.id}/WALL`,
      `${wall?.source.id}/`,
    ])
  })

  test('keeps the ids of its recipes when it is crawled again or changes its place in the file', async () => {
    const [first] = recipes(await crawled({ 'bank.bc3': book() }, { source: 'Bank', currency: 'EUR' }))
    const deps = { newCrawlId: () => 'c2', now: () => new Date('2026-11-22T10:00:00Z') }
    const [again] = recipes(await crawled({ 'moved.bc3': book(3) }, { source: 'Bank', currency: 'EUR' }, deps))
    expect([again?.event_id, again?.crawl_id, again?.position]).toEqual([
      first?.event_id,
      'c2',
      'moved.bc3 line 6 ~D WALL',
    ])
    const dearer = book().replace('50\\1', '52\\1')
    expect(recipes(await crawled({ 'bank.bc3': dearer }, { source: 'Bank', currency: 'EUR' }))[0]?.event_id).not.toBe(
      first?.event_id,
    )
  })

  test('may be a table whose mapping says where the components of its works stand', async () => {
    const list =
      'work,code,text,unit,coefficient,price\nW1,,Wall,m2,,16.50\nW1,BRICK,Brick,u,50,0.20\nW1,MASON,Mason,h,0.3,\n'
    const columns = { vendor_ref: 'work', name: 'text', unit: 'unit', price: 'price' }
    const recipeColumns = {
      vendor_ref: 'work',
      component_ref: 'code',
      name: 'text',
      unit: 'unit',
      quantity: 'coefficient',
    }
    const mapping = { columns, recipes: { columns: recipeColumns } }
    for (const files of [{ 'list.csv': list }, { 'list.zip': zipOf({ 'list.csv': list }) }]) {
      const result = await crawled(files, { source: 'Bank', currency: 'EUR', observedAt: '2026-11-01', mapping })
      expectLaw(result)
      expect(result.report.recipes).toEqual({ read: 1, appended: 1, refused: {} })
      const [wall] = recipes(result)
      expect(wall).toMatchObject({
        vendor_ref: 'W1',
        currency: 'EUR',
        observed_at: '2026-11-01T00:00:00Z',
        components: [
          { vendor_ref: 'BRICK', yield: '50', kind: 'unclassified', price: null },
          { vendor_ref: 'MASON', yield: '0.3' },
        ],
      })
      expect(wall?.position).toMatch(/list\.csv line 2$/)
    }
  })

  test('may be sheets of a workbook beside those of its prices, read once and dated by its edition', async () => {
    const prices = (price: number) => [
      ['work', 'text', 'price', '10/2026'],
      ['W1', 'Wall', price],
    ]
    const lines = [
      ['work', 'code', 'coefficient'],
      ['W1', 'BRICK', 50],
    ]
    const workbook = await newWorkbook({ North: prices(16.5), South: prices(17.5), Analytic: lines })
    const recipeColumns = { vendor_ref: 'work', component_ref: 'code', quantity: 'coefficient' }
    const mapping = {
      sheet: ['North', 'South'],
      columns: { vendor_ref: ['work', '_sheet'], name: 'text', price: 'price' },
      edition: { cell: 'D1', format: 'MM/YYYY' },
      recipes: { sheet: 'Analytic', columns: recipeColumns },
    }
    for (const files of [{ 'list.xlsx': workbook }, { 'list.zip': zipOf({ 'list.xlsx': workbook }) }]) {
      const result = await crawled(files, { source: 'Bank', currency: 'EUR', observedAt: '2026-11-01', mapping })
      expectLaw(result)
      expect(result.log.observations.map(({ vendor_ref }) => vendor_ref)).toEqual(['W1|North', 'W1|South'])
      expect(result.report.recipes).toEqual({ read: 1, appended: 1, refused: {} })
      expect(recipes(result)).toMatchObject([
        { vendor_ref: 'W1', observed_at: '2026-10-01T00:00:00Z', components: [{ vendor_ref: 'BRICK', yield: '50' }] },
      ])
    }
  })

  test('in an archive or a folder is read like a single one', async () => {
    const [alone] = recipes(await crawled({ 'bank.bc3': book() }, { source: 'Bank', currency: 'EUR' }))
    const packed = await crawled(
      { 'a.zip': zipOf({ 'x.csv': heading + row('A'), 'bank.bc3': book() }) },
      { source: 'Bank', currency: 'EUR' },
    )
    expect(recipes(packed).map(({ event_id, position }) => [event_id, position])).toEqual([
      [alone?.event_id, 'a.zip/bank.bc3 line 3 ~D WALL'],
    ])
    const files = { 'a.csv': heading + row('A'), 'b/bank.bc3': book() }
    expect(recipes(await crawled(files, { source: 'Bank', currency: 'EUR' }))[0]?.event_id).toBe(alone?.event_id)
  })
})

test('a preview shows the records to record and to park, and the detected format', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
  const path = join(folder.path, 'f.csv')
  await writeFile(path, `${heading}${row('A')}broken a@b.org\n${row('B')}${row('C')}`)
  const shown = await preview({ path, options: { source: 'Shop' } }, { now: () => new Date('2026-11-21') }, 2)
  expect(shown.observations.map(({ vendor_ref }) => vendor_ref)).toEqual(['A', 'B'])
  expect(shown.parked).toEqual([
    {
      position: 'f.csv line 3',
      reason: 'WRONG_COLUMN_COUNT',
      detail: 'the row has 1 fields, expected 6',
      raw: 'broken [e-mail address removed]',
    },
  ])
  expect(shown.detected).toMatchObject([{ file: 'f.csv', delimiter: ';', decimal: ',', date_order: 'dmy' }])
})

const named = process.env.REAL_INPUTS_DIR
const realInputs = resolve(import.meta.dirname, '../../..', named ?? '../shared/data')
const present = existsSync(realInputs)
if (!present && named !== undefined) throw new Error(`REAL_INPUTS_DIR=${named}: no such folder`)

describe.skipIf(!present)(`real inputs${present ? '' : ` (skipped: ${realInputs} is absent)`}`, () => {
  const columns = {
    name: 'name',
    unit: 'unit',
    price: 'price_median',
    currency: 'currency',
    category_path: ['parent_category', 'parent_collection', 'parent_department', 'parent_section'],
  }
  async function crawledThere(file: string, options: InputOptions): Promise<Crawled> {
    await using spool = await mkdtempDisposable(join(tmpdir(), 'crawl-test-'))
    const log = new Kept()
    const deps = depsOf(spool.path, { log })
    const [report] = await crawl([{ path: join(realInputs, file), options }], deps)
    return { report: report as CrawlReport, log, spool: await spoolOf(spool.path) }
  }

  test.each(['DE_BERLIN', 'FR_PARIS', 'PT_SAOPAULO', 'SP_BARCELONA', 'UK_GBP', 'USA_USD'])(
    'the law holds for the price list %s',
    async (place) => {
      const mapping = { columns: { ...columns, vendor_ref: ['resource_code', 'type'] } }
      const result = await crawledThere(`cwicr/DDC_CWICR_${place}_Catalog.csv`, {
        source: place,
        observedAt: '2025-06-01',
        mapping,
      })
      expectLaw(result)
      expect(result.report.read).toBe(7_184)
      // The refused record has a price of zero.
      expect(Object.keys(result.report.parked)).toEqual(['BAD_PRICE'])
      expect(result.report.appended).toBeGreaterThan(7_150)
    },
    30_000,
  )

  test('parks every record of a code with two products', async () => {
    const mapping = { columns: { ...columns, vendor_ref: 'resource_code' } }
    const result = await crawledThere('cwicr/DDC_CWICR_SP_BARCELONA_Catalog.csv', {
      source: 'Bank',
      observedAt: '2025-06-01',
      mapping,
    })
    expectLaw(result)
    expect(result.report.parked.SKU_CONFLICT).toBe(2 * 514)
  }, 30_000)

  test('the law holds for every BC3 file', async () => {
    const files = (await readdir(join(realInputs, 'bc3'))).filter((file) => /\.bc3$/i.test(file))
    expect(files.length).toBeGreaterThan(0)
    for (const file of files) {
      const result = await crawledThere(`bc3/${file}`, { observedAt: '2005-06-01' })
      expectLaw(result)
      const { complete, read, problems } = result.report
      // One file holds measurements alone.
      expect([complete, problems.map(({ code }) => code)]).toEqual(read > 0 ? [true, []] : [false, ['NOTHING_READ']])
      for (const { name } of result.log.observations) expect(name).not.toMatch(/[\ufffd├┬]/)
    }
  }, 30_000)
})
