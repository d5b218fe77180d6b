import { explain } from '@catalog/cli/inspect/explain.ts'
import { showTaxRules } from '@catalog/cli/review/decision-lists.ts'
import { WAITING } from '@catalog/cli/review/review-lists.ts'
import { showList } from '@catalog/cli/shared/list.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { overrideObservation } from '@catalog/operations/decisions/items.ts'
import { setTaxRule } from '@catalog/operations/decisions/tax.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { catalogOf, heardBy } from '@catalog/stack/path/commands.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'

let nowMs: number
const path = await pathOfFile()

/** Runs a command as an operator; returns its answer for programs and its text for people. */
async function run(command: Parameters<typeof heardBy>[1]) {
  const catalog = { ...catalogOf(path, () => new Date(nowMs)), aggregator: {} } as Catalog
  const { answers, text } = await heardBy(catalog, command)
  return { answer: answers[0], text }
}

const cement = { ref: 'C', name: 'Cemento CEM II 42,5', at: '2026-01-05T06:00:00Z' }
const honest = ['Norte', 'Sur', 'Este'].map((vendor, i) => {
  const price = { cents: 121 + i, currency: 'EUR', per_quantity: 1, kind: 'list' as const }
  const tax = vendor === 'Sur' ? { included: null } : { included: true, rate: '0.21' }
  return observation({ ...cement, vendor, crawl: vendor, more: { price: { ...price, tax } } })
})
const far = ['Falso', 'Invento'].map((vendor) =>
  observation({ ...cement, vendor, cents: 1, crawl: 'attack', recordedAt: '2026-01-06T07:00:00Z' }),
)

beforeEach(async () => {
  await path.reset()
  nowMs = Date.parse('2026-01-10T09:00:00Z')
  await path.append([
    event({ type: 'MethodChanged', decided_at: '2026-01-01T00:00:00Z', method: 'twm/3', reason: 'new' }),
    ...['Norte', 'Sur', 'Este', 'Falso', 'Invento'].map((vendor) => registration({ vendor, trust: 50 })),
    ...honest,
    ...far,
  ])
  await path.run('2026-01-10T02:00:00Z')
})

describe('first prices in quarantine', () => {
  const waiting = (options: { after?: string; limit?: number } = {}) =>
    run((catalog, terminal) => showList(WAITING, { catalog, terminal }, { limit: 50, ...options }))

  test('are listed page by page with the price, the article and the median without them', async () => {
    const { answer, text } = await waiting()
    const { prices } = answer as { prices: { observation_id: string }[] }
    expect(prices).toHaveLength(2)
    expect(prices[0]).toMatchObject({
      article: cement.name,
      cents: 1,
      currency: 'EUR',
      per_quantity: 1,
      vendor_unit: 'kg',
      median_cents: 102,
    })
    expect(text).toContain('0.01 EUR for 1 kg')
    const first = (await waiting({ limit: 1 })).answer as { prices: unknown[]; cursor: string }
    expect(first.prices).toEqual(prices.slice(0, 1))
    expect((await waiting({ after: first.cursor })).answer).toEqual({ prices: prices.slice(1), cursor: null })
    await expect(waiting({ after: 'x' })).rejects.toThrow("--after 'x': expected a cursor of catalog review waiting")
  })

  test('vote after a person released them, and the list is empty then', async () => {
    for (const { event_id } of far) {
      await run((catalog) =>
        overrideObservation(catalog, {
          type: 'ObservationReleased',
          observationId: event_id,
          reason: 'a sale',
        }),
      )
    }
    await path.run('2026-01-11T02:00:00Z')
    expect((await waiting()).answer).toEqual({ prices: [], cursor: null })
    expect((await waiting()).text).toBe('no first price waits')
    const [item] = await path.store.query<{ cents: number }>(
      `select (item_json::jsonb->'median_price'->>'cents')::int as cents from items`,
    )
    expect(item).toEqual({ cents: 100 })
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })
})

describe('catalog tax', () => {
  const set = (region: string, flags: { notStated?: string; grossWithoutRate?: string }) =>
    run((catalog) => setTaxRule(catalog, { region, flags: { reason: 'asked', ...flags } }))
  const rules = async () =>
    (
      (await run((catalog, terminal) => showTaxRules({ catalog, terminal }))).answer as {
        regions: { region: string; sources: number }[]
      }
    ).regions

  test('changes what is named, keeps the rest, and the next run goes by it', async () => {
    await set('es', { notStated: 'majority' })
    await set('ES', { grossWithoutRate: 'standard_rate' })
    expect((await rules()).find(({ region }) => region === 'ES')).toEqual({
      region: 'ES',
      sources: 5,
      not_stated: 'majority',
      gross_without_rate: 'standard_rate',
      standard_rate: '0.21',
    })
    expect((await path.run('2026-01-11T02:00:00Z'))[0]).toMatchObject({ itemsEvaluated: 1, changed: 1 })
    const [item] = await path.store.query<{ id: string }>(`select item_id as id from items`)
    const explained = await run((catalog, terminal) => explain(catalog, terminal, { itemId: item?.id as string }))
    expect(explained.text).toContain('tax: net 0, gross with rate 2, gross without rate 0, not stated 1')
    expect(explained.text).toContain('not stated - 0.21 (majority)')
    expect(explained.text).toMatch(/FIRST_PRICE_QUARANTINED [0-9a-f]{64} Falso Cemento CEM II 42,5/)
    expect(explained.text).toMatch(/MARKET +MEDIAN +VOTERS +VENDORS\nES +1.01 EUR +3 +5/)
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
  })

  test('refuses what it cannot apply', async () => {
    await expect(set('US', { grossWithoutRate: 'standard_rate' })).rejects.toThrow('US has no standard rate here')
    await expect(set('ES', {})).rejects.toThrow('expected --not-stated or --gross-without-rate')
    await expect(set('Spain', { notStated: 'majority' })).rejects.toThrow("region 'Spain': expected the region")
    await expect(set('ES', { notStated: 'most' })).rejects.toThrow("--not-stated 'most': expected as_is or majority")
    expect((await rules()).every((rule) => (rule as { not_stated?: string }).not_stated === 'as_is')).toBe(true)
  })
})
