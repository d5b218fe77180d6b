import { rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import { crawlInputs } from '@catalog/cli/crawl/crawl-inputs.ts'
import { sourceIdOf } from '@catalog/core/events/ids.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import type { QualityAnswer, SourceQuality } from '@catalog/operations/sources/quality.ts'
import { readEnvironment } from '@catalog/runtime/env.ts'
import { listening, openTestCatalog, type TestCatalog } from '@catalog/stack/testing/cli.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type QualityFlags, reportQuality } from './quality.ts'

const NOW = '2026-03-20T00:00:00Z'
const HEAD = 'ref,name,unit,price,vat_included,vat_rate,date\n'
/** Four vendors of cement and sand. Odd has unknown units, open taxes, and cement at five times the others' price. */
const FILES = {
  Norte: 'a,Portland cement,t,100.00,false,,2026-03-01\nb,River sand,m3,20.00,false,,2026-03-10\n',
  Sur: 'a,Portland cement,t,110.00,false,,2026-03-02\nb,River sand,m3,21.00,false,,2026-03-02\n',
  Este: 'a,Portland cement,t,120.00,true,0.21,2026-03-02\n',
  Odd: `a,Portland cement,t,500.00,,,2026-03-05
b,River sand,m3,20.50,true,,2026-03-05
c,Roof tile <b>red</b>,tramex,3.00,,,2026-03-05
d,Ridge tile,tramex,4.00,,,2026-02-01
e,Broken tile,t,abc,,,2026-03-05
`,
}
const ID = Object.fromEntries(Object.keys(FILES).map((name) => [name, sourceIdOf({ name, region: 'ES' })]))

let opened: TestCatalog
let folder: string
let catalog: Catalog
const envOf = () =>
  readEnvironment({ CATALOG_DATA: folder, CATALOG_SOURCES: join(folder, 'sources.yaml'), LOG_LEVEL: 'silent' })
beforeAll(async () => {
  opened = await openTestCatalog()
  folder = opened.folder
  catalog = { ...opened.catalog, now: () => new Date(NOW) }
  const { terminal } = listening()
  const mapping = {
    vendor_ref: 'ref',
    name: 'name',
    unit: 'unit',
    price: 'price',
    tax_included: 'vat_included',
    tax_rate: 'vat_rate',
    observed_at: 'date',
  }
  for (const [source, lines] of Object.entries(FILES)) {
    const path = join(folder, `${source}.csv`)
    writeFileSync(path, HEAD + lines)
    const options = { source, region: 'ES', currency: 'EUR', kind: 'shop', mapping: { columns: mapping } }
    await crawlInputs(catalog, terminal, [{ path, options } as never])
  }
  await aggregateRuns(catalog, terminal, { asOfs: [NOW], full: false })
})
afterAll(async () => {
  await catalog?.[Symbol.asyncDispose]()
  rmSync(folder, { recursive: true, force: true })
})

async function ask(flags: Partial<QualityFlags> = {}, { json = true, env = envOf() } = {}) {
  const { heard, terminal } = listening({ json })
  const context = { catalog, env, terminal, signal: new AbortController().signal }
  const isWithin = await reportQuality(context, { limit: '100', ...flags })
  return { ...heard, isWithin, answer: heard.answers[0] as QualityAnswer }
}
const of = (answer: QualityAnswer, name: string) =>
  answer.sources.find(({ source_id }) => source_id === ID[name]) as SourceQuality

/** A receiver of events on this machine, and the environment that names it. */
async function openReceiver(events: Record<string, unknown>[]) {
  const server = createServer(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    events.push(JSON.parse(body))
    response.end()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const own = {
    ALERT_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
    ALERT_WEBHOOK_SECRET: 'a-secret-of-sixteen',
    ALERT_ALLOWED_NETWORKS: '127.0.0.0/8',
  }
  return {
    env: (more: Record<string, string> = {}) =>
      readEnvironment({
        CATALOG_DATA: folder,
        CATALOG_SOURCES: join(folder, 'sources.yaml'),
        LOG_LEVEL: 'silent',
        ...own,
        ...more,
      }),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

describe('the quality of sources', () => {
  test('counts units, taxes, dead letters, ratios, suspects and age of each', async () => {
    const { answer, isWithin } = await ask()
    expect(isWithin).toBe(true)
    expect(answer.sources).toHaveLength(4)
    expect(of(answer, 'Odd').quality).toEqual({
      skus: 4,
      vendor_skus: 4,
      unknown_units: { count: 2, share: 0.5, examples: [{ unit: 'tramex', count: 2, vendor_ref: 'c' }] },
      tax: { net: 0, gross_with_rate: 0, gross_without_rate: 1, not_stated: 3, not_stated_share: 0.75 },
      parked: { open: 1, share: 0.2, reasons: [{ reason: 'BAD_PRICE', count: 1 }] },
      // 500 beside a median of 105, and 20.50 beside its own.
      dispersion: { compared: 2, p10: 1, p50: 1, p90: 4.762, beyond_2_share: 0.5 },
      suspect_merges: { count: 1, examples: [{ item_id: expect.any(String), name: 'Portland cement', ratio: 5 }] },
      staleness: { age_days: 15, validity_days: 30, expired_share: 0.25 },
      drift: null,
      first_seen_at: '2026-02-01T00:00:00Z',
      last_seen_at: '2026-03-05T00:00:00Z',
    })
    expect(of(answer, 'Este').quality.tax).toMatchObject({ gross_with_rate: 1, not_stated: 0, not_stated_share: 0 })
  })

  test('is shown a page at a time, or for one source by name', async () => {
    const first = await ask({ limit: '3' })
    expect(first.answer.sources).toHaveLength(3)
    const rest = await ask({ after: first.answer.cursor as string })
    expect(rest.answer.sources).toHaveLength(1)
    expect(rest.answer.cursor).toBeNull()
    const { answer, text } = await ask({ source: 'odd' }, { json: false })
    expect(answer.sources.map(({ name }) => name)).toEqual(['Odd'])
    expect(text).toMatch(/'tramex' 2 prices, such as c/)
    await expect(ask({ source: 'Nobody' })).rejects.toThrow(/--source 'Nobody': expected an id or a name/)
  })

  test('fails the command where a figure exceeds a threshold of the sources file', async () => {
    writeFileSync(
      join(folder, 'sources.yaml'),
      ['Odd', 'Norte']
        .map(
          (name) =>
            `  - { source: ${name}, region: ES, kind: shop, entry_points: ["https://${name}.example/p.csv"], quality: { unknown_units_max: 0.05, dispersion_max: 0.5, staleness_max_days: 12 } }\n`,
        )
        .reduce((text, source) => text + source, 'sources:\n'),
    )
    const { answer, isWithin } = await ask()
    expect(isWithin).toBe(false)
    expect(of(answer, 'Norte').breaches).toEqual([])
    expect(of(answer, 'Odd').breaches).toEqual([
      { code: 'UNKNOWN_UNITS', detail: '50 % of the prices have an unknown unit; expected at most 5 %' },
      { code: 'PRICES_STALE', detail: 'the newest price is 15 days old; expected at most 12' },
    ])

    const events: Record<string, unknown>[] = []
    await using receiver = await openReceiver(events)
    const { notes } = await ask({}, { env: receiver.env() })
    expect(notes).toEqual([])
    expect(events).toMatchObject([
      { type: 'quality.breached', source_id: ID.Odd, problems: [{ code: 'UNKNOWN_UNITS' }, { code: 'PRICES_STALE' }] },
    ])
    const refused = await ask({}, { env: receiver.env({ ALERT_ALLOWED_NETWORKS: '' }) })
    expect(refused.notes.join()).toMatch(/was not delivered.*public internet/)
    expect(refused.notes.join()).not.toContain('127.0.0.1')
    expect(events).toHaveLength(1)
    rmSync(join(folder, 'sources.yaml'))
  })
})
