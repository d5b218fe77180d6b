import type { CatalogEvent } from '@catalog/core/events/events.ts'
import type { Basis } from '@catalog/core/events/items.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { observation, observationRetracted, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const BANK = registration({ vendor: 'Bank', kind: 'bank', validity: 'until_superseded' })
/** A price of an edition, observed on its first day. */
const entry = (edition: string, ref: string, cents: number, at = `${edition}-01-01T00:00:00Z`) =>
  observation({
    vendor: 'Bank',
    ref,
    name: `Product ${ref}`,
    cents,
    at,
    crawl: `edition-${edition}`,
    more: { edition },
  })
const retracted = (edition: string) =>
  observationRetracted(sourceNamed('Bank').id, { scope: 'crawl', crawl_id: `edition-${edition}` })

/** By name: the cents, and the edition of the vote or why there is none. */
async function prices(): Promise<Record<string, string>> {
  const rows = await path.store.query<{ name: string; item_json: string; basis: string }>(
    `select name, item_json, basis from items order by name`,
  )
  return Object.fromEntries(
    rows.map(({ name, item_json, basis }) => {
      const { votes, excluded } = JSON.parse(basis) as Basis
      const cents = JSON.parse(item_json).median_price?.cents ?? 'none'
      return [name, `${cents} ${votes[0]?.edition ?? excluded.map(({ reason }) => reason).join()}`]
    }),
  )
}

/** A full run at the cut of the last one finds nothing to change, and the tables equal the log. */
async function expectWhole(asOf: string): Promise<void> {
  const deps = { store: path.store, now: () => new Date(path.nowMs), newRunId: () => 'dry' }
  expect(await dryRun(deps, { asOf })).toEqual([])
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
}

describe('a bank whose prices hold until superseded', () => {
  test('keeps its edition beyond 400 days, until the next one replaces the whole list', async () => {
    await path.append([BANK, entry('2023', 'A', 100), entry('2023', 'B', 200)])
    await path.run('2026-01-10T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '100 2023', 'Product B': '200 2023' })
    await path.append([entry('2026', 'A', 110)])
    await path.run('2026-01-11T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '110 2026', 'Product B': 'none SUPERSEDED' })
    await expectWhole('2026-01-11T00:00:00Z')
    await path.append([retracted('2026')])
    await path.run('2026-01-12T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '100 2023', 'Product B': '200 2023' })
    await expectWhole('2026-01-12T00:00:00Z')
  })

  test('ends after ten years, and a source of days alone sees no edition', async () => {
    const shop = observation({ vendor: 'Shop', ref: 'S', name: 'Sand', at: '2016-01-01T00:00:00Z' })
    const dated = { ...shop, edition: '2016' }
    await path.append([BANK, registration({ vendor: 'Shop' }), entry('2016', 'A', 100), dated])
    await path.run('2016-01-20T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '100 2016', Sand: '100 2016' })
    await path.run('2025-12-28T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '100 2016', Sand: 'none EXPIRED' })
    await path.run('2025-12-29T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': 'none EXPIRED', Sand: 'none EXPIRED' })
  })

  test('without editions holds until a newer price of the same SKU', async () => {
    const undated = (ref: string, cents: number, at: string) =>
      observation({ vendor: 'Bank', ref, name: `Product ${ref}`, cents, at, crawl: at })
    await path.append([BANK, undated('A', 100, '2023-01-01T00:00:00Z'), undated('B', 200, '2023-01-01T00:00:00Z')])
    await path.run('2025-01-01T00:00:00Z')
    await path.append([undated('A', 120, '2026-01-01T00:00:00Z')])
    await path.run('2026-01-02T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '120 ', 'Product B': '200 ' })
  })

  test('takes the greatest edition in any order of arrival, whatever its date', async () => {
    const events: CatalogEvent[] = [
      entry('2023', 'A', 100, '2026-01-03T00:00:00Z'),
      entry('2025', 'A', 110, '2026-01-01T00:00:00Z'),
      entry('2024', 'A', 120, '2026-01-02T00:00:00Z'),
      observation({ vendor: 'Bank', ref: 'A', name: 'Product A', cents: 130, at: '2026-01-04T00:00:00Z' }),
    ]
    const roots = new Set<string>()
    for (const order of ['0123', '3210', '1302', '2031']) {
      await path.reset()
      await path.append([BANK])
      for (const [step, at] of [...order].entries()) {
        await path.append([events[Number(at)] as CatalogEvent])
        await path.run(`2026-01-1${step}T00:00:00Z`)
      }
      expect(await prices()).toEqual({ 'Product A': '110 2025' })
      await expectWhole('2026-01-13T00:00:00Z')
      roots.add((await path.roots()).vendor)
    }
    expect(roots.size).toBe(1)
  })

  test('is as of a run’s own cut', async () => {
    await path.append([BANK, entry('2023', 'A', 100), entry('2023', 'B', 200)])
    await path.run('2026-01-10T00:00:00Z')
    await path.append([entry('2026', 'A', 110, '2026-02-01T00:00:00Z')])
    await path.run('2026-01-20T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '100 2023', 'Product B': '200 2023' })
    await path.run('2026-02-01T00:00:00Z')
    expect(await prices()).toEqual({ 'Product A': '110 2026', 'Product B': 'none SUPERSEDED' })
    const deps = { store: path.store, now: () => new Date(path.nowMs), newRunId: () => 'dry' }
    const past = await dryRun(deps, { asOf: '2026-01-20T00:00:00Z' })
    expect(past.map(({ event: { basis } }) => basis.votes[0]?.edition)).toEqual(['2023', '2023'])
  })
})
