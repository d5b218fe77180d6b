import type { Basis } from '@catalog/core/events/items.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { readUnknownUnits } from '@catalog/store/vendor/unknown-units.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const OTHERS = ['B', 'C', 'D', 'E']
const priced = (vendor: string, unit: string | null, cents: number) =>
  observation({ vendor, unit, cents, name: `Steel grating of ${vendor.repeat(3)}`, more: { gtin: '40000008' } })
const aliased = (canonical: string | null, say: { unit?: string; vendor?: string; at?: string } = {}) =>
  event({
    type: 'UnitAliased',
    decided_at: say.at ?? '2026-01-08T00:00:00Z',
    unit: say.unit ?? 'Tramex',
    canonical,
    ...(say.vendor !== undefined && { source_id: sourceNamed(say.vendor).id }),
    reason: 'their catalogue says so',
  })

async function published() {
  const [row] = await path.store.query<{ item_json: string; basis: string }>(`select item_json, basis from items`)
  const item = JSON.parse(row?.item_json ?? 'null')
  const basis = JSON.parse(row?.basis ?? 'null') as Basis
  return {
    unit: item.unit as string,
    cents: item.median_price?.cents ?? null,
    voters: basis.voters,
    reasons: basis.excluded.map(({ reason }) => reason),
  }
}

/** One vendor's unknown unit founds the item alone; four vendors with known units join it. */
async function gratings(): Promise<void> {
  await path.append([registration({ vendor: 'A' }), priced('A', 'tramex', 5000)])
  await path.run('2026-01-06T00:00:00Z')
  expect(await published()).toEqual({ unit: 'tramex', cents: 5000, voters: 1, reasons: [] })
  await path.append(OTHERS.flatMap((vendor, i) => [registration({ vendor }), priced(vendor, 'm2', 1000 + i)]))
  await path.run('2026-01-07T00:00:00Z')
}

describe('an unknown unit', () => {
  test('founds no unit where known ones could, and is alone left out', async () => {
    await gratings()
    expect(await published()).toEqual({ unit: 'm²', cents: 1002, voters: 4, reasons: ['UNIT_UNKNOWN'] })
    expect(await readUnknownUnits(path.store, '2026-01-07T00:00:00Z')).toEqual([
      {
        unit: 'tramex',
        reason: 'SPELLING',
        skus: 1,
        observations: 1,
        sources: [{ source_id: sourceNamed('A').id, name: 'A', skus: 1 }],
        example: 'Steel grating of AAA',
      },
    ])
  })

  test('leaves an item whose vendors all use it as it is', async () => {
    await path.append(['A', 'B'].flatMap((vendor, i) => [registration({ vendor }), priced(vendor, 'tramex', 100 + i)]))
    await path.run('2026-01-06T00:00:00Z')
    expect(await published()).toEqual({ unit: 'tramex', cents: 100, voters: 2, reasons: [] })
  })
})

describe('an alias', () => {
  test('lets the excluded price vote at the next run, without a new crawl, until it is taken back', async () => {
    await gratings()
    await path.append([aliased('m²')])
    await path.run('2026-01-08T00:00:00Z')
    expect(await published()).toMatchObject({ voters: 5, reasons: [] })
    expect(await readUnknownUnits(path.store, '2026-01-08T00:00:00Z')).toEqual([])
    await path.append([aliased(null, { at: '2026-01-09T00:00:00Z' })])
    await path.run('2026-01-09T00:00:00Z')
    expect(await published()).toMatchObject({ voters: 4, reasons: ['UNIT_UNKNOWN'] })
  })

  test('counts from its instant on, for its source only, and over an alias of all sources', async () => {
    await gratings()
    await path.append([
      aliased('kg', { at: '2026-01-10T00:00:00Z' }),
      aliased('yd²', { at: '2026-01-10T00:00:00Z', vendor: 'A' }),
      aliased('m²', { at: '2026-01-12T00:00:00Z', vendor: 'B' }),
    ])
    const before = await dryRun({ ...path, now: () => new Date(path.nowMs) }, { asOf: '2026-01-09T00:00:00Z' })
    expect(before).toEqual([])
    await path.run('2026-01-10T00:00:00Z')
    expect(await published()).toMatchObject({ voters: 5, reasons: [] })
    const [row] = await path.store.query<{ basis: string }>(`select basis from items`)
    const { votes } = JSON.parse(row?.basis ?? '') as Basis
    // 5000 cents for a square yard, per square metre.
    expect(votes.find(({ source_id }) => source_id === sourceNamed('A').id)?.price).toBe('7812500000/1306449')
    await path.append([aliased(null, { at: '2026-01-11T00:00:00Z', vendor: 'A' })])
    await path.run('2026-01-11T00:00:00Z')
    expect(await published()).toMatchObject({ voters: 4, reasons: ['UNIT_MISMATCH'] })
  })

  test('gives an item whose vendors all use the spelling its unit, also where the spelling is known', async () => {
    await path.append(['A', 'B'].flatMap((vendor, i) => [registration({ vendor }), priced(vendor, 'placa', 100 + i)]))
    await path.run('2026-01-06T00:00:00Z')
    expect(await published()).toMatchObject({ unit: 'sheet', voters: 2 })
    await path.append([aliased('m²', { unit: 'PLACA' })])
    await path.run('2026-01-08T00:00:00Z')
    expect(await published()).toMatchObject({ unit: 'm²', cents: 100, voters: 2, reasons: [] })
  })

  test('gives the same by increments, in full and from the log, and verify proves it', async () => {
    await gratings()
    await path.append([aliased('yd²')])
    await path.run('2026-01-08T00:00:00Z')
    const roots = await path.roots()
    const [full] = await path.run('2026-01-08T00:00:00Z', { full: true })
    expect(full).toMatchObject({ changed: 0, basisOnly: 0 })
    expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
    await path.rebuild()
    expect(await path.roots()).toEqual(roots)
  })

  test('joins by name what is new and means the same', async () => {
    const named = (vendor: string, unit: string) =>
      observation({ vendor, unit, name: 'Steel grating 30x30 galvanised' })
    await path.append([registration({ vendor: 'A' }), named('A', 'm2')])
    await path.run('2026-01-06T00:00:00Z')
    await path.append([
      aliased('m²', { at: '2026-01-06T12:00:00Z' }),
      registration({ vendor: 'B' }),
      named('B', 'tramex'),
    ])
    await path.run('2026-01-07T00:00:00Z')
    expect(await published()).toMatchObject({ unit: 'm²', voters: 2 })
  })
})
