import { observation } from '@catalog/core/events/testing.ts'
import { openPath } from '@catalog/stack/path/path.ts'
import { expect, test } from 'vitest'
import { type Evidence, type KnownPrice, missesOf, readApplied } from './verdict.ts'

const observedAt = '2026-01-05T06:00:00Z'
const PRICES: readonly KnownPrice[] = [1, 2, 3].map((n) => ({ ref: `R${n}`, observedAt, cents: 100 + n }))
const events = PRICES.map(({ ref, cents }) => observation({ ref, cents, at: observedAt }))

test('the verdict of a recovery names an observation that is lost, doubled, or of no list in the tables', async () => {
  await using path = await openPath()
  const misses = async () => missesOf({ ...WHOLE, acknowledged: PRICES, applied: await readApplied(path.store) })
  await path.append(events)
  await path.append(events)
  expect(await misses()).toEqual([])

  await path.store.query(`delete from observations where cents = 101`)
  expect(await misses()).toEqual([`1 acknowledged observations are lost: R1 at ${observedAt} for 101`])
  await path.store.query(
    `insert into observations select observation + 1000, '\\x00', sku, terms, crawl, recorded_at, observed_at, cents, payload
       from observations where cents = 102`,
  )
  await path.append([observation({ ref: 'R9', cents: 109, at: observedAt })])
  expect(await misses()).toEqual([
    `1 acknowledged observations are lost: R1 at ${observedAt} for 101`,
    `1 observations are applied twice: R2 at ${observedAt} for 102`,
    `1 observations are applied that no list has: R9 at ${observedAt} for 109`,
  ])
})

test('the verdict of a recovery names instants, prices, reads and copies that are wrong', () => {
  const [first, second] = WHOLE.due as [string, string]
  const cases: readonly (readonly [Partial<Evidence>, string])[] = [
    [{ published: [second] }, `1 due instants are not published: ${first}`],
    [{ published: [first, second, second] }, `1 instants are published twice: ${second}`],
    [{ shown: new Map([['brick', 12]]) }, '1 items show another price than all vendors ask: brick'],
    [{ shown: new Map() }, '1 items show another price than all vendors ask: brick'],
    [{ reads: { ...WHOLE.reads, failed: ['500 for /items'] } }, '1 reads failed: 500 for /items'],
    [{ reads: { ...WHOLE.reads, empty: ['/items'] } }, '1 reads answered 200 with nothing: /items'],
    [{ reads: { answered: 0, failed: [], empty: [] } }, 'no read was answered'],
    [{ roots: { origin: 'a', mirror: 'b' } }, 'the mirror has root b, its origin a'],
    [{ feedHoles: 2 }, 'the feed lacks 2 numbers'],
    [{ isVerified: false }, 'catalog verify does not hold'],
    [{ isSearchBack: false }, 'search does not find what it found before'],
    [{ acknowledged: [], applied: [] }, 'no observation was acknowledged'],
    [{ asked: new Map() }, 'no price was asked'],
    [{ due: [], published: [] }, 'no instant fell due'],
  ]
  expect(missesOf(WHOLE)).toEqual([])
  for (const [wrong, miss] of cases) expect(missesOf({ ...WHOLE, ...wrong })).toEqual([miss])
})

const WHOLE: Evidence = {
  acknowledged: PRICES,
  applied: PRICES,
  due: ['2026-01-05T06:01:00Z', '2026-01-05T06:02:00Z'],
  published: ['2026-01-05T06:01:00Z', '2026-01-05T06:02:00Z'],
  asked: new Map([['brick', 11]]),
  shown: new Map([['brick', 11]]),
  feedHoles: 0,
  roots: { origin: 'a', mirror: 'a' },
  isVerified: true,
  reads: { answered: 9, failed: [], empty: [] },
  isSearchBack: true,
}
