import { storeOfFile } from '@catalog/stack/testing/fixtures.ts'
import { beforeEach, describe, expect, test } from 'vitest'
import { forgetHostTurns, takeHostTurn } from './host-rates.ts'

const store = await storeOfFile()
beforeEach(() => store.query('truncate host_rates'))

const HOUR = 3_600_000
const take = (host: string, intervalMs = HOUR) => takeHostTurn(store, { host, intervalMs })

describe('turns of a host', () => {
  test('lie an interval apart, also for those who ask at once', async () => {
    const waits = await Promise.all(Array.from({ length: 5 }, () => take('shop.example')))
    const turns = waits.toSorted((a, b) => a - b)
    expect(turns[0]).toBe(0)
    for (const [nth, waitMs] of turns.entries()) expect(Math.abs(waitMs - nth * HOUR)).toBeLessThan(HOUR / 10)
  })

  test('are apart from those of other hosts, and each asks by its own interval', async () => {
    expect([await take('a.example'), await take('b.example')]).toEqual([0, 0])
    expect(await take('a.example', 1_000)).toBeGreaterThan(0.9 * HOUR)
    // The one before asked for a second alone.
    expect(await take('a.example')).toBeLessThan(1.1 * HOUR)
  })

  test('that passed unused delay nobody, and are forgotten after two days', async () => {
    await store.query(
      `insert into host_rates values ('old.example', now() - interval '3 days'), ('new.example', now())`,
    )
    expect(await take('new.example')).toBe(0)
    await forgetHostTurns(store)
    expect(await store.query('select host from host_rates')).toEqual([{ host: 'new.example' }])
    expect(await take('old.example')).toBe(0)
  })
})
