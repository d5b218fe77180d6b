import type { Basis, PublicState } from '@catalog/core/events/items.ts'
import { verify } from '@catalog/projector/verify/verify.ts'
import { pathOfFile } from '@catalog/stack/path/path-of-file.ts'
import { event, observation, registration, sourceNamed } from '@catalog/stack/testing/events.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { dryRun } from './differences.ts'

const path = await pathOfFile()
beforeEach(() => path.reset())

const GTIN = { gtin: '4006381333931' }
const bank = (vendor: string, region: string, trust = 50) => registration({ vendor, region, kind: 'bank', trust })
const price = (vendor: string, region: string, cents: number, currency = 'BRL') =>
  observation({ vendor, region, cents, currency, more: GTIN })

async function published(): Promise<{ state: PublicState; basis: Basis }> {
  const rows = await path.store.query<{ public_state: string; basis: string }>(`select public_state, basis from items`)
  expect(rows).toHaveLength(1)
  return { state: JSON.parse(rows[0]?.public_state as string), basis: JSON.parse(rows[0]?.basis as string) }
}
/** "REGION cents vendors" of each market, and the headline with its voters. */
async function markets(): Promise<string[]> {
  const { state, basis } = await published()
  return [
    `headline ${state.item.median_price?.cents} of ${basis.voters}, ${state.item.vendor_count} vendors`,
    ...state.markets.map(
      ({ region, median_price, vendor_count }) => `${region} ${median_price?.cents} of ${vendor_count}`,
    ),
  ]
}
async function expectWhole(asOf: string): Promise<void> {
  const deps = { store: path.store, now: () => new Date(path.nowMs), newRunId: () => 'dry' }
  expect(await dryRun(deps, { asOf })).toEqual([])
  expect((await verify(path)).filter(({ ok }) => !ok)).toEqual([])
}

describe('a publisher of prices for subdivisions', () => {
  const states = [
    ['BR-AC', 300],
    ['BR-MG', 120],
    ['BR-RJ', 130],
    ['BR-SP', 110],
  ] as const
  const sinapi = states.flatMap(([region, cents]) => [bank('SINAPI', region), price('SINAPI', region, cents)])

  test('votes in each of them, and once in the country and above: with the middle of its prices', async () => {
    await path.append([...sinapi, bank('Loja', 'BR'), price('Loja', 'BR', 200)])
    await path.run('2026-01-10T00:00:00Z')
    expect(await markets()).toEqual([
      'headline 160 of 2, 2 vendors',
      'BR 160 of 2',
      'BR-AC 300 of 1',
      'BR-MG 120 of 1',
      'BR-RJ 130 of 1',
      'BR-SP 110 of 1',
      'LATAM 160 of 2',
    ])
    const { state, basis } = await published()
    expect(state.regions).toEqual(['BR', 'LATAM'])
    expect(basis.excluded.map(({ reason }) => reason)).toEqual(Array(3).fill('SAME_PUBLISHER'))
    expect(
      basis.votes
        .filter((vote) => vote.markets.includes('BR'))
        .map((vote) => vote.price)
        .sort(),
    ).toEqual(['120', '200'])
    await expectWhole('2026-01-10T00:00:00Z')
  })

  test('votes with its price for the whole country where it has one', async () => {
    await path.append([...sinapi, bank('SINAPI', 'BR'), price('SINAPI', 'BR', 140)])
    await path.run('2026-01-10T00:00:00Z')
    expect((await markets()).slice(0, 3)).toEqual(['headline 140 of 1, 1 vendors', 'BR 140 of 1', 'BR-AC 300 of 1'])
    await expectWhole('2026-01-10T00:00:00Z')
  })

  test('may have other names by subdivision, which aliases join without moving their prices', async () => {
    await path.append([
      ...[bank('Obras', 'BR', 80), price('Obras', 'BR', 140)],
      ...[bank('Obras Sul', 'BR-RS'), price('Obras Sul', 'BR-RS', 150)],
    ])
    await path.run('2026-01-10T00:00:00Z')
    expect((await markets())[0]).toBe('headline 140 of 2, 2 vendors')
    await path.append([
      event({
        type: 'SourceAliased',
        decided_at: '2026-01-11T00:00:00Z',
        source_id: sourceNamed('Obras Sul', 'BR-RS').id,
        canonical_id: sourceNamed('Obras', 'BR').id,
        reason: 'one publisher',
      }),
    ])
    await path.run('2026-01-11T00:00:00Z')
    expect(await markets()).toEqual(['headline 140 of 1, 1 vendors', 'BR 140 of 1', 'BR-RS 150 of 1', 'LATAM 140 of 1'])
    await expectWhole('2026-01-11T00:00:00Z')
  })

  test('counts for the EU where its country has no market of its own', async () => {
    await path.append([bank('Prezzario', 'IT-52'), price('Prezzario', 'IT-52', 90, 'EUR')])
    await path.run('2026-01-10T00:00:00Z')
    expect(await markets()).toEqual(['headline 90 of 1, 1 vendors', 'EU 90 of 1', 'IT-52 90 of 1'])
  })

  test('has its points of each subdivision', async () => {
    await path.append(sinapi)
    await path.run('2026-01-10T00:00:00Z')
    const points = await path.store.query<{ market: string }>(
      `select market || ' ' || cents as market from price_points order by market collate "C"`,
    )
    expect(points.map(({ market }) => market)).toContain('BR-SP 110')
  })
})
