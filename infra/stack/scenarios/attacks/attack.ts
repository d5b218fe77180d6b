import { mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEvaluator } from '@catalog/aggregator/evaluate.ts'
import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { METHOD_OF_NEW_CATALOGS } from '@catalog/core/median/methods.ts'
import { instant } from '@catalog/core/time.ts'
import { crawl } from '@catalog/crawler/ingest/crawl.ts'
import { parseMapping } from '@catalog/formats/mapping/mapping.ts'
import type { Path } from '@catalog/stack/path/path.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event } from '@catalog/stack/testing/events.ts'
import { registeredSources } from '@catalog/store/builds/status.ts'
import { expect } from 'vitest'

/**
 * What a file can do to a published item: each attack goes the way of a real one, through a crawl and a run by the method of new
 * catalogs, after four honest vendors delivered twice. The law: no median leaves the spread of its honest vendors.
 */
export const NAME = 'Placa de yeso laminado 13 mm'
export const HONEST = [
  { source: 'Obramat', trust: 70, price: '4,71' },
  { source: 'Almacenes Norte', trust: 60, price: '4,60' },
  { source: 'Bricomart', trust: 60, price: '4,85' },
  { source: 'Materiales Sur', trust: 50, price: '4,95' },
]
const SPREAD = [460, 495] as const
export const HEAD = 'ref;name;unit;price;currency;date;tax'
export const line = (
  price: string,
  { ref = 'PYL-13', name = NAME, unit = 'm2', currency = 'EUR', date = '01/03/2026', tax = 'no' } = {},
) => [ref, name, unit, price, currency, date, tax].join(';')
export const FAR = line('0,05', { date: '09/03/2026' })
const MAPPING = `columns: { vendor_ref: ref, name: name, unit: unit, price: price, currency: currency, observed_at: date, tax_included: tax }`
/** The mapping with further columns, such as "gtin: ean", and keys such as sources. */
export const mappingOf = (columns: string, keys = '') => `${MAPPING.replace(' }', `, ${columns} }`)}\n${keys}`
export const list = (...lines: string[]) => [HEAD, ...lines].join('\n')

export type Sent = Readonly<{
  source: string
  trust?: number
  text: string
  file?: string
  /** Null: the headings are guessed. */
  mapping?: string | null
  newSources?: boolean
  currency?: string
  observedAt?: string
  lang?: string
}>

export type Seen = Readonly<{
  cents: number
  currency: string
  votes: number
  excluded: readonly string[]
  state: PublicState
}>

let crawls = 0
/** Crawls a file as `catalog crawl FILE --source S --region ES` does. */
async function sendThrough(
  path: Path,
  { source, trust = 50, text, file = 'prices.csv', mapping = MAPPING, ...more }: Sent,
) {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'attacks-'))
  await writeFile(join(folder.path, file), text)
  const mapped = mapping !== null && { mapping: parseMapping(mapping, 'm.yaml') }
  const options = { source, region: 'ES', trust, ...more, ...mapped }
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

/** The item that a vendor's SKUs stand in. */
async function lookAt(path: Path, vendor = 'Obramat'): Promise<Seen> {
  const [row] = await path.store.query<{ public_state: string; basis: string }>(
    `select public_state, basis from items where state = 'active' and vendor_sku_ids && (
       select array_agg(vendor_sku_id) from vendor_skus join sources using (source) where name = $1)`,
    [vendor],
  )
  const state = JSON.parse(row?.public_state as string) as PublicState
  const basis = JSON.parse(row?.basis as string) as Basis
  // A fenced price alone publishes nothing, so the reasons come from the facts, as catalog explain gives them.
  const evaluator = await openEvaluator(path.store, { asOf: instant(new Date(path.nowMs)), positions: null })
  const excluded = (await evaluator.evaluate([state.item.id]))[0]?.repriced.basis.excluded ?? []
  const { cents, currency } = state.item.median_price as { cents: number; currency: string }
  return {
    cents,
    currency,
    votes: basis.votes.length,
    excluded: [...new Set(excluded.map(({ reason }) => reason))].sort(),
    state,
  }
}

/** A catalog that attacks of one test file go through. */
export async function openAttacks() {
  const path = await pathOfFile()
  const send = (sent: Sent) => sendThrough(path, sent)
  const look = (vendor?: string) => lookAt(path, vendor)
  async function run(): Promise<void> {
    path.nowMs += 60_000
    await path.run(instant(new Date(path.nowMs)))
  }

  /** A catalog of the four honest vendors after its first run. */
  async function begin(honest = HONEST): Promise<void> {
    await path.reset()
    path.nowMs = Date.parse('2026-03-10T06:00:00Z')
    const { name: method } = METHOD_OF_NEW_CATALOGS
    await path.append([event({ type: 'MethodChanged', decided_at: '2026-01-01T00:00:00Z', method, reason: 'new' })])
    for (const day of ['01/03/2026', '08/03/2026']) {
      for (const { source, trust, price } of honest)
        await send({ source, trust, text: list(line(price, { date: day })) })
    }
    await run()
    const first = await look()
    expect(first).toMatchObject({ currency: 'EUR', votes: 4, excluded: [], state: { item: { name: NAME } } })
  }

  /** The same bytes come from a full run and from a replay of the log. */
  async function reproduced(): Promise<void> {
    const { catalog } = await path.roots()
    await path.run(instant(new Date(path.nowMs)), { full: true })
    expect((await path.roots()).catalog).toBe(catalog)
    await path.rebuild()
    expect((await path.roots()).catalog).toBe(catalog)
  }

  /** Runs, and holds the law: medians of every market, the name, and equal bytes by increments, in full and by replay. */
  async function held(): Promise<Seen> {
    await run()
    await reproduced()
    const after = await look()
    for (const { median_price } of [after.state.item, ...after.state.markets]) {
      expect(median_price?.cents).toBeGreaterThanOrEqual(SPREAD[0])
      expect(median_price?.cents).toBeLessThanOrEqual(SPREAD[1])
    }
    expect([after.currency, after.state.item.name]).toEqual(['EUR', NAME])
    return after
  }
  return { path, send, run, look, begin, held, reproduced }
}
