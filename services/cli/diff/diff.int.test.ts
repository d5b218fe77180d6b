import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { aggregateRuns } from '@catalog/cli/aggregate/aggregate.ts'
import type { Catalog } from '@catalog/operations/catalog.ts'
import { listening, openTestCatalog, tell } from '@catalog/stack/testing/cli.ts'
import { observation, registration, sourceNamed, trustChanged } from '@catalog/stack/testing/events.ts'
import { closedAfterAll } from '@catalog/stack/testing/fixtures.ts'
import { latestRuns } from '@catalog/store/vendor/runs.ts'
import { beforeAll, expect, test } from 'vitest'
import type { DiffAnswer } from './answer.ts'
import { type DiffFlags, diffRuns } from './diff.ts'

const CEMENT = 'Cement'
const FIRST = '2026-01-10T00:00:00Z'
const SECOND = '2026-01-20T00:00:00Z'
const THIRD = '2026-03-20T00:00:00Z'
const GTIN = { cement: '4006381333931', sand: '4006381333948', brick: '4006381333955' }
const SOURCES = [
  { vendor: 'Norte', region: 'ES', trust: 60 },
  { vendor: 'Sur', region: 'ES', trust: 50 },
  { vendor: 'Este', region: 'FR', trust: 50 },
]

let folder: string
let catalog: Catalog
const price = (vendor: string, name: string, gtin: string, cents: number, at: string) =>
  observation({
    vendor,
    region: vendor === 'Este' ? 'FR' : 'ES',
    ref: gtin,
    name,
    cents,
    at,
    currency: 'EUR',
    crawl: `crawl-${at}`,
    more: { gtin },
  })
const runAt = (asOf: string) => aggregateRuns(catalog, listening().terminal, { asOfs: [asOf], full: false })

async function diff(runIds: readonly string[] = [], flags: Partial<DiffFlags> = {}) {
  const { heard, terminal } = listening()
  const signal = new AbortController().signal
  await diffRuns({ catalog, terminal, signal }, runIds[0], runIds[1], { limit: '50', ...flags })
  return { answer: heard.answers[0] as DiffAnswer, ...heard }
}
const moves = ({ changes }: DiffAnswer) =>
  changes.map(({ name, change, prices }) => [
    name,
    change,
    ...prices.map(({ region, before, after }) => `${region} ${before?.cents ?? '-'} ${after?.cents ?? '-'}`),
  ])
/** Run ids, earliest first. */
const runIds = async () => (await latestRuns(catalog.store, 10)).map(({ runId }) => runId).reverse()

const opened = closedAfterAll(await openTestCatalog())
beforeAll(async () => {
  ;({ catalog, folder } = opened)
  await tell(catalog, [
    ...SOURCES.map((source) => registration(source)),
    price('Norte', CEMENT, GTIN.cement, 100, '2026-01-05T00:00:00Z'),
    price('Sur', CEMENT, GTIN.cement, 120, '2026-01-05T00:00:00Z'),
    price('Este', CEMENT, GTIN.cement, 140, '2026-01-05T00:00:00Z'),
    price('Norte', 'Sand', GTIN.sand, 50, '2026-01-05T00:00:00Z'),
  ])
})

test('given fewer than two finished runs, then it says how to make one', async () => {
  await runAt(FIRST)
  await expect(diff()).rejects.toThrow(/expected two finished runs, .*catalog aggregate makes one/)
})

test('given a new price, a new item and a change of trust, then each is listed with the votes behind it', async () => {
  await tell(catalog, [
    price('Sur', CEMENT, GTIN.cement, 110, '2026-01-15T00:00:00Z'),
    price('Norte', 'Brick', GTIN.brick, 30, '2026-01-15T00:00:00Z'),
    trustChanged(sourceNamed('Este', 'FR').id, 10, '2026-01-16T00:00:00Z'),
  ])
  await runAt(SECOND)
  const { answer } = await diff()
  expect([answer.from.as_of, answer.to.as_of]).toEqual([FIRST, SECOND])
  expect(answer.counts).toEqual({ new: 1, gone: 0, merged: 0, price: 1 })
  expect([answer.rises, answer.falls, answer.left_out]).toEqual([0, 1, 0])
  expect(moves(answer)).toEqual([
    // 60 of a trust of 120 ask 100, so the median is the mean of 100 and 110; in Spain 60 of 110 still ask 100.
    [CEMENT, 'price', 'null 120 105', 'EU 120 105'],
    ['Brick', 'new', 'null - 30', 'ES - 30', 'EU - 30'],
  ])
  const [cement] = answer.changes
  expect(cement?.votes.map(({ source_id, change, reasons }) => [answer.sources[source_id], change, reasons])).toEqual(
    expect.arrayContaining([
      ['Sur', 'changed', ['PRICE', 'OBSERVATION']],
      ['Este', 'changed', ['TRUST']],
    ]),
  )
})

test('given prices that expired, then items go on without a price and the votes say why', async () => {
  await runAt(THIRD)
  const { answer } = await diff()
  expect(answer.counts.price).toBe(3)
  const votes = answer.changes.flatMap((change) => change.votes)
  expect(new Set(votes.map(({ change, reasons }) => `${change} ${reasons}`))).toEqual(new Set(['out EXPIRED']))
})

test('any two runs compare, whatever lies between them, and only forward', async () => {
  const [first, second, third] = (await runIds()) as [string, string, string]
  const { answer } = await diff([first, second])
  expect(answer.changes).toHaveLength(2)
  expect((await diff([first, third])).answer.to.run_id).toBe(third)
  await expect(diff([second, first])).rejects.toThrow(`expected catalog diff ${first} ${second}`)
  await expect(diff([first, first])).rejects.toThrow('twice')
  await expect(diff(['run_none'])).rejects.toThrow(`run 'run_none': expected a finished run`)
})

test('filters by market and number', async () => {
  const [first, second] = (await runIds()) as [string, string]
  const { answer } = await diff([first, second], { region: 'eu' })
  expect(answer.changes.flatMap(({ prices }) => prices.map(({ region }) => region))).toEqual(['EU', 'EU'])
  const limited = (await diff([first, second], { limit: '1' })).answer
  expect([limited.changes.length, limited.left_out]).toEqual([1, 1])
})

test('writes every change as CSV', async () => {
  const [first, second] = (await runIds()) as [string, string]
  const csv = join(folder, 'diff.csv')
  await diff([first, second], { csv, limit: '1' })
  const lines = readFileSync(csv, 'utf8').trim().split('\r\n')
  expect(lines).toHaveLength(1 + 2 + 3)
  expect(lines[0]).toMatch(/^item_id,name,unit,change/)
})
